"""Contact sheets, several moments in one picture, and captions."""

from collections.abc import Iterable

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from creature_sim.errors import DefinitionError
from creature_sim.figures.labels import printable
from creature_sim.view.offscreen import Picture

GAP = 4
"""Distance between pictures [px]."""
PAPER, INK, SHADE = (250, 250, 247), (255, 255, 255), (20, 28, 36)


def cell_size(size: tuple[int, int], columns: int, rows: int) -> tuple[int, int]:
    """Width and height of each picture of a sheet of this size [px]."""
    width = (size[0] - GAP * (columns - 1)) // columns
    height = (size[1] - GAP * (rows - 1)) // rows
    if width < 16 or height < 16:
        raise DefinitionError(
            f"--sheet: expected pictures of at least 16x16 pixels, found {columns}x{rows} of them "
            f"in {size[0]}x{size[1]}"
        )
    return width, height


def sheet_of(
    pictures: Iterable[Picture], times: Iterable[float], columns: int, size: tuple[int, int]
) -> Picture:
    """Pictures in rows from left to right, each with its time [s], on a sheet of `size`."""
    sheet = Image.new("RGB", size, PAPER)
    for index, (picture, seconds) in enumerate(zip(pictures, times, strict=True)):
        row, column = divmod(index, columns)
        height, width = picture.shape[:2]
        cell = Image.fromarray(picture)
        letters = max(9, height // 16)
        _write(cell, f"{seconds:.2f} s", letters, (letters // 2, letters // 3))
        sheet.paste(cell, (column * (width + GAP), row * (height + GAP)))
    return np.asarray(sheet)


def captioned(picture: Picture, text: str) -> Picture:
    """A picture with a line of text in its lower left corner."""
    image = Image.fromarray(picture)
    letters = max(9, picture.shape[0] // 30)
    _write(image, printable(text), letters, (letters // 2, picture.shape[0] - 3 * letters // 2))
    return np.asarray(image)


def _write(image: Image.Image, text: str, letters: int, corner: tuple[int, int]) -> None:
    """Write a text of some height [px] with its upper left corner there."""
    ImageDraw.Draw(image).text(
        corner,
        text,
        INK,
        ImageFont.load_default(letters),
        stroke_width=max(1, letters // 10),
        stroke_fill=SHADE,
    )

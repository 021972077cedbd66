"""Reads grids of heights from files, as little of them as the ground needs."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from creature_sim.errors import DefinitionError
from creature_sim.files.kinds import what_is_there
from creature_sim.files.silence import silence
from creature_sim.maths import Floats

if TYPE_CHECKING:
    from PIL.ImageFile import ImageFile

Image = TypeVar("Image", bound="ImageFile")

MAX_PIXELS = 8192 * 8192
"""Largest count of values in a file that has to be read whole: all but .npy."""

_PIXEL_SCALE, _GEO_KEYS, _NODATA = 33550, 34735, 42113  # tags of GeoTIFF and of GDAL
_MODEL_TYPE, _LENGTH_UNIT, _GEOGRAPHIC, _METRE = 1024, 3076, 2, 9001
_VALUE_BYTES = 64
"""Largest size of a value in an .asc file."""

_ASC_NAMES = (
    *("ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter"),
    *("cellsize", "nodata_value"),
)
Indices = NDArray[np.int64]


@dataclass(frozen=True)
class HeightFile:
    """A grid of values in a file.

    Attributes:
        shape: rows, columns.
        take: reads the values (R, C) of rows (R,) and columns (C,), both ascending; NaN for holes.
        spacing: distance of neighbouring values, where the file says so [m].
    """

    shape: tuple[int, int]
    take: Callable[[Indices, Indices], Floats]
    spacing: float | None = None


def open_heights(path: Path) -> HeightFile:
    """Read what a file says of itself.

    Raises:
        DefinitionError: it is no file of heights; the text begins with the key, "file".
    """
    readers = {".png": _png, ".tif": _tiff, ".tiff": _tiff, ".npy": _npy, ".asc": _asc}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise DefinitionError(
            f"file: {path}: expected .png, .tif, .tiff, .npy or .asc, found {path.suffix!r}"
        )
    if not path.is_file():
        raise DefinitionError(
            f"file: {path}: expected a file of heights, found {what_is_there(path)}"
        )
    try:
        with warnings.catch_warnings(), silence():  # damage raises an error anyway
            warnings.simplefilter("ignore")
            opened = reader(path)
    except DefinitionError:
        raise
    except Exception as error:  # readers raise whatever the damage leads to
        raise unreadable(path, error) from None
    rows, columns = opened.shape
    if rows < 2 or columns < 2:
        raise DefinitionError(
            f"file: {path}: expected at least 2 x 2 heights, found {columns} x {rows}"
        )
    return opened


def unreadable(path: Path, error: Exception) -> DefinitionError:
    """The error of a file that is damaged, or cut off, on one line."""
    text = getattr(error, "strerror", None) or str(error) or type(error).__name__
    if isinstance(error, AttributeError | KeyError | NameError | TypeError):
        text = "it is damaged"  # a library stumbles over it: its words are of its own variables
    reason = " ".join(text.split())[:120]
    kind = path.suffix.lower()
    return DefinitionError(
        f"file: {path}: expected a whole {kind} file, found one that cannot be read ({reason})"
    )


def _check_size(path: Path, columns: int, rows: int) -> None:
    """Refuse what is too large to be read whole, before it is."""
    if columns * rows > MAX_PIXELS:
        raise DefinitionError(
            f"file: {path}: expected at most {MAX_PIXELS} heights (8192 x 8192) in such a file, "
            f"found {columns} x {rows}; an .npy file may have any size"
        )


def _png(path: Path) -> HeightFile:
    """A grey image of 16 bits."""
    from PIL.PngImagePlugin import PngImageFile

    with path.open("rb") as stream:
        image = _decoded(path, PngImageFile, stream, ("I;16",), "a grey image of 16 bits")
    return HeightFile((image.height, image.width), _cropper(image, None))


def _tiff(path: Path) -> HeightFile:
    """An image of one channel of numbers; GeoTIFF says how far its pixels are apart."""
    from PIL.TiffImagePlugin import TiffImageFile

    modes, expected = ("F", "I;16", "I;16B", "I"), "one channel of float32 or of 16 or 32 bits"
    with path.open("rb") as stream:
        image = _decoded(path, TiffImageFile, stream, modes, expected)
        scale, keys, hole = (image.tag_v2.get(tag) for tag in (_PIXEL_SCALE, _GEO_KEYS, _NODATA))
    spacing = None if scale is None else _pixel_size(path, scale, keys or ())
    nodata = _nodata(path, hole)
    return HeightFile((image.height, image.width), _cropper(image, nodata), spacing)


def _decoded(
    path: Path,
    plugin: Callable[[BinaryIO], Image],
    stream: BinaryIO,
    modes: tuple[str, ...],
    expected: str,
) -> Image:
    """An image in memory; one too large or of another kind is refused before it is decoded."""
    image = plugin(stream)
    if image.mode not in modes:
        raise DefinitionError(
            f"file: {path}: expected {expected}, found an image of mode {image.mode}"
        )
    _check_size(path, *image.size)
    image.load()
    return image


def _pixel_size(path: Path, sizes: tuple[float, ...], keys: tuple[int, ...]) -> float | None:
    """Distance of a GeoTIFF's pixels [m]; None where its unit is another."""
    units = {keys[i]: keys[i + 3] for i in range(4, len(keys) - 3, 4) if keys[i + 1] == 0}
    if units.get(_MODEL_TYPE) == _GEOGRAPHIC or units.get(_LENGTH_UNIT, _METRE) != _METRE:
        return None
    if len(sizes) < 2 or sizes[0] != sizes[1] or not 0.0 < sizes[0] < np.inf:
        raise DefinitionError(
            f"file: {path}: expected square pixels in ModelPixelScale, found {list(sizes[:2])}"
        )
    return float(sizes[0])


def _nodata(path: Path, text: object) -> float | None:
    """The value that means a hole, as GDAL writes it into a TIFF."""
    if text is None:
        return None
    try:
        return float(str(text).strip("\0 "))
    except ValueError:
        raise DefinitionError(
            f"file: {path}: expected a number as GDAL_NODATA, found {text!r}"
        ) from None


def _cropper(image: "ImageFile", nodata: float | None) -> Callable[[Indices, Indices], Floats]:
    """A function that copies no more of an image than lies between the first and last position."""

    def take(rows: Indices, columns: Indices) -> Floats:
        box = (int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1)
        part = np.asarray(image.crop(box))
        found = part[(rows - rows[0])[:, None], columns - columns[0]]
        return _with_holes(found, nodata)

    return take


def _with_holes(found: NDArray[Any], nodata: float | None) -> Floats:
    """Values as floats, with NaN for every hole."""
    with np.errstate(invalid="ignore"):  # of NaN that signal
        values = found.astype(np.float64)
    values[~np.isfinite(values)] = np.nan
    if nodata is not None:
        with np.errstate(over="ignore"):
            short = float(np.float32(nodata))  # as a file of float32 has it
        values[(values == nodata) | (values == short)] = np.nan
    return values


def _npy(path: Path) -> HeightFile:
    """An array of numbers, which stays on disk."""
    values = np.lib.format.open_memmap(path, mode="r")  # np.load would take zips and pickles, too
    if values.ndim != 2 or values.dtype.kind not in "iuf" or values.dtype.itemsize > 8:
        raise DefinitionError(
            f"file: {path}: expected an array (rows, columns) of numbers, found {values.dtype} "
            f"of shape {values.shape}"
        )

    def take(rows: Indices, columns: Indices) -> Floats:
        return _with_holes(values[rows[:, None], columns], None)

    return HeightFile(values.shape, take)


def _asc(path: Path) -> HeightFile:
    """A grid of ESRI: six lines of header, and a line for each row, which are read one by one."""
    with path.open("rb") as stream:
        header = _asc_header(path, stream)
        start = stream.tell()
    columns, rows = int(header["ncols"]), int(header["nrows"])
    _check_size(path, columns, rows)
    longest = _VALUE_BYTES * columns

    def take(chosen: Indices, across: Indices) -> Floats:
        found = np.empty((len(chosen), len(across)))
        with path.open("rb") as stream:
            stream.seek(start)
            number = -1
            for i, row in enumerate(chosen.tolist()):
                while number < row:
                    line = stream.readline(longest)
                    number += 1
                words = line.split()
                if len(words) != columns:
                    raise DefinitionError(
                        f"file: {path}: expected {columns} heights in row {row + 1} of {rows}, "
                        f"found {len(words)}"
                    )
                try:
                    found[i] = [float(words[column]) for column in across.tolist()]
                except ValueError as error:
                    raise DefinitionError(
                        f"file: {path}: expected numbers in row {row + 1}, found another word "
                        f"({error})"
                    ) from None
        return _with_holes(found, header.get("nodata_value"))

    return HeightFile((rows, columns), take, header["cellsize"])


def _asc_header(path: Path, stream: BinaryIO) -> dict[str, float]:
    """Numbers of the header by their names in small letters; the stream is then at the heights."""
    header: dict[str, float] = {}
    while True:
        before = stream.tell()
        line = stream.readline(200)
        words = line.split()
        name = words[0].decode("ascii", "replace").lower() if words else ""
        if name not in _ASC_NAMES:
            stream.seek(before)
            break
        try:
            header[name] = float(words[1])
        except (IndexError, ValueError):
            raise DefinitionError(
                f"file: {path}: expected a number behind {name} in the header, found "
                f"{line.decode('ascii', 'replace').strip()!r}"
            ) from None
    for name in ("ncols", "nrows", "cellsize"):
        number = header.get(name)
        is_count = name != "cellsize"
        if number is None or not 0.0 < number < 1e9 or (is_count and number != int(number)):
            kind = "a count" if is_count else "a length"
            found = "none" if number is None else f"{number:g}"
            raise DefinitionError(
                f"file: {path}: expected {kind} as {name} in the header, found {found}"
            )
    return header

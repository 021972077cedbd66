"""The pictures of a model, which colour its surfaces."""

import warnings
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.models.accessors import Accessors
from creature_sim.models.container import Container
from creature_sim.models.fields import Field

MAX_SIDE = 4_096
MAX_PIXELS = 1 << 25
"""Of all pictures of a model together."""
SHOWN_SIDE = 2_048
"""Larger pictures are made smaller [px]."""
MAX_IMAGES, MAX_NAME = 64, 120
Picture = NDArray[np.uint8]
"""(H, W, 3), the top row first."""


class Images:
    """Pictures by index; each is decoded once. `notes` tell what was left out."""

    def __init__(self, container: Container, arrays: Accessors) -> None:
        """Know where they are; nothing is decoded yet."""
        self._container, self._arrays = container, arrays
        self._fields = container.document["images"].items(MAX_IMAGES)
        self._places: dict[int, int | None] = {}
        self.notes: list[str] = []
        self._left = MAX_PIXELS
        self.pictures: list[Picture] = []

    def place(self, which: Field) -> int | None:
        """Index in `pictures` of an image, decoded if it was not yet; None if there is none.

        Raises:
            DefinitionError: it is not in the file, or no picture, or too large.
        """
        index = which.index(len(self._fields))
        if index not in self._places:
            data = self._data(self._fields[index])
            self._places[index] = None if data is None else len(self.pictures)
            if data is not None:
                self.pictures.append(self._decoded(self._fields[index], data))
        return self._places[index]

    def _data(self, image: Field) -> bytes | None:
        if "uri" in image:
            data = self._container.picture(image["uri"])
            if data is None:
                name = image["uri"].text()[:MAX_NAME]
                self.notes.append(f"no picture {name!r} is in the folder of the model: left out")
            return data
        return self._arrays.view(image["bufferView"]) if "bufferView" in image else None

    def _decoded(self, image: Field, data: bytes) -> Picture:
        from PIL import Image as Pictures  # it takes long to import

        with warnings.catch_warnings():
            warnings.simplefilter("error")  # of pictures that are too large, or damaged
            try:
                with Pictures.open(BytesIO(data), formats=("PNG", "JPEG")) as opened:
                    width, height = opened.size
                    if max(width, height) > MAX_SIDE or width * height > self._left:
                        raise image.refused(
                            f"at most {MAX_SIDE} pixels a side, and {MAX_PIXELS} in all pictures",
                            f"{width} x {height}",
                        )
                    self._left -= width * height
                    shown: Any = opened.convert("RGB")
                    shown.thumbnail((SHOWN_SIDE, SHOWN_SIDE))
                    return np.asarray(shown, np.uint8).copy()
            except (OSError, ValueError, SyntaxError, Warning, Pictures.DecompressionBombError):
                raise image.refused("a picture as PNG or JPEG", "others") from None

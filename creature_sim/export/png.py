"""Pictures as files."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def save_png(picture: NDArray[np.uint8], path: str | Path) -> None:
    """Write (H, W, 3) pixels as an 8-bit RGB file."""
    Image.fromarray(picture).save(path, "PNG")

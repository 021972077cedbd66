"""Pictures as files."""

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray


def save_png(picture: NDArray[np.uint8], path: str | Path) -> None:
    """Write (H, W, 3) pixels as an 8-bit RGB file (PNG specification, second edition)."""
    height, width, _ = picture.shape
    lines = np.zeros((height, 1 + 3 * width), dtype=np.uint8)  # first byte: no filter
    lines[:, 1:] = picture.reshape(height, -1)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes(), 6)), (b"IEND", b""))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        for name, data in chunks:
            file.write(struct.pack(">I", len(data)) + name + data)
            file.write(struct.pack(">I", zlib.crc32(name + data)))

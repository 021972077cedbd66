"""Packs tables of numbers into few bytes, for a page to unpack.

Numbers are rounded to whole steps, so that none is off by more than half a step. Each is replaced
by its difference from the row above (in the first row: from 0), which is small where things move
smoothly. Differences are folded so that small ones of either sign become small numbers (0, -1, 1,
-2, ... to 0, 1, 2, 3, ...) and written column by column as 32 bits: all lowest bytes first, then
all second bytes, and so on. Most bytes are then zero, and deflate removes them.
"""

import base64
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAX_STEPS = 2**29
"""Numbers must be smaller than this many steps."""


@dataclass(frozen=True)
class Table:
    """Numbers, (rows, columns), and the step that they are rounded to."""

    numbers: NDArray[Any]
    step: float


def packed(table: Table) -> bytes:
    """A table as 4 bytes per number.

    Raises:
        ValueError: a number is not finite or too large for its step.
    """
    steps = np.rint(np.asarray(table.numbers, dtype=np.float64) / table.step)
    if steps.size and not np.abs(steps).max() < MAX_STEPS:  # NaN fails, too
        raise ValueError(f"expected numbers below {MAX_STEPS * table.step:g}")
    differences = steps.astype(np.int32)
    differences[1:] -= differences[:-1].copy()
    folded = (differences << 1) ^ (differences >> 31)
    columns = np.ascontiguousarray(folded.T).astype("<u4").view(np.uint8).reshape(-1, 4)
    return columns.T.tobytes()


def pack(tables: Mapping[str, Table]) -> tuple[dict[str, dict[str, float]], str]:
    """All tables: the position and shape of each, and the bytes, deflated, in base64."""
    layout: dict[str, dict[str, float]] = {}
    parts: list[bytes] = []
    start = 0
    for name, table in tables.items():
        rows, columns = table.numbers.shape
        parts.append(packed(table))
        layout[name] = {"start": start, "rows": rows, "columns": columns, "step": table.step}
        start += len(parts[-1])
    return layout, base64.b64encode(zlib.compress(b"".join(parts), 9)).decode("ascii")

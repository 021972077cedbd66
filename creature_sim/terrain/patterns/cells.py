"""Cells of a grid: which of them meet a stretch, and a number for each."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel
from creature_sim.terrain.tiles.tiling import HALF_SIZE

Numbers = NDArray[np.int64]


def cells_between(
    low: float, high: float, cell: float, shift: float = 0.0
) -> tuple[Floats, Numbers]:
    """Cells of a grid that meet a stretch, whole.

    Args:
        low: where the stretch begins [m].
        high: where it ends [m].
        cell: side of a cell [m].
        shift: where an edge is, next to the origin, as a fraction of the side from 0 up to 1.

    Returns:
        their edges (C + 1,) [m], and their numbers (C,); number 0 begins at `shift`.
    """
    numbers = np.arange(int(np.floor(low / cell - shift)) - 1, int(np.ceil(high / cell)) + 2)
    edges = (numbers.astype(np.float64) + shift) * cell
    inside = np.flatnonzero((edges[:-1] < high) & (edges[1:] > low))
    return edges[inside[0] : inside[-1] + 2], numbers[inside[0] : inside[-1] + 1]


def lowest_cell(cell: float, shift: float = 0.0) -> int:
    """Number of the first cell of ground that has a border."""
    return -int(np.ceil(HALF_SIZE / cell + shift))


@kernel
def cell_number(i: int, j: int, lowest: int, count: int) -> int:
    """A number for the cell (i, j) of a grid that no other cell has, for |i|, |j| < 2^19.

    Cells of ground with a border, `count` from `lowest` on along each axis, have small numbers.
    """
    a, b = i - lowest, j - lowest
    if 0 <= a < count and 0 <= b < count:
        return a * count + b
    return _far_number(i, j)


@kernel
def square_number(i: int, j: int, lowest: int) -> int:
    """A number for the square (i, j) of a grid that no other square has; see `cell_number`."""
    if 0 <= i - lowest < 4096 and 0 <= j - lowest < 4096:
        return ((i - lowest) << 12) + j - lowest
    return _far_number(i, j)


@kernel
def _far_number(i: int, j: int) -> int:
    """A number for (i, j) that no cell of ground with a border has."""
    return (1 << 40) + ((i + (1 << 19)) << 20) + (j + (1 << 19))


@kernel
def lattice_number(i: int, j: int) -> int:
    """A number for the cell (i, j) of a grid that no other cell has, for |i|, |j| < 2^19.

    Cells of ground with a border have small numbers.
    """
    if max(abs(i), abs(j)) < 1024:
        return ((i + 1024) << 12) + (j + 1024)
    return _far_number(i, j)

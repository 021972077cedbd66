"""Tables of arrays: kernels see in their rows what Python sees."""

from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from creature_sim.components import BodyRecord, RecordTable, zeros
from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table


class Pair(NamedTuple):
    floats: Floats
    numbers: NDArray[np.int64]


class Row(NamedTuple):
    grid: Floats
    pair: Pair
    bodies: RecordTable[BodyRecord]


def row_of(seed: int) -> Row:
    """A row whose arrays have other shapes with each seed."""
    grid = np.arange(2.0 * (seed + 1)).reshape(seed + 1, 2) + seed
    return Row(grid, Pair(np.full(seed, 0.5), np.arange(seed + 2)), zeros(BodyRecord, seed, 2))


@kernel
def sum_up(rows: Table[Row], weight: float, sums: Floats) -> int:
    """Write a sum over each row, and into its bodies; how many rows there are."""
    for k in range(len(rows)):
        row = rows[k]
        for n in range(row.grid.shape[0]):
            sums[k] += weight * row.grid[n, 1]
        for value in row.pair.floats:
            sums[k] += value
        sums[k] += row.pair.numbers[len(row.pair.numbers) - 1]
        for n in range(row.bodies.shape[0]):
            row.bodies[n, 1].position[2] = sums[k]
    return len(rows)


def sum_of(row: Row) -> float:
    """The same of one row."""
    return float(2.0 * row.grid[:, 1].sum() + row.pair.floats.sum() + row.pair.numbers[-1])


@pytest.mark.parametrize("call", [sum_up, unchecked(sum_up)])
def test_kernels_read_and_write_the_arrays_of_all_rows(call: object) -> None:
    assert callable(call)
    for count in (1, 3, 40):
        rows = [row_of(seed) for seed in range(count)]
        sums = np.zeros(count)
        assert call(Table(rows), 2.0, sums) == count
        assert sums.tolist() == [sum_of(row) for row in rows]
        for row, total in zip(rows, sums.tolist(), strict=True):
            assert (row.bodies["position"][:, 1, 2] == total).all()
            assert not row.bodies["position"][:, 0].any()


def test_a_table_keeps_its_arrays_alive() -> None:
    table, sums = Table([row_of(4)]), np.zeros(1)
    for _ in range(100):
        row_of(4)
    sum_up(table, 2.0, sums)
    assert sums[0] == sum_of(row_of(4))


def test_it_holds_the_very_rows_it_was_made_of() -> None:
    rows = [row_of(1), row_of(2)]
    table = Table(rows)
    assert table[1] is rows[1]
    assert table.holds(rows)
    assert not table.holds(rows[:1])
    assert not table.holds([row_of(1), rows[1]])


def test_rows_of_other_types_are_refused() -> None:
    row = row_of(1)
    for other in (row._replace(grid=np.zeros(2)), row._replace(grid=np.zeros((2, 2), np.float32))):
        with pytest.raises(TypeError, match="same types"):
            Table([row, other])

"""State as it leaves a tick: every zero positive, for equal bits of equal states, and no NaN."""

from collections.abc import Container, Sequence
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table
from creature_sim.snapshots.runs import Run

NEGATIVE_ZERO = -(2**63)
"""The bits of -0.0."""
EXPONENT = 0x7FF << 52
"""Those that are set in infinity and in what is no number."""
LAYOUTS = 256
"""Layouts of state that are remembered."""


class Words(NamedTuple):
    """Arrays of state that lie one after the other, as 8-byte words; see `settle_all`."""

    words: NDArray[np.int64]
    places: NDArray[np.int64]
    float_bits: NDArray[np.int64]


class Settling:
    """All state, as it is settled."""

    def __init__(self, runs: Sequence[Run], settled: Container[str] = ()) -> None:
        """Find which words of it are floats.

        Args:
            runs: the state.
            settled: names of parts that whoever writes them leaves so.
        """
        self._runs = runs
        self._table = Table([_words_of(run, settled) for run in runs])

    def settle(self) -> str | None:
        """Make every zero positive; the name of a part with a float that is not finite, or None."""
        k = _settle_runs(self._table) if self._runs else -1
        if k < 0:
            return None
        arrays = zip(self._runs[k].names, self._runs[k].arrays, strict=True)
        return next(name for name, array in arrays if not _is_finite(array))


def _words_of(run: Run, settled: Container[str]) -> Words:
    """What `settle_all` takes of a run, but for parts that are settled."""
    named = zip(run.names, run.arrays, strict=True)
    layout = tuple((array.dtype, array.shape, name in settled) for name, array in named)
    return Words(run.words, *_places_of(layout))


@lru_cache(LAYOUTS)
def _places_of(
    layout: tuple[tuple[np.dtype[Any], tuple[int, ...], bool], ...],
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What `settle_all` takes of arrays of such types and shapes, but for those that are settled.

    Herds of one layout share it: it stays in the processor's cache.
    """
    places, bits, begin = list[tuple[int, int, int]](), list[int](), 0
    for kind, (rows, *rest), is_settled in layout:
        own: list[int] = []
        for each, *_ in (kind.fields or {"": (kind,)}).values():
            own += [-1 if each.base.kind == "f" else 0] * (each.itemsize // 8)
        own *= prod(rest)  # of one creature
        if is_settled:
            places.append((begin, 0, len(bits)))
        else:
            if not (places and rows == places[-1][1] == 1):  # all of a lone creature is one row
                places.append((begin, rows, len(bits)))
            bits += own
        begin += rows * len(own)
    return np.array([*places, (begin, 0, len(bits))], np.int64), np.array(bits, np.int64)


def _is_finite(array: NDArray[Any]) -> bool:
    """Whether all numbers of an array are finite."""
    fields = array.dtype.names
    numbers = [array[field] for field in fields] if fields else [array]
    return all(np.isfinite(each).all() for each in numbers)


@unchecked
@kernel
def _settle_runs(runs: Table[Words]) -> int:
    """Settle all runs of state; index of the first with a float that is not finite, or -1."""
    wrong = -1
    for k in range(len(runs)):
        if settle_all(*runs[k]) >= 0 and wrong < 0:
            wrong = k
    return wrong


@kernel
def settle_all(
    words: NDArray[np.int64], places: NDArray[np.int64], float_bits: NDArray[np.int64]
) -> int:
    """Make every zero positive, and look for floats that are not finite.

    Args:
        words: of state, A pieces one after the other.
        places: (A + 1, 3) where the words of each begin, how many rows it has, and where the bits
            of one row begin; where all of them end. A piece without rows is left as it is.
        float_bits: all bits of those that are floats; 0 of others.

    Returns:
        index of the first piece with a float that is not finite; -1: there is none.
    """
    wrong = -1
    for index in range(places.shape[0] - 1):
        begin, rows, first = places[index]
        if rows == 0:
            continue
        end, _, last = places[index + 1]
        own = words[begin:end].reshape(rows, last - first)
        if not settle(own, float_bits[first:last]) and wrong < 0:
            wrong = index
    return wrong


@kernel
def settle(words: NDArray[np.int64], float_bits: NDArray[np.int64]) -> bool:
    """Make every zero of an array positive; False where a float is not finite.

    Words are looked at as whole numbers, many at once, and written only where a zero is negative:
    as a whole number none is less.

    Args:
        words: (N, C) of state.
        float_bits: (C,) all bits of those that are floats; 0 of others.
    """
    is_finite = True
    for row in range(words.shape[0]):
        lowest = highest = 0
        for column in range(words.shape[1]):
            bits = words[row, column] & float_bits[column]
            lowest = min(lowest, bits)
            highest = max(highest, bits & EXPONENT)
        if lowest == NEGATIVE_ZERO:
            for column in range(words.shape[1]):
                if words[row, column] & float_bits[column] == NEGATIVE_ZERO:
                    words[row, column] = 0
        if highest == EXPONENT:
            is_finite = False
    return is_finite

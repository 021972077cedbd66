"""State as it leaves a tick: every zero positive, for equal bits of equal states, and no NaN."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths.jit import kernel, unchecked
from creature_sim.snapshots.runs import Run

NEGATIVE_ZERO = -(2**63)
"""The bits of -0.0."""
EXPONENT = 0x7FF << 52
"""Those that are set in infinity and in what is no number."""


class Words:
    """Arrays of state that lie one after the other, as 8-byte words."""

    def __init__(self, run: Run) -> None:
        """Find which of them are floats."""
        self._names, self._words = run.names, run.words
        places, bits, begin = list[tuple[int, int, int]](), list[int](), 0
        for array in run.arrays:
            own: list[int] = []
            for kind, *_ in (array.dtype.fields or {"": (array.dtype,)}).values():
                own += [-1 if kind.base.kind == "f" else 0] * (kind.itemsize // 8)
            own *= array[:1].size  # of one creature
            places.append((begin, len(array), len(bits)))
            bits += own
            begin += array.nbytes // 8
        self._places = np.array([*places, (begin, 0, len(bits))], np.int64)
        self._float_bits = np.array(bits, np.int64)

    def settle(self) -> str | None:
        """Make every zero positive; the name of a part with a float that is not finite, or None."""
        wrong = _settle_all(self._words, self._places, self._float_bits)
        return None if wrong < 0 else self._names[wrong]


@kernel
def settle_all(
    words: NDArray[np.int64], places: NDArray[np.int64], float_bits: NDArray[np.int64]
) -> int:
    """Make every zero positive, and look for floats that are not finite.

    Args:
        words: of A arrays of state, one after the other.
        places: (A + 1, 3) where the words of each begin, how many rows it has, and where the bits
            of one row begin; where all of them end.
        float_bits: all bits of those that are floats; 0 of others.

    Returns:
        index of the first array with a float that is not finite; -1: there is none.
    """
    wrong = -1
    for index in range(places.shape[0] - 1):
        begin, rows, first = places[index]
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


_settle_all = unchecked(settle_all)

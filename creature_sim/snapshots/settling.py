"""State as it leaves a tick: every zero positive, for equal bits of equal states, and no NaN."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths.jit import kernel, unchecked

NEGATIVE_ZERO = -(2**63)
"""The bits of -0.0."""
EXPONENT = 0x7FF << 52
"""Those that are set in infinity and in what is no number."""


class Words:
    """All state of a herd, a chain or the props as 8-byte words."""

    def __init__(self, parts: Mapping[str, Mapping[str, NDArray[Any]]]) -> None:
        """Find which of them are floats.

        Args:
            parts: by part and field arrays whose rows are creatures.
        """
        self._names, words, bits = list[str](), list[NDArray[np.int64]](), list[int]()
        for name, fields in parts.items():
            for array in fields.values():
                own: list[int] = []
                for kind, *_ in (array.dtype.fields or {"": (array.dtype,)}).values():
                    own += [-1 if kind.base.kind == "f" else 0] * (kind.itemsize // 8)
                own *= array[:1].size  # of one creature
                self._names.append(name)
                words.append(array.reshape(-1).view(np.int64).reshape(len(array), len(own)))
                bits += own
        self._words, self._float_bits = tuple(words), np.array(bits, np.int64)
        self._settle_all = unchecked(settle_all)  # owners have different numbers of arrays

    def settle(self) -> str | None:
        """Make every zero positive; the name of a part with a float that is not finite, or None."""
        wrong = self._settle_all(self._words, self._float_bits)
        return None if wrong < 0 else self._names[wrong]


@kernel
def settle_all(arrays: tuple[NDArray[np.int64], ...], float_bits: NDArray[np.int64]) -> int:
    """Make every zero positive, and look for floats that are not finite.

    Args:
        arrays: of state, (N, C) words each.
        float_bits: (sum of C,) all bits of those that are floats; 0 of others.

    Returns:
        index of the first array with a float that is not finite; -1: there is none.
    """
    wrong, first = -1, 0
    for index in range(len(arrays)):
        words = arrays[index]
        end = first + words.shape[1]
        if not settle(words, float_bits[first:end]) and wrong < 0:
            wrong = index
        first = end
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

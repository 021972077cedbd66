"""Rays that pass between two tiles of ground and meet neither."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel


@kernel
def find_missed(
    starts: Floats,
    ends: Floats,
    fractions: Floats,
    is_once: NDArray[np.bool_],
    missed: NDArray[np.bool_],
) -> bool:
    """Write which rays (R, 3) missed, though they go up or down, or nearly, into (R,).

    Args:
        starts: (R, 3) [m, world].
        ends: (R, 3) [m, world].
        fractions: (R,) of their lengths at which they hit; 1 where they miss.
        is_once: (R,) which of them may miss.
        missed: (R,) to be written.

    Returns:
        whether any does.
    """
    is_any = False
    for ray in range(starts.shape[0]):
        x, y = abs(ends[ray, 0] - starts[ray, 0]), abs(ends[ray, 1] - starts[ray, 1])
        is_steep = abs(ends[ray, 2] - starts[ray, 2]) > x + y
        missed[ray] = fractions[ray] == 1.0 and is_steep and not is_once[ray]
        is_any = is_any or missed[ray]
    return is_any

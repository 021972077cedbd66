"""Planned rays of a herd, gathered into one batch, and their answers, spread over their slots."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import HitRecord, RecordTable
from creature_sim.locomotion.rays import ONCE
from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel


@kernel
def gather(
    start: Floats,
    end: Floats,
    is_active: NDArray[np.int8],
    starts: Floats,
    ends: Floats,
    is_once: NDArray[np.bool_],
    count: int,
) -> int:
    """Copy the rays that are cast in this tick.

    Args:
        start: (N, Q, 3) [m, world].
        end: (N, Q, 3) [m, world].
        is_active: (N, Q) which are cast.
        starts: (R, 3) room for those of all herds; written.
        ends: (R, 3); written.
        is_once: (R,) which of them mean what they say where they miss; written.
        count: how many have been copied before.

    Returns:
        how many have been copied now.
    """
    for n in range(is_active.shape[0]):
        for q in range(is_active.shape[1]):
            if is_active[n, q]:
                is_once[count] = is_active[n, q] == ONCE
                for axis in range(3):
                    starts[count, axis] = start[n, q, axis]
                    ends[count, axis] = end[n, q, axis]
                count += 1
    return count


@kernel
def spread(
    is_active: NDArray[np.int8],
    starts: Floats,
    ends: Floats,
    fractions: Floats,
    normals: Floats,
    props: NDArray[np.int64],
    depths: Floats,
    first: int,
    hits: RecordTable[HitRecord],
) -> tuple[int, bool]:
    """Write what the rays found to their slots; those not cast keep what they found last.

    Zeros are written as positive ones, as a tick leaves them: nobody looks at them again for that.

    Args:
        is_active: (N, Q) which were cast.
        starts: (R, 3) of those of all herds [m, world].
        ends: (R, 3) [m, world].
        fractions: (R,) of each ray at which it hits.
        normals: (R, 3) there [world].
        props: (R,) that were hit; -1: the ground.
        depths: (R,) how deep each begins within a prop, which it does not see then: there is no
            room for a foot [m]; (0,) where there are no props.
        first: of the rays that are this herd's.
        hits: (N, Q); written.

    Returns:
        the first of the next herd, and whether all numbers are finite.
    """
    k, off = first, 0.0  # what is no number less itself is none either
    for n in range(is_active.shape[0]):
        for q in range(is_active.shape[1]):
            if is_active[n, q]:
                hit = hits[n, q]
                for axis in range(3):
                    line = ends[k, axis] - starts[k, axis]
                    point = starts[k, axis] + line * fractions[k] + 0.0
                    normal = normals[k, axis] + 0.0
                    hit.point[axis], hit.normal[axis] = point, normal
                    off += (point - point) + (normal - normal)
                is_inside = depths.size > 0 and depths[k] > 0.0
                hit.is_hit = fractions[k] < 1.0 and not is_inside
                hit.prop = props[k]
                k += 1
    return k, off == 0.0

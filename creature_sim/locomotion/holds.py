"""How wide ground is: feet of who climbs step onto nothing narrower than they hold.

Around each place that the rays of a leg found others go down beside it, half of that width away.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import NARROW, HitRecord, PlanRecord, Records, RecordTable
from creature_sim.locomotion.bends import BACK, LEAN, UP
from creature_sim.locomotion.groping import FAN
from creature_sim.locomotion.slots import bend_slot, foothold_slot
from creature_sim.maths import Floats, X, Y, along, cross, put, reject, unit, vec
from creature_sim.maths.jit import kernel

HALF_ROOT = sqrt(0.75)
BESIDE = (
    (1.0, 0.0), (0.5, HALF_ROOT), (-0.5, HALF_ROOT),
    (-1.0, 0.0), (-0.5, -HALF_ROOT), (0.5, -HALF_ROOT),
)  # fmt: skip
"""Directions of the rays around a place, along the ground there."""
BENT = (LEAN, BACK, UP)
"""Bent rays that find footholds."""
PLACES = 1 + len(BENT) + FAN
"""So many places may be found by one leg."""


@kernel
def place_found(
    segment_count: int,
    leg_count: int,
    is_active: NDArray[np.int64],
    hits: Records[HitRecord],
    row: int,
    fan_is_active: NDArray[np.int64],
    fans: RecordTable[HitRecord],
    i: int,
    k: int,
) -> tuple[bool, HitRecord]:
    """The `k`-th place that a leg of one creature may stand on, and whether it was found now.

    Args:
        segment_count: S.
        leg_count: L.
        is_active: (Q,) which rays were cast.
        hits: (Q,) what they found.
        row: of the leg's fan, see `Patches`.
        fan_is_active: (N L, R) which rays of fans were cast.
        fans: (N L, R) what they found.
        i: the leg.
        k: up to PLACES.
    """
    if k > len(BENT):
        at = k - 1 - len(BENT)
        hit = fans[max(row, 0), at]
        return row >= 0 and fan_is_active[max(row, 0), at] != 0 and hit.is_hit != 0, hit
    slot = foothold_slot(segment_count, i)
    if k > 0:
        slot = bend_slot(segment_count, leg_count, i) + BENT[k - 1]
    return is_active[slot] != 0 and hits[slot].is_hit != 0, hits[slot]


@kernel
def look_beside(
    plan: PlanRecord,
    segment_count: int,
    leg_count: int,
    is_active: NDArray[np.int64],
    hits: RecordTable[HitRecord],
    rows: NDArray[np.int64],
    fan_is_active: NDArray[np.int64],
    fans: RecordTable[HitRecord],
    starts: Floats,
    ends: Floats,
) -> int:
    """Write the rays around every place that was found in this tick.

    They begin above the ground by half of what a foot holds and end as far below it: round a pole
    that is as thick as that they just meet it.

    Args:
        plan: of the herd.
        segment_count: S.
        leg_count: L.
        is_active: (N, Q) which rays were cast.
        hits: (N, Q) what they found.
        rows: (N, L) see `Patches`: of who climbs they are fans.
        fan_is_active: (N L, R) which of their rays were cast.
        fans: (N L, R) what these found.
        starts: (N L PLACES len(BESIDE), 3) [m, world]; written as far as they are needed.
        ends: the same.

    Returns:
        how many of them are needed.
    """
    half, count = 0.5 * plan.hold, 0
    for n in range(hits.shape[0]):
        for i in range(leg_count):
            for k in range(PLACES):
                is_found, hit = place_found(
                    segment_count, leg_count, is_active[n], hits[n], rows[n, i],
                    fan_is_active, fans, i, k,
                )  # fmt: skip
                if not is_found:
                    continue
                point, normal = vec(hit.point), vec(hit.normal)
                one = unit(reject(X, normal), Y)
                other = cross(normal, one)
                for a, b in BESIDE:
                    beside = along(along(point, one, half * a), other, half * b)
                    put(starts[count], along(beside, normal, half))
                    put(ends[count], along(beside, normal, -half))
                    count += 1
    return count


@kernel
def mark_narrow(
    segment_count: int,
    leg_count: int,
    is_active: NDArray[np.int64],
    hits: RecordTable[HitRecord],
    rows: NDArray[np.int64],
    fan_is_active: NDArray[np.int64],
    fans: RecordTable[HitRecord],
    is_met: NDArray[np.bool_],
) -> None:
    """Mark places as too narrow to stand on where any of the rays around them found no ground.

    Args:
        segment_count: S.
        leg_count: L.
        is_active: (N, Q) which rays were cast.
        hits: (N, Q) what they found; changed.
        rows: (N, L) see `Patches`: of who climbs they are fans.
        fan_is_active: (N L, R) which of their rays were cast.
        fans: (N L, R) what these found; changed.
        is_met: (R,) which of the rays of `look_beside` hit.
    """
    count = 0
    for n in range(hits.shape[0]):
        for i in range(leg_count):
            for k in range(PLACES):
                is_found, hit = place_found(
                    segment_count, leg_count, is_active[n], hits[n], rows[n, i],
                    fan_is_active, fans, i, k,
                )  # fmt: skip
                if not is_found:
                    continue
                for _ in range(len(BESIDE)):
                    if not is_met[count]:
                        hit.is_hit = NARROW
                    count += 1

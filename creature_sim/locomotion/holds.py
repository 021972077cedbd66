"""How wide ground is: feet of who climbs step onto nothing narrower than they hold.

Around each place that the rays of a leg found others go down beside it, half of that width away.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import NARROW, HitRecord, PlanRecord, RecordTable
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
def list_places(
    segment_count: int,
    leg_count: int,
    is_active: NDArray[np.int8],
    hits: RecordTable[HitRecord],
    rows: NDArray[np.int64],
    fan_is_active: NDArray[np.int8],
    fans: RecordTable[HitRecord],
    places: NDArray[np.int64],
) -> int:
    """List every place that was found in this tick, and that a foot may stand on.

    Args:
        segment_count: S.
        leg_count: L.
        is_active: (N, Q) which rays were cast.
        hits: (N, Q) what they found.
        rows: (N, L) see `Patches`: of who climbs they are fans.
        fan_is_active: (N L, R) which of their rays were cast.
        fans: (N L, R) what these found.
        places: (N L PLACES, 3) room for them; written: whether a fan found it, and its row and
            column there, in `fans` or in `hits`.

    Returns:
        how many there are.
    """
    count = 0
    for n in range(hits.shape[0]):
        for i in range(leg_count):
            for k in range(1 + len(BENT)):
                slot = foothold_slot(segment_count, i)
                if k > 0:
                    slot = bend_slot(segment_count, leg_count, i) + BENT[k - 1]
                if is_active[n, slot] != 0 and hits[n, slot].is_hit != 0:
                    places[count, 0], places[count, 1], places[count, 2] = 0, n, slot
                    count += 1
            row = rows[n, i]
            if row < 0:
                continue
            for k in range(FAN):
                if fan_is_active[row, k] != 0 and fans[row, k].is_hit != 0:
                    places[count, 0], places[count, 1], places[count, 2] = 1, row, k
                    count += 1
    return count


@kernel
def look_beside(
    plan: PlanRecord,
    places: NDArray[np.int64],
    hits: RecordTable[HitRecord],
    fans: RecordTable[HitRecord],
    starts: Floats,
    ends: Floats,
) -> None:
    """Write the rays around places.

    They begin half a `hold` above the ground and end as far below it. So they just meet a pole that
    is one `hold` thick.

    Args:
        plan: of the herd.
        places: (K, 3) see `list_places`.
        hits: (N, Q) what rays found.
        fans: (N L, R) what those of fans did.
        starts: (K len(BESIDE), 3) [m, world]; written.
        ends: the same.
    """
    half, count = 0.5 * plan.hold, 0
    for is_fans, row, column in places:
        hit = fans[row, column] if is_fans else hits[row, column]
        point, normal = vec(hit.point), vec(hit.normal)
        one = unit(reject(X, normal), Y)
        other = cross(normal, one)
        for a, b in BESIDE:
            beside = along(along(point, one, half * a), other, half * b)
            put(starts[count], along(beside, normal, half))
            put(ends[count], along(beside, normal, -half))
            count += 1


@kernel
def mark_narrow(
    places: NDArray[np.int64],
    hits: RecordTable[HitRecord],
    fans: RecordTable[HitRecord],
    is_met: NDArray[np.bool_],
) -> None:
    """Mark places as too narrow to stand on where any of the rays around them found no ground.

    Args:
        places: (K, 3) see `list_places`.
        hits: (N, Q) what rays found; changed.
        fans: (N L, R) what those of fans did; changed.
        is_met: (K len(BESIDE),) which of the rays of `look_beside` hit.
    """
    for k in range(places.shape[0]):
        for j in range(len(BESIDE)):
            if not is_met[len(BESIDE) * k + j]:
                if places[k, 0]:
                    fans[places[k, 1], places[k, 2]].is_hit = NARROW
                else:
                    hits[places[k, 1], places[k, 2]].is_hit = NARROW

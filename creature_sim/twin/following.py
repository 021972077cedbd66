"""The walk goes on from where its twin is, not from where it should be."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    STANDING,
    UPRIGHT,
    WALKING,
    BodyRecord,
    FlightRecord,
    FootRecord,
    GravityRecord,
    Records,
    RecordTable,
    TwinRecord,
)
from creature_sim.locomotion.gravity import up_at
from creature_sim.maths import (
    Floats,
    Vec,
    X,
    add,
    along,
    atan2,
    cross,
    dot,
    put,
    put_quat,
    quat,
    quat_about,
    quat_conjugate,
    quat_from_axes,
    quat_multiply,
    quat_unit,
    reject,
    rotate,
    scale,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel
from creature_sim.twin.righting import how_it_fell

FOLLOWS = 0.5
"""A planned body goes this fraction of the way to where its twin is, in each tick."""
STEPS = 0.3
"""A foot that stands is taken this fraction of the way to where its twin's is."""


@kernel
def follow_all(
    bases: Records[TwinRecord],
    flights: Records[FlightRecord],
    trunks: RecordTable[BodyRecord],
    feet: RecordTable[FootRecord],
    gravity: GravityRecord,
    tips: Floats,
    contacts: NDArray[np.int64],
    dt: float,
) -> NDArray[np.int64]:
    """Bring plans of N twins nearer to those that stand, and say which of them have fallen now.

    Args:
        bases: (N,) of the twins; written, and so are trunks and feet.
        flights: (N,) of their walks.
        trunks: (N, S) where they are planned.
        feet: (N, L).
        gravity: the field.
        tips: (N, L, 3) [m, world].
        contacts: (N, L) whether they touch anything.
        dt: length of a tick [s].

    Returns:
        (N,) how each fell: an index of FALLS_OF_TWINS; 0: it has not, or lay already.
    """
    falls = np.zeros(bases.shape[0], np.int64)
    for n in range(bases.shape[0]):
        if bases[n].stage == UPRIGHT:
            up = up_at(gravity, vec(bases[n].position))
            falls[n] = how_it_fell(bases[n], up, flights[n].stage == WALKING, dt)
            if not falls[n]:
                follow(bases[n], trunks[n], feet[n], gravity, tips[n], contacts[n])
    return falls


@kernel
def follow(
    base: TwinRecord,
    trunk: Records[BodyRecord],
    feet: Records[FootRecord],
    gravity: GravityRecord,
    tips: Floats,
    contacts: NDArray[np.int64],
) -> None:
    """Bring a planned body, and feet that stand, nearer to those of a twin.

    Height and tilt stay as they are planned: they count from the feet.

    Args:
        base: of the twin, and where its walk wanted it; that is written.
        trunk: (S,) where it is planned; written.
        feet: (L,); written.
        gravity: the field.
        tips: (L, 3) of the twin [m, world].
        contacts: (L,) whether they touch anything.
    """
    up = up_at(gravity, vec(base.position))
    away = sub(vec(base.position), vec(base.goal_position))
    shift = scale(reject(away, up), FOLLOWS)
    x, y, z, w = quat_multiply(quat(base.orientation), quat_conjugate(quat(base.goal_orientation)))
    sign = 1.0 if w >= 0.0 else -1.0  # of the shorter turn
    yaw = 2.0 * atan2(sign * dot((x, y, z), up), sign * w)
    turned = quat_about(up, FOLLOWS * yaw)
    middle = vec(trunk[0].position)
    for s in range(trunk.shape[0]):
        arm = rotate(turned, sub(vec(trunk[s].position), middle))
        put(trunk[s].position, add(add(middle, arm), shift))
        put_quat(trunk[s].orientation, quat_multiply(turned, quat(trunk[s].orientation)))
    put(base.goal_position, add(vec(base.goal_position), shift))  # it goes no faster for that
    put_quat(base.goal_orientation, quat_multiply(turned, quat(base.goal_orientation)))
    for i in range(feet.shape[0]):
        foot = feet[i]
        if foot.phase == STANDING and contacts[i]:
            there = along(vec(foot.goal), sub(vec(tips[i]), vec(foot.goal)), STEPS)
            put(foot.goal, there)
            put(foot.position, there)
            put(foot.track, there)


@kernel
def stand_over(
    base: TwinRecord, trunk: Records[BodyRecord], ground: Vec, up: Vec, height: float
) -> None:
    """Plan a body level over a point of the ground, with the heading of its twin.

    Args:
        base: of the twin.
        trunk: (S,) where the body is planned; written.
        ground: [m, world].
        up: of it [world].
        height: of its centre over the ground [m].
    """
    ahead = rotate(quat(base.orientation), X)
    ahead = unit(reject(ahead, up), reject(rotate(quat(base.goal_orientation), X), up))
    wanted = quat_from_axes(ahead, cross(up, ahead), up)
    turn = quat_multiply(wanted, quat_conjugate(quat(trunk[0].orientation)))
    middle = vec(trunk[0].position)
    for s in range(trunk.shape[0]):
        arm = rotate(turn, sub(vec(trunk[s].position), middle))
        put(trunk[s].position, add(along(ground, up, height), arm))
        put_quat(trunk[s].orientation, quat_unit(quat_multiply(turn, quat(trunk[s].orientation))))
        put(trunk[s].velocity, (0.0, 0.0, 0.0))
        trunk[s].yaw_rate = 0.0

"""What twins shall do in a tick: what their walks want, and how hard their feet shall press."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    FLYING,
    STANDING,
    UPRIGHT,
    BodyRecord,
    FootRecord,
    Records,
    RecordTable,
    TwinRecord,
)
from creature_sim.maths import Floats, add, put, put_quat, quat, scale, sub, vec
from creature_sim.maths.jit import kernel
from creature_sim.twin.links import Feet, Hinges, Links

LEAST_LOAD = 0.02
"""A foot that stands carries at least so much."""
FEELS = 0.1
"""One that stands and touches nothing presses with this fraction, until it does."""
COMES_DOWN = 0.5
"""A foot in the air comes down from this fraction of its swing on."""


class Orders(NamedTuple):
    """What N twins of a herd shall do in a tick: a row for each.

    Attributes:
        bases: (N,) their states, and where their walks want their bases at the end of the tick.
        old_positions: (N, 3) where these should be at the end of the last one [m, world].
        old_orientations: (N, 4) the same.
        is_stiff: (N,) whether events ask for the angles of their hinges.
        hinges: arrays are (N, A).
        feet: arrays are (N, P) and (N, P, 3).
    """

    bases: Records[TwinRecord]
    old_positions: Floats
    old_orientations: Floats
    is_stiff: NDArray[np.bool_]
    hinges: Hinges
    feet: Feet


@kernel
def give_orders(
    links: Links,
    orders: Orders,
    trunks: RecordTable[BodyRecord],
    feet: RecordTable[FootRecord],
    contacts: NDArray[np.int64],
    dt: float,
) -> None:
    """Begin a tick: say where N twins shall be at its end, and how hard feet press; take pushes.

    Args:
        links: of the twins.
        orders: for them; all but their hinges is written.
        trunks: (N, S) where they are planned.
        feet: (N, L) of their walks.
        contacts: (N, L) whether they touch anything.
        dt: length of a tick [s].
    """
    for n in range(trunks.shape[0]):
        _take_goal(orders, n, trunks[n, 0], dt)
        for p in range(links.owner.shape[0]):
            leg = links.owner[p]
            foot = feet[n, leg]
            put(orders.feet.normals[n, p], vec(foot.goal_normal))
            put(orders.feet.drifts[n, p], scale(vec(foot.drift), 1.0 / dt))
            load = load_of(foot, bool(contacts[n, leg]), orders.bases[n].stage == UPRIGHT)
            orders.feet.loads[n, p] = 0.0 if orders.is_stiff[n] else load  # springs alone carry it


@kernel
def load_of(foot: FootRecord, touches: bool, is_up: bool) -> float:
    """How much a foot shall carry, 0 to 1.

    One that comes down and touches the ground before its time carries at once: where a body tips
    over a foot in the air, it is this one that can hold it.

    Args:
        foot: of the walk.
        touches: whether it touches anything.
        is_up: whether its twin is upright: feet of one that lies fold, and push it over.
    """
    if foot.phase == FLYING and foot.elapsed > COMES_DOWN and touches and is_up:
        return 1.0
    if foot.phase != STANDING:
        return 0.0
    load = max(foot.load, LEAST_LOAD)
    return float(load if touches else FEELS * load)


@kernel
def _take_goal(orders: Orders, n: int, body: BodyRecord, dt: float) -> None:
    """Take where the first segment of a twin is planned, and a push."""
    base = orders.bases[n]
    put(orders.old_positions[n], vec(base.goal_position))
    put_quat(orders.old_orientations[n], quat(base.goal_orientation))
    goes = scale(sub(vec(body.position), vec(base.goal_position)), 1.0 / dt)
    put(base.goal_velocity, goes)
    put(base.goal_position, vec(body.position))
    put_quat(base.goal_orientation, quat(body.orientation))
    put(base.velocity, add(vec(base.velocity), vec(base.blow)))
    put(base.blow, (0.0, 0.0, 0.0))
    base.work = base.strain = 0.0


def room_for(
    bases: Records[TwinRecord], is_stiff: NDArray[np.bool_], hinges: Hinges, points: int
) -> Orders:
    """Orders for N twins that press with so many points, not yet given."""
    count = len(bases)
    normals, drifts, forces = (np.zeros((count, points, 3)) for _ in range(3))
    feet = Feet(normals, drifts, np.empty((count, points)), forces)
    return Orders(bases, np.empty((count, 3)), np.empty((count, 4)), is_stiff, hinges, feet)

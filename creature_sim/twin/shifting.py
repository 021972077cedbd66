"""Goals of hinges that move because the walk goes on from where its twin is."""

import numpy as np

from creature_sim.components import BY_WALK, UPRIGHT, FootRecord, Records, RecordTable, TwinRecord
from creature_sim.maths import (
    Floats,
    add,
    cross,
    put,
    quat,
    scale,
    sub,
    turn_between,
    vec,
)
from creature_sim.maths.jit import kernel
from creature_sim.twin.catching import STILL, sole_length, turn_hinges_by
from creature_sim.twin.links import Links
from creature_sim.twin.motion import Motion, move_base, move_links, tip_of


@kernel
def shift_goals(
    links: Links,
    motion: Motion,
    bases: Records[TwinRecord],
    feet: RecordTable[FootRecord],
    places: Floats,
    turns: Floats,
    points: Floats,
    goals: Floats,
) -> None:
    """Turn the old goals of N twins to where bodies and feet are planned anew, as by a jump.

    What goals move by in a tick is taken for their rate, which motors follow. A plan that was drawn
    to its twin does not go there, so its hinges must go no faster for that: they would push feet
    on that slip, and bodies that fall.

    Args:
        links: of the twins.
        motion: room; written.
        bases: (N,) of them, with where their walks want them now.
        feet: (N, L) of their walks, now.
        places: (N, 3) where walks wanted bases before [m, world].
        turns: (N, 4) the same, xyzw.
        points: (N, L, 3) where feet had their goals [m, world].
        goals: (N, A) of hinges; written [rad].
    """
    for n in range(bases.shape[0]):
        if bases[n].stage != UPRIGHT or bases[n].led != BY_WALK:
            continue
        place, before = vec(places[n]), quat(turns[n])
        move_base(motion, links, place, before, STILL, STILL)
        move_links(motion, links, goals[n], goals[n])
        shift = sub(vec(bases[n].goal_position), place)
        turn = turn_between(before, quat(bases[n].goal_orientation))
        wanted = np.empty(6)
        for i in range(feet.shape[1]):
            tip, length = tip_of(motion, links, i), sole_length(links, i)
            body = add(shift, cross(turn, sub(tip, place)))
            put(wanted[:3], sub(sub(vec(feet[n, i].goal), vec(points[n, i])), body))
            put(wanted[3:], scale(turn, -length))
            turn_hinges_by(links, motion, i, tip, length, wanted, goals[n])

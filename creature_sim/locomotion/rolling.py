"""Soles that roll over the ground: heels touch first, soles come flat, heels lift before toes do.

How far a sole that stands is pitched follows from where it is along its stroke: toes are up at the
end ahead of home, heels at the one behind it. So who goes backwards steps on its toes first. In the
air a sole turns to how it will land. It turns about its heel or its toe, and that end stays where
it would be were the sole flat.
"""

from math import sqrt

from creature_sim.components import (
    LOST,
    STANDING,
    BodyRecord,
    FootRecord,
    GaitRecord,
    LegRecord,
    PlanRecord,
)
from creature_sim.locomotion.headings import turn_left
from creature_sim.locomotion.hips import swings
from creature_sim.locomotion.plainness import walks_on_plain
from creature_sim.locomotion.prediction import home_of, travel
from creature_sim.locomotion.reach import swing_at
from creature_sim.locomotion.soles import level_toes, turned_up
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.maths import (
    Quat,
    X,
    Y,
    add,
    clamp,
    cross,
    distance,
    dot,
    quat,
    rotate,
    smoothstep,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

STRIKE, FLAT = 0.45, 0.5
"""Toes come down from a stroke's beginning until this fraction of half of it ahead of home, by this
times what is left of that half [rad]..."""
HEEL_OFF, LEAVES = 0.6, 0.2
"""...and heels rise by this times the rest from this fraction behind home on..."""
PASSES = 0.45
"""...and no sooner than this part of what is between toe and ankle is behind home; heels likewise:
a sole stands on its end only where the body is over that, or soon will be."""
FULL = 0.2
"""So they are where half of a stroke is this fraction of the reach, or more; else the less."""
STROLL = 0.4
"""Soles roll fully from this pace on, times the square root of the reach [m^0.5/s]."""
SWIFTEST, SWIFTER = 2.6, 4.7
"""A sole turns and rolls no faster than this, both together; than the second one if it turns faster
anyway [rad/s]."""


@kernel
def roll_on(
    plan: PlanRecord,
    gait: GaitRecord,
    body: BodyRecord,
    leg: LegRecord,
    foot: FootRecord,
    last: Quat,
    dt: float,
) -> None:
    """Roll a sole on by a tick.

    Args:
        plan: the creature's.
        gait: of its creature.
        body: its segment.
        leg: of the plan.
        foot: its roll is written.
        last: how the sole lay [world].
        dt: length of a tick [s].
    """
    wanted = roll_for(plan, gait, body, leg, foot)
    if foot.roll == wanted:
        return
    turn = wanted - foot.roll
    if foot.phase != STANDING and foot.phase != LOST:
        elapsed = max(0.0, foot.elapsed - foot.rate * dt)
        turn *= 1.0 - turn_left(foot.elapsed) / turn_left(elapsed)
    ahead, up = turned_up(foot)
    aside = distance(cross(up, ahead), rotate(last, Y))
    most = (SWIFTEST if aside < SWIFTEST * dt else SWIFTER) * dt
    most = sqrt(max(0.0, most * most - aside * aside))
    down = dot(rotate(last, X), up)  # by which it turns as it is
    before, swing = foot.roll, swing_of(leg, body, foot)
    foot.roll += clamp(turn, min(0.0, down - most), max(0.0, down + most))
    if swing_of(leg, body, foot) > max(1.0, swing):
        foot.roll = before


@kernel
def swing_of(leg: LegRecord, body: BodyRecord, foot: FootRecord) -> float:
    """How far a hip swings over how far it may, where that is known."""
    position, orientation = vec(body.position), quat(body.orientation)
    return swing_at(leg, position, orientation, foot) if swings(leg) else 0.0


@kernel
def roll_for(
    plan: PlanRecord, gait: GaitRecord, body: BodyRecord, leg: LegRecord, foot: FootRecord
) -> float:
    """How far a sole should be pitched, toes up, as it stands or as it lands [rad].

    Not where the ground is not plain: it might stand on an edge.
    """
    if foot.phase == LOST or not walks_on_plain(gait):
        return 0.0
    position, orientation = vec(body.position), quat(body.orientation)
    place, home = vec(foot.position), home_of(gait, leg)
    if foot.phase != STANDING:
        place = vec(foot.goal)
        home = add(home, travel(body, leg, seconds_to_touchdown(plan, gait, foot)))
    x, y, _ = sub(unrotate(orientation, sub(place, position)), home)
    toes = unrotate(orientation, level_toes(foot))
    half = 0.5 * gait.stroke
    at = (toes[0] * x + toes[1] * y) / half
    up = STRIKE * risen(at, max(FLAT, PASSES * leg.heel / half))
    down = HEEL_OFF * risen(-at, max(LEAVES, PASSES * leg.toe / half))
    walks = smoothstep(min(1.0, gait.pace / (STROLL * sqrt(leg.reach))))
    return float((up - down) * walks * min(1.0, half / (FULL * leg.reach)))


@kernel
def risen(at: float, begins: float) -> float:
    """How far an end of a sole has come up so far along half of a stroke, over what is left of it.

    Args:
        at: how far along.
        begins: where it begins to rise.
    """
    left = 1.0 - begins
    return left * smoothstep(clamp((at - begins) / left, 0.0, 1.0)) if left > 0.0 else 0.0

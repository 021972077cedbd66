"""Where toes point: feet in the air turn to where their body will face; and climbers' soles.

Climbers' soles turn by half a turn and more at edges, and their toes turn with them. If toes kept
their direction, they would flip as the sole comes to face that way.
"""

from creature_sim.components import FootRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.hips import swings, twists
from creature_sim.locomotion.prediction import lead_time
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.maths import (
    PI,
    Vec,
    add,
    angle_between,
    any_normal,
    atan2,
    clamp,
    cross,
    dot,
    put,
    quat,
    quat_about,
    reject,
    rotate,
    scale,
    sin_cos,
    smoothstep,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

HEADING_RATE = 2.4
"""A foot in the air turns towards where its body will look no faster than this [rad/s]..."""
TWIST_RATE = 4.5
"""...and one whose hip would else twist too far no faster than this."""
LIES = 1e-6
"""A sole lies on the ground if it is turned by less than this [rad]."""
TWIST = 0.6
"""It lands turned against its body by this fraction of what its hip twists at most."""


@kernel
def heading_ahead(creature: Creature, i: int) -> Vec:
    """Where a body will look in the middle of the stance that a foot flies to [world].

    No farther from where it looks at touchdown than the hip likes to twist.
    """
    plan, gait, leg = creature.plan, creature.gait, creature.legs[i]
    body = creature.trunk[leg.segment]
    seconds = seconds_to_touchdown(plan, gait, creature.feet[i])
    stance = body.yaw_rate * lead_time(plan, gait, body, leg)
    if swings(leg):
        right, left = twists(leg)
        stance = clamp(stance, -TWIST * right, TWIST * left)
    sine, cosine = sin_cos(clamp(body.yaw_rate * seconds + stance, -PI, PI))
    return rotate(quat(body.orientation), (cosine, sine, 0.0))


@kernel
def turn_toes(
    creature: Creature, i: int, up: Vec, ahead: Vec, left: float, most: float, dt: float
) -> None:
    """Turn the toes of a foot that has just moved on towards where it shall look.

    Args:
        creature: whose foot it is; its heading is written.
        i: the leg.
        up: of its segment.
        ahead: where it shall look [world].
        left: fraction of its swing's time that was left before.
        most: by how much they may turn in this tick, at most [rad].
        dt: [s].
    """
    leg, foot = creature.legs[i], creature.feet[i]
    fraction = 1.0 - turn_left(foot.elapsed) / turn_left(1.0 - left)
    farthest = min((TWIST_RATE if swings(leg) else HEADING_RATE) * dt, most)
    axis = up if leg.ankle > 0.0 else vec(foot.normal)
    put(foot.heading, turned_heading(vec(foot.heading), axis, ahead, fraction, farthest))


@kernel
def turn_left(elapsed: float) -> float:
    """Fraction of its turn that a foot still has to do after a fraction of its swing's time."""
    return max(1.0 - smoothstep(elapsed), 1e-9)


@kernel
def turned_heading(heading: Vec, axis: Vec, ahead: Vec, fraction: float, farthest: float) -> Vec:
    """A foot's heading turned a fraction of the way to another one, by `farthest` [rad] at most.

    It turns about an axis, the shorter way round: a foot without an ankle about its own normal, as
    it is drawn, and one with an ankle about the body's up, since its knee points there too.
    """
    level = unit(reject(heading, axis), ahead)
    aside = cross(axis, level)
    angle = fraction * atan2(dot(ahead, aside), dot(ahead, level))
    sine, cosine = sin_cos(clamp(angle, -farthest, farthest))
    return add(scale(level, cosine), scale(aside, sine))


@kernel
def turn_sole(foot: FootRecord, fraction: float, farthest: float) -> float:
    """Turn a sole a fraction of the way onto the ground of its goal, its toes with it.

    Args:
        foot: of who climbs; its normal and heading are written.
        fraction: of the way.
        farthest: that it turns [rad].

    Returns:
        the angle that it has turned [rad].
    """
    normal, flat = vec(foot.normal), vec(foot.goal_normal)
    tilt = angle_between(normal, flat)
    if tilt < LIES:
        put(foot.normal, flat)
        return 0.0
    axis = unit(cross(normal, flat), any_normal(normal))  # it may face the other way
    done = min(fraction * tilt, farthest)
    turn = quat_about(axis, done)
    put(foot.normal, unit(rotate(turn, normal), flat))
    put(foot.heading, rotate(turn, vec(foot.heading)))
    return done

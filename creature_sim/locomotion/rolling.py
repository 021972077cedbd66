"""Soles that roll over the ground: heels touch first, soles come flat, heels lift before toes do.

How far a sole is pitched follows from where its foot is along its stroke, standing or in the air:
so it is the same on both sides of a lift-off and of a touchdown at the ends of a stroke; elsewhere
it turns there in time. It turns about its heel or its toe, which stays where it would be were the
sole flat.
"""

from math import sqrt
from typing import NamedTuple

from creature_sim.components import STANDING, BodyRecord, FootRecord, GaitRecord, LegRecord
from creature_sim.locomotion.hips import swings
from creature_sim.locomotion.prediction import home_of
from creature_sim.maths import (
    Vec,
    add,
    along,
    clamp,
    dot,
    quat,
    reject,
    rotate,
    scale,
    sin_cos,
    smoothstep,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

HEEL_OFF = 0.55
"""At the end of a stroke the heel is up by this [rad]..."""
LEAVES = 0.33
"""...after it began to rise this fraction of half a stroke behind home."""
STRIKE = 0.28
"""At its beginning the toes are up by this [rad]..."""
FLAT = 0.75
"""...and down again this fraction of half a stroke ahead of home."""
FLIES_UP, FLIES_DOWN = -0.4, 0.6
"""In the air toes rise from so far along half a stroke on, and heels are up until there."""
FASTEST = 4.5
"""A sole rolls no faster than this [rad/s]."""
STROLL = 0.4
"""Soles roll fully from this pace on, times the square root of the reach [m^0.5/s]."""
SHORTEST = 0.1
"""Half of a stroke is taken for no less than this fraction of the reach."""


class Sole(NamedTuple):
    """Where the middle of a sole is [m, world], and its normal [world]."""

    middle: Vec
    normal: Vec


@kernel
def pitch_of(leg: LegRecord, gait: GaitRecord, body: BodyRecord, foot: FootRecord) -> float:
    """How far a sole is pitched, toes up [rad].

    Args:
        leg: of the plan.
        gait: of its creature.
        body: its segment.
        foot: its foot.
    """
    home = add(vec(body.position), rotate(quat(body.orientation), home_of(gait, leg)))
    ahead = unit(reject(vec(foot.heading), vec(foot.normal)), vec(foot.heading))
    half = max(0.5 * gait.stroke, SHORTEST * leg.reach)
    at = dot(sub(vec(foot.position), home), ahead) / half
    much = smoothstep(clamp(gait.pace / (STROLL * sqrt(leg.reach)), 0.0, 1.0))
    flat, leaves = FLAT, LEAVES
    if foot.phase != STANDING:
        flat, leaves = FLIES_UP, -FLIES_DOWN
    up = STRIKE * smoothstep(clamp((at - flat) / (1.0 - flat), 0.0, 1.0))
    down = HEEL_OFF * smoothstep(clamp((-at - leaves) / (1.0 - leaves), 0.0, 1.0))
    return much * (up - down)


@kernel
def rolled(leg: LegRecord, gait: GaitRecord, body: BodyRecord, foot: FootRecord, dt: float) -> Sole:
    """Roll a sole on by a tick of `dt` [s], and return it; other arguments are as of `pitch_of`."""
    middle, normal = vec(foot.position), vec(foot.normal)
    if leg.heel + leg.toe == 0.0 or not swings(leg):
        return Sole(middle, normal)
    most = FASTEST * dt
    foot.roll += clamp(pitch_of(leg, gait, body, foot) - foot.roll, -most, most)
    pitch = foot.roll
    if pitch == 0.0:
        return Sole(middle, normal)
    ahead = unit(reject(vec(foot.heading), normal), vec(foot.heading))
    sine, cosine = sin_cos(pitch)
    toes = add(scale(ahead, cosine), scale(normal, sine))
    end = -leg.heel if pitch > 0.0 else leg.toe
    turned = add(scale(normal, cosine), scale(ahead, -sine))
    return Sole(along(along(middle, ahead, end), toes, -end), turned)

"""The creature looks at a point or at another creature: with its head, then with its body."""

from creature_sim.components import (
    BodyPoseRecord,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    HeadRecord,
    LegRecord,
    LegTargetRecord,
    MotionRecord,
    PlanRecord,
    Records,
    RecordTable,
)
from creature_sim.definitions.motions import FORMS
from creature_sim.locomotion.heads import angles_to
from creature_sim.maths import clamp, put, vec
from creature_sim.maths.jit import kernel
from creature_sim.motions.motion import Motion

SHARE = 0.15
"""The body turns along by this fraction of what the neck could do alone."""
LARGEST_YAW, LARGEST_PITCH = 0.6, 0.4
"""Nor does it turn, or bow, farther than this [rad]."""


@kernel
def look(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    motions: Records[MotionRecord],
    poses: Records[BodyPoseRecord],
    heads: Records[HeadRecord],
    targets: RecordTable[LegTargetRecord],
    gravity: Records[GravityRecord],
    dt: float,
) -> None:
    """Turn the head, and the body as far as the neck does not go; arguments as of `Motion.move`."""
    for n in range(len(motions)):
        if not motions[n].is_on:
            continue
        point = vec(motions[n].point)
        put(heads[n].gaze, point)
        heads[n].is_gazing = 1
        yaw, pitch = angles_to(plan[0], bodies[n, 0], point)
        poses[n].asked_turn[1] += for_body(pitch, plan[0].neck_pitch, LARGEST_PITCH)
        poses[n].asked_turn[2] += for_body(yaw, plan[0].neck_yaw, LARGEST_YAW)


@kernel
def for_body(angle: float, neck: float, largest: float) -> float:
    """How much of an angle the body turns, where the neck turns as far as it does [rad]."""
    by_neck = clamp((1.0 - SHARE) * angle, -neck, neck)
    return clamp(angle - by_neck, -largest, largest)


LOOK = Motion("look", FORMS["look"], look)

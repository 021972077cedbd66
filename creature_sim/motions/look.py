"""The creature looks at a point or at another creature: with its head, then with its body."""

from creature_sim.definitions.motions import FORMS
from creature_sim.locomotion.heads import angles_to
from creature_sim.maths import clamp, put, vec
from creature_sim.maths.jit import kernel
from creature_sim.motions.motion import Actors, Motion

SHARE = 0.15
"""The body turns along by this fraction of what the neck could do alone."""
LARGEST_YAW, LARGEST_PITCH = 0.6, 0.4
"""Nor does it turn, or bow, farther than this [rad]."""


@kernel
def look(actors: Actors, dt: float) -> None:
    """Turn the head, and the body as far as the neck does not go."""
    plan = actors.plan[0]
    for n in range(len(actors.motions)):
        if not actors.motions[n].is_on:
            continue
        head, turn = actors.heads[n], actors.poses[n].asked_turn
        point = vec(actors.motions[n].point)
        put(head.gaze, point)
        head.is_gazing = 1
        yaw, pitch = angles_to(plan, actors.bodies[n, 0], point)
        turn[1] += for_body(pitch, plan.neck_pitch, LARGEST_PITCH)
        turn[2] += for_body(yaw, plan.neck_yaw, LARGEST_YAW)


@kernel
def for_body(angle: float, neck: float, largest: float) -> float:
    """How much of an angle the body turns, where the neck turns as far as it does [rad]."""
    by_neck = clamp((1.0 - SHARE) * angle, -neck, neck)
    return clamp(angle - by_neck, -largest, largest)


LOOK = Motion("look", FORMS["look"], look)

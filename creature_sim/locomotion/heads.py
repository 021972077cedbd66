"""Heads turn on their necks to what creatures look at, as far as those let them.

Where nothing is looked at, a head looks where its body will go: people turn theirs into a curve
before they walk it (Grasso et al. 1998, Imai et al. 2001).
"""

from math import sqrt

from creature_sim.components import (
    BodyRecord,
    GaitRecord,
    HeadRecord,
    PlanRecord,
    Records,
    RecordTable,
)
from creature_sim.maths import Vec, add, atan2, clamp, quat, rotate, spring, sub, unrotate, vec
from creature_sim.maths.jit import kernel

STIFFNESS = 16.0
"""Of the critically damped spring that turns a head [1/s]."""
FORESEES = 0.4
"""Where nothing is looked at, a head looks so far ahead into a turn that is asked for [s]..."""
EASY = 0.6
"""...at most by this fraction of what its neck can do."""
BACK = 1e-6
"""A head that is nearer to straight ahead, and slower, looks there [rad, rad/s]."""


@kernel
def angles_to(plan: PlanRecord, body: BodyRecord, point: Vec) -> tuple[float, float]:
    """Yaw and pitch [rad, body] at which a head looks at a point [m, world]; up is negative."""
    orientation = quat(body.orientation)
    neck = add(vec(body.position), rotate(orientation, vec(plan.neck)))
    x, y, z = unrotate(orientation, sub(point, neck))
    return atan2(y, x), -atan2(z, sqrt(x * x + y * y))


@kernel
def into_turn(plan: PlanRecord, body: BodyRecord, gait: GaitRecord) -> float:
    """Yaw at which a head looks into a turn that is asked for [rad]; none going backwards."""
    if gait.leader > 0 or body.velocity[0] < 0.0:
        return 0.0
    most = EASY * plan.neck_yaw
    return clamp(FORESEES * (gait.turning + body.yaw_rate), -most, most)


@kernel
def turn_heads(
    plan: Records[PlanRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    heads: Records[HeadRecord],
    dt: float,
) -> None:
    """Turn heads towards what they look at, or back to straight ahead.

    Args:
        plan: (1,).
        bodies: (N, S), as they are carried.
        gaits: (N,).
        heads: (N,); written.
        dt: length of a tick [s].
    """
    for n in range(len(heads)):
        head = heads[n]
        yaw = pitch = 0.0
        if head.is_gazing:
            yaw, pitch = angles_to(plan[0], bodies[n, 0], vec(head.gaze))
        else:
            yaw = into_turn(plan[0], bodies[n, 0], gaits[n])
            if yaw == 0.0 and head.yaw == 0.0 and head.pitch == 0.0:
                continue
        yaw = clamp(yaw, -plan[0].neck_yaw, plan[0].neck_yaw)
        pitch = clamp(pitch, -plan[0].neck_pitch, plan[0].neck_pitch)
        off, head.yaw_rate = spring(head.yaw - yaw, head.yaw_rate, dt, STIFFNESS)
        head.yaw = clamp(yaw + off, -plan[0].neck_yaw, plan[0].neck_yaw)
        off, head.pitch_rate = spring(head.pitch - pitch, head.pitch_rate, dt, STIFFNESS)
        head.pitch = clamp(pitch + off, -plan[0].neck_pitch, plan[0].neck_pitch)
        left = max(abs(head.yaw), abs(head.pitch), abs(head.yaw_rate), abs(head.pitch_rate))
        if not head.is_gazing and yaw == 0.0 and left < BACK:
            head.yaw = head.pitch = head.yaw_rate = head.pitch_rate = 0.0

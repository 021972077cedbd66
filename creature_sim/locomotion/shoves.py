"""Something pushes a body: it leans into what is little, and is carried along by what is more."""

from math import sqrt

from creature_sim.components import (
    BodyRecord,
    GaitRecord,
    GravityRecord,
    PlanRecord,
    Records,
    SuspensionRecord,
)
from creature_sim.locomotion.capture import pendulum_rate
from creature_sim.locomotion.creature import Creature
from creature_sim.maths import Vec, add, dot, norm, put, quat, rotate, scale, sub, unrotate, vec
from creature_sim.maths.jit import kernel

LEANS = 0.2
"""A body leans into a push up to this fraction of the root of g and its reach, without a step."""
TIPS = 1.0
"""It tips over its feet at this fraction of the speed that a stiff pendulum would have."""
LAPSES = 0.25
"""Where it cannot go, a push is over in so many times the time that it would take: 1 over this."""


@kernel
def push(
    plan: PlanRecord,
    trunk: Records[BodyRecord],
    gait: GaitRecord,
    hung: Records[SuspensionRecord],
    gravity: GravityRecord,
    velocity: Vec,
) -> None:
    """Add to the velocity of a body what of a push is along its surface.

    The springs of its legs take what they can, and it leans. The rest it walks off, up to where the
    capture point is: v / w ahead, with w the rate of the pendulum on its feet (Pratt et al. 2006).

    Args:
        plan: numbers of the body plan.
        trunk: (S,); velocities are written.
        gait: how it walks; written.
        hung: (S,) how the trunk hangs on its legs; written.
        gravity: the field.
        velocity: that is added [m/s, world].
    """
    leans = LEANS * sqrt(gravity.acceleration * plan.reach) * min(1.0, plan.weight)
    for s in range(trunk.shape[0]):
        x, y, _ = unrotate(quat(trunk[s].orientation), velocity)
        size = sqrt(x * x + y * y)
        taken = min(1.0, leans / max(size, 1e-9))
        rate, spin = hung[s].rate, hung[s].spin
        put(rate, add(vec(rate), (taken * x, taken * y, 0.0)))
        over = TIPS * taken / plan.ride_height
        put(spin, add(vec(spin), (-over * y, over * x, 0.0)))
        left = (1.0 - taken) * x, (1.0 - taken) * y, 0.0
        put(trunk[s].velocity, add(vec(trunk[s].velocity), left))
        if s == gait.leader:
            carried = rotate(quat(trunk[s].orientation), left)
            carried = scale(carried, 1.0 / pendulum_rate(gravity, gait))
            put(gait.thrown, add(vec(gait.thrown), carried))


@kernel
def stumble(
    creature: Creature, x: float, y: float, yaw_rate: float, dt: float
) -> tuple[float, float, float]:
    """Velocity [m/s, segment] and yaw rate [rad/s] that a body goes for: on, while a push lasts.

    Args:
        creature: whose body it is.
        x: velocity forward that it is told.
        y: to the left.
        yaw_rate: that it is told.
        dt: length of a tick [s].
    """
    plan, gait = creature.plan, creature.gait
    thrown = vec(gait.thrown)
    if dot(thrown, thrown) == 0.0:
        return x, y, yaw_rate
    body = creature.trunk[gait.leader]
    ahead, aside, _ = unrotate(quat(body.orientation), thrown)
    left = sqrt(ahead * ahead + aside * aside)
    top = max(plan.speed, plan.strafe_speed)
    if left <= 0.5 * top * top / plan.acceleration:  # in which it stops
        put(gait.thrown, (0.0, 0.0, 0.0))
        return x, y, yaw_rate
    ahead, aside = ahead / left, aside / left
    goes = max(LAPSES * top, body.velocity[0] * ahead + body.velocity[1] * aside)
    put(gait.thrown, sub(thrown, scale(thrown, min(1.0, goes * dt / norm(thrown)))))
    return top * ahead, top * aside, 0.0

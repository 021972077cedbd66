"""Something pushes a body: it leans into what is little, and is carried along by what is more."""

from math import sqrt

from creature_sim.components import (
    BodyRecord,
    GaitRecord,
    GravityRecord,
    PlanRecord,
    Records,
    SegmentRecord,
    SuspensionRecord,
)
from creature_sim.locomotion.capture import pendulum_rate
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.swing import HASTE, PATIENT
from creature_sim.maths import (
    Vec,
    add,
    approach,
    clamp,
    dot,
    norm,
    put,
    quat,
    rotate,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

LEANS = 0.2
"""A body leans into a push up to this fraction of the root of g and its reach, without a step."""
TIPS = 1.0
"""It tips over its feet at this fraction of the speed that a stiff pendulum would have."""
OVER = 0.05
"""A push is over once it asks for less than this fraction of a body's speed."""
LAPSES = 0.25
"""Where it cannot go, a push is over in so many times the time that it would take: 1 over this."""
STUMBLES, FULLY = 0.9, 1.8
"""A body stumbles while what is left of a push is more than that of one with this multiple of the
root of g and its reach..."""
TAKES, RECOVERS = 0.2, 0.25
"""...and begins and ends to do so with these time constants [s]."""
TOPPLES = 0.22
"""It topples ahead of its feet by this angle [rad]..."""
DIPS = 0.22
"""...and dips by this fraction of its height, as feet spread."""
FAINT = 0.01
"""Who stumbles less walks."""


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

    The springs of its legs take what they can, and it leans; a hard push knocks it farther aside.
    The rest of its energy carries it to where the capture point is: v / w ahead, with w the rate
    of the pendulum on its feet (Pratt et al. 2006).

    Args:
        plan: numbers of the body plan.
        trunk: (S,); velocities are written.
        gait: how it walks; written.
        hung: (S,) how the trunk hangs on its legs; written.
        gravity: the field.
        velocity: that is added [m/s, world].
    """
    unit_speed = sqrt(gravity.acceleration * plan.reach)
    leans = LEANS * unit_speed * min(1.0, plan.weight)
    for s in range(trunk.shape[0]):
        x, y, _ = unrotate(quat(trunk[s].orientation), velocity)
        size = sqrt(x * x + y * y)
        taken = min(1.0, leans / max(size, 1e-9))
        rate, spin = hung[s].rate, hung[s].spin
        beyond = clamp((size / unit_speed - STUMBLES) / (FULLY - STUMBLES), 0.0, 1.0)
        knocked = taken * (1.0 + beyond)
        put(rate, add(vec(rate), (knocked * x, knocked * y, 0.0)))
        over = TIPS * taken / plan.ride_height
        put(spin, add(vec(spin), (-over * y, over * x, 0.0)))
        rest = sqrt(1.0 - taken * taken)
        left = rest * x, rest * y, 0.0
        put(trunk[s].velocity, add(vec(trunk[s].velocity), left))
        if s == gait.leader:
            carried = rotate(quat(trunk[s].orientation), left)
            carried = scale(carried, 1.0 / pendulum_rate(gravity, gait))
            put(gait.thrown, add(vec(gait.thrown), carried))


@kernel
def toppling(
    plan: PlanRecord, gait: GaitRecord, body: BodyRecord, segment: SegmentRecord, count: int
) -> tuple[Vec, Vec]:
    """Where a segment would be that stumbles: shift [m] and rotation vector [rad], both [segment].

    It comes no nearer to the ground than where it has a quarter of its room left. The more segments
    a trunk has, the less each topples.
    """
    if gait.stumble == 0.0:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    x, y, _ = unit(unrotate(quat(body.orientation), vec(gait.thrown)), (0.0, 0.0, 0.0))
    much = gait.stumble * min(1.0, plan.weight)
    low = DIPS * plan.ride_height
    room = 0.75 * (plan.ride_height - segment.top) - low
    extent = abs(x) * max(abs(segment.front), abs(segment.rear)) + abs(y) * segment.side
    angle = clamp(room / max(extent, 1e-6), 0.0, TOPPLES) / count
    return (0.0, 0.0, -much * low), (-y * much * angle, x * much * angle, 0.0)


@kernel
def stumble(
    creature: Creature, gravity: GravityRecord, x: float, y: float, yaw_rate: float, dt: float
) -> tuple[float, float, float]:
    """Velocity [m/s, segment] and yaw rate [rad/s] that a body goes for: on, while a push lasts.

    With feet that step to the capture point, a distance x ahead, it goes at w x, like a pendulum
    that comes to rest above them, and no faster than its feet can hurry. Its own brakes stop it
    over the last 2 a / w^2, where they are as strong.

    Args:
        creature: whose body it is; gets that velocity.
        gravity: the field.
        x: velocity forward that it is told.
        y: to the left.
        yaw_rate: that it is told.
        dt: length of a tick [s].
    """
    plan, gait = creature.plan, creature.gait
    if gait.flight:
        put(gait.thrown, (0.0, 0.0, 0.0))
    thrown = vec(gait.thrown)
    feel(creature, gravity, dt)
    if dot(thrown, thrown) == 0.0:
        return x, y, yaw_rate
    body, falls = creature.trunk[gait.leader], pendulum_rate(gravity, gait)
    ahead, aside, _ = unrotate(quat(body.orientation), thrown)
    left = sqrt(ahead * ahead + aside * aside)
    ahead, aside = ahead / max(left, 1e-9), aside / max(left, 1e-9)
    top, keeps = max(plan.speed, plan.strafe_speed), 1.0 - gait.stumble
    x, y = keeps * x, keeps * y
    told = x * ahead + y * aside
    own = max(0.0, told)  # what it would go that way anyhow
    went = body.velocity[0] * ahead + body.velocity[1] * aside
    spare = max(0.0, went - own)
    brakes = spare * spare / (2.0 * plan.acceleration)
    is_near = left <= 2.0 * plan.acceleration / (falls * falls)
    if (is_near and left <= brakes) or falls * left <= OVER * top:
        put(gait.thrown, (0.0, 0.0, 0.0))
        return x, y, yaw_rate
    most = (1.0 + HASTE) * top
    done = clamp(went - own, LAPSES * top, most) * dt
    put(gait.thrown, sub(thrown, scale(thrown, min(1.0, done / left))))
    gains = max(0.0, went) + PATIENT * plan.acceleration * dt
    goes = min(falls * left + own, most, gains)
    put(body.velocity, add(vec(body.velocity), scale((ahead, aside, 0.0), goes - went)))
    return x + (goes - told) * ahead, y + (goes - told) * aside, keeps * yaw_rate


@kernel
def feel(creature: Creature, gravity: GravityRecord, dt: float) -> None:
    """Let a body stumble while more of a push is left than its usual steps take: written."""
    plan, gait = creature.plan, creature.gait
    far = norm(vec(gait.thrown))
    if far == 0.0 and gait.stumble == 0.0:
        return
    unit_speed = sqrt(gravity.acceleration * plan.reach)
    beyond = far * pendulum_rate(gravity, gait) / unit_speed - STUMBLES
    wanted = clamp(beyond / (FULLY - STUMBLES), 0.0, 1.0)
    seconds = TAKES if wanted > gait.stumble else RECOVERS
    gait.stumble += approach(dt, seconds) * (wanted - gait.stumble)
    if wanted == 0.0 and gait.stumble < FAINT:
        gait.stumble = 0.0

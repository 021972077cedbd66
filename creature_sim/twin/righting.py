"""Twins that have fallen: when they have, and how they roll onto their bellies.

Legs reach over the back that a body lies on: those of one side push it up and over its other side,
and those of that side push it on, once it lies there. Which angles do that was searched for, with
bodies of six and eight legs.
"""

from creature_sim.components import (
    DRAWS_IN,
    GRAVITY,
    LAY_DOWN,
    ROLLS_OVER,
    TIPPED_OVER,
    UPRIGHT,
    TwinRecord,
)
from creature_sim.locomotion.gravity import TIPPED
from creature_sim.maths import (
    PI,
    TAU,
    Floats,
    Vec,
    Y,
    Z,
    atan2,
    clamp,
    dot,
    norm,
    quat,
    rotate,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel
from creature_sim.robots.turns import TRUNK_TURNS
from creature_sim.twin.links import Gains, Links
from creature_sim.twin.motion import Motion, middle_of, move_twin

BEARS, LIES = 0.5, 0.5
"""A body has fallen too where its trunk bears this part of its weight for so long [s], walking."""
DRAWN = 0.2
"""Legs are drawn in for so long [s]."""
FLAT, OVER = 0.75, 0.3
"""A body stands up from above this cosine; it has rolled over above that one."""
SPREADS = 0.5
"""Between these two it leans on legs that it has drawn in: it puts them away for so long [s]."""
CALM = 2.0
"""Turning more slowly than this it draws its legs in, and stands up [rad/s]."""
ROLLS = 1.15
"""It rolls for at most so long [s], then draws its legs in and tries again..."""
TOPPLES = 2.0
"""...or, if it topples over, for so long."""
SIDEWAYS = 0.15
"""The side that is higher pushes, if the sine of that is more than this; else sides take turns."""
QUICK, GENTLE = 13.0, 5.5
"""Legs are moved so fast [rad/s]; and so fast if one alone could lift the body, and throw it."""
STRONG = 0.8
"""It could if its effort is more than this times the body's weight times its reach."""
OVER_BACK, OVER_EDGE = -1.0, -0.6
"""Legs over the back: the part of the lower limit of their second joint; and where the lower side
pushes the body over its edge."""
RISES = 0.4
"""For so long a body is lifted off its back [s]; then..."""
GIVES, GIVES_ON = 0.3, 0.6
"""...knees of the lower side give by this part of what they may, and so much more each second."""
BESIDE = 2.3
"""The lower side pushes once the body is turned by less than this against standing [rad]."""
AWAY, BENT = 0.3, 0.8
"""The higher side goes out of the way then: its legs to this part of their upper limit, bent."""
ON_END = 0.8
"""A trunk of segments stands on an end if its own are over each other with this sine."""
SPREAD = 0.2
"""Knees of legs that are spread beside a body that has rolled over are bent by this part."""


@kernel
def how_it_fell(base: TwinRecord, up: Vec, is_walking: bool, dt: float) -> int:
    """How a twin that was upright has fallen: an index of FALLS_OF_TWINS; 0: it has not.

    Args:
        base: of it; ticks that its trunk bears its weight are counted.
        up: against gravity [world].
        is_walking: whether its trunk should not lie on the ground.
        dt: length of a tick [s].
    """
    base.ticks = base.ticks + 1 if is_walking and base.borne > BEARS else 0
    if upright(base, up) < TIPPED:
        return TIPPED_OVER
    return LAY_DOWN if base.ticks * dt > LIES else 0


@kernel
def upright(base: TwinRecord, up: Vec) -> float:
    """Cosine of the angle between a twin's up and up."""
    return dot(rotate(quat(base.orientation), Z), up)


@kernel
def rolled(base: TwinRecord, up: Vec) -> float:
    """How far a twin is turned against standing, towards its side that does not push [rad].

    From -PI / 2 to 3 PI / 2: beyond its back it counts on.
    """
    aside = base.side * dot(rotate(quat(base.orientation), Y), up)
    angle = atan2(aside, upright(base, up))
    return angle + TAU if angle < -0.5 * PI else angle


@kernel
def lie_on(base: TwinRecord, up: Vec, rolls: float, dt: float) -> bool:
    """Let a twin that has fallen go on; whether it lies on its belly, and can stand up.

    Args:
        base: of it; its stage is written.
        up: against gravity [world].
        rolls: for so long it rolls over at most [s].
        dt: length of a tick [s].
    """
    base.ticks += 1
    over, is_calm = upright(base, up), norm(vec(base.spin)) < CALM
    if base.stage == ROLLS_OVER:
        is_over = over > FLAT or (over > OVER and base.ticks * dt > SPREADS)
        if (is_over and is_calm) or base.ticks * dt > rolls:
            base.stage, base.ticks = DRAWS_IN, 0
    elif base.ticks * dt > DRAWN and over > FLAT:
        if is_calm:
            base.stage, base.ticks = UPRIGHT, 0
            return True
    elif base.ticks * dt > DRAWN:
        base.stage, base.ticks = ROLLS_OVER, 0
        aside = dot(rotate(quat(base.orientation), Y), up)
        if abs(aside) > SIDEWAYS:
            base.side = 1 if aside > 0.0 else -1
        else:
            base.side = -base.side if base.side else 1
    return False


@kernel
def roll_over(links: Links, base: TwinRecord, up: Vec, goals: Floats, dt: float) -> None:
    """Write the angles (A,) that legs of a twin that rolls over shall have [rad].

    1. All legs go over the back, and lift the body.
    2. The knees of one side give: the body falls towards that side, and lies there on its edge,
       its feet and those of the other side.
    3. That side pushes it over the edge, the other one gets out of the way.
    4. Once it is over, all legs are spread, so that it does not roll on.
    """
    over, angle = upright(base, up), rolled(base, up)
    since = base.ticks * dt - RISES
    for leg in range(links.bone.shape[0]):
        is_higher = links.position[links.first[links.bone[leg, 0]], 1] * base.side > 0.0
        second, bent = OVER_BACK, 0.0
        if over > OVER:
            second, bent = 0.0, SPREAD
        elif angle <= BESIDE:
            second, bent = (AWAY, BENT) if is_higher else (OVER_EDGE, 0.0)
        elif since > 0.0 and not is_higher:
            bent = GIVES + GIVES_ON * since
        for b in range(links.bone.shape[1]):
            j = links.bone[leg, b] - 1
            if j < 0:
                break
            if b == 0:
                goals[j] = clamp(0.0, links.lo[j], links.hi[j])
            elif b == 1:
                goals[j] = second * links.hi[j] if second > 0.0 else -second * links.lo[j]
            else:
                goals[j] = links.lo[j] + bent * (links.hi[j] - links.lo[j])


@kernel
def bend_aside(
    links: Links, motion: Motion, base: TwinRecord, angles: Floats, up: Vec, goals: Floats
) -> None:
    """Bend a trunk of segments to a side as long as it stands on an end, so that it falls there.

    Args:
        links: of the twin.
        motion: room; written.
        base: of the twin.
        angles: (A,) of its hinges now [rad].
        up: against gravity [world].
        goals: (A,) of them; written.
    """
    count = links.segment.shape[0] - (links.head > 0)
    if count < 2:
        return
    move_twin(motion, links, base, angles, angles)
    ahead = sub(middle_of(motion, links, 0), middle_of(motion, links, count - 1))
    if abs(dot(unit(ahead, up), up)) < ON_END:
        return
    for s in range(1, count):
        yaw = links.segment[s] - TRUNK_TURNS
        goals[yaw] = links.hi[yaw] if base.side > 0 else links.lo[yaw]


@kernel
def move_on(old: Floats, goals: Floats, step: float) -> bool:
    """Bring goals (A,) of hinges to within a step [rad] of those of the last tick; if all were."""
    farthest = 0.0
    for j in range(goals.shape[0]):
        farthest = max(farthest, abs(goals[j] - old[j]))
        goals[j] = old[j] + clamp(goals[j] - old[j], -step, step)
    return farthest <= step


def leg_rate(links: Links, gains: Gains) -> float:
    """How fast legs of a body that lies move [rad/s]."""
    effort = gains.effort[links.bone[links.bone > 0] - 1].max()
    strength = effort / (gains.mass * GRAVITY * gains.reach)
    return GENTLE if strength > STRONG else QUICK

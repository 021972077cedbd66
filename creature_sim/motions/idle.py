"""A creature that stands lives: it breathes, shifts its weight a little, glances about.

No two do it alike: what each does, and when, follows from its seed.
"""

from math import sqrt

from creature_sim.components import (
    FLYING,
    STANDING,
    BodyPoseRecord,
    BodyRecord,
    FootRecord,
    GaitRecord,
    HeadRecord,
    MotionRecord,
    PlanRecord,
    Records,
)
from creature_sim.locomotion.body_pose import waits
from creature_sim.locomotion.stature import AT_REST
from creature_sim.maths import (
    TAU,
    add,
    put,
    quat,
    random_unit,
    rotate,
    scale,
    sin,
    sin_cos,
    smoothstep,
    vec,
)
from creature_sim.maths.jit import kernel
from creature_sim.motions.motion import Actors, Motion

BEGINS, GROWS = 0.6, 1.5
"""It begins so long after the last step, and grows in so long to all of it [s]."""
BREATH = 0.012
"""Rise and fall of a breath, either way, as a fraction of the ride height..."""
BREATHS = 0.3
"""...and how many there are in a second, of a creature that stands a quarter of a metre high; they
slow with the root of the height, as all pendulums do."""
QUARTER = 0.25
SWAYS = (0.083, 0.131)
"""Two slow rhythms that never meet, in which weight shifts [1/s]."""
SWAY, TURN = 0.012, 0.008
"""Shift of the body, as a fraction of its reach, and turn about its axes [rad], either way."""
GLANCES = 4.5
"""Every so often there may be a glance [s]..."""
GLANCING, HELD = 0.55, 0.5
"""...with this probability, for this fraction of that time."""
ASIDE, DOWN = 0.7, 0.35
"""How far a glance goes of what the neck can do, either way."""
FAR = 20.0
"""What is glanced at is so many reaches away."""
ANEW = 40.0
"""In every so long a time it sets one of its feet anew [s]..."""
EARLIEST, LATEST = 0.4, 0.9
"""...between these fractions of it..."""
TRIES = 1.5
"""...or not, if that foot could not lift for so long [s]."""


@kernel
def idle(actors: Actors, dt: float) -> None:
    """Let creatures that stand live."""
    plan = actors.plan[0]
    for n in range(len(actors.motions)):
        motion, gait, feet = actors.motions[n], actors.gaits[n], actors.feet[n]
        if not stands(gait, feet):
            motion.seconds = motion.point[0] = 0.0
        since = motion.seconds - BEGINS
        gait.fidget = 0
        if since <= 0.0 or plan.idle == 0.0:
            continue
        fidget(gait, feet, motion, since)
        size = plan.idle * smoothstep(min(1.0, since / GROWS))
        live(plan, motion, actors.poses[n], actors.bodies.shape[1], since, size)
        glance(plan, actors.bodies[n, 0], motion, actors.heads[n], since)


@kernel
def stands(gait: GaitRecord, feet: Records[FootRecord]) -> bool:
    """Whether a creature has stopped, as it was told or before another one.

    No foot is in the air but one that is set anew.
    """
    flying = 0
    for i in range(len(feet)):
        flying += feet[i].phase == FLYING and gait.fidget != i + 1
    rests = gait.commanded_pace == 0.0 and gait.pace <= AT_REST
    return bool((rests or waits(gait)) and flying == 0)


@kernel
def live(
    plan: PlanRecord,
    motion: MotionRecord,
    pose: BodyPoseRecord,
    segments: int,
    since: float,
    size: float,
) -> None:
    """Let a body breathe and shift its weight.

    Args:
        plan: numbers of the body plan.
        motion: whose seed it is.
        pose: what is asked of the body is added to.
        segments: of the trunk: the longer it is, the less it turns.
        since: time that it has lived so [s].
        size: of all that, 1 as a whole.
    """
    own = 0.85 + 0.3 * random_unit(motion.seed, 0, 0)
    rate = own * BREATHS * sqrt(QUARTER / plan.ride_height)
    breath, early = sin_cos(TAU * (rate * since + random_unit(motion.seed, 0, 1)))
    breath += 0.25 * breath * early  # in faster than out
    pose.asked_shift[2] += size * BREATH * plan.ride_height * breath
    turn = size * TURN / segments
    pose.asked_turn[1] -= 0.3 * turn * breath
    for k in range(2):
        a = sin(TAU * (SWAYS[k] * since + random_unit(motion.seed, 1, k)))
        b = sin(TAU * (SWAYS[1 - k] * since + random_unit(motion.seed, 2, k)))
        pose.asked_shift[k] += 0.5 * size * SWAY * plan.reach * (a + b)
        pose.asked_turn[2 * k] += 0.5 * turn * (a - b)


@kernel
def glance(
    plan: PlanRecord, body: BodyRecord, motion: MotionRecord, head: HeadRecord, since: float
) -> None:
    """Look aside now and then; whoever looks at something keeps looking there.

    Args:
        plan: numbers of the body plan.
        body: the first segment.
        motion: whose seed it is.
        head: that turns.
        since: time that the creature has stood [s].
    """
    turns = since / GLANCES + random_unit(motion.seed, 3, 0)
    count = int(turns)
    if turns - count > HELD or random_unit(motion.seed, 4, count) > GLANCING:
        return
    yaw = ASIDE * plan.neck_yaw * (2.0 * random_unit(motion.seed, 5, count) - 1.0)
    pitch = DOWN * plan.neck_pitch * (2.0 * random_unit(motion.seed, 6, count) - 1.0)
    s, c = sin_cos(yaw)
    down, level = sin_cos(pitch)
    there = scale((level * c, level * s, -down), FAR * plan.reach)
    orientation = quat(body.orientation)
    neck = add(vec(body.position), rotate(orientation, vec(plan.neck)))
    put(head.gaze, add(neck, rotate(orientation, there)))
    head.is_gazing = 1


@kernel
def fidget(gait: GaitRecord, feet: Records[FootRecord], motion: MotionRecord, since: float) -> None:
    """Set a foot anew now and then, never the same one twice within half of ANEW.

    Args:
        gait: the foot is written, as long as it is to lift, or in the air.
        feet: (L,) of the creature.
        motion: whose seed it is; its point's x counts the times that are over.
        since: time that the creature has stood [s].
    """
    count = int(since / ANEW)
    begins = ANEW * (count + EARLIEST + (LATEST - EARLIEST) * random_unit(motion.seed, 7, count))
    i = int(len(feet) * random_unit(motion.seed, 8, count))
    if motion.point[0] > count or since < begins:
        return
    is_up = feet[i].phase != STANDING
    gait.fidget = i + 1
    if is_up:
        motion.turn[0] = 1.0
    elif motion.turn[0] == 1.0 or since > begins + TRIES:
        gait.fidget = 0
        motion.turn[0] = 0.0
        motion.point[0] = count + 1.0


IDLE = Motion("idle", (), idle)
"""It has no event: it is always on."""

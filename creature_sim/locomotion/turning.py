"""A creature that has come down on its back, tick by tick: it lies, and turns over.

It lies on its hull: its trunk and its legs. Nothing of it is below the plane of the ground there.
"""

from math import sqrt

from creature_sim.components import (
    LOST,
    TURNING,
    YAWS,
    FlightFootRecord,
    FlightRecord,
    LegRecord,
    Records,
    SegmentRecord,
    SuspensionRecord,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.flight import curl_up
from creature_sim.locomotion.flying import hold, move
from creature_sim.locomotion.folding import LIES
from creature_sim.locomotion.leaps import axis_of
from creature_sim.locomotion.touchdown import Landing, up_of
from creature_sim.locomotion.trunk import centre_of
from creature_sim.maths import (
    TAU,
    Floats,
    Quat,
    Vec,
    X,
    Z,
    add,
    along,
    atan2,
    clamp,
    cross,
    dot,
    mix,
    norm,
    put,
    quat,
    quat_between,
    quat_multiply,
    quat_turned,
    reject,
    rotate,
    scale,
    sin,
    smoothstep,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

TIPS = 0.4
"""A body that comes down tilted has tipped over after this part of the time that it lies."""
SLIDES, FARTHEST_SLIDE = 0.12, 0.2
"""It slides on for this time at its level speed [s], at most by this fraction of its reach."""
STRETCHED, OUT = 0.9, 0.12
"""Legs of a body on its back stretch to this fraction of their length, so far out from it."""
KICKS, KICK = 1.6, 0.06
"""They kick so often [1/s], by this fraction of their reach either way."""
ROCKS, ROCK = 0.35, 0.16
"""It rocks for this part of the time of its turn, to this part of the turn; then it goes over."""
TUMBLES = 0.8
"""A body that is thrown turns at this many times its level speed over its reach."""
LONGER = 3
"""Until its trunk comes down it may take so many times what its feet would take."""
FOLDS_FROM = 0.3
"""From this part of the turn on it draws its legs in."""


@kernel
def stretched(leg: LegRecord, seconds: float, phase: float) -> Vec:
    """Where a foot of a body on its back is: in the air, kicking [m, segment].

    Args:
        leg: the leg.
        seconds: since it lies there [s].
        phase: of its kicks [0, 1).
    """
    x, y = leg.home[0] - leg.mount[0], leg.home[1] - leg.mount[1]
    level = max(sqrt(x * x + y * y), 1e-9)
    out = (leg.coxa + OUT * leg.arm if leg.hip == YAWS else 0.0) / level
    kick = KICK * leg.reach * sin(TAU * (KICKS * seconds + phase))
    deep = STRETCHED * sqrt(1.0 - OUT * OUT) * leg.arm
    return (
        leg.mount[0] + out * x + kick,
        leg.mount[1] + out * y,
        leg.mount[2] - leg.ankle - deep + 0.5 * abs(kick),
    )


@kernel
def to_rest(creature: Creature, normal: Vec) -> tuple[Vec, bool]:
    """Rotation vector [rad, world] by which a trunk tips over until it lies on a plane.

    On its belly or its back, whichever is nearer; and whether it is its back.
    """
    orientation = quat(creature.trunk[0].orientation)
    ahead = rotate(orientation, X)
    level = unit(reject(ahead, normal), rotate(orientation, Z))
    pitch = quat_between(ahead, level)
    up = rotate(pitch, up_of(creature))
    is_back = dot(up, normal) < 0.0
    wanted = scale(normal, -1.0 if is_back else 1.0)
    turn = quat_multiply(quat_turned(scale(level, angle_about(level, up, wanted))), pitch)
    axis, angle = axis_of(turn)
    return scale(axis, angle), bool(is_back)


@kernel
def to_feet(creature: Creature, normal: Vec) -> Vec:
    """Rotation vector [rad, world] by which a trunk on its back turns over about its long axis."""
    ahead = rotate(quat(creature.trunk[0].orientation), X)
    axis = unit(reject(ahead, normal), ahead)
    return scale(axis, angle_about(axis, up_of(creature), normal))


@kernel
def angle_about(axis: Vec, begin: Vec, end: Vec) -> float:
    """Angle about an axis that takes one direction to another [rad]."""
    begin, end = reject(begin, axis), reject(end, axis)
    return atan2(dot(cross(begin, end), axis), dot(begin, end))


@kernel
def rolled(u: float) -> float:
    """How much of its turn a body has made, for u from 0 to 1: it rocks, then goes over."""
    if u < ROCKS:
        s = sin(0.5 * TAU * u / ROCKS)
        return ROCK * s * s
    return smoothstep((u - ROCKS) / (1.0 - ROCKS))


@kernel
def tipped(u: float) -> float:
    """How much of its way to where it lies a body has tipped, for u from 0 to 1."""
    return smoothstep(min(1.0, u / TIPS))


@kernel
def lie_on(
    creature: Creature,
    segments: Records[SegmentRecord],
    radii: Floats,
    joints: Floats,
    flight: FlightRecord,
    own: Records[FlightFootRecord],
    hung: Records[SuspensionRecord],
    dt: float,
) -> bool:
    """Move a creature that lies on its back or turns over on by a tick; whether its stage ends.

    Args:
        creature: written.
        segments: (S,).
        radii: (L, J) of its legs [m].
        joints: (L, J, 3) as they were solved last [m, world].
        flight: of it; written.
        own: (L,) its feet; written.
        hung: (S,) its springs; written.
        dt: length of a tick [s].
    """
    flight.ticks += 1
    count = max(1, flight.crouch_ticks)
    u, was = min(1.0, flight.ticks / count), min(1.0, (flight.ticks - 1) / count)
    goes = rolled(u) if flight.stage == TURNING else tipped(u)
    went = rolled(was) if flight.stage == TURNING else tipped(was)
    turned = scale(vec(flight.lean), goes - went)
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        seconds = flight.ticks * dt if flight.stage != TURNING else 0.0
        there = stretched(leg, seconds, 0.37 * i % 1.0)
        if flight.stage == TURNING:
            drawn = clamp((goes - FOLDS_FROM) / (1.0 - FOLDS_FROM), 0.0, 1.0)
            there = mix(there, vec(own[i].tuck), smoothstep(drawn))
        else:
            if not flight.is_on_back:
                there = vec(own[i].tuck)
            there = mix(vec(own[i].start), there, tipped(u))
        put(own[i].end, there)
    for s in range(hung.shape[0]):
        hung[s].given = 0.0
    normal, bed = vec(flight.bed_normal), vec(flight.bed)
    slid = 1.0 - min(1.0, u / TIPS)
    there = mix(vec(flight.start), vec(flight.low), 1.0 - slid * slid)
    if flight.stage == TURNING:
        there = vec(flight.here)
    turn = quat_turned(turned)
    high = hull(creature, segments, radii, joints, own, turn, normal)
    there = along(there, normal, high - dot(sub(there, bed), normal))
    move(creature, flight, there, turned, dt)
    for i in range(creature.legs.shape[0]):
        if creature.feet[i].phase == LOST:
            curl_up(creature, i, dt)
            continue
        hold(creature, i, vec(own[i].end))
        orientation = quat(creature.trunk[creature.legs[i].segment].orientation)
        put(creature.feet[i].normal, rotate(orientation, Z))
    return bool(flight.ticks >= count)


@kernel
def hull(
    creature: Creature,
    segments: Records[SegmentRecord],
    radii: Floats,
    joints: Floats,
    own: Records[FlightFootRecord],
    turn: Quat,
    normal: Vec,
) -> float:
    """How high the centre of a trunk lies over a plane that its hull touches [m].

    Args:
        creature: as it was.
        segments: (S,).
        radii: (L, J) of its legs [m].
        joints: (L, J, 3) as they were solved for it [m, world].
        own: (L,) its feet, where they are now: `end`.
        turn: by which it turns from there.
        normal: of the plane [world].
    """
    centre = centre_of(creature.trunk)
    lowest = -trunk_over(creature, segments, turn, normal)
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        body = creature.trunk[leg.segment]
        foot = add(vec(body.position), rotate(quat(body.orientation), vec(own[i].end)))
        lowest = min(lowest, dot(rotate(turn, sub(foot, centre)), normal))
        for j in range(1, leg.bone_count):
            point = rotate(turn, sub(vec(joints[i, j]), centre))
            lowest = min(lowest, dot(point, normal) - radii[i, j])
    return LIES * creature.plan.reach - lowest


@kernel
def trunk_over(
    creature: Creature, segments: Records[SegmentRecord], turn: Quat, normal: Vec
) -> float:
    """How high the centre of a trunk is over the lowest of it [m]; arguments as of `hull`."""
    centre, lowest = centre_of(creature.trunk), 0.0
    for s in range(len(segments)):
        body, segment = creature.trunk[s], segments[s]
        own_turn = quat_multiply(turn, quat(body.orientation))
        low = dot(rotate(turn, sub(vec(body.position), centre)), normal)
        half = 0.5 * (segment.front - segment.rear)
        low -= abs(dot(rotate(own_turn, (half, 0.0, 0.0)), normal))
        low -= abs(dot(rotate(own_turn, (0.0, segment.side, 0.0)), normal))
        low -= abs(dot(rotate(own_turn, (0.0, 0.0, segment.top)), normal))
        lowest = min(lowest, low)
    return -lowest


@kernel
def tumble(creature: Creature, flight: FlightRecord, landing: Landing) -> None:
    """Let a body that begins to fall turn head over heels, for its feet let go behind it.

    Args:
        creature: that falls.
        flight: how; written.
        landing: where its feet would come down.
    """
    velocity = vec(flight.launch_velocity)
    level = reject(velocity, landing.up)
    put(flight.bed_normal, landing.up)
    put(flight.bed, along(landing.centre, landing.up, -creature.plan.ride_height))
    put(flight.axis, unit(cross(landing.up, level), X))
    flight.spin = TUMBLES * norm(level) / creature.plan.reach
    flight.flight_ticks *= LONGER
    flight.tumbles = 1


@kernel
def is_down(
    creature: Creature,
    segments: Records[SegmentRecord],
    joints: Floats,
    flight: FlightRecord,
    dt: float,
) -> bool:
    """Whether a body that tumbles comes down on its trunk or its legs in the next tick.

    Args:
        creature: that falls.
        segments: (S,).
        joints: (L, J, 3) as they were solved last [m, world].
        flight: how.
        dt: length of a tick [s].
    """
    normal, bed = vec(flight.bed_normal), vec(flight.bed)
    lowest = dot(sub(vec(flight.here), bed), normal)
    lowest -= trunk_over(creature, segments, (0.0, 0.0, 0.0, 1.0), normal)
    for i in range(joints.shape[0]):
        for j in range(1, joints.shape[1]):
            lowest = min(lowest, dot(sub(vec(joints[i, j]), bed), normal))
    return bool(lowest + dot(vec(flight.velocity), normal) * dt <= 0.0)


@kernel
def come_down(creature: Creature, flight: FlightRecord) -> None:
    """Write how a body that comes down on its hull tips over and slides on."""
    normal = vec(flight.bed_normal)
    flight.tumbles = 0
    lean, is_back = to_rest(creature, normal)
    put(flight.lean, lean)
    flight.is_on_back = 1 if is_back else 0
    level = scale(reject(vec(flight.velocity), normal), SLIDES)
    farthest = FARTHEST_SLIDE * creature.plan.reach
    put(flight.start, vec(flight.here))
    put(flight.low, along(vec(flight.here), level, min(1.0, farthest / max(norm(level), 1e-9))))

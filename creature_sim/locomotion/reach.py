"""What a leg reaches; and no planted foot is ever outrun by its body.

A coxa that only yaws turns to the foot, and the other bones, its arm, reach from its end: the
shoulder. Where the hip is a ball, the shoulder is the hip.
"""

from math import sqrt

from creature_sim.components import FLYING, LOST, STANDING, YAWS, FootRecord, LegRecord
from creature_sim.locomotion.clearance import LEAST_GAP, leg_that_meets
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.frames import into_frame
from creature_sim.locomotion.hips import pole_in, swing_to, swings
from creature_sim.locomotion.soles import ankle_moved
from creature_sim.maths import (
    PI,
    Floats,
    Quat,
    Vec,
    acos,
    add,
    along,
    atan2,
    clamp,
    norm,
    quat,
    rotate,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

FULL_STRETCH = 0.97
"""A planted leg never stretches beyond this fraction: of its arm, or of the turn of its hip."""
FOLDS_TO = 0.96
"""A body that is carried comes nearer to feet than the nearest that is planned, by this factor."""
NEAR = 1.2
"""A foot counts as near below its hip from this multiple of the nearest distance on: it steps."""
NEAREST_LEVEL = 3.0
"""Farther off than this multiple of it no foot that the hip yaws to is as near as that."""
SURELY = 0.999
"""A hip whose tangent is below this fraction of what counts surely yaws by less than that."""
HALVES = 8
"""How often the way out of too much pitch is halved: to a 256th of the arm."""
SOON = 0.6
"""A foot lands soon once this fraction of its swing's time has passed."""
LEAST_ARM = 1e-6
"""A foot that is nearer to its shoulder than this has no direction from it [m]."""


@kernel
def hip_of(position: Vec, orientation: Quat, leg: LegRecord) -> Vec:
    """Where a leg is mounted, on a segment in this pose [m, world]."""
    return add(position, rotate(orientation, vec(leg.mount)))


@kernel
def coxa_end(position: Vec, orientation: Quat, leg: LegRecord) -> Vec:
    """Where the coxa of a leg ends whose foot is at home; the hip of one without [m, world]."""
    return add(position, rotate(orientation, along(vec(leg.mount), vec(leg.out), leg.coxa)))


@kernel
def ankle_of(leg: LegRecord, foot: Vec) -> Vec:
    """Where the arm ends for a foot [segment], from its hip [m]: the ankle is over the sole."""
    x, y, z = sub(foot, vec(leg.mount))
    return (x, y, z + leg.ankle)


@kernel
def yaw_of(leg: LegRecord, x: float, y: float) -> float:
    """Angle [rad] by which a hip turns towards a level direction [segment], limits aside."""
    out = leg.out
    return atan2(out[0] * y - out[1] * x, out[0] * x + out[1] * y)


@kernel
def before_hip(leg: LegRecord, x: float, y: float) -> tuple[float, float]:
    """How far a point is ahead of a hip, and aside, as it looks in the middle of its yaw [m]."""
    ox, oy = leg.middle[0], leg.middle[1]
    return ox * x + oy * y, ox * y - oy * x


@kernel
def bring_before(
    leg: LegRecord, x: float, y: float, farthest: Floats, nearest: float
) -> tuple[float, float]:
    """A level point [m, segment] moved until its hip yaws there, and it is not below that.

    Straight out, as the hip looks in the middle: so one that is behind it comes to no other side.

    Args:
        leg: whose hip yaws.
        x: of an ankle, from the hip [m].
        y: of it.
        farthest: that it may yaw from the middle: `LegRecord.widest` or `nearly`.
        nearest: that it may be to below the hip [m].
    """
    ahead, aside = before_hip(leg, x, y)
    wanted = max(nearest, abs(aside) * farthest[1] / max(farthest[0], 1e-9))
    if ahead >= wanted:
        return x, y
    more = wanted - ahead
    return (x + more * leg.middle[0], y + more * leg.middle[1])


@kernel
def reach_to(leg: LegRecord, foot: Vec) -> tuple[float, float]:
    """How far a leg reaches for a foot [m, segment].

    Returns:
        Its distance from the shoulder, as a fraction of the arm, less under a hip that yaws; and
        how far it stretches: the distance, or the fraction of its largest yaw if that is more. Both
        are below 1 in reach.
    """
    x, y, z = ankle_of(leg, foot)
    if leg.hip != YAWS:
        far = norm((x, y, z)) / leg.arm
        return far, far
    level = sqrt(x * x + y * y)
    ahead = level - leg.coxa
    far = sqrt(ahead * ahead + z * z) / leg.arm
    middle, half = 0.5 * (leg.yaw_lo + leg.yaw_hi), 0.5 * (leg.yaw_hi - leg.yaw_lo)
    out, aside = before_hip(leg, x, y)
    # Angles are below their tangents; and none is beyond half a turn, where yaws begin anew.
    yaws_less = abs(aside) < SURELY * half * far * out and abs(middle) <= 0.5 * PI
    stretch = far if yaws_less else max(far, abs(yaw_of(leg, x, y) - middle) / half)
    if level < NEAREST_LEVEL * leg.under and out < NEAR * leg.under:
        far = min(far, leg.min_reach * out / leg.under)
    return far, stretch


@kernel
def pitch_to(leg: LegRecord, foot: Vec) -> float:
    """How far a thigh pitches for a foot [m, segment] at least, over how far it may: 1 at most.

    Of legs whose thighs are not looked at it is 0.
    """
    if leg.pitch_hi == leg.pitch_lo:
        return 0.0
    x, y, z = ankle_of(leg, foot)
    return pitch_at(leg, sqrt(x * x + y * y) - leg.coxa, z)


@kernel
def pitch_at(leg: LegRecord, ahead: float, rise: float) -> float:
    """The same for a foot so far ahead of the shoulder, and above it [m]."""
    square = ahead * ahead + rise * rise
    across = 2.0 * leg.thigh * sqrt(square)
    cosine = (leg.thigh * leg.thigh + square - leg.calf * leg.calf) / max(across, 1e-9)
    pitch = atan2(rise, ahead) + acos(clamp(cosine, -1.0, 1.0))
    return abs(pitch - 0.5 * (leg.pitch_lo + leg.pitch_hi)) / (0.5 * (leg.pitch_hi - leg.pitch_lo))


@kernel
def reach_in_world(
    position: Vec, orientation: Quat, leg: LegRecord, foot: Vec
) -> tuple[float, float]:
    """The same as `reach_to` for a foot [m, world], and a segment in this pose."""
    return reach_to(leg, unrotate(orientation, sub(foot, position)))


@kernel
def reaches(position: Vec, orientation: Quat, leg: LegRecord, foot: Vec) -> bool:
    """Whether a leg may stand on a point [m, world]."""
    far, stretch = reach_in_world(position, orientation, leg, foot)
    return bool(leg.min_reach <= far and stretch <= FULL_STRETCH)


@kernel
def bring_in_reach(position: Vec, orientation: Quat, leg: LegRecord, foot: Vec) -> Vec:
    """The point nearest to a foot in the air that its leg reaches, or nearly that [m, world]."""
    return bring_from_fold(position, orientation, leg, foot, leg.min_reach)


@kernel
def bring_from_fold(
    position: Vec, orientation: Quat, leg: LegRecord, foot: Vec, nearest: float
) -> Vec:
    """The same, `nearest` to the shoulder at least, as a fraction of the arm."""
    mount = vec(leg.mount)
    x, y, z = ankle_of(leg, unrotate(orientation, sub(foot, position)))
    shoulder = (0.0, 0.0, 0.0)
    if leg.hip == YAWS:
        x, y = bring_before(leg, x, y, leg.nearly, leg.under)
        level = sqrt(x * x + y * y)
        shoulder = (x / level * leg.coxa, y / level * leg.coxa, 0.0)
    arm = sub((x, y, z), shoulder)
    if norm(arm) < LEAST_ARM:  # at the shoulder: it folds down
        arm = (0.0, 0.0, -LEAST_ARM)
    far = norm(arm) / leg.arm
    fraction = 1.0
    if far > FULL_STRETCH:
        fraction = FULL_STRETCH / far
    elif far < nearest:
        fraction = nearest / max(far, 1e-9)
    near = along(shoulder, arm, fraction)
    back = (near[0] + mount[0], near[1] + mount[1], near[2] + mount[2] - leg.ankle)
    return add(position, rotate(orientation, back))


@kernel
def out_of_fold(position: Vec, orientation: Quat, leg: LegRecord, foot: Vec, given: float) -> Vec:
    """A foot in the air moved out, as high as it is, from where its leg would fold too far.

    Straight away from its shoulder it would go down again, below which it just rises.

    Args:
        position: of the leg's segment [m, world].
        orientation: of that.
        leg: whose hip yaws.
        foot: in the air [m, world].
        given: fraction of the way that it goes.
    """
    x, y, z = ankle_of(leg, unrotate(orientation, sub(foot, position)))
    x, y = bring_before(leg, x, y, leg.nearly, leg.under)
    level, nearest = sqrt(x * x + y * y), leg.min_reach * leg.arm
    square = nearest * nearest - z * z
    ahead = level - leg.coxa
    wanted = out_of_pitch(leg, ahead, z)
    if square > 0.0:
        wanted = max(wanted, sqrt(square))
    if ahead >= wanted:
        return foot
    more = given * (wanted - ahead) / level
    return add(foot, rotate(orientation, (more * x, more * y, 0.0)))


@kernel
def out_of_pitch(leg: LegRecord, ahead: float, rise: float) -> float:
    """How far ahead of its shoulder a foot is at least whose thigh pitches no farther than it may.

    Args:
        leg: whose hip yaws; `ahead` where its thigh is not looked at.
        ahead: how far the foot is [m].
        rise: how high above the shoulder [m].
    """
    if leg.pitch_hi == leg.pitch_lo or pitch_at(leg, ahead, rise) <= 1.0:
        return ahead
    near, far = ahead, max(ahead, leg.arm)
    for _ in range(HALVES):
        middle = 0.5 * (near + far)
        if pitch_at(leg, middle, rise) <= 1.0:
            far = middle
        else:
            near = middle
    return far


@kernel
def fits(creature: Creature, position: Floats, orientation: Floats) -> bool:
    """Whether every planted foot stays in reach, or at least comes nearer to it.

    One that lifts from a walk on floors counts as planted: its body would drag it. Nor may hips
    swing or twist too far, or thighs of who climbs pitch, nor legs come too near one another.

    Args:
        creature: as it is.
        position: (S, 3) of its segments, as wished [m, world].
        orientation: (S, 4), as wished.
    """
    for i in range(creature.legs.shape[0]):
        if not is_planted(creature, i):
            continue
        leg, foot = creature.legs[i], vec(creature.feet[i].position)
        s = leg.segment
        body = creature.trunk[s]
        if swings(leg) and overswings(creature, i, vec(position[s]), quat(orientation[s])):
            return False
        if overpitches(creature, i, vec(position[s]), quat(orientation[s])):
            return False
        was = into_frame(vec(body.position), quat(body.orientation), foot)
        then = into_frame(vec(position[s]), quat(orientation[s]), foot)
        if loses_reach(leg, was, then, leg.min_reach, FULL_STRETCH):
            return False
    return leg_that_meets(creature, position, orientation, LEAST_GAP, False) < 0


@kernel
def loses_reach(leg: LegRecord, was: Vec, then: Vec, nearest: float, farthest: float) -> bool:
    """Whether a foot comes too near to its shoulder or too far from it, and more than it was.

    Args:
        leg: the leg.
        was: where the foot was [m, segment].
        then: where it comes to.
        nearest: that is not too near, as `reach_to` has it.
        farthest: that is not too far.
    """
    far, stretch = reach_to(leg, then)
    if nearest <= far and stretch <= farthest:
        return False
    was_far, was_stretch = reach_to(leg, was)
    return bool(stretch > max(was_stretch, farthest) or far < min(was_far, nearest))


@kernel
def is_planted(creature: Creature, i: int) -> bool:
    """Whether a foot stands, or has just lifted so that its body would drag it."""
    return bool(creature.feet[i].phase == STANDING or is_dragged(creature, i))


@kernel
def is_dragged(creature: Creature, i: int) -> bool:
    """Whether a foot has just lifted that its body could drag: not in runs, nor of who climbs."""
    is_walking = creature.gait.run == 0 and not creature.plan.climbs
    return bool(is_walking and leaves(creature.feet[i], 0.0))


@kernel
def leaves(foot: FootRecord, fraction: float) -> bool:
    """Whether no more than a fraction of a foot's swing has passed."""
    return bool(foot.phase != LOST and foot.phase != STANDING and foot.elapsed <= fraction)


@kernel
def lands_soon(foot: FootRecord) -> bool:
    """Whether a foot in the air has so little of its swing left that it is as good as down."""
    return bool(foot.phase == FLYING and foot.elapsed >= SOON)


@kernel
def overswings(creature: Creature, i: int, position: Vec, orientation: Quat) -> bool:
    """Whether a hip that is a ball would swing or twist too far for a planted foot, or farther.

    Args:
        creature: as it is.
        i: the leg.
        position: of its segment, as wished [m, world].
        orientation: of that, as wished.
    """
    body = creature.trunk[creature.legs[i].segment]
    swing = swing_in(creature, i, position, orientation)
    if swing <= 1.0:
        return False
    return swing > swing_in(creature, i, vec(body.position), quat(body.orientation))


@kernel
def overpitches(creature: Creature, i: int, position: Vec, orientation: Quat) -> bool:
    """Whether the thigh of who climbs would pitch too far for a planted foot, or farther.

    The arguments are those of `overswings`.
    """
    leg, foot = creature.legs[i], vec(creature.feet[i].position)
    pitch = pitch_to(leg, unrotate(orientation, sub(foot, position)))
    if pitch <= 1.0:
        return False
    body = creature.trunk[leg.segment]
    return pitch > pitch_to(leg, unrotate(quat(body.orientation), sub(foot, vec(body.position))))


@kernel
def swing_in(creature: Creature, i: int, position: Vec, orientation: Quat) -> float:
    """How far a hip swings over how far it may, on a segment in a pose."""
    return swing_at(creature.legs[i], position, orientation, creature.feet[i])


@kernel
def swing_at(leg: LegRecord, position: Vec, orientation: Quat, foot: FootRecord) -> float:
    """The same, of a leg on a segment in a pose."""
    ankle = ankle_in(leg, position, orientation, foot)
    return swing_to(leg, ankle, pole_in(leg, orientation, foot))


@kernel
def ankle_in(leg: LegRecord, position: Vec, orientation: Quat, foot: FootRecord) -> Vec:
    """Where an ankle is, from its hip [m, segment]."""
    place = vec(foot.position)
    if foot.roll != 0.0:
        place = add(place, ankle_moved(leg, foot))
    return ankle_of(leg, unrotate(orientation, sub(place, position)))

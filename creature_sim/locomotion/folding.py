"""Where a creature rests: how low it sits on its feet, how it lies, where it draws its feet in."""

from math import sqrt

from creature_sim.components import (
    LOST,
    STANDING,
    YAWS,
    FlightFootRecord,
    LegRecord,
    Records,
    SegmentRecord,
)
from creature_sim.locomotion.clearance import AIM_GAP, pose_of
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.frames import into_frame, into_world
from creature_sim.locomotion.hips import swing_to
from creature_sim.locomotion.outlines import is_apart, outline_of, strip_of
from creature_sim.locomotion.reach import FULL_STRETCH, ankle_of, loses_reach
from creature_sim.locomotion.squatting import FOLDS, is_over_ground, squatted
from creature_sim.locomotion.touchdown import segment_at
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    add,
    along,
    put,
    rotate,
    sin_cos,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

UNTURNED = (0.0, 0.0, 0.0, 1.0)
SIDE = 3
"""The ground below a segment is looked at along so many rays a side..."""
SPOTS = SIDE * SIDE
"""...and at so many in all."""
BELOW = 1.5
"""They end so many ride heights below it."""
OFF = 0.03
"""A body that sits is off the ground by this fraction of its reach..."""
LIES = 0.004
"""...one that lies by this one, and so are the feet that it has drawn in."""
LEVELS = 48
"""How low a body may go is looked for in so many steps."""
TURNS, WAYS = 0.9, 8
"""A hip that yaws turns by this fraction of what it may to draw its foot in; by so many smaller
ones where a leg is in the way."""
RAISES = 0.01
"""Where no leg folds so, the body lies higher by this fraction of its reach, and so on."""


@kernel
def take_feet(creature: Creature, own: Records[FlightFootRecord]) -> None:
    """Feet that stand are where the creature rests on: written to `own` (L,)."""
    for i in range(creature.legs.shape[0]):
        foot = creature.feet[i]
        own[i].is_found = 1 if foot.phase == STANDING else 0
        own[i].prop = foot.prop
        put(own[i].goal, vec(foot.position))
        put(own[i].normal, vec(foot.goal_normal))


@kernel
def probe_belly(
    creature: Creature, segments: Records[SegmentRecord], centre: Vec, start: Floats, end: Floats
) -> None:
    """Write rays down from the underside of a trunk whose centre is at a point: (S SPOTS, 3)."""
    for s in range(creature.trunk.shape[0]):
        position, orientation = segment_at(creature, s, centre, UNTURNED)
        segment = segments[s]
        down = rotate(orientation, (0.0, 0.0, -1.0))
        middle = 0.5 * (segment.front + segment.rear)
        half = 0.5 * abs(segment.front - segment.rear)
        for k in range(SPOTS):
            x = middle + half * (k // SIDE - 1)
            y = segment.side * (k % SIDE - 1)
            point = add(position, rotate(orientation, (x, y, -segment.top)))
            put(start[SPOTS * s + k], along(point, down, -2.0 * segment.top))
            put(end[SPOTS * s + k], along(point, down, BELOW * creature.plan.ride_height))


@kernel
def room_under(
    creature: Creature,
    segments: Records[SegmentRecord],
    fractions: Floats,
) -> tuple[float, int]:
    """Between the underside of a trunk and the ground [m], and how many rays found any.

    Args:
        creature: whose trunk it is.
        segments: (S,).
        fractions: (S SPOTS,) of the rays of `probe_belly` at which they met the ground; 1: none.
    """
    room, found = BELOW * creature.plan.ride_height, 0
    for s in range(len(segments)):
        long = 2.0 * segments[s].top + BELOW * creature.plan.ride_height
        for k in range(SPOTS):
            fraction = fractions[SPOTS * s + k]
            if fraction < 1.0:
                found += 1
                room = min(room, fraction * long - 2.0 * segments[s].top)
    return room, found


@kernel
def holds(
    creature: Creature, own: Records[FlightFootRecord], stand: Vec, centre: Vec, turn: Quat
) -> bool:
    """Whether legs reach their footholds from a trunk at `centre`, or as well as from `stand`.

    Turned against how it stands.
    """
    for i in range(creature.legs.shape[0]):
        if not own[i].is_found or creature.feet[i].phase == LOST:
            continue
        leg, point = creature.legs[i], vec(own[i].goal)
        position, orientation = segment_at(creature, leg.segment, centre, turn)
        before, standing = segment_at(creature, leg.segment, stand, UNTURNED)
        foot = into_frame(position, orientation, point)
        was_foot = into_frame(before, standing, point)
        if loses_reach(leg, was_foot, foot, leg.min_reach, FULL_STRETCH):
            return False
        if leg.hip != YAWS:
            if swing_of(leg, foot) > max(1.0, swing_of(leg, was_foot)):
                return False
            if not is_over_ground(leg, foot, unrotate(orientation, vec(own[i].normal))):
                return False
    return True


@kernel
def swing_of(leg: LegRecord, foot: Vec) -> float:
    """How far a ball swings for a foot [m, segment], over how far it may."""
    return swing_to(leg, ankle_of(leg, foot), vec(leg.pole))


@kernel
def deepest(
    creature: Creature, own: Records[FlightFootRecord], stand: Vec, up: Vec, most: float
) -> float:
    """How far a trunk goes down from where it stands [m], at most so far, with its feet in reach.

    Args:
        creature: that goes down.
        own: (L,) its footholds.
        stand: its centre where it stands [m, world].
        up: its own.
        most: [m].
    """
    for k in range(1, LEVELS + 1):
        if not holds(creature, own, stand, along(stand, up, -most * k / LEVELS), UNTURNED):
            return most * (k - 1) / LEVELS
    return most


@kernel
def draw_in(
    creature: Creature,
    segments: Records[SegmentRecord],
    own: Records[FlightFootRecord],
    stand: Vec,
    room: float,
    depth: float,
) -> float:
    """Write where feet are drawn in to [segment].

    Feet below hips that yaw lie beside the trunk, on level ground. Feet below balls stay at the
    height at which they stand. The trunk lies as high above those as their legs require, or stays
    where it sits.

    Args:
        creature: that lies down.
        segments: (S,).
        own: (L,) its footholds; written.
        stand: its centre where it stands [m, world].
        room: below its trunk there [m].
        depth: to which it sits [m].

    Returns:
        How far it goes down from there [m].
    """
    down = room - fold_feet(creature, segments, own)
    for i in range(creature.legs.shape[0]):
        if creature.legs[i].hip != YAWS:
            down = min(down, own[i].tuck[2] - foot_from(creature, own, stand, i)[2])
    is_lower = down >= depth
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        if leg.hip != YAWS and is_lower:
            _, orientation = segment_at(creature, leg.segment, stand, UNTURNED)
            lies = LIES * leg.reach
            own[i].tuck[2] = foot_from(creature, own, stand, i)[2] + down + lies
            normal = unrotate(orientation, vec(own[i].normal))
            is_lower = is_over_ground(leg, vec(own[i].tuck), normal)
    for i in range(creature.legs.shape[0]):
        if creature.legs[i].hip != YAWS and not is_lower:
            x, y, z = foot_from(creature, own, stand, i)
            put(own[i].tuck, (x, y, z + depth))
    return down if is_lower else depth


@kernel
def fold_feet(
    creature: Creature, segments: Records[SegmentRecord], own: Records[FlightFootRecord]
) -> float:
    """Write where feet fold for a trunk on level ground [segment]; how high that lies [m]."""
    off = LIES * creature.plan.reach
    for _ in range(LEVELS):
        if all_fold(creature, segments, own, off):
            break
        off += RAISES * creature.plan.reach
    return off


@kernel
def foot_from(creature: Creature, own: Records[FlightFootRecord], stand: Vec, i: int) -> Vec:
    """Where a foot stands against its segment, where the centre is at `stand` [m, segment]."""
    position, orientation = segment_at(creature, creature.legs[i].segment, stand, UNTURNED)
    return unrotate(orientation, sub(vec(own[i].goal), position))


@kernel
def all_fold(
    creature: Creature,
    segments: Records[SegmentRecord],
    own: Records[FlightFootRecord],
    off: float,
) -> bool:
    """Write the same for a trunk that is so high off the ground [m]; whether all legs fold."""
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        segment = segments[leg.segment]
        floor = -segment.top - off
        if leg.hip != YAWS:
            x, y, is_folded = squatted(leg, floor)
            put(own[i].tuck, (x, y, floor))
            if not is_folded:
                return False
            continue
        for k in range(WAYS):
            x, y = drawn(leg, floor, TURNS * (1.0 - k / WAYS))
            put(own[i].tuck, (x, y, floor))
            if is_beside(creature, own, i):
                break
    return True


@kernel
def is_beside(creature: Creature, own: Records[FlightFootRecord], i: int) -> bool:
    """Whether a leg with its foot drawn in is clear of those before it, from above."""
    leg = creature.legs[i]
    here = pose_of(creature.trunk[leg.segment])
    strip = strip_of(leg, vec(own[i].tuck))
    for k in range(leg.meets.shape[0]):
        other = int(leg.meets[k])
        if 0 <= other < i:
            its = creature.legs[other]
            there = pose_of(creature.trunk[its.segment])
            foot = into_world(there.position, there.orientation, vec(own[other].tuck))
            outline = outline_of(its, foot, there, here, its.segment == leg.segment)
            if not is_apart(strip, outline, AIM_GAP * leg.reach):
                return False
    return True


@kernel
def drawn(leg: LegRecord, floor: float, fraction: float) -> tuple[float, float]:
    """Where a foot comes nearest whose hip yaws, ahead or behind [segment].

    Args:
        leg: the leg.
        floor: height of the ground [m, segment].
        fraction: of the largest yaw.
    """
    down = leg.mount[2] - leg.ankle - floor
    nearest = FOLDS * leg.min_reach * leg.arm
    ahead = sqrt(max(0.0, nearest * nearest - down * down))
    level = max(leg.coxa + ahead, FOLDS * leg.under)
    turn = leg.yaw_hi if turns_left(leg) else leg.yaw_lo
    sine, cosine = sin_cos(fraction * turn)
    out = leg.out
    x, y = out[0] * cosine - out[1] * sine, out[1] * cosine + out[0] * sine
    return leg.mount[0] + level * x, leg.mount[1] + level * y


@kernel
def turns_left(leg: LegRecord) -> bool:
    """Whether a foot is drawn in to its hip's left: front ones go ahead, all others behind."""
    goes_ahead = leg.mount[0] > 1e-9
    return bool((leg.side < 0) == goes_ahead)

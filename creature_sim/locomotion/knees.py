"""Knees of legs with soles, below balls, stay over the ground: else the body rises.

Such a knee stands out from the line of its leg, the farther the lower the body is. Behind it may be
a slope, or the edge of a step, that its foot has nothing to do with.
"""

from math import inf
from typing import NamedTuple

from creature_sim.components import LOST, STANDING, FootRecord, HitRecord, Records
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.hips import pole_in, watches_knee
from creature_sim.locomotion.plainness import walks_on_plain
from creature_sim.locomotion.prediction import travel
from creature_sim.locomotion.rays import Rays, cast_along, cast_between, cast_none
from creature_sim.locomotion.reach import ankle_of
from creature_sim.locomotion.shins import under
from creature_sim.locomotion.slots import SHIN_RAYS, along_shin_slot
from creature_sim.locomotion.squatting import knee_below
from creature_sim.locomotion.stature import HEIGHT_STIFFNESS, hip_over
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.maths import (
    Vec,
    Z,
    add,
    along,
    dot,
    mix,
    quat,
    rotate,
    scale,
    sub,
    unit,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

BELOW_KNEE, ALONG_SHIN, AT_EDGE = 0, 1, 2
"""Rays of a leg, one in a tick: down from over its knee; up along the bone under that from the
ankle; and down from over what this finds."""
TURNS = 3
ABOVE = 0.3
"""Those that go down begin so far above the bone, as a fraction of the reach..."""
BESIDE = 2.2
"""...the other one ends so many radii of the knee below it: it finds edges before they are met."""
BEHIND = 0.02
"""Ground behind an edge is looked at so far behind it, as a fraction of the reach."""
OVER = 1.5
"""Bones stay off the ground by so many radii of the knee..."""
LOW = 0.25
"""...and by less and less over this part of theirs above the ankle, which is low itself."""
LAG = 2.0 / HEIGHT_STIFFNESS
"""So much later a body has risen as it should: it is looked at where it will be then [s]."""
COMES_DOWN = 0.4
"""From this progress of a swing on it is looked at where its foot lands."""
BEYOND = 1.3
"""Ground beyond a knee by this part of the bone counts as below it."""
HALVINGS = 8
"""How far a body must rise is found in so many steps."""


class Shin(NamedTuple):
    """The bone under a knee: its ends [m, segment]."""

    ankle: Vec
    knee: Vec


@kernel
def foot_soon(creature: Creature, i: int) -> Vec:
    """Where a foot will be in LAG if it stands, and once it lands if it comes down [m, segment].

    One that rises is where it is.
    """
    leg, foot = creature.legs[i], creature.feet[i]
    body = creature.trunk[leg.segment]
    place, seconds = vec(foot.position), LAG
    if foot.phase != STANDING:
        seconds = 0.0
        if foot.progress > COMES_DOWN:
            place = vec(foot.goal)
            seconds = seconds_to_touchdown(creature.plan, creature.gait, foot)
    x, y, z = unrotate(quat(body.orientation), sub(place, vec(body.position)))
    moved = travel(body, leg, seconds)
    return (x - moved[0], y - moved[1], z)


@kernel
def shin_at(creature: Creature, i: int, foot: Vec, rise: float) -> Shin:
    """The bone under a knee once its segment has risen.

    Args:
        creature: whose leg it is.
        i: the leg.
        foot: its foot [m, segment].
        rise: how far the segment has risen [m]; what is found is seen from where it is now.
    """
    leg = creature.legs[i]
    pole = pole_in(leg, quat(creature.trunk[leg.segment].orientation), creature.feet[i])
    knee = knee_below(leg, along(ankle_of(leg, foot), Z, -rise), pole)
    return Shin(along(foot, Z, leg.ankle), along(add(vec(leg.mount), knee), Z, rise))


@kernel
def probe_knee(creature: Creature, rays: Rays, hits: Records[HitRecord], i: int) -> None:
    """Look at the ground below a knee, and along the bone under it, where it will be soon.

    Nowhere on plain ground, which goes on as it is at the foot.

    Args:
        creature: whose leg it is.
        rays: written.
        hits: (Q,) what they found last.
        i: the leg.
    """
    leg = creature.legs[i]
    first = along_shin_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
    cast_none(rays, first, SHIN_RAYS)
    if walks_on_plain(creature.gait):
        return
    body = creature.trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    shin = shin_at(creature, i, foot_soon(creature, i), 0.0)
    up, turn = rotate(orientation, Z), (creature.gait.age + i) % TURNS
    if turn == ALONG_SHIN:
        low = scale(under(sub(shin.knee, shin.ankle)), BESIDE * leg.knee_radius)
        start = add(position, rotate(orientation, shin.ankle))
        end = add(position, rotate(orientation, add(shin.knee, low)))
        cast_between(rays, first + ALONG_SHIN, start, end)
        return
    place = shin.knee
    if turn == AT_EDGE:
        if not hits[first + ALONG_SHIN].is_hit:
            return
        edge = unrotate(orientation, sub(vec(hits[first + ALONG_SHIN].point), position))
        x, y, _ = sub(shin.knee, shin.ankle)
        place = along(edge, unit((x, y, 0.0), Z), BEHIND * leg.reach)
        place = (place[0], place[1], shin.knee[2])
    point = add(position, rotate(orientation, place))
    cast_along(rays, first + turn, point, up, ABOVE * leg.reach, leg.reach)


@kernel
def rise_of_knees(creature: Creature, s: int, hits: Records[HitRecord]) -> float:
    """How far a segment must rise for its knees to be over the ground [m].

    No farther than its feet let it.

    Args:
        creature: whose segment it is.
        s: the segment.
        hits: (Q,) what the creature's rays found last.
    """
    room, rise = room_to_rise(creature, s), -inf
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        if leg.segment == s and watches_knee(leg) and creature.feet[i].phase != LOST:
            rise = max(rise, rise_of_knee(creature, i, hits, max(0.0, room)))
    return min(rise, room)


@kernel
def room_to_rise(creature: Creature, s: int) -> float:
    """How far a segment may rise on the feet that stand, and on those that come down [m]."""
    room = inf
    for i in range(creature.legs.shape[0]):
        leg, foot = creature.legs[i], creature.feet[i]
        if leg.segment == s and foot.phase != LOST and holds_down(foot):
            stand = foot_soon(creature, i)
            room = min(room, stand[2] + hip_over(leg, stand))
    return room


@kernel
def holds_down(foot: FootRecord) -> bool:
    """Whether a foot stands, or comes down."""
    return bool(foot.phase == STANDING or foot.progress > COMES_DOWN)


@kernel
def is_knee_stuck(creature: Creature, i: int, hits: Records[HitRecord]) -> bool:
    """Whether a foot stands, or lands, where its knee is in the ground, however its body rises."""
    if not holds_down(creature.feet[i]):
        return False
    room = max(0.0, room_to_rise(creature, creature.legs[i].segment))
    return not is_knee_free(creature, i, hits, room)


@kernel
def rise_of_knee(creature: Creature, i: int, hits: Records[HitRecord], most: float) -> float:
    """How far a segment must rise for one of its knees to be over the ground, up to `most` [m].

    -inf: not at all.
    """
    if is_knee_free(creature, i, hits, 0.0):
        return -inf
    low, high = 0.0, most
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if is_knee_free(creature, i, hits, middle):
            high = middle
        else:
            low = middle
    return high


@kernel
def is_knee_free(creature: Creature, i: int, hits: Records[HitRecord], rise: float) -> bool:
    """Whether a knee is over the ground once its segment has risen so far [m].

    Over what its rays found; on plain ground over the plane that the foot stands on.
    """
    leg, foot = creature.legs[i], creature.feet[i]
    body = creature.trunk[leg.segment]
    position, orientation = vec(body.position), quat(body.orientation)
    shin = shin_at(creature, i, foot_soon(creature, i), rise)
    over = OVER * leg.knee_radius
    if walks_on_plain(creature.gait):
        normal = unrotate(orientation, vec(foot.goal_normal))
        goal = unrotate(orientation, sub(vec(foot.goal), position))
        return dot(sub(shin.knee, goal), normal) >= over
    first = along_shin_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
    for k in (BELOW_KNEE, AT_EDGE):
        hit = hits[first + k]
        if k == AT_EDGE and not hits[first + ALONG_SHIN].is_hit:
            continue
        ground = unrotate(orientation, sub(vec(hit.point), position))
        height, fraction = height_over(shin, ground)
        if hit.is_hit and height < over * min(1.0, fraction / LOW):
            return False
    return True


@kernel
def height_over(shin: Shin, ground: Vec) -> tuple[float, float]:
    """How high a bone is over a point below or above it [m], and at which fraction of its way.

    inf: it is beside that.
    """
    x, y, _ = sub(shin.knee, shin.ankle)
    far = x * (ground[0] - shin.ankle[0]) + y * (ground[1] - shin.ankle[1])
    fraction = far / max(x * x + y * y, 1e-9)
    if fraction < 0.0 or fraction > BEYOND:
        return inf, 1.0
    return mix(shin.ankle, shin.knee, min(1.0, fraction))[2] - ground[2], fraction

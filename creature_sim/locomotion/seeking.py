"""How climbers' legs seek footholds: by rays that bend round edges, then by feeling around."""

from typing import NamedTuple

from creature_sim.components import (
    FENCE,
    STANDING,
    GravityRecord,
    HitRecord,
    LegRecord,
    Records,
    SegmentRecord,
)
from creature_sim.locomotion.bends import (
    OVER,
    bent_hits,
    forget_behind,
    goes_down,
    is_bent,
    is_buried,
    is_walled,
)
from creature_sim.locomotion.climbing import turned_then
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.groping import BACKS, off_aim
from creature_sim.locomotion.judging import judge, score_of
from creature_sim.locomotion.outlines import bends_before, stands_off
from creature_sim.locomotion.prediction import centre_ahead, hardly_moves
from creature_sim.locomotion.reach import hip_of
from creature_sim.locomotion.search import GROPES, OLD, PRESSING, SHORTEST_STEP, Find, gropes
from creature_sim.locomotion.slots import ahead_slot, bend_slot, foothold_slot
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.maths import (
    Quat,
    Vec,
    Z,
    distance,
    dot,
    mix,
    norm,
    put,
    quat,
    reject,
    rotate,
    scale,
    sub,
    vec,
)
from creature_sim.maths.jit import kernel

HARD = 0.1
"""Value of a foothold that a leg only just reaches as it feels around: it would hold the body
back."""
THROUGH, WIDE = 0.2, 2.0
"""A foot would go through a fence ahead if its foothold is farther than `THROUGH` behind it, and
its path crosses the fence within `WIDE` of where the body meets it, in ride heights."""
CRAMPED = 0.1
"""The value of a place where a bone would be in the ground is reduced by this factor."""


class Outlook(NamedTuple):
    """What a leg that looks for a foothold has to reckon with when it lands.

    Attributes:
        hip: where its hip is then [m, world].
        then: orientation of its segment then.
        fence: what the ray ahead of its segment met, which may be one.
        has_wall: whether its knees must stay out of a wall.
        over: what the ray over its aim met: that wall.
    """

    hip: Vec
    then: Quat
    fence: HitRecord
    has_wall: bool
    over: HitRecord


@kernel
def look_about(
    creature: Creature,
    segments: Records[SegmentRecord],
    i: int,
    hits: Records[HitRecord],
    fan: Records[HitRecord],
    is_roofed: bool,
    gravity: GravityRecord,
) -> Find:
    """What a leg of who climbs has found ahead, of (Q,) hits: where the ground goes on.

    Where that is no foothold it feels around, with a `fan` (R,), from the next tick on. Under a
    roof its knees stay out of walls that its foot stands before: elsewhere these may be bars.
    """
    slot, s = foothold_slot(creature.trunk.shape[0], i), creature.legs[i].segment
    if is_buried(creature, i, hits):
        foot = creature.feet[i]
        return Find(vec(foot.goal), vec(foot.goal_normal), 1.0, False, False, False, foot.prop)
    forget_behind(creature, i, hits)
    seconds = seconds_to_touchdown(creature.plan, creature.gait, creature.feet[i])
    then = turned_then(creature, gravity, segments, s, hits, seconds)
    first, second = bent_hits(creature, i, hits)
    if first < 0:
        first, second = (second, -1) if second >= 0 else (slot, -1)
    foothold, is_round = creature.footholds[i], first != slot or is_bent(creature, i)
    if is_round:  # it does not evade edges
        put(foothold.offset, scale(vec(foothold.offset), 0.8))
    if is_round or creature.feet[i].phase != STANDING:
        foothold.clear = 1.0  # it surveys no patch
    fence = hits[ahead_slot(creature.trunk.shape[0], creature.legs.shape[0], s)]
    over = hits[bend_slot(creature.trunk.shape[0], creature.legs.shape[0], i) + OVER]
    has_wall = over.is_hit != 0 and (is_roofed or is_walled(creature, i, over))
    leg = creature.legs[i]
    hip = hip_of(centre_ahead(creature.trunk[s], leg, seconds), then, leg)
    outlook = Outlook(hip, then, fence, has_wall, over)
    found = judge_elsewhere(creature, i, hits[first], outlook, gravity)
    has_room = is_roomy(leg, found, outlook)
    if second >= 0 and not has_room:
        other = judge_elsewhere(creature, i, hits[second], outlook, gravity)
        has_room = is_roomy(leg, other, outlook)
        if has_room or not fits_leg(found):
            found = other
    gropes_already = gropes(creature.plan, foothold)
    foothold.fallback = 0 if has_room else GROPES
    if gropes_already and not has_room:
        size = fan.shape[0]
        count = size if goes_down(creature, i, hits) else size - size // BACKS
        return feel(creature, i, fan[:count], outlook, gravity, found)
    return found


@kernel
def judge_elsewhere(
    creature: Creature, i: int, hit: HitRecord, outlook: Outlook, gravity: GravityRecord
) -> Find:
    """What a leg's ray found; where the body hardly moves an urgent foot goes elsewhere.

    The best place may be where it stands already, and holds its body back. Through a fence that is
    ahead no foot goes: it would have to come back as its body goes up there.
    """
    found, foot = judge(creature, i, hit, outlook.then, gravity), creature.feet[i]
    fence = outlook.fence
    is_through = fence.is_hit == FENCE and goes_through(creature, i, fence, found.point)
    is_pressed = foot.phase == STANDING and foot.urgency > PRESSING and hardly_moves(creature.gait)
    shortest = SHORTEST_STEP * creature.gait.stroke
    is_new = not is_pressed or distance(found.point, vec(foot.position)) > shortest
    if is_new and not is_through:
        return found
    return Find(found.point, found.normal, found.stretch, found.is_hit, False, False, found.prop)


@kernel
def goes_through(creature: Creature, i: int, fence: HitRecord, point: Vec) -> bool:
    """Whether a leg would go through the fence ahead to a place [m, world].

    Over its top it may: of who goes at it that is above the body's middle.
    """
    body, height = creature.trunk[creature.legs[i].segment], creature.gait.ride_height
    normal, middle = vec(fence.normal), vec(body.position)
    hip = hip_of(middle, quat(body.orientation), creature.legs[i])
    before = dot(sub(hip, vec(fence.point)), normal)
    behind = -dot(sub(point, vec(fence.point)), normal)
    if before <= 0.0 or behind < THROUGH * height:
        return False
    off = sub(mix(hip, point, before / (before + behind)), middle)
    is_beside = norm(reject(off, normal)) > WIDE * height
    return not is_beside and dot(off, rotate(quat(body.orientation), Z)) < 0.0


@kernel
def fits_leg(found: Find) -> bool:
    """Whether a leg can step there."""
    return found.is_ground and found.is_in_reach


@kernel
def is_roomy(leg: LegRecord, found: Find, outlook: Outlook) -> bool:
    """Whether a leg can step there, and none of its bones would be in the ground, or in a wall."""
    if not fits_leg(found):
        return False
    hip, wall = outlook.hip, outlook.over
    foot, up = sub(found.point, hip), rotate(outlook.then, Z)
    if not stands_off(leg, foot, up, found.normal):
        return False
    if not outlook.has_wall:
        return True
    return bends_before(leg, foot, up, sub(vec(wall.point), hip), vec(wall.normal))


@kernel
def feel(
    creature: Creature,
    i: int,
    fan: Records[HitRecord],
    outlook: Outlook,
    gravity: GravityRecord,
    found: Find,
) -> Find:
    """The best foothold that a fan found, or `found`: near to its aim, and easy to reach."""
    most = 0.0
    if fits_leg(found):
        most = CRAMPED * goodness(creature, i, found)
    for k in range(fan.shape[0]):
        felt = judge_elsewhere(creature, i, fan[k], outlook, gravity)
        if fits_leg(felt):
            good = goodness(creature, i, felt)
            good *= OLD if k == 0 and creature.feet[i].phase != STANDING else 1.0
            good *= 1.0 if is_roomy(creature.legs[i], felt, outlook) else CRAMPED
            if good > most:
                found, most = felt, good
    return found


@kernel
def goodness(creature: Creature, i: int, felt: Find) -> float:
    """How good a place is that a leg has felt: near to its aim, and easy to reach."""
    far = off_aim(creature, i, felt.point, felt.normal) / creature.legs[i].reach
    good = HARD + (1.0 - HARD) * score_of(creature, i, felt, 1.0)
    return good / (1.0 + far * far)

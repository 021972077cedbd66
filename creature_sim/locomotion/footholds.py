"""Where feet go next: of what was sensed, the ground to stand on, clear of edges and other feet."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    AIRBORNE,
    FOUND,
    NOT_FOUND,
    NOT_SOUGHT,
    STANDING,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    HitRecord,
    LegRecord,
    Near,
    PlanRecord,
    Records,
    RecordTable,
    SegmentRecord,
)
from creature_sim.locomotion.bends import bent_hits
from creature_sim.locomotion.clearance import is_clear_then
from creature_sim.locomotion.climbing import turned_then
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.evasion import evade, leave_feet
from creature_sim.locomotion.gravity import down_at, holds
from creature_sim.locomotion.groping import FAN, GROPES, off_aim
from creature_sim.locomotion.hips import stands_on, swings
from creature_sim.locomotion.limb_probes import sides_in_ground
from creature_sim.locomotion.others import leave_others, near_to
from creature_sim.locomotion.patch import (
    IN_GROUND,
    cell_clear,
    cell_near,
    cell_offset,
    farness,
    is_bent,
    patch_centre,
)
from creature_sim.locomotion.prediction import travel
from creature_sim.locomotion.reach import ankle_of, pitch_to, reach_in_world
from creature_sim.locomotion.search import FALLBACKS, PRESSING, SEARCHING, Find
from creature_sim.locomotion.slots import (
    PATCH_RAYS,
    RING,
    SHIN_RAYS,
    along_shin_slot,
    foothold_slot,
    hip_slot,
    patch_slot,
    ring_slot,
)
from creature_sim.locomotion.stature import is_too_high
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    Quat,
    Vec,
    Z,
    add,
    clamp,
    distance,
    dot,
    put,
    quat,
    rotate,
    scale,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

LANDING_STRETCH = 0.93
"""A foothold lies within this fraction of what the leg reaches at touchdown."""
EASY_STRETCH = 0.75
"""A foothold within this fraction of that is as good as any."""
DEEP = 0.65
"""No foot steps down to what is deeper below its home than this fraction of the reach: its body
would hang on it, and could not go on."""
SAME = 0.01
"""Ground nearer to a goal than this fraction of the reach is the goal."""
CHOOSY = 0.85
"""A foot in the air takes another goal that scores no less than this fraction of its own..."""
STUBBORN = 0.2
"""...or lies farther from it than this fraction of the reach..."""
SURVEYED = 0.99
"""How clear a goal among edges is at most: its foot goes on surveying the ground."""
FAR = 0.4
"""A cell of a patch that is farthest from its middle scores less by this fraction..."""
HIGH = 0.5
"""...one that is higher or lower by this fraction of the reach scores half..."""
OLD = 1.15
"""...and the one that a foot goes to already more by this factor."""
FARTHEST_ROUND = -0.3
"""Feet of who climbs stand on ground that faces no farther from the body's up (the cosine)."""
TOO_LATE = 0.3
"""...but from this progress on none that is higher or lower by more than a usual step."""


@kernel
def choose_footholds(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    ground: RecordTable[HitRecord],
    is_active: NDArray[np.int64],
    near: Near,
    segments: Records[SegmentRecord],
    gravity: Records[GravityRecord],
    dt: float,
) -> None:
    """Take each leg's probe as its foothold if it is ground and in reach at touchdown.

    A leg that finds none looks nearer to its hip in the next tick; one in the air keeps its goal.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S).
        gaits: (N,).
        feet: (N, L); goals of feet in the air are written.
        footholds: (N, L); written.
        ground: (N, Q) what the rays found.
        is_active: (N, Q) which of them were cast in this tick.
        near: other creatures near to each of the N S segments.
        segments: (S,).
        gravity: (1,).
        dt: length of a tick [s].
    """
    segment_count, leg_count = bodies.shape[1], legs.shape[0]
    for n in range(bodies.shape[0]):
        if gaits[n].flight == AIRBORNE:
            continue
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        others = near_to(near, n, segment_count)
        for i in range(leg_count):
            note_shin(creature, i, ground[n], is_active[n])
            slot = foothold_slot(segment_count, i)
            if not is_active[n, slot]:
                footholds[n, i].status = NOT_SOUGHT
                continue
            first = patch_slot(segment_count, leg_count, i)
            patch = ground[n, first : first + PATCH_RAYS]
            if plan[0].climbs:
                found = look_about(creature, segments, i, ground[n], patch, gravity[0])
            elif is_active[n, first] and survey(creature, i, patch, others, gravity[0]):
                continue
            else:
                found = look(creature, i, ground[n], gravity[0])
            score = clear = 0.0
            if found.is_hit:
                ring = ring_slot(segment_count, leg_count, i)
                around = ground[n, ring : ring + len(RING) + 1]
                clear = footholds[n, i].clear if feet[n, i].phase != STANDING else 1.0
                if is_active[n, ring]:
                    clear = evade(creature, i, found, around, others, dt)
                score = score_of(creature, i, found, clear)
            if adopt(creature, i, found, score, clear):
                retarget(creature, i, found, score, clear)
            else:
                fall_back(creature, i, found)


@kernel
def note_shin(
    creature: Creature, i: int, ground: Records[HitRecord], is_active: NDArray[np.int64]
) -> None:
    """Note whether a shin meets the ground, and what is below its hip, of (Q,) hits."""
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    foothold = creature.footholds[i]
    shin = along_shin_slot(segment_count, leg_count, i)
    last = shin + SHIN_RAYS
    if is_active[last - 1]:
        is_met = sides_in_ground(foothold.is_blocked, is_active[shin:last], ground[shin:last])
        foothold.is_blocked = is_met
        if is_met and creature.feet[i].phase != STANDING:
            foothold.score = min(foothold.score, IN_GROUND)
            foothold.clear = min(foothold.clear, IN_GROUND)
    hip = hip_slot(segment_count, leg_count, i)
    if is_active[hip]:
        foothold.is_over = ground[hip].is_hit
        put(foothold.under, vec(ground[hip].point))
        foothold.under_prop = ground[hip].prop


@kernel
def survey(
    creature: Creature, i: int, patch: Records[HitRecord], near: Near, gravity: GravityRecord
) -> bool:
    """Let a foot in the air go to the best cell of a patch; returns whether there is any.

    It keeps its goal where no cell is better by a good part.
    """
    leg, foot, foothold = creature.legs[i], creature.feet[i], creature.footholds[i]
    orientation = quat(creature.trunk[leg.segment].orientation)
    up, centre = rotate(orientation, Z), patch_centre(creature, i)
    old = cell_near(leg, unrotate(orientation, sub(vec(foot.goal), centre)))
    seconds = seconds_to_touchdown(creature.plan, creature.gait, foot)
    best, most, clearest = -1, 0.0, 0.0
    for k in range(PATCH_RAYS):
        found = judge(creature, i, patch[k], orientation, gravity)
        if not found.is_ground or not found.is_in_reach:
            continue
        rise = abs(dot(sub(found.point, vec(foot.goal)), up))
        if rise > creature.plan.step_height and foot.progress >= TOO_LATE:
            continue
        clear = cell_clear(creature, i, patch, k, found, seconds)
        _, clear = leave_feet(creature, i, found, (0.0, 0.0, 0.0), clear, 0.0)
        _, clear = leave_others(creature, i, near, found, (0.0, 0.0, 0.0), clear, 0.0)
        high = dot(sub(found.point, centre), up) / (HIGH * leg.reach)
        score = score_of(creature, i, found, clear) * (1.0 - FAR * farness(k)) / (1.0 + high * high)
        if k == old:
            score *= IN_GROUND if foothold.is_blocked else OLD
        if score > most:
            best, most, clearest = k, score, clear
    if best < 0:
        return False
    found = judge(creature, i, patch[best], orientation, gravity)
    put(foothold.offset, cell_offset(leg, best))
    adopt(creature, i, found, most, clearest)
    foothold.score, foothold.clear = most, min(clearest, SURVEYED)
    if best != old:
        put(foot.goal, found.point)
        put(foot.goal_normal, found.normal)
        foot.prop, foothold.is_blocked = found.prop, 0
    return True


@kernel
def look(creature: Creature, i: int, hits: Records[HitRecord], gravity: GravityRecord) -> Find:
    """What a leg has found below its aim, of (Q,) hits."""
    slot, s = foothold_slot(creature.trunk.shape[0], i), creature.legs[i].segment
    return judge(creature, i, hits[slot], quat(creature.trunk[s].orientation), gravity)


@kernel
def look_about(
    creature: Creature,
    segments: Records[SegmentRecord],
    i: int,
    hits: Records[HitRecord],
    fan: Records[HitRecord],
    gravity: GravityRecord,
) -> Find:
    """What a leg of who climbs has found ahead, of (Q,) hits: where the ground goes on.

    Where that is no foothold it feels around, with the `fan`, from the next tick on.
    """
    slot, s = foothold_slot(creature.trunk.shape[0], i), creature.legs[i].segment
    seconds = seconds_to_touchdown(creature.plan, creature.gait, creature.feet[i])
    then = turned_then(creature, gravity, segments, s, hits, seconds)
    first, second = bent_hits(creature, i, hits)
    if first < 0:
        first, second = (second, -1) if second >= 0 else (slot, -1)
    foothold, is_round = creature.footholds[i], is_bent(creature, i)
    if is_round:  # it does not evade edges
        put(foothold.offset, scale(vec(foothold.offset), 0.8))
    if is_round or creature.feet[i].phase != STANDING:
        foothold.clear = 1.0  # it surveys no patch
    found = judge(creature, i, hits[first], then, gravity)
    if second >= 0 and not (found.is_ground and found.is_in_reach):
        found = judge(creature, i, hits[second], then, gravity)
    gropes = foothold.fallback == GROPES
    foothold.fallback = 0 if found.is_ground and found.is_in_reach else GROPES
    if gropes and foothold.fallback == GROPES:
        return feel(creature, i, fan, then, gravity, found)
    return found


@kernel
def feel(
    creature: Creature,
    i: int,
    fan: Records[HitRecord],
    then: Quat,
    gravity: GravityRecord,
    found: Find,
) -> Find:
    """The best foothold that a fan of rays found, or `found`: the nearer to its aim, the better."""
    foot, most = creature.feet[i], 0.0
    for k in range(FAN):
        felt = judge(creature, i, fan[k], then, gravity)
        if felt.is_ground and felt.is_in_reach:
            far = off_aim(creature, i, felt.point, felt.normal) / creature.legs[i].reach
            good = (OLD if k == 0 and foot.phase != STANDING else 1.0) / (1.0 + far * far)
            if good > most:
                found, most = felt, good
    return found


@kernel
def judge(creature: Creature, i: int, hit: HitRecord, then: Quat, gravity: GravityRecord) -> Find:
    """Whether what a leg's ray found is ground, and in reach when the foot lands there."""
    leg = creature.legs[i]
    body = creature.trunk[leg.segment]
    orientation = quat(body.orientation)
    point, normal = vec(hit.point), vec(hit.normal)
    seconds = seconds_to_touchdown(creature.plan, creature.gait, creature.feet[i])
    x, y, _ = travel(body, leg, seconds)
    moved = rotate(orientation, (x, y, body.climb * seconds))
    far, stretch = reach_in_world(add(vec(body.position), moved), then, leg, point)
    steepest = FARTHEST_ROUND if creature.plan.climbs else STEEPEST
    is_ground = hit.is_hit == 1 and dot(normal, rotate(orientation, Z)) >= steepest
    is_ground = is_ground and holds(creature.plan, gravity, point, normal)
    is_in_reach = leg.min_reach <= far and stretch <= LANDING_STRETCH
    if creature.plan.climbs:
        foot = unrotate(then, sub(point, add(vec(body.position), moved)))
        is_in_reach = is_in_reach and pitch_to(leg, foot) <= LANDING_STRETCH
    elif is_too_deep(creature, i, point, normal, add(vec(body.position), moved), gravity):
        is_in_reach = False
    if swings(leg):
        ankle = ankle_of(leg, unrotate(orientation, sub(point, add(vec(body.position), moved))))
        sole = unrotate(orientation, normal)
        is_in_reach = is_in_reach and stands_on(leg, ankle, sole)
        is_in_reach = is_in_reach and not is_too_high(creature, i, point)
    is_clear = is_clear_then(creature, i, point, seconds)
    is_found = hit.is_hit == 1
    return Find(point, normal, stretch, is_found, is_ground, is_in_reach and is_clear, hit.prop)


@kernel
def is_too_deep(
    creature: Creature, i: int, point: Vec, normal: Vec, centre: Vec, gravity: GravityRecord
) -> bool:
    """Whether ground is lower than a foot that stands there could be left behind by its body.

    Only ground below where the foot is counts: it may stand deep already.

    Args:
        creature: whose foot it is.
        i: its leg.
        point: of the ground [m, world].
        normal: there [world].
        centre: of the leg's segment when it lands [m, world].
        gravity: the field.
    """
    down = down_at(gravity, point)
    falls = dot(sub(point, vec(creature.feet[i].position)), down)
    if falls <= creature.plan.step_height:
        return False
    over = sub(centre, point)  # on a slope it stands no deeper
    depth = min(dot(over, normal), -dot(over, down))
    return depth > creature.gait.ride_height + DEEP * creature.legs[i].reach


@kernel
def score_of(creature: Creature, i: int, found: Find, clear: float) -> float:
    """How good a foothold is, 0 to 1: level, clear of edges and feet (0 to 1), in easy reach."""
    leg = creature.legs[i]
    up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
    level = (dot(found.normal, up) - STEEPEST) / (1.0 - STEEPEST)
    if creature.plan.climbs:
        level = 1.0
    ease = (LANDING_STRETCH - found.stretch) / (LANDING_STRETCH - EASY_STRETCH)
    return level * clear * clamp(ease, 0.0, 1.0)


@kernel
def adopt(creature: Creature, i: int, found: Find, score: float, clear: float) -> bool:
    """Make what was found the foothold, where it is one; returns whether it is."""
    foot, foothold = creature.feet[i], creature.footholds[i]
    is_foothold = found.is_ground and found.is_in_reach
    foothold.status = FOUND if is_foothold else NOT_FOUND
    if foot.phase == STANDING:
        foothold.score = score if is_foothold else 0.0
        foothold.clear = clear if is_foothold else 0.0
    if is_foothold:
        put(foothold.position, found.point)
        put(foothold.normal, found.normal)
        foothold.prop = found.prop
        if foot.phase == STANDING and foot.urgency < 1.0 and not creature.plan.climbs:
            foothold.fallback = 0  # there is time to look at the best position again
    return is_foothold


@kernel
def retarget(creature: Creature, i: int, found: Find, score: float, clear: float) -> None:
    """Let a foot in the air go to its new foothold, if that is better than its goal, or far off."""
    leg, foot, foothold = creature.legs[i], creature.feet[i], creature.footholds[i]
    if foot.phase == STANDING:
        return
    up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
    rise = abs(dot(sub(found.point, vec(foot.goal)), up))
    if rise > creature.plan.step_height and foot.progress >= TOO_LATE:
        return
    far = distance(vec(foot.goal), found.point)
    if far < SAME * leg.reach:  # of its own goal it may have seen less before
        foothold.score = min(foothold.score, score)
        foothold.clear = min(foothold.clear, clear)
    is_far = far > STUBBORN * leg.reach and (score > 0.0 or foothold.score == 0.0)
    is_better = score > CHOOSY * foothold.score and foothold.clear == 1.0
    if is_better or is_far:
        put(foot.goal, found.point)
        put(foot.goal_normal, found.normal)
        foot.prop, foothold.is_blocked = found.prop, 0
        foothold.score, foothold.clear = score, clear


@kernel
def fall_back(creature: Creature, i: int, found: Find) -> None:
    """Look elsewhere in the next tick; a wall is evaded first, where there is time for that."""
    foot, foothold = creature.feet[i], creature.footholds[i]
    evades = foot.phase != STANDING or SEARCHING < foot.urgency < PRESSING
    if not found.is_hit or not found.is_in_reach or not evades:
        if not creature.plan.climbs:
            foothold.fallback = (foothold.fallback + 1) % len(FALLBACKS)
        put(foothold.offset, scale(vec(foothold.offset), 0.5))

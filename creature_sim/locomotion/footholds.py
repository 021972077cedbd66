"""Where feet go next: of what was sensed, the ground to stand on, clear of edges and other feet."""

from math import inf

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    AIRBORNE,
    FLYING,
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
from creature_sim.locomotion.arcs import turn_back
from creature_sim.locomotion.bends import is_unsure
from creature_sim.locomotion.bumps import CLEARANCE
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.evasion import evade, leave_feet
from creature_sim.locomotion.fronts import see_fences
from creature_sim.locomotion.gravity import is_on_floor
from creature_sim.locomotion.hips import watches_knee
from creature_sim.locomotion.judging import judge, score_of
from creature_sim.locomotion.knees import is_knee_stuck
from creature_sim.locomotion.landing import is_held, is_out_of_reach
from creature_sim.locomotion.limb_probes import sides_in_ground
from creature_sim.locomotion.others import leave_others, near_to
from creature_sim.locomotion.patch import (
    IN_GROUND,
    cell_clear,
    cell_near,
    cell_offset,
    farness,
    patch_centre,
)
from creature_sim.locomotion.plainness import walks_on_plain
from creature_sim.locomotion.rays import count_cast, is_any_cast
from creature_sim.locomotion.search import FALLBACKS, OLD, PRESSING, SEARCHING, Find, gropes
from creature_sim.locomotion.seeking import look_about
from creature_sim.locomotion.slots import (
    PATCH_RAYS,
    RING,
    SHIN_RAYS,
    along_shin_slot,
    foothold_slot,
    hip_slot,
    ring_slot,
)
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.maths import (
    Floats,
    Vec,
    Z,
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
"""...and one that is higher or lower by this fraction of the reach scores half."""
LEDGE = 0.04
"""A foot that comes down goes up again over what is higher by this fraction of the reach."""
TOO_LATE = 0.3
"""From this progress of a swing on no goal is taken that is higher or lower by more than a usual
step, or its leg would be in the ground on its goal."""


@kernel
def choose_footholds(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    ground: RecordTable[HitRecord],
    is_active: NDArray[np.int8],
    patch_rows: NDArray[np.int64],
    patch_is_active: NDArray[np.int8],
    patches: RecordTable[HitRecord],
    near: Near,
    segments: Records[SegmentRecord],
    gravity: Records[GravityRecord],
    room: Floats,
    dt: float,
) -> None:
    """Take each leg's probe as its foothold if it is ground and in reach at touchdown.

    A leg that finds none looks nearer to its hip in the next tick; one in the air keeps its goal.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S).
        gaits: (N,); whether they are below a roof is written.
        feet: (N, L); goals of feet in the air are written.
        footholds: (N, L); written.
        ground: (N, Q) what the rays found.
        is_active: (N, Q) which of them were cast in this tick.
        patch_rows: (N, L) see `Patches`.
        patch_is_active: (N L, R) which of their rays were cast; of who climbs the first ones.
        patches: (N L, R) what the rays of these found.
        near: other creatures near to each of the N S segments.
        segments: (S,).
        gravity: (1,).
        room: (N, S) between segments and what hangs over them [m].
        dt: length of a tick [s].
    """
    segment_count, leg_count = bodies.shape[1], legs.shape[0]
    for n in range(bodies.shape[0]):
        gaits[n].is_roofed = room[n, gaits[n].leader] < inf
        if gaits[n].flight == AIRBORNE:
            continue
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        others = near_to(near, n, segment_count, leg_count)
        if plan[0].climbs:
            see_fences(creature, segments, ground[n], is_active[n])
        for i in range(leg_count):
            note_shin(creature, i, ground[n], is_active[n])
            slot = foothold_slot(segment_count, i)
            if not is_active[n, slot] or (
                plan[0].climbs and is_unsure(creature, i, ground[n], is_active[n])
            ):
                look_away(creature, i, gravity[0])
                continue
            row = patch_rows[n, i]
            patch = patches[max(row, 0)]
            if plan[0].climbs:
                is_roofed = room[n, legs[i].segment] < inf
                fan = patch[: count_cast(patch_is_active[max(row, 0)])]
                found = look_about(creature, segments, i, ground[n], fan, is_roofed, gravity[0])
            elif row >= 0 and survey(creature, i, patch, others, gravity[0]):
                continue
            else:
                found = look(creature, i, ground[n], gravity[0])
            score = clear = 0.0
            if found.is_hit:
                ring = ring_slot(segment_count, leg_count, i)
                around = ground[n, ring : ring + len(RING) + 1]
                clear = footholds[n, i].clear if feet[n, i].phase != STANDING else 1.0
                sees_all = is_active[n, ring] and is_active[n, ring + len(RING) - 1]
                if not sees_all:  # on plain ground one of them in turn
                    around = around[:0]
                is_known = sees_all or walks_on_plain(gaits[n])
                if is_known and found.point == vec(ground[n, slot].point):
                    clear = evade(creature, i, found, around, others, dt)
                score = score_of(creature, i, found, clear)
            if adopt(creature, i, found, score, clear):
                retarget(creature, i, found, score, clear)
            else:
                fall_back(creature, i, found)


@kernel
def look_away(creature: Creature, i: int, gravity: GravityRecord) -> None:
    """Note that a foot does not look now. On floors one of who climbs knows what it found last.

    As long as it stands it looks every few ticks; a step that is due need not wait for that. Not
    one that feels around, and none on walls and edges: of places found so it shall take no old one.
    """
    plan, body = creature.plan, creature.trunk[creature.legs[i].segment]
    stands = creature.feet[i].phase == STANDING and not gropes(plan, creature.footholds[i])
    if not (plan.climbs and stands and is_on_floor(plan, gravity, body)):
        creature.footholds[i].status = NOT_SOUGHT


@kernel
def note_shin(
    creature: Creature, i: int, ground: Records[HitRecord], is_active: NDArray[np.int8]
) -> None:
    """Note whether a shin meets the ground, and what is below its hip, of (Q,) hits."""
    segment_count, leg_count = creature.trunk.shape[0], creature.legs.shape[0]
    foothold = creature.footholds[i]
    shin = along_shin_slot(segment_count, leg_count, i)
    last = shin + SHIN_RAYS
    if is_any_cast(is_active[shin:last]):
        is_met = sides_in_ground(foothold.is_blocked, is_active[shin:last], ground[shin:last])
        if watches_knee(creature.legs[i]):
            is_met = int(is_knee_stuck(creature, i, ground))
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
    creature: Creature,
    i: int,
    patch: Records[HitRecord],
    near: Near,
    gravity: GravityRecord,
) -> bool:
    """Take the best cell of a patch for a foot's foothold; returns whether there is any.

    A foot in the air goes there. It keeps its goal where no cell is better by a good part.

    Args:
        creature: whose foot it is; it looks for a place.
        i: its leg.
        patch: (PATCH_RAYS,) of ground around its aim.
        near: other creatures.
        gravity: the field.
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
        if foot.phase != STANDING and is_too_late(creature, i, found.point, up):
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
    foothold.score, foothold.clear = min(most, 1.0), min(clearest, SURVEYED)
    if best != old and foot.phase != STANDING:
        go_to(creature, i, found)
    return True


@kernel
def go_to(creature: Creature, i: int, found: Find) -> None:
    """Let a foot in the air go to another place; it rises again where that is past a ledge.

    One that comes down already, and is low over the higher ground, would fly into its edge.
    """
    foot, plan, here = creature.feet[i], creature.plan, vec(creature.feet[i].position)
    rise = dot(sub(found.point, vec(foot.goal)), vec(foot.goal_normal))
    over = dot(sub(here, vec(foot.goal)), vec(foot.goal_normal))
    over = min(over, dot(sub(here, found.point), found.normal))
    put(foot.goal, found.point)
    put(foot.goal_normal, found.normal)
    foot.prop, creature.footholds[i].is_blocked = found.prop, 0
    is_ledge = abs(rise) > LEDGE * creature.legs[i].reach and not plan.climbs
    if is_ledge and foot.phase == FLYING and over < CLEARANCE * plan.step_height:
        turn_back(foot)


@kernel
def look(creature: Creature, i: int, hits: Records[HitRecord], gravity: GravityRecord) -> Find:
    """What a leg has found below its aim, of (Q,) hits."""
    slot, s = foothold_slot(creature.trunk.shape[0], i), creature.legs[i].segment
    return judge(creature, i, hits[slot], quat(creature.trunk[s].orientation), gravity)


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
    """Let a foot in the air go to its new foothold, if that is better than its goal, or far off.

    It is too late to go up or down, but for who climbs, if its leg does not reach its goal: then
    any place is better.
    """
    leg, foot, foothold = creature.legs[i], creature.feet[i], creature.footholds[i]
    if foot.phase == STANDING:
        return
    up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
    is_late = is_too_late(creature, i, found.point, up)
    if is_late and (is_held(creature, i) or not creature.plan.climbs):
        return
    far = distance(vec(foot.goal), found.point)
    if far < SAME * leg.reach:  # of its own goal it may have seen less before
        foothold.score = min(foothold.score, score)
        foothold.clear = min(foothold.clear, clear)
    is_far = far > STUBBORN * leg.reach and (score > 0.0 or foothold.score == 0.0)
    is_better = score > CHOOSY * foothold.score and foothold.clear == 1.0
    if is_better or is_far or (creature.plan.climbs and is_out_of_reach(creature, i)):
        foothold.score, foothold.clear = score, clear
        go_to(creature, i, found)


@kernel
def is_too_late(creature: Creature, i: int, point: Vec, up: Vec) -> bool:
    """Whether it is too late for a foot in the air to go up or down to a point [m, world].

    It is not where its leg would be in the ground on its goal, and it is well above the point.
    """
    foot, usual = creature.feet[i], creature.plan.step_height
    rise = abs(dot(sub(point, vec(foot.goal)), up))
    if rise <= usual or foot.progress < TOO_LATE:
        return False
    is_over = dot(sub(vec(foot.position), point), up) >= usual
    return not (is_over and creature.footholds[i].is_blocked != 0)


@kernel
def fall_back(creature: Creature, i: int, found: Find) -> None:
    """Look elsewhere in the next tick; a wall is evaded first, where there is time for that."""
    foot, foothold = creature.feet[i], creature.footholds[i]
    evades = foot.phase != STANDING or SEARCHING < foot.urgency < PRESSING
    if not found.is_hit or not found.is_in_reach or not evades:
        if not creature.plan.climbs:
            foothold.fallback = (foothold.fallback + 1) % len(FALLBACKS)
        put(foothold.offset, scale(vec(foothold.offset), 0.5))

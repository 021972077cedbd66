"""Rays of feet: at their aims, around these, and along their arcs; how often they are cast."""

from creature_sim.components import (
    FLYING,
    LIFTING,
    PHASE,
    SAMPLED,
    SHIFTED,
    STANDING,
    GravityRecord,
    LegTargetRecord,
)
from creature_sim.locomotion.arcs import over_arc
from creature_sim.locomotion.bends import is_bent
from creature_sim.locomotion.clearance import clear_aim
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.frames import into_frame
from creature_sim.locomotion.patch import cell_offset, patch_centre, surveys
from creature_sim.locomotion.plainness import walks_on_plain
from creature_sim.locomotion.prediction import (
    aims,
    ground_velocity,
    home_ahead,
    home_of,
    is_turn,
    looks_around,
)
from creature_sim.locomotion.rays import Rays, cast_along, cast_none
from creature_sim.locomotion.search import (
    FALLBACKS,
    FROM_FOOT,
    FROM_HIP,
    RING_RADIUS,
    SHIN,
    arc_fraction,
    downhill,
    gropes,
    rise_of,
)
from creature_sim.locomotion.shins import leans_out, shin_of
from creature_sim.locomotion.slots import (
    ARC_RAYS,
    PATCH_RAYS,
    RING,
    arc_slot,
    foothold_slot,
    ring_slot,
    shin_slot,
)
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.maths import (
    Vec,
    Z,
    add,
    along,
    cross,
    distance,
    mix,
    norm,
    put,
    quat,
    reject,
    rotate,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

LOOKING = 0.35
"""A standing foot looks for its next foothold from this urgency on, or when it is its turn."""
LAST_LOOK = 0.97
"""Progress of a swing from which on the ground ahead of it is not looked at any more."""
FOOT_RADIUS = 0.03
"""Rays along an arc lie this far to either side of it in turn, as a fraction of the reach: feet
graze nothing."""
LOOK_EVERY = 2
"""A foot in the air looks at its aim and around it once in so many ticks."""
CLIMBS_LOOKING = 0.7
"""A standing foot of who climbs looks as often from this urgency on..."""
CLIMBS_EVERY = 4
"""...and before it once in so many ticks; around its next foothold..."""
RING_EVERY = 6
"""...once in so many."""
PLAIN_EVERY = 6
"""A foot looks at all of its path as it lifts. On plain ground it then looks at its aim only once
in so many ticks, each time with one ray around it and one along its arc..."""
ON_AIM = 0.03
"""...if it goes to where it aims, up to this fraction of its reach..."""
PLAIN_STANDING = 12
"""...and one that stands around its next foothold..."""
SOON = 0.5
"""There a foot of a gait that reacts looks for it in every tick only from this urgency on. One of a
phase gait that has found one with nothing in its way waits for its turn."""
NOTHING_BETWEEN = 0.09
"""The ground along a path shorter than this fraction of the reach is not looked at."""
AIM_SPEED = 1.0
"""How fast an aim may move over the ground, beside twice the foot's own speed [m/s]."""


@kernel
def aim_of(creature: Creature, gravity: GravityRecord, target: LegTargetRecord, i: int) -> Vec:
    """Where a foot that lifts now, or is in the air, should land, before sensing [m, world]."""
    plan, gait, leg, foot = creature.plan, creature.gait, creature.legs[i], creature.feet[i]
    body, foothold = creature.trunk[leg.segment], creature.footholds[i]
    seconds = seconds_to_touchdown(plan, gait, foot)
    aim = add(home_of(gait, leg), home_ahead(creature, i, seconds))
    aim = add(aim, downhill(plan, gravity, gait, body))
    position, orientation = vec(body.position), quat(body.orientation)
    if not plan.climbs:
        aim = fall_back_to(creature, i, aim)
    aim = add(aim, vec(foothold.offset))
    if target.is_led == SHIFTED:
        aim = add(aim, vec(target.point))
    return add(position, rotate(orientation, clear_aim(creature, i, aim, seconds)))


@kernel
def fall_back_to(creature: Creature, i: int, aim: Vec) -> Vec:
    """Where a foot looks whose search found nothing at its aim, by FALLBACKS [m, segment]."""
    gait, leg, foot = creature.gait, creature.legs[i], creature.feet[i]
    body = creature.trunk[leg.segment]
    where, far = FALLBACKS[creature.footholds[i].fallback]
    if where == FROM_HIP:
        return mix((leg.mount[0], leg.mount[1], -gait.ride_height), aim, far)
    if where == FROM_FOOT:
        here = into_frame(vec(body.position), quat(body.orientation), vec(foot.position))
        return mix(here, aim, far)
    if foot.phase != STANDING:
        return aim
    x, y, _ = vec(gait.commanded_velocity)
    onward = unit((x, y, 0.0), (0.0, 0.0, 0.0))
    return along(aim, onward, far * leg.reach)


@kernel
def move_aim(
    creature: Creature, gravity: GravityRecord, target: LegTargetRecord, i: int, dt: float
) -> None:
    """Aim a foot anew; while it is in the air the aim moves at a bounded speed, or not at all."""
    leg, foot, foothold = creature.legs[i], creature.feet[i], creature.footholds[i]
    if foot.phase != STANDING and not aims(foot, foothold):
        return
    aim = aim_of(creature, gravity, target, i)
    if foot.phase != STANDING:
        old = vec(foothold.aim)
        _, _, speed = ground_velocity(creature.trunk[leg.segment], leg)
        farthest = (AIM_SPEED + 2.0 * speed) * dt
        far = distance(old, aim)
        if far > farthest and foothold.fallback == 0:
            aim = mix(old, aim, farthest / far)
    put(foothold.aim, aim)


@kernel
def probe_foothold(creature: Creature, rays: Rays, i: int, dt: float) -> None:
    """Look at the ground at a foot's aim, if it may step there soon or can still choose."""
    plan, gait, leg, foot = creature.plan, creature.gait, creature.legs[i], creature.feet[i]
    slot = foothold_slot(creature.trunk.shape[0], i)
    if foot.phase != STANDING:
        is_looking = aims(foot, creature.footholds[i])
        is_looking = is_looking and (looks_now(creature, i) or surveys(creature, i))
    else:
        looks, has_turns = foot.urgency > LOOKING, plan.gait_kind == PHASE
        if walks_on_plain(gait) and foot.urgency < (1.0 if has_turns else SOON):
            is_clear = has_turns and creature.footholds[i].clear == 1.0
            looks = looks and is_tick_of(creature, i, PLAIN_EVERY if is_clear else LOOK_EVERY)
        if plan.climbs:  # long before its turn it says how the ground ahead lies
            needs = foot.urgency > CLIMBS_LOOKING
            looks = is_tick_of(creature, i, LOOK_EVERY if needs else CLIMBS_EVERY)
        is_looking = looks or is_turn(plan, gait, foot, dt)
    rays.is_active[slot] = 0
    if is_looking:
        up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
        cast_along(rays, slot, vec(creature.footholds[i].aim), up, rise_of(plan, leg), leg.reach)


@kernel
def is_tick_of(creature: Creature, i: int, every: int) -> bool:
    """Whether it is a leg's tick, or a segment's, of which it has one in so many."""
    return bool((creature.gait.age + i) % every == 0)


@kernel
def looks_now(creature: Creature, i: int) -> bool:
    """Whether a foot in the air looks at its aim and along its way: at once where it has lifted."""
    if creature.feet[i].phase != FLYING:
        return True
    if not is_tick_of(creature, i, LOOK_EVERY):
        return False
    is_due = is_tick_of(creature, i, PLAIN_EVERY)  # that is a multiple
    return is_due or not (walks_on_plain(creature.gait) and is_on_aim(creature, i))


@kernel
def look_in_turn(creature: Creature, i: int, count: int) -> int:
    """Which of so many places a foot in the air looks at now, in turn; -1: at all of them."""
    if creature.feet[i].phase != FLYING or not walks_on_plain(creature.gait):
        return -1
    return int((creature.gait.age + i) // PLAIN_EVERY % count)


@kernel
def is_on_aim(creature: Creature, i: int) -> bool:
    """Whether a foot in the air goes to where it aims, or nearly: its body goes on as it did."""
    leg = creature.legs[i]
    up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
    gap = sub(vec(creature.feet[i].goal), vec(creature.footholds[i].aim))
    return bool(norm(reject(gap, up)) < ON_AIM * leg.reach)


@kernel
def probe_patch(creature: Creature, patch: Rays, i: int) -> None:
    """Look at all of the ground around where a foot should land, where it is rough."""
    leg = creature.legs[i]
    orientation = quat(creature.trunk[leg.segment].orientation)
    up, above = rotate(orientation, Z), rise_of(creature.plan, leg)
    centre = patch_centre(creature, i)
    for k in range(PATCH_RAYS):
        point = add(centre, rotate(orientation, cell_offset(leg, k)))
        cast_along(patch, k, point, up, above, leg.reach)


@kernel
def probe_ring(creature: Creature, rays: Rays, i: int, dt: float) -> None:
    """Look at the ground around a foot's aim, and below a shin that leans out from there."""
    leg, foot = creature.legs[i], creature.feet[i]
    first = ring_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
    cast_none(rays, first, len(RING) + 1)
    foothold = creature.footholds[i]
    if is_bent(creature, i) or gropes(creature.plan, foothold):
        return
    if surveys(creature, i) or not looks_around(creature.plan, creature.gait, foot, foothold, dt):
        return
    if foot.phase == FLYING and not looks_now(creature, i):
        return
    if creature.plan.climbs and foot.phase != LIFTING and not is_tick_of(creature, i, RING_EVERY):
        return
    every = PLAIN_STANDING if foot.phase == STANDING else PLAIN_EVERY
    if (
        walks_on_plain(creature.gait)
        and foot.phase != LIFTING
        and not is_tick_of(creature, i, every)
    ):
        return
    orientation = quat(creature.trunk[leg.segment].orientation)
    up, above = rotate(orientation, Z), rise_of(creature.plan, leg)
    aim = vec(creature.footholds[i].aim)
    one = look_in_turn(creature, i, len(RING))
    for k in range(len(RING)):
        if one >= 0 and k != one:
            continue
        point = along(aim, rotate(orientation, RING[k]), RING_RADIUS * leg.reach)
        cast_along(rays, first + k, point, up, above, leg.reach)
    lean = shin_of(creature, i)
    if one < 0 and leans_out(leg, lean) > 0.0:
        shin = shin_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
        point = along(aim, rotate(orientation, (lean[0], lean[1], 0.0)), SHIN)
        cast_along(rays, shin, point, up, above, leg.reach)


@kernel
def probe_arc(creature: Creature, rays: Rays, i: int) -> None:
    """Look at the ground between a foot in the air and its goal."""
    leg, foot = creature.legs[i], creature.feet[i]
    first = arc_slot(creature.trunk.shape[0], creature.legs.shape[0], i)
    cast_none(rays, first, ARC_RAYS)
    if foot.phase == STANDING or foot.progress >= LAST_LOOK:
        return
    if foot.phase == LIFTING:
        foot.phase = SAMPLED
    track, goal = vec(foot.track), vec(foot.goal)
    if distance(track, goal) < NOTHING_BETWEEN * leg.reach:
        return
    if (walks_on_plain(creature.gait) or creature.plan.climbs) and not looks_now(creature, i):
        return
    up = rotate(quat(creature.trunk[leg.segment].orientation), Z)
    up = over_arc(creature.plan, foot, up)
    aside = cross(up, unit(sub(goal, track), up))
    width, age = FOOT_RADIUS * leg.reach, creature.gait.age
    one = look_in_turn(creature, i, ARC_RAYS)
    for k in range(ARC_RAYS):
        if one >= 0 and k != one:
            continue
        point = mix(track, goal, arc_fraction(age, k))
        point = along(point, aside, width if (age + k) % 2 else -width)
        cast_along(rays, first + k, point, up, rise_of(creature.plan, leg), leg.reach)

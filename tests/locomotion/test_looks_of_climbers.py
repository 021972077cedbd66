"""How often who climbs looks where: its legs cast no rays that would tell them nothing new."""

import numpy as np
import pytest

from creature_sim.components import (
    FLYING,
    LIFTING,
    STANDING,
    GravityRecord,
    HitRecord,
    Records,
    zeros,
)
from creature_sim.ground.rays import Physics
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.locomotion.bends import (
    BACK,
    EVERY,
    INSIDE,
    OVER,
    ROOT,
    UP,
    bent_hits,
    forget_behind,
    is_buried,
    is_unsure,
    probe_bend,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.foot_probes import LOOK_EVERY, probe_ring
from creature_sim.locomotion.groping import FAN, STANDING_FAN, probe_fan
from creature_sim.locomotion.limb_probes import EVERY as BONE_EVERY
from creature_sim.locomotion.limb_probes import probe_shin
from creature_sim.locomotion.rays import Rays, count_cast
from creature_sim.locomotion.reach import coxa_end, hip_of
from creature_sim.locomotion.search import GOOD, GROPES
from creature_sim.locomotion.slots import (
    PATCH_RAYS,
    RING,
    SHIN_RAYS,
    along_shin_slot,
    bend_slot,
    foothold_slot,
    hull_slot,
    ring_slot,
    slot_count,
)
from creature_sim.maths import X, Z, along, put, quat, rotate, scale, sub, unit, vec
from creature_sim.score import Surface, score_track, tracks
from creature_sim.spawn.plans import plan_of
from creature_sim.terrain import build_terrain
from tests.climbers import standing
from tests.scenes import walk

DT = 1.0 / 60.0
LEG = 0


def rays_of(creature: Creature) -> Rays:
    """Room for the rays of a creature that climbs."""
    count = slot_count(1, len(creature.legs), 1)
    return Rays(np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count, np.int64))


def hits_of(creature: Creature) -> Records[HitRecord]:
    """Room for what they find: nothing so far."""
    return zeros(HitRecord, slot_count(1, len(creature.legs), 1))


def bend(creature: Creature, gravity: GravityRecord, rays: Rays, hits: Records[HitRecord]) -> None:
    """Plan the bent rays of a hexapod's leg that looks in this tick."""
    rays.is_active[foothold_slot(1, LEG)] = 1
    segments = plan_of(load_creature("hexapod").climbing).segments
    probe_bend(creature, gravity, segments, rays, hits, LEG)


def test_bones_are_looked_at_along_one_side_in_turn_until_that_meets_something() -> None:
    creature, _ = standing()
    rays, slot = rays_of(creature), along_shin_slot(1, len(creature.legs), LEG)
    joints, seen = np.zeros((4, 3)), set()
    creature.footholds[LEG].is_blocked = 0
    for look in range(SHIN_RAYS * SHIN_RAYS):
        creature.gait.age = BONE_EVERY // 2 + BONE_EVERY * look
        probe_shin(creature, rays, joints, LEG, DT)
        (k,) = np.flatnonzero(rays.is_active[slot : slot + SHIN_RAYS])
        seen.add((k, tuple(np.round(rays.end[slot + k], 9))))
    assert len(seen) == 2 * SHIN_RAYS - 1  # the one that looks ahead is always the same
    creature.footholds[LEG].is_blocked = 1
    probe_shin(creature, rays, joints, LEG, DT)
    assert rays.is_active[slot : slot + SHIN_RAYS].all()


def test_a_foot_that_feels_around_looks_at_no_ring_around_its_aim() -> None:
    """A ring says something of what is straight below the aim only: not of what a fan finds."""
    creature, _ = standing()
    slot = ring_slot(1, len(creature.legs), LEG)
    for fallback, looks in ((0, True), (GROPES, False)):
        rays = rays_of(creature)
        creature.footholds[LEG].fallback = fallback
        creature.feet[LEG].phase = LIFTING
        probe_ring(creature, rays, LEG, DT)
        assert rays.is_active[slot : slot + len(RING)].any() == looks


@pytest.mark.parametrize(
    ("phase", "score", "size"),
    [
        (STANDING, 0.0, STANDING_FAN),
        (STANDING, GOOD, STANDING_FAN // 2),
        (LIFTING, GOOD, FAN),
        (FLYING, 0.5 * GOOD, FAN),
        (FLYING, GOOD, FAN // 2),
    ],
)
def test_a_foot_that_knows_a_good_place_casts_half_a_fan(
    phase: int, score: float, size: int
) -> None:
    creature, _ = standing()
    hits = hits_of(creature)
    fan = Rays(np.zeros((PATCH_RAYS, 3)), np.zeros((PATCH_RAYS, 3)), np.ones(PATCH_RAYS, np.int64))
    creature.feet[LEG].phase, creature.footholds[LEG].score = phase, score
    probe_fan(creature, rays_of(creature), fan, hits, LEG)
    assert count_cast(fan.is_active) == size
    assert fan.is_active[:size].all()  # the first ones: legs judge no others


def test_a_leg_that_feels_around_and_knows_a_good_place_bends_its_rays_less_often() -> None:
    """What they found stays meanwhile. One that knows none needs the far side of the edge."""
    creature, gravity = standing()
    rays, slot = rays_of(creature), bend_slot(1, len(creature.legs), LEG)
    hits = hits_of(creature)  # nothing: below is an edge
    looks = ((0, GOOD, LOOK_EVERY), (GROPES, 0.0, LOOK_EVERY), (GROPES, GOOD, EVERY))
    for fallback, score, every in looks:
        creature.footholds[LEG].fallback, creature.footholds[LEG].score = fallback, score
        for age in range(0, 4 * EVERY, LOOK_EVERY):
            creature.gait.age = age
            hits[slot + UP].is_hit = 1
            bend(creature, gravity, rays, hits)
            assert rays.is_active[slot + OVER]
            assert bool(rays.is_active[slot + BACK]) == (age % every == 0)
            assert hits[slot + UP].is_hit == 1


def test_a_leg_asks_from_the_middle_of_its_body_whether_its_rays_begin_in_rock() -> None:
    """Hips were in a pillar, and the places beside them where their rays began: these found its far
    side, from within. On plain ground no leg asks. What is beyond the hip is beside its coxa."""
    creature, gravity = standing()
    rays, slot = rays_of(creature), bend_slot(1, len(creature.legs), LEG)
    own, body = foothold_slot(1, LEG), creature.trunk[0]
    position, orientation, leg = vec(body.position), quat(body.orientation), creature.legs[LEG]
    hip, end = hip_of(position, orientation, leg), coxa_end(position, orientation, leg)
    hits = hits_of(creature)
    for is_walled in (False, True):
        hits[slot + OVER].is_hit = is_walled
        for age in range(EVERY):
            creature.gait.age = age
            bend(creature, gravity, rays, hits)
            assert bool(rays.is_active[slot + ROOT]) == (age == 0)
            assert bool(rays.is_active[slot + INSIDE]) == is_walled
            for k in (ROOT, INSIDE):
                if rays.is_active[slot + k]:
                    assert np.array_equal(rays.start[slot + k], body.position)
    past = along(end, unit(sub(end, position), X), leg.hip_radius)
    assert np.array_equal(rays.end[slot + ROOT], past)
    assert np.array_equal(rays.end[slot + INSIDE], rays.start[slot + OVER])
    hits[slot + OVER].is_hit = hits[slot + INSIDE].is_hit = 0
    assert not is_buried(creature, LEG, hits)
    hits[slot + INSIDE].is_hit = 1
    assert is_buried(creature, LEG, hits)
    hits[slot + INSIDE].is_hit = 0
    way = unit(sub(hip, position), X)
    put(hits[slot + ROOT].normal, scale(way, -1.0))
    for beyond in (-0.01, 0.01):
        hits[slot + ROOT].is_hit = 1
        put(hits[slot + ROOT].point, along(hip, way, beyond))
        assert is_buried(creature, LEG, hits) == (beyond < 0.0)
    hits[slot + ROOT].is_hit = hits[own].is_hit = 1
    put(hits[own].point, vec(creature.footholds[LEG].aim))
    put(hits[own].normal, rotate(quat(body.orientation), Z))
    bend(creature, gravity, rays, hits)
    assert not rays.is_active[slot + ROOT]
    assert not is_buried(creature, LEG, hits)


def test_what_a_ray_meets_first_counts_once_it_is_known_where_it_began() -> None:
    """A spider's foot stood in the leg of a table, at its far side as seen from within."""
    creature, gravity = standing()
    rays, slot = rays_of(creature), bend_slot(1, len(creature.legs), LEG)
    hits = hits_of(creature)
    put(hits[slot + OVER].normal, rotate(quat(creature.trunk[0].orientation), Z))
    for was_met in (False, True):
        bend(creature, gravity, rays, hits)
        for k in np.flatnonzero(rays.is_active).tolist():  # of these only that one meets anything
            hits[k].is_hit = k == slot + OVER
        put(hits[slot + OVER].point, tuple(rays.end[slot + OVER]))
        assert is_unsure(creature, LEG, hits, rays.is_active) != was_met
        assert not is_buried(creature, LEG, hits)


@pytest.mark.parametrize("at", ["hip", "begin"])
def test_a_leg_asks_for_what_its_hull_has_met(at: str) -> None:
    """A spider's ray began in a shelf and ended there: it met nothing, and the next one from there
    met the underside from within."""
    creature, gravity = standing()
    rays, slot = rays_of(creature), bend_slot(1, len(creature.legs), LEG)
    hits = hits_of(creature)
    bend(creature, gravity, rays, hits)
    assert not rays.is_active[slot + INSIDE]
    body = creature.trunk[0]
    position, orientation = vec(body.position), quat(body.orientation)
    hip, begin = hip_of(position, orientation, creature.legs[LEG]), vec(rays.start[slot + OVER])
    out = unit(sub(hip, begin), X)
    known = hits[hull_slot(1, len(creature.legs), 0)]
    known.is_hit = 1
    if at == "hip":  # the other place is before it
        put(known.normal, scale(out, -1.0))
        put(known.point, along(hip, out, -0.01))
    else:
        put(known.normal, unit(sub(position, begin), X))
        put(known.point, along(begin, vec(known.normal), 0.01))
    bend(creature, gravity, rays, hits)
    assert rays.is_active[slot + INSIDE]
    assert np.allclose(rays.end[slot + INSIDE], hip if at == "hip" else begin)


@pytest.mark.slow
def test_a_foot_beside_a_doorway_stands_on_this_side_of_the_wall() -> None:
    """A spider stood on the outer face of the wall for two seconds, its leg through .3 m of it, and
    walked on with its flank in there."""
    world = with_creature(load_world("room"), load_creature("spider8").climbing)
    (track,) = tracks(walk(world.model_copy(update={"driver": "wander"}), 900), world.tick_rate)
    with Physics(build_terrain(world.terrain, world.seed)) as physics:
        score = score_track(track, Surface(physics), world)
    assert score["M3"].verdict == score["M4"].verdict == "excellent"
    assert score["M5"].verdict != "fail"


def test_what_was_found_behind_an_edge_counts_while_the_way_there_is_free() -> None:
    """An ant leant over in a corner looked back from a point that was beyond the wall by then: it
    found the far side of that, and stood on it facing outdoors."""
    creature, _ = standing("ant")
    slot, own = bend_slot(1, len(creature.legs), LEG), foothold_slot(1, LEG)
    for deep, is_free in ((1.0, True), (0.0, False)):
        hits = hits_of(creature)
        hits[own].is_hit = hits[slot + BACK].is_hit = 1
        aim = creature.footholds[LEG].aim
        hits[own].point[:] = aim[0], aim[1], aim[2] - deep * creature.legs[LEG].reach
        hits[own].normal[:] = 0.0, 0.0, 1.0
        hits[slot + BACK].normal[:] = creature.legs[LEG].out
        forget_behind(creature, LEG, hits)
        assert hits[slot + BACK].is_hit == is_free
        assert bent_hits(creature, LEG, hits) == (own, slot + BACK if is_free else -1)

"""What went wrong with who climbs on bars, round edges and in corners, each on its own."""

import numpy as np
import pytest
from numpy.typing import NDArray

from creature_sim.components import (
    FENCE,
    FLYING,
    FOUND,
    NOT_FOUND,
    STANDING,
    HitRecord,
    Records,
    zeros,
)
from creature_sim.library.loader import load_creature
from creature_sim.locomotion.bends import OVER, probe_bend
from creature_sim.locomotion.clearance import LEAST_GAP, gap_at
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.fronts import see_fences
from creature_sim.locomotion.giving_way import give_way
from creature_sim.locomotion.hanging import held_back
from creature_sim.locomotion.lookout import BEHIND_EDGE
from creature_sim.locomotion.rays import Rays
from creature_sim.locomotion.reach import hip_of
from creature_sim.locomotion.seeking import goes_through
from creature_sim.locomotion.slots import (
    ahead_slot,
    bend_slot,
    foothold_slot,
    front_slot,
    slot_count,
)
from creature_sim.locomotion.urgency import urgency_of
from creature_sim.maths import Vec, X, add, distance, dot, mix, put, quat, rotate, vec
from creature_sim.spawn.plans import plan_of
from tests.climbers import standing

DT = 1.0 / 60.0
SEGMENTS = plan_of(load_creature("hexapod").climbing).segments
ENDS = ((0.0, 0.1, 0.1), (0.0, -0.15, 0.05), (0.0, 0.1, -0.1), (0.0, -0.15, -0.1))
"""Where rays of a front meet a fence."""


def in_world(creature: Creature, point: Vec) -> Vec:
    """A point of a body [m, segment] in the world."""
    body = creature.trunk[0]
    return add(vec(body.position), rotate(quat(body.orientation), point))


@pytest.mark.parametrize("aside", [-0.15, 0.0, 0.15])
def test_a_ray_goes_to_where_that_down_to_a_foothold_begins(aside: float) -> None:
    """That began in a bar beside it, found its far side, and a foot stood in the air there."""
    creature, gravity = standing()
    count = len(creature.legs)
    empty = np.zeros((slot_count(1, count, 1), 3))
    rays = Rays(empty, empty.copy(), np.zeros(len(empty), np.int8))
    hits = zeros(HitRecord, slot_count(1, count, 1))
    segments = plan_of(load_creature("hexapod").climbing).segments
    for i in range(count):
        leg = creature.legs[i]
        x, y, z = vec(leg.home)
        put(creature.footholds[i].aim, in_world(creature, (x + aside, 0.8 * y, z)))
        own = foothold_slot(1, i)
        rays.is_active[own] = 1
        probe_bend(creature, gravity, segments, rays, hits, i)
        slot = bend_slot(1, count, i) + OVER
        start, end, there = (vec(p) for p in (rays.start[slot], rays.end[slot], rays.start[own]))
        along = distance(start, there) + distance(there, end)
        assert along == pytest.approx(distance(start, end), abs=1e-9)


def test_a_foot_deep_below_its_home_steps_if_it_knows_another_place() -> None:
    """Round an edge it was below its home, and stretched: it held its body back for ever."""
    creature, _ = standing()
    foot, foothold = creature.feet[0], creature.footholds[0]
    creature.gait.commanded_pace = 0.5
    put(foothold.aim, vec(foot.position))
    put(creature.trunk[0].position, add(vec(creature.trunk[0].position), (0.0, 0.0, 0.25)))
    for status, aside, steps in (
        (FOUND, 0.0, False),
        (NOT_FOUND, 0.1, False),
        (FOUND, 0.1, True),
    ):
        foothold.status = status
        put(foothold.position, add(vec(foot.position), (aside, 0.0, 0.0)))
        urgency, _ = urgency_of(creature, 0, DT)
        assert (urgency > 1.0) == steps
    creature.plan.climbs = 0
    assert urgency_of(creature, 0, DT)[0] > 1.0  # it may be what holds a body that gets nowhere
    creature.gait.pace = 0.5
    assert urgency_of(creature, 0, DT)[0] < 1.0


def test_a_body_gives_way_to_a_foot_in_the_air_that_is_stretched_out() -> None:
    """Its leg was straight for a second, as the body hung down in its springs."""
    creature, _ = standing()
    position, orientation = np.empty((1, 3)), np.empty((1, 4))
    position[0], orientation[0] = creature.trunk[0].position, creature.trunk[0].orientation
    leg, foot = creature.legs[0], creature.feet[0]
    hip = hip_of(vec(creature.trunk[0].position), quat(creature.trunk[0].orientation), leg)
    home = vec(foot.position)
    foot.phase, foot.elapsed = FLYING, 0.3
    assert held_back(creature, position, orientation, True) == -1
    far = next(k for k in np.linspace(1.0, 2.0, 401) if distance(hip, mix(hip, home, k)) > 0.63)
    put(foot.position, mix(hip, home, float(far)))
    position[0, 2] += 0.01
    assert held_back(creature, position, orientation, True) == 0
    assert held_back(creature, position, orientation, False) == -1
    creature.plan.climbs = 0
    assert held_back(creature, position, orientation, True) == -1


def test_where_a_front_meets_something_there_is_no_edge() -> None:
    """Between bars a ray met the floor from behind: that was an edge, and bodies turned back."""
    creature, hits, is_active = going()
    behind = ahead_slot(1, len(creature.legs), 0) + BEHIND_EDGE
    for is_met in (0, 1):
        hits[behind].is_hit = 1
        hits[front_slot(1, len(creature.legs), 0)].is_hit = is_met
        see_fences(creature, SEGMENTS, hits, is_active)
        assert hits[behind].is_hit == 1 - is_met


def going() -> tuple[Creature, Records[HitRecord], NDArray[np.int8]]:
    """A hexapod that goes ahead, what its rays have found, nothing, and which are cast, all."""
    creature, _ = standing()
    put(creature.gait.commanded_velocity, (0.5, 0.0, 0.0))
    put(creature.trunk[0].velocity, (0.5, 0.0, 0.0))
    count = slot_count(1, len(creature.legs), 1)
    return creature, zeros(HitRecord, count), np.ones(count, np.int8)


def meet(creature: Creature, hit: HitRecord, point: Vec, normal: Vec) -> None:
    """Let a ray have met something [m, segment], that faces so."""
    put(hit.point, in_world(creature, point))
    put(hit.normal, rotate(quat(creature.trunk[0].orientation), normal))
    hit.is_hit = 1


@pytest.mark.parametrize("off", [(0.3, 0.0), (0.7, 0.0), (0.3, 0.2)])
def test_a_bar_ahead_faces_as_its_fence_does(off: tuple[float, float]) -> None:
    """It faced anywhere: bodies stopped before it as before a wall that they had not turned up."""
    far, bend = off  # of the fence, and of one of its ends before it
    creature, hits, is_active = going()
    count = len(creature.legs)
    ahead, first = ahead_slot(1, count, 0), front_slot(1, count, 0)
    sideways = (-0.5, 0.866, 0.0)
    meet(creature, hits[ahead], (far, 0.0, 0.0), sideways)
    for k, (x, y, z) in enumerate(ENDS):
        end = (far + x - (bend if k == 0 else 0.0), y, z)
        meet(creature, hits[first + k], end, (0.0, 0.0, 1.0 if k % 2 else -1.0))
    see_fences(creature, SEGMENTS, hits, is_active)
    faces = -dot(vec(hits[ahead].normal), rotate(quat(creature.trunk[0].orientation), X))
    is_fence = bend == 0.0  # else there is no one plane
    assert (hits[ahead].is_hit == FENCE) == is_fence
    assert faces == pytest.approx(1.0 if is_fence else 0.5, abs=1e-6)


def test_a_wall_ahead_is_no_fence() -> None:
    """One ray meets another wall in a corner: they meet the plane of the first one as well."""
    creature, hits, is_active = going()
    count = len(creature.legs)
    ahead, first = ahead_slot(1, count, 0), front_slot(1, count, 0)
    normal = (-0.8, 0.6, 0.0)
    meet(creature, hits[ahead], (0.35, 0.0, 0.0), normal)
    for k, (_, y, z) in enumerate(ENDS):
        meet(creature, hits[first + k], (0.35 + 0.75 * y, y, z), normal)
    see_fences(creature, SEGMENTS, hits, is_active)
    assert hits[ahead].is_hit == 1
    assert vec(hits[ahead].normal) == pytest.approx(normal)


def test_a_fence_is_known_before_the_ray_ahead_gets_there_and_forgotten_behind() -> None:
    """Feet and bodies knew of it when they were there; after a turn it was ahead all the same."""
    for far, is_known in ((0.7, True), (1.2, False), (-0.5, False)):
        creature, hits, is_active = going()
        ahead, first = (slot(1, len(creature.legs), 0) for slot in (ahead_slot, front_slot))
        for k, (x, y, z) in enumerate(ENDS):
            meet(creature, hits[first + k], (far + x, y, z), (0.0, 0.0, 1.0 if k % 2 else -1.0))
        see_fences(creature, SEGMENTS, hits, is_active)
        assert (hits[ahead].is_hit == FENCE) == is_known


@pytest.mark.parametrize("deep", [0.0, 0.1], ids=["fence", "doorway"])
def test_the_side_of_a_doorway_is_no_bar(deep: float) -> None:
    """Two rays meet the wall around it, and a third its side: no foot would have gone through."""
    creature, hits, is_active = going()
    ahead, first = (slot(1, len(creature.legs), 0) for slot in (ahead_slot, front_slot))
    for k, (x, y, z) in enumerate(ENDS[:2]):
        meet(creature, hits[first + k], (0.4 + x, y, z), (-1.0, 0.0, 0.0))
    x, y, z = ENDS[2]
    meet(creature, hits[first + 2], (0.4 + x + deep, y, z), (0.0, -1.0, 0.0))
    see_fences(creature, SEGMENTS, hits, is_active)
    assert (hits[ahead].is_hit == FENCE) == (deep == 0.0)


@pytest.mark.parametrize(
    ("point", "is_through"),
    [
        ((0.3, 0.35, -0.26), False),  # on the floor before it
        ((0.6, 0.35, -0.26), True),  # behind it
        ((0.41, 0.35, -0.1), False),  # on it
        ((0.6, 0.35, 0.25), False),  # over its top
        ((0.6, 1.5, -0.26), False),  # beside it
    ],
)
def test_no_foot_goes_through_a_fence(point: Vec, is_through: bool) -> None:
    """They stood on the floor behind it, and had to come back as the body went up."""
    creature, _ = standing()
    fence = zeros(HitRecord, 1)[0]
    meet(creature, fence, (0.4, 0.0, 0.0), (-1.0, 0.0, 0.0))
    assert goes_through(creature, 0, fence, in_world(creature, point)) == is_through


def test_a_foot_comes_down_no_farther_where_its_knee_would_meet_another_leg() -> None:
    """Knees go out over feet that come down: one went through the thigh before it."""
    creature, _ = standing()
    i, other = 5, 3
    leg, foot = creature.legs[i], creature.feet[i]
    foot.phase = FLYING
    put(creature.feet[other].position, in_world(creature, (-0.193, -0.479, -0.372)))
    least = LEAST_GAP * leg.reach
    before = in_world(creature, (-0.12, -0.32, 0.05))
    put(foot.position, before)
    smallest = gap_at(creature, i, other, before)
    for z in np.linspace(0.05, -0.37, 30):
        there = in_world(creature, (-0.18, -0.327, float(z)))
        put(foot.position, there)
        put(foot.track, there)
        give_way(creature, i, before)
        before = vec(foot.position)
        gap = gap_at(creature, i, other, before)
        assert gap >= min(least, smallest) - 1e-9
        smallest = gap
    assert creature.feet[other].phase == STANDING

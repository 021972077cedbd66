"""Feet survey the ground around where they step, where that is not clear or not found."""

from functools import cache
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.components import FOUND, LIFTING, NOT_FOUND, STANDING, HitRecord, Records, zeros
from creature_sim.components.plan import LegRecord
from creature_sim.ground.rays import Physics
from creature_sim.locomotion.judging import judge
from creature_sim.locomotion.patch import (
    IN_GROUND,
    SURVEY_EVERY,
    UNSEEN,
    cell_clear,
    cell_near,
    cell_offset,
    farness,
    patch_centre,
    surveys,
)
from creature_sim.locomotion.shins import shin_from, under
from creature_sim.locomotion.slots import PATCH_RAYS, PATCH_SIDE, foothold_slot
from creature_sim.maths import put, quat
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.score import Surface, score_track, tracks
from creature_sim.terrain import build_terrain
from tests.locomotion.test_footholds import Standing
from tests.marks import sample_of
from tests.scenes import scene, walk

LEG, MIDDLE = 2, PATCH_RAYS // 2


def patch_of(standing: Standing, riser: float = np.inf, height: float = 0.2) -> Records[HitRecord]:
    """A patch around a foot's home; beyond `riser` [m] outwards the ground is higher."""
    leg, patch = standing.plan.legs[LEG], zeros(HitRecord, PATCH_RAYS)
    for k in range(PATCH_RAYS):
        x, y, _ = cell_offset(leg, k)
        is_high = y * leg.side > riser
        point = (leg.home[0] + x, leg.home[1] + y, height if is_high else 0.0)
        put(patch[k].point, point)
        put(patch[k].normal, (0.0, 0.0, 1.0))
        patch[k].is_hit, patch[k].prop = 1, -1
    return patch


def clear_of(standing: Standing, patch: Records[HitRecord], k: int) -> float:
    then = quat(standing.creature.trunk[0].orientation)
    found = judge(standing.creature, LEG, patch[k], then, standing.gravity)
    return cell_clear(standing.creature, LEG, patch, k, found, 0.2)


@cache
def legs() -> Records[LegRecord]:
    """Those of the hexapod, which nobody changes."""
    return Standing().plan.legs


@given(st.integers(0, PATCH_RAYS - 1), st.floats(-0.49, 0.49), st.floats(-0.49, 0.49))
def test_the_cell_near_a_point_is_the_one_whose_middle_is_nearest(
    k: int, x: float, y: float
) -> None:
    leg = legs()[LEG]
    size = cell_offset(leg, PATCH_SIDE + 1)[0] - cell_offset(leg, 0)[0]
    a, b, _ = cell_offset(leg, k)
    assert cell_near(leg, (a + x * size, b + y * size, 0.0)) == k


def test_no_cell_is_near_a_point_beyond_the_patch() -> None:
    leg = Standing().plan.legs[LEG]
    x, y, _ = cell_offset(leg, 0)
    assert cell_near(leg, (1.3 * x, y, 0.0)) == cell_near(leg, (-1.3 * x, y, 0.0)) == -1
    assert cell_near(leg, (x, 1.3 * y, 0.0)) == cell_near(leg, (x, -1.3 * y, 0.0)) == -1


def test_the_middle_of_a_patch_is_nearest_and_its_corners_are_farthest() -> None:
    found = [farness(k) for k in range(PATCH_RAYS)]
    assert found[MIDDLE] == 0.0
    assert found[0] == found[-1] == max(found) == 1.0


@pytest.mark.slow
def test_level_ground_is_clear_but_for_what_is_beyond_it() -> None:
    standing = Standing()
    patch = patch_of(standing)
    assert clear_of(standing, patch, MIDDLE) == 1.0
    assert clear_of(standing, patch, PATCH_SIDE // 2) == pytest.approx(UNSEEN)
    assert clear_of(standing, patch, 0) == pytest.approx(UNSEEN**2)


def test_cells_beside_a_riser_are_less_clear_and_those_far_from_it_are_not() -> None:
    standing = Standing()
    leg = standing.plan.legs[LEG]
    size = abs(cell_offset(leg, 0)[1] - cell_offset(leg, 1)[1])
    patch = patch_of(standing, riser=0.5 * size)
    assert clear_of(standing, patch, MIDDLE) == pytest.approx(0.75)
    assert clear_of(standing, patch, MIDDLE - leg.side) == 1.0


def test_a_cell_whose_shin_would_lean_into_what_is_higher_is_hardly_clear() -> None:
    standing = Standing()
    leg = standing.plan.legs[LEG]
    size = abs(cell_offset(leg, 0)[1] - cell_offset(leg, 1)[1])
    near = MIDDLE - 2 * int(leg.side)  # a foot near the hip: its shin leans outwards
    shin = shin_from(leg, tuple(np.add(leg.home, cell_offset(leg, near))))
    assert shin[1] * leg.side > size
    level = clear_of(standing, patch_of(standing), near)
    beside = patch_of(standing, riser=-1.5 * size, height=0.95 * shin[2])
    low = patch_of(standing, riser=-1.5 * size, height=0.2 * shin[2])
    assert clear_of(standing, beside, near) == pytest.approx((level - 0.25) * IN_GROUND, rel=0.2)
    assert clear_of(standing, low, near) == pytest.approx(level - 0.25, rel=0.2)


@pytest.mark.slow
@given(st.floats(-0.3, 0.3), st.floats(-0.3, 0.3), st.floats(0.05, 0.5))
def test_the_lower_side_of_a_shin_is_across_it_and_points_down(
    x: float, y: float, z: float
) -> None:
    across = np.array(under((x, y, z)))
    if np.hypot(x, y) < 1e-6:
        assert not across.any()
        return
    assert across @ (x, y, z) == pytest.approx(0.0, abs=1e-12)
    assert np.linalg.norm(across) == pytest.approx(1.0)
    assert across[2] < 0.0


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "crab", "spider4"])
def test_where_shins_are_is_foreseen_exactly(creature: str) -> None:
    seen = 0
    for state in islice(walk(scene("slope", creature), 120), 60, None, 10):
        own = state.creatures[0]
        turn = rotation_matrices(np.asarray(own.orientation)[None])[0]
        for i, leg in enumerate(own.plan.legs):
            if own.feet["phase"][i] == STANDING:
                knee, foot = (own.joints[i, leg.bone_count - back] for back in (1, 0))
                foreseen = shin_from(leg, tuple((foot - own.position) @ turn))
                assert foreseen == pytest.approx((knee - foot) @ turn, abs=1e-9)
                seen += 1
    assert seen > 10


def test_only_feet_whose_goal_is_not_clear_or_not_found_survey_and_not_at_every_tick() -> None:
    standing = Standing()
    foot, foothold = standing.lift(LEG, 0.5), standing.footholds[0, LEG]
    assert not surveyed(standing)
    foothold.clear = 0.5
    assert surveyed(standing) == 12 // SURVEY_EVERY
    foot.progress = 0.9
    assert not surveyed(standing)
    foot.progress, foot.phase = 0.0, LIFTING
    assert surveyed(standing) == 12
    foot.phase = STANDING
    assert not surveyed(standing)
    foothold.status = NOT_FOUND
    assert not surveyed(standing)  # there is time
    foot.urgency = 1.1
    assert surveyed(standing) == 12 // SURVEY_EVERY
    foothold.status = FOUND
    assert not surveyed(standing)


def surveyed(standing: Standing) -> int:
    """In how many of a dozen ticks a leg surveys its ground."""
    count = 0
    for _ in range(12):
        standing.gaits[0].age += 1
        count += surveys(standing.creature, LEG)
    return count


def test_a_foot_goes_to_the_cell_that_is_clear() -> None:
    standing = Standing()
    leg, foot = standing.plan.legs[LEG], standing.lift(LEG, 0.2)
    foothold = standing.footholds[0, LEG]
    foothold.clear = 0.2
    size = abs(cell_offset(leg, 0)[1] - cell_offset(leg, 1)[1])
    put(foot.goal, tuple(np.add(leg.home, (0.0, leg.side * 0.3 * size, -leg.home[2]))))
    patch = patch_of(standing, riser=0.4 * size)  # right beside where the foot would go
    standing.patches.rows[0, LEG] = 0
    standing.patches.records[0] = patch
    standing.is_active[0, foothold_slot(1, LEG)] = 1
    standing.choose()
    assert foot.goal[2] == 0.0
    assert (leg.home[1] - foot.goal[1]) * leg.side == pytest.approx(size)
    assert foot.goal - patch_centre(standing.creature, LEG) != pytest.approx(0.0)
    assert foothold.score > 0.2


def test_a_foot_that_stands_and_finds_no_place_knows_the_best_cell_and_stays() -> None:
    standing = Standing()
    leg, foot, foothold = standing.plan.legs[LEG], standing.feet[0, LEG], standing.footholds[0, LEG]
    foothold.status, foot.urgency, goal = NOT_FOUND, 1.1, tuple(foot.goal)
    patch = patch_of(standing)
    patch[MIDDLE].is_hit = 0  # right below the aim there is nothing
    standing.patches.rows[0, LEG] = 0
    standing.patches.records[0] = patch
    standing.is_active[0, foothold_slot(1, LEG)] = 1
    standing.choose()
    assert foothold.status == FOUND
    off = np.hypot(*(np.array(foothold.position) - leg.home)[:2])
    side = abs(cell_offset(leg, 0)[1] - cell_offset(leg, 1)[1])
    assert 0.5 * side < off < 1.5 * side  # beside the hole, and clear of it
    assert foot.phase == STANDING
    assert tuple(foot.goal) == goal


@pytest.mark.slow
@pytest.mark.parametrize("world", ["stairs", "steps"])
@pytest.mark.parametrize("creature", sample_of(("ant", "crab", "hexapod"), "crab", "ant"))
def test_no_bone_is_in_the_ground_on_stairs_and_steps(creature: str, world: str) -> None:
    found = []
    for seed in range(3):  # single walks among edges are chaotic
        made = scene(world, creature)
        made = made.model_copy(update={"seed": made.seed + seed})
        (track,) = tracks(walk(made, 600), made.tick_rate)
        with Physics(build_terrain(made.terrain, made.seed)) as physics:
            found.append(score_track(track, Surface(physics), made)["M27"].value or 0.0)
    assert np.median(found) <= 0.01

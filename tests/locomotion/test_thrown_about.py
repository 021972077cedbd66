"""Feet under sticks that are thrown about: they rise clear, lift softly, stand where they must."""

from math import hypot

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.components import FLYING, LIFTING, FootRecord, zeros
from creature_sim.library.loader import load_creature
from creature_sim.locomotion.arcs import hold_of, keep_holds
from creature_sim.locomotion.footholds import is_too_late
from creature_sim.locomotion.limb_probes import EVERY, off_foreseen, probe_shin
from creature_sim.locomotion.prediction import home_ahead, passes_home, travel, turning_back
from creature_sim.locomotion.reach import fits, out_of_fold, reaches
from creature_sim.locomotion.shins import shin_from
from creature_sim.locomotion.slots import SHIN_RAYS, along_shin_slot
from creature_sim.locomotion.swing import PATIENT
from creature_sim.maths import put, quat_about, rotate, sub, vec
from creature_sim.spawn.plans import plan_of
from tests.locomotion.test_footholds import DT, Standing
from tests.locomotion.test_limb_probes import rays_of

HERE, LEVEL, UP = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0)
CREATURES = ("hexapod", "crab", "spider4", "centipede")
LEGS = {creature: plan_of(load_creature(creature)).legs for creature in CREATURES}
PLAN = plan_of(load_creature("crab")).body[0]
SECONDS = 0.3


@given(st.sampled_from(CREATURES), st.floats(0.0, 0.95), st.floats(0.0, 0.99))
def test_a_folded_foot_goes_out_as_high_as_it_is(creature: str, low: float, out: float) -> None:
    """However deep below its shoulder it is, and however near: it is in reach then."""
    leg = LEGS[creature][0]
    nearest = leg.min_reach * leg.arm
    ahead, z = leg.coxa + out * nearest * (1.0 - low**2) ** 0.5, -low * nearest
    x, y = leg.mount[0] + ahead * leg.out[0], leg.mount[1] + ahead * leg.out[1]
    foot = (float(x), float(y), float(leg.mount[2] + z - leg.ankle))
    found = out_of_fold(HERE, LEVEL, leg, foot, 1.0)
    assert found[2] == pytest.approx(foot[2], abs=1e-12)
    far = hypot(hypot(found[0] - leg.mount[0], found[1] - leg.mount[1]) - leg.coxa, z)
    assert far == pytest.approx(nearest, rel=1e-9)
    assert out_of_fold(HERE, LEVEL, leg, foot, 0.0) == foot


def test_a_foot_that_is_not_folded_stays() -> None:
    for legs in LEGS.values():
        for leg in legs:
            home = (float(leg.home[0]), float(leg.home[1]), -0.2)
            if reaches(HERE, LEVEL, leg, home):
                assert out_of_fold(HERE, LEVEL, leg, home, 1.0) == home


@pytest.mark.parametrize(("elapsed", "stops"), [(0.1, True), (0.3, False)])
def test_a_foot_that_sees_a_riser_late_rises_first(elapsed: float, stops: bool) -> None:
    foot = zeros(FootRecord, 1)[0]
    foot.phase, foot.elapsed = FLYING, elapsed
    put(foot.track_rate, (0.4, 0.0, 0.0))
    high = 3.0 * PLAN.step_height
    keep_holds(PLAN, foot, high, PLAN.step_height)
    assert foot.early_hold == (hold_of(PLAN, high) if stops else 0.0)
    assert foot.track_rate[0] == (0.0 if stops else 0.4)


def test_a_body_does_not_turn_away_under_a_foot_that_lifts() -> None:
    standing = Standing()
    leg, foot = standing.plan.legs[0], standing.feet[0, 0]
    out = rotate(quat_about(UP, 0.95 * float(leg.yaw_lo)), sub(vec(leg.home), vec(leg.mount)))
    put(foot.position, (leg.mount[0] + out[0], leg.mount[1] + out[1], 0.0))
    position, turned = standing.bodies["position"][0], np.array([quat_about(UP, 0.1)])
    for phase, elapsed, is_free in ((FLYING, 0.5, True), (LIFTING, 0.0, False)):
        foot.phase, foot.elapsed = phase, elapsed
        assert fits(standing.creature, position, turned) == is_free


@pytest.mark.parametrize(("asked", "back"), [(-0.5, 1.0), (0.5, 0.0), (0.4, 0.0), (0.0, 0.0)])
def test_feet_of_a_body_that_turns_back_land_near_where_it_turns(asked: float, back: float) -> None:
    standing = Standing()
    gait = standing.gaits[0]
    gait.pace, gait.commanded_pace = 0.5, abs(asked)
    put(standing.body.velocity, (0.5, 0.0, 0.0))
    put(gait.commanded_velocity, (asked, 0.0, 0.0))
    assert turning_back(standing.creature, 0) == pytest.approx(back)
    going = travel(standing.body, standing.plan.legs[0], passes_home(standing.creature, 0, SECONDS))
    found = home_ahead(standing.creature, 0, SECONDS)
    if back == 0.0:
        assert found == going
        return
    # Where a body that brakes evenly, and goes back, is in the middle of the stance.
    time, pull = SECONDS + 0.5 * float(gait.stroke) / 0.5, float(standing.plan.body[0].acceleration)
    lasts = min(time, 1.0 / pull)
    there = 0.5 * lasts - 0.5 * pull * lasts**2 - 0.5 * (time - lasts)
    assert found[0] == pytest.approx(there, abs=1e-12)
    assert found[0] < 0.5 * going[0]


def test_shins_are_looked_along_where_they_were_solved() -> None:
    leg = plan_of(load_creature("spider8")).legs[0]
    foot = (float(leg.home[0]), float(leg.home[1]), -0.25)
    joints = np.zeros((5, 3))
    joints[leg.bone_count] = foot
    knee = np.add(foot, shin_from(leg, foot))
    joints[leg.bone_count - 1] = np.add(knee, (0.01, -0.02, 0.0))
    off = off_foreseen(leg, joints, LEVEL, foot, foot)
    assert off == pytest.approx((0.01, -0.02, 0.0), abs=1e-12)
    joints += 1.0  # solved elsewhere: it was put back
    assert off_foreseen(leg, joints, LEVEL, foot, foot) == HERE


@pytest.mark.parametrize(
    ("progress", "height", "is_blocked", "is_late"),
    [(0.6, 0.4, 1, False), (0.6, 0.4, 0, True), (0.6, 0.2, 1, True), (0.2, 0.2, 0, False)],
)
def test_a_foot_goes_up_late_only_where_its_leg_would_be_in_the_ground(
    progress: float, height: float, is_blocked: int, is_late: bool
) -> None:
    standing = Standing()
    foot, usual = standing.feet[0, 0], float(standing.plan.body[0].step_height)
    foot.phase, foot.progress = FLYING, progress
    standing.footholds[0, 0].is_blocked = is_blocked
    put(foot.position, (foot.goal[0], foot.goal[1], height))
    higher = (float(foot.goal[0]), float(foot.goal[1]), 1.5 * usual)
    assert is_too_late(standing.creature, 0, higher, UP) == is_late
    assert not is_too_late(standing.creature, 0, vec(foot.goal), UP)


@pytest.mark.parametrize("speed", [0.0, 0.3, 0.7])
def test_shins_are_looked_along_where_a_body_stands_that_stops_at_the_next_look(
    speed: float,
) -> None:
    standing = Standing()
    put(standing.body.velocity, (speed, 0.0, 0.0))
    standing.gaits[0].age = EVERY - EVERY // 2
    rays, slot = rays_of(standing), along_shin_slot(1, len(standing.plan.legs), 0)
    probe_shin(standing.creature, rays, np.zeros((4, 3)), 0, DT)
    last = slot + SHIN_RAYS - 1
    leg = standing.plan.legs[0]
    stops = speed**2 / (2.0 * PATIENT * float(standing.plan.body[0].acceleration))
    goes = EVERY * DT * speed + stops
    foot = (leg.home[0] - goes, leg.home[1], -float(standing.gaits[0].ride_height))
    along = np.array(shin_from(leg, foot))
    seen = rays.start[last] - rays.end[last]
    assert np.cross(seen, along) == pytest.approx(0.0, abs=1e-9)

"""How feet of who climbs feel around for ground, and how far their thighs pitch for it."""

import numpy as np
import pytest

from creature_sim.components import LegRecord
from creature_sim.lab.course import Trial
from creature_sim.lab.run import run_trial
from creature_sim.library.loader import load_creature
from creature_sim.locomotion.groping import FAN, HIGHEST, STANDING_FAN, fan_direction
from creature_sim.locomotion.reach import out_of_pitch, pitch_at, pitch_to
from creature_sim.maths import GOLDEN, Vec, add, vec
from creature_sim.spawn.plans import plan_of
from tests.marks import THOROUGH


def foot_of(leg: LegRecord, thigh: float, knee: float) -> Vec:
    """Where a foot is whose thigh rises by an angle, and whose knee bends down by another [m]."""
    shank = leg.arm - leg.thigh
    ahead = leg.coxa + leg.thigh * np.cos(thigh) + shank * np.cos(thigh - knee)
    up = leg.thigh * np.sin(thigh) + shank * np.sin(thigh - knee)
    x, y, _ = leg.out
    return add(vec(leg.mount), (ahead * x, ahead * y, up))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hexapod", "ant"])
def test_a_thigh_pitches_as_its_foot_says(name: str) -> None:
    plan = plan_of(load_creature(name).climbing)
    random = np.random.default_rng(1)
    for leg in plan.legs:
        middle, half = 0.5 * (leg.pitch_lo + leg.pitch_hi), 0.5 * (leg.pitch_hi - leg.pitch_lo)
        for _ in range(200):
            thigh = random.uniform(leg.pitch_lo - 0.5, leg.pitch_hi + 0.5)
            knee = random.uniform(0.3, 2.4)
            foot = foot_of(leg, thigh, knee)
            level = foot[0] * leg.out[0] + foot[1] * leg.out[1]
            begins = leg.mount[0] * leg.out[0] + leg.mount[1] * leg.out[1]
            if level < begins + leg.coxa:  # its hip would turn round instead
                continue
            assert pitch_to(leg, foot) == pytest.approx(abs(thigh - middle) / half, abs=1e-9)


@pytest.mark.parametrize("name", ["hexapod", "ant", "spider8"])
def test_feet_in_the_air_go_out_no_farther_than_their_thighs_ask_for(name: str) -> None:
    plan = plan_of(load_creature(name).climbing)
    random = np.random.default_rng(2)
    moved = 0
    for leg in plan.legs:
        for _ in range(200):
            ahead, rise = random.uniform(0.01, 0.6), random.uniform(-0.5, 0.5)
            there = out_of_pitch(leg, ahead, rise)
            if pitch_at(leg, ahead, rise) <= 1.0:
                assert there == ahead
                continue
            moved += 1
            assert there > ahead
            if pitch_at(leg, max(ahead, leg.arm), rise) <= 1.0:
                assert pitch_at(leg, there, rise) <= 1.0
                assert pitch_at(leg, there - 0.01 * leg.arm, rise) > 1.0
    assert moved > 20


def test_thighs_of_who_does_not_climb_are_not_looked_at() -> None:
    for leg in plan_of(load_creature("hexapod")).legs:
        assert pitch_to(leg, (0.1, 0.1, 3.0)) == 0.0


@pytest.mark.parametrize("size", [FAN, STANDING_FAN])
def test_a_fan_covers_what_a_leg_reaches(size: int) -> None:
    for leg in plan_of(load_creature("spider8").climbing).legs:
        ways = np.array(
            [
                fan_direction(leg, k, size, shift)
                for shift in np.linspace(0.0, 0.99, 40)
                for k in range(1, size)
            ]
        )
        assert np.allclose((ways**2).sum(axis=1), 1.0)
        assert ways[:, 2].min() < -0.99
        assert ways[:, 2].max() > HIGHEST - 0.05
        x, y, _ = vec(leg.middle)
        sides = np.arctan2(x * ways[:, 1] - y * ways[:, 0], x * ways[:, 0] + y * ways[:, 1])
        half = 0.5 * (leg.yaw_hi - leg.yaw_lo)
        assert np.abs(sides).max() <= half + 1e-9
        # No direction of them is farther than .35 rad from a ray of some tick.
        z = np.linspace(-0.95, HIGHEST, 12)
        for turn in np.linspace(-half, half, 12):
            level = np.sqrt(1.0 - z * z)
            cosine, sine = np.cos(turn), np.sin(turn)
            there = np.stack(
                (level * (cosine * x - sine * y), level * (sine * x + cosine * y), z), axis=1
            )
            assert np.arccos(np.clip(there @ ways.T, -1.0, 1.0)).min(axis=1).max() < 0.35


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "course", "seed"),
    [
        ("hexapod", "inner_edge", 0),
        pytest.param("hexapod", "pillar", 0, marks=THOROUGH),
        pytest.param("hexapod", "pillar", 6, marks=THOROUGH),
        ("hexapod", "lattice", 3),
        ("ant", "outer_edge", 0),
        pytest.param("ant", "corridor", 3, marks=THOROUGH),
        pytest.param("ant", "lattice", 2, marks=THOROUGH),
        pytest.param("ant", "pillar", 0, marks=THOROUGH),
        pytest.param("spider8", "ceiling", 0, marks=THOROUGH),
        pytest.param("spider8", "outer_edge", 4, marks=THOROUGH),
        pytest.param("spider8", "room", 0, marks=THOROUGH),
    ],
)
def test_courses_that_leave_the_floor_are_crossed(name: str, course: str, seed: int) -> None:
    """Legs keep apart, whose body hangs on them, and reach their feet within their limits."""
    trial = Trial(course, 0.5, seed)
    outcome = run_trial(load_creature(name).climbing, trial, also=("M1", "M22"))
    assert outcome.verdict == "success", outcome.cause
    for metric in ("M1", "M22", "M33"):
        assert outcome.metrics[metric].verdict != "fail", metric


@pytest.mark.parametrize(("size", "ticks", "widest"), [(FAN, 2, 0.2), (STANDING_FAN, 4, 0.25)])
def test_a_fan_leaves_no_gap_once_it_has_moved_on_for_a_while(
    size: int, ticks: int, widest: float
) -> None:
    """Where it moved on to the side as far as up, gaps of .22 to .5 rad stayed for ever."""
    leg = plan_of(load_creature("hexapod").climbing).legs[0]
    ways = [
        fan_direction(leg, k, size, (GOLDEN * ticks * look) % 1.0)
        for look in range(30)
        for k in range(1, size)
    ]
    places = [fan_direction(leg, k, 400, 0.5) for k in range(1, 400)]
    nearest = (np.array(places) @ np.array(ways).T).max(axis=1)
    assert np.arccos(np.clip(nearest.min(), -1.0, 1.0)) < widest

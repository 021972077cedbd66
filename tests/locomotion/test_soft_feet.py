"""Feet in the air: minimum-jerk timing, and what it makes of walks over worlds."""

from math import inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.components import SAMPLED, FootRecord, zeros
from creature_sim.library.loader import load_creature
from creature_sim.locomotion.arcs import fly, keep_holds, path_done, time_of
from creature_sim.locomotion.swing import begin_swing, lands
from creature_sim.locomotion.timing import (
    ARCH_BEND,
    TOP_ACCELERATION,
    TOP_BEND,
    TOP_RISE,
    TOP_SPEED,
    along_quintic,
    arch,
    how_high,
    minimum_jerk,
    replan,
    settle,
    shortest_swing,
)
from creature_sim.maths import Floats, Vec, put, quat, sub, unrotate, vec
from creature_sim.score.reading import spans
from creature_sim.spawn.plans import plan_of
from tests.scenes import Footprints, scene, thrown_about, walk

DT = 1.0 / 60.0
UP = (0.0, 0.0, 1.0)
PLAN = plan_of(load_creature("hexapod")).body[0]

coordinates = st.floats(-1.0, 1.0)
points = st.tuples(coordinates, coordinates, coordinates)


def test_peaks_of_a_minimum_jerk_path_are_those_of_the_closed_form() -> None:
    times = np.linspace(0.0, 1.0, 2001)
    path = np.array([minimum_jerk(float(time)) for time in times])
    assert path[:, 1].max() == pytest.approx(TOP_SPEED) == pytest.approx(1.875)
    assert path[:, 2].max() == pytest.approx(TOP_ACCELERATION, rel=1e-6)
    assert (path[[0, -1], 1:] == 0.0).all()
    assert path[-1, 0] == pytest.approx(1.0)
    arches = np.array([arch(float(time)) for time in times])
    for values in (path, arches):  # each column is the rate of the one before
        for column in (0, 1):
            numeric = np.gradient(values[:, column], times)[1:-1]
            assert numeric == pytest.approx(values[1:-1, column + 1], abs=1e-3)


def test_an_arch_is_softer_than_a_half_sine() -> None:
    times = np.linspace(0.0, 1.0, 2001)
    arches = np.array([arch(float(time)) for time in times])
    done, rate, bend = np.array([minimum_jerk(float(time)) for time in times]).T
    sines = np.sin(np.pi * done)
    rises = np.pi * np.cos(np.pi * done) * rate
    turns = np.pi * np.cos(np.pi * done) * bend - np.pi**2 * sines * rate**2
    assert rises.max() == pytest.approx(TOP_RISE, rel=1e-3)
    assert np.abs(turns).max() == pytest.approx(TOP_BEND, rel=1e-9)
    assert arches[1000] == pytest.approx((1.0, 0.0, -ARCH_BEND), abs=1e-9)
    assert np.abs(arches[:, 2]).max() == pytest.approx(ARCH_BEND, rel=1e-9)
    assert ARCH_BEND < 0.84 * TOP_BEND
    assert arches[:, 1].max() < TOP_RISE
    assert (arches[[0, -1], :] == 0.0).all()
    ends = (times > 0.0) & (times < 0.05)
    assert (arches[ends, 0] < sines[ends]).all()
    flanks = (times > 0.3) & (times < 0.7)
    assert (arches[flanks, 0] >= sines[flanks]).all()


@given(st.floats(0.0, 1.0), st.floats(0.0, 0.16), st.floats(0.0, 0.16))
def test_the_time_of_a_part_of_a_path_is_known_nearly(
    fraction: float, early: float, late: float
) -> None:
    foot = zeros(FootRecord, 1)[0]
    foot.early_hold, foot.late_hold = early, late
    times = np.linspace(early, 1.0 - late, 1001)
    done = []
    for time in times:
        foot.elapsed = time
        done.append(path_done(foot))
    assert time_of(foot, fraction) == pytest.approx(np.interp(fraction, done, times), abs=0.06)


@pytest.mark.slow
@given(points, points, points, st.floats(0.05, 2.0), st.floats(0.0, 1.0))
def test_a_new_plan_begins_as_the_foot_goes_and_ends_at_rest(
    gap: Vec, rate: Vec, bend: Vec, left: float, t: float
) -> None:
    plan = replan(gap, rate, bend, left)
    moved, faster, bent = along_quintic(rate, bend, *plan, 0.0)
    assert (moved, faster, bent) == ((0.0, 0.0, 0.0), rate, bend)
    moved, faster, bent = along_quintic(rate, bend, *plan, left)
    assert moved == pytest.approx(gap, abs=1e-9)
    assert np.array(faster) * left == pytest.approx(0.0, abs=1e-9)
    assert np.array(bent) * left * left == pytest.approx(0.0, abs=1e-9)
    # From half-way on the same goal asks for the rest of the same path.
    now = 0.5 * left
    moved, faster, bent = along_quintic(rate, bend, *plan, now)
    rest = sub(gap, moved)
    later = along_quintic(faster, bent, *replan(rest, faster, bent, left - now), t * now)
    whole = along_quintic(rate, bend, *plan, now + t * now)
    assert np.array(moved) + later[0] == pytest.approx(np.array(whole[0]), abs=1e-8)


@pytest.mark.slow
@given(st.floats(-1.0, 1.0), st.floats(-5.0, 5.0), st.floats(1.0, 60.0))
def test_an_offset_settles_alike_at_every_tick_rate(x: float, v: float, stiffness: float) -> None:
    once = settle(x, v, 0.0, 0.1, stiffness)
    state = (x, v, 0.0)
    for _ in range(10):
        state = settle(*state, 0.01, stiffness)
    assert state == pytest.approx(once, rel=1e-6, abs=1e-6)
    assert settle(x, v, 3.0, 0.0, stiffness) == pytest.approx((x, v, 3.0), abs=1e-9)


def lifted(goal: tuple[float, float, float]) -> FootRecord:
    foot = zeros(FootRecord, 1)[0]
    begin_swing(foot)
    put(foot.goal, goal)
    put(foot.normal, UP)
    foot.phase = SAMPLED
    return foot


def flight(foot: FootRecord, wanted: float, heights: list[float], goals: list[Floats]) -> Floats:
    """Positions (T, 3) of a foot until it would land, over heights and to goals that change."""
    found, tick = [foot.position.copy()], 0
    while not lands(foot, DT) and tick < 300:
        height = heights[min(tick, len(heights) - 1)]
        put(foot.goal, vec(goals[min(tick, len(goals) - 1)]))
        keep_holds(PLAN, foot, height, height)
        fly(PLAN, foot, height, wanted, 1.0, inf, 0.0, UP, DT)
        found.append(foot.position.copy())
        tick += 1
    assert np.linalg.norm(foot.position - foot.goal) < 0.01  # all but one tick of the way
    return np.array([*found, foot.goal])


@pytest.mark.slow
@pytest.mark.parametrize("height", [0.09, 0.2, 0.4])
@pytest.mark.parametrize("distance", [0.05, 0.3, 0.6])
def test_no_swing_is_faster_than_the_plan_allows(height: float, distance: float) -> None:
    goal = np.array((distance, 0.0, 0.1))
    path = flight(lifted(tuple(goal)), 20.0, [height], [goal])
    speed = np.linalg.norm(np.diff(path, axis=0), axis=1) / DT
    change = np.linalg.norm(np.diff(path, 2, axis=0), axis=1) / DT**2
    effort = 1.0 + PLAN.effort * how_high(PLAN, height)
    assert speed.max() <= 1.1 * effort * PLAN.foot_speed
    assert change.max() <= 1.1 * effort**2 * PLAN.foot_acceleration
    unit = np.sqrt(9.81 * PLAN.reach)
    assert max(speed[0], speed[-1]) < 0.05 * unit
    seconds = len(speed) * DT
    assert seconds >= 0.9 * shortest_swing(PLAN, distance, height)


def test_goals_and_heights_that_change_on_the_way_make_no_jump() -> None:
    goals = [np.array((0.4, 0.0, 0.0))] * 6 + [np.array((0.3, 0.15, 0.1))]
    for heights in ([0.09], [0.09] * 8 + [0.25]):
        path = flight(lifted((0.4, 0.0, 0.0)), 4.0, heights, goals)
        change = np.linalg.norm(np.diff(path, 2, axis=0), axis=1) / DT**2
        assert change.max() <= 1.35 * PLAN.foot_acceleration


def peaks(prints: Footprints) -> tuple[Floats, Floats, Floats]:
    """Largest speed, acceleration and speed at either end of every swing, in roots of g L and g."""
    unit = np.sqrt(9.81 * prints.reach.mean())
    speed = np.linalg.norm(np.diff(prints.tips, axis=0), axis=2) / DT / unit
    change = np.linalg.norm(np.diff(prints.tips, 2, axis=0), axis=2) / DT**2 / 9.81
    found = []
    for leg, first, last in spans(prints.is_swinging):
        if first > 2 and last < len(prints.tips) - 2:
            own = speed[first - 1 : last, leg]
            goes = own[own > 1e-6]
            ends = max(goes[0], goes[-1]) if len(goes) else 0.0
            found.append((own.max(), change[first - 2 : last, leg].max(), ends))
    fastest, hardest, ends = np.array(found).T
    return fastest, hardest, ends


@pytest.mark.slow
@pytest.mark.parametrize("world", ["hills", "stairs"])
@pytest.mark.parametrize("creature", ["hexapod", "biped"])
def test_feet_of_a_walk_are_soft(creature: str, world: str) -> None:
    fast, hard, ends = peaks(Footprints(walk(scene(world, creature), 900)))
    assert len(fast) > 20
    assert np.quantile(fast, 0.95) < 1.4
    assert np.quantile(hard, 0.95) < 8.0
    assert np.quantile(ends, 0.95) < 0.06


@pytest.mark.slow
def test_feet_are_soft_under_sticks_that_are_thrown_about() -> None:
    fast, hard, ends = peaks(Footprints(thrown_about(scene("steps", "hexapod"), "random", 900)))
    assert np.quantile(fast, 0.95) < 1.4
    assert np.quantile(hard, 0.95) < 10.0
    assert np.quantile(ends, 0.95) < 0.06


def test_a_body_slows_down_on_stairs_and_not_on_level_ground() -> None:
    waits = {}
    for world in ("meadow", "stairs"):
        states = list(walk(scene(world, "hexapod", driver="forward 12"), 600))
        gaits = [state.creatures[0].gait for state in states[120:]]
        waits[world] = np.mean([gait.is_waiting for gait in gaits])
        moved = states[-1].creatures[0].position - states[120].creatures[0].position
        assert np.linalg.norm(moved) > 3.0
    assert waits["meadow"] == 0.0
    assert waits["stairs"] > 0.2


@pytest.mark.slow
def test_footholds_lead_on_the_circle() -> None:
    """In the middle of a stance a foot is beside its home, whether the body turns or not."""
    errors = {}
    for driver in ("forward 12", "forward left 12"):
        prints = Footprints(walk(scene("meadow", "hexapod", driver=driver), 600))
        gaps = []
        for leg, first, last in prints.stances():
            if first > 180 and last < 600:
                middle = (first + last) // 2
                ahead, aside, _ = unrotate(
                    quat(prints.orientations[middle]),
                    vec(prints.tips[middle, leg] - prints.positions[middle]),
                )
                gaps.append(np.hypot(*(np.array((ahead, aside)) - prints.legs[leg].home)))
        errors[driver] = np.median(gaps)
    assert errors["forward left 12"] < 1.5 * errors["forward 12"] + 0.01

"""Courses that leave the floor: what d changes, ways along them, and who is sent where."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from creature_sim.definitions.climbing import ClimbDef
from creature_sim.errors import DefinitionError
from creature_sim.ground.rays import Physics
from creature_sim.lab import Course, Trial, check_kind, ground
from creature_sim.lab.climbs import CLIMBS, RIDE
from creature_sim.lab.run import run_trial
from creature_sim.lab.way import Way
from creature_sim.library.loader import load_creature
from creature_sim.maths import Vec
from creature_sim.simulation import Simulation
from creature_sim.terrain import build_terrain


@pytest.mark.slow
@pytest.mark.parametrize("name", CLIMBS)
@pytest.mark.parametrize("d", [0.0, 0.5, 1.0])
@pytest.mark.parametrize("reach", [0.2, 0.65, 4.0])
def test_ways_lead_along_the_ground(name: str, d: float, reach: float) -> None:
    """Every point of a way is as far from what is nearest to it as a body is."""
    scale = reach / 0.5
    course = Course(reach, min(8.0 * scale, 24.0), 20.0, 0.7 * scale, 0.7, climbs=True)
    points = course.way(Trial(name, d, 0)).points
    terrain = build_terrain(ground(name, d, reach, course.clearing, course.length, climbs=True), 0)
    away = np.random.default_rng(1).normal(size=(2000, 3))
    away /= np.linalg.norm(away, axis=1)[:, None]
    with Physics(terrain) as physics:
        for point in points:
            starts = np.broadcast_to(np.array(point), away.shape)
            fractions, _ = physics.cast(starts, starts + 2.0 * reach * away)
            nearest = 2.0 * reach * fractions.min()
            assert nearest == pytest.approx(RIDE * scale, abs=0.11 * scale), point


def test_edges_are_right_angles_and_bars_as_far_apart_as_asked_for() -> None:
    def solids(name: str, d: float) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = ground(name, d, 0.5, 1.0, 8.0).model_dump()["solids"]
        return found

    (wall,) = solids("inner_edge", 0.5)
    assert wall["rotation"] == pytest.approx((0.0, 0.0, 0.0))
    (wall,) = solids("inner_edge", 1.0)
    assert wall["rotation"] == pytest.approx((0.0, np.radians(-30.0), 0.0))
    for d, pitch in ((0.0, 0.1), (0.5, 0.15), (1.0, 0.2)):
        level, upright = solids("lattice", d)
        assert level["step"] == pytest.approx((0.0, 0.0, pitch))
        assert upright["step"] == pytest.approx((0.0, pitch, 0.0))


def test_only_who_climbs_is_sent_up_a_pillar() -> None:
    course = Course.of(load_creature("hexapod"))
    assert not course.climbs
    assert course.way(Trial("pillar", 0.5, 0)).points == ()
    assert ground("pillar", 0.5, 0.5, 1.0, 8.0).kind == "pillar"
    assert ground("pillar", 0.5, 0.5, 1.0, 8.0, climbs=True).kind == "solids"
    climber = replace(course, climbs=True)
    assert len(climber.way(Trial("pillar", 0.5, 0)).points) == 6
    assert climber.way(Trial("slope", 0.5, 0)).points == ()
    for name in CLIMBS:
        check_kind(name)
    with pytest.raises(DefinitionError, match=r"inner_edge, .* found 'outer edge'"):
        check_kind("outer edge")


def test_a_way_is_over_when_its_points_were_passed_in_order() -> None:
    with Simulation(
        Course.of(load_creature("hexapod")).world(load_creature("hexapod"), Trial("slope", 0.0, 0))
    ) as simulation:
        creature = simulation.snapshot.creatures[0]
    x, y, z = creature.position.tolist()

    def point(ahead: float, up: float) -> Vec:
        return (x + ahead, y, z + up)

    way = Way((point(0.4, 0.0), point(0.0, 2.0), point(0.1, 0.0)), 5.0, 0.5)
    first = way.left(creature)
    assert way.passed == 1  # the last one is near too, but comes later
    assert first == pytest.approx(2.0 + np.hypot(0.1, 2.0))
    over = Way((point(0.4, 0.0), point(0.1, 0.1)), 5.0, 0.5)
    assert over.left(creature) == 0.0
    assert Way((), 8.0, 0.5).left(creature) == pytest.approx(8.0 - x)


@pytest.mark.slow
def test_a_walker_is_stopped_by_a_wall_and_passes_a_corridor() -> None:
    creature = load_creature("hexapod")
    assert run_trial(creature, Trial("inner_edge", 0.5, 1)).cause == "it came no farther"
    assert run_trial(creature, Trial("corridor", 0.5, 1)).verdict == "success"


@pytest.mark.slow
def test_who_climbs_crosses_courses_that_leave_the_floor() -> None:
    climber = load_creature("ant").model_copy(update={"climb": ClimbDef()})
    outcome = run_trial(climber, Trial("inner_edge", 0.5, 0))
    assert outcome.verdict != "fall"
    assert not outcome.cause.startswith("it ")  # it passed all points in time
    assert outcome.metrics["M33"].verdict != "fail"
    assert outcome.metrics["M36"].verdict != "fail"
    assert outcome.metrics["M21"].value == pytest.approx(8.0, abs=6.0)  # rays of the walk alone
    assert set(run_trial(load_creature("ant"), Trial("slope", 0.0, 0)).metrics) == {
        "M3",
        "M4",
        "M6",
    }

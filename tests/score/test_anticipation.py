"""M29: bodies that set out and stop as masses do, rails, and feet that lift too late."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from creature_sim.ground.rays import Physics
from creature_sim.library.loader import builtin_names
from creature_sim.score import Metric, Surface, Track, Walk, tracks
from creature_sim.score.anticipation import anticipation, set_outs
from creature_sim.terrain import build_terrain
from tests.scenes import walk
from tests.score.test_liveliness import flat_world

DRIVE = "stop 1; forward 3; stop 3"


@cache
def walked(creature: str, drive: str = DRIVE, **motion: Any) -> Track:
    """A creature on flat ground that sets out and stops."""
    world = flat_world(creature, drive, **motion)
    (track,) = tracks(walk(world, 7 * world.tick_rate), world.tick_rate)
    return track


def judged(track: Track) -> Metric:
    """M29 of a walk on flat ground."""
    world = flat_world("hexapod", DRIVE)
    with Physics(build_terrain(world.terrain, world.seed)) as physics:
        return anticipation(Walk(track, Surface(physics)))


@pytest.mark.slow
@pytest.mark.parametrize("creature", builtin_names("creature"))
def test_every_body_sets_out_and_stops_as_a_mass(creature: str) -> None:
    metric = judged(walked(creature))
    assert metric.verdict != "fail", metric.reason


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "spider8", "ant", "crab"])
def test_a_body_moves_before_its_first_foot_and_goes_less_than_a_twentieth(creature: str) -> None:
    track = walked(creature)
    (gone,) = set_outs(track)
    assert 0.005 < gone / track.reach.mean() < 0.05


@pytest.mark.slow
@pytest.mark.parametrize("way", ["left", "back", "strafe-left"])
def test_it_sets_out_to_all_sides(way: str) -> None:
    assert judged(walked("spider8", f"stop 1; {way} 3; stop 3")).verdict != "fail"


@pytest.mark.slow
def test_rails_do_not_overshoot() -> None:
    metric = judged(walked("hexapod", weight=0.0))
    assert metric.verdict == "fail"


def test_a_body_that_is_on_its_way_before_a_foot_lifts_fails() -> None:
    track = walked("hexapod")
    late = track.is_swinging.copy()
    late[:90] = False
    metric = judged(replace(track, is_swinging=late))
    assert metric.verdict == "fail"
    assert metric.value is not None
    assert metric.value > 0.1


@pytest.mark.slow
def test_who_neither_sets_out_nor_stops_is_not_judged() -> None:
    assert judged(walked("hexapod", "stop 7")).verdict == "n/a"


@pytest.mark.slow
def test_rails_set_out_without_preparing() -> None:
    track = walked("hexapod", weight=0.0)
    moves = np.linalg.norm(np.diff(track.position[:, :2], axis=0), axis=1)
    speed = np.diff(moves[60:70]) * track.tick_rate**2
    assert np.allclose(speed[1:], track.definition.motion.acceleration, rtol=0.1)

"""M42: bodies that go evenly, and bodies that surge with every step."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from creature_sim.components import FLYING_FREE
from creature_sim.maths import Floats
from creature_sim.score import Metric, Track, Walk, tracks
from creature_sim.score.evenness import even_speed
from creature_sim.score.rhythm import stride_ticks
from tests.scenes import scene, walk
from tests.score.changes import flagged

SPEED = 0.6


@cache
def walked() -> Track:
    made = scene("meadow", "hexapod", driver="forward 6")
    return tracks(walk(made, 360), 60)[0]


def judged(track: Track) -> Metric:
    return even_speed(Walk(track))


def moved(speeds: Floats) -> Track:
    """A walk whose body goes so fast in each tick instead, (T - 1, 2) along X and Y [m/s]."""
    track = walked()
    centre = np.zeros_like(track.centre)
    centre[1:, :2] = speeds.cumsum(axis=0) / track.tick_rate
    return replace(track, centre=centre)


def surging(ahead: float, aside: float) -> Floats:
    """Speeds that swing once a stride by so much of the mean."""
    track = walked()
    turns = 2.0 * np.pi * np.arange(len(track.centre) - 1) / stride_ticks(track, 60, 360)
    waves = np.stack((1.0 + ahead * np.sin(turns), aside * np.sin(turns)), axis=1)
    return SPEED * waves


@pytest.mark.slow
def test_a_built_in_creature_goes_evenly() -> None:
    metric = judged(walked())
    assert metric.verdict == "excellent"


@pytest.mark.parametrize(
    ("ahead", "verdict"), [(0.05, "excellent"), (0.25, "pass"), (0.4, "fail"), (0.9, "fail")]
)
def test_a_wave_deviates_by_its_height_over_the_root_of_two(ahead: float, verdict: str) -> None:
    metric = judged(moved(surging(ahead, 0.0)))
    assert metric.value == pytest.approx(ahead / np.sqrt(2.0), rel=0.05)
    assert metric.verdict == verdict


def test_a_body_that_is_thrown_from_side_to_side_surges_as_well() -> None:
    assert judged(moved(surging(0.0, 2.0))).verdict == "fail"
    assert judged(moved(surging(0.0, 0.3))).verdict == "excellent"


def test_who_speeds_up_slowly_does_not_surge() -> None:
    speeds = np.linspace(0.3, 0.6, len(walked().centre) - 1)
    assert judged(moved(np.stack((speeds, 0.0 * speeds), axis=1))).verdict == "excellent"


@pytest.mark.parametrize(
    "change",
    [
        flagged("flight", FLYING_FREE),
        flagged("run", 1),
        flagged("is_held_back", 1),
        flagged("is_waiting", 1),
    ],
)
def test_who_never_goes_freely_is_not_judged(change: Callable[[Track], Track]) -> None:
    metric = judged(change(walked()))
    assert metric.verdict == "n/a"
    assert "never went freely" in metric.reason

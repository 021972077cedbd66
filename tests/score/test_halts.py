"""M41: bodies that stop as walkers do, and bodies on a leash."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from creature_sim.components import FLYING_FREE
from creature_sim.maths import Floats
from creature_sim.score import Metric, Track, Walk, tracks
from creature_sim.score.halts import sudden_stops
from tests.scenes import scene, walk
from tests.score.changes import flagged

SPEED, STOPS_AT = 0.6, 60
STOPPED = slice(STOPS_AT, STOPS_AT + 4)


@cache
def walked(rate: int = 60) -> Track:
    made = scene("meadow", "hexapod", driver="forward 3; stop 2", tick_rate=rate)
    return tracks(walk(made, 5 * rate), rate)[0]


def moved(speeds: Floats, direction: tuple[float, float, float] = (1.0, 0.0, 0.0)) -> Track:
    """A walk whose body goes so fast in each tick instead [m/s]."""
    track = walked()
    steps = np.zeros(len(track.centre))
    steps[1 : 1 + len(speeds)] = speeds / track.tick_rate
    centre = track.centre[0] + steps.cumsum()[:, None] * np.array(direction)
    return replace(track, centre=centre)


def stopping(ticks: int, end: float = 0.0) -> Floats:
    """A body that goes at SPEED, and is at another one after so many ticks more."""
    times = np.arange(len(walked().centre) - 1)
    return np.interp(times, [STOPS_AT, STOPS_AT + ticks], [SPEED, end])


def judged(track: Track) -> Metric:
    return sudden_stops(Walk(track))


@pytest.mark.slow
@pytest.mark.parametrize("rate", [30, 60, 120])
def test_a_walk_that_is_told_to_stop_stops_as_walkers_do(rate: int) -> None:
    metric = judged(walked(rate))
    assert metric.verdict == "excellent"
    assert metric.value == pytest.approx(1.6 / 9.81, rel=0.5)  # its acceleration, and its springs


@pytest.mark.parametrize(
    ("ticks", "verdict"), [(1, "fail"), (3, "fail"), (9, "pass"), (20, "excellent")]
)
def test_a_stop_counts_as_its_deceleration(ticks: int, verdict: str) -> None:
    metric = judged(moved(stopping(ticks)))
    seconds = max(ticks, 3) / 60  # a stop in one tick is as sudden as one in three
    assert metric.value == pytest.approx(SPEED / seconds / 9.81)
    assert metric.verdict == verdict


def test_the_reason_says_when_and_how_often() -> None:
    speeds = stopping(1)
    speeds[120:180] = np.linspace(0.0, SPEED, 60)  # it sets out again, and stops again
    metric = judged(moved(speeds))
    assert metric.reason.endswith("2 above 0.5")
    assert float(metric.reason.split("at ")[1].split(" s")[0]) == pytest.approx(1.0, abs=0.05)


def test_turning_back_is_more_than_a_stop_and_speeding_up_is_none() -> None:
    assert judged(moved(stopping(3, -SPEED))).value == pytest.approx(2 * SPEED / 0.05 / 9.81)
    assert judged(moved(stopping(1)[::-1])).value == pytest.approx(0.0)


def test_what_falls_or_rises_does_not_stop_along_the_ground() -> None:
    assert judged(moved(stopping(1), (0.0, 0.0, -1.0))).value == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize(
    "change",
    [
        flagged("age", 0, STOPPED),
        flagged("flight", FLYING_FREE, STOPPED),
        flagged("run", 1, STOPPED),
        flagged("is_held_back", 1, STOPPED),
    ],
)
def test_walls_resets_leaps_and_runs_do_not_count(change: Callable[[Track], Track]) -> None:
    assert judged(change(moved(stopping(1)))).verdict == "excellent"


def test_who_finds_no_ground_is_to_stop_softly_as_well() -> None:
    track = flagged("is_held_back", 1, STOPPED)(moved(stopping(1)))
    assert judged(flagged("finds_nothing", 1, STOPPED)(track)).verdict == "fail"


def test_what_does_not_apply_says_why() -> None:
    track = walked()
    short = replace(track, flight=np.full_like(track.flight, FLYING_FREE))
    assert "never walked" in judged(short).reason

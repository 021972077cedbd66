"""M43: bodies that go where they are told to, and bodies that stand there."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from creature_sim.components import FLYING_FREE
from creature_sim.definitions import WorldDef
from creature_sim.ground.rays import Physics
from creature_sim.maths import Floats
from creature_sim.score import Metric, Surface, Track, Walk, tracks
from creature_sim.score.standstills import is_at_edge, is_told, standstills
from creature_sim.terrain import build_terrain
from tests.scenes import scene, walk
from tests.score.changes import flagged

RATE, SECONDS = 60, 8
TICKS = RATE * SECONDS
AT = 240
STOOD = slice(AT, AT + 90)
PIT = {"kind": "pit", "depth": 0.5, "size": 4.0, "spacing": 4.0, "clearing": 1.5}


@cache
def walked(driver: str = "forward 8", rate: int = RATE) -> Track:
    made = scene("meadow", "hexapod", driver=driver, tick_rate=rate)
    return tracks(walk(made, SECONDS * rate), rate)[0]


def judged(track: Track) -> Metric:
    return standstills(Walk(track))


def going(fractions: Floats | float, driver: str = "forward 8") -> Track:
    """A walk that does such a fraction of what is asked for in each tick instead."""
    track = walked(driver)
    shares = np.broadcast_to(fractions, TICKS + 1)
    ways = track.wanted[:, :2] * shares[:, None] / RATE
    centre = np.zeros_like(track.centre)
    centre[1:, :2] = ways[1:].cumsum(axis=0)
    return replace(track, centre=centre, yaw_rate=track.wanted[:, 2] * shares)


def stopped(ticks: int) -> Floats:
    """Fractions of a body that goes, stands for so many ticks, and goes on."""
    fractions = np.ones(TICKS + 1)
    fractions[AT : AT + ticks] = 0.0
    return fractions


@pytest.mark.parametrize("rate", [30, 60, 120])
@pytest.mark.parametrize("driver", ["forward 8", "left 8", "strafe-left 8"])
def test_a_walk_goes_where_it_is_told_to(rate: int, driver: str) -> None:
    metric = judged(walked(driver, rate))
    assert metric.value == 0.0
    assert metric.verdict == "excellent"


@pytest.mark.parametrize("driver", ["forward 8", "left 8", "strafe-left 8"])
@pytest.mark.parametrize(("fraction", "value"), [(0.0, 1.0), (0.09, 1.0), (0.11, 0.0)])
def test_less_than_a_tenth_of_what_is_asked_for_is_a_standstill(
    driver: str, fraction: float, value: float
) -> None:
    assert judged(going(fraction, driver)).value == value


@pytest.mark.parametrize(("ticks", "verdict"), [(28, "excellent"), (40, "pass"), (90, "fail")])
def test_a_stop_counts_where_half_a_second_around_hardly_moves(ticks: int, verdict: str) -> None:
    track = going(stopped(ticks))
    count = ticks - 30 + 1 + 2 * 2  # two of thirty ticks may be of those that go
    metric = judged(track)
    assert metric.value == pytest.approx(count / is_told(track).sum())
    assert metric.verdict == verdict
    assert metric.reason.endswith(f"the longest {count / RATE:.1f} s")


def test_a_walk_that_pulses_does_not_stand() -> None:
    pulses = np.where(np.arange(TICKS + 1) % 24 < 20, 0.0, 6.0)
    assert judged(going(pulses)).value == 0.0


def test_the_first_second_is_to_set_out() -> None:
    told = np.flatnonzero(is_told(walked()))
    assert RATE < told[0] <= 1.5 * RATE  # of setting out a second counts from a fifth of its speed


def test_who_turns_as_it_is_told_to_does_not_stand() -> None:
    track = going(0.0)
    wanted = track.wanted.copy()
    wanted[:, 2] = walked("left 8").wanted[:, 2]
    track = replace(track, wanted=wanted)
    assert judged(track).value == 1.0
    assert judged(replace(track, yaw_rate=wanted[:, 2])).value == 0.0


def test_sticks_that_are_shaken_ask_nobody_to_go() -> None:
    track = going(0.0)
    wanted = track.wanted * np.where(np.arange(TICKS + 1) % 2, 1.0, -1.0)[:, None]
    assert judged(replace(track, wanted=wanted)).verdict == "n/a"


@pytest.mark.parametrize(
    "change",
    [
        flagged("flight", FLYING_FREE, STOOD),
        flagged("run", 1, STOOD),
        flagged("is_held_back", 1, STOOD),
        flagged("is_braced", 1, STOOD),
        flagged("is_lost", 1, STOOD),
    ],
)
def test_walls_leaps_runs_and_motions_may_hold_a_body(change: Callable[[Track], Track]) -> None:
    track = going(stopped(90))
    assert judged(track).verdict == "fail"
    assert judged(change(track)).value == 0.0


def before_a_pit() -> WorldDef:
    world = scene("meadow", "hexapod", driver=f"forward {SECONDS}").model_dump(mode="json")
    return WorldDef.model_validate({**world, "terrain": PIT})


@cache
def blocked() -> Track:
    """A real walk up to a pit, before which it stands."""
    return tracks(walk(before_a_pit(), TICKS), RATE)[0]


def test_who_stands_on_open_ground_fails_and_who_stands_before_a_pit_does_not() -> None:
    pit, plain = before_a_pit(), scene("meadow", "hexapod")
    track = blocked()
    with Physics(build_terrain(plain.terrain, plain.seed)) as physics:
        metric = standstills(Walk(track, Surface(physics)))
        assert metric.verdict == "fail"
        assert metric.value is not None
        assert metric.value > 0.2
    with Physics(build_terrain(pit.terrain, pit.seed)) as physics:
        assert standstills(Walk(track, Surface(physics))).verdict == "excellent"


def test_an_edge_lies_where_the_body_is_told_to_go() -> None:
    pit = before_a_pit()
    track = blocked()
    back = replace(track, wanted=track.wanted * (-1.0, -1.0, 1.0, 1.0))
    last = np.array([TICKS])
    with Physics(build_terrain(pit.terrain, pit.seed)) as physics:
        ahead, behind = (is_at_edge(Walk(seen, Surface(physics)), last) for seen in (track, back))
    assert ahead.all()
    assert not behind.any()


def test_what_does_not_apply_says_why() -> None:
    assert "never told" in judged(walked("stop 8")).reason

"""M23: creatures that pass through each other, and those that do not."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from creature_sim.score import Metric, Surface, Track, score_track, tracks
from creature_sim.score.meetings import creature_overlap
from creature_sim.score.walk import Walk
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from tests.rays import rays_on
from tests.scenes import herd


@cache
def pair(creature: str) -> tuple[Track, Track]:
    """Two that walk side by side, 2 m apart, for two seconds."""
    world = herd("meadow", creature, [(0.0, -1.0), (0.0, 1.0)], driver="forward 9")
    level = world.terrain.model_copy(update={"amplitude": 0.0})
    world = world.model_copy(update={"terrain": level})
    with Simulation(world) as simulation:

        def snapshots() -> Iterator[Snapshot]:
            yield simulation.snapshot
            for _ in range(120):
                simulation.step()
                yield simulation.snapshot

        first, second = tracks(snapshots(), 60)
    return first, second


def moved(track: Track, aside: float, ticks: slice) -> Track:
    """A ghost: it goes so far through others for some ticks [m]."""
    out = np.zeros((len(track.tips), 3))
    out[ticks, 1] = aside
    return replace(
        track,
        position=track.position + out,
        positions=track.positions + out[:, None],
        centre=track.centre + out,
        joints=track.joints + out[:, None, None],
        foot=track.foot + out[:, None],
    )


def overlap(track: Track, other: Track) -> Metric:
    return creature_overlap(Walk(track, others=(other,)))


@pytest.mark.parametrize("creature", ["hexapod", "crab", "centipede"])
def test_who_keeps_apart_is_excellent_and_a_ghost_fails(creature: str) -> None:
    a, b = pair(creature)
    metric = overlap(a, b)
    assert metric.verdict == "excellent"
    assert metric.value == 0.0
    through = overlap(a, moved(b, -2.0, slice(60, 61)))  # one tick in the same place
    assert through.verdict == "fail"
    assert through.value == pytest.approx(1 / 121)
    assert "bodies in 0.83 %" in through.reason
    assert overlap(moved(b, -2.0, slice(60, 61)), a).value == through.value


def test_legs_may_touch_now_and_then_but_not_often() -> None:
    a, b = pair("hexapod")
    near = moved(b, -1.15, slice(40, 60))  # feet cross, bodies are far from each other
    assert overlap(a, near).verdict == "fail"
    assert "bodies" not in overlap(a, near).reason
    value = overlap(a, near).value
    assert value is not None
    assert 0.005 < value < 0.2


def test_who_was_not_there_at_the_time_is_not_met() -> None:
    a, b = pair("hexapod")
    ghost = moved(b, -2.0, slice(0, None))
    assert overlap(a, replace(ghost, begin=len(a.tips))).value == 0.0
    later = overlap(a, replace(ghost, begin=1)).value
    assert later == pytest.approx(120 / 121)


def test_who_is_alone_is_not_judged() -> None:
    a, b = pair("hexapod")
    world = herd("meadow", "hexapod", [(0.0, -1.0), (0.0, 1.0)])
    surface = Surface(rays_on(world.terrain, world.seed))
    assert score_track(a, surface, world)["M23"].verdict == "n/a"
    assert score_track(a, surface, world, others=(b,))["M23"].verdict == "excellent"

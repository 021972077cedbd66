"""M32: herds that walk each at its own pace, and herds that march as metronomes do."""

from dataclasses import replace

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.score import Metric, Track, Walk, tracks
from creature_sim.score.march import march
from tests.marks import sample_of
from tests.scenes import herd, scene, walk

PLACES = [(2.5 * x, 2.5 * y) for x in (-2, -1, 0, 1) for y in (-1, 0, 1)]


def walked(world: WorldDef, seconds: int) -> list[Track]:
    return tracks(walk(world, seconds * world.tick_rate), world.tick_rate)


def judged(found: list[Track]) -> list[Metric]:
    return [march(Walk(one, others=tuple(x for x in found if x is not one))) for one in found]


@pytest.mark.slow
@pytest.mark.parametrize(
    "creature", sample_of(["hexapod", "spider4", "spider8", "biped"], "hexapod", "biped")
)
def test_a_herd_does_not_march_in_step(creature: str) -> None:
    metrics = judged(walked(herd("meadow", creature, PLACES, driver="forward 20"), 20))
    assert {metric.verdict for metric in metrics} <= {"excellent", "pass"}
    assert np.mean([metric.value for metric in metrics]) < 0.35


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "spider8"])
def test_a_metronome_herd_fails(creature: str) -> None:
    (track,) = walked(scene("meadow", creature, driver="forward 12"), 12)
    for metric in judged([track, *(_again(track) for _ in range(3))]):
        assert metric.verdict == "fail"
        assert metric.value == pytest.approx(1.0)


def _again(track: Track) -> Track:
    return replace(track, position=track.position + 2.0)


@pytest.mark.slow
def test_who_walks_by_itself_does_not_march() -> None:
    (track,) = walked(scene("meadow", "hexapod", driver="forward 3"), 3)
    assert march(Walk(track)).verdict == "n/a"
    assert march(Walk(track, others=(_again(track),))).verdict == "n/a"  # not for long enough

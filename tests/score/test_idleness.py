"""M30: creatures that stand live; statues and jelly fail."""

from dataclasses import replace

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.ground.rays import Physics
from creature_sim.library.loader import builtin_names
from creature_sim.score import Metric, Surface, Track, Walk, tracks
from creature_sim.score.idleness import idle_life
from creature_sim.terrain import build_terrain
from tests.scenes import scene, walk

DRIVE = "forward 1; stop 12"


def judged(world: WorldDef, track: Track) -> Metric:
    with Physics(build_terrain(world.terrain, world.seed)) as physics:
        return idle_life(Walk(track, Surface(physics)))


def walked(creature: str, drive: str = DRIVE, seconds: int = 13) -> tuple[WorldDef, Track]:
    world = scene("meadow", creature, driver=drive)
    (track,) = tracks(walk(world, seconds * world.tick_rate), world.tick_rate)
    return world, track


@pytest.mark.slow
@pytest.mark.parametrize("creature", builtin_names("creature"))
def test_creatures_that_stand_live(creature: str) -> None:
    metric = judged(*walked(creature))
    assert metric.verdict == "pass", metric


@pytest.mark.slow
def test_a_statue_and_jelly_fail() -> None:
    world, track = walked("hexapod")
    height = track.definition.body.ride_height
    statue = track.position.copy()
    statue[-540:] = statue[-540]
    assert judged(world, replace(track, position=statue)).verdict == "fail"
    jelly = track.position.copy()
    jelly[-540:, 2] += 0.1 * height * np.sin(0.05 * np.arange(540))
    assert judged(world, replace(track, position=jelly)).verdict == "fail"


@pytest.mark.slow
def test_who_walks_or_is_meant_to_stand_still_is_not_judged() -> None:
    assert judged(*walked("hexapod", "forward 60", 8)).verdict == "n/a"
    world, track = walked("hexapod")
    motion = track.definition.motion.model_copy(update={"idle": 0.0})
    quiet = track.definition.model_copy(update={"motion": motion})
    assert judged(world, replace(track, definition=quiet)).verdict == "n/a"

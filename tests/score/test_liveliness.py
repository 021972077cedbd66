"""M28: bodies that live on their legs, rails and jelly."""

from functools import cache
from typing import Any

import numpy as np
import pytest

from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.ground.rays import Physics
from creature_sim.library.loader import builtin_names, load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.score import Metric, Surface, Walk, tracks
from creature_sim.score.liveliness import liveliness
from creature_sim.terrain import build_terrain
from tests.advice.spoiling import columns
from tests.scenes import walk

SECONDS = 11


def flat_world(creature: str, drive: str, **motion: Any) -> WorldDef:
    """A creature on flat ground, whose motion is changed."""
    plan = load_creature(creature)
    changed = plan.model_copy(update={"motion": plan.motion.model_copy(update=motion)})
    world = load_world("meadow")
    terrain = world.terrain.model_copy(update={"amplitude": 1e-4, "octaves": 1})
    return with_creature(world.model_copy(update={"terrain": terrain, "driver": drive}), changed)


@cache
def lives(creature: str, drive: str = "forward 60", **motion: Any) -> Metric:
    """M28 of a creature on flat ground."""
    world = flat_world(creature, drive, **motion)
    (track,) = tracks(walk(world, SECONDS * world.tick_rate), world.tick_rate)
    with Physics(build_terrain(world.terrain, world.seed)) as physics:
        return liveliness(Walk(track, Surface(physics)))


@pytest.mark.slow
@pytest.mark.parametrize("creature", builtin_names("creature"))
def test_every_body_lives_on_its_legs(creature: str) -> None:
    metric = lives(creature)
    assert metric.verdict != "fail", metric.reason


@pytest.mark.slow
def test_a_tripod_and_a_trot_beat_in_the_rhythm_of_their_steps() -> None:
    assert {lives(creature).verdict for creature in ("hexapod", "spider4")} == {"excellent"}


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "spider4"])
def test_rails_are_dead(creature: str) -> None:
    metric = lives(creature, weight=0.0)
    assert (metric.verdict, metric.value) == ("fail", 0.0)


@pytest.mark.slow
def test_jelly_bobs_too_much() -> None:
    metric = lives("hexapod", frequency=3.0, damping=0.1)
    assert metric.verdict == "fail"
    assert float(metric.reason.split("bob ")[1].split(" ")[0]) > 6.0


@pytest.mark.slow
def test_who_does_not_walk_straight_on_is_not_judged() -> None:
    assert lives("hexapod", "forward left 60").verdict == "n/a"


def test_the_height_of_a_tall_body_is_measured_and_no_number_of_the_rays() -> None:
    table = columns().model_dump(mode="json")
    table["body"]["size"] = [4.0 * size for size in table["body"]["size"]]
    table["body"]["ride_height"] *= 4.0
    table["gait"] |= {"stride_length": 1.0, "step_height": 0.3}
    for leg in table["leg_pairs"]:
        leg["foot"] = {"heel": 0.1, "toe": 0.2}
        for key in ("mount", "bones", "home"):
            leg[key] = [4.0 * part for part in leg[key]]
    tall = CreatureDef.model_validate(table)
    world = with_creature(flat_world("hexapod", "forward 60"), tall)
    (track,) = tracks(walk(world, 60), world.tick_rate)
    with Physics(build_terrain(world.terrain, world.seed)) as physics:
        heights = Walk(track, Surface(physics)).body_heights
    assert heights.min() > 1.5
    assert np.abs(heights - track.position[:, 2]).max() < 1e-3

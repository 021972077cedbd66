"""The score on a planet: up is where the weight says, so it is the same on every side."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices, tangents
from creature_sim.score import Metric, Surface, Track, score_track, tracks
from creature_sim.terrain.build import Terrain
from creature_sim.terrain.tiles.tiles import MeshTile
from creature_sim.terrain.traits import planet_in, planet_of
from tests.grounds import SharedPhysics, shared_terrain
from tests.scenes import scene, walk
from tests.score.leg_walkers import grazing
from tests.score.test_score import BAD_WALKERS, DRIVE, SOME_BAD_WALKERS, failed, mistakes, walked

UNTURNED = np.array([0.0, 0.0, 0.0, 1.0])
HALF_ROUND = np.array([1.0, 0.0, 0.0, 0.0])
"""What is on top comes below."""
SLANTED = np.array([0.5, 0.1, -0.7, 0.5])
"""Neither along any axis nor a symmetry of the facets."""


@cache
def walked_on_planet(creature: str, driver: str = DRIVE, seconds: int = 10) -> Track:
    made = scene("planet", creature, driver=driver)
    return tracks(walk(made, seconds * made.tick_rate), made.tick_rate)[0]


def radius_of(world: WorldDef) -> float:
    """Of the planet that the ground is [m]."""
    planet = planet_in(world.terrain)
    assert planet is not None
    return planet.radius


def about_middle(turn: Floats, places: Floats, world: WorldDef) -> Floats:
    """Places (..., 3) turned about the middle of the planet."""
    middle = np.array(planet_of(world.terrain))
    turned: Floats = middle + (places - middle) @ rotation_matrices(turn).T
    return turned


def turned(turn: Floats, track: Track, world: WorldDef) -> Track:
    """A walk as it would be elsewhere on a round planet."""
    x, y, z, w = turn
    before = np.array([(w, -z, y, x), (z, w, -x, y), (-y, x, w, z), (-x, -y, -z, w)])
    moved: dict[str, Any] = {
        name: about_middle(turn, getattr(track, name), world)
        for name in ("position", "positions", "centre", "joints", "foot")
    }
    return replace(
        track,
        **moved,
        orientations=track.orientations @ before.T,
        foot_rotation=track.foot_rotation @ before.T,
    )


def ground_of(world: WorldDef, turn: Floats = UNTURNED) -> Terrain:
    """The ground of a planet, turned about its middle with all its facets."""
    terrain = shared_terrain(world.terrain, world.seed)
    tiles = [tile for tile in terrain.tiles if isinstance(tile, MeshTile)]
    assert len(tiles) == len(terrain.tiles)
    return Terrain(
        tuple(MeshTile(about_middle(turn, tile.vertices, world), tile.triangles) for tile in tiles),
        f"{terrain.digest} {turn}",
    )


def scored(track: Track, world: WorldDef, terrain: Terrain) -> dict[str, Metric]:
    with SharedPhysics(terrain) as physics:
        return score_track(track, Surface(physics), world)


@pytest.mark.slow
@pytest.mark.parametrize("turn", [HALF_ROUND, SLANTED], ids=["below", "slanted"])
@pytest.mark.parametrize("creature", ["hexapod", "biped"])
def test_a_walk_scores_the_same_on_every_side(creature: str, turn: Floats) -> None:
    world, track = scene("planet", creature), walked_on_planet(creature)
    on_top = scored(track, world, ground_of(world))
    there = scored(turned(turn, track, world), world, ground_of(world, turn))
    assert failed(on_top) == set()
    for number, metric in there.items():
        assert metric.verdict == on_top[number].verdict, number
        if metric.value is not None:
            assert metric.value == pytest.approx(on_top[number].value, abs=2e-5), number


@pytest.mark.slow
@pytest.mark.parametrize("fault", SOME_BAD_WALKERS, ids=lambda fault: fault.__name__)
def test_a_bad_walker_below_a_planet_fails_what_names_its_fault(
    fault: Callable[[Track], Track],
) -> None:
    world = scene("planet", "hexapod")
    below = turned(HALF_ROUND, walked_on_planet("hexapod"), world)
    assert below.position[:, 2].max() < -radius_of(world)
    expected = BAD_WALKERS[fault] - {"M28"}  # which judges flat ground
    if fault is grazing:
        expected |= {"M5"}  # the ground is round: what grazes it is in it elsewhere
    assert mistakes(scored(fault(below), world, ground_of(world)), expected) == expected


@pytest.mark.slow
def test_a_creature_on_its_back_below_a_planet_fell() -> None:
    def capsized(track: Track) -> Track:
        """The body is turned half round about its X, and lies so in the world's way."""
        x, y, z, w = np.moveaxis(track.orientations, -1, 0)
        return replace(track, orientations=np.stack((w, z, -y, -x), axis=-1))

    world = scene("planet", "spider8")
    below = turned(HALF_ROUND, walked_on_planet("spider8"), world)
    on_its_back = capsized(below)
    assert on_its_back.up[:, 2].min() > 0.5
    assert "tipped over" in scored(on_its_back, world, ground_of(world))["M16"].reason


@pytest.mark.slow
def test_a_walk_round_a_planet_fails_nothing() -> None:
    world, track = scene("planet", "hexapod"), walked_on_planet("hexapod", "forward 45", 45)
    assert track.position[:, 2].min() < -2.0 * radius_of(world)  # past its lowest place
    metrics = scored(track, world, ground_of(world))
    assert failed(metrics) == set()
    assert metrics["M12"].verdict == "excellent"  # round is level where weight points inwards


@pytest.mark.slow
def test_up_is_exactly_the_z_of_the_world_on_other_ground() -> None:
    _, track = walked("hexapod")
    ups = track.ups_at(track.tips)
    assert ups.tobytes() == np.broadcast_to((0.0, 0.0, 1.0), ups.shape).tobytes()
    assert (track.altitudes(track.tips) == track.tips[..., 2]).all()
    first, second = tangents(ups[0, 0])
    assert (first == (1.0, 0.0, 0.0)).all()
    assert (second == (0.0, 1.0, 0.0)).all()

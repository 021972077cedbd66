"""Grounds of worlds as meshes: what is written can be read again as ground."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from creature_sim.drivers import make_driver
from creature_sim.library.loader import load_world
from creature_sim.replay import open_replay, record
from creature_sim.terrain import build_terrain
from tests.commands import sim
from tests.export.gltfs import Gltf
from tests.grounds import SharedPhysics

WORLDS = Path(__file__).parents[2] / "worlds"
MESH = """
name = "level"
driver = "forward 20"
[terrain]
kind = "mesh"
file = "level.glb"
[[creatures]]
creature = "hexapod"
"""


def heights(world: Any, points: np.ndarray) -> np.ndarray:
    """Of the highest ground at points (P, 2), (P,) [m]."""
    starts = np.column_stack((points, np.full(len(points), 50.0)))
    ends = starts - np.array([0.0, 0.0, 100.0])
    with SharedPhysics(build_terrain(world.terrain, world.seed)) as physics:
        physics.prepare(starts[:1])
        fractions, _ = physics.cast(starts, ends)
    return 50.0 - 100.0 * fractions


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hills", "stairs", "steps"])
def test_a_ground_comes_back_as_the_same_ground(name: str, tmp_path: Path) -> None:
    done = sim("export", str(WORLDS / f"{name}.toml"), "-o", "level.glb", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "its ground" in done.stdout
    (tmp_path / "level.toml").write_text(MESH)
    rng = np.random.default_rng(3)
    points = rng.uniform(-15.0, 15.0, (400, 2))
    before = heights(load_world(name), points)
    after = heights(load_world(str(tmp_path / "level.toml")), points)
    is_near = np.abs(before - after) < 1e-4
    assert is_near.mean() > 0.995  # a ray may hit the edge of a step on either side


@pytest.mark.slow
def test_a_walk_on_an_exported_level_is_an_animation_on_it(tmp_path: Path) -> None:
    """There and back: the level as a mesh, a walk on it, the walk as an animation."""
    assert (
        sim("export", str(WORLDS / "hills.toml"), "-o", "level.glb", cwd=tmp_path).returncode == 0
    )
    (tmp_path / "level.toml").write_text(MESH)
    world = load_world(str(tmp_path / "level.toml"))
    record(world, tmp_path / "walk.mcap", 60, driver=make_driver(world))
    done = sim("export", "walk.mcap", "-o", "walk.glb", "--creature", "0", cwd=tmp_path)
    assert done.returncode == 0
    file, level = Gltf(tmp_path / "walk.glb"), Gltf(tmp_path / "level.glb")
    (mesh,) = level.document["meshes"]
    corners = level.values(mesh["primitives"][0]["attributes"]["POSITION"])
    ground = np.stack((corners[:, 0], -corners[:, 2], corners[:, 1]), axis=1)
    *_, state = open_replay(tmp_path / "walk.mcap").rerun()
    places = file.positions(1.0)
    for leg in ("L1", "L2", "R1", "R2"):
        tip = places[file.names.index(f"{leg}_tip")]
        near = ground[np.abs(ground[:, :2] - tip[:2]).max(axis=1) < 0.26]
        assert near[:, 2].min() - 0.01 < tip[2] < near[:, 2].max() + 0.2  # it may swing
    assert state.tick == 60


@pytest.mark.parametrize("name", ["endless", "planet", "proving_ground", "platforms"])
def test_every_kind_of_ground_is_written(name: str, tmp_path: Path) -> None:
    done = sim("export", name, "-o", "ground.glb", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    (mesh,) = Gltf(tmp_path / "ground.glb").document["meshes"]
    assert mesh["name"] == "ground"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["-o", "out.bvh"], "-o: expected a name that ends in .glb, .usda for the ground of a"),
        (["-o", "out.html"], "-o: expected a name that ends in .glb, .usda for the ground of a"),
        (["-o", "out.glb", "--loop"], "--loop: expected --seconds too, how long the world"),
        (["-o", "out.glb", "--verify"], "--verify: expected a replay, found the world"),
        (["-o", "no/out.glb"], "no/out.glb: expected a folder to write into, found none"),
    ],
)
def test_what_a_ground_cannot_be_is_refused(words: list[str], error: str, tmp_path: Path) -> None:
    done = sim("export", str(WORLDS / "hills.toml"), *words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {error}")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_command_writes_a_ground(tmp_path: Path) -> None:
    done = sim("export", str(WORLDS / "stairs.toml"), "-o", str(tmp_path / "stairs.glb"))
    assert (done.returncode, done.stderr) == (0, "")

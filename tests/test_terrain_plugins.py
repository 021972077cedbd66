"""Kinds of ground that installed packages bring, found by their entry points."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

CLI = [sys.executable, "-m", "creature_sim.cli"]
MODULE = '''
from typing import Literal
import numpy as np
from creature_sim.terrain import Definition, MeshTile, SmoothGround, TerrainKind, HALF_SIZE

class RipplesDef(Definition):
    """Ramps that rise and fall."""
    kind: Literal["ripples"]
    height: float

def heights(definition, x, y, seed):
    return definition.height * abs(x[:, None] % 2.0 - 1.0) + 0.0 * y

RIPPLES = TerrainKind(RipplesDef, heights=heights)

class SlabDef(Definition):
    kind: Literal["slab"]
    height: float

def tiles(definition, seed):
    a, b, z = -HALF_SIZE, HALF_SIZE, definition.height
    corners = np.array([(a, a, z), (b, a, z), (b, b, z), (a, b, z)])
    yield MeshTile(corners, np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int32))

SLAB = TerrainKind(SlabDef, tiles=tiles)

class BrokenDef(Definition):
    kind: Literal["broken"]

class RollsDef(SmoothGround):
    kind: Literal["rolls"]

def rolls(definition, x, y, seed):
    return 0.1 * abs(x[:, None] % 2.0 - 1.0) + 0.0 * y

ROLLS = TerrainKind(RollsDef, heights=rolls)
TILES = TerrainKind(RollsDef, tiles=tiles)

BROKEN = TerrainKind(BrokenDef, heights=lambda definition, x, y, seed: 1 / 0)
WRONG_SHAPE = TerrainKind(RipplesDef, heights=lambda definition, x, y, seed: x)
NEITHER = TerrainKind(RipplesDef)
'''


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with an installed distribution, as pip would leave it."""
    folder = tmp_path / "site"
    (folder / "demo_ground-1.2.dist-info").mkdir(parents=True)
    (folder / "demo_ground.py").write_text(MODULE)
    information = folder / "demo_ground-1.2.dist-info"
    (information / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: demo-ground\nVersion: 1.2\n"
    )
    write_points(folder, {"ripples": "demo_ground:RIPPLES", "slab": "demo_ground:SLAB"})
    return folder


def write_points(folder: Path, points: dict[str, str]) -> None:
    lines = [f"{name} = {target}" for name, target in points.items()]
    text = "\n".join(["[creature_sim.terrain]", *lines, ""])
    (folder / "demo_ground-1.2.dist-info" / "entry_points.txt").write_text(text)


def sim(package: Path | None, *words: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | ({"PYTHONPATH": str(package)} if package else {})
    return subprocess.run(
        [*CLI, *words], capture_output=True, text=True, env=environment, timeout=120
    )


def world(folder: Path, terrain: str) -> str:
    file = folder / "world.toml"
    file.write_text(
        f'name = "mine"\ndriver = "forward 3"\n[[creatures]]\ncreature = "hexapod"\n'
        f"[terrain]\n{terrain}\n"
    )
    return str(file)


def test_a_package_brings_a_kind(package: Path, tmp_path: Path) -> None:
    file = world(tmp_path, 'kind = "ripples"\nheight = 0.1')
    replay = str(tmp_path / "walk.mcap")
    done = sim(package, "run", file, "--headless", "--ticks", "60", "--record", replay)
    assert done.returncode == 0, done.stderr
    proven = sim(package, "verify", replay)
    assert proven.returncode == 0, proven.stderr
    without = sim(None, "verify", replay)
    assert without.returncode != 0
    assert "expected one of flat" in without.stderr + without.stdout
    assert "Traceback" not in without.stderr


def test_kinds_of_packages_without_edges_can_be_endless(package: Path, tmp_path: Path) -> None:
    file, replay = world(tmp_path, 'kind = "rolls"\nendless = true'), str(tmp_path / "walk.mcap")
    write_points(package, {"rolls": "demo_ground:ROLLS", "ripples": "demo_ground:RIPPLES"})
    assert (
        sim(package, "run", file, "--headless", "--ticks", "30", "--record", replay).returncode == 0
    )
    assert sim(package, "verify", replay).returncode == 0
    done = sim(package, "check", world(tmp_path, 'kind = "ripples"\nheight = 0.1\nendless = true'))
    assert done.returncode == 2
    assert "terrain.endless: expected a kind that goes on" in done.stderr
    write_points(package, {"rolls": "demo_ground:TILES"})
    done = sim(package, "check", world(tmp_path, 'kind = "rolls"'))
    assert done.returncode == 2
    assert "to have heights, for it is a SmoothGround, found tiles" in done.stderr


def test_kinds_of_packages_lie_in_layers_and_patches(package: Path, tmp_path: Path) -> None:
    ripples = '{ kind = "ripples", height = 0.1 }'
    layers = f'kind = "layers"\nlayers = [{{ how = "add", ground = {ripples} }}]'
    patches = f'kind = "patches"\nsize = 9.0\ncolumns = 2\npatches = [{ripples}, '
    patches += '{ kind = "slab", height = 0.2 }]'
    for terrain in (layers, patches, 'kind = "slab"\nheight = 1.0'):
        done = sim(package, "run", world(tmp_path, terrain), "--headless", "--ticks", "5")
        assert done.returncode == 0, done.stderr
    slab = layers.replace(ripples, '{ kind = "slab", height = 0.1 }')
    done = sim(package, "check", world(tmp_path, slab))
    assert done.returncode == 2
    assert "layers[0].ground.kind: expected a ground without edges, found 'slab'" in done.stderr


def test_kinds_of_packages_are_listed_and_their_keys_checked(package: Path, tmp_path: Path) -> None:
    shown = sim(package, "list").stdout
    assert "ripples         from demo-ground 1.2" in shown
    assert "hills           Several octaves of simplex noise" in shown
    done = sim(package, "check", world(tmp_path, 'kind = "ripples"\nheigth = 0.1'))
    assert done.returncode == 2
    assert "terrain.height: expected a value, found none" in done.stderr
    assert "terrain.heigth: expected no such key, found 0.1" in done.stderr
    done = sim(package, "check", world(tmp_path, 'kind = "riples"\nheight = 0.1'))
    assert "mesh, ripples, slab, found 'riples'" in done.stderr


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("no_such_module:KIND", "to load, found ModuleNotFoundError: No module named"),
        ("demo_ground:NOTHING", "to load, found AttributeError"),
        ("demo_ground:heights", "to be a TerrainKind, found function"),
        ("demo_ground:SLAB", "to have a model of kind 'ripples', found"),
        ("demo_ground:NEITHER", "to have either heights or tiles, found both or none"),
        ("demo_ground:WRONG_SHAPE", "to make heights of shape (257, 257), found (257,)"),
    ],
)
def test_a_kind_that_does_not_work_is_one_message(
    package: Path, tmp_path: Path, target: str, expected: str
) -> None:
    write_points(package, {"ripples": target})
    file = world(tmp_path, 'kind = "ripples"\nheight = 0.1')
    done = sim(package, "run", file, "--headless", "--ticks", "5")
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "terrain.kind: expected the plugin 'ripples'" in done.stderr
    assert expected in done.stderr
    assert sim(package, "list").returncode == 0


def test_a_kind_whose_function_fails_is_one_message(package: Path, tmp_path: Path) -> None:
    write_points(package, {"broken": "demo_ground:BROKEN"})
    done = sim(package, "run", world(tmp_path, 'kind = "broken"'), "--headless", "--ticks", "5")
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.endswith(
        "terrain.kind: expected the plugin 'broken' to make heights, found ZeroDivisionError: "
        "division by zero"
    )

"""Kinds of ground that installed packages bring, found by their entry points."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands import COMMAND, sim

pytestmark = pytest.mark.slow

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

def trial(challenge):
    """Ramps 0.1 d high."""
    return RipplesDef(kind="ripples", height=0.1 * challenge.d)

RIPPLES = TerrainKind(
    RipplesDef, heights=heights, example='kind = "ripples"\\nheight = 0.1', trial=trial
)

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


# Kinds are looked for when a process starts: its commands are one list of words each.
PROGRAM = """
import json, sys
from tests.commands import sim
ends = [sim(*words) for words in json.loads(sys.argv[1])]
print(json.dumps([(end.returncode, end.stdout, end.stderr) for end in ends]))
"""


def sims(package: Path, *commands: tuple[str, ...]) -> list[subprocess.CompletedProcess[str]]:
    """Commands, one after the other, in a process where the package is installed."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(commands)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(package)},
        cwd=Path(__file__).parents[2],
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    ends = json.loads(done.stdout)
    return [
        subprocess.CompletedProcess(words, *end) for words, end in zip(commands, ends, strict=True)
    ]


def world(folder: Path, terrain: str, name: str = "world") -> str:
    file = folder / f"{name}.toml"
    file.write_text(
        f'name = "mine"\ndriver = "forward 3"\n[[creatures]]\ncreature = "hexapod"\n'
        f"[terrain]\n{terrain}\n"
    )
    return str(file)


def test_a_package_brings_a_kind(package: Path, tmp_path: Path) -> None:
    file = world(tmp_path, 'kind = "ripples"\nheight = 0.1')
    replay = str(tmp_path / "walk.mcap")
    done = subprocess.run(
        [*COMMAND, "run", file, "--headless", "--ticks", "60", "--record", replay],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(package)},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    (proven,) = sims(package, ("verify", replay))
    assert proven.returncode == 0, proven.stderr
    without = sim("verify", replay)
    assert without.returncode == 3
    assert "it needs the kind of ground ripples (of the package demo-ground 1.2)" in without.stdout
    for words in (("info", replay), ("export", replay, "-o", str(tmp_path / "walk.html"))):
        shown = sim(*words)
        assert shown.returncode == 0, shown.stderr
        assert "without the kind of ground ripples" in shown.stderr
    scored = sim("score", replay)
    assert scored.returncode == 3
    assert "demo-ground 1.2" in scored.stderr


def test_kinds_of_packages_without_edges_can_be_endless(package: Path, tmp_path: Path) -> None:
    file, replay = world(tmp_path, 'kind = "rolls"\nendless = true'), str(tmp_path / "walk.mcap")
    write_points(package, {"rolls": "demo_ground:ROLLS", "ripples": "demo_ground:RIPPLES"})
    edged = world(tmp_path, 'kind = "ripples"\nheight = 0.1\nendless = true', "edged")
    walked, proven, done = sims(
        package,
        ("run", file, "--headless", "--ticks", "30", "--record", replay),
        ("verify", replay),
        ("check", edged),
    )
    assert walked.returncode == 0, walked.stderr
    assert proven.returncode == 0, proven.stderr
    assert done.returncode == 2
    assert "terrain.endless: expected a kind that goes on" in done.stderr
    write_points(package, {"rolls": "demo_ground:TILES"})
    (done,) = sims(package, ("check", world(tmp_path, 'kind = "rolls"')))
    assert done.returncode == 2
    assert "to have heights, for it is a SmoothGround, found tiles" in done.stderr


def test_kinds_of_packages_lie_in_layers_and_patches(package: Path, tmp_path: Path) -> None:
    ripples = '{ kind = "ripples", height = 0.1 }'
    layers = f'kind = "layers"\nlayers = [{{ how = "add", ground = {ripples} }}]'
    patches = f'kind = "patches"\nsize = 9.0\ncolumns = 2\npatches = [{ripples}, '
    patches += '{ kind = "slab", height = 0.2 }]'
    slab = layers.replace(ripples, '{ kind = "slab", height = 0.1 }')
    *runs, done = sims(
        package,
        *(
            ("run", world(tmp_path, terrain, name), "--headless", "--ticks", "5")
            for name, terrain in (
                ("layers", layers),
                ("patches", patches),
                ("slab", 'kind = "slab"\nheight = 1.0'),
            )
        ),
        ("check", world(tmp_path, slab, "layered slab")),
    )
    for run in runs:
        assert run.returncode == 0, run.stderr
    assert done.returncode == 2
    assert "layers[0].ground.kind: expected a ground without edges (canyon, " in done.stderr
    assert "found 'slab', which has edges and cannot be layered" in done.stderr


def test_kinds_of_packages_are_listed_and_their_keys_checked(package: Path, tmp_path: Path) -> None:
    listed, misspelt, unknown = sims(
        package,
        ("list",),
        ("check", world(tmp_path, 'kind = "ripples"\nheigth = 0.1', "misspelt")),
        ("check", world(tmp_path, 'kind = "riples"\nheight = 0.1', "unknown")),
    )
    shown = listed.stdout
    assert "ripples         from demo-ground 1.2" in shown
    assert "hills           Several octaves of simplex noise" in shown
    assert misspelt.returncode == 2
    assert "misspelt.toml:7: terrain.heigth: expected no such key" in misspelt.stderr
    assert "did you mean height?" in misspelt.stderr
    assert "kind: expected a known one, found 'riples'; did you mean ripples?" in unknown.stderr


def test_kinds_of_packages_have_examples_and_trials(package: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "new", "world", "place", "--kind", "ripples"],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(package)},
        cwd=tmp_path,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    place = str(tmp_path / "place.toml")
    trial = ("trial", "hexapod", "--terrain", "ripples", "--difficulty", "0", "--seeds", "1")
    checked, crossed, refused = sims(
        package,
        ("check", place),
        (*trial, "--jobs", "1", "--failures", str(tmp_path), "--json"),
        ("trial", "hexapod", "--terrain", "slab"),
    )
    assert "valid world: ripples" in checked.stdout
    (found,) = json.loads(crossed.stdout)["runs"]
    assert found["kind"] == "ripples"
    assert refused.returncode == 2
    assert "--terrain: expected one of canyon, " in refused.stderr


def test_new_worlds_take_kinds_of_packages_that_have_no_example(
    package: Path, tmp_path: Path
) -> None:
    words = ("new", "world", "place", "--kind")
    done, unknown = (
        subprocess.run(
            [*COMMAND, *words, kind],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(package)},
            cwd=tmp_path,
            timeout=120,
        )
        for kind in ("slab", "slap")
    )
    assert done.returncode == 0, done.stderr
    assert 'kind = "slab"\nheight = 1.0' in (tmp_path / "place.toml").read_text()
    (checked,) = sims(package, ("check", str(tmp_path / "place.toml")))
    assert "valid world: slab" in checked.stdout
    assert unknown.returncode == 2
    assert "--kind: expected a kind of ground, found 'slap'; did you mean slab" in unknown.stderr


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("no_such_module:KIND", "to load, found ModuleNotFoundError: No module named"),
        ("demo_ground:NOTHING", "to load, found AttributeError"),
        ("demo_ground:heights", "to be a TerrainKind, found function"),
        ("demo_ground:SLAB", "to have a model of kind 'ripples', found"),
        ("demo_ground:NEITHER", "to have either heights or blocks or tiles, found several or none"),
        ("demo_ground:WRONG_SHAPE", "to make heights of shape (257, 257), found (257,)"),
    ],
)
def test_a_kind_that_does_not_work_is_one_message(
    package: Path, tmp_path: Path, target: str, expected: str
) -> None:
    write_points(package, {"ripples": target})
    file = world(tmp_path, 'kind = "ripples"\nheight = 0.1')
    done, listed = sims(package, ("run", file, "--headless", "--ticks", "5"), ("list",))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "terrain.kind: expected the plugin 'ripples'" in done.stderr
    assert expected in done.stderr
    assert listed.returncode == 0


def test_a_kind_whose_function_fails_is_one_message(package: Path, tmp_path: Path) -> None:
    write_points(package, {"broken": "demo_ground:BROKEN"})
    file = world(tmp_path, 'kind = "broken"')
    (done,) = sims(package, ("run", file, "--headless", "--ticks", "5"))
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.endswith(
        "terrain.kind: expected the plugin 'broken' to make heights, found ZeroDivisionError: "
        "division by zero"
    )

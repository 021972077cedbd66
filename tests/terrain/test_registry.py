"""Every kind of ground is one file that the registry finds, and a new one needs no more."""

import ast
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.lab import ground as ground_of_trial
from creature_sim.library.loader import load_world, schema_text
from creature_sim.simulation import Simulation
from creature_sim.terrain import GroundDef, build_terrain, kinds, read_ground
from creature_sim.terrain.registry import built_in, built_in_names, find_kind, kind_names
from tests.commands import sim
from tests.terrain_kinds import EDGED, HANGING, KINDS, SMOOTH

PACKAGE = Path(kinds.__file__).parents[2]
FILES = sorted(path for path in Path(kinds.__file__).parent.glob("*.py") if path.stem[0] != "_")

RIPPLES = '''
"""Ramps that rise and fall."""

from typing import Literal

from pydantic import Field

from creature_sim.files.definition import Positive
from creature_sim.maths import Floats
from creature_sim.terrain.ground import GroundDef, SmoothGround
from creature_sim.terrain.kind import Challenge, TerrainKind

EXAMPLE = """\\
kind = "ripples"
height = 0.04                 # from the lowest to the highest line"""


class RipplesDef(SmoothGround):
    """Ramps along X that rise and fall."""

    kind: Literal["ripples"]
    height: Positive = Field(le=2.0, description="from the lowest to the highest line [m]")


def heights(definition: RipplesDef, x: Floats, y: Floats, _seed: int) -> Floats:
    """Height 0 at the origin."""
    return definition.height * abs((x[:, None] + 1.0) % 2.0 - 1.0) + 0.0 * y


def trial(challenge: Challenge) -> GroundDef:
    """Ramps 0.2 d high."""
    return RipplesDef(kind="ripples", height=0.01 + 0.2 * challenge.d * challenge.scale)


KIND = TerrainKind(RipplesDef, heights=heights, example=EXAMPLE, trial=trial)
'''


@pytest.fixture
def ripples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of kinds with one file, beside the built-in ones."""
    folder = tmp_path / "more_kinds"
    folder.mkdir()
    (folder / "ripples.py").write_text(RIPPLES)
    monkeypatch.setattr(kinds, "__path__", [*kinds.__path__, str(folder)])
    built_in_names.cache_clear()
    yield tmp_path
    sys.modules.pop(f"{kinds.__name__}.ripples", None)
    built_in_names.cache_clear()


def test_one_new_file_is_a_new_kind(ripples: Path) -> None:
    assert "ripples" in kind_names()
    assert "ripples         Ramps along X that rise and fall." in sim("list").stdout
    schema = json.loads(schema_text("world"))
    assert schema["$defs"]["RipplesDef"]["properties"]["height"]["maximum"] == 2.0
    layer = schema["$defs"]["AddDef"]["properties"]["ground"]
    patch = schema["$defs"]["PatchesDef"]["properties"]["patches"]["items"]
    for field in (schema["properties"]["terrain"], layer, patch):
        assert field["discriminator"]["mapping"]["ripples"] == "#/$defs/RipplesDef"
    made = sim("new", "world", "mine", "--kind", "ripples", cwd=ripples)
    assert made.returncode == 0, made.stderr
    trial = ground_of_trial("ripples", 0.5, 1.0, 1.0, 8.0)
    assert trial.model_dump()["height"] == pytest.approx(0.21)
    wrong = ripples / "wrong.toml"
    wrong.write_text((ripples / "mine.toml").read_text().replace("height = 0.04", "height = 3.0"))
    assert "terrain.height: expected at most 2" in sim("check", str(wrong)).stderr


@pytest.mark.slow
def test_creatures_walk_on_a_new_kind(ripples: Path) -> None:
    sim("new", "world", "mine", "--kind", "ripples", cwd=ripples)
    world = load_world(ripples / "mine.toml").model_copy(update={"driver": "forward 3"})
    with Simulation(world) as simulation:
        for _ in range(180):
            simulation.step()
        assert simulation.snapshot.creatures[0].position[0] > 0.5
    table = {"kind": "ripples", "height": 0.1}
    assert build_terrain(read_ground(table | {"endless": True}), 1).chunks is not None
    layers = read_ground({"kind": "layers", "layers": [{"how": "add", "ground": table}]})
    assert build_terrain(layers, 1).digest == build_terrain(read_ground(table), 1).digest


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_file_is_a_kind_of_its_name(path: Path) -> None:
    kind = built_in()[path.stem]
    assert kind.name == path.stem
    assert kind.problem == ""
    assert kind.summary
    assert bool(kind.difficulty) == (kind.trial is not None)
    if kind.example:
        table = tomllib.loads(f"[terrain]\n{kind.example}")["terrain"]
        assert isinstance(read_ground(table), kind.model)


def test_tests_know_every_kind_and_what_it_is_made_of() -> None:
    tested = {definition.kind for definition in KINDS.values()}
    assert tested == set(built_in()) - {"heights", "mesh"}  # which need files: test_imports.py
    for name, definition in KINDS.items():
        kind = find_kind(definition.kind)
        assert (kind.heights is not None) == (name in SMOOTH)
        hangs = kind.roof is not None or kind.planet is not None or kind.has_unknown_roofs
        assert hangs == (name in HANGING)
        can_go_on = kind.blocks is not None or kind.between is not None
        assert can_go_on == (name in EDGED)


def test_no_two_kinds_share_a_stream_of_random_numbers() -> None:
    streams: list[int] = []
    for path in [*FILES, PACKAGE / "terrain" / "patterns" / "noise.py"]:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.Assign):
                names = [
                    name.id for name in ast.walk(node.targets[0]) if isinstance(name, ast.Name)
                ]
                if all(name.endswith("STREAM") for name in names):
                    found = ast.literal_eval(node.value)
                    streams += found if isinstance(found, tuple) else (found,)
    assert len(streams) == len(set(streams)) >= 10
    assert min(streams) > max_octaves()  # octaves of noise use the streams from 0 on


def max_octaves() -> int:
    schema = built_in()["hills"].model.model_json_schema()
    most: int = schema["properties"]["octaves"]["maximum"]
    return most


@pytest.mark.slow
def test_no_other_file_names_a_kind() -> None:
    """A kind's model and functions are used through the registry alone, but by other kinds."""
    for path in PACKAGE.rglob("*.py"):
        if path.parent == FILES[0].parent:
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            module = node.module if isinstance(node, ast.ImportFrom) else ""
            assert not (module or "").startswith(f"{kinds.__name__}."), path


def test_roofs_and_planets_come_from_the_kind() -> None:
    from creature_sim.terrain.traits import lowest_roof, planet_of, roof_over

    tunnel, overhang, sphere, _, room, _ = (KINDS[kind] for kind in HANGING)
    assert roof_over(tunnel, 0.0, 1.2) == lowest_roof(tunnel) == 1.2
    assert roof_over(tunnel, 0.0, 1.3) == roof_over(tunnel, 6.1, 0.0) == np.inf
    assert roof_over(overhang, 0.0, 31.0) == 1.2
    assert roof_over(overhang, 3.1, 0.0) == np.inf
    assert planet_of(sphere) == (0.0, 0.0, -8.0)
    assert planet_of(KINDS["flat"]) is None
    assert lowest_roof(sphere) == np.inf
    assert roof_over(room, 3.9, 2.9) == lowest_roof(room) == 2.4
    assert roof_over(room, 4.1, 0.0) == np.inf


def test_worlds_hold_grounds_of_the_registry() -> None:
    for definition in KINDS.values():
        table = {"name": "a", "terrain": definition.model_dump(), "creatures": [], "chains": CHAINS}
        world = WorldDef.model_validate(table)
        assert isinstance(world.terrain, GroundDef)
        assert type(world.terrain) is find_kind(definition.kind).model
        assert world.terrain == definition
        assert WorldDef.model_validate_json(world.model_dump_json()).terrain == definition


CHAINS = [
    {
        "name": "arm",
        "root": (0.0, 0.0, 1.0),
        "bones": (0.5, 0.5),
        "target": {"kind": "command", "start": (0.5, 0.0, 1.0)},
    }
]


def test_a_ground_loads_no_other_kind_than_its_own() -> None:
    code = (
        "import sys; from creature_sim.terrain.reading import read_ground; "
        "ground = read_ground({'kind': 'flat'}); "
        "print(*(name for name in sys.modules if name.startswith('creature_sim.terrain.kinds.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["creature_sim.terrain.kinds.flat"]

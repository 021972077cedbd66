"""Data as a layer or a patch of ground: exact at nodes, in replays, refused with their keys."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from mcap.reader import make_reader

from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError, ReplayCorrupt, TerrainError
from creature_sim.ground.rays import Physics
from creature_sim.library.loader import check, files_of, load_world
from creature_sim.maths import Floats
from creature_sim.replay import open_replay, record, verify
from creature_sim.simulation import Simulation
from creature_sim.terrain import HeightTile, TerrainDef, build_terrain
from creature_sim.terrain.build import heights_of
from creature_sim.terrain.kinds.heights import HeightsDef
from creature_sim.terrain.kinds.hills import HillsDef
from creature_sim.terrain.kinds.layers import LayersDef, layer_seed
from creature_sim.terrain.kinds.rough import RoughDef
from creature_sim.view.shows.live import LiveShow
from creature_sim.view.shows.source import Source
from tests.commands import sim
from tests.marks import quick_of
from tests.replay.test_replay import rewritten
from tests.terrain.test_bad_imports import BAD, HEIGHTS
from tests.terrain.test_imports import SPACING, bumps, cast_down, on_nodes, world_file

NODES = np.arange(-128, 129) * 0.25
HILLS = 'kind = "hills", amplitude = 1.0, wavelength = 9.0, octaves = 3'
ROUGH = 'kind = "rough", amplitude = 0.05, spacing = 0.5'


def data(file: str, *keys: str) -> str:
    """The keys of a ground of data, for braces."""
    return ", ".join(('kind = "heights"', f'file = "{file}"', *(keys or (SPACING,))))


def layered(folder: Path, *layers: str, name: str = "world") -> Path:
    """A world of layers: how each is applied, and then the keys of its ground."""
    tables = []
    for layer in layers:
        how, ground = layer.split(": ", 1)
        tables += ["[[terrain.layers]]", *how.split("; "), f"ground = {{ {ground} }}"]
    return world_file(folder, 'kind = "layers"', *tables, name=name)


def patches(folder: Path, size: float, *grounds: str, more: str = "") -> Path:
    inside = ", ".join(f"{{ {ground} }}" for ground in grounds)
    lines = (f"size = {size}", "columns = 4", more, f"patches = [{inside}]")
    return world_file(folder, 'kind = "patches"', *lines)


ADD, MULTIPLY = 'how = "add": ', 'how = "multiply": '


def at_nodes(terrain: TerrainDef, seed: int = 0) -> np.ndarray:
    """The heights of all tiles together, (257, 257) [ix, iy], as they are kept."""
    found = np.zeros((257, 257), np.float32)
    for tile in build_terrain(terrain, seed).tiles:
        assert isinstance(tile, HeightTile)
        i, j = (round((corner + 32.0) / 0.25) for corner in tile.origin)
        found[i : i + 65, j : j + 65] = tile.heights
    return found


def whole(grid: np.ndarray) -> np.ndarray:
    """An image of 257 x 257 values as the ground has it, [ix, iy]."""
    return grid[::-1].T


def test_data_as_the_only_layer_are_the_ground_that_they_are_alone(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", bumps(300, 280))
    alone = load_world(world_file(tmp_path, 'kind = "heights"', SPACING, 'file = "a.npy"'))
    layer = load_world(layered(tmp_path, ADD + data("a.npy")))
    expected = build_terrain(alone.terrain, 3).digest
    assert build_terrain(layer.terrain, 3).digest == expected
    again = LayersDef.model_validate(
        {"kind": "layers", "layers": [{"how": "add", "ground": layer.terrain}]}
    )
    assert build_terrain(again, 3).digest == expected


@pytest.mark.parametrize(("side", "spacing", "step"), [(129, 0.5, 2), (641, 0.1, 1), (65, 1.0, 4)])
def test_values_of_the_data_are_met_exactly_where_nodes_lie_on_them(
    side: int, spacing: float, step: int, tmp_path: Path
) -> None:
    grid = bumps(side, side)
    np.save(tmp_path / "a.npy", grid)
    flat = ADD + 'kind = "flat"'
    found = at_nodes(
        load_world(layered(tmp_path, flat, ADD + data("a.npy", f"spacing = {spacing}"))).terrain
    )
    values = whole(grid)
    if spacing == 0.1:  # every other node lies on a value
        assert (found[::2, ::2] == values[::5, ::5]).all()
    else:
        assert (found[::step, ::step] == values).all()


@pytest.mark.slow
@settings(max_examples=20)
@given(
    st.floats(0.26, 3.0),
    st.tuples(st.floats(-5.0, 5.0), st.floats(-5.0, 5.0)),
    st.floats(0.01, 2.0),
    st.integers(0, 2**32),
)
def test_data_between_values_are_bilinear_to_the_bit(
    tmp_path_factory: pytest.TempPathFactory,
    spacing: float,
    centre: tuple[float, float],
    scale: float,
    seed: int,
) -> None:
    folder = tmp_path_factory.mktemp("bits")
    side = int(74.0 / spacing) + 2
    grid = np.random.default_rng(seed).uniform(-3.0, 3.0, (side, side))
    np.save(folder / "a.npy", grid)
    keys = (f"spacing = {spacing!r}", f"centre = {list(centre)!r}", f"scale = {scale!r}")
    found = at_nodes(load_world(layered(folder, ADD + data("a.npy", *keys))).terrain)
    for i, j in [(0, 0), (256, 256), (0, 256), (128, 128), (17, 201), (90, 3)]:
        column = (NODES[i] + centre[0]) / spacing + 0.5 * (side - 1)
        row = -(NODES[j] + centre[1]) / spacing + 0.5 * (side - 1)
        column, row = min(max(column, 0.0), side - 1.0), min(max(row, 0.0), side - 1.0)
        k, m = min(int(row), side - 2), min(int(column), side - 2)
        v, u = row - k, column - m
        a, b, c, d = (float(x) * scale for x in grid[k : k + 2, m : m + 2].ravel())
        west, east = a * (1.0 - v) + c * v, b * (1.0 - v) + d * v
        assert found[i, j] == np.float32(west * (1.0 - u) + east * u)


def generated(ground: str, index: int) -> Floats:
    """The heights of a generated ground that is a layer of the seed 0."""
    model = HillsDef if "hills" in ground else RoughDef
    table: dict[str, Any] = {}
    for pair in ground.split(", "):
        key, value = pair.split(" = ")
        table[key] = orjson.loads(value)
    return heights_of(model.model_validate(table), NODES, NODES, layer_seed(0, index))


def test_data_are_added_multiplied_masked_and_blended(tmp_path: Path) -> None:
    grid = bumps(257, 257)
    np.save(tmp_path / "a.npy", grid)
    np.save(tmp_path / "mask.npy", np.where(np.arange(257) < 128, -1.0, 1.0) * np.ones((257, 1)))
    values = whole(grid).astype(np.float64)
    here, rough, hills = ADD + data("a.npy"), generated(ROUGH, 1), generated(HILLS, 1)

    def made(*layers: str) -> np.ndarray:
        return at_nodes(load_world(layered(tmp_path, *layers)).terrain)

    assert (made(here, ADD + ROUGH) == (values + rough).astype(np.float32)).all()
    assert (made(here, MULTIPLY + HILLS) == (values * hills).astype(np.float32)).all()
    first = generated(HILLS, 0)
    assert (
        made(ADD + HILLS, MULTIPLY + data("a.npy")) == (first * values).astype(np.float32)
    ).all()

    masked = made(ADD + HILLS, 'how = "mask"; ease = 0.5: ' + data("mask.npy"))
    assert (masked[:128] == 0.0).all()
    assert (masked[128:] == first[128:].astype(np.float32)).all()

    blended = made(here, 'how = "blend"; near = 8.0; far = 16.0: ' + HILLS)
    away = np.sqrt(NODES[:, None] ** 2 + NODES**2)
    assert (blended == values)[away <= 8.0].all()
    assert (blended == hills.astype(np.float32))[away >= 16.0].all()
    low, high = np.minimum(values, hills), np.maximum(values, hills)
    assert ((blended > low - 1e-6) & (blended < high + 1e-6)).all()


@pytest.mark.slow
def test_rays_find_data_with_a_fine_layer(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", bumps(257, 257))
    loaded = load_world(layered(tmp_path, ADD + data("a.npy"), ADD + ROUGH))
    expected = at_nodes(loaded.terrain)[1:-1, 1:-1]
    x, y = (axis.ravel() for axis in np.meshgrid(NODES[1:-1], NODES[1:-1], indexing="ij"))
    with Physics(build_terrain(loaded.terrain, 0)) as physics:
        assert abs(cast_down(physics, x, y) - expected.ravel()).max() < 1e-4


def test_a_patch_of_data_needs_no_more_of_them_than_it_is_large(tmp_path: Path) -> None:
    grid = bumps(49, 49)  # 12.25 m, for patches of 12 m
    np.save(tmp_path / "small.npy", grid)
    both = f'kind = "layers", layers = [{{ how = "add", ground = {{ {data("small.npy")} }} }}]'
    world = patches(tmp_path, 12.0, data("small.npy"), both, more="fade = 0.0")
    terrain = build_terrain(load_world(world).terrain, 0)
    inner = np.arange(-23, 24) * 0.25
    x, y = (axis.ravel() for axis in np.meshgrid(inner, inner, indexing="ij"))
    with Physics(terrain) as physics:
        first, second = (cast_down(physics, x + middle, y) for middle in (-7.0, 7.0))
    assert abs(first.reshape(47, 47) - on_nodes(grid)).max() < 1e-4
    assert abs(second - first).max() < 1e-4
    with pytest.raises(
        DefinitionError,
        match=r"terrain\.patches\[1\]\.file: .*small\.npy: expected data that cover the ground, "
        r"12\.5 m around x = 0 m, found 12\.25 m",
    ):
        load_world(patches(tmp_path, 12.5, HILLS, data("small.npy")))
    with pytest.raises(
        DefinitionError,
        match=r"terrain\.layers\[0\]\.ground\.file: .* cover the ground, 64 m around x",
    ):
        load_world(layered(tmp_path, ADD + data("small.npy")))


# What is refused

OF_HEIGHTS = [name for name, (*_, lines, _) in BAD.items() if HEIGHTS[0] in lines]


def refused(name: str, folder: Path, write_world: Callable[[str], Path], key: str) -> None:
    """Have a bad ground of that name refused, in a world with it, below the key."""
    file, write, lines, expected = BAD[name]
    if write:
        write(folder / file)
    world = write_world(", ".join((*lines, f'file = "{file}"')))
    with pytest.raises(DefinitionError, match=expected.removeprefix("terrain")) as caught:
        check(world)
    assert re.match(rf"{re.escape(f'{world}:')}\d+: {re.escape(key)}\.", str(caught.value))
    assert len(str(caught.value).splitlines()) == 1


@pytest.mark.parametrize("name", quick_of(OF_HEIGHTS, *OF_HEIGHTS[::4]))
def test_bad_data_of_a_layer_are_one_message_with_its_key(name: str, tmp_path: Path) -> None:
    refused(
        *(name, tmp_path, lambda ground: layered(tmp_path, ADD + HILLS, ADD + ground)),
        "terrain.layers[1].ground",
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", ["missing", "pixel", "bomb", "no spacing", "scale -1"])
def test_bad_data_of_a_patch_are_one_message_with_its_key(name: str, tmp_path: Path) -> None:
    refused(
        *(name, tmp_path, lambda ground: patches(tmp_path, 12.0, HILLS, ground)),
        "terrain.patches[1]",
    )


def test_meshes_and_ground_without_end_are_refused(tmp_path: Path) -> None:
    mesh = 'kind = "mesh", file = "a.stl"'
    inner = f'kind = "layers", layers = [{{ how = "add", ground = {{ {data("a.npy")} }} }}]'
    for world, expected in (
        (layered(tmp_path, ADD + HILLS, ADD + mesh, name="mesh"),
         "terrain.layers[1].ground.kind: expected a ground without edges (canyon, "),
        (layered(tmp_path, ADD + data("a.npy") + ", endless = true", name="part"),
         "terrain.layers[0].ground.endless: expected a kind that goes on (canyon, "),
        (world_file(tmp_path, 'kind = "layers"', "endless = true", "[[terrain.layers]]",
                    'how = "add"', f"ground = {{ {HILLS} }}", "[[terrain.layers]]",
                    'how = "multiply"', f"ground = {{ {inner} }}", name="endless"),
         "terrain.layers[1].ground.layers[0].ground.kind: expected grounds that go on, as layers "
         "of endless ground, found 'heights', which ends where its file does"),
        (patches(tmp_path, 12.0, mesh), "terrain.patches[0].kind: expected a ground that is "),
    ):  # fmt: skip
        done = sim("check", str(world))
        assert done.returncode == 2
        assert done.stderr.startswith(f"error: {world}:")
        assert expected in done.stderr
        assert "found 'mesh'" in done.stderr or "which ends where its file does" in done.stderr
        assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.slow
def test_all_data_together_have_a_limit(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", bumps(257, 257))
    one = f'{{ how = "add", ground = {{ {data("a.npy")} }} }}, '
    twice = ADD + f'kind = "layers", layers = [{16 * one}]'
    load_world(layered(tmp_path, twice, ADD + data("a.npy")))
    with pytest.raises(DefinitionError) as caught:
        load_world(layered(tmp_path, twice, twice, twice))
    assert "terrain.layers[1].ground.layers[15].ground.file: a.npy: expected ground of at" in str(
        caught.value
    )
    assert "8388608 bytes from all files" in str(caught.value)


def test_data_that_were_not_read_or_are_too_few_say_where(tmp_path: Path) -> None:
    ground = {"kind": "heights", "file": "a.npy", "spacing": 0.25}
    made = LayersDef.model_validate(
        {"kind": "layers", "layers": [{"how": "add", "ground": ground}]}
    )
    with pytest.raises(DefinitionError, match=r"^terrain\.layers\[0\]\.ground\.file: .*load_world"):
        build_terrain(made, 0)
    small = HeightsDef.model_validate(ground).with_data(bytes(4 * 49 * 49))
    made = LayersDef.model_validate({"kind": "layers", "layers": [{"how": "add", "ground": small}]})
    with pytest.raises(DefinitionError, match=r"ground\.file: expected 257 x 257 heights, found"):
        build_terrain(made, 0)


def test_layers_that_pile_data_too_high_are_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.full((257, 257), 30.0))
    here = data("a.npy")
    loaded = load_world(layered(tmp_path, ADD + here, MULTIPLY + here))
    with pytest.raises(TerrainError, match=r"^terrain: expected heights from -400 to 400 m, found"):
        build_terrain(loaded.terrain, 0)
    done = sim("run", str(tmp_path / "world.toml"), "--headless", "--ticks", "2")
    assert done.returncode == 2
    told = done.stderr.strip()
    assert told.startswith(f"error: {tmp_path / 'world.toml'}:3: ")
    assert told.partition(":3: ")[2] == "terrain: expected heights from -400 to 400 m, found " + (
        "900 to 900 m"
    )


# Replays, commands, windows


def twofold(folder: Path) -> Path:
    """A world of two files, one of which is read twice."""
    np.save(folder / "a.npy", 0.3 * bumps(300, 300))
    np.save(folder / "b.npy", 0.1 * bumps(260, 257)[::-1])
    return layered(
        *(folder, ADD + data("a.npy"), ADD + data("b.npy"), ADD + ROUGH),
        'how = "mask"; ease = 0.2: ' + data("a.npy", SPACING, "offset = 0.2"),
        'how = "blend"; near = 8.0; far = 16.0: ' + data("b.npy"),
    )


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording alone in its folder."""
    folder, other = (tmp_path_factory.mktemp(name) for name in ("written", "sent"))
    record(load_world(twofold(folder)), other / "walk.mcap", 60)
    shutil.rmtree(folder)
    return other / "walk.mcap"


@pytest.mark.slow
def test_a_replay_of_layered_data_verifies_from_the_file_alone(walked: Path) -> None:
    with walked.open("rb") as stream:
        names = [attachment.name for attachment in make_reader(stream).iter_attachments()]
    assert len(names) == len(set(names)) == 4  # the world, a, b, and a with another offset
    result = verify(walked)
    assert result.ok is True
    assert result.ticks == 60
    *_, last = open_replay(walked).rerun()
    assert last.creatures[0].position[0] > 0.1
    assert sim("verify", str(walked)).returncode == 0


@pytest.mark.slow
def test_a_replay_without_one_of_its_grounds_is_refused(walked: Path, tmp_path: Path) -> None:
    def change(name: str, content: bytes) -> bytes:
        if name != "world.json":
            return content
        world = orjson.loads(content)
        world["terrain"]["layers"][1]["ground"]["digest"] = "0" * 32
        return orjson.dumps(world)

    with pytest.raises(ReplayCorrupt, match=r"attachment 0{32}\.zst, the ground, is missing"):
        open_replay(rewritten(walked, tmp_path / "changed.mcap", change))


@pytest.mark.slow
def test_commands_take_layered_data(tmp_path: Path) -> None:
    world = str(twofold(tmp_path))
    done = sim("check", world)
    assert (done.returncode, done.stderr) == (0, "")
    assert "layers with hexapod" in done.stdout
    assert "64 x 64 m, heights 0.00 to" in sim("world", "info", world).stdout
    assert sim("world", "map", world, "-o", str(tmp_path / "map.png")).returncode == 0
    assert (tmp_path / "map.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_data_are_watched_and_taken_over(tmp_path: Path) -> None:
    world = twofold(tmp_path)
    paths = files_of("world", str(world))
    assert paths[0] == world
    assert set(paths[1:]) == {tmp_path / "a.npy", tmp_path / "b.npy"}

    def load() -> tuple[WorldDef, None]:
        return load_world(world), None

    with Simulation(load_world(world)) as simulation:
        show = LiveShow(simulation, source=Source(paths, load))
        show.advance(1 / 60)
        np.save(tmp_path / "b.npy", np.zeros((270, 270)))
        for _ in range(60):
            show.advance(1 / 60)
            if show.simulation is not simulation:
                break
        assert show.terrain.digest == build_terrain(load_world(world).terrain, 0).digest
        assert show.terrain.digest != simulation.terrain.digest
        show.close()

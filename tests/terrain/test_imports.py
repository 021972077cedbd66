"""Ground from files: what the files say is what rays find and replays carry."""

import struct
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import orjson
import pytest
import trimesh
import zstandard
from PIL import Image, TiffImagePlugin

from creature_sim.errors import DefinitionError, ReplayCorrupt
from creature_sim.figures.ground import Ground
from creature_sim.ground.rays import Physics
from creature_sim.library.loader import load_world
from creature_sim.library.variants import with_seed
from creature_sim.maths import Floats
from creature_sim.replay import open_replay, record, verify
from creature_sim.simulation import Simulation
from creature_sim.terrain import HeightTile, MeshTile, build_terrain
from creature_sim.terrain.files.imports import MAX_BYTES
from creature_sim.terrain.kinds.heights import HeightsDef
from creature_sim.terrain.tiles.pieces import MAX_PIECE
from creature_sim.terrain.tiles.tiles import CELL
from tests.commands import sim
from tests.replay.test_replay import rewritten

NODES = np.arange(-128, 129) * CELL


def world_file(folder: Path, *lines: str, name: str = "world") -> Path:
    """A world with a hexapod on such ground."""
    path = folder / f"{name}.toml"
    terrain = "\n".join(lines)
    path.write_text(
        f'name = "{name}"\ndriver = "forward 9"\n[terrain]\n{terrain}\n'
        '[[creatures]]\ncreature = "hexapod"\n'
    )
    return path


def bumps(rows: int, columns: int) -> Floats:
    """Heights that differ from place to place and along each axis in another way [m]."""
    i, j = np.meshgrid(np.arange(rows), np.arange(columns), indexing="ij")
    found: Floats = (1.0 + np.sin(0.11 * i) * np.cos(0.07 * j) + 0.001 * i).astype(np.float32)
    return found


def cast_down(physics: Physics, x: Floats, y: Floats) -> Floats:
    starts = np.stack((x, y, np.full(x.shape, 50.0)), axis=-1)
    fractions, _ = physics.cast(starts, starts - (0.0, 0.0, 100.0))
    assert (fractions < 1.0).all()
    return 50.0 - 100.0 * fractions


def found_at_nodes(world: Path) -> Floats:
    """What rays find at all nodes but those on the border, (255, 255) [ix, iy] [m]."""
    loaded = load_world(world)
    x, y = (axis.ravel() for axis in np.meshgrid(NODES[1:-1], NODES[1:-1], indexing="ij"))
    with Physics(build_terrain(loaded.terrain, loaded.seed)) as physics:
        return cast_down(physics, x, y).reshape(255, 255)


def on_nodes(grid: Floats) -> Floats:
    """Heights of a (257, 257) image at the nodes but for the border, [ix, iy]."""
    return grid[::-1].T[1:-1, 1:-1]


def save_npy(path: Path, grid: Floats) -> None:
    np.save(path, grid)


def save_png(path: Path, grid: Floats) -> None:
    Image.fromarray(np.rint(grid * 10_000.0).astype(np.uint16)).save(path)


def save_tiff(path: Path, grid: Floats) -> None:
    Image.fromarray(grid.astype(np.float32)).save(path)


def save_geotiff(path: Path, grid: Floats, size: float = CELL, model: int = 1) -> None:
    tags = TiffImagePlugin.ImageFileDirectory_v2()
    tags[33550], tags.tagtype[33550] = (size, size, 0.0), 12
    tags[33922], tags.tagtype[33922] = (0.0, 0.0, 0.0, 5e5, 4e6, 0.0), 12
    tags[34735], tags.tagtype[34735] = (1, 1, 0, 1, 1024, 0, 1, model), 3
    tags[42113], tags.tagtype[42113] = "-9999", 2
    Image.fromarray(grid.astype(np.float32)).save(
        path, tiffinfo=tags, compression="tiff_adobe_deflate"
    )


def save_asc(path: Path, grid: Floats) -> None:
    rows, columns = grid.shape
    header = f"NCOLS {columns}\nnrows {rows}\nxllcorner 5.0\nyllcorner 6\ncellsize {CELL}\n"
    lines = [" ".join(repr(float(value)) for value in row) for row in grid]
    path.write_text(header + "NODATA_value -9999\n" + "\n".join(lines) + "\n")


SPACING = f"spacing = {CELL}"
FORMATS: dict[str, tuple[Callable[[Path, Floats], None], tuple[str, ...], float]] = {
    "land.npy": (save_npy, (SPACING,), 1e-4),
    "land.png": (save_png, (SPACING, "scale = 0.0001"), 1.5e-4),  # and half a step of the PNG
    "land.tif": (save_tiff, (SPACING,), 1e-4),
    "geo.tiff": (save_geotiff, (), 1e-4),
    "land.asc": (save_asc, (), 1e-4),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_rays_find_the_heights_of_every_format(name: str, tmp_path: Path) -> None:
    save, keys, tolerance = FORMATS[name]
    grid = bumps(257, 257)
    save(tmp_path / name, grid)
    found = found_at_nodes(world_file(tmp_path, 'kind = "heights"', f'file = "{name}"', *keys))
    assert abs(found - on_nodes(grid)).max() < tolerance


@pytest.mark.slow
def test_the_ground_between_values_is_bilinear(tmp_path: Path) -> None:
    grid = bumps(64, 70).astype(np.float64)
    np.save(tmp_path / "coarse.npy", grid)
    world = world_file(
        *(tmp_path, 'kind = "heights"', 'file = "coarse.npy"', "spacing = 1.1"),
        *("scale = 0.5", "offset = -0.25", "centre = [2.5, -1.75]"),
    )
    found = found_at_nodes(world)
    column = (NODES[1:-1] + 2.5) / 1.1 + 34.5
    row = 31.5 - (NODES[1:-1] - 1.75) / 1.1
    i, j = np.floor(row).astype(int)[None, :], np.floor(column).astype(int)[:, None]
    v, u = row[None, :] - i, column[:, None] - j
    mixed = (grid[i, j] * (1 - u) + grid[i, j + 1] * u) * (1 - v)
    mixed += (grid[i + 1, j] * (1 - u) + grid[i + 1, j + 1] * u) * v
    assert abs(found - (0.5 * mixed - 0.25)).max() < 1e-4


@pytest.mark.slow
def test_the_middle_of_the_data_may_lie_anywhere(tmp_path: Path) -> None:
    grid = bumps(400, 500)
    np.save(tmp_path / "wide.npy", grid)
    lines = ('kind = "heights"', 'file = "wide.npy"', SPACING)
    # 257 of 500 columns and of 400 rows: half a column and row from the middle, then 10 and 30.
    found = found_at_nodes(world_file(tmp_path, *lines, "centre = [2.625, -7.625]"))
    assert abs(found - on_nodes(grid[102:359, 132:389])).max() < 1e-4


def test_a_huge_array_is_windowed_and_not_loaded(tmp_path: Path) -> None:
    path = tmp_path / "huge.npy"
    side = 40_000
    huge = np.lib.format.open_memmap(path, mode="w+", dtype=np.float32, shape=(side, side))
    first = side // 2 - 128
    grid = bumps(257, 257)
    huge[first : first + 257, first : first + 257] = grid
    huge.flush()
    del huge
    keys = ('kind = "heights"', 'file = "huge.npy"', SPACING, "centre = [0.125, -0.125]")
    world = world_file(tmp_path, *keys)
    load_world("meadow")
    tracemalloc.start()
    try:
        loaded = load_world(world)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 32 << 20
    terrain = loaded.terrain
    assert isinstance(terrain, HeightsDef)
    heights = np.frombuffer(terrain.data, "<f4").reshape(257, 257)
    assert (heights == grid[::-1].T).all()


@pytest.mark.slow
def test_holes_are_filled_where_the_world_says_so(tmp_path: Path) -> None:
    grid = bumps(257, 257)
    grid[100, 60] = np.nan
    grid[101, 61] = np.inf
    grid[130, 130] = -9999.0
    filled = grid.copy()
    filled[[100, 101, 130], [60, 61, 130]] = -0.5
    save_geotiff(tmp_path / "holes.tif", grid)
    save_asc(tmp_path / "holes.asc", grid)
    for name in ("holes.tif", "holes.asc"):
        lines = ('kind = "heights"', f'file = "{name}"')
        found = found_at_nodes(world_file(tmp_path, *lines, "hole = -0.5"))
        assert abs(found - on_nodes(filled)).max() < 1e-4
        with pytest.raises(DefinitionError, match="found 3 holes"):
            load_world(world_file(tmp_path, *lines))


def test_the_digest_refuses_other_data(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", bumps(257, 257))
    lines = ('kind = "heights"', 'file = "a.npy"', SPACING)
    terrain = load_world(world_file(tmp_path, *lines)).terrain
    assert isinstance(terrain, HeightsDef)
    digest = terrain.digest
    pinned = world_file(tmp_path, *lines, f'digest = "{digest}"')
    assert load_world(pinned) == load_world(world_file(tmp_path, *lines))
    np.save(tmp_path / "a.npy", bumps(257, 257) + 1.0)
    pinned = world_file(tmp_path, *lines, f'digest = "{digest}"')
    with pytest.raises(DefinitionError, match=rf"terrain\.digest: expected .*{digest}, found"):
        load_world(pinned)


def test_a_world_that_was_not_loaded_says_so() -> None:
    ground = HeightsDef(kind="heights", file="a.npy")
    with pytest.raises(DefinitionError, match="load_world"):
        build_terrain(ground, 0)


# Meshes


def save_mesh(path: Path, made: trimesh.Trimesh) -> None:
    """Write a mesh that is Z up; a .glb is Y up."""
    copy = made.copy()
    if path.suffix == ".glb":
        copy.apply_transform([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]])
    copy.export(path)


@pytest.mark.parametrize("kind", ["obj", "glb", "stl"])
def test_a_mesh_lies_on_its_floor_scaled_and_moved(kind: str, tmp_path: Path) -> None:
    wedge = trimesh.Trimesh(
        [[0, 0, 0], [4, 0, 0], [4, 2, 0], [0, 2, 0], [4, 0, 1], [4, 2, 1]],
        [[0, 4, 5], [0, 5, 3], [1, 2, 5], [1, 5, 4], [0, 1, 4], [3, 5, 2], [0, 2, 1], [0, 3, 2]],
    )
    save_mesh(tmp_path / f"wedge.{kind}", wedge)
    world = world_file(
        *(tmp_path, 'kind = "mesh"', f'file = "wedge.{kind}"'),
        *("scale = 2.0", "offset = [3.0, -2.0, 0.5]", "floor = 0.25"),
    )
    loaded = load_world(world)
    x = np.array([0.0, 3.5, 5.0, 7.0, 10.9, 11.1, 7.0, 7.0, 31.9])
    y = np.array([0.0, 0.0, 1.9, -1.9, 0.0, 0.0, -2.1, 2.1, -31.9])
    expected = [0.25, 0.625, 1.0, 1.5, 2.475, 0.25, 0.25, 0.25, 0.25]
    with Physics(build_terrain(loaded.terrain, loaded.seed)) as physics:
        assert cast_down(physics, x, y) == pytest.approx(expected, abs=1e-5)
        side, normal = physics.cast(np.array([[20.0, 0.0, 1.0]]), np.array([[0.0, 0.0, 1.0]]))
    assert side[0] == pytest.approx(0.45)
    assert normal[0] == pytest.approx([1.0, 0.0, 0.0])


def test_a_scene_of_instances_is_one_mesh(tmp_path: Path) -> None:
    scene = trimesh.Scene()
    box = trimesh.creation.box((1, 1, 1))
    for x in (2.0, 6.0):
        place = np.eye(4)
        place[0, 3] = x
        scene.add_geometry(box, geom_name="box", transform=place)
    export: Any = scene.export
    export(tmp_path / "two.glb")
    loaded = load_world(world_file(tmp_path, 'kind = "mesh"', 'file = "two.glb"'))
    with Physics(build_terrain(loaded.terrain, 0)) as physics:
        found = cast_down(physics, np.array([0.0, 2.0, 4.0, 6.0]), np.zeros(4))
    assert found == pytest.approx([-0.5, 0.5, -0.5, 0.5], abs=1e-6)


@pytest.mark.slow
def test_a_large_mesh_is_cut_into_pieces_without_gaps(tmp_path: Path) -> None:
    count = 200  # cells of 0.3 m: 80,000 triangles
    i, j = (axis.ravel() for axis in np.meshgrid(np.arange(count), np.arange(count)))
    a = i * (count + 1) + j
    faces = np.concatenate((np.stack((a, a + count + 1, a + 1), -1),) * 1)
    faces = np.concatenate((faces, np.stack((a + 1, a + count + 1, a + count + 2), -1)))
    axis = 0.3 * np.arange(count + 1) - 30.0
    x, y = (grid.ravel() for grid in np.meshgrid(axis, axis, indexing="ij"))
    points = np.stack((x, y, 0.5 * np.sin(0.3 * x) * np.cos(0.2 * y)), -1)
    save_mesh(tmp_path / "large.stl", trimesh.Trimesh(points, faces, process=False))
    loaded = load_world(world_file(tmp_path, 'kind = "mesh"', 'file = "large.stl"'))
    terrain = build_terrain(loaded.terrain, 0)
    pieces = [tile for tile in terrain.tiles if isinstance(tile, MeshTile)][:-16]
    assert len(pieces) == 4
    assert max(len(tile.triangles) for tile in pieces) <= MAX_PIECE
    assert sum(len(tile.triangles) for tile in pieces) == 2 * count * count
    inner = (abs(x) < 29.9) & (abs(y) < 29.9)
    with Physics(terrain) as physics:
        found = cast_down(physics, x[inner], y[inner])
        rng = np.random.default_rng(0)
        along, across = rng.uniform(-29.9, 29.9, (2, 20_000))
        between = cast_down(physics, along, across)
    assert abs(found - points[inner, 2]).max() < 1e-4
    assert abs(between - 0.5 * np.sin(0.3 * along) * np.cos(0.2 * across)).max() < 0.01


# Replays


@pytest.fixture(scope="module", params=["heights", "mesh"])
def walked(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording whose world and data are gone."""
    folder = tmp_path_factory.mktemp("imported")
    if request.param == "heights":
        np.save(folder / "data.npy", 0.3 * bumps(300, 300))
        lines = ['kind = "heights"', 'file = "data.npy"', SPACING]
    else:
        made = trimesh.creation.icosphere(3, 30.0)
        save_mesh(folder / "data.stl", made)
        lines = ['kind = "mesh"', 'file = "data.stl"']
    world = world_file(folder, *lines)
    record(load_world(world), folder / "walk.mcap", 60)
    for path in folder.glob("[!w]*"):
        path.unlink()
    world.unlink()
    return folder / "walk.mcap"


@pytest.mark.slow
def test_a_replay_verifies_without_the_files_of_its_world(walked: Path) -> None:
    assert [path.name for path in walked.parent.iterdir()] == ["walk.mcap"]
    result = verify(walked)
    assert result.ok is True
    assert result.ticks == 60
    *_, last = open_replay(walked).rerun()
    assert last.digest == result.digest
    assert last.creatures[0].position[0] > 0.1


def changed_data(change: Callable[[bytearray], Any]) -> Callable[[str, bytes], bytes]:
    """A change of the ground in a replay."""

    def apply(name: str, data: bytes) -> bytes:
        if not name.endswith(".zst"):
            return data
        plain = bytearray(zstandard.ZstdDecompressor().decompress(data))
        change(plain)
        return zstandard.ZstdCompressor().compress(bytes(plain))

    return apply


def lift(data: bytearray) -> None:
    data[400] ^= 1


def cut(data: bytearray) -> None:
    del data[100:]


def grow(data: bytearray) -> None:
    data.extend(bytes(MAX_BYTES))


@pytest.mark.parametrize("change", [lift, cut, grow])
def test_changed_ground_is_refused(
    walked: Path, tmp_path: Path, change: Callable[[bytearray], Any]
) -> None:
    path = rewritten(walked, tmp_path / "changed.mcap", changed_data(change))
    with pytest.raises(ReplayCorrupt, match=r"attachment \w+\.zst: .*expected .*, found") as caught:
        open_replay(path)
    assert "\n" not in str(caught.value)
    done = sim("verify", str(path))
    assert done.returncode == 2
    assert "attachment" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_missing_or_damaged_ground_is_refused(walked: Path, tmp_path: Path) -> None:
    def forget(name: str, data: bytes) -> bytes:
        return data[:20] if name.endswith(".zst") else data

    with pytest.raises(ReplayCorrupt, match="expected compressed data, found damage"):
        open_replay(rewritten(walked, tmp_path / "short.mcap", forget))

    def rename(name: str, data: bytes) -> bytes:
        if name != "world.json":
            return data
        world = orjson.loads(data)
        world["terrain"]["digest"] = "0" * 32
        return orjson.dumps(world)

    with pytest.raises(ReplayCorrupt, match=r"0000\.zst, the ground, is missing"):
        open_replay(rewritten(walked, tmp_path / "renamed.mcap", rename))


@pytest.mark.slow
def test_changes_of_a_world_keep_its_ground(walked: Path) -> None:
    world = open_replay(walked).world
    with Simulation(with_seed(world, 9)) as first, Simulation(world) as second:
        assert first.terrain.digest == second.terrain.digest


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("kind", ["u2", "i4", "f4"])
def test_tiff_of_either_byte_order(kind: str, order: str, tmp_path: Path) -> None:
    grid = np.rint(bumps(257, 257) * 10_000.0).astype(f"{order}{kind}")
    data = grid.tobytes()
    number = 3 if kind == "f4" else 2 if kind == "i4" else 1
    size = 8 * grid.dtype.itemsize
    tags = [(256, 257), (257, 257), (258, size), (259, 1), (262, 1), (273, 8), (277, 1)]
    tags += [(278, 257), (279, len(data)), (339, number)]
    entries = b"".join(struct.pack(f"{order}HHII", tag, 4, 1, value) for tag, value in tags)
    head = (b"II" if order == "<" else b"MM") + struct.pack(f"{order}HI", 42, 8 + len(data))
    table = struct.pack(f"{order}H", len(tags)) + entries + bytes(4)
    (tmp_path / "a.tif").write_bytes(head + data + table)
    lines = ('kind = "heights"', SPACING, 'file = "a.tif"', "scale = 0.0001")
    terrain = load_world(world_file(tmp_path, *lines)).terrain
    assert isinstance(terrain, HeightsDef)
    found = np.frombuffer(terrain.data, "<f4").reshape(257, 257)
    assert (found == (grid.astype(np.float64) * 0.0001)[::-1].T.astype(np.float32)).all()


def test_what_draws_takes_imported_ground(tmp_path: Path) -> None:
    save_mesh(tmp_path / "a.stl", trimesh.creation.icosphere(3, 40.0))
    drawn = Ground.of(
        build_terrain(
            load_world(world_file(tmp_path, 'kind = "mesh"', 'file = "a.stl"')).terrain, 0
        )
    )
    assert np.isfinite(drawn.vertices).all()
    assert drawn.is_edged
    assert drawn.heights(np.array([[0.0, 0.0]])) == pytest.approx(40.0, abs=0.1)


def test_all_tiles_share_the_borders_of_the_file(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", bumps(257, 257))
    loaded = load_world(world_file(tmp_path, 'kind = "heights"', SPACING, 'file = "a.npy"'))
    tiles = build_terrain(loaded.terrain, 0).tiles
    assert all(isinstance(tile, HeightTile) for tile in tiles)
    assert tiles[0].heights[-1, -1] == tiles[5].heights[0, 0]

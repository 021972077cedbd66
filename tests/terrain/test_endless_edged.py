"""Ground with edges and without end: the same whatever is loaded, and memory that does not grow."""

from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from creature_sim.ground import bodies as tile_bodies
from creature_sim.ground.rays import Physics
from creature_sim.replay import record, verify
from creature_sim.simulation import Simulation
from creature_sim.systems import SYSTEMS, LoadGround
from creature_sim.terrain import FARTHEST, MeshTile, build_terrain
from creature_sim.terrain.patterns.rows import Row
from creature_sim.terrain.tiles.chunks import Chunk
from creature_sim.terrain.tiles.mesh_chunks import MeshChunks
from creature_sim.terrain.tiles.tiling import TILE
from tests.marks import few, quick_of, sample_of
from tests.scenes import scene
from tests.terrain.test_endless import digests, ground
from tests.terrain_kinds import EDGED, KINDS, endless

EDGE = int(FARTHEST / TILE)
numbers = st.integers(-EDGE, EDGE - 2)
kinds = st.sampled_from(EDGED)


def chunks_of(kind: str) -> MeshChunks:
    chunks = ground(kind).chunks
    assert isinstance(chunks, MeshChunks)
    return chunks


def corners_of(tile: MeshTile) -> np.ndarray:
    return tile.vertices[tile.triangles]


def inner(points: np.ndarray, *, is_across: bool) -> set[tuple[float, ...]]:
    """Points that are neither far out nor on a border of chunks.

    Of what runs across the whole ground along Y, which is cut somewhere, x and z alone.
    """
    flat = points[:, :1] if is_across else points[:, :2]
    is_inner = (abs(flat) < 29.0).all(axis=1) & (flat % TILE != 0.0).all(axis=1)
    return set(map(tuple, (points[is_inner][:, [0, 2] if is_across else [0, 1, 2]] + 0.0).tolist()))


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", quick_of(sorted(set(EDGED) - {"stepping_stones"}), "stairs", "obstacles", "gap", "wall")
)
def test_corners_around_the_origin_are_those_of_ground_with_a_border(kind: str) -> None:
    """But for the outermost things, which a border cuts or leaves out."""
    across = kind in ("stairs", "gap", "rails")
    found = [
        inner(np.concatenate([tile.mesh()[0] for tile in terrain.tiles]), is_across=across)
        for terrain in (build_terrain(KINDS[kind], 7), ground(kind))
    ]
    assert found[0] == found[1]
    assert len(found[0]) > (8 if kind == "wall" else 80)


def heights_along(tile: MeshTile, axis: int, border: float) -> np.ndarray:
    """Heights of the edges that lie along a border.

    Where a face stands on another border, its upright edge at the corner is of one chunk alone: the
    neighbour's face begins there.
    """
    corners = corners_of(tile)
    a, b = corners.reshape(-1, 3), np.roll(corners, -1, axis=1).reshape(-1, 3)
    is_along = (a[:, axis] == border) & (b[:, axis] == border) & (a[:, 1 - axis] != b[:, 1 - axis])
    return np.concatenate((a[is_along], b[is_along]))[:, 2]


@pytest.mark.slow
@few
@given(kinds, numbers, numbers)
@example("steps", -525, 1105)  # edges of boxes fall on both borders
@example("steps", -1, 1105)
def test_chunks_cover_their_squares_and_meet(kind: str, i: int, j: int) -> None:
    tile = chunks_of(kind).tile((i, j))
    low = TILE * np.array([i, j])
    flat = tile.vertices[:, :2]
    assert (flat.min(axis=0) == low).all()
    assert (flat.max(axis=0) == low + TILE).all()
    corners = corners_of(tile)[..., :2]
    u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    areas = 0.5 * (u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
    share = areas[areas > 0.0].sum() / TILE**2  # stones and pillars lie over the ground
    covered = {"stepping_stones": (1.0, 1.0 + 0.3**2 / 0.41**2), "pillar": (1.0, 1.1)}
    least, most = covered.get(kind, (1.0, 1.0))
    assert least - 1e-9 <= share <= most + 0.1 * (most - least) + 1e-9
    for axis, beside in enumerate(((i + 1, j), (i, j + 1))):
        border = low[axis] + TILE
        here, there = (
            heights_along(chunk, axis, border) for chunk in (tile, chunks_of(kind).tile(beside))
        )
        assert here.min() == pytest.approx(there.min(), abs=1e-9)
        assert here.max() == pytest.approx(there.max(), abs=1e-9)


@pytest.mark.slow
@few
@given(kinds, st.lists(st.tuples(numbers, numbers), min_size=2, max_size=3), st.randoms())
def test_the_order_of_chunks_does_not_matter(
    kind: str, places: list[Chunk], random: Random
) -> None:
    first = {place: chunks_of(kind).tile(place) for place in places}
    random.shuffle(places)
    for place in places:
        again = chunks_of(kind).tile(place)
        assert (again.vertices == first[place].vertices).all()
        assert (again.triangles == first[place].triangles).all()


@pytest.mark.parametrize("kind", ["steps", "obstacles", "tilted_grid", "stepping_stones"])
def test_far_ground_is_no_copy(kind: str) -> None:
    places = [(0, 40), (40, 0), (-2000, 3000), (3000, -2000), (-EDGE, -EDGE), (EDGE - 1, 0)]
    found = [chunks_of(kind).tile(place) for place in places]
    shapes = [tile.vertices - np.append(TILE * np.array(at), 0) for tile, at in zip(found, places)]  # noqa: B905
    for index, vertices in enumerate(shapes):
        assert vertices[:, 2].std() > 0.01
        for other in shapes[:index]:
            assert len(vertices) != len(other) or abs(vertices - other).max() > 1e-3


lengths = st.floats(0.1, 9.0)
places = st.floats(-FARTHEST, FARTHEST)


@pytest.mark.slow
@given(st.lists(lengths, min_size=3, max_size=9), st.integers(1, 2), places, lengths, lengths)
def test_a_row_of_boxes_is_the_same_in_every_stretch(
    steps: list[float], cycle: int, low: float, first: float, second: float
) -> None:
    row = Row(np.cumsum(steps), cycle)
    middle, high = low + first, low + first + second
    edges, boxes = row.between(low, high)
    left, right = row.between(low, middle), row.between(middle, high)
    joined = np.unique(np.concatenate((left[0], right[0])))
    assert np.isin(edges, joined).all()
    assert set(joined.tolist()) - set(edges.tolist()) <= {middle}
    assert set(boxes.tolist()) == {*left[1].tolist(), *right[1].tolist()}
    mirrored, turned = row.between(-high, -low)
    assert (mirrored == -edges[::-1]).all()
    assert (turned == boxes[::-1]).all()
    assert (row.first(boxes) < len(steps)).all()


RAYS = 3000


def seam_rays() -> tuple[np.ndarray, np.ndarray]:
    """To where chunks meet, within a hair of it and farther, upright and tilted; and elsewhere."""
    rng = np.random.default_rng(3)
    along = rng.uniform(-36.0, 36.0, RAYS)
    spots = np.stack((TILE * rng.integers(-2, 3, RAYS), along), axis=-1)
    spots = np.where(rng.random((RAYS, 1)) < 0.5, spots, spots[:, ::-1])
    hairs = [0.0, 1e-300, -1e-23, 1e-17, -1e-12, 1e-7, -1e-5, 1e-4, 1.2e-3, -1.7e-3, 3.1e-3, -5e-3]
    spots = spots + rng.choice(hairs, (RAYS, 2))
    spots[::3] = rng.uniform(-36.0, 36.0, spots[::3].shape)
    points = np.concatenate((spots, rng.choice([0.0, 0.06, -0.2], (RAYS, 1))), axis=1)
    tilts = rng.choice([0.0, 0.0, 0.3, -0.5, 1e-3, 3.0], (RAYS, 2))
    ways = np.concatenate((tilts, np.full((RAYS, 1), -1.0)), axis=1)
    return points - 4.0 * ways, points + 4.0 * ways


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    sample_of(["steps", "stairs", "tilted_grid", "gap", "pillar"], slow=("tilted_grid", "gap")),
)
def test_what_rays_find_does_not_depend_on_what_was_loaded(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts, ends = seam_rays()
    with Physics(ground(kind), 4) as physics:
        fractions, normals = physics.cast(starts, ends)
    assert (fractions < 1.0).all()
    monkeypatch.setattr(tile_bodies, "MAX_LEAKED", 10)
    rng = np.random.default_rng(5)
    with Physics(ground(kind), 4) as physics:
        for part in np.array_split(rng.permutation(RAYS), 30):
            away = np.append(rng.uniform(-900.0, 900.0, 2), 50.0)
            physics.cast(away[None], away[None] - np.array([0.0, 0.0, 100.0]))
            physics.prepare(away[None])
            again, other = physics.cast(starts[part], ends[part])
            assert (again == fractions[part]).all()
            assert (other == normals[part]).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", sample_of(EDGED, slow=("steps", "stairs", "pillar", "tilted_grid"))
)
def test_rays_find_the_tops_after_changes_of_clients_and_far_away(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tile_bodies, "MAX_LEAKED", 10)
    kilometre = int(1000 / TILE)
    clients = set()
    with Physics(ground(kind)) as physics:
        for i in range(30):
            place = np.array([[TILE * i + 1.0, 7.0 * i, 40.0]])
            fractions, _ = physics.cast(place, place - np.array([0.0, 0.0, 80.0]))
            assert fractions[0] < 1.0
            physics.prepare(place)
            clients.add(physics.client)
        for chunk in ((10 * kilometre, -10 * kilometre), (-EDGE, EDGE - 1), (0, 0)):
            corners = corners_of(chunks_of(kind).tile(chunk))
            u, v = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
            is_top = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0] > 1e-3
            middles = corners[is_top].mean(axis=1)
            up = np.array([0.0, 0.0, 50.0])
            fractions, _ = physics.cast(middles + up, middles - up)
            found = 50.0 - 100.0 * fractions  # above the middles
            assert found.min() > -1e-6
            if kind not in ("stepping_stones", "pillar"):  # whose ground lies below them too
                assert found.max() < 1e-6
    assert len(clients) > 1


@pytest.mark.slow
def test_memory_does_not_grow_with_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tile_bodies, "MAX_LEAKED", 20_000)

    def memory() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

    with Physics(ground("steps")) as physics:

        def walk(first: int, last: int) -> float:
            for i in range(first, last):
                place = np.array([[TILE * i + 8.0, 8.0, 9.0]])
                physics.cast(place, place - np.array([0.0, 0.0, 20.0]))
                physics.prepare(place)
            return memory()

        before = walk(0, 60)
        assert walk(60, 220) - before < 60.0  # 160 chunks of 0.8 MB otherwise


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "creature"), [("steps", "hexapod"), ("stairs", "millipede")])
def test_a_walk_does_not_depend_on_what_was_loaded(
    kind: str, creature: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    world = scene("steps", creature, terrain=endless(kind), driver="forward 9")
    expected = digests(world, 80)
    alone = tuple(system for system in SYSTEMS if system is not LoadGround)
    assert digests(world, 80, systems=alone) == expected
    monkeypatch.setattr(tile_bodies, "MAX_LEAKED", 10)
    assert digests(world, 80, disturbed=True) == expected


@pytest.mark.slow
def test_walks_with_and_without_a_border_agree() -> None:
    ends = []
    for terrain in (KINDS["steps"], endless("steps")):
        world = scene("steps", "hexapod", terrain=terrain, driver="forward 9; forward left 9")
        with Simulation(world) as simulation:
            for _ in range(400):
                simulation.step()
            ends.append(simulation.snapshot.creatures[0].tips)
    assert abs(ends[0] - ends[1]).max() < 1e-6


@pytest.mark.slow
def test_replays_verify_and_carry_no_map(tmp_path: Path) -> None:
    world = scene("steps", "hexapod", terrain=endless("steps"), driver="forward 20")
    record(world, tmp_path / "walk.mcap", 240)
    assert verify(tmp_path / "walk.mcap").ok
    assert (tmp_path / "walk.mcap").stat().st_size < 300_000

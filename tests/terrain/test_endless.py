"""Ground without end: chunks from their own places alone, rays that never miss, exact walks."""

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import esper
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from creature_sim.components import STANDING
from creature_sim.definitions import WorldDef
from creature_sim.drivers import make_driver
from creature_sim.errors import TerrainError
from creature_sim.ground.rays import Physics
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_world
from creature_sim.replay import open_replay, record, verify
from creature_sim.simulation import Simulation
from creature_sim.systems import SYSTEMS, LoadGround
from creature_sim.terrain import FARTHEST, HALF_SIZE, Terrain, build_terrain
from creature_sim.terrain.kinds.hills import HillsDef
from creature_sim.terrain.tiles.chunks import Chunk, Chunks, chunks_between, nodes_of
from creature_sim.terrain.tiles.tiling import TILE
from tests.marks import sample_of
from tests.scenes import herd, scene
from tests.terrain_kinds import ENDLESS_DIGESTS, KINDS, SMOOTH, endless


@cache
def ground(kind: str) -> Terrain:
    return build_terrain(endless(kind), 7)


def chunks_of(kind: str) -> Chunks:
    chunks = ground(kind).chunks
    assert isinstance(chunks, Chunks)
    return chunks


def heights_of(kind: str, chunk: Chunk) -> np.ndarray:
    tile = chunks_of(kind).tile(chunk)
    return tile.level + tile.heights.astype(np.float64)


EDGE = int(FARTHEST / TILE)
numbers = st.integers(-EDGE, EDGE - 2)
kinds = st.sampled_from(SMOOTH)


@pytest.mark.slow
@given(kinds, numbers, numbers)
def test_chunks_share_their_borders_bit_for_bit(kind: str, i: int, j: int) -> None:
    here = heights_of(kind, (i, j))
    assert (here[-1] == heights_of(kind, (i + 1, j))[0]).all()
    assert (here[:, -1] == heights_of(kind, (i, j + 1))[:, 0]).all()


@pytest.mark.slow
@given(kinds, st.lists(st.tuples(numbers, numbers), min_size=2, max_size=4), st.randoms())
def test_the_order_of_chunks_does_not_matter(
    kind: str, places: list[Chunk], random: Random
) -> None:
    first = {place: heights_of(kind, place) for place in places}
    random.shuffle(places)
    for place in places:
        assert (heights_of(kind, place) == first[place]).all()


@pytest.mark.slow
@given(kinds, numbers, numbers, st.integers(0, 64), st.integers(0, 64))
def test_a_node_has_its_height_whatever_else_is_asked(
    kind: str, i: int, j: int, a: int, b: int
) -> None:
    alone = chunks_of(kind).at(nodes_of(i)[a : a + 1], nodes_of(j)[b : b + 1])
    tile = chunks_of(kind).tile((i, j))
    assert np.float32(alone[0, 0] - tile.level) == tile.heights[a, b]


@pytest.mark.parametrize("kind", SMOOTH)
def test_endless_ground_is_the_same_around_the_origin(kind: str) -> None:
    tiles = build_terrain(KINDS[kind], 7).tiles
    for bounded, tile in zip(tiles, ground(kind).tiles, strict=True):
        assert bounded.origin == tile.origin
        assert (bounded.heights == tile.heights).all()


@pytest.mark.parametrize("kind", ENDLESS_DIGESTS)
def test_the_bits_of_endless_ground_stay_what_they_are(kind: str) -> None:
    assert ground(kind).digest == ENDLESS_DIGESTS[kind]


@pytest.mark.parametrize("kind", ["hills", "rough", "craters", "dunes", "islands"])
def test_far_ground_is_neither_level_nor_a_copy(kind: str) -> None:
    chunks = [(0, 40), (40, 0), (-2000, 3000), (3000, -2000), (-EDGE, -EDGE), (EDGE - 1, 0)]
    found = [heights_of(kind, chunk) for chunk in chunks]
    assert all(heights.std() > 0.02 for heights in found)
    for index, heights in enumerate(found):
        assert all((heights != other).any() for other in found[:index])


def nodes_under(chunk: Chunk) -> tuple[np.ndarray, np.ndarray]:
    x, y = np.meshgrid(nodes_of(chunk[0]), nodes_of(chunk[1]), indexing="ij")
    return x.ravel(), y.ravel()


def cast_down(
    physics: Physics, x: np.ndarray, y: np.ndarray, top: np.ndarray | float = 40.0, way: float = 80
) -> tuple[np.ndarray, np.ndarray]:
    starts = np.stack(np.broadcast_arrays(x, y, top), axis=-1)
    fractions, normals = physics.cast(starts, starts - np.array([0.0, 0.0, way]))
    assert (fractions < 1.0).all()
    return starts[:, 2] - way * fractions, normals


@pytest.mark.parametrize("kind", sample_of(("hills", "slope", "rough", "layers"), slow=("rough",)))
def test_rays_find_the_heights_after_a_thousand_refills_and_far_away(kind: str) -> None:
    kilometre = int(1000 / TILE)
    far = [(10 * kilometre, -10 * kilometre), (-EDGE, EDGE - 2), (0, 0), (-1, 10 * kilometre)]
    with Physics(ground(kind)) as physics:
        for i in range(520):  # each meets two chunks
            place = TILE * np.array([i % 40 - 20.0, i // 7.0 + 0.5])
            cast_down(physics, place[:1], place[1:], chunks_of(kind).at(*place[:, None])[0, 0] + 40)
        for chunk in far:
            x, y = nodes_under(chunk)
            height = heights_of(kind, chunk).ravel()
            found, _ = cast_down(physics, x, y, height + 3.0, 6.0)
            assert abs(found - height).max() < 1e-6


@pytest.mark.slow
def test_memory_does_not_grow_with_the_way() -> None:
    def memory() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6

    with Physics(ground("rough")) as physics:

        def walk(first: int, last: int) -> float:
            for i in range(first, last):
                cast_down(physics, np.array([TILE * i]), np.zeros(1))
            return memory()

        before = walk(0, 100)
        assert walk(100, 400) - before < 50.0  # 600 chunks of 8 MB otherwise


RAYS = 600


def seam_rays(kind: str) -> tuple[np.ndarray, np.ndarray]:
    """To where chunks meet: corners and borders, within a hair of them, upright and tilted."""
    rng = np.random.default_rng(3)
    nodes = np.where(rng.random(RAYS) < 0.5, 0.25 * rng.integers(-160, 160, RAYS), 0.0)
    places = np.stack((TILE * rng.integers(-2, 3, RAYS), nodes), axis=-1)
    places = np.where(rng.random((RAYS, 1)) < 0.5, places, places[:, ::-1])
    at = chunks_of(kind).heights
    heights = [at(place[:1], place[1:])[0] for place in places]
    hairs = rng.choice([0.0, 1e-300, -1e-23, 1e-17, -1e-12, 1e-7, -1e-5, 1e-4], (RAYS, 2))
    points = np.concatenate((places + hairs, heights), axis=1)
    tilts = rng.choice([0.0, 0.0, 0.3, -0.5, 1e-3, 0.7], (RAYS, 2))
    ways = np.concatenate((tilts, np.full((RAYS, 1), -1.0)), axis=1)
    return points - 2.0 * ways, points + 2.0 * ways


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["flat", "hills"])
def test_what_rays_find_on_seams_does_not_depend_on_what_was_loaded(kind: str) -> None:
    starts, ends = seam_rays(kind)
    with Physics(ground(kind), 4) as physics:
        fractions, normals = physics.cast(starts, ends)
    assert (fractions < 1.0).all()
    rng = np.random.default_rng(5)
    for creature_count in (1, 3):
        with Physics(ground(kind), creature_count) as physics:
            places = TILE * rng.integers(-4, 4, (60, 3)) + 3.0
            for place in places:
                physics.prepare(place[None])
            for order in (rng.permutation(RAYS), rng.permutation(RAYS)):
                found, other = physics.cast(starts[order], ends[order])
                assert (found == fractions[order]).all()
                assert (other == normals[order]).all()


@pytest.mark.slow
def test_rays_over_many_chunks_need_no_more_room_than_there_is() -> None:
    x = np.arange(-400.0, 400.0, 0.7)
    with Physics(ground("hills")) as physics:
        together, _ = cast_down(physics, x, -x)
        apart = [cast_down(physics, x[i : i + 1], -x[i : i + 1])[0][0] for i in range(len(x))]
        level, _ = physics.cast(np.array([[-500.0, 3.0, 0.0]]), np.array([[500.0, 90.0, 0.0]]))
    assert (together == apart).all()
    assert 0.0 < level[0] < 1.0


def test_rays_beyond_the_end_and_rays_that_are_none_miss() -> None:
    ends = np.array([[0.0, 0.0, -50.0], [1e9, 1e9, -50.0], [np.nan, 1.0, 0.0], [-1e5, 0.0, -50.0]])
    with Physics(ground("hills")) as physics:
        fractions, _ = physics.cast(ends + np.array([0.0, 0.0, 100.0]), ends)
        physics.prepare(ends)
        edge = FARTHEST - 1e-3
        sides = np.array([[edge, 5.0, 0.0], [-edge, -edge, 0.0], [FARTHEST + 0.1, 5.0, 0.0]])
        up = np.array([0.0, 0.0, 50.0])
        at_end, _ = physics.cast(sides + up, sides - up)
    assert (fractions < 1.0).tolist() == [True, False, False, False]
    assert (at_end < 1.0).tolist() == [True, True, False]


Systems = tuple[type[esper.Processor], ...]


def digests(
    world: WorldDef, ticks: int, *, disturbed: bool = False, systems: Systems = SYSTEMS
) -> list[str]:
    found = []
    with Simulation(world, systems=systems) as simulation:
        driver = make_driver(simulation.world)
        rng = np.random.default_rng(2)
        for _ in range(ticks):
            simulation.step(driver(simulation.snapshot))
            found.append(simulation.digest)
            if disturbed:  # other ground takes the place of this
                start = np.append(rng.uniform(-900.0, 900.0, 2), 50.0)
                simulation.physics.cast(start[None], start[None] - np.array([0.0, 0.0, 100.0]))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "millipede"])
def test_a_walk_does_not_depend_on_what_was_loaded(creature: str) -> None:
    """Over wave ground, along a border of chunks, where rays meet two at once."""
    terrain = endless("wave").model_copy(update={"clearing": 0.0})
    world = scene("endless", creature, terrain=terrain, driver="forward 9")
    expected = digests(world, 100)
    assert digests(world, 100, disturbed=True) == expected
    alone = tuple(system for system in SYSTEMS if system is not LoadGround)
    assert digests(world, 100, systems=alone) == expected


@pytest.mark.slow
def test_creatures_far_apart_walk_as_each_would_alone() -> None:
    places = [(0.0, 0.0), (4000.0, -9000.0), (-60_000.0, 20.0), (4001.5, -8998.0)]
    together = herd("endless", "hexapod", places, driver="forward left 9")
    with Simulation(together) as simulation:
        for _ in range(90):
            simulation.step()
        found = simulation.snapshot.digests
    for place, parts in zip(places, found, strict=True):
        world = herd("endless", "hexapod", [place], driver="forward left 9")
        with Simulation(world) as simulation:
            for _ in range(90):
                simulation.step()
            assert simulation.snapshot.digests[0] == parts


@pytest.mark.slow
def test_a_reset_from_far_away_finds_ground() -> None:
    with Simulation(scene("endless", "spider4", driver="forward 99")) as simulation:
        first = simulation.snapshot.creatures[0].position
        for _ in range(1800):
            simulation.step()
        away = simulation.snapshot.creatures[0].position
        assert np.hypot(*(away - first)[:2]) > TILE
        simulation.step(Input.of([()], [Event("reset", 0)]))
        again = simulation.snapshot.creatures[0].position
        assert abs(again - first).max() < 0.01
        for _ in range(60):
            simulation.step()


@pytest.mark.slow
def test_wanderers_turn_back_where_ground_ends_only() -> None:
    axes = []
    for place in ((0.0, 0.0), (25.0, 25.0), (-500.0, 300.0)):
        world = herd("endless", "hexapod", [place])
        with Simulation(world) as simulation:
            axes.append(make_driver(world)(simulation.snapshot).commands[0])
    assert axes[0] == axes[1] == axes[2]
    world = herd("hills", "hexapod", [(25.0, 25.0)])
    with Simulation(world) as simulation:
        assert make_driver(world)(simulation.snapshot).commands[0] != axes[0]


@pytest.mark.slow
def test_replays_of_endless_walks_verify_and_carry_no_map(tmp_path: Path) -> None:
    sizes = []
    for name in ("hills", "endless"):
        world = herd(name, "hexapod", [(14.0, 14.0)], driver="forward 20")
        record(world, tmp_path / f"{name}.mcap", 300)
        assert verify(tmp_path / f"{name}.mcap").ok
        sizes.append((tmp_path / f"{name}.mcap").stat().st_size)
    assert sizes[1] < 1.05 * sizes[0]
    replay = open_replay(tmp_path / "endless.mcap")
    positions = np.array([pose.creatures[0].position for pose in replay.poses])
    assert positions[0, 0] < TILE < positions[-1, 0]


@pytest.mark.slow
def test_scores_ask_the_ground_that_was_walked_long_ago() -> None:
    from creature_sim.score import score_run

    world = herd("endless", "hexapod", [(300.0, -70.0)])
    with Simulation(world) as simulation:
        driver = make_driver(world, "forward 60")
        given = driver(simulation.snapshot)
        ((_, metrics),) = score_run(simulation, [given] * 1500)
    assert metrics["M3"].verdict == "excellent"
    assert metrics["M5"].verdict == "excellent"
    way = float(metrics["M16"].reason.split()[1])
    assert way > TILE


STONES = {"kind": "stepping_stones", "size": 0.3, "gap": 0.1, "depth": 1.0, "clearing": 1.0}
HILLS = {"kind": "hills", "amplitude": 1.0, "wavelength": 9.0, "octaves": 2}


@pytest.mark.parametrize(
    ("terrain", "message"),
    [
        ({"kind": "tunnel", "width": 2.0, "height": 1.0, "endless": True},
         "terrain.endless: expected a kind that goes on (canyon, craters, "),
        ({"kind": "tunnel", "width": 2.0, "height": 1.0, "endless": True},
         "found 'tunnel', which is one thing at the origin"),
        ({"kind": "patches", "size": 9.0, "columns": 1, "patches": [HILLS], "endless": True},
         "found 'patches', which is a map with a rim"),
        (STONES | {"extent": 9.0, "endless": True},
         "terrain.extent: expected none for endless stones, found 9"),
        (STONES, "terrain.extent: expected how far stones lie, or endless stones, found none"),
        (STONES | {"size": 0.1, "gap": 0.02, "endless": True},
         "terrain.size: expected at most 4096 stones, found 17778 stones of 0.1 m within 8 m"),
        ({"kind": "patches", "size": 9.0, "columns": 1, "patches": [HILLS | {"endless": True}]},
         "terrain.patches[0].endless: expected on the whole ground, found on a part of it"),
        ({"kind": "layers", "layers": [{"how": "add", "ground": HILLS | {"endless": True}}]},
         "terrain.layers[0].ground.endless: expected on the whole ground, found on a part of it"),
        (HILLS | {"endless": 1}, "terrain.endless: expected true or false, found 1"),
    ],
)  # fmt: skip
def test_what_cannot_be_endless_is_refused(
    terrain: dict[str, Any], message: str, tmp_path: Path
) -> None:
    table = {"name": "w", "terrain": terrain, "creatures": [{"creature": "hexapod"}]}
    with pytest.raises(ValidationError, match="endless") as caught:
        WorldDef.model_validate(table)
    from creature_sim.definitions import explain

    assert message in "\n".join(explain(caught.value))


def test_starts_lie_on_ground() -> None:
    for limit, terrain in ((30, HILLS), (65534, HILLS | {"endless": True})):
        table = {"name": "w", "terrain": terrain}
        placed = {"creature": "hexapod", "position": [limit + 1.0, 0.0]}
        with pytest.raises(ValueError, match=f"from -{limit} to {limit}"):
            WorldDef.model_validate(table | {"creatures": [placed]})
        placed["position"] = [float(limit), 0.0]
        WorldDef.model_validate(table | {"creatures": [placed]})


def test_cliffs_that_nobody_can_use_are_refused() -> None:
    wild = HillsDef(
        kind="hills", amplitude=50.0, wavelength=0.5, octaves=10, gain=0.9, endless=True
    )
    with pytest.raises(TerrainError, match="expected heights within 256 m of each other"):
        build_terrain(wild, 1)


def test_steep_ground_far_up_keeps_its_grade() -> None:
    height = heights_of("slope", (4000, 0))
    level = chunks_of("slope").tile((4000, 0)).level
    assert level > 10_000.0
    rise = 0.3 * np.cos(0.7) * 0.25
    assert abs(np.diff(height, axis=0) - rise).max() < 1e-4


@pytest.mark.slow
def test_creatures_start_and_walk_far_up() -> None:
    world = herd("endless", "spider8", [(8100.0, -300.0)], terrain=endless("slope"))
    with Simulation(world) as simulation:
        first = simulation.snapshot.creatures[0].position
        assert first[2] > 1500.0
        for _ in range(300):
            simulation.step(Input.of([(1.0,)]))
        creature = simulation.snapshot.creatures[0]
        assert np.hypot(*(creature.position - first)[:2]) > 1.0
        standing = creature.feet["phase"] == STANDING
        chunks = chunks_of("slope")
        for x, y, z in creature.tips[standing]:
            plane = chunks.at(np.array([x]), np.array([y]))[0, 0]
            assert abs(z - plane) < 1e-3


def test_chunks_between_corners_are_all_that_meet_it() -> None:
    assert chunks_between(np.array([-0.1, 15.9]), np.array([16.0, 16.1])) == [
        (-1, 0), (-1, 1), (0, 0), (0, 1), (1, 0), (1, 1),
    ]  # fmt: skip


@pytest.mark.slow
def test_the_border_far_away_holds_bodies_back() -> None:
    world = herd("endless", "hexapod", [(FARTHEST - 3.0, 0.0)], driver="forward 60")
    with Simulation(world) as simulation:
        for _ in range(360):
            simulation.step()
        ends = simulation.snapshot.creatures[0].tips[:, 0]
        assert ends.max() < FARTHEST


def test_the_world_named_endless_is_hills_without_a_border() -> None:
    world, hills = load_world("endless"), load_world("hills")
    assert world.terrain == hills.terrain.model_copy(update={"endless": True})
    assert json.loads(world.model_dump_json())["terrain"]["endless"] is True
    assert build_terrain(world.terrain, 7).half_size == FARTHEST > HALF_SIZE


@pytest.mark.slow
def test_walks_on_and_off_endless_ground_agree() -> None:
    ends = []
    for name in ("hills", "endless"):
        with Simulation(scene(name, "hexapod", driver="forward 9; forward left 9")) as simulation:
            for _ in range(600):
                simulation.step()
            ends.append(simulation.snapshot.creatures[0].tips)
    for a, b in pairwise(ends):
        assert abs(a - b).max() < 1e-6

"""Ground without end in windows, pictures, pages and maps: what is shown is what is walked on."""

import json
from pathlib import Path

import numpy as np
import pytest

from creature_sim.errors import DisplayUnavailable
from creature_sim.export.map import write_map
from creature_sim.figures.camera import Camera
from creature_sim.figures.ground import Ground
from creature_sim.figures.patch import MAX_NODES, MAX_TRIANGLES, patch_along
from creature_sim.figures.surroundings import SHOWN, Surroundings
from creature_sim.library.loader import load_world
from creature_sim.score.survey import survey
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.terrain import Terrain, build_terrain
from creature_sim.terrain.tiles.chunks import Chunks
from creature_sim.terrain.tiles.mesh_chunks import MeshChunks
from creature_sim.view.offscreen import Studio
from creature_sim.view.shows.source import moved_on
from tests.commands import sim
from tests.marks import quick_of
from tests.scenes import herd
from tests.terrain_kinds import KINDS, SMOOTH
from tests.terrain_kinds import endless as endless_kind


def endless(kind: str) -> Terrain:
    return build_terrain(endless_kind(kind), 7)


@pytest.mark.slow
@pytest.mark.parametrize("kind", quick_of(SMOOTH, "hills", "slope", "islands", "layers"))
def test_surroundings_are_the_ground_with_a_border_where_both_are(kind: str) -> None:
    bounded, found = Ground.of(build_terrain(KINDS[kind], 7)), Surroundings(endless(kind)).ground
    rows = []
    for ground in (bounded, found):
        inside = ground.vertices[(abs(ground.vertices[:, :2]) < 31.9).all(axis=1)]
        _, firsts = np.unique(inside[:, :2], axis=0, return_index=True)
        rows.append(inside[firsts])
    assert (rows[0][:, :2] == rows[1][:, :2]).all()
    assert abs(rows[0] - rows[1]).max() < 1e-5
    points = np.random.default_rng(4).uniform(-31.0, 31.0, (500, 2))
    assert bounded.heights(points) == pytest.approx(found.heights(points), abs=1e-5)
    for low in points[:20].clip(-31.0, 27.0):
        assert bounded.extent(low, low + 3.0) == pytest.approx(found.extent(low, low + 3.0))


@pytest.mark.parametrize("kind", quick_of(["stairs", "steps", "tilted_grid"], "stairs"))
def test_surroundings_with_edges_are_the_chunks_around(kind: str) -> None:
    terrain = endless(kind)
    assert isinstance(terrain.chunks, MeshChunks)
    surroundings = Surroundings(terrain)
    surroundings.follow(np.array([1000.0, -500.0]))
    ground = surroundings.ground
    assert ground.is_edged
    meshes = [
        terrain.chunks.tile((i, j)).mesh()
        for i in range(62 - SHOWN, 63 + SHOWN)
        for j in range(-32 - SHOWN, -31 + SHOWN)
    ]
    expected = np.concatenate([vertices[triangles] for vertices, triangles in meshes])
    found = ground.vertices[ground.triangles][..., :3]
    rows = [array.reshape(-1, 9).astype(np.float32) for array in (found, expected)]
    assert (np.unique(rows[0], axis=0) == np.unique(rows[1], axis=0)).all()
    assert len(found) == len(expected)
    for plot, (low, high) in enumerate(ground.boxes):
        part = found[ground.first[plot] : ground.first[plot + 1]].reshape(-1, 3)
        assert part.min(axis=0) == pytest.approx(low, abs=1e-4)
        assert part.max(axis=0) == pytest.approx(high, abs=1e-4)
    tops = ground.heights(found.mean(axis=1)[:, :2].astype(np.float64))
    assert (tops >= found[..., 2].min(axis=1) - 1e-4).all()


@pytest.mark.parametrize("length", [10.0, pytest.param(600.0, marks=pytest.mark.slow)])
def test_a_page_shows_edged_ground_along_the_whole_way(length: float) -> None:
    terrain = endless("steps")
    shares = np.linspace(0.0, 1.0, int(4 * length))[:, None]
    way = shares * length * np.array([0.8, -0.6]) + 3.0 * np.sin(30.0 * shares)
    patch = patch_along(terrain, way)
    assert patch.is_edged
    assert len(patch.triangles) <= MAX_TRIANGLES
    corners = patch.vertices[patch.triangles][..., :2]
    for point in way[:: len(way) // 20]:
        inside = (corners.min(axis=1) <= point) & (corners.max(axis=1) >= point)
        assert inside.all(axis=1).any()


@pytest.mark.slow
def test_surroundings_follow_and_stay_of_one_size() -> None:
    terrain = endless("hills")
    assert isinstance(terrain.chunks, Chunks)
    surroundings = Surroundings(terrain)
    size = surroundings.ground.vertices.shape
    rng = np.random.default_rng(8)
    for place in np.cumsum(rng.uniform(-9.0, 30.0, (40, 2)), axis=0):
        surroundings.follow(place)
        ground = surroundings.ground
        assert ground.vertices.shape == size
        reach = ground.vertices[:, :2].min(axis=0), ground.vertices[:, :2].max(axis=0)
        assert (reach[0] <= place - 16.0 * SHOWN).all()
        assert (reach[1] >= place + 16.0 * SHOWN).all()
        nodes = np.round(place / 0.25) * 0.25
        height = terrain.chunks.at(nodes[:1], nodes[1:])[0, 0]
        (roof,) = ground.heights(nodes[None])
        assert height - 1e-6 <= roof <= height + 2.5
        for plot in rng.integers(0, len(ground.boxes), 5):
            part = ground.triangles[ground.first[plot] : ground.first[plot + 1]]
            points = ground.vertices[part, :3].reshape(-1, 3)
            assert points.min(axis=0) == pytest.approx(ground.boxes[plot, 0], abs=1e-5)
            assert points.max(axis=0) == pytest.approx(ground.boxes[plot, 1], abs=1e-5)


@pytest.mark.slow
def test_a_picture_far_away_depends_on_nothing_seen_before() -> None:
    world = herd("endless", "hexapod", [(207.0, -145.0), (0.5, 0.5)])
    with Simulation(world) as simulation:
        pose, terrain = pose_of(simulation.snapshot), simulation.terrain
    try:
        with Studio(world, terrain, (320, 180)) as studio:
            far = studio.render(pose, selected=0)
            near = studio.render(pose, selected=1)
            again = studio.render(pose, selected=0)
    except DisplayUnavailable as error:
        pytest.skip(str(error))
    assert (far == again).all()
    assert (far != near).any()
    red, _, blue = far[90:].astype(int).transpose(2, 0, 1)
    assert (blue < red - 10).mean() > 0.8  # the lower half shows ground, not sky


@pytest.mark.slow
def test_pictures_with_and_without_a_border_agree_near_by() -> None:
    pictures = []
    for name in ("hills", "endless"):
        world = herd(name, "hexapod", [(0.0, 0.0)])
        with Simulation(world) as simulation:
            pose, terrain = pose_of(simulation.snapshot), simulation.terrain
        try:
            with Studio(world, terrain, (320, 180)) as studio:
                pictures.append(studio.render(pose, Camera(pitch=1.2), has_shadows=False))
        except DisplayUnavailable as error:
            pytest.skip(str(error))
    assert abs(pictures[0].astype(int) - pictures[1].astype(int)).mean() < 1.0


@pytest.mark.slow
@pytest.mark.parametrize("length", [10.0, 90.0, 600.0, 9000.0])
def test_a_page_shows_ground_along_the_whole_way(length: float) -> None:
    terrain = endless("hills")
    assert isinstance(terrain.chunks, Chunks)
    shares = np.linspace(0.0, 1.0, int(4 * length))[:, None]
    way = shares * length * np.array([0.8, -0.6]) + 3.0 * np.sin(30.0 * shares)
    patch = patch_along(terrain, way)
    assert len(patch.vertices) < 1.3 * MAX_NODES
    for x, y, z in patch.vertices[:: len(patch.vertices) // 50]:
        assert z == terrain.chunks.at(np.array([x]), np.array([y]))[0, 0]
    corners = patch.vertices[patch.triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert (across[:, 2] > 0.0).all()
    places = np.unique(patch.vertices[:, :2], axis=0)
    assert len(places) == len(patch.vertices)  # neighbours share their nodes
    low, high = corners[..., :2].min(axis=1), corners[..., :2].max(axis=1)
    for point in way[:: len(way) // 20]:  # below each point of the way, one triangle
        near = corners[((low <= point) & (high >= point)).all(axis=1), :, :2] - point
        turns = near[..., 0] * np.roll(near, -1, axis=1)[..., 1]
        turns -= near[..., 1] * np.roll(near, -1, axis=1)[..., 0]
        assert (turns >= 0.0).all(axis=1).any()


@pytest.mark.slow
def test_surveys_and_maps_lie_where_the_first_creature_starts(tmp_path: Path) -> None:
    world = herd("endless", "hexapod", [(500.0, -300.0)])
    found = survey(world)
    assert found.centre == (496.0, -304.0)
    assert np.isfinite(found.heights).all()
    terrain = build_terrain(world.terrain, world.seed)
    assert isinstance(terrain.chunks, Chunks)
    spread = terrain.chunks.at(found.centre[0] + found.offsets, found.centre[1] + found.offsets)
    assert abs(spread - found.heights).max() < 0.1  # samples lie between nodes
    assert found.walkable(world.species_of(world.creatures[0])).is_reached.mean() > 0.5
    document = found.document(None)
    assert document["endless"] is True
    assert document["extent"]["x"] == [464.0, 528.0]
    write_map(found, tmp_path / "map.png")


def test_a_changed_world_goes_on_far_from_the_origin() -> None:
    world = herd("endless", "hexapod", [(0.0, 0.0)])
    with Simulation(herd("endless", "hexapod", [(2000.0, 70.0)])) as simulation:
        moved = moved_on(world, world, simulation.snapshot)
    assert moved.creatures[0].position == pytest.approx((2000.0, 70.0), abs=0.5)
    bounded = load_world("hills")
    with Simulation(herd("endless", "hexapod", [(2000.0, 70.0)])) as simulation:
        moved = moved_on(bounded, bounded, simulation.snapshot)
    assert moved.creatures[0].position == (30.0, 30.0)


@pytest.mark.slow
def test_commands_take_endless_worlds(tmp_path: Path) -> None:
    def said(*words: str) -> str:
        done = sim(*words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout

    said("run", "endless", "--headless", "--ticks", "90", "--record", "walk.mcap")
    assert "every digest is equal" in said("verify", "walk.mcap")
    said("export", "walk.mcap", "-o", "walk.html")
    assert json.loads(said("score", "walk.mcap", "--json"))
    assert "endless; of 64 x 64 m about 0, 0 m" in said("world", "info", "endless")

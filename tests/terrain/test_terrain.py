"""Ground: the same bits, rays that agree with it, no gaps."""

import subprocess
import sys

import numpy as np
import pytest

from creature_sim.ground.rays import BATCH, Physics
from creature_sim.library.loader import load_world
from creature_sim.terrain import HeightTile, build_terrain
from creature_sim.terrain.patterns.noise import simplex
from creature_sim.terrain.tiles.tiles import CELL
from tests.arrays import assert_near
from tests.grounds import SharedPhysics, shared_physics
from tests.marks import quick_of
from tests.scenes import WORLDS
from tests.terrain_kinds import DIGESTS, HANGING, KINDS, SMOOTH, ground, rays_on_kind


def cast_down(physics: Physics, x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    starts = np.stack([x, y, np.full(x.shape, 40.0)], axis=-1)
    ends = np.stack([x, y, np.full(x.shape, -40.0)], axis=-1)
    fractions, normals = physics.cast(starts, ends)
    assert (fractions < 1.0).all()
    return 40.0 - 80.0 * fractions, normals


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    quick_of(
        KINDS,
        *("flat", "hills", "slope", "layers", "stairs", "steps", "tilted_grid", "obstacles"),
        *("stepping_stones", "pillar", "tunnel", "patches"),
    ),
)
def test_rays_hit_everywhere_also_on_seams(kind: str) -> None:
    edges = np.array([-31.9999, -16.0, 0.0, 16.0, 31.9999])
    rng = np.random.default_rng(1)
    x = np.concatenate((np.repeat(edges, 200), rng.uniform(-32, 32, 3000)))
    y = rng.uniform(-32, 32, x.shape)
    heights, _ = cast_down(rays_on_kind(kind), x, y)
    swapped, _ = cast_down(rays_on_kind(kind), y, x)
    assert np.isfinite(heights).all()
    assert np.isfinite(swapped).all()


@pytest.mark.slow
@pytest.mark.parametrize("kind", SMOOTH)
def test_rays_find_the_stored_heights_at_the_nodes(kind: str) -> None:
    for tile in ground(kind).tiles[:11:5]:
        assert isinstance(tile, HeightTile)
        i, j = np.meshgrid(np.arange(65), np.arange(65), indexing="ij")
        x, y = tile.origin[0] + CELL * i.ravel(), tile.origin[1] + CELL * j.ravel()
        heights, _ = cast_down(rays_on_kind(kind), x, y)
        assert abs(heights - tile.heights.ravel()).max() < 1e-5


def test_slope_has_its_grade_and_its_normal() -> None:
    with shared_physics(KINDS["slope"], 0) as physics:
        along = np.array([0.0, np.cos(0.7) * 10.0])
        heights, normals = cast_down(physics, along, np.array([0.0, np.sin(0.7) * 10.0]))
    assert heights[1] - heights[0] == pytest.approx(3.0, abs=1e-5)
    assert normals[0] @ (np.cos(0.7), np.sin(0.7), 0.0) == pytest.approx(-0.3 / np.hypot(1, 0.3))


def test_stairs_have_their_steps_and_vertical_faces() -> None:
    with shared_physics(KINDS["stairs"], 0) as physics:
        x = np.array([0.0, 0.999, 1.001, 1.309, 1.311, 1.0 + 5 * 0.31 + 0.01])
        heights, normals = cast_down(physics, x, np.zeros(6))
        assert heights == pytest.approx([0.0, 0.0, 0.12, 0.12, 0.24, 0.72])
        assert normals[:, 2] == pytest.approx(1.0)
        side, face = physics.cast(np.array([[0.0, 0.0, 0.06]]), np.array([[2.0, 0.0, 0.06]]))
    assert side[0] == pytest.approx(0.5)
    assert face[0] == pytest.approx([-1.0, 0.0, 0.0])


def test_stairs_go_up_and_down_again() -> None:
    with shared_physics(KINDS["stairs"], 0) as physics:
        x = np.linspace(0.0, 31.9, 2000)
        heights, _ = cast_down(physics, x, np.full(2000, 3.3))
        left, _ = cast_down(physics, -x, np.full(2000, -3.3))
    assert heights.max() == pytest.approx(0.72)
    assert heights.min() == 0.0
    assert (heights[1000:] == 0.0).any()
    assert left == pytest.approx(heights)


def test_boxes_have_random_heights_in_their_range() -> None:
    with shared_physics(KINDS["steps"], 3) as physics:
        centre = 0.35 + 0.7 * np.arange(-40, 40)
        x, y = (axis.ravel() for axis in np.meshgrid(centre, centre))
        heights, normals = cast_down(physics, x, y)
    assert heights.min() >= -1e-6
    assert heights.max() <= 0.2 + 1e-6
    assert heights.std() == pytest.approx(0.2 / np.sqrt(12), rel=0.05)
    assert normals[:, 2] == pytest.approx(1.0)


RANDOM = (
    *("hills", "steps", "rough", "obstacles", "tilted_grid", "stepping_stones"),
    *("ridged", "billowed", "warped", "dunes", "canyon", "craters", "terraces", "islands"),
)


@pytest.mark.parametrize("kind", RANDOM)
def test_seed_makes_the_ground(kind: str) -> None:
    first, again, other = (build_terrain(KINDS[kind], seed).digest for seed in (1, 1, 2))
    assert first == again != other


@pytest.mark.parametrize("kind", KINDS)
def test_the_bits_of_the_ground_stay_what_they_are(kind: str) -> None:
    assert ground(kind).digest == DIGESTS[kind]


def test_noise_is_smooth_and_fills_its_range() -> None:
    rng = np.random.default_rng(0)
    points = rng.uniform(-50, 50, (20_000, 2))
    values = np.array([simplex(3, 0, x, y) for x, y in points])
    moved = np.array([simplex(3, 0, x + 1e-4, y) for x, y in points])
    assert -1.0 <= values.min() < -0.95
    assert 0.95 < values.max() <= 1.0
    assert abs(values.mean()) < 0.02
    assert abs(moved - values).max() < 1e-3


@pytest.mark.parametrize("count", [1, BATCH - 1, BATCH, BATCH + 1, 2 * BATCH, 16_384, 20_000])
def test_any_number_of_rays_find_what_each_finds_alone(count: int) -> None:
    """Pybullet returns nothing at all for 16,384 in one call."""
    with shared_physics(KINDS["hills"], 0) as physics:
        x = np.linspace(-30, 30, count)
        heights, normals = cast_down(physics, x, -x)
        for k in {0, count // 2, count - 1}:
            height, normal = cast_down(physics, x[k : k + 1], -x[k : k + 1])
            assert (height[0], *normal[0]) == (heights[k], *normals[k])


GROUNDS = {
    **{world: (load_world(world).terrain, load_world(world).seed) for world in WORLDS},
    **{kind: (KINDS[kind], 7) for kind in KINDS if kind not in HANGING},
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GROUNDS)
def test_meshes_for_drawing_face_outward_and_match_the_rays(name: str) -> None:
    terrain = build_terrain(*GROUNDS[name])
    vertices, triangles = terrain.tiles[5].mesh()
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    up = normals[:, 2] > 1e-9
    assert up.any()
    assert (normals[:, 2] >= -1e-9).all()
    centres = corners[up].mean(axis=1)[:500]
    with SharedPhysics(terrain) as physics:
        heights, _ = cast_down(physics, centres[:, 0], centres[:, 1])
    assert_near(heights, centres[:, 2], abs=1e-5)


@pytest.mark.slow
def test_importing_physics_prints_nothing() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import creature_sim.ground.rays"], capture_output=True, check=True
    )
    assert done.stdout == b""
    assert done.stderr == b""


def test_rays_along_the_border_of_tiles_hit() -> None:
    with shared_physics(load_world("meadow").terrain, 1) as physics:
        places = [(0.15, -6.63e-23), (16.0, -1e-22), (-1e-20, 3.0), (0.0, 0.0), (-16.0, 16.0)]
        starts = np.array([(x, y, 5.0) for x, y in places])
        fractions, normals = physics.cast(starts, starts - (0.0, 0.0, 10.0))
        assert (fractions < 1.0).all()
        assert (normals[:, 2] > 0.5).all()

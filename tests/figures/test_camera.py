"""The camera, the ground under it, the solids it sees and what a click on them finds."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import pi
from typing import Any

import numpy as np
import pytest

from creature_sim.definitions import PropDef, TerrainDef
from creature_sim.figures.camera import Camera
from creature_sim.figures.creatures import Figures
from creature_sim.figures.ground import Ground
from creature_sim.figures.optics import look_at, perspective
from creature_sim.figures.overlay import goal_path
from creature_sim.figures.picking import ground_at, prop_at
from creature_sim.figures.shapes import DISTANT, LEVELS, OF_FILES, hull, limb, sphere, welded
from creature_sim.figures.sight import free_fraction
from creature_sim.figures.subjects import UNTURNED, camera_up
from creature_sim.library.loader import builtin_names, load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.locomotion.gravity import gravity_of
from creature_sim.maths import Floats
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import PropsPose, pose_of
from creature_sim.spawn.props import props_of
from creature_sim.terrain import build_terrain
from creature_sim.terrain.traits import planet_in
from tests.arrays import assert_near
from tests.marks import quick_of

SIZE = (1280, 720)
GROUNDS = ("hills", "meadow", "planet", "playground", "proving_ground", "slope", "stairs", "steps")
"""Worlds; all others have the ground of one of them, or are endless."""


def ground_of(name: str) -> Ground:
    """What is drawn of the ground of a built-in world."""
    world = load_world(name)
    return drawn(world.terrain, 0 if world.terrain.kind == "flat" else world.seed)


@cache
def drawn(terrain: TerrainDef, seed: int) -> Ground:
    """What is drawn of a ground: several worlds have the same."""
    return Ground.of(build_terrain(terrain, seed))


def test_the_target_is_in_the_middle_of_the_picture_and_up_is_up() -> None:
    eye, target = np.array([3.0, -4.0, 2.0]), np.array([0.5, 0.2, 0.3])
    matrix = perspective(16 / 9) @ look_at(eye, target, np.array([0.0, 0.0, 1.0]))
    middle, above, left = (
        _project(matrix, target + np.array(step))
        for step in ((0, 0, 0), (0, 0, 0.1), (-0.1, -0.05, 0))
    )
    assert middle[:2] == pytest.approx((0.0, 0.0), abs=1e-12)
    assert above[1] > 0.0
    assert left[0] < 0.0
    assert -1.0 < middle[2] < 1.0


@pytest.mark.slow
@pytest.mark.parametrize("name", quick_of(builtin_names("world"), *GROUNDS))
def test_the_camera_is_never_in_the_ground(name: str) -> None:
    ground = ground_of(name)
    generator = np.random.default_rng(4)
    for x, y, yaw, pitch, distance in generator.uniform(
        (-31, -31, -pi, -0.3, 0.5), (31, 31, pi, 1.5, 30.0), (60, 5)
    ):
        camera = Camera(yaw, pitch, distance)
        z = float(ground.heights(np.array([[x, y]]))[0]) + 0.2
        camera.follow(np.array([x, y, z]), np.array([0.0, 0.0, 0.0, 1.0]), 0.0)
        eye = camera.eye(ground)
        if ground.hangs:
            assert free_fraction(ground, camera.target, eye[None]) == 1.0
        else:
            assert eye[2] > ground.heights(eye[None, :2])[0]


@pytest.mark.slow
def test_on_a_planet_the_camera_stands_upright_with_the_creature() -> None:
    ground = ground_of("planet")
    middle = np.array([0.0, 0.0, -4.0])
    camera = Camera(yaw=0.4)
    for angle in np.linspace(0.0, 2.0 * pi, 400):  # along X over the top, round and back
        up = np.array([np.sin(angle), 0.0, np.cos(angle)])
        half = 0.5 * angle
        turn = np.array([0.0, np.sin(half), 0.0, np.cos(half)])
        place = middle + 4.3 * up
        camera.follow(place, turn, 1.0, up)
        eye = camera.eye(ground)
        assert (eye - place) @ up > 0.3
        ahead = np.array([np.cos(angle), 0.0, -np.sin(angle)])
        assert (eye - place) @ ahead < -1.0  # behind it, all the way
        matrix = camera.optics(ground, (100, 100)).matrix
        assert _project(matrix, place + 0.1 * up)[1] > _project(matrix, place)[1]


@pytest.mark.parametrize("name", quick_of(builtin_names("world"), *GROUNDS))
def test_heights_for_the_camera_are_never_below_a_vertex(name: str) -> None:
    ground = ground_of(name)
    vertices = ground.vertices.astype(np.float64)
    assert (ground.heights(vertices[:, :2]) >= vertices[:, 2] - 1e-6).all()
    assert_near(np.linalg.norm(vertices[:, 3:], axis=1), 1.0)
    assert ground.first[-1] == len(ground.triangles)


def test_a_camera_that_leaves_a_planet_stands_upright_again() -> None:
    camera, planet = Camera(), planet_in(load_world("planet").terrain)
    assert planet is not None
    aside = planet.centre + np.array([planet.radius, 0.0, 0.0])
    for world, up in (("planet", [1.0, 0.0, 0.0]), ("meadow", [0.0, 0.0, 1.0])):
        camera.follow(aside, UNTURNED, 20.0, camera_up(load_world(world), aside))
        assert camera.frame[:, 2] == pytest.approx(up)
    assert not camera.is_tilted


@pytest.mark.slow
@pytest.mark.parametrize("name", quick_of(builtin_names("world"), *GROUNDS))
def test_a_click_finds_the_ground_that_is_seen(name: str) -> None:
    world = load_world(name)
    ground = ground_of(name)
    camera = Camera(0.4, 0.5, 4.0)
    height = float(ground.heights(np.zeros((1, 2)))[0])
    camera.follow(np.array([0.0, 0.0, height + 0.3]), UNTURNED, 0.0)
    optics = camera.optics(ground, SIZE)
    for pixel in ((640.0, 200.0), (300.0, 100.0), (1100.0, 260.0)):
        place = ground_at(pixel, optics, ground)
        assert place is not None
        assert optics.pixels(place[None])[0] == pytest.approx(pixel, abs=1e-4)
        low, high = ground.extent(place[:2] - 0.01, place[:2] + 0.01)
        assert low - 1e-6 <= place[2] <= high + 1e-6
        mark = goal_path(camera.target, place, ground, gravity_of(world.terrain)[0])
        assert np.isfinite(mark.spheres).all()
        assert len(mark.limbs) == 1
    above = replace(optics, eye=optics.eye + np.array([0.0, 0.0, 50.0]))
    assert ground_at((640.0, 719.0), above, ground) is None


def test_a_click_finds_the_prop_that_is_seen() -> None:
    props = tuple(
        PropDef.model_validate(prop)
        for prop in (
            {"shape": "box", "size": [1.0, 1.0, 0.4], "position": [2.0, 0.0, 0.2]},
            {"shape": "ball", "radius": 0.3, "position": [0.0, 1.5, 0.3]},
        )
    )
    solids, placed = props_of(props)
    pose = PropsPose(placed.records["position"], placed.records["orientation"])
    camera = Camera(0.4, 0.5, 4.0)
    camera.follow(np.array([0.0, 0.0, 0.3]), UNTURNED, 0.0)
    ground = ground_of("meadow")
    optics = camera.optics(ground, SIZE)
    for point in (np.array([2.0, 0.0, 0.4]), np.array([0.0, 1.5, 0.6])):
        (pixel,) = optics.pixels(point[None])
        place = prop_at((pixel[0], pixel[1]), optics, solids, pose)
        assert place is not None
        assert optics.pixels(place[None])[0] == pytest.approx(pixel, abs=1e-4)
        assert place == pytest.approx(point, abs=0.05)
    assert prop_at((5.0, 5.0), optics, solids, pose) is None


def test_the_camera_follows_smoothly_and_jumps_to_another_creature() -> None:
    camera = Camera()
    level = np.array([0.0, 0.0, 0.0, 1.0])
    camera.follow(np.zeros(3), level, 0.0)
    camera.follow(np.array([1.0, 0.0, 0.0]), level, 0.1)
    assert 0.1 < camera.target[0] < 0.9
    camera.follow(np.array([20.0, 0.0, 0.0]), level, 0.0)
    assert camera.target[0] == 20.0
    for _ in range(200):
        camera.zoom(1.0)
        camera.orbit(0.5, -0.5)
    assert camera.distance == 0.5
    assert camera.pitch == 1.5
    assert abs(camera.yaw) <= pi


@pytest.mark.parametrize(
    ("make", "level"),
    [(sphere, level) for level in range(DISTANT)]
    + [(hull, level) for level in range(LEVELS)]
    + [(sphere, OF_FILES), (hull, OF_FILES)],
)
def test_solids_are_closed_and_face_outward(
    make: Callable[[int], tuple[Any, Any]], level: int
) -> None:
    vertices, triangles = make(level)
    a, b, c = (vertices[triangles[:, corner], :3] for corner in range(3))
    faces = np.cross(b - a, c - a)
    outward = np.einsum("ij,ij->i", faces, a + b + c)
    assert (outward > -1e-9).all()
    assert np.abs(faces.sum(axis=0)).max() < 1e-5  # closed: all faces together face nowhere
    shares = np.einsum("ij,ij->i", faces, vertices[triangles[:, 0], 3:])
    assert (shares > -1e-6).all()  # normals lie on the outer side of their faces
    volume = np.einsum("ij,ij->i", np.cross(a, b), c).sum() / 6.0
    assert volume > (3.0, 2.3, 1.7, 1.3, 2.6)[level]
    assert np.abs(vertices[:, :3]).max() == pytest.approx(1.0)
    assert make is hull or len(limb(level)[0]) % 2 == 0


@pytest.mark.parametrize("level", range(DISTANT))
@pytest.mark.parametrize("make", [sphere, hull, limb])
def test_welded_solids_are_the_same_in_fewer_corners(
    make: Callable[[int], tuple[Any, Any]], level: int
) -> None:
    vertices, triangles = make(level)
    corners, sides = welded(vertices, triangles)
    np.testing.assert_allclose(corners[sides], vertices[triangles], atol=1e-5)
    apart = np.abs(corners[:, None] - corners).max(axis=-1)
    assert (apart + np.eye(len(corners)) > 1e-5).all()
    assert len(np.unique(sides)) == len(corners)


@pytest.mark.slow
def test_every_part_of_a_creature_becomes_a_finite_row() -> None:
    for name in builtin_names("creature"):
        world = with_creature(load_world("meadow"), load_creature(name))
        plan = load_creature(name)
        with Simulation(world) as simulation:
            levels = np.array([0])
            solids = Figures(world).solids(pose_of(simulation.snapshot), levels)[0]
        bones = sum(len(leg.bones) for leg in plan.all_legs)
        soles = sum(leg.foot is not None for leg in plan.all_legs)
        assert len(solids.hulls) == len(plan.boxes) + soles
        assert len(solids.limbs) == bones
        assert len(solids.spheres) == bones + len(plan.all_legs) - soles + 2
        for rows in (solids.hulls, solids.limbs, solids.spheres):
            assert np.isfinite(rows).all()


def _project(matrix: Floats, point: Floats) -> Floats:
    clip = matrix @ np.append(point, 1.0)
    found: Floats = clip[:3] / clip[3]
    return found


def test_the_camera_eases_over_hills_and_sees_its_target_again() -> None:
    ground = ground_of("hills")
    level = np.array([0.0, 0.0, 0.0, 1.0])
    moves = {}
    for is_eased in (False, True):
        camera = Camera(0.0, -0.1, 5.0)
        heights = []
        for frame in range(600):  # a walk of 6 m at 0.6 m/s, low behind it
            place = np.array([0.01 * frame - 3.0, 1.0, 0.0])
            place[2] = float(ground.heights(place[None, :2])[0]) + 0.2
            camera.follow(place, level, 1 / 60)
            if is_eased:
                camera.settle(ground, 1 / 60)
            eye = camera.eye(ground)
            assert eye[2] > ground.heights(eye[None, :2])[0]
            heights.append(eye[2] - camera.target[2])
        moves[is_eased] = np.abs(np.diff(heights)).max()
    assert moves[True] < 0.5 * moves[False]
    for _ in range(240):
        camera.follow(place, level, 1 / 60)
        camera.settle(ground, 1 / 60)
    free = Camera(0.0, -0.1, 5.0)
    free.follow(place, level, 0.0)
    assert camera.eye(ground) == pytest.approx(free.eye(ground), abs=0.01)

"""Creatures of any size, and long ones, are seen whole and in the same light."""

from math import pi
from typing import Any

import numpy as np
import pytest

from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.errors import DisplayUnavailable
from creature_sim.export.display_list import DisplayList
from creature_sim.figures.camera import Camera
from creature_sim.figures.ground import Ground
from creature_sim.figures.overlay import overlay
from creature_sim.figures.rigs import mark_radius
from creature_sim.figures.sizes import (
    creature_size,
    fog_around,
    rig_radius,
    scale_of,
    square_beside,
)
from creature_sim.figures.subjects import (
    CAMERAS,
    CameraName,
    subject_camera,
    subject_frame,
    subject_scale,
)
from creature_sim.library.loader import builtin_names, load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.locomotion.gravity import gravity_of
from creature_sim.maths import Floats
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Pose, pose_of
from creature_sim.terrain import build_terrain
from creature_sim.view.gl.display import open_offscreen
from creature_sim.view.offscreen import render
from tests.arrays import assert_near

TINY, GIANT = 0.05, 24.0
LENGTHS = ("size", "ride_height", "mount", "bones", "home", "stride_length", "step_height")


def scaled(plan: CreatureDef, factor: float) -> CreatureDef:
    """A plan so many times as large."""

    def grown(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                key: _times(part, factor) if key in LENGTHS else grown(part)
                for key, part in value.items()
            }
        return tuple(map(grown, value)) if isinstance(value, list | tuple) else value

    return CreatureDef.model_validate(grown(plan.model_dump()))


def _times(value: Any, factor: float) -> Any:
    if isinstance(value, list | tuple):
        return tuple(_times(part, factor) for part in value)
    return factor * value


def _standing(world: WorldDef) -> Pose:
    with Simulation(world) as simulation:
        return pose_of(simulation.snapshot)


def _of_size(factor: float) -> WorldDef:
    return with_creature(load_world("meadow"), scaled(load_creature("hexapod"), factor))


def _points(pose: Pose) -> Floats:
    """Every joint and every segment."""
    parts = [herd.joints.reshape(-1, 3) for herd in pose.herds]
    parts += [herd.positions.reshape(-1, 3) for herd in pose.herds]
    return np.concatenate([*parts, *(chain.joints for chain in pose.chains)])


# --- frames -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("size", [(1280, 720), (318, 400)])
@pytest.mark.parametrize("name", [*builtin_names("creature"), "humanoid"])
def test_all_of_a_creature_is_in_the_picture_from_everywhere(
    name: str, size: tuple[int, int]
) -> None:
    world = (
        load_world(name)
        if name == "humanoid"
        else with_creature(load_world("meadow"), load_creature(name))
    )
    pose = _standing(world)
    ground = Ground.of(build_terrain(world.terrain, world.seed))
    for camera_name in CAMERAS:
        for yaw in np.linspace(0.0, 2.0 * pi, 8) if camera_name == "orbit" else [None]:
            camera = subject_camera(world, 0, camera_name)
            camera.yaw = camera.yaw if yaw is None else float(yaw)
            camera.follow(*subject_frame(world, pose, 0), 0.0)
            pixels = camera.optics(ground, size).pixels(_points(pose))
            assert (pixels > 0).all(), camera_name
            assert (pixels < np.array(size)).all(), camera_name


@pytest.mark.slow
def test_a_camera_follows_the_middle_of_a_long_trunk() -> None:
    world = with_creature(load_world("meadow"), load_creature("millipede"))
    position, _ = subject_frame(world, _standing(world), 0)
    creature = _standing(world).creature(0)
    assert_near(position, creature.positions.mean(axis=0))


# --- lengths ----------------------------------------------------------------------------------


def test_usual_creatures_share_one_look_and_others_have_their_own() -> None:
    for name in builtin_names("creature"):
        assert scale_of(creature_size(load_creature(name))) == 1.0
    assert subject_scale(_of_size(TINY), 0) == pytest.approx(TINY)
    assert subject_scale(_of_size(GIANT), 0) == pytest.approx(GIANT)


@pytest.mark.parametrize("factor", [TINY, GIANT])
@pytest.mark.parametrize("name", ["chase", "orbit", "side", "top"])
def test_a_camera_keeps_the_same_picture_of_a_larger_creature(
    name: CameraName, factor: float
) -> None:
    usual, other = (subject_camera(_of_size(size), 0, name) for size in (1.0, factor))
    assert other.distance == pytest.approx(factor * usual.distance)
    for camera in (usual, other):
        for _ in range(200):
            camera.zoom(1.0)
    assert other.distance == pytest.approx(factor * usual.distance)
    for camera in (usual, other):
        for _ in range(200):
            camera.zoom(-1.0)
    assert other.distance == pytest.approx(factor * usual.distance)


@pytest.mark.slow
@pytest.mark.parametrize("factor", [TINY, 1.0, GIANT])
def test_near_and_far_planes_hold_the_creature(factor: float) -> None:
    world = _of_size(factor)
    camera = subject_camera(world, 0)
    ground = Ground.of(build_terrain(world.terrain, world.seed))
    pose = _standing(world)
    camera.follow(*subject_frame(world, pose, 0), 0.0)
    for steps in (0, 13, -20):  # as far as one zooms to see a creature
        camera.zoom(steps)
        clip = camera.optics(ground, (1280, 720)).clip(camera.target[None])
        assert -1.0 < clip[0, 2] / clip[0, 3] < 1.0


def test_fog_is_never_between_the_eye_and_a_large_creature() -> None:
    for factor in (TINY, 1.0, GIANT):
        camera = subject_camera(_of_size(factor), 0)
        clear = 2.0 ** (-fog_around(camera.scale) * camera.distance**2)
        assert clear > 0.95
    assert fog_around(TINY) == fog_around(1.0)  # the hills are as far away as they are


@pytest.mark.parametrize(
    ("scale", "side"), [(1.0, 1.0), (0.3, 0.1), (0.05, 0.1), (24.0, 10.0), (0.01, 0.01)]
)
def test_squares_on_the_ground_are_tenths_or_tens_of_metres(scale: float, side: float) -> None:
    assert square_beside(scale) == pytest.approx(side)


@pytest.mark.parametrize("factor", [TINY, GIANT])
def test_marks_are_as_large_as_their_creature(factor: float) -> None:
    sizes = []
    for size in (1.0, factor):
        world = _of_size(size)
        creature = _standing(world).creature(0)
        gravity = gravity_of(world.terrain)[0]
        marks = overlay(world.species["hexapod"], creature, gravity).spheres
        bases = marks[:, :12].reshape(-1, 3, 4)[..., :3]
        sizes.append(np.sqrt((bases**2).sum(axis=1)).max())
    assert sizes[1] == pytest.approx(factor * sizes[0], rel=1e-4)


def test_marks_of_targets_are_as_large_as_their_chain() -> None:
    (arm,) = load_world("arm").rigs
    longer = arm.model_copy(update={"bones": tuple(20.0 * bone for bone in arm.bones)})
    longer = longer.model_copy(update={"radius": None})
    assert mark_radius(longer) > 3.0 * mark_radius(arm.model_copy(update={"radius": None}))
    assert rig_radius(longer) == pytest.approx(20.0 * rig_radius(arm), rel=0.5)


# --- the ground beside small things -----------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hills", "steps", "stairs"])
def test_exact_heights_are_those_of_the_triangles(name: str) -> None:
    world = load_world(name)
    ground = Ground.of(build_terrain(world.terrain, world.seed))
    generator = np.random.default_rng(6)
    chosen = generator.choice(len(ground.triangles), 200, replace=False)
    for triangle in ground.triangles[chosen]:
        corners = ground.vertices[triangle, :3].astype(np.float64)
        if np.cross(corners[1] - corners[0], corners[2] - corners[0])[2] < 1e-3:
            continue  # a wall: what is seen from above lies beside it
        middle = corners.mean(axis=0)
        found = float(ground.surface(middle[None, :2])[0])
        assert found >= middle[2] - 1e-5
        assert found <= ground.heights(middle[None, :2])[0] + 1e-5
        if name == "hills":
            assert found == pytest.approx(middle[2], abs=1e-5)


@pytest.mark.slow
def test_far_outside_exact_heights_are_those_of_the_border() -> None:
    ground = Ground.of(build_terrain(load_world("hills").terrain, 3))
    away = np.array([[90.0, 4.0]])
    assert ground.surface(away) == ground.heights(away)


@pytest.mark.slow
def test_a_slope_does_not_lift_the_camera_off_a_small_creature() -> None:
    world = load_world("hills")
    ground = Ground.of(build_terrain(world.terrain, world.seed))
    lifts = []
    for x, y in np.random.default_rng(2).uniform(-20.0, 20.0, (40, 2)):
        z = float(ground.surface(np.array([[x, y]]))[0]) + 0.26 * TINY
        camera = Camera(0.5, 0.38, 2.6 * TINY, TINY)
        camera.follow(np.array([x, y, z]), np.array([0.0, 0.0, 0.0, 1.0]), 0.0)
        eye = camera.eye(ground)
        assert eye[2] > ground.surface(eye[None, :2])[0]
        lifts.append(np.sqrt(((eye - camera.target) ** 2).sum()) / camera.distance)
    assert np.median(lifts) < 1.05
    assert max(lifts) < 1.6


# --- pictures ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_small_and_large_creatures_fill_as_much_of_a_picture() -> None:
    try:
        open_offscreen().close()
    except DisplayUnavailable as error:
        pytest.skip(str(error))
    counts, darks = {}, {}
    for factor in (1.0, TINY, GIANT):
        world = _of_size(factor)
        terrain = build_terrain(world.terrain, world.seed)
        camera = subject_camera(world, 0)
        picture = render(world, _standing(world), terrain, (480, 300), camera).astype(int)
        red, green, blue = (picture[..., k] for k in range(3))
        counts[factor] = int(((red - blue > 60) & (red - green > 30)).sum())  # its body
        darks[factor] = int((picture.sum(axis=2) < 230).sum())  # its legs
    assert counts[1.0] > 800
    for factor in (TINY, GIANT):
        assert counts[factor] == pytest.approx(counts[1.0], rel=0.25)
        assert darks[factor] == pytest.approx(darks[1.0], rel=0.6)


@pytest.mark.parametrize("factor", [TINY, 1.0, GIANT])
def test_the_page_looks_at_it_as_the_window_does(factor: float) -> None:
    world = _of_size(factor)
    (subject,) = DisplayList(world).subjects
    camera = subject_camera(world, 0)
    assert (subject["distance"], subject["scale"]) == (camera.distance, camera.scale)
    assert subject["fog"] == fog_around(camera.scale)
    assert subject["square"] == square_beside(camera.scale)

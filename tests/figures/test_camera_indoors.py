"""The camera among walls, below roofs, and with bodies whose up is not the world's."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import pi

import numpy as np
import pytest

from creature_sim.definitions.climbing import ClimbDef
from creature_sim.figures.camera import Camera
from creature_sim.figures.ground import Ground
from creature_sim.figures.sight import ceiling_over, free_fraction
from creature_sim.figures.subjects import UNTURNED, subject_up
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.maths import Floats, quat_from_axes
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.terrain import build_terrain, read_ground

ROOM = {"kind": "room", "length": 8.0, "width": 6.0, "height": 2.4, "doorway": (1.4, 1.6)}
TUNNEL = {"kind": "tunnel", "width": 1.2, "height": 0.7, "length": 20.0}
WALLS = {"floor": (0, 0, 1), "wall": (-1, 0, 0), "ceiling": (0, 0, -1), "other": (1, 0, 0)}


def body_on(up: Floats, ahead: Floats) -> Floats:
    """Orientation (4,) xyzw of a body with these axes (3,)."""
    left = np.cross(up, ahead)
    return np.array(quat_from_axes(*(tuple(axis.tolist()) for axis in (ahead, left, up))))


def round_the_room(ticks: int) -> Iterator[tuple[Floats, Floats, Floats]]:
    """Positions, orientations and ups of a body that walks floor, wall, ceiling, wall, floor.

    It turns over each edge within 0.75 s, at 2 degrees a frame.
    """
    turn, leg = 45, 2.0 / 60.0
    x, z, angle = 0.0, 0.25, 0.0
    for _ in range(4):
        for part in (ticks * [0.0], turn * [0.5 * pi / turn]):
            for step in part:
                angle += step
                ahead = np.array([np.cos(angle), 0.0, np.sin(angle)])
                up = np.array([-np.sin(angle), 0.0, np.cos(angle)])
                x = min(3.75, max(-3.75, x + leg * ahead[0]))
                z = min(2.15, max(0.25, z + leg * ahead[2]))
                yield np.array([x, 0.0, z]), body_on(up, ahead), up


@pytest.mark.slow
@pytest.mark.parametrize(("yaw", "pitch"), [(0.5, 0.38), (-2.0, 0.38), (0.5, 1.5), (1.5, -0.2)])
def test_the_camera_comes_along_round_a_room(yaw: float, pitch: float) -> None:
    """It sees the body from within the room, keeps it upright, and never jumps."""
    ground = Ground.of(build_terrain(read_ground(ROOM), 0))
    camera, eyes, ups = Camera(yaw, pitch, 2.6), [], []
    for position, orientation, up in round_the_room(100):
        camera.follow(position, orientation, 1 / 60, up)
        camera.settle(ground, 1 / 60)
        eyes.append(camera.eye(ground))
        ups.append(camera.frame[:, 2])
        assert (np.abs(eyes[-1] - [0.0, 0.0, 1.2]) < [4.0, 3.0, 1.2]).all()
        assert free_fraction(ground, camera.target, eyes[-1][None]) == 1.0
        assert up @ ups[-1] > np.cos(np.radians(40.0))
    cosines = (np.array(ups[1:]) * ups[:-1]).sum(axis=1)
    assert np.degrees(np.arccos(cosines.clip(-1.0, 1.0))).max() < 2.0
    steps = np.linalg.norm(np.diff(eyes, axis=0), axis=1)
    assert steps.max() < 0.3
    for _ in range(120):
        camera.follow(position, orientation, 1 / 60, up)
    assert camera.frame[:, 2] == pytest.approx([0.0, 0.0, 1.0], abs=1e-3)


def test_a_camera_turns_over_with_a_body_that_is_put_upside_down() -> None:
    camera, ups = Camera(), []
    down = np.array([0.0, 0.0, -1.0])
    level, over = np.array([0.0, 0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0, 0.0])
    camera.follow(np.zeros(3), level, 0.0, -down)
    for _ in range(240):
        camera.follow(np.zeros(3), over, 1 / 60, down)
        ups.append(camera.frame[2, 2])
        assert np.linalg.det(camera.frame) == pytest.approx(1.0)
    assert all(b <= a for a, b in pairwise(ups))
    assert max(a - b for a, b in pairwise(ups)) < 0.3
    assert ups[-1] == pytest.approx(-1.0)


def test_who_climbs_has_its_own_up() -> None:
    world = with_creature(load_world("meadow"), load_creature("hexapod"))
    with Simulation(world) as simulation:
        pose = pose_of(simulation.snapshot)
    (herd,) = pose.herds
    for name, up in WALLS.items():
        axis = np.array(up, float)
        ahead = np.array([0.0, 1.0, 0.0])
        turn = np.broadcast_to(body_on(axis, ahead), herd.orientations.shape)
        placed = replace(pose, herds=(replace(herd, orientations=turn),))
        assert subject_up(world, placed, 0) == pytest.approx([0.0, 0.0, 1.0])
        climber = load_creature("hexapod").model_copy(update={"climb": ClimbDef()})
        climbing = world.model_copy(update={"species": {"hexapod": climber}})
        assert subject_up(climbing, placed, 0) == pytest.approx(axis, abs=1e-9), name


def test_a_corridor_is_looked_along() -> None:
    """Below a low roof the eye bows down rather than comes near."""
    ground = Ground.of(build_terrain(read_ground(TUNNEL), 0))
    camera = Camera(0.1, 0.38, 2.6)
    camera.follow(np.array([0.0, 0.0, 0.3]), UNTURNED, 0.0)
    eye = camera.eye(ground)
    assert 0.3 <= eye[2] < 0.7
    assert np.linalg.norm(eye - camera.target) > 1.2
    assert ceiling_over(ground, camera.target) == pytest.approx(0.7)
    assert ceiling_over(ground, np.array([0.0, 0.0, 2.0])) == np.inf


def test_a_body_low_on_a_wall_is_seen_from_out_of_the_wall() -> None:
    """Behind it is the floor: the eye goes higher above the wall rather than come near."""
    ground = Ground.of(build_terrain(read_ground(ROOM), 0))
    camera = Camera(0.5, 0.38, 2.6)
    up, ahead = np.array([-1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
    camera.follow(np.array([3.75, 0.0, 0.5]), body_on(up, ahead), 0.0, up)
    eye = camera.eye(ground)
    assert np.linalg.norm(eye - camera.target) > 1.5
    assert 0.0 < eye[2] < 1.0
    assert eye[0] < 3.0


def test_an_eye_that_a_pillar_has_brought_near_goes_back_slowly() -> None:
    """It comes in at once, for it must see; it does not jump out again as the pillar has passed."""
    pillar = {"shape": "cylinder", "radius": 0.2, "length": 2.4, "position": (0.0, -1.0, 1.2)}
    ground = Ground.of(build_terrain(read_ground({**ROOM, "solids": [pillar]}), 0))
    camera, lengths = Camera(-0.5 * pi, 0.2, 2.0), []
    for tick in range(240):
        position = np.array([-1.5 + tick / 80, 0.0, 1.0])
        camera.follow(position, UNTURNED, 1 / 60)
        camera.settle(ground, 1 / 60)
        lengths.append(float(np.linalg.norm(camera.eye(ground) - camera.target)))
    steps = np.diff(lengths)
    assert min(lengths) < 1.0
    assert steps.min() < -0.5
    assert steps.max() < 0.05
    assert lengths[-1] > 1.9

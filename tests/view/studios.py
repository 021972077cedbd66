"""Where tests draw without a screen."""

from dataclasses import replace

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.errors import DisplayUnavailable
from creature_sim.figures.camera import Camera
from creature_sim.maths import Floats
from creature_sim.snapshots.poses import Pose
from creature_sim.terrain import Terrain
from creature_sim.view.offscreen import Studio


def studio_of(world: WorldDef, terrain: Terrain, size: tuple[int, int]) -> Studio:
    """A studio for a world; where nothing can be drawn the test is skipped."""
    try:
        return Studio(world, terrain, size)
    except DisplayUnavailable as error:
        pytest.skip(str(error))


def moved(pose: Pose, step: Floats) -> Pose:
    """A pose of one herd that is somewhere else by a step (3,) [m]."""
    (herd,) = pose.herds
    there = replace(herd, positions=herd.positions + step, joints=herd.joints + step)
    return replace(pose, herds=(there,))


def buried(pose: Pose) -> Pose:
    """A pose of one herd that is nowhere to be seen."""
    return moved(pose, np.array([0.0, 0.0, -30.0]))


def looking(eye: tuple[float, float, float], target: tuple[float, float, float]) -> Camera:
    """A camera at one point that looks at another [m, world]."""
    x, y, z = np.subtract(eye, target).tolist()
    distance = float(np.hypot(np.hypot(x, y), z))
    camera = Camera(np.pi - np.arctan2(y, x), np.arcsin(z / distance), distance)
    camera.follow(np.array(target), np.array([1.0, 0.0, 0.0, 0.0]), 0.0)
    camera.target = np.array(target)
    return camera


def seen_from_above(pose: Pose) -> Camera:
    """A camera that looks at the first creature from over its back."""
    camera = Camera(0.9, 1.1, 2.5)
    camera.follow(pose.creatures[0].position, pose.creatures[0].orientation, 0.0)
    return camera

"""Moves the camera of a film."""

from math import pi

from creature_sim.definitions import WorldDef
from creature_sim.figures.camera import Camera
from creature_sim.figures.ground import Ground
from creature_sim.figures.subjects import (
    UNTURNED,
    CameraName,
    is_subject_there,
    subject_camera,
    subject_frame,
    subject_up,
)
from creature_sim.snapshots.poses import Pose

ORBIT_TIME = 12.0
"""One turn around the subject [s]."""


class Operator:
    """Follows the world's first creature, or its first chain where there is none.

    chase    behind it, as in a window
    orbit    around it, once in `ORBIT_TIME`
    side     beside it: shows the feet
    top      above it, with X to the top of the picture
    """

    def __init__(self, world: WorldDef, name: CameraName) -> None:
        """Start; the first pose aims the camera."""
        self._world = world
        self._name = name
        self._camera = subject_camera(world, 0, name)
        self._start = self._camera.yaw
        self._time: float | None = None

    def at(self, pose: Pose, seconds: float, ground: Ground) -> Camera:
        """The camera for a pose at a time of the recording [s]; times must not go back."""
        passed = 0.0 if self._time is None else seconds - self._time
        self._time = seconds
        if is_subject_there(self._world, pose, 0):  # where it has gone, the camera stays
            position, orientation = subject_frame(self._world, pose, 0)
            if self._name in ("orbit", "top"):
                orientation = UNTURNED  # a creature that turns does not turn the picture
            self._camera.follow(position, orientation, passed, subject_up(self._world, pose, 0))
        if self._name == "orbit":
            self._camera.yaw = self._start + 2.0 * pi * seconds / ORBIT_TIME
        self._camera.settle(ground, passed)
        return self._camera

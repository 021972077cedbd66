"""What an environment shows: pictures, or a window."""

from typing import Protocol

from creature_sim.figures.camera import Camera as Eye
from creature_sim.figures.subjects import subject_camera, subject_frame, subject_up
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Pose, pose_of
from creature_sim.view.offscreen import Picture, Studio
from creature_sim.view.screen import StepWindow

SIZE = (640, 480)
"""Width and height of pictures [px]."""


class _Follower:
    """Follows the first creature of a simulation."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._eye = subject_camera(simulation.world, 0, "chase")
        self._tick = simulation.tick

    def look(self) -> tuple[Pose, Eye]:
        """How everybody stands now, and where to look from."""
        simulation = self._simulation
        pose = pose_of(simulation.snapshot)
        seconds = (simulation.tick - self._tick) * simulation.dt
        self._tick = simulation.tick
        position, turn = subject_frame(simulation.world, pose, 0)
        self._eye.follow(position, turn, seconds, subject_up(simulation.world, pose, 0))
        return pose, self._eye


class Shown(Protocol):
    """Shows the present state."""

    def picture(self) -> Picture | None:
        """Draw it; the picture, if it is one."""

    def close(self) -> None:
        """Free everything."""


class Camera:
    """Takes pictures without a screen."""

    def __init__(self, simulation: Simulation) -> None:
        """Set the world up."""
        self._follower = _Follower(simulation)
        self._studio = Studio(simulation.world, simulation.terrain, SIZE)

    def picture(self) -> Picture:
        """What there is now, (480, 640, 3)."""
        pose, eye = self._follower.look()
        return self._studio.render(pose, eye)

    def close(self) -> None:
        """Free everything."""
        self._studio.close()


class Screen:
    """Shows every step in a window."""

    def __init__(self, simulation: Simulation) -> None:
        """Open it; DisplayUnavailable where there is no screen."""
        self._follower = _Follower(simulation)
        self._window = StepWindow(simulation.world, simulation.terrain)

    def picture(self) -> None:
        """Show what there is now."""
        self._window.show(*self._follower.look())

    def close(self) -> None:
        """Close it."""
        self._window.close()

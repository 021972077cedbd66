"""Another world in the right half of the window, seen by the same camera."""

from dataclasses import replace

from pyglet import gl

from creature_sim.figures.camera import Camera
from creature_sim.figures.trail import Trail
from creature_sim.snapshots.poses import Pose
from creature_sim.terrain import Terrain
from creature_sim.view.frame import Frame
from creature_sim.view.scene import Scene
from creature_sim.view.shows.show import Ghost

GAP = 4
"""Between the halves [px]."""
LINE_COLOUR = (0.06, 0.09, 0.11)
"""Of the line between them."""


def half(width: int) -> int:
    """Width of the left half of a window [px]."""
    return (width - GAP) // 2


class Beside:
    """The scene of the other world, and what feet left behind there."""

    def __init__(self, ghost: Ghost, terrain: Terrain) -> None:
        """Upload it into the current context."""
        self._scene = Scene(ghost.world, terrain)
        self._trail = Trail(ghost.world)

    def draw(
        self,
        pose: Pose,
        frame: Frame,
        camera: Camera,
        size: tuple[int, int],
    ) -> None:
        """Draw the right half of a framebuffer and the line; draw the left half after it.

        Args:
            pose: what to draw.
            frame: the left half: this one has the same overlay and light.
            camera: where to look from.
            size: of the whole framebuffer [px].
        """
        self._trail.add(pose)
        gl.glClearColor(*LINE_COLOUR, 1.0)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)  # the line is what remains of this
        left = half(size[0]) + GAP
        shown = replace(frame, pose=pose, insight=None, trail=self._trail, goal=None, ghosts=())
        self._scene.draw(shown, camera, (size[0] - left, size[1]), left)

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        self._scene.delete()

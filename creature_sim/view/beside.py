"""Another world in the right half of the window, seen from the same place."""

from collections.abc import Collection

from pyglet import gl

from creature_sim.figures.camera import Camera
from creature_sim.figures.overlay import Layer
from creature_sim.figures.trail import Trail
from creature_sim.terrain import Terrain
from creature_sim.view.scene import Scene
from creature_sim.view.shows.show import Ghost

GAP = 4
"""Between the halves [px]."""
LINE_COLOUR = (0.06, 0.09, 0.11)
"""Of what lies between them."""


def half(width: int) -> int:
    """Width of the left half of a window [px]."""
    return (width - GAP) // 2


class Beside:
    """Its scene, and what its feet left behind."""

    def __init__(self, ghost: Ghost, terrain: Terrain) -> None:
        """Upload it into the current context."""
        self._scene = Scene(ghost.world, terrain)
        self._trail = Trail(ghost.world)

    def draw(
        self,
        ghost: Ghost,
        camera: Camera,
        size: tuple[int, int],
        *,
        selected: int,
        layers: Collection[Layer],
        has_shadows: bool,
    ) -> None:
        """Draw the right half of a framebuffer, and the line; the left one is drawn after it."""
        self._trail.add(ghost.pose)
        gl.glClearColor(*LINE_COLOUR, 1.0)
        gl.glClear(gl.GL_COLOR_BUFFER_BIT)  # what stays of it is the line
        left = half(size[0]) + GAP
        self._scene.draw(
            ghost.pose,
            camera,
            (size[0] - left, size[1]),
            selected=selected,
            layers=layers,
            has_shadows=has_shadows,
            trail=self._trail,
            left=left,
        )

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        self._scene.delete()

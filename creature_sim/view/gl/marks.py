"""A map of what darkens the ground: footprints, and soft contact shadows."""

import numpy as np
from pyglet import gl

from creature_sim.figures.camera import Camera
from creature_sim.figures.ground import Ground
from creature_sim.figures.shapes import square
from creature_sim.figures.solids import Rows
from creature_sim.maths import Floats
from creature_sim.view.gl.instances import Instances
from creature_sim.view.gl.shaders import Programs
from creature_sim.view.gl.texture import Texture

UNIT = 2
SIDE = 1024
NEAREST, FARTHEST = 5.0, 32.0
"""Smallest reach of the map around a creature of usual size, and the largest of all [m]."""
PER_DISTANCE = 2.5
"""Reach of the map over the distance of the camera."""


class MarkMap:
    """How much light marks leave to the ground, seen from above around the camera's target."""

    def __init__(self, programs: Programs) -> None:
        """Allocate it in the current context."""
        self._programs = programs
        self._texture = Texture(SIDE, is_depth=False)
        self._squares = Instances([square()])
        programs.set(marks=UNIT)

    def draw(self, marks: Rows, camera: Camera) -> None:
        """Draw marks (K, 16).

        Args:
            marks: squares, with strength and softness as the first two parts of their colour.
            camera: that looks at them.
        """
        wanted = 2.0 ** np.ceil(np.log2(PER_DISTANCE * camera.distance))
        reach = min(FARTHEST, max(NEAREST * camera.scale, wanted))
        texel = 2.0 * reach / SIDE
        x, y = (float(np.round(part / texel) * texel) for part in camera.target[:2])
        self._programs.set(marks_area=(x, y, 0.5 / reach))
        with self._texture:
            gl.glClearColor(1.0, 1.0, 1.0, 1.0)
            gl.glClear(gl.GL_COLOR_BUFFER_BIT)
            gl.glDisable(gl.GL_DEPTH_TEST)
            gl.glDisable(gl.GL_CULL_FACE)
            gl.glEnable(gl.GL_BLEND)
            gl.glBlendFunc(gl.GL_ZERO, gl.GL_SRC_COLOR)
            self._programs.use("mark")
            self._squares.fill([marks])
            self._squares.draw()
            gl.glDisable(gl.GL_BLEND)
        self._texture.bind(UNIT)

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        self._texture.delete()
        self._squares.delete()


def corners_of(marks: Rows, ground: Ground) -> Floats:
    """Corners (8, 3) of a box around the ground under marks (K, 16), K > 0 [m, world]."""
    middles = marks[:, [3, 7]].astype(np.float64)
    reaches = np.sqrt((marks[:, [0, 4]] ** 2 + marks[:, [1, 5]] ** 2).astype(np.float64))
    low, high = (middles - reaches).min(axis=0), (middles + reaches).max(axis=0)
    heights = ground.extent(low, high)
    return np.array(
        [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in heights]
    )

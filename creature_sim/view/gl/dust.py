"""Dust where feet came down."""

from pyglet import gl

from creature_sim.figures.optics import Optics
from creature_sim.figures.shapes import square
from creature_sim.figures.solids import rgb
from creature_sim.figures.trail import Trail
from creature_sim.view.gl.instances import Instances
from creature_sim.view.gl.shaders import Programs

COLOUR = "#cfc4ad"


class Dust:
    """Squares that face the eye."""

    def __init__(self, programs: Programs) -> None:
        """Upload a square into the current context."""
        self._programs = programs
        self._squares = Instances([square()])

    def draw(self, trail: Trail, optics: Optics) -> None:
        """Draw the puffs of a trail that a picture shows."""
        self._squares.fill([trail.dust(optics, rgb(COLOUR))])
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendFunc(gl.GL_SRC_ALPHA, gl.GL_ONE_MINUS_SRC_ALPHA)
        gl.glDepthMask(gl.GL_FALSE)
        self._programs.use("dust")
        self._squares.draw()
        gl.glDepthMask(gl.GL_TRUE)
        gl.glDisable(gl.GL_BLEND)

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        self._squares.delete()

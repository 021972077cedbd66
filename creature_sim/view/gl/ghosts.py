"""Other poses, drawn translucent over the picture."""

from collections.abc import Sequence

import numpy as np
from pyglet import gl

from creature_sim.definitions import WorldDef
from creature_sim.figures.creatures import Figures
from creature_sim.figures.palette import SKY_BLUE
from creature_sim.figures.solids import Solids, rgb
from creature_sim.view.gl.pieces import Pieces
from creature_sim.view.gl.shaders import Programs
from creature_sim.view.shows.show import Ghost

OPACITY = 0.4
TINT = 0.75
"""How much of a tinted ghost's colour is the tint."""


class Ghosts:
    """Figures of other worlds on the same ground."""

    def __init__(self, programs: Programs, pieces: Pieces) -> None:
        """Draw with these; they are refilled."""
        self._programs = programs
        self._pieces = pieces
        self._figures: dict[int, tuple[WorldDef, Figures]] = {}  # by identity of the world

    def draw(self, ghosts: Sequence[Ghost]) -> None:
        """Draw the nearest surfaces only: their depths first, then their colours."""
        self._pieces.fill([Solids.joined([self._solids(ghost) for ghost in ghosts])])
        gl.glColorMask(False, False, False, False)
        self._pieces.draw(self._programs)
        gl.glColorMask(True, True, True, True)
        gl.glDepthFunc(gl.GL_LEQUAL)
        gl.glEnable(gl.GL_BLEND)
        gl.glBlendColor(0.0, 0.0, 0.0, OPACITY)
        gl.glBlendFunc(gl.GL_CONSTANT_ALPHA, gl.GL_ONE_MINUS_CONSTANT_ALPHA)
        self._pieces.draw(self._programs)
        gl.glDisable(gl.GL_BLEND)
        gl.glDepthFunc(gl.GL_LESS)

    def _solids(self, ghost: Ghost) -> Solids:
        world, pose, is_tinted = ghost
        if id(world) not in self._figures:
            self._figures[id(world)] = (world, Figures(world, has_models=False))
        levels = np.zeros(pose.creature_count, np.int64)
        solids = self._figures[id(world)][1].solids(pose, levels)[0]
        if is_tinted:
            for rows in (solids.hulls, solids.spheres, solids.limbs):
                rows[:, 12:15] = (1.0 - TINT) * rows[:, 12:15] + TINT * np.array(rgb(SKY_BLUE))
        return solids

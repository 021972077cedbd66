"""The ground on the graphics card, drawn plot by plot."""

import numpy as np
from numpy.typing import NDArray
from pyglet import gl

from creature_sim.figures.coarse import coarse_plots
from creature_sim.figures.detail import pixels_in_metre, rectangle, visible
from creature_sim.figures.ground import Ground
from creature_sim.figures.optics import Optics
from creature_sim.maths import Floats
from creature_sim.view.gl.mesh import Mesh
from creature_sim.view.gl.shaders import Programs

MAX_ERROR = 1.5
"""A plot is drawn in the coarsest level that is no farther than this from the ground [px]."""
MAX_TWICE = 0.5
"""Plots are drawn once, with extra features, where these change more than this of the picture."""


class GroundPlots:
    """The triangles of the ground, and the plots of them that are in view.

    Attributes:
        ground: what is drawn.
        mesh: its triangles, then those of the coarse levels of its plots.
    """

    def __init__(self, ground: Ground, programs: Programs) -> None:
        """Upload the ground into the current context."""
        self._programs = programs
        self._upload(ground)

    def replace(self, ground: Ground) -> None:
        """Go on with other ground."""
        self.mesh.delete()
        self._upload(ground)

    def _upload(self, ground: Ground) -> None:
        coarse = coarse_plots(ground)
        fine_counts = np.diff(ground.first)
        self.ground = ground
        self.mesh = Mesh(
            np.concatenate((ground.vertices, coarse.vertices)),
            np.concatenate((ground.triangles, coarse.triangles)),
        )
        self._errors = coarse.errors
        # From the finest level to the coarsest, (levels, K) each:
        self._firsts = np.vstack((ground.first[:-1], len(ground.triangles) + coarse.first))
        others = np.broadcast_to(coarse.counts[:, None], coarse.first.shape)
        self._counts = np.vstack((fine_counts, others))

    def draw(
        self,
        optics: Optics,
        left: int,
        *,
        plain: tuple[str, ...],
        extra: tuple[str, ...],
        reach: Floats,
    ) -> None:
        """Draw what is in view: with extra features where they can show, then the rest, for less.

        Args:
            optics: of the picture.
            left: where the picture begins in the framebuffer [px].
            plain: features that the program has everywhere.
            extra: features that it has besides where `reach` shows.
            reach: (C, 3) points whose hull holds all that the extra features change [m, world].
        """
        boxes = self.ground.boxes
        plots = np.flatnonzero(visible(boxes, optics))
        away = ((boxes.mean(axis=1)[plots] - optics.eye) ** 2).sum(axis=1)
        plots = plots[np.argsort(away)]  # near plots hide far ones before those are coloured
        errors = self._errors[:, plots] * pixels_in_metre(boxes[plots], optics)
        levels = (errors <= MAX_ERROR).sum(axis=0)
        features = (*(("EDGED",) if self.ground.is_edged else ()), *plain)
        if extra:
            low, high = reach.min(axis=0), reach.max(axis=0)
            meets = ((boxes[plots, 0] <= high) & (boxes[plots, 1] >= low)).all(axis=1)
            x, y, width, height = rectangle(reach, optics)
            is_once = width * height > MAX_TWICE * optics.size[0] * optics.size[1]
            if not is_once:
                gl.glEnable(gl.GL_SCISSOR_TEST)
                gl.glScissor(x + left, y, width, height)
            self._programs.use("ground", *extra, *features)
            self._draw(plots[meets], levels[meets])
            gl.glDisable(gl.GL_SCISSOR_TEST)
            if is_once:
                plots, levels = plots[~meets], levels[~meets]
        self._programs.use("ground", *features)
        self._draw(plots, levels)

    def _draw(self, plots: NDArray[np.intp], levels: NDArray[np.intp]) -> None:
        self.mesh.draw(self._firsts[levels, plots], self._counts[levels, plots])

    def delete(self) -> None:
        """Free the memory; the context must be current."""
        self.mesh.delete()

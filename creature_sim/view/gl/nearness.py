"""What is near to ground takes light from the sky away from it: creatures as a few balls.

A ball of radius r at a distance d covers r^2 / d^2 of what a surface sees that faces it, and the
cosine less of one that does not.
"""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.geometry import box_corners
from creature_sim.view.gl.shaders import Programs

MOST = 64
"""Of the balls those nearest to the camera's target count: as many as `light.glsl` has room for."""
REACH = 6.0
"""They darken nothing farther off than this multiple of their radius, as there."""


class Nearness:
    """The balls of this frame."""

    def __init__(self, programs: Programs) -> None:
        """Begin with none."""
        self._programs = programs

    def set(self, balls: Floats, target: Floats) -> Floats:
        """Take the balls of a frame.

        Args:
            balls: (B, 4) middles and radii [m, world].
            target: (3,) of the camera.

        Returns:
            Points (C, 3) whose hull holds all that they darken.
        """
        gaps = ((balls[:, :3] - target) ** 2).sum(axis=1)
        balls = balls[np.argsort(gaps, kind="stable")[:MOST]]
        rows = np.zeros((MOST, 4))
        rows[: len(balls)] = balls
        low, high = self._box(balls)
        middle = 0.5 * (low + high)
        self._programs.set(
            balls=[tuple(row) for row in rows.tolist()],
            ball_count=len(balls),
            balls_around=(*middle.tolist(), float(np.sqrt(((high - middle) ** 2).sum()))),
        )
        return box_corners(low, high)[: 8 if len(balls) else 0]

    @staticmethod
    def _box(balls: Floats) -> tuple[Floats, Floats]:
        """Corners (3,) around all that balls (B, 4) darken [m]."""
        if not len(balls):
            return np.zeros(3), np.zeros(3)
        reaches = REACH * balls[:, 3:]
        return (balls[:, :3] - reaches).min(axis=0), (balls[:, :3] + reaches).max(axis=0)

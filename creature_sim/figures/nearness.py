"""What is near to ground takes light from the sky away from it: creatures as a few balls.

A ball of radius r at a distance d covers r^2 / d^2 of what a surface sees that faces it, and the
cosine less of one that does not.
"""

from typing import NamedTuple

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.geometry import box_corners

MOST = 64
"""Of the balls those nearest to the camera's target count: as many as `light.glsl` has room for."""
REACH = 6.0
"""They darken nothing farther off than this multiple of their radius, as there."""


class Nearness(NamedTuple):
    """The balls of a frame.

    Attributes:
        balls: (B, 4) middles and radii [m, world].
        around: (4,) a ball that holds all that they darken.
        corners: (C, 3) points whose hull does; none without balls.
    """

    balls: Floats
    around: Floats
    corners: Floats

    @classmethod
    def of(cls, balls: Floats, target: Floats) -> "Nearness":
        """Those of balls (B, 4) that are nearest to the target (3,) of the camera."""
        if not len(balls):
            return cls(balls, np.zeros(4), np.empty((0, 3)))
        gaps = ((balls[:, :3] - target) ** 2).sum(axis=1)
        balls = balls[np.argsort(gaps, kind="stable")[:MOST]]
        reaches = REACH * balls[:, 3:]
        low, high = (balls[:, :3] - reaches).min(axis=0), (balls[:, :3] + reaches).max(axis=0)
        radius = 0.5 * np.sqrt(((high - low) ** 2).sum())
        return cls(balls, np.array([*(0.5 * (low + high)), radius]), box_corners(low, high))

"""How finely each creature is drawn, and what is in view at all."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.figures.optics import Optics
from creature_sim.figures.shapes import LEVELS
from creature_sim.maths import Floats
from creature_sim.maths.geometry import box_corners

RADII = (150.0, 60.0, 32.0)
"""Smallest radius in the picture of a creature drawn in the finest level, the next, ... [px]."""

MOST = (16, 60)
"""Creatures that are drawn in level 1 or finer, and in level 2 or finer, at most: of a crowd those
that look largest. Level 0 has all that reach its size."""


def levels_of(positions: Floats, radii: Floats, optics: Optics) -> NDArray[np.int64]:
    """Level of detail of each of N balls, (N,); `LEVELS` where it is out of view.

    Args:
        positions: (N, 3) of their middles [m, world].
        radii: (N,) [m].
        optics: of the picture.
    """
    pixels = looks(positions, radii, optics)
    found: NDArray[np.int64] = (pixels[:, None] < np.array(RADII)).sum(axis=1)
    found[pixels == 0.0] = LEVELS
    for level, most in enumerate(MOST, 1):
        finer = np.flatnonzero(found == level)
        spare = len(finer) - max(0, most - int((found < level).sum()))
        if spare > 0:
            found[finer[np.argsort(pixels[finer], kind="stable")[:spare]]] = level + 1
    return found


def looks(positions: Floats, radii: Floats, optics: Optics) -> Floats:
    """How large the radius of each of N balls looks, (N,) [px].

    0: the ball is out of view; infinity: it holds the eye.

    Args:
        positions: (N, 3) of their middles [m, world].
        radii: (N,) [m].
        optics: of the picture.
    """
    clip = optics.clip(positions)
    depth = clip[:, 3]
    # The length of a row of the matrix is what a metre counts in clip space.
    x_scale, y_scale, w_scale = np.sqrt((optics.matrix[[0, 1, 3], :3] ** 2).sum(axis=1))
    outside = depth < -radii * w_scale
    for axis, scale in ((0, x_scale), (1, y_scale)):
        margin = radii * np.sqrt(scale * scale + w_scale * w_scale)
        outside |= np.abs(clip[:, axis]) - depth > margin
    found: Floats = radii * optics.pixels_in_metre(depth)
    found[depth < radii * w_scale] = np.inf
    found[outside] = 0.0
    return found


def pixels_in_metre(boxes: Floats, optics: Optics) -> Floats:
    """How long a metre looks within each of (K, 2, 3) boxes at most, (K,) [px]."""
    corners = box_corners(boxes[:, 0], boxes[:, 1])
    return optics.pixels_in_metre(optics.clip(corners)[..., 3].min(axis=1))


def visible(boxes: Floats, optics: Optics) -> NDArray[np.bool_]:
    """Which of (K, 2, 3) boxes may be in view, (K,): not wholly outside one side of the view."""
    x, y, z, w = np.moveaxis(optics.clip(box_corners(boxes[:, 0], boxes[:, 1])), -1, 0)
    outside = [(side > w).all(axis=1) for side in (x, -x, y, -y, z, -z)]
    found: NDArray[np.bool_] = ~np.any(outside, axis=0)
    return found


def rectangle(corners: Floats, optics: Optics) -> tuple[int, int, int, int]:
    """Left, bottom, width and height [px] of what may show any of a hull of (C, 3) corners."""
    clip, size = optics.clip(corners), optics.size
    if (clip[:, 3] < 1e-3).any():  # some of it is behind the eye
        return 0, 0, *size
    pixels = (0.5 + 0.5 * clip[:, :2] / clip[:, 3:]) * np.array(size)
    low = np.floor(pixels.min(axis=0)).clip(0, size).astype(int).tolist()
    high = np.ceil(pixels.max(axis=0)).clip(0, size).astype(int).tolist()
    return low[0], low[1], high[0] - low[0], high[1] - low[1]

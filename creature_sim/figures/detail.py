"""How finely each creature is drawn, and what is in view at all."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.figures.shapes import LEVELS
from creature_sim.maths import Floats

RADII = (150.0, 60.0, 32.0)
"""Least radius in the picture of a creature in the finest level, the next, and so on [px]."""


def levels_of(
    positions: Floats, radii: Floats, view_projection: Floats, size: tuple[int, int]
) -> NDArray[np.int64]:
    """Level of detail of each of N balls, (N,); `LEVELS` where it is out of view.

    Args:
        positions: (N, 3) of their middles [m, world].
        radii: (N,) [m].
        view_projection: (4, 4) world to clip space.
        size: of the picture [px].
    """
    clip = positions @ view_projection[:, :3].T + view_projection[:, 3]
    depth = clip[:, 3]
    # A row of the matrix is as long as a metre there counts; half a picture's height is 1.
    x_scale, y_scale, w_scale = np.sqrt((view_projection[[0, 1, 3], :3] ** 2).sum(axis=1))
    outside = depth < -radii * w_scale
    for axis, scale in ((0, x_scale), (1, y_scale)):
        margin = radii * np.sqrt(scale * scale + w_scale * w_scale)
        outside |= np.abs(clip[:, axis]) - depth > margin
    pixels = radii * y_scale * 0.5 * size[1] / np.maximum(depth, 1e-3)
    found: NDArray[np.int64] = (pixels[:, None] < np.array(RADII)).sum(axis=1)
    found[depth < radii * w_scale] = 0  # around the eye
    found[outside] = LEVELS
    return found


def visible(boxes: Floats, view_projection: Floats) -> Any:
    """Which of (K, 2, 3) boxes may be in view, (K,): not wholly outside one plane of the view."""
    corners = np.stack(
        [boxes[:, [i, j, k], [0, 1, 2]] for i in (0, 1) for j in (0, 1) for k in (0, 1)], axis=1
    )
    clip = corners @ view_projection[:, :3].T + view_projection[:, 3]
    x, y, z, w = np.moveaxis(clip, -1, 0)
    outside = [(side > w).all(axis=1) for side in (x, -x, y, -y, z, -z)]
    return ~np.any(outside, axis=0)


def rectangle(
    corners: Floats, view_projection: Floats, size: tuple[int, int]
) -> tuple[int, int, int, int]:
    """Left, bottom, width and height [px] of what may show any of a hull of (C, 3) corners."""
    clip = corners @ view_projection[:, :3].T + view_projection[:, 3]
    if (clip[:, 3] < 1e-3).any():  # some of it is behind the eye
        return 0, 0, *size
    pixels = (0.5 + 0.5 * clip[:, :2] / clip[:, 3:]) * np.array(size)
    low = np.floor(pixels.min(axis=0)).clip(0, size).astype(int).tolist()
    high = np.ceil(pixels.max(axis=0)).clip(0, size).astype(int).tolist()
    return low[0], low[1], high[0] - low[0], high[1] - low[1]

"""Where the sun is, and which part of the world a shadow map shows."""

from dataclasses import dataclass

import numpy as np

from creature_sim.figures.ground import Ground
from creature_sim.maths import Floats
from creature_sim.maths.geometry import box_corners

SUN: Floats = np.array([0.42, 0.56, 0.86]) / np.sqrt(0.42**2 + 0.56**2 + 0.86**2)
"""Unit direction towards the sun [world]."""
SOFT = 1.7
"""A shadow map shows at least this many times the largest caster: shadows keep a soft edge."""
FINE = 4.0
"""In a map of at most this many times the largest caster, nothing is too thin to be seen."""
STEPS = 8
"""Map sizes come in this many steps per doubling, so that edges keep still."""


@dataclass(frozen=True)
class Beam:
    """A box of parallel light.

    Attributes:
        to_clip: (4, 4) world to clip space of the map.
        to_map: (4, 4) world to [0, 1] across the map and away from the sun.
        texel: side of a texel, as a fraction of the map and in metres.
        is_fine: whether everything is wider in the map than a few texels.
    """

    to_clip: Floats
    to_map: Floats
    texel: tuple[float, float]
    is_fine: bool


def beam(low: Floats, high: Floats, side: int, soft: float = SOFT) -> Beam:
    """Light that covers everything that casts a shadow, along the sun onto level ground.

    The edges of blocks then run along the rows of the map, and their shadows have no teeth. What
    only receives shadows need not be covered.

    Args:
        low: (..., 3) lowest corners of boxes around what casts shadows [m, world].
        high: (..., 3) highest corners.
        side: of the map [texels].
        soft: the map shows at least this many times the largest box.
    """
    shear = -SUN[:2] / SUN[2]
    axes = np.array([[1.0, 0.0, shear[0]], [0.0, 1.0, shear[1]], [0.0, 0.0, 1.0]])
    middle, reach = 0.5 * (low + high), 0.5 * (high - low)
    centres = middle @ axes.T
    reaches = reach @ np.abs(axes).T
    first = (centres - reaches).reshape(-1, 3).min(axis=0)
    last = (centres + reaches).reshape(-1, 3).max(axis=0)
    largest = float(reaches[..., :2].max())
    half = max(soft * largest, 0.5 * float((last - first)[:2].max()), 1e-3)
    half = float(2.0 ** (np.ceil(STEPS * np.log2(half)) / STEPS))
    texel = 2.0 * half / side
    centre = 0.5 * (first + last)
    centre[:2] = np.round(centre[:2] / texel) * texel  # edges do not crawl as the box moves
    depth = 0.5 * float(last[2] - first[2]) + 0.05
    scale = np.array([1.0 / half, 1.0 / half, -1.0 / depth])  # highest: -1
    to_clip = np.eye(4)
    to_clip[:3, :3] = scale[:, None] * axes
    to_clip[:3, 3] = -scale * centre
    half_way = np.diag([0.5, 0.5, 0.5, 1.0])
    half_way[:3, 3] = 0.5
    return Beam(to_clip, half_way @ to_clip, (1.0 / side, texel), half <= FINE * largest)


def reached(low: Floats, high: Floats, ground: Ground) -> Floats:
    """Points (P, 3) whose hull holds the boxes and all that they may shade [m, world].

    Args:
        low: (B, 3) lowest corners [m, world].
        high: (B, 3) highest corners.
        ground: where shadows end.
    """
    low, high = low.min(axis=0), high.max(axis=0)
    path = -SUN / float(SUN[2])  # of light, for every metre down
    farthest = np.abs(path[:2]) * max(0.0, float(high[2] - ground.floor.min()))
    fall = max(0.0, float(high[2]) - ground.extent(low[:2] - farthest, high[:2] + farthest)[0])
    corners = box_corners(low, high)
    return np.concatenate((corners, corners + fall * path))

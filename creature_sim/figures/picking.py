"""From the mouse to the world and back: which target is under it, and where it is dragged to."""

from dataclasses import dataclass

import numpy as np

from creature_sim.components import PropRecord, Solids, zeros
from creature_sim.figures.ground import Ground
from creature_sim.maths import Floats
from creature_sim.props.rays import cast_props
from creature_sim.snapshots.poses import PropsPose

CATCH = 16.0
"""A target is caught this near to the middle of its mark [px]."""
SIGHT = 200.0
"""Props are looked for so far from the eye [m]."""
FARTHEST = 100.0
"""A target is dragged no farther from where it was caught than this on any axis [m]."""


@dataclass(frozen=True)
class Grip:
    """A target that the mouse holds.

    Attributes:
        chain: which chain or tree.
        target: which of its targets.
        place: (3,) where it was caught [m, world].
        normal: (3,) of the plane that it moves in [world].
    """

    chain: int
    target: int
    place: Floats
    normal: Floats


def pixels_of(points: Floats, matrix: Floats, size: tuple[int, int]) -> Floats:
    """Where points (P, 3) [m, world] appear, (P, 2) [px] from the lower left; NaN behind the eye.

    Args:
        points: (P, 3) [m, world].
        matrix: (4, 4) world to clip space.
        size: of the window [px].
    """
    clip = points @ matrix[:, :3].T + matrix[:, 3]
    depth = np.where(clip[:, 3:] > 0.0, clip[:, 3:], np.nan)
    found: Floats = (0.5 + 0.5 * clip[:, :2] / depth) * np.array(size)
    return found


def nearest(
    points: Floats, pixel: tuple[float, float], matrix: Floats, size: tuple[int, int]
) -> int:
    """Which of points (P, 3) appears nearest to a pixel; -1 where none is near enough to catch."""
    gaps = pixels_of(points, matrix, size) - np.array(pixel)
    distances = np.nan_to_num(np.sqrt((gaps**2).sum(axis=1)), nan=np.inf)
    if not len(distances) or distances.min() > CATCH:
        return -1
    return int(distances.argmin())


def dragged(
    grip: Grip, pixel: tuple[float, float], matrix: Floats, size: tuple[int, int], eye: Floats
) -> Floats | None:
    """Where the line of sight through a pixel meets the plane of a grip, (3,) [m, world].

    None where it does not: the plane is seen from its edge, or lies behind the eye.
    """
    ray = _sight(pixel, matrix, size, eye)
    slope = float(ray @ grip.normal)
    if abs(slope) < 1e-3:
        return None
    way = float((grip.place - eye) @ grip.normal) / slope
    if way <= 0.0:
        return None
    place: Floats = np.clip(eye + way * ray, grip.place - FARTHEST, grip.place + FARTHEST)
    return place


def ground_at(
    pixel: tuple[float, float], matrix: Floats, size: tuple[int, int], eye: Floats, ground: Ground
) -> Floats | None:
    """Where the line of sight through a pixel meets the ground first, (3,) [m, world], or None.

    All triangles are tried (Moeller and Trumbore 1997): a click costs some milliseconds.
    """
    ray = _sight(pixel, matrix, size, eye)
    corners = ground.vertices[ground.triangles, :3].astype(np.float64)
    start = corners[:, 0]
    first, second = corners[:, 1] - start, corners[:, 2] - start
    across = np.cross(ray, second)
    scale = (first * across).sum(axis=1)
    safe = np.where(np.abs(scale) > 1e-12, scale, np.inf)
    gap = eye - start
    u = (gap * across).sum(axis=1) / safe
    turned = np.cross(gap, first)
    v = (turned @ ray) / safe
    way = (turned * second).sum(axis=1) / safe
    is_hit = (u >= -1e-9) & (v >= -1e-9) & (u + v <= 1.0 + 1e-9) & (way > 0.0) & np.isfinite(safe)
    if not is_hit.any():
        return None
    place: Floats = eye + way[is_hit].min() * ray
    return place


def prop_at(
    pixel: tuple[float, float],
    matrix: Floats,
    size: tuple[int, int],
    eye: Floats,
    solids: Solids,
    pose: PropsPose,
) -> Floats | None:
    """Where the line of sight through a pixel meets a prop first, (3,) [m, world], or None."""
    records = zeros(PropRecord, len(pose.positions))
    records["position"], records["orientation"] = pose.positions, pose.orientations
    start = np.array(eye, np.float64)[None]
    end = start + SIGHT * _sight(pixel, matrix, size, eye)
    fractions, numbers = np.ones(1), np.zeros(1, np.int64)
    normals = np.zeros((1, 3))
    cast_props(solids.records, solids.planes, records, start, end, fractions, normals, numbers)
    if fractions[0] == 1.0:
        return None
    place: Floats = start[0] + fractions[0] * (end - start)[0]
    return place


def _sight(
    pixel: tuple[float, float], matrix: Floats, size: tuple[int, int], eye: Floats
) -> Floats:
    """Unit direction of the line of sight through a pixel, (3,) [world]."""
    x, y = 2.0 * pixel[0] / size[0] - 1.0, 2.0 * pixel[1] / size[1] - 1.0
    far = np.linalg.inv(matrix) @ np.array([x, y, 1.0, 1.0])
    ray = far[:3] / far[3] - eye
    unit: Floats = ray / np.sqrt((ray**2).sum())
    return unit

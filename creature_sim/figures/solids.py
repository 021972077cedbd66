"""Rows of numbers, from which the shaders draw solids."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats

Rows = NDArray[np.float32]
"""(K, 16): the rows of a 3x4 matrix, then a colour, and a limb's taper or a solid's material."""

PLAIN, HULL, EYE, PROP, DRUM = 0.0, 1.0, 2.0, 3.0, 4.0
"""Materials of solids, as `solid.glsl` knows them."""
NO_ROWS: Rows = np.empty((0, 16), np.float32)
LEG_SLOTS = 6
LegRows = NDArray[np.float32]
"""(K, 24): four joints of a distant leg, with radii; its colour and 0; its foot's and radius."""
NO_LEGS: LegRows = np.empty((0, 4 * LEG_SLOTS), np.float32)


@dataclass(frozen=True)
class Solids:
    """Rows of each kind of solid, and of distant legs."""

    hulls: Rows
    spheres: Rows
    limbs: Rows
    legs: LegRows = field(default_factory=lambda: NO_LEGS)

    @staticmethod
    def joined(parts: "Sequence[Solids]") -> "Solids":
        """All parts as one."""
        if not parts:
            return Solids(NO_ROWS, NO_ROWS, NO_ROWS)
        if len(parts) == 1:
            return parts[0]
        return Solids(
            np.concatenate([part.hulls for part in parts]),
            np.concatenate([part.spheres for part in parts]),
            np.concatenate([part.limbs for part in parts]),
            np.concatenate([part.legs for part in parts]),
        )


def rgb(colour: str) -> tuple[float, ...]:
    """Red, green and blue of "#rrggbb", [0, 1]."""
    return tuple(int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5))


def perpendicular(axes: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors (..., 3) across unit vectors (..., 3), in a right-handed frame with them.

    Unlike `tangents`, they keep still where an axis passes through level.
    """
    x, y, z = axes[..., 0], axes[..., 1], axes[..., 2]
    is_steep = np.abs(z) > 0.9
    # Across Z, or across X where the axis is near Z. (np.cross takes ten times as long.)
    first = np.stack((np.where(is_steep, 0.0, -y), np.where(is_steep, -z, x), is_steep * y), -1)
    first /= np.sqrt((first**2).sum(axis=-1, keepdims=True))
    u, v, w = first[..., 0], first[..., 1], first[..., 2]
    return first, np.stack((y * w - z * v, z * u - x * w, x * v - y * u), axis=-1)


def rows(
    bases: Floats, positions: Floats, colour: tuple[float, ...] | Floats, extra: object = PLAIN
) -> Rows:
    """Rows for the shader, (K, 16).

    Args:
        bases: (..., 3, 3) columns are the solid's axes [m, world].
        positions: (..., 3) of its origin [m, world].
        colour: parts from 0 to 1, one for all or one for each.
        extra: (...) radius of a limb at its end over that at its start, or a solid's material.
    """
    found = np.empty((*positions.shape[:-1], 4, 4), dtype=np.float32)
    found[..., :3, :3] = bases
    found[..., :3, 3] = positions
    found[..., 3, :3] = colour
    found[..., 3, 3] = extra
    return found.reshape(-1, 16)


def bars(
    start: Floats, end: Floats, first: Floats, second: Floats, colour: tuple[float, ...]
) -> Rows:
    """Rows of limbs from `start` to `end`, (..., 3), with radii `first` and `second`, (...)."""
    along = end - start
    length = np.sqrt((along**2).sum(axis=-1, keepdims=True))
    axis = np.where(length > 1e-9, along / np.maximum(length, 1e-9), np.array([1.0, 0.0, 0.0]))
    side, other = perpendicular(axis)
    radius = first[..., None]
    bases = np.stack((along, side * radius, other * radius), axis=-1)
    return rows(bases, start, colour, second / first)

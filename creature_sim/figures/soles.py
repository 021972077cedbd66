"""Soles: the flat feet below legs whose last bone stands on one, and how any foot is turned."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef
from creature_sim.maths import Floats


@dataclass(frozen=True)
class Soles:
    """The soles of a creature.

    Attributes:
        legs: (K,) those that have one.
        half: (K, 3) of length, width and height [m].
        ahead: (K,) from the tip to the middle, along the heading [m].
    """

    legs: NDArray[np.int64]
    half: Floats
    ahead: Floats

    @staticmethod
    def of(plan: CreatureDef) -> "Soles":
        """The soles of a creature's legs."""
        mine = [(i, *leg.sole) for i, leg in enumerate(plan.all_legs) if leg.foot]
        return Soles(
            np.array([index for index, _, _ in mine], dtype=np.int64),
            np.array([half for _, half, _ in mine]).reshape(-1, 3),
            np.array([ahead for _, _, ahead in mine]),
        )

    def middles(self, tips: Floats, normals: Floats, headings: Floats) -> Floats:
        """Their middles (..., K, 3) [m, world].

        Args:
            tips: (..., L, 3) of all legs, on the ground [m, world].
            normals: (..., L, 3) of the ground under them [world].
            headings: (..., L, 3) where their toes point [world].
        """
        mine = self.legs
        up = normals[..., mine, :] * self.half[:, 2:]
        found: Floats = tips[..., mine, :] + headings[..., mine, :] * self.ahead[:, None] + up
        return found

    def axes(self, normals: Floats, headings: Floats) -> Floats:
        """Their axes, (..., K, 3, 3), scaled by half of their size: columns ahead, left, up."""
        ahead, up = headings[..., self.legs, :], normals[..., self.legs, :]
        found: Floats = np.stack((ahead, np.cross(up, ahead), up), axis=-1) * self.half[:, None, :]
        return found


def turns_of(headings: Floats, normals: Floats) -> Floats:
    """Orientations (..., 4) xyzw of feet: X to the toes (..., 3), Z along normals (..., 3)."""
    x, z = headings, normals
    y = np.cross(z, x)
    # Each column is the quaternion times another of its parts: the longest is the safest.
    m00, m11, m22 = x[..., 0], y[..., 1], z[..., 2]
    yz, zx, xy = y[..., 2] - z[..., 1], z[..., 0] - x[..., 2], x[..., 1] - y[..., 0]
    sxy, sxz, syz = y[..., 0] + x[..., 1], z[..., 0] + x[..., 2], z[..., 1] + y[..., 2]
    columns = np.stack(
        (
            np.stack((1.0 + m00 - m11 - m22, sxy, sxz, yz), -1),
            np.stack((sxy, 1.0 - m00 + m11 - m22, syz, zx), -1),
            np.stack((sxz, syz, 1.0 - m00 - m11 + m22, xy), -1),
            np.stack((yz, zx, xy, 1.0 + m00 + m11 + m22), -1),
        ),
        axis=-2,
    )
    sizes = (columns**2).sum(axis=-1)
    best = np.take_along_axis(columns, sizes.argmax(axis=-1)[..., None, None], axis=-2)[..., 0, :]
    found: Floats = best / np.sqrt((best**2).sum(axis=-1, keepdims=True))
    return found

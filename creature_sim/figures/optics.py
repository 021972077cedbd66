"""How a picture shows the world: from points to pixels and back."""

from dataclasses import dataclass
from math import radians, tan

import numpy as np

from creature_sim.maths import Floats

FIELD_OF_VIEW = radians(45.0)
NEAR, FAR = 0.05, 150.0
"""What is drawn lies between these distances from an eye that looks at a usual size [m]."""


@dataclass(frozen=True)
class Optics:
    """The eye of a picture.

    Attributes:
        matrix: (4, 4) world to clip space.
        eye: (3,) where it is seen from [m, world].
        size: width and height of the picture [px].
    """

    matrix: Floats
    eye: Floats
    size: tuple[int, int]

    def clip(self, points: Floats) -> Floats:
        """Points (..., 3) [m, world] in clip space, (..., 4); the last part is their depth."""
        found: Floats = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return found

    @property
    def right(self) -> Floats:
        """Unit direction across the picture, (3,) [world]."""
        return self._direction(0)

    @property
    def up(self) -> Floats:
        """Unit direction up the picture, (3,) [world]."""
        return self._direction(1)

    def _direction(self, row: int) -> Floats:
        found: Floats = self.matrix[row, :3] / np.sqrt((self.matrix[row, :3] ** 2).sum())
        return found

    def pixels(self, points: Floats) -> Floats:
        """Where points (P, 3) [m, world] appear, (P, 2) [px] from the lower left.

        NaN for points behind the eye.
        """
        clip = self.clip(points)
        depth = np.where(clip[:, 3:] > 0.0, clip[:, 3:], np.nan)
        found: Floats = (0.5 + 0.5 * clip[:, :2] / depth) * np.array(self.size)
        return found

    def pixels_in_metre(self, depth: Floats) -> Floats:
        """How long a metre across the line of sight looks at depths, as `clip` gives them [px]."""
        # The length of a row of the matrix is what a metre counts in clip space, where half the
        # picture's height is 1.
        scale = np.sqrt((self.matrix[1, :3] ** 2).sum())
        found: Floats = scale * 0.5 * self.size[1] / np.maximum(depth, 1e-3)
        return found

    def sight(self, pixel: tuple[float, float]) -> Floats:
        """Unit direction of the line of sight through a pixel, (3,) [world]."""
        x, y = (2.0 * part / side - 1.0 for part, side in zip(pixel, self.size, strict=True))
        far = np.linalg.inv(self.matrix) @ np.array([x, y, 1.0, 1.0])
        ray = far[:3] / far[3] - self.eye
        unit: Floats = ray / np.sqrt((ray**2).sum())
        return unit


def look_at(eye: Floats, target: Floats, up: Floats) -> Floats:
    """World to eye space, (4, 4), for column vectors."""
    back = eye - target
    back = back / np.sqrt((back * back).sum())
    right = np.cross(up, back)
    length = np.sqrt((right * right).sum())
    right = right / length if length > 1e-6 else np.array([0.0, -1.0, 0.0])
    rows = np.array([right, np.cross(back, right), back])
    matrix = np.eye(4)
    matrix[:3, :3] = rows
    matrix[:3, 3] = -rows @ eye
    return matrix


def perspective(aspect: float, near: float = NEAR, far: float = FAR) -> Floats:
    """Eye space to clip space, (4, 4), for a picture `aspect` times as wide as high.

    The field of view is measured along the shorter side, so that what fits a wide picture fits a
    narrow one too. Only what is between `near` and `far` from the eye is drawn [m].
    """
    f = min(1.0, aspect) / tan(0.5 * FIELD_OF_VIEW)
    matrix = np.zeros((4, 4))
    matrix[0, 0], matrix[1, 1] = f / aspect, f
    matrix[2, 2] = (far + near) / (near - far)
    matrix[2, 3] = 2.0 * far * near / (near - far)
    matrix[3, 2] = -1.0
    return matrix

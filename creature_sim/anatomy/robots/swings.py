"""Where a thigh may point that two hinges swing, and the largest cone of that."""

from dataclasses import dataclass
from math import asin, atan2, cos, pi, sin

import numpy as np

from creature_sim.maths import Floats
from creature_sim.robots.kinematics import rotations_about

TIGHTER, ROUNDS = 0.95, 40
"""A cone is made smaller by this factor until a robot's limits allow all of it."""
SLACK = 0.02
"""It may be beyond them by this much [rad]."""


@dataclass(frozen=True)
class Swings:
    """Directions of a thigh: first turned about its knees' axis, then about one across it."""

    sideways: Floats
    normal: Floats
    thigh: Floats
    pitch: tuple[float, float]
    aside: tuple[float, float]

    def direction(self, aside: float, pitch: float) -> Floats:
        """The unit direction at two angles [rad]."""
        found = (
            rotations_about(self.sideways, aside) @ rotations_about(self.normal, pitch) @ self.thigh
        )
        return np.asarray(found / np.linalg.norm(found))

    def allows(self, way: Floats) -> bool:
        """Whether the limits let the thigh point somewhere."""
        across = np.cross(self.sideways, self.normal)
        sign = 1.0 if float(self.thigh @ across) >= 0.0 else -1.0
        aside = atan2(-float(way @ self.normal) * sign, float(way @ across) * sign)
        flat = rotations_about(self.sideways, -aside) @ way
        pitch = atan2(float(np.cross(self.thigh, flat) @ self.normal), float(self.thigh @ flat))
        return (
            self.pitch[0] - SLACK <= pitch <= self.pitch[1] + SLACK
            and self.aside[0] - SLACK <= aside <= self.aside[1] + SLACK
        )

    def cone(self, rest: Floats, pole: Floats) -> tuple[float, float]:
        """Half-angles in the plane of the leg and out of it that the limits allow all of [rad]."""
        z = pole - float(pole @ rest) * rest
        z = z / max(float(np.linalg.norm(z)), 1e-12)
        y = np.cross(z, rest)
        first = 0.5 * (self.pitch[1] - self.pitch[0])
        flat = rest - float(rest @ self.sideways) * self.sideways
        half = 0.5 * (self.aside[1] - self.aside[0])
        second = asin(min(1.0, float(np.linalg.norm(flat)) * sin(min(half, 0.5 * pi))))
        ways = [2.0 * pi * k / 48 for k in range(48)]
        for number in range(ROUNDS):
            turns = [first * cos(way) * y + second * sin(way) * z for way in ways]
            if all(self.allows(_swung(rest, turn)) for turn in turns):
                break
            if number % 2:
                first *= TIGHTER
            second *= TIGHTER
        return first, second


def _swung(way: Floats, turn: Floats) -> Floats:
    size = float(np.linalg.norm(turn))
    return np.asarray(rotations_about(turn / size, size) @ way) if size > 1e-9 else way

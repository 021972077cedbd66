"""Where a thigh may point that two hinges swing, and the largest cone of that."""

from dataclasses import dataclass
from math import asin, atan2, cos, pi, sin, sqrt

import numpy as np

from creature_sim.ik.balls import swing_and_twist
from creature_sim.maths import (
    Floats,
    cross,
    quat_conjugate,
    quat_from_axes,
    quat_multiply,
    reject,
    unit,
    vec,
)
from creature_sim.robots.kinematics import rotations_about

TIGHTER, ROUNDS = 0.95, 40
"""A cone is made smaller by this factor until a robot's limits allow all of it."""
SLACK = 0.02
"""It may be beyond them by this much [rad]."""
ASIDE = 1.0 - 1e-9
"""Sine of the angle to its plane from which a thigh points straight aside."""
TWIST = 0.6
"""A ball may twist by this part of what a hip swings sideways: a thigh that is level goes nowhere
then, and its leg's plane turns."""
SAMPLES = 120
"""Angles of each of two hinges at which a cone is looked at."""


@dataclass(frozen=True)
class Swings:
    """Directions of a thigh: first turned about its knees' axis, then about one across it.

    Those of a ball are turned the other way round: the axis across turns with the thigh.
    """

    sideways: Floats
    normal: Floats
    thigh: Floats
    pitch: tuple[float, float]
    aside: tuple[float, float]
    is_ball: bool = False

    def direction(self, aside: float, pitch: float) -> Floats:
        """The unit direction at two angles [rad]."""
        swung, turned = rotations_about(self.sideways, aside), rotations_about(self.normal, pitch)
        found = turned @ swung @ self.thigh if self.is_ball else swung @ turned @ self.thigh
        return np.asarray(found / np.linalg.norm(found))

    def allows(self, way: Floats) -> bool:
        """Whether the limits let the thigh point somewhere."""
        across = np.cross(self.sideways, self.normal)
        sign = 1.0 if float(self.thigh @ across) >= 0.0 else -1.0
        if self.is_ball:
            out = float(way @ self.normal)
            pitch = atan2(float(np.cross(self.thigh, way) @ self.normal), float(self.thigh @ way))
            if abs(out) > ASIDE:  # along the axis of the knees it points there at any pitch
                pitch = 0.5 * (self.pitch[0] + self.pitch[1])
            return self._lets(-sign * asin(min(max(out, -1.0), 1.0)), pitch)
        aside = atan2(-float(way @ self.normal) * sign, float(way @ across) * sign)
        flat = rotations_about(self.sideways, -aside) @ way
        pitch = atan2(float(np.cross(self.thigh, flat) @ self.normal), float(self.thigh @ flat))
        return self._lets(aside, pitch)

    def ball(self, rest: Floats, pole: Floats) -> tuple[float, float, float]:
        """A cone, and a twist that keep also the plane of a leg within the limits [rad].

        The plane is that of the hip, the foot and the axis that swings the thigh sideways. Where
        the thigh is nearly along that axis, a cone says nothing of how the plane is turned about
        it; there the twist does. So such a cone goes as far in the plane as the limits do.

        Returns:
            Half-angles in the plane of the leg and out of it, and the largest twist to either side.
        """
        half = 0.5 * (self.aside[1] - self.aside[0])
        first, twist = 0.5 * (self.pitch[1] - self.pitch[0]), TWIST * half
        second = min(half, 0.5 * pi)
        x = unit(vec(rest), (1.0, 0.0, 0.0))
        z = unit(reject(vec(pole), x), (0.0, 0.0, 1.0))
        y = cross(z, x)
        back = quat_conjugate(quat_from_axes(x, y, z))
        sign = 1.0 if float(self._across(0.5 * sum(self.aside)) @ y) > 0.0 else -1.0
        angles = [2.0 * pi * k / SAMPLES - pi for k in range(SAMPLES)]
        level = [(pitch, rotations_about(self.normal, pitch) @ self.thigh) for pitch in angles]
        for aside in angles:
            swung, across = rotations_about(self.sideways, aside), vec(sign * self._across(aside))
            for pitch, flat in level:
                if self._lets(aside, pitch):
                    continue
                bone = unit(vec(swung @ flat), x)
                turn = quat_from_axes(bone, across, cross(bone, across))
                about_y, about_z, turned = swing_and_twist(quat_multiply(back, turn))
                if abs(turned) <= twist and abs(about_y) < first:
                    second = min(second, abs(about_z) / sqrt(1.0 - (about_y / first) ** 2))
        return first, second, twist

    def _across(self, aside: float) -> Floats:
        """The unit axis of the knees at an angle [rad]."""
        return np.asarray(rotations_about(self.sideways, aside) @ self.normal)

    def _lets(self, aside: float, pitch: float) -> bool:
        """Whether both angles are within the limits [rad]."""
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

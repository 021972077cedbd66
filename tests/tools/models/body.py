"""A skeleton and the skin about it, piece by piece."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import sqrt

import numpy as np

from tests.tools.models.limbs import Limb
from tests.tools.models.shapes import Point, Ring, Skin, joined, tube

Station = tuple[float, float, float, float]
ALONG = np.array([1.0, 0.0, 0.0])


@dataclass(frozen=True)
class Bone:
    """A bone by its name, the index of its parent (-1: none), and its two ends [m]."""

    name: str
    parent: int
    head: Point
    tail: Point


class Body:
    """Bones, and skins by the name of their colour; X forward, Y left, Z up [m]."""

    def __init__(self, name: str, colours: dict[str, tuple[float, float, float]]) -> None:
        """Begin with no bones.

        Args:
            name: of the model.
            colours: red, green and blue by name, as amounts of light.
        """
        self.name, self.colours = name, colours
        self.bones: list[Bone] = []
        self._skins: dict[str, list[Skin]] = {colour: [] for colour in colours}

    @property
    def skins(self) -> dict[str, Skin]:
        """All that has one colour, together."""
        return {colour: joined(skins) for colour, skins in self._skins.items()}

    def bone(self, name: str, parent: str | None, head: Point, tail: Point) -> int:
        """Add a bone."""
        above = -1 if parent is None else self._index(parent)
        self.bones.append(Bone(name, above, head, tail))
        return len(self.bones) - 1

    def _index(self, name: str) -> int:
        return [bone.name for bone in self.bones].index(name)

    def limb(
        self,
        parent: str,
        names: Sequence[str],
        points: Sequence[Point],
        radii: Sequence[float],
        colour: str,
        sides: int = 8,
    ) -> None:
        """Bones one after another below a bone, and one tube about all of them.

        Args:
            parent: name of the bone that the first hangs on.
            names: of the bones.
            points: ends of the bones, one more than there are bones [m].
            radii: at those points [m].
            colour: its name.
            sides: corners of a ring.
        """
        bones = []
        for number, name in enumerate(names):
            above = names[number - 1] if number else parent
            bones.append(self.bone(name, above, points[number], points[number + 1]))
        self._tube(bones, points, radii, colour, sides)

    def skin(
        self, names: Sequence[str], radii: Sequence[float], colour: str, sides: int = 12
    ) -> None:
        """A tube about bones that are there and follow one another."""
        bones = [self._index(name) for name in names]
        points = [*(self.bones[bone].head for bone in bones), self.bones[bones[-1]].tail]
        self._tube(bones, points, radii, colour, sides)

    def _tube(
        self,
        bones: Sequence[int],
        points: Sequence[Point],
        radii: Sequence[float],
        colour: str,
        sides: int,
    ) -> None:
        limb = Limb(bones, np.array(points, dtype=float), radii)
        self._skins[colour].append(tube(limb.rings(), sides, limb.beside))

    def ball(
        self, bone: str, middle: Point, size: Point, colour: str, sides: int = 10, rows: int = 6
    ) -> None:
        """An ellipsoid that follows one bone; `size` are its half-axes along X, Y and Z [m]."""
        index = self._index(bone)
        rings = []
        for row in range(rows + 1):
            height = 1.0 - 2.0 * row / rows
            height *= 0.5 * (3.0 - height * height)  # closer together at the ends
            wide = sqrt(max(0.0, 1.0 - height * height))
            at = np.array(middle) - ALONG * (size[0] * height)
            rings.append(Ring(at, ALONG, size[1] * wide, size[2] * wide, (index, index), 0.0))
        self._skins[colour].append(tube(rings, sides, (0.0, 0.0, 1.0)))

    def trunk(
        self, names: Sequence[str], stations: Sequence[Station], colour: str, sides: int = 14
    ) -> None:
        """A body along X through stations: x, height, half of its width and of its height [m].

        The first and the last are its ends. Between the middles of bones it follows two of them.
        """
        bones = [self.bones[self._index(name)] for name in names]
        middles = sorted(
            (0.5 * (bone.head[0] + bone.tail[0]), self._index(bone.name)) for bone in bones
        )
        rings = []
        for x, z, wide, high in _smoothed(stations):
            pair, part = _between(middles, x)
            rings.append(Ring(np.array([x, 0.0, z]), ALONG, wide, high, pair, part))
        self._skins[colour].append(tube(rings, sides, (0.0, 0.0, 1.0)))


def _smoothed(stations: Sequence[Station]) -> list[Station]:
    """Stations with two more between each two, on Catmull-Rom curves."""
    found: list[Station] = []
    last = len(stations) - 1
    for number in range(last):
        a, b, c, d = (np.array(stations[min(max(number + k, 0), last)]) for k in (-1, 0, 1, 2))
        for t in (0.0, 1.0 / 3.0, 2.0 / 3.0):
            linear, square = (c - a) * t, (2.0 * a - 5.0 * b + 4.0 * c - d) * (t * t)
            cube = (3.0 * b - a - 3.0 * c + d) * (t * t * t)
            x, z, wide, high = (0.5 * (2.0 * b + linear + square + cube)).tolist()
            found.append((x, z, wide, high))
    return [*found, stations[last]]


def _between(middles: Sequence[tuple[float, int]], x: float) -> tuple[tuple[int, int], float]:
    """The two bones on both sides of a place, and how much it follows the second."""
    if x <= middles[0][0]:
        return (middles[0][1], middles[0][1]), 0.0
    for (low, one), (high, two) in pairwise(middles):
        if x <= high:
            return (one, two), (x - low) / (high - low)
    return (middles[-1][1], middles[-1][1]), 0.0

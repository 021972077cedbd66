"""Rings about the bones of a limb."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np

from creature_sim.maths import Floats
from tests.tools.models.shapes import Point, Ring

BLEND = 0.3
"""Of a bone: so far from a joint the skin follows the bones on both sides of it."""
STATIONS = (0.0, 0.15, 0.35, 0.62, 0.85)
"""Of rings along a bone."""
ROUND = (0.0, 0.4, 0.75, 0.93, 1.0)
"""Of rings along a round end, from its widest to its tip, in radii."""
SWELL = 0.12
"""A bone's belly is thicker than its ends by this fraction."""


@dataclass(frozen=True)
class Limb:
    """Bones one after another: indices, ends (B + 1, 3) and radii (B + 1,) there [m]."""

    bones: Sequence[int]
    ends: Floats
    radii: Sequence[float]

    @property
    def ways(self) -> Floats:
        """Directions (B, 3) of the bones."""
        return (self.ends[1:] - self.ends[:-1]) / self.lengths[:, None]

    @property
    def lengths(self) -> Floats:
        """Of the bones (B,) [m]."""
        ways = self.ends[1:] - self.ends[:-1]
        found: Floats = np.sqrt((ways * ways).sum(axis=1))
        return found

    def rings(self) -> list[Ring]:
        """All of them, from the round end behind its root to the one at its tip."""
        first, last, thick = self.bones[0], self.bones[-1], self.radii
        found = []
        for back in reversed(ROUND[1:]):
            wide = thick[0] * sqrt(1.0 - back * back)
            at = self.ends[0] - self.ways[0] * thick[0] * back
            found.append(Ring(at, self.ways[0], wide, wide, (first, first), 0.0))
        for number in range(len(self.bones)):
            found += self._along(number)
        for ahead in ROUND:
            wide = thick[-1] * sqrt(1.0 - ahead * ahead)
            at = self.ends[-1] + self.ways[-1] * thick[-1] * (ahead - 1.0)
            found.append(Ring(at, self.ways[-1], wide, wide, (last, last), 0.0))
        return found

    def _along(self, number: int) -> Iterator[Ring]:
        """Rings of one bone."""
        bone, way, length = self.bones[number], self.ways[number], self.lengths[number]
        for part in STATIONS:
            if number + 1 == len(self.bones) and (part + 0.04) * length > length - self.radii[-1]:
                return
            thick = self.radii[number] + (self.radii[number + 1] - self.radii[number]) * part
            thick *= 1.0 + SWELL * 4.0 * part * (1.0 - part)
            along, pair, follows = way, (bone, bone), 0.0
            if part < BLEND and number:
                pair, follows = (self.bones[number - 1], bone), 0.5 + 0.5 * part / BLEND
                if part == 0.0:
                    along = self.ways[number - 1] + way
                    along = along / np.sqrt((along * along).sum())
            elif part > 1.0 - BLEND and number + 1 < len(self.bones):
                pair = (bone, self.bones[number + 1])
                follows = 0.5 * (part - 1.0 + BLEND) / BLEND
            at = self.ends[number] + way * (length * part)
            yield Ring(at, along, thick, thick, pair, follows)

    @property
    def beside(self) -> Point:
        """A direction that no bone has."""
        for axis in ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), (0.0, 1.0, 0.0)):
            if np.abs(self.ways @ np.array(axis)).max() < 0.9:
                return axis
        return (0.31, 0.87, 0.38)

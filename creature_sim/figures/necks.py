"""Necks: what joins a head to a body that it does not touch."""

from dataclasses import dataclass

import numpy as np

from creature_sim.definitions import CreatureDef
from creature_sim.figures.shapes import is_in_hull
from creature_sim.figures.solids import Rows, bars
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths

END = 0.8
"""Radius where it carries the head, over half of the head's smaller side across."""
BASE = 1.7
"""Radius where it leaves the body, over that at its end..."""
ROOM = 0.85
"""...and at most this fraction of half of the body's smallest side."""
ROUND = 0.85
"""Bodies are round: so much of their sizes is inside wherever it lies."""
TOUCH = 0.2
"""A head whose rear is this fraction of half of its smaller side off its body seems to touch it."""


@dataclass(frozen=True)
class Neck:
    """A round bar that tapers from the body to the rear of the head, where the head turns.

    Attributes:
        base: (3,) within the body [m, body].
        end: (3,) [m, body].
        radii: at both [m].
    """

    base: Floats
    end: Floats
    radii: tuple[float, float]

    @staticmethod
    def of(plan: CreatureDef) -> "Neck | None":
        """The neck of a creature; None where it has no head, or one that touches its body."""
        if plan.head is None:
            return None
        mount, half = np.array(plan.head.mount), 0.5 * np.array(plan.body.size)
        across = 0.5 * min(plan.head.size[1:])
        nearer = max(0.0, 1.0 - TOUCH * across / max(float(lengths(mount)), 1e-9)) * mount
        if is_in_hull(nearer / half):
            return None
        end = END * across
        base = min(BASE * end, ROOM * float(half.min()))
        within = np.maximum(ROUND * half - base, 0.0)  # its base is a ball that lies in the body
        return Neck(np.clip(mount, -within, within), mount, (base, end))

    @property
    def length(self) -> float:
        """From base to end [m]."""
        return float(lengths(self.end - self.base))

    def ends(self, position: Floats, turn: Floats) -> tuple[Floats, Floats]:
        """Its base and end (..., 3) [m, world] for a body at (..., 3), turned by (..., 3, 3)."""
        return position + turn @ self.base, position + turn @ self.end

    def rows(self, position: Floats, turn: Floats, colour: tuple[float, ...]) -> Rows:
        """The limbs that show it on bodies at (N, 3), turned by (N, 3, 3)."""
        first, second = (np.full(len(position), radius) for radius in self.radii)
        return bars(*self.ends(position, turn), first, second, colour)

"""Questions to the ground of a run."""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.physics import Physics

EDGE = 1e-3 * np.array([(1.0, 0.0, 0.0), (-1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0)])
"""Steps aside of 1 mm: faces answer rays beyond their edge by 0.0001 of their width [m]."""
SPAN = 1.0
"""Ground is looked for this far above and below a point [m]."""


class Surface:
    """The ground, asked with rays."""

    def __init__(self, physics: Physics) -> None:
        """Ask this client; it stays open as long as it is asked."""
        self._physics = physics

    def heights(self, points: Floats, ups: Floats) -> Floats:
        """How far points are above the ground along `ups`, negative below it [m].

        Args:
            points: (..., 3) [m, world].
            ups: unit vectors that broadcast against the points.

        Returns:
            (...); SPAN where there is no ground within it.
        """
        ends = np.broadcast_to(ups, points.shape).reshape(-1, 3) * SPAN
        flat = points.reshape(-1, 3)
        fractions, _ = self._physics.cast(flat + ends, flat - ends)
        return ((2.0 * fractions - 1.0) * SPAN).reshape(points.shape[:-1])

    def nearest_heights(self, points: Floats, ups: Floats) -> Floats:
        """As `heights`, but what stands on the very edge of a box counts as standing on it."""
        best = self.heights(points, ups)
        for aside in EDGE:
            other = self.heights(points + aside, ups)
            best = np.where(np.abs(other) < np.abs(best), other, best)
        return best

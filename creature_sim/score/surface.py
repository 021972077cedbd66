"""Questions to the ground of a run."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import PropRecord, Records, Solids
from creature_sim.ground.rays import Physics
from creature_sim.maths import Floats
from creature_sim.props.rays import cast_props, depths_within
from creature_sim.score.track import PropsTrack

EDGE = 1e-3 * np.array([(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
"""Steps aside of 1 mm: faces answer rays beyond their edge by 0.0001 of their width [m]."""
SPAN = 1.0
"""Ground is looked for this far above and below a point [m]."""
CLOSE = 0.1
"""Farther over a point than this, what is found may be the top of a roof [m]."""


class Surface:
    """The ground, asked with rays, and the props of a run on it."""

    def __init__(self, physics: Physics, props: PropsTrack | None = None) -> None:
        """Ask this client; it stays open as long as it is asked."""
        self._physics = physics
        self._props = props

    def among(self, props: PropsTrack | None) -> "Surface":
        """The same ground with the props of a run."""
        return Surface(self._physics, props)

    def heights(
        self, points: Floats, ups: Floats, ticks: NDArray[np.int64] | None = None
    ) -> Floats:
        """How far points are above the ground along `ups`, negative below it [m].

        Args:
            points: (K, ...) [m, world].
            ups: unit vectors that broadcast against the points.
            ticks: (K,) at which points are where they are, for the sake of props; None: 0, 1, ...

        Returns:
            (K, ...); SPAN where there is no ground within it.
        """
        flat = points.reshape(-1, 3)
        reach = np.broadcast_to(ups, points.shape).reshape(-1, 3) * SPAN
        size = len(flat) // max(1, len(points))
        rows = np.arange(len(points)) if ticks is None else ticks
        owners = np.arange(len(flat)) // max(1, size)
        found = (2.0 * self._cast(flat + reach, flat - reach, owners, rows) - 1.0) * SPAN
        (deep,) = np.nonzero(found < -CLOSE)
        if len(deep):  # is it under a roof?
            starts, ends = flat[deep] + CLOSE * reach[deep] / SPAN, flat[deep] - reach[deep]
            fractions = self._cast(starts, ends, owners[deep], rows)
            below = fractions * (SPAN + CLOSE) - CLOSE
            found[deep] = np.where(fractions < 1.0, below, found[deep])
        for part, solids, things in self._things(owners, rows):
            # Of a prop that is higher than that, rays begin within.
            depths = depths_within(solids.records, solids.planes, things, flat[part])
            found[part] = np.minimum(found[part], np.where(depths > 0.0, -depths, SPAN))
        return found.reshape(points.shape[:-1])

    def _cast(
        self,
        starts: Floats,
        ends: Floats,
        owners: NDArray[np.int64],
        ticks: NDArray[np.int64],
    ) -> Floats:
        """Share of their ways at which rays (R, 3) hit the ground or a prop, (R,).

        Args:
            starts: (R, 3) [m, world].
            ends: (R, 3) [m, world].
            owners: (R,) places in `ticks`, in order.
            ticks: (K,) of the props.
        """
        fractions, normals = self._physics.cast(starts, ends)
        numbers = np.zeros(len(starts), np.int64)
        for part, solids, things in self._things(owners, ticks):
            cast_props(
                solids.records,
                solids.planes,
                things,
                starts[part],
                ends[part],
                fractions[part],
                normals[part],
                numbers[part],
            )
        return fractions

    def _things(
        self, owners: NDArray[np.int64], ticks: NDArray[np.int64]
    ) -> Iterator[tuple[slice, Solids, Records[PropRecord]]]:
        """The props (P,) of each tick (K,), and which of the questions (R,) are of it."""
        if self._props is None:
            return
        first = np.searchsorted(owners, np.arange(len(ticks) + 1))
        for k, tick in enumerate(ticks.tolist()):
            yield slice(first[k], first[k + 1]), self._props.solids, self._props.records[tick]

    def nearest_heights(self, points: Floats, ups: Floats) -> Floats:
        """As `heights`, but what stands on the very edge of a box counts as standing on it."""
        best = self.heights(points, ups)
        first, second = level_axes(ups)
        for x, y in EDGE:
            other = self.heights(points + (x * first + y * second), ups)
            best = np.where(np.abs(other) < np.abs(best), other, best)
        return best


def level_axes(ups: Floats) -> tuple[Floats, Floats]:
    """Two axes at right angles to each of `ups` (..., 3) and each other; X and Y below Z.

    Duff et al. 2017, Building an Orthonormal Basis, Revisited.
    """
    x, y, z = np.moveaxis(ups, -1, 0)
    sign = np.copysign(1.0, z)
    share = -1.0 / (sign + z)
    both = x * y * share
    first = np.stack((1.0 + sign * x * x * share, sign * both, -sign * x), axis=-1)
    return first, np.stack((both, sign + y * y * share, -y), axis=-1)

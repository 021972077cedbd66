"""The ground of a run, as metrics ask for it: heights of points above it."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import PropRecord, Records, Solids
from creature_sim.ground.rays import Physics
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths, tangents
from creature_sim.props.rays import cast_props, depths_within
from creature_sim.score.track import PropsTrack
from creature_sim.terrain.tiles.inside import is_inside
from creature_sim.terrain.tiles.tiles import MeshTile

EDGE = 1e-3 * np.array([(1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
"""Offsets of 1 mm: faces answer rays up to 0.0001 of their width beyond their edge [m]."""
SPAN = 1.0
"""Ground is looked for up to this far above and below a point [m]."""
CLOSE = 0.1
"""Ground found higher above a point than this may be the top of a roof [m]."""
NEAR = 0.01
"""Ground is also looked for from so far above a point on [m]."""
ONCE = 1e-4
"""A line goes through one face if both its ends meet it within this distance [m]."""
WAYS = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1)])
WAYS = WAYS[lengths(WAYS) > 0.0] / lengths(WAYS[lengths(WAYS) > 0.0])[:, None]
"""Unit directions in which the way out of rock is looked for."""


class Surface:
    """The ground and the props of a run, asked with rays."""

    def __init__(self, physics: Physics, props: PropsTrack | None = None) -> None:
        """Ask this client, which has to stay open."""
        self._physics = physics
        self._props = props

    def among(self, props: PropsTrack | None) -> "Surface":
        """The same ground with the props of a run."""
        return Surface(self._physics, props)

    def heights(
        self,
        points: Floats,
        ups: Floats,
        ticks: NDArray[np.int64] | None = None,
        span: float = SPAN,
    ) -> Floats:
        """Heights of points above the ground along `ups`, negative below it [m].

        Args:
            points: (K, ...) [m, world].
            ups: unit vectors that broadcast against the points.
            ticks: (K,) of the points, for the positions of props; None: 0, 1, ...
            span: ground is looked for up to this far above and below them [m].

        Returns:
            (K, ...); `span` where there is no ground within it.
        """
        flat = points.reshape(-1, 3)
        reach = np.broadcast_to(ups, points.shape).reshape(-1, 3) * span
        size = len(flat) // max(1, len(points))
        rows = np.arange(len(points)) if ticks is None else ticks
        owners = np.arange(len(flat)) // max(1, size)
        found = (2.0 * self._cast(flat + reach, flat - reach, owners, rows) - 1.0) * span
        (deep,) = np.nonzero(found < -CLOSE)
        if len(deep):  # is it under a roof?
            starts, ends = flat[deep] + CLOSE * reach[deep] / span, flat[deep] - reach[deep]
            fractions = self._cast(starts, ends, owners[deep], rows)
            below = fractions * (span + CLOSE) - CLOSE
            found[deep] = np.where(fractions < 1.0, below, found[deep])
        for part, solids, things in self._things(owners, rows):
            # Rays begin inside a prop that is higher than `span` above the point.
            depths = depths_within(solids.records, solids.planes, things, flat[part])
            found[part] = np.minimum(found[part], np.where(depths > 0.0, -depths, span))
        return found.reshape(points.shape[:-1])

    def fractions(self, starts: Floats, ends: Floats, ticks: NDArray[np.int64]) -> Floats:
        """Fractions at which lines meet the ground or a prop, (K, ...); 1 where they meet nothing.

        A line that begins within a prop meets it at once.

        Args:
            starts: (K, ..., 3) [m, world].
            ends: (K, ..., 3) [m, world].
            ticks: (K,) of the lines, for the positions of props.
        """
        first, last = starts.reshape(-1, 3), ends.reshape(-1, 3)
        owners = np.arange(len(first)) // max(1, len(first) // max(1, len(starts)))
        found = self._cast(first, last, owners, ticks)
        for part, solids, things in self._things(owners, ticks):
            depths = depths_within(solids.records, solids.planes, things, first[part])
            found[part] = np.where(depths > 0.0, 0.0, found[part])
        return found.reshape(starts.shape[:-1])

    def _cast(
        self,
        starts: Floats,
        ends: Floats,
        owners: NDArray[np.int64],
        ticks: NDArray[np.int64],
    ) -> Floats:
        """Fractions at which rays hit the ground or a prop, (R,); 1 where they hit nothing.

        Args:
            starts: (R, 3) [m, world].
            ends: (R, 3) [m, world].
            owners: (R,) indices into `ticks`, ascending.
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
        """For each tick (K,) the slice of rays (R,) that belong to it, and its props (P,)."""
        if self._props is None:
            return
        first = np.searchsorted(owners, np.arange(len(ticks) + 1))
        for k, tick in enumerate(ticks.tolist()):
            yield slice(first[k], first[k + 1]), self._props.solids, self._props.records[tick]

    def nearest_heights(self, points: Floats, ups: Floats) -> Floats:
        """As `heights`, but a point on the very edge of a box counts as standing on it."""
        best = self.heights(points, ups)
        first, second = tangents(ups)
        for x, y in EDGE:
            other = self.heights(points + (x * first + y * second), ups)
            best = np.where(np.abs(other) < np.abs(best), other, best)
        return best

    def near_heights(
        self, points: Floats, ups: Floats, ticks: NDArray[np.int64] | None = None
    ) -> Floats:
        """As `heights`, for points that are less than CLOSE below the ground.

        What lies farther above them does not count: ceilings, and behind a corner the next wall.
        """
        flat = points.reshape(-1, 3)
        reach = np.broadcast_to(ups, points.shape).reshape(-1, 3)
        rows = np.arange(len(points)) if ticks is None else ticks
        owners = np.arange(len(flat)) // max(1, len(flat) // max(1, len(points)))
        found = np.full(len(flat), np.inf)
        for above in (NEAR, CLOSE):
            first = flat + above * reach
            way = self._cast(first, flat - SPAN * reach, owners, rows) * (SPAN + above) - above
            found = np.where(np.abs(way) < np.abs(found), way, found)
        for part, solids, things in self._things(owners, rows):
            depths = depths_within(solids.records, solids.planes, things, flat[part])
            found[part] = np.where(depths > 0.0, np.minimum(found[part], -depths), found[part])
        return found.reshape(points.shape[:-1])

    def are_open(self, points: Floats) -> NDArray[np.bool_]:
        """Whether points (K, 3) [m, world] are known to be in the open: all tiles have edges."""
        tiles = self._physics.tiles
        if not all(isinstance(tile, MeshTile) for tile in tiles) or not tiles or not len(points):
            return np.zeros(len(points), np.bool_)
        places, rows = np.unique(points, axis=0, return_inverse=True)
        is_open = [not is_inside(tiles, (x, y, z)) for x, y, z in places.tolist()]
        return np.array(is_open)[rows.ravel()]

    def chain_heights(self, chains: Floats, fractions: Floats, ticks: NDArray[np.int64]) -> Floats:
        """How deep points on chains are in the ground, (K, L, J - 1, M) [m]; SPAN: not in it.

        Along each chain rays count from its first point on, which is in the open, where it enters
        rock and leaves it again: it does not matter which way is up. Depths are negative.

        Args:
            chains: (K, L, 1 + J, 3) first points and joints [m, world].
            fractions: (M,) of the length of each bone at which the points are.
            ticks: (K,) of the chains, for the positions of props.
        """
        starts, ends = chains[:, :, :-1], chains[:, :, 1:]
        enters = self.fractions(starts, ends, ticks)
        leaves = 1.0 - self.fractions(ends, starts, ticks)
        meets = enters < 1.0
        is_once = meets & (np.abs(leaves - enters) * lengths(ends - starts) < ONCE)
        was_in: NDArray[np.int64] = (
            np.cumsum(is_once, axis=2) - is_once
        )  # of the start of each bone
        share = fractions[:, None, None, None]
        crossed = (meets & (share > enters)) & (is_once | (share < leaves))
        is_in = np.moveaxis(crossed ^ (was_in % 2 == 1), 0, -1)[:, :, 1:]
        points = starts[:, :, 1:, None] + (ends - starts)[:, :, 1:, None] * fractions[:, None]
        found = np.full(is_in.shape, SPAN)
        rows = np.nonzero(is_in)
        if is_in.any():
            found[rows] = -self._ways_out(points[rows], ticks[rows[0]])
        return found

    def _ways_out(self, points: Floats, ticks: NDArray[np.int64]) -> Floats:
        """Distances of points (K, 3) in rock to the open, (K,) [m], at these ticks (K,)."""
        starts = np.broadcast_to(points[:, None], (len(points), len(WAYS), 3))
        flat, last = starts.reshape(-1, 3), (starts + SPAN * WAYS).reshape(-1, 3)
        fractions, normals = self._physics.cast(flat, last)
        slopes = np.abs((normals * (last - flat)).sum(axis=1))  # the distance to the face's plane
        depths = np.where(fractions < 1.0, fractions * slopes, SPAN).reshape(len(points), -1)
        nearest = fractions.reshape(len(points), -1).argmin(axis=1)
        found: Floats = depths[np.arange(len(points)), nearest]
        for k, (part, solids, things) in enumerate(self._things(np.arange(len(points)), ticks)):
            within = depths_within(solids.records, solids.planes, things, points[part])
            found[k] = np.where(within > 0.0, within, found[part])[0]
        return found

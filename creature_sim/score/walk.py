"""What metrics look at: one creature's run, the ground under it, and what several of them need."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.score.support import support_margin
from creature_sim.score.surface import NEAR, SPAN, Surface
from creature_sim.score.track import Track

SAMPLES_PER_BONE = 8
EVERY_TICKS = 3
"""Limbs are held against the ground in every third tick."""
FRACTIONS = (np.arange(SAMPLES_PER_BONE) + 0.5) / SAMPLES_PER_BONE
"""Where samples are on a bone."""
JUST = 1e-3
"""A foot is in the open if the place so far above it is [m]."""
AGREE = 0.5
"""Feet face one way if the mean of their normals is longer than this."""


@dataclass(frozen=True, eq=False)
class Walk:
    """A run of one creature, to be measured.

    Attributes:
        track: the run, as arrays over its ticks.
        ground: under it; None where no metric is to ask for it.
        terrain: the kind of ground, for messages.
        rays: cast per leg and tick; None: not counted.
        microseconds: of computing per leg and tick; None: not measured.
        others: the tracks of all other creatures of the run.
    """

    track: Track
    ground: Surface | None = None
    terrain: str = "ground"
    rays: float | None = None
    microseconds: float | None = None
    others: tuple[Track, ...] = ()

    @cached_property
    def surface(self) -> Surface:
        """The ground together with the props of the run.

        Raises:
            ValueError: the walk was made without ground.
        """
        if self.ground is None:
            raise ValueError("expected a walk with ground to ask for heights, found none")
        return self.ground.among(self.track.props)

    def heights_of(
        self, points: Floats, ups: Floats, ticks: NDArray[np.int64] | None = None
    ) -> Floats:
        """Heights of points near tips over the ground; see `Surface.heights`.

        Those of who climbs are looked for from near by: it stands below ceilings and beside walls.
        """
        if self.track.climbs:
            return self.surface.near_heights(points, ups, ticks)
        return self.surface.heights(points, ups, ticks)

    @cached_property
    def heights(self) -> Floats:
        """Heights of the tips over the ground, (T, L) [m]; negative below it."""
        tips, ups = self.track.tips, self.track.foot_ups
        if not self.track.climbs:
            return self.surface.nearest_heights(tips, ups)
        # Surfaces have two sides, and a leg that went through rock stands on the wrong one.
        ticks = np.arange(len(tips))
        chains = self._chains(ticks)
        for leg, count in enumerate(self.track.plan.legs["bone_count"].tolist()):
            chains[:, leg, 1 + count :] += NEAR * ups[:, leg, None]
        behind = self.surface.chain_heights(chains, np.ones(1), ticks)[:, :, -1, 0]
        # A ray along the leg may slip past an edge for a tick: most of a stance tells.
        for leg, first, last in self.track.stances():
            part = behind[first:last, leg]
            if np.median(part) >= 0.0:
                part[:] = np.maximum(part, 0.0)
        found = self.surface.near_heights(tips, ups)
        ways = np.nonzero(behind < 0.0)
        begins, along = tips[ways] + NEAR * ups[ways], SPAN * ups[ways]
        above = self.surface.fractions(begins, begins + along, ticks[ways[0]])
        # With nothing above it is in no rock: a ray along the leg slipped between triangles. Where
        # bars overlap, and where it touches one, that ray counts faces wrong.
        is_in = (above < 1.0) & ~self.surface.are_open(tips[ways] + JUST * ups[ways])
        found[ways] = np.where(is_in, -NEAR - SPAN * above, found[ways])
        return found

    @cached_property
    def body_heights(self) -> Floats:
        """Heights of the body over the ground, (T,) [m]; negative below it.

        Who climbs is below it from where its path has led through a surface, until one leads back.
        """
        track, position = self.track, self.track.position
        span = max(SPAN, 2.0 * track.definition.body.ride_height)  # tall ones are higher than SPAN
        if not track.climbs:
            return self.surface.heights(position, track.ups_at(position), span=span)
        ticks = np.arange(len(position))
        ends = position - span * track.body_ups(position)
        found = span * self.surface.fractions(position, ends, ticks)
        crossed = self.surface.fractions(position[:-1], position[1:], ticks[1:]) < 1.0
        within = np.cumsum(crossed & ~track.is_put_back[1:]) % 2 == 1
        found[1:][within] *= -1.0
        return found

    @cached_property
    def support_ups(self) -> Floats:
        """Up where the body is, (T, 3): against gravity; of who climbs that of feet that stand.

        While these face opposite ways, round a thin edge, it is that of the body.
        """
        track = self.track
        if not track.climbs:
            return track.ups_at(track.position)
        stands = ~track.is_swinging[..., None]
        mean = (stands * track.foot_ups).sum(axis=1) / np.maximum(stands.sum(axis=1), 1)
        size = lengths(mean)[:, None]
        return np.where(size > AGREE, mean / np.maximum(size, AGREE), track.up)

    @cached_property
    def bone_heights(self) -> Floats:
        """Heights of samples along the bones over the ground, (T / 3, L, J - 1, 8) [m].

        Against gravity, in every third tick; of who climbs see `Surface.chain_heights`.
        """
        ticks = np.arange(len(self.track.tips))[::EVERY_TICKS]
        if self.track.climbs:
            return self.surface.chain_heights(self._chains(ticks), FRACTIONS, ticks)
        joints = self.track.joints[ticks]
        bones = joints[:, :, 1:] - joints[:, :, :-1]
        points = joints[:, :, :-1, None] + bones[:, :, :, None] * FRACTIONS[:, None]
        return self.surface.heights(points, self.track.ups_at(points), ticks)

    def heights_on_bones(
        self,
        points: Floats,
        fractions: Floats,
        ticks: NDArray[np.int64],
        leg: NDArray[np.int64],
        bone: NDArray[np.int64],
    ) -> Floats:
        """Heights over the ground of points on bones, (K, M) [m].

        Args:
            points: (K, M, 3) [m, world].
            fractions: (M,) of the bones' lengths at which they are.
            ticks: (K,).
            leg: (K,).
            bone: (K,) counted from the hip.
        """
        if not self.track.climbs:
            return self.surface.heights(points, self.track.ups_at(points), ticks)
        rows = np.arange(len(ticks))
        chains = self._chains(ticks)[rows, leg][:, None]
        found: Floats = self.surface.chain_heights(chains, fractions, ticks)[rows, 0, bone]
        return found

    def _chains(self, ticks: NDArray[np.int64]) -> Floats:
        """Middles of the segments that legs hang on, and their joints, (K, L, 1 + J, 3) [m]."""
        segments = [leg.segment for leg in self.track.definition.all_legs]
        middles = self.track.positions[ticks][:, segments, None]
        return np.concatenate((middles, self.track.joints[ticks]), axis=2)

    @cached_property
    def margins(self) -> Floats:
        """Support margin of every tick, (T,) [m]; negative where the body is beside its feet."""
        return support_margin(self.track)

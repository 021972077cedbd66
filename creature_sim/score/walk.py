"""What metrics look at: one creature's run, the ground under it, and what several of them need."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from creature_sim.maths import Floats
from creature_sim.score.support import support_margin
from creature_sim.score.surface import Surface
from creature_sim.score.track import Track

SAMPLES_PER_BONE = 8
EVERY_TICKS = 3
"""Limbs are held against the ground in every third tick."""
FRACTIONS = (np.arange(SAMPLES_PER_BONE) + 0.5) / SAMPLES_PER_BONE
"""Where samples are on a bone."""


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

    @cached_property
    def heights(self) -> Floats:
        """Heights of the tips over the ground, (T, L) [m]; negative below it."""
        return self.surface.nearest_heights(self.track.tips, self.track.foot_ups)

    @cached_property
    def bone_heights(self) -> Floats:
        """Heights of samples along the bones over the ground, (T / 3, L, J - 1, 8) [m].

        Against gravity, of who climbs along its own up, in every third tick.
        """
        joints = self.track.joints[::EVERY_TICKS]
        bones = joints[:, :, 1:] - joints[:, :, :-1]
        points = joints[:, :, :-1, None] + bones[:, :, :, None] * FRACTIONS[:, None]
        ticks = np.arange(len(self.track.tips))[::EVERY_TICKS]
        return self.surface.heights(points, self.track.body_ups(points, ticks), ticks)

    @cached_property
    def margins(self) -> Floats:
        """Support margin of every tick, (T,) [m]; negative where the body is beside its feet."""
        return support_margin(self.track)

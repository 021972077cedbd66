"""Recorded poses in a window, another recording over or beside them."""

from collections.abc import Sequence

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.figures.insight import Insight, StepLog
from creature_sim.figures.labels import printable
from creature_sim.figures.subjects import (
    gap_of,
    is_subject_there,
    is_there,
    subject_count,
    subject_name,
)
from creature_sim.maths import Floats
from creature_sim.replay.playback import Playable, Playback
from creature_sim.snapshots.poses import Pose
from creature_sim.snapshots.snapshot import tips_of
from creature_sim.terrain import build_terrain
from creature_sim.view.shows.controls import Mode
from creature_sim.view.shows.playhead import Playhead
from creature_sim.view.shows.show import Ghost, Show

GHOSTS, GHOST_SPACING = 5, 0.4
"""How many past poses are drawn, and the time between them [s]."""


class ReplayShow(Show):
    """A moment of a recording.

    Attributes:
        playhead: the moment.
    """

    mode: Mode = "replay"
    is_over = False

    def __init__(
        self, replay: Playable, other: Playable | None = None, *, is_beside: bool = False
    ) -> None:
        """Start at the first pose, at normal speed.

        Args:
            replay: what is played.
            other: another replay, drawn over it, translucent, from its own start on.
            is_beside: the other replay is drawn in the right half of the window instead.

        Raises:
            DefinitionError: the other replay is on other ground.
        """
        self._world = replay.world
        self.terrain = build_terrain(replay.world.terrain, replay.world.seed)
        self.notice = ""
        self._selected = 0
        self._rate = replay.tick_rate
        self._playback = Playback(replay)
        self.playhead = Playhead(self._playback.first, self._playback.last, replay.tick_rate)
        self._names = _names_of(replay, other)
        self._other = other
        self._other_playback = None if other is None else Playback(other)
        if other is not None:
            ground = build_terrain(other.world.terrain, other.world.seed)
            if ground.digest != self.terrain.digest:
                raise DefinitionError(
                    f"expected two replays on the same ground, found {replay.world.name!r} and "
                    f"{other.world.name!r} on different ones"
                )
        self._has_ghosts = False
        self._is_beside = is_beside
        self._steps = StepLog(replay.events)
        self._step_fractions: dict[int, list[float]] = {}  # by creature

    @property
    def world(self) -> WorldDef:
        """The world, with all creatures that ever were in it."""
        return self._world

    @property
    def selected(self) -> int:
        """Creature or chain that the camera follows."""
        return self._selected

    @property
    def actions(self) -> frozenset[str]:
        """The actions that it understands."""
        return self.playhead.actions | {"ghosts", "beside", "next"}

    @property
    def timeline(self) -> float | None:
        """Fraction of the recording that has been played."""
        return self.playhead.fraction

    @property
    def status(self) -> str:
        """One line about the selected creature or chain and the moment."""
        count = len(self.world.creatures)
        if self.selected < count and not is_there(self.pose, self.selected):
            state = "not here now"
        elif self.selected < count:
            state = f"{self._creature_speed():.2f} m/s"
        else:
            index = self.selected - count
            rig, chain = self.world.rigs[index], self.pose.chains[index]
            state = f"{gap_of(tips_of(rig, chain.joints), chain.targets):.3f} m from its target"
        parts = [
            subject_name(self.world, self.selected),
            state,
            f"tick {self.playhead.tick:.0f} of {self._playback.last:.0f}",
            f"{self.playhead.tick / self._rate:.1f} s",
            "paused" if self.playhead.is_paused else f"{self.playhead.speed:g}x",
        ]
        if self.playhead.is_looping:
            parts.append("loop")
        other = self._other_pose
        if other is not None and all(is_there(each, self.selected) for each in (self.pose, other)):
            gap = other.creature(self.selected).position - self._position
            name = self._names[1]
            parts.append(f"{name} is {float(np.sqrt((gap * gap).sum())):.2f} m away")
        return "   ".join(parts)

    @property
    def _position(self) -> Floats:
        """Of the selected creature, (3,) [m, world]."""
        return self.pose.creature(self.selected).position

    @property
    def _other_pose(self) -> Pose | None:
        """Of the other replay, at the same time after its start."""
        if self._other_playback is None:
            return None
        return self._other_playback.at((self.playhead.tick - self._playback.first) / self._rate)

    @property
    def ghosts(self) -> Sequence[Ghost]:
        """The other replay, and poses of the last seconds."""
        found = []
        if self._other is not None and self._other_pose is not None and not self._is_beside:
            found.append(Ghost(self._other.world, self._other_pose, True))
        if self._has_ghosts:
            ticks = [
                self.playhead.tick - n * GHOST_SPACING * self._rate for n in range(1, GHOSTS + 1)
            ]
            found += [
                Ghost(self.world, self._playback.at_tick(tick), False)
                for tick in ticks
                if tick >= self._playback.first
            ]
        return found

    @property
    def beside(self) -> Ghost | None:
        """The other replay, if it is drawn in the right half."""
        if self._other is None or self._other_pose is None or not self._is_beside:
            return None
        return Ghost(self._other.world, self._other_pose, False)

    @property
    def names(self) -> tuple[str, str] | None:
        """The two replays, while they are drawn side by side."""
        return None if self.beside is None else self._names

    @property
    def step_fractions(self) -> Sequence[float]:
        """When the selected creature stepped, as fractions of the recording; always one list."""
        if self.selected not in self._step_fractions:
            first, length = self._playback.first, self._playback.last - self._playback.first
            ticks = self._steps.ticks(self.selected)
            self._step_fractions[self.selected] = [
                (tick - first) / max(1.0, length) for tick in ticks
            ]
        return self._step_fractions[self.selected]

    def _creature_speed(self) -> float:
        """Speed of the selected creature's body around this moment [m/s]."""
        a, b, _ = self._playback.neighbours(self.playhead.tick)
        if b.tick <= a.tick:
            return 0.0
        step = b.creature(self.selected).position - a.creature(self.selected).position
        return float(np.sqrt((step * step).sum())) * self._rate / (b.tick - a.tick)

    def press(self, action: str, is_shifted: bool) -> None:
        """Take a key that went down."""
        if action == "ghosts":
            self._has_ghosts = not self._has_ghosts
        elif action == "beside":
            self._is_beside = not self._is_beside
        elif action == "next":
            self._select(-1 if is_shifted else 1)
        else:
            self.playhead.press(action, is_shifted)

    def _select(self, step: int) -> None:
        """Select the next creature or chain that is there, or the one before."""
        count, pose = subject_count(self.world), self.pose
        for offset in range(1, count + 1):
            found = (self._selected + step * offset) % count
            if is_subject_there(self.world, pose, found):
                self._selected = found
                return

    def release(self, action: str) -> None:
        """Take a key that came up."""
        self.playhead.release(action)

    def release_all(self) -> None:
        """Let go of every key."""
        self.playhead.release_all()

    @property
    def insight(self) -> Insight | None:
        """What is known of the selected creature beyond its pose."""
        if not is_there(self.pose, self.selected):
            return None
        legs = self.world.leg_counts[self.selected]
        return self._steps.insight(self.selected, legs, self.playhead.tick)

    def notify(self, text: str) -> None:
        """Show a line until the next one."""
        self.notice = text

    def past(self, seconds: float) -> Sequence[Pose]:
        """Recorded poses of the last seconds."""
        return self._playback.between(self.playhead.tick - seconds * self._rate, self.playhead.tick)

    def scrub(self, fraction: float) -> None:
        """Go to a fraction of the recording, [0, 1]."""
        self.playhead.scrub(fraction)

    def advance(self, seconds: float) -> Pose:
        """Advance by a time [s], pause at the end; returns the pose at the moment."""
        self.playhead.advance(seconds)
        return self.pose

    @property
    def pose(self) -> Pose:
        """The pose at the moment."""
        return self._playback.at_tick(self.playhead.tick)


def _names_of(replay: Playable, other: Playable | None) -> tuple[str, str]:
    """What two replays are called: by their files, or by their worlds where these are alike."""
    pair = (replay, replay if other is None else other)
    paths = [getattr(each, "path", None) for each in pair]
    names = [
        each.world.name if path is None else path.name
        for each, path in zip(pair, paths, strict=True)
    ]
    if names[0] == names[1] and None not in paths:
        names = [str(path) for path in paths]
    if names[0] == names[1]:
        names = [f"{names[0]} (1)", f"{names[1]} (2)"]
    return printable(names[0]), printable(names[1])

"""Recorded poses in a window: pause, speed, scrubbing."""

from collections.abc import Mapping, Sequence

import numpy as np

from creature_sim.definitions.drive import Axes
from creature_sim.errors import DefinitionError
from creature_sim.figures.insight import Insight, StepLog
from creature_sim.figures.subjects import gap_of, subject_count, subject_name
from creature_sim.maths import Floats, Vec
from creature_sim.replay.playback import Playable, Playback
from creature_sim.score import Metric
from creature_sim.snapshots.poses import Pose
from creature_sim.snapshots.snapshot import tips_of
from creature_sim.terrain import build_terrain
from creature_sim.view.shows.controls import Mode
from creature_sim.view.shows.show import Ghost

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
HOLD = 0.4
"""A scrub key held longer than this repeats [s]."""
GHOSTS, GHOST_SPACING = 5, 0.4
"""How many poses of the past are drawn, and the time between them [s]."""
REPEAT = 0.1
"""Time between repeats [s]."""


class ReplayShow:
    """A moment that moves along a row of poses."""

    mode: Mode = "replay"
    is_over = False

    def __init__(
        self, replay: Playable, other: Playable | None = None, *, is_beside: bool = False
    ) -> None:
        """Start at the first pose, at normal speed.

        Args:
            replay: what is played.
            other: is drawn over it, translucent, from its own start on.
            is_beside: the other one is drawn in a half of its own instead.

        Raises:
            DefinitionError: the other one is on other ground.
        """
        self.world = replay.world
        self.terrain = build_terrain(replay.world.terrain, replay.world.seed)
        self.notice = ""
        self.selected = 0
        self.is_paused = False
        self.speed = 1.0
        self._rate = replay.tick_rate
        self._playback = Playback(replay)
        self._other = other
        self._other_playback = None if other is None else Playback(other)
        if other is not None:
            ground = build_terrain(other.world.terrain, other.world.seed)
            if ground.digest != self.terrain.digest:
                raise DefinitionError(
                    f"expected two replays on the same ground, found {replay.world.name!r} and "
                    f"{other.world.name!r} on different ones"
                )
        self.is_looping = False
        self._has_ghosts = False
        self._is_beside = is_beside
        self._steps = StepLog(replay.steps)
        self._shares: dict[int, list[float]] = {}  # of steps, by creature
        self.tick = self._playback.first
        self._held: tuple[float, float] | None = None  # seconds of a jump, time to the next

    @property
    def actions(self) -> frozenset[str]:
        """What `press` understands."""
        return frozenset(
            {
                "loop",
                "ghosts",
                "beside",
                "pause",
                "faster",
                "slower",
                "rewind",
                "skip",
                "first",
                "last",
                "next",
                "scrub",
            }
        )

    @property
    def timeline(self) -> float | None:
        """Share of the recording that has been played."""
        first, last = self._playback.first, self._playback.last
        return (self.tick - first) / (last - first) if last > first else 1.0

    @property
    def status(self) -> str:
        """One line about the selected creature or chain and the moment."""
        count = len(self.world.creatures)
        if self.selected < count:
            state = f"{self._creature_speed():.2f} m/s"
        else:
            rig, chain = (
                self.world.rigs[self.selected - count],
                self.pose.chains[self.selected - count],
            )
            state = f"{gap_of(tips_of(rig, chain.joints), chain.targets):.3f} m from its target"
        parts = [
            subject_name(self.world, self.selected),
            state,
            f"tick {self.tick:.0f} of {self._playback.last:.0f}",
            f"{self.tick / self._rate:.1f} s",
            "paused" if self.is_paused else f"{self.speed:g}x",
        ]
        if self.is_looping:
            parts.append("loop")
        other = self._other_pose
        if other is not None and self.selected < min(count, other.creature_count):
            way = other.creature(self.selected).position - self._position
            parts.append(f"the other is {float(np.sqrt((way * way).sum())):.2f} m away")
        return "   ".join(parts)

    @property
    def _position(self) -> Floats:
        """Of the selected creature, (3,) [m, world]."""
        return self.pose.creature(self.selected).position

    @property
    def _other_pose(self) -> Pose | None:
        """Of the other replay, as long after its start."""
        if self._other_playback is None:
            return None
        return self._other_playback.at((self.tick - self._playback.first) / self._rate)

    @property
    def ghosts(self) -> Sequence[Ghost]:
        """The other replay, and poses of the last seconds."""
        found = []
        if self._other is not None and self._other_pose is not None and not self._is_beside:
            found.append(Ghost(self._other.world, self._other_pose, True))
        if self._has_ghosts:
            ticks = [self.tick - n * GHOST_SPACING * self._rate for n in range(1, GHOSTS + 1)]
            found += [
                Ghost(self.world, self._playback.at_tick(tick), False)
                for tick in ticks
                if tick >= self._playback.first
            ]
        return found

    @property
    def beside(self) -> Ghost | None:
        """The other replay, if it is drawn in a half of its own."""
        if self._other is None or self._other_pose is None or not self._is_beside:
            return None
        return Ghost(self._other.world, self._other_pose, False)

    @property
    def step_shares(self) -> Sequence[float]:
        """When the selected creature stepped, as shares of the recording; the same list again."""
        if self.selected not in self._shares:
            first, length = self._playback.first, self._playback.last - self._playback.first
            ticks = self._steps.ticks(self.selected)
            self._shares[self.selected] = [(tick - first) / max(1.0, length) for tick in ticks]
        return self._shares[self.selected]

    def _creature_speed(self) -> float:
        """Speed of the selected creature's body around this moment [m/s]."""
        a, b, _ = self._playback.neighbours(self.tick)
        if b.tick <= a.tick:
            return 0.0
        way = b.creature(self.selected).position - a.creature(self.selected).position
        return float(np.sqrt((way * way).sum())) * self._rate / (b.tick - a.tick)

    def press(self, action: str, is_shifted: bool) -> None:
        """Take a key that went down."""
        if action == "pause":
            if self.is_paused and self.tick >= self._playback.last:
                self.tick = self._playback.first
            self.is_paused = not self.is_paused
        elif action == "loop":
            self.is_looping = not self.is_looping
        elif action == "ghosts":
            self._has_ghosts = not self._has_ghosts
        elif action == "beside":
            self._is_beside = not self._is_beside
        elif action in ("faster", "slower"):
            place = SPEEDS.index(self.speed) + (1 if action == "faster" else -1)
            self.speed = SPEEDS[max(0, min(place, len(SPEEDS) - 1))]
        elif action in ("rewind", "skip"):
            jump = (5.0 if is_shifted else 1.0) * (1.0 if action == "skip" else -1.0)
            self._jump(jump)
            self._held = jump, HOLD
        elif action == "next":
            step = -1 if is_shifted else 1
            self.selected = (self.selected + step) % subject_count(self.world)
        elif action in ("first", "last"):
            self.scrub(0.0 if action == "first" else 1.0)

    def release(self, action: str) -> None:
        """Take a key that came up."""
        if action in ("rewind", "skip"):
            self._held = None

    def release_all(self) -> None:
        """Let go of every key."""
        self._held = None

    @property
    def handles(self) -> tuple[tuple[int, int], ...]:
        """What has happened cannot be dragged."""
        return ()

    def set_target(self, chain: int, target: int, point: tuple[float, float, float]) -> None:
        """Do nothing: what has happened cannot be changed."""

    @property
    def goal(self) -> None:
        """Nobody is sent anywhere."""
        return None

    def send(self, place: Vec) -> None:
        """Do nothing, as above."""

    def steer(self, axes: Axes) -> None:
        """Do nothing, as above."""

    @property
    def insight(self) -> Insight | None:
        """What is known of the selected creature beyond its pose."""
        if self.selected >= len(self.world.creatures):
            return None
        legs = self.world.leg_counts[self.selected]
        return self._steps.insight(self.selected, legs, self.tick)

    @property
    def readings(self) -> Mapping[str, Metric]:
        """None: metrics want exact states, and `creature-sim score` simulates them."""
        return {}

    @property
    def tuning(self) -> None:
        """What has happened cannot be changed."""
        return None

    def retune(self) -> None:
        """Do nothing, as above."""

    def save_tuning(self) -> None:
        """Do nothing, as above."""

    def undo_tuning(self) -> None:
        """Do nothing, as above."""

    def notify(self, text: str) -> None:
        """Show a line until the next one."""
        self.notice = text

    def past(self, seconds: float) -> Sequence[Pose]:
        """Recorded poses of the time before the present."""
        return self._playback.between(self.tick - seconds * self._rate, self.tick)

    def scrub(self, share: float) -> None:
        """Go to a share of the recording, 0 to 1."""
        first, last = self._playback.first, self._playback.last
        self._go(first + share * (last - first))

    def _jump(self, seconds: float) -> None:
        self._go(self.tick + seconds * self._rate)

    def _go(self, tick: float) -> None:
        self.tick = max(self._playback.first, min(tick, self._playback.last))

    def advance(self, seconds: float) -> Pose:
        """Move on, pause at the end, and give the pose at the moment."""
        if self._held is not None:
            jump, left = self._held
            left -= seconds
            if left <= 0.0:
                self._jump(jump)
                left = REPEAT
            self._held = jump, left
        elif not self.is_paused:
            self._jump(seconds * self.speed)
            if self.tick >= self._playback.last:
                self.is_paused = not self.is_looping or self._playback.seconds <= 0.0
                if self.is_looping:
                    self.tick = self._playback.first
        return self.pose

    @property
    def pose(self) -> Pose:
        """The pose at the moment."""
        return self._playback.at_tick(self.tick)

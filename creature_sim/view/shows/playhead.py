"""A moment that moves along a recording: pause, speed, jumps, scrubbing."""

SPEEDS = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0)
HOLD = 0.4
"""A jump key held longer than this repeats [s]."""
REPEAT = 0.1
"""Time between repeats [s]."""


class Playhead:
    """The present of a replay.

    Attributes:
        tick: where it is, between `first` and `last`.
        speed: how many times faster than recorded it plays.
        is_paused: whether it stands still.
        is_looping: whether it begins again at the end.
    """

    actions = frozenset(
        {"pause", "loop", "faster", "slower", "rewind", "skip", "first", "last", "scrub"}
    )

    def __init__(self, first: float, last: float, tick_rate: int) -> None:
        """Start at tick `first` at normal speed; `tick_rate` is in ticks per second."""
        self.tick = first
        self.speed = 1.0
        self.is_paused = False
        self.is_looping = False
        self._first, self._last, self._rate = first, last, tick_rate
        self._held: tuple[float, float] | None = None  # seconds of a jump, time to the next

    @property
    def fraction(self) -> float:
        """Fraction of the recording that has been played, [0, 1]."""
        length = self._last - self._first
        return (self.tick - self._first) / length if length > 0.0 else 1.0

    def press(self, action: str, is_shifted: bool) -> None:
        """Take a key that went down."""
        if action == "pause":
            if self.is_paused and self.tick >= self._last:
                self.tick = self._first
            self.is_paused = not self.is_paused
        elif action == "loop":
            self.is_looping = not self.is_looping
        elif action in ("faster", "slower"):
            index = SPEEDS.index(self.speed) + (1 if action == "faster" else -1)
            self.speed = SPEEDS[max(0, min(index, len(SPEEDS) - 1))]
        elif action in ("rewind", "skip"):
            jump = (5.0 if is_shifted else 1.0) * (1.0 if action == "skip" else -1.0)
            self._jump(jump)
            self._held = jump, HOLD
        elif action in ("first", "last"):
            self.scrub(0.0 if action == "first" else 1.0)

    def release(self, action: str) -> None:
        """Take a key that came up."""
        if action in ("rewind", "skip"):
            self._held = None

    def release_all(self) -> None:
        """Let go of every key."""
        self._held = None

    def scrub(self, fraction: float) -> None:
        """Go to a fraction of the recording, [0, 1]."""
        self._go(self._first + fraction * (self._last - self._first))

    def advance(self, seconds: float) -> None:
        """Move on by a time [s]; pause or begin again at the end."""
        if self._held is not None:
            jump, left = self._held
            left -= seconds
            if left <= 0.0:
                self._jump(jump)
                left = REPEAT
            self._held = jump, left
        elif not self.is_paused:
            self._jump(seconds * self.speed)
            if self.tick >= self._last:
                self.is_paused = not self.is_looping or self._last <= self._first
                if self.is_looping:
                    self.tick = self._first

    def _jump(self, seconds: float) -> None:
        self._go(self.tick + seconds * self._rate)

    def _go(self, tick: float) -> None:
        self.tick = max(self._first, min(tick, self._last))

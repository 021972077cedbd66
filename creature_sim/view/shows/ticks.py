"""From the time between two frames to whole ticks."""

LONGEST_FRAME = 0.25
"""Time beyond this is dropped: slow machines show slow motion instead of ever longer waits [s]."""


class TickClock:
    """Saves up time and pays it out in ticks of a fixed length."""

    def __init__(self, tick_rate: float) -> None:
        """Start with nothing saved; `tick_rate` is in ticks per second."""
        self.tick_rate = tick_rate
        self._saved = 0.0

    def advance(self, seconds: float) -> tuple[int, float]:
        """Number of ticks that are due after `seconds` more, and the time that was dropped [s]."""
        self._saved += seconds
        dropped = max(0.0, self._saved - LONGEST_FRAME)
        self._saved -= dropped
        ticks = int(self._saved * self.tick_rate + 1e-9)
        self._saved = max(0.0, self._saved - ticks / self.tick_rate)
        return ticks, dropped

    @property
    def fraction(self) -> float:
        """Fraction of the time from the last tick to the next that has passed, [0, 1]."""
        return min(1.0, self._saved * self.tick_rate)


class RateMeter:
    """Ticks per second of real time, over about the last second."""

    def __init__(self) -> None:
        """Start without a measurement."""
        self.rate = 0.0
        self._ticks = 0
        self._seconds = 0.0

    def add(self, ticks: int, seconds: float) -> None:
        """Take what happened in a frame."""
        self._ticks += ticks
        self._seconds += seconds
        if self._seconds >= 0.5:
            self.rate = self._ticks / self._seconds
            self._ticks, self._seconds = 0, 0.0

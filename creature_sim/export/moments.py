"""Which moments of a recording are drawn. Times are seconds after its first pose."""

from dataclasses import dataclass

from creature_sim.errors import DefinitionError
from creature_sim.replay import Replay

MIN_FPS, MAX_FPS = 0.1, 240.0
MAX_FRAMES = 100_000


@dataclass(frozen=True)
class Moments:
    """Moments to draw, in order.

    Attributes:
        times: of each [s].
        fps: moments shown per second; None for a still picture.
    """

    times: tuple[float, ...]
    fps: float | None = None


def one(length: float, at: float | None) -> Moments:
    """A single moment; the middle of a recording of `length` seconds if none is named."""
    if at is not None and not 0.0 <= at <= length:
        raise DefinitionError(f"--at: expected seconds from 0 to {length:g}, found {at:g}")
    return Moments((0.5 * length if at is None else at,))


def film(length: float, start: float | None, end: float | None, fps: float) -> Moments:
    """All frames of [start, end); the first frame is at `start`."""
    checked_fps(fps)
    first, last = span(length, start, end)
    count = max(1, round((last - first) * fps))
    if count > MAX_FRAMES:
        raise DefinitionError(
            f"--fps: expected at most {MAX_FRAMES} frames, found {count}: take a shorter range "
            "(--from, --to) or fewer frames a second"
        )
    return Moments(tuple(min(first + index / fps, last) for index in range(count)), fps)


def sheet(length: float, start: float | None, end: float | None, count: int) -> Moments:
    """`count` moments at equal distances, both ends of the range included."""
    first, last = span(length, start, end)
    gap = (last - first) / max(1, count - 1)
    return Moments(tuple(min(first + index * gap, last) for index in range(count)))


def checked_fps(fps: float) -> float:
    """Frames a second, if a film can have so many.

    Raises:
        DefinitionError: it cannot.
    """
    if not MIN_FPS <= fps <= MAX_FPS:
        raise DefinitionError(
            f"--fps: expected a number from {MIN_FPS:g} to {MAX_FPS:g}, found {fps:g}"
        )
    return fps


def span(length: float, start: float | None, end: float | None) -> tuple[float, float]:
    """The first and the last second of a part of a recording of `length` seconds.

    Raises:
        DefinitionError: it is not that long.
    """
    first = 0.0 if start is None else start
    last = length if end is None else end
    if not 0.0 <= first <= length:
        raise DefinitionError(f"--from: expected seconds from 0 to {length:g}, found {first:g}")
    if not first <= last <= length or (first == last and end is not None):
        raise DefinitionError(
            f"--to: expected seconds after {first:g} and up to {length:g}, found {last:g}"
        )
    return first, last


def ticks_between(replay: Replay, start: float | None, end: float | None) -> tuple[int, int]:
    """The first and the last tick of a part of a recording, given in seconds after its start.

    Raises:
        DefinitionError: it is not that long.
    """
    first, last = span(replay.ticks / replay.tick_rate, start, end)
    begin, finish = (replay.first + round(at * replay.tick_rate) for at in (first, last))
    return begin, finish

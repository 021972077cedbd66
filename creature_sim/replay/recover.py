"""Saves all that can be read of a recording that was cut off or damaged."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from creature_sim.errors import ReplayCorrupt, ReplayTruncated
from creature_sim.files.output import check_output
from creature_sim.replay.batch_timeline import timeline_of
from creature_sim.replay.container import Container, Found
from creature_sim.replay.copying import Piece, copy
from creature_sim.replay.reader import Start, read_start, replay_of
from creature_sim.replay.replay import Replay
from creature_sim.replay.schemas import KEYFRAME
from creature_sim.replay.timeline import Timeline

LONGEST_TICK = 1 << 16
"""Messages of one tick, or batch, that are remembered: more than the steps of any herd."""
_FIRST = "/input", "/digest"
"""With one of these a batch begins: those without an input have the one before."""


@dataclass(frozen=True)
class Recovered:
    """A file that was written from what was whole.

    Attributes:
        path: of the file.
        first: tick of its first state.
        last: its last tick.
    """

    path: Path
    first: int
    last: int


@dataclass(frozen=True)
class Recovery:
    """What was saved, and what was not.

    Attributes:
        files: one for each unbroken run of ticks, in their order.
        lost: first and last tick of each gap before and between them, and of what could be read
            behind them but has no keyframe to go on from.
        damage: the first thing that was wrong with the file; empty if it was whole.
    """

    files: tuple[Recovered, ...]
    lost: tuple[tuple[int, int], ...]
    damage: str


def recover(source: str | Path, path: str | Path, *, force: bool = False) -> Recovery:
    """Write each unbroken run of ticks of a damaged recording into a file of its own.

    The first gets the path, the next ones the path with -2, -3, ... before its end; each begins
    at a keyframe and can be verified from there. Nothing is simulated.

    Args:
        source: path of the damaged file.
        path: of the first new file.
        force: whether older files may be replaced.

    Raises:
        ReplayTruncated: it has no state at all.
        ReplayCorrupt: it is the file of something else.
        OutputError: a file exists or cannot be written.
    """
    container, target = Container(Path(source), salvage=True), Path(path)
    start = read_start(container)
    damages: list[str] = []
    loose: deque[Found] = deque(maxlen=LONGEST_TICK)
    replays = list(_runs(container, start, damages, loose))
    if not replays:
        raise ReplayTruncated(
            f"{source}: expected a recording, found no state in it that could be saved "
            f"({(*damages, 'no state')[0]})"
        )
    paths = [_numbered(target, number) for number in range(1, len(replays) + 1)]
    for each in paths:
        check_output(each, force)
    for replay, each in zip(replays, paths, strict=True):
        copy([Piece(replay, replay.first, replay.last)], each, force=force)
    ends = [(-1, replays[0].first), *((a.last, b.first) for a, b in pairwise(replays))]
    if loose:
        seen = round(loose[-1].times[0] * start.world.tick_rate / 1e9)
        ends.append((replays[-1].last, seen + 1))
    return Recovery(
        tuple(
            Recovered(each, replay.first, replay.last)
            for each, replay in zip(paths, replays, strict=True)
        ),
        tuple((before + 1, after - 1) for before, after in ends if after > before + 1),
        next(iter(damages), replays[-1].cut),
    )


def _runs(
    container: Container, start: Start, damages: list[str], loose: deque[Found]
) -> Iterator[Replay]:
    """The unbroken runs of ticks of a file.

    Args:
        container: of the file.
        start: of the recording.
        damages: what ends each run is added to these.
        loose: has the messages of the tick, or batch of ticks, that is read before a keyframe says
            from where to go on.
    """
    timeline: Timeline | None = timeline_of(start.version, start.world, start.before)
    if container.damage:
        damages.append(container.damage)
    changes = start.before
    for chunk in range(len(container)):
        try:
            for found in container.messages(chunk):
                if timeline is not None:
                    timeline.add(found)
                    continue
                if found.topic in _FIRST and loose and loose[-1].topic != "/input":
                    loose.clear()
                loose.append(found)
                if found.topic == KEYFRAME:
                    timeline = timeline_of(start.version, start.world, changes)
                    for earlier in loose:
                        if earlier.topic != "/input" or timeline.is_later(earlier, found):
                            timeline.add(earlier)
                    loose.clear()
        except ValueError as error:
            damages.append(str(error))
            if timeline is not None:
                changes = timeline.changes
                yield from _replay(container, start, timeline, damages)
            timeline = None
            loose.clear()
    if timeline is not None:
        yield from _replay(container, start, timeline, damages)


def _replay(
    container: Container, start: Start, timeline: Timeline, damages: list[str]
) -> Iterator[Replay]:
    """A run as a replay, if it has a state and a pose, and nobody came or went in a gap."""
    if timeline.first is None or not timeline.tracks["/pose"].ticks:
        return
    replay = replay_of(container, start, timeline, "damaged" if timeline.end is None else "")
    try:
        replay.poses[0]  # it counts all creatures that ever were
    except ReplayCorrupt as error:
        damages.append(str(error))
        return
    yield replay


def _numbered(path: Path, number: int) -> Path:
    """The path of one of several files."""
    return path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")

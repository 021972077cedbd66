"""Saves all that can be read of a recording that was cut off or damaged."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from creature_sim.errors import ReplayTruncated
from creature_sim.files.output import check_output
from creature_sim.replay.batch_timeline import timeline_of
from creature_sim.replay.container import Container, Found
from creature_sim.replay.copying import Piece, copy
from creature_sim.replay.reader import Start, read_start, replay_of
from creature_sim.replay.replay import Replay
from creature_sim.replay.schemas import KEYFRAME
from creature_sim.replay.timeline import Timeline

LONGEST_BATCH = 1 << 18
"""Messages of one batch of ticks that are remembered: more than the steps of any herd."""
BEGINS = ("/input", "/digest")
"""With either of these a batch of ticks begins; inputs come before the digests."""


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
        lost: first and last tick of each gap before and between them; how much was behind the last
            one is not known.
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
    replays = list(_runs(container, start, damages))
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
    return Recovery(
        tuple(
            Recovered(each, replay.first, replay.last)
            for each, replay in zip(paths, replays, strict=True)
        ),
        tuple((before + 1, after - 1) for before, after in ends if after > before + 1),
        next(iter(damages), replays[-1].cut),
    )


def _runs(container: Container, start: Start, damages: list[str]) -> Iterator[Replay]:
    """The unbroken runs of ticks of a file; what ends each of them is added to `damages`."""
    timeline: Timeline | None = timeline_of(start.version, start.world, start.before)
    batch: deque[Found] = deque(maxlen=LONGEST_BATCH)  # that is being read
    if container.damage:
        damages.append(container.damage)
    changes = start.before
    for chunk in range(len(container)):
        try:
            for found in container.messages(chunk):
                if found.topic in BEGINS and batch and batch[-1].topic != "/input":
                    batch.clear()
                batch.append(found)
                if timeline is not None:
                    timeline.add(found)
                elif found.topic == KEYFRAME:
                    timeline = timeline_of(start.version, start.world, changes)
                    for earlier in batch:
                        if earlier.topic != "/input" or timeline.is_later(earlier, found):
                            timeline.add(earlier)
        except ValueError as error:
            damages.append(str(error))
            if timeline is not None:
                changes = timeline.changes
                yield from _replay(container, start, timeline)
            timeline = None
            batch.clear()
    if timeline is not None:
        yield from _replay(container, start, timeline)


def _replay(container: Container, start: Start, timeline: Timeline) -> Iterator[Replay]:
    """A run as a replay, if it has a state and a pose."""
    if timeline.first is not None and timeline.tracks["/pose"].ticks:
        yield replay_of(container, start, timeline, "damaged" if timeline.end is None else "")


def _numbered(path: Path, number: int) -> Path:
    """The path of one of several files."""
    return path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")

"""A replay as a table of joints, `.csv` or `.parquet`: rows and columns are those of `rows`.

CSV needs nothing more; Parquet needs the extra `tables`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, Protocol

from creature_sim.definitions import WorldDef
from creature_sim.export.csv_table import CsvTable
from creature_sim.export.moments import checked_fps, ticks_between
from creature_sim.export.rows import Label, Rows, is_same_company
from creature_sim.export.states import UnrepeatableError, exact_states
from creature_sim.files.output import writing
from creature_sim.maths import Floats
from creature_sim.replay import Replay
from creature_sim.snapshots.poses import Pose

SIMULATED, POSE = "simulated", "pose"
"""Where the numbers of a row come from."""


class Table(AbstractContextManager["Table"], Protocol):
    """A table that is being written; it is whole when its block ends well."""

    def add(self, tick: int, labels: list[Label], numbers: Floats) -> None:
        """Add the rows of a tick: their labels (R,), and numbers (R, 8)."""


def write_table(
    replay: Replay,
    path: Path,
    about: Mapping[str, str],
    *,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
    start: float | None = None,
    end: float | None = None,
    fps: float | None = None,
) -> str:
    """Write the joints of a replay: exact at every tick, or else as far as its poses tell.

    Args:
        replay: it is simulated again; where that gives another run, its poses are taken.
        path: of the file; its end says which kind of table.
        about: what the file's metadata say of the recording.
        force: whether another file may be replaced.
        progress: called with the number of ticks done, after every state.
        start: seconds after the first state from which on there are rows; None: 0.
        end: up to which there are rows; None: the end.
        fps: so many states a second have rows; None: all.

    Returns:
        Why the numbers are not exact; nothing if they are.

    Raises:
        OutputError: the file exists or cannot be written.
    """
    part = ticks_between(replay, start, end)
    every = 1.0 if fps is None else replay.tick_rate / checked_fps(fps)

    def write(states: Iterable[Pose], source: str, reason: str) -> None:
        described = {**about, "source": source, **({"reason": reason} if reason else {})}
        with (
            writing(path, force) as stream,
            _table(path, stream, replay.tick_rate, described) as table,
        ):
            for tick, labels, numbers in _labelled(replay.world, _chosen(states, *part, every)):
                table.add(tick, labels, numbers)
                if progress:
                    progress(tick - replay.first)

    try:
        write(exact_states(replay), SIMULATED, "")
    except UnrepeatableError as error:
        reason = str(error)
    else:
        return ""
    write(replay.poses, POSE, reason)
    return f"the table has the recorded poses, rounded to 0.1 mm, not every tick: {reason}"


def _chosen(states: Iterable[Pose], first: int, last: int, every: float) -> Iterator[Pose]:
    """The states of ticks `first` to `last`, those nearest to every so many ticks."""
    for pose in states:
        if pose.tick > last:
            return
        since = pose.tick - first
        if since >= 0 and (every <= 1.0 or round(round(since / every) * every) == since):
            yield pose


def _table(path: Path, stream: IO[bytes], rate: int, about: Mapping[str, str]) -> Table:
    if path.suffix.lower() == ".parquet":
        from creature_sim.export.parquet_table import ParquetTable

        return ParquetTable(stream, rate, about)
    return CsvTable(stream, rate, about["source"])


def _labelled(world: WorldDef, states: Iterable[Pose]) -> Iterator[tuple[int, list[Label], Floats]]:
    """Tick, labels and numbers of every state."""
    before: Pose | None = None
    for pose in states:
        if before is None or not is_same_company(before, pose):
            rows = Rows(world, pose)
        before = pose
        yield int(pose.tick), rows.labels, rows.of(pose)

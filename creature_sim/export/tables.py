"""A replay as a table of joints, `.csv` or `.parquet`: rows and columns are those of `rows`.

CSV needs nothing more; Parquet needs the extra `tables`.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, Any, Protocol

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.export.rows import COLUMNS, Label, Rows, is_same_company
from creature_sim.export.states import NotRepeatable, exact_states
from creature_sim.files.output import writing
from creature_sim.maths import Floats
from creature_sim.replay import Replay
from creature_sim.snapshots.poses import Pose

SIMULATED, POSE = "simulated", "pose"
"""Where the numbers of a row come from."""
GROUP_ROWS = 100_000
"""Rows of Parquet that are written together, at least."""
METADATA = "creature_sim"


class Writer(Protocol):
    """Writes one kind of table."""

    def add(self, tick: int, labels: list[Label], numbers: Floats) -> None:
        """Add the rows of a tick: their labels (R,), positions and orientations (R, 7)."""

    def finish(self) -> None:
        """End the table."""


def write_table(
    replay: Replay,
    path: Path,
    title: str,
    *,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
) -> list[str]:
    """Write the joints of a replay: exact at every tick, or else as far as its poses tell.

    Args:
        replay: it is simulated again; where that gives another run, its poses are taken.
        path: of the file; its end says which kind of table.
        title: the name of the recording, for the file's metadata.
        force: whether another file may be replaced.
        progress: called with the tick of every state that is done.

    Returns:
        Why the numbers are not exact, as a sentence; nothing if they are.

    Raises:
        OutputError: the file exists or cannot be written.
    """
    about = {
        "recording": title,
        "world": replay.world.name,
        "tick_rate": replay.tick_rate,
        "digest": replay.digest,
    }

    def write(states: Iterable[Pose], source: str, reason: str) -> None:
        described = {**about, "source": source, **({"reason": reason} if reason else {})}
        writer = _writer_of(path, stream, replay.tick_rate, described)
        for tick, labels, numbers in _labelled(replay.world, states):
            writer.add(tick, labels, numbers)
            if progress:
                progress(tick)
        writer.finish()

    with writing(path, force) as stream:
        try:
            write(exact_states(replay), SIMULATED, "")
        except NotRepeatable as error:
            stream.seek(0)
            stream.truncate()
            reason = str(error)
            write(replay.poses, POSE, reason)
            return [f"the table has the recorded poses, rounded to 0.01 mm, not every tick: {reason}"]
    return []


def _writer_of(path: Path, stream: IO[bytes], rate: int, about: dict[str, Any]) -> Writer:
    if path.suffix.lower() == ".parquet":
        return ParquetTable(stream, rate, about)
    return CsvTable(stream, rate, about["source"])


def _labelled(
    world: WorldDef, states: Iterable[Pose]
) -> Iterator[tuple[int, list[Label], Floats]]:
    """Tick, labels and numbers of every state."""
    before: Pose | None = None
    for pose in states:
        if before is None or not is_same_company(before, pose):
            rows = Rows(world, pose)
        before = pose
        yield int(pose.tick), rows.labels, rows.of(pose)


class CsvTable:
    """Rows as text: numbers have all the digits that tell them from any other."""

    def __init__(self, stream: IO[bytes], tick_rate: int, source: str) -> None:
        """Write the head."""
        self._stream, self._rate, self._source = stream, tick_rate, source
        self._labels: list[Label] = []
        self._texts: list[str] = []
        stream.write((",".join(COLUMNS) + "\n").encode())

    def add(self, tick: int, labels: list[Label], numbers: Floats) -> None:
        """Add the rows of a tick; no name or part has a comma in it."""
        if labels is not self._labels:
            self._labels = labels
            self._texts = [",".join(map(str, label)) for label in labels]
        moment = f"{tick / self._rate!r},{tick}"
        lines = [
            f"{moment},{text},{x!r},{y!r},{z!r},"
            + (",,," if turn[0] != turn[0] else ",".join(map(repr, turn)))
            + f",{self._source}\n"
            for text, (x, y, z, *turn) in zip(self._texts, numbers.tolist(), strict=True)
        ]
        self._stream.write("".join(lines).encode())

    def finish(self) -> None:
        """Nothing is left to write."""


class ParquetTable:
    """Rows in groups, compressed; the schema's metadata say units and where the rows come from."""

    def __init__(self, stream: IO[bytes], tick_rate: int, about: dict[str, Any]) -> None:
        """Begin a file."""
        import pyarrow
        from pyarrow import parquet

        kinds = {"tick": pyarrow.int64(), "number": pyarrow.int32(), "index": pyarrow.int32()}
        words = {name: pyarrow.string() for name in ("kind", "name", "part", "joint", "source")}
        self._schema = pyarrow.schema(
            [
                pyarrow.field(
                    name,
                    {**kinds, **words}.get(name, pyarrow.float64()),
                    metadata={"unit": unit} if unit else None,
                )
                for name, unit in COLUMNS.items()
            ],
            metadata={METADATA: json.dumps(about)},
        )
        self._file = parquet.ParquetWriter(stream, self._schema, compression="zstd")
        self._rate, self._source = tick_rate, about["source"]
        self._ticks: list[int] = []
        self._labels: list[list[Label]] = []
        self._numbers: list[Floats] = []
        self._count = 0

    def add(self, tick: int, labels: list[Label], numbers: Floats) -> None:
        """Add the rows of a tick."""
        self._ticks.append(tick)
        self._labels.append(labels)
        self._numbers.append(numbers)
        self._count += len(labels)
        if self._count >= GROUP_ROWS:
            self._write()

    def finish(self) -> None:
        """Write what is left, and the file's end."""
        if self._ticks:
            self._write()
        self._file.close()

    def _write(self) -> None:
        import pyarrow

        ticks = np.repeat(self._ticks, [len(labels) for labels in self._labels])
        numbers = np.concatenate(self._numbers)
        labelled = zip(*(label for labels in self._labels for label in labels), strict=True)
        columns = dict(zip(Label._fields, map(list, labelled), strict=True))
        columns |= {"time": ticks / self._rate, "tick": ticks}
        columns |= {name: numbers[:, k] for k, name in enumerate(("x", "y", "z", *QUATERNION))}
        columns["source"] = [self._source] * len(ticks)
        arrays = [
            pyarrow.array(columns[field.name], field.type, from_pandas=True)
            for field in self._schema
        ]
        self._file.write_table(pyarrow.Table.from_arrays(arrays, schema=self._schema))
        self._ticks, self._labels, self._numbers, self._count = [], [], [], 0


QUATERNION = ("qx", "qy", "qz", "qw")

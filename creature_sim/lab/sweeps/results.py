"""The folder of a sweep's results: a journal of rows as they come, replays, and tables.

rows.jsonl      a line for each run that is over, in the order of their ends
replays/        those that were asked for, named by the keys of their rows
sweep.toml      a copy of what was asked for; plan.txt has the keys of its runs in their order
table.csv       all rows in the order of the plan; and table.parquet, if pyarrow is installed
"""

import shutil
from collections.abc import Iterator
from pathlib import Path

import orjson

from creature_sim.errors import OutputError, OutputExists
from creature_sim.files.line_file import LineFile, remove, whole_lines
from creature_sim.files.output import write_output
from creature_sim.files.problems import shown
from creature_sim.lab.sweeps.plan import Plan
from creature_sim.lab.sweeps.row import Row
from creature_sim.lab.sweeps.tables import write_tables

ROWS, REPLAYS, COPY, PLAN = "rows.jsonl", "replays", "sweep.toml", "plan.txt"
COLUMNS = {"key", "creature", "world", "seed", "drive", "seconds", "status", "error", "replay"}
"""Every row has these."""


class Results:
    """Rows on a disk; memory has only where they are.

    Attributes:
        folder: where they are kept.
        missing: numbers of the runs that have no row, in the order of the plan.
    """

    def __init__(self, folder: Path, plan: Plan, source: Path) -> None:
        """Take the rows that a folder has of a plan; see `open_results`."""
        self.folder = folder
        self._plan = plan
        self._numbers = {key: number for number, key in enumerate(plan.keys)}
        self._offsets: dict[int, int] = {}
        (folder / ROWS).touch()
        for offset, row in _lines(folder / ROWS):
            number = self._numbers.get(row["key"])
            if number is not None and row["status"] != "died":
                self._offsets[number] = offset
        self._journal = LineFile(folder / ROWS)
        write_output(folder / COPY, source.read_bytes(), force=True)
        write_output(folder / PLAN, "\n".join(plan.keys).encode(), force=True)
        self.missing = [n for n in range(len(plan.points)) if n not in self._offsets]

    @property
    def count(self) -> int:
        """Number of rows."""
        return len(self._offsets)

    def add(self, number: int, found: Row, replay: bytes | None = None) -> Row:
        """Keep the row of a run, and its replay; returns the whole row.

        Raises:
            OutputError: the disk is full. What was kept before is whole.
        """
        key = self._plan.keys[number]
        row = {"key": key, **self._described(number), **found, "replay": None}
        try:
            if replay is not None:
                path = Path(REPLAYS) / f"{key}.mcap"
                (self.folder / REPLAYS).mkdir(exist_ok=True)
                write_output(self.folder / path, replay, force=True)
                row["replay"] = str(path)
            self._offsets[number] = self._journal.append(orjson.dumps(row))
        except OSError as error:
            raise self._full(error) from None
        return {"run": number, **row}

    def rows(self) -> Iterator[Row]:
        """All rows in the order of the plan."""
        with (self.folder / ROWS).open("rb") as stream:
            for number in sorted(self._offsets):
                stream.seek(self._offsets[number])
                yield {"run": number, **orjson.loads(stream.readline())}

    def write_tables(self) -> list[Path]:
        """Write all rows as tables; the paths of these.

        Raises:
            OutputError: the disk is full; the rows are kept all the same.
        """
        return write_tables(self.folder, self.rows)

    def _described(self, number: int) -> Row:
        """What was asked for."""
        point = self._plan.points[number]
        return {
            "creature": point.creature,
            "world": point.world,
            "seed": point.seed,
            "drive": point.drive,
            "seconds": self._plan.definition.seconds,
            **{".".join(path): value for path, value in point.changes},
        }

    def _full(self, error: OSError) -> OutputError:
        return OutputError(
            f"{self.folder}: expected space on the disk, found none ({error.strerror}); "
            f"{self.count:,} rows are kept, --resume goes on"
        )

    def __enter__(self) -> "Results":
        """Enter a block in which rows are added."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the journal; of a row that was being written nothing is left."""
        self._journal.close()


def open_results(
    folder: Path, plan: Plan, source: Path, *, resume: bool = False, force: bool = False
) -> Results:
    """The results of a plan in a folder, which is made if there is none.

    Args:
        folder: where rows are kept.
        plan: what is run.
        source: the file that it was read from.
        resume: whether rows that are there count.
        force: whether they are removed.

    Raises:
        OutputError: there are rows, or other files, or nothing can be written.
    """
    try:
        folder.mkdir(exist_ok=True)
        found = {path.name for path in folder.iterdir()}
        if ROWS in found and force and not resume:
            remove(folder / ROWS)
            shutil.rmtree(folder / REPLAYS, ignore_errors=True)
        elif ROWS in found and not resume:
            there = f"{folder}: expected no results there, found some"
            raise OutputExists(
                f"{there}; resume=True goes on with them, force=True replaces them",
                f"{there}; --resume goes on with them, --force replaces them",
            )
        elif found and ROWS not in found:
            raise OutputError(
                f"{folder}: expected an empty folder or results of a sweep, found other files"
            )
        return Results(folder, plan, source)
    except OSError as error:
        if folder.is_dir():
            raise OutputError(
                f"{error.filename}: expected a file of results that can be written, found one "
                f"that cannot ({error.strerror})"
            ) from None
        raise OutputError(
            f"{folder}: expected a folder for results, found none, and none can be made "
            f"({error.strerror})"
        ) from None


def read_rows(folder: Path) -> list[Row]:
    """The rows of a folder in the order of its plan.

    Raises:
        OutputError: there are no results.
    """
    try:
        numbers = {key: n for n, key in enumerate((folder / PLAN).read_text().split())}
        rows = {row["key"]: row for _, row in _lines(folder / ROWS) if row["key"] in numbers}
    except OSError as error:
        raise OutputError(
            f"{folder}: expected results of a sweep, found none ({error.strerror})"
        ) from None
    except UnicodeDecodeError:
        raise OutputError(f"{folder / PLAN}: expected keys of runs, found other bytes") from None
    return [{"run": numbers[key], **rows[key]} for key in sorted(rows, key=numbers.__getitem__)]


def run_count(folder: Path) -> int:
    """How many runs the plan of a folder's results has, with a row or without one."""
    return len((folder / PLAN).read_text().split())


def _lines(path: Path) -> Iterator[tuple[int, Row]]:
    """Where each whole line of a journal begins, and its row; OutputError if it is none."""
    for number, (offset, line) in enumerate(whole_lines(path), 1):
        try:
            row = orjson.loads(line)
        except ValueError:
            row = None
        if not _is_row(row):
            text = line.decode(errors="replace").strip()
            raise OutputError(
                f"{path}:{number}: expected a row of a sweep, found {shown(text)}; "
                "`sweep --force` begins anew"
            )
        yield offset, row


def _is_row(value: object) -> bool:
    return isinstance(value, dict) and value.keys() >= COLUMNS and isinstance(value["key"], str)

"""Rows as tables: CSV, and Parquet where pyarrow is installed."""

import csv
import importlib.util
import io
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import orjson

from creature_sim.files.output import writing
from creature_sim.lab.sweeps.row import Row

CSV, PARQUET = "table.csv", "table.parquet"
GROUP = 2000
"""Rows of a table that are in memory at the same time."""

Kind = str
"""Of the values of a column: "int", "float", "bool" or "text"."""
_KINDS: dict[type, Kind] = {int: "int", float: "float", bool: "bool"}


def write_tables(folder: Path, rows: Callable[[], Iterable[Row]]) -> list[Path]:
    """Write rows as tables into a folder; returns the paths.

    Raises:
        OutputError: the disk is full.
    """
    columns = columns_of(rows())
    paths = [folder / CSV]
    _write_csv(paths[0], columns, rows())
    if importlib.util.find_spec("pyarrow"):
        paths.append(folder / PARQUET)
        _write_parquet(paths[1], columns, rows())
    return paths


def columns_of(rows: Iterable[Row]) -> dict[str, Kind]:
    """All columns in order, and what they hold: numbers where all their values are numbers."""
    found: dict[str, Kind] = {}
    for row in rows:
        for name, value in row.items():
            kind = "" if value is None else _KINDS.get(type(value), "text")
            before = found.setdefault(name, kind)
            if kind and before != kind:
                both = {before, kind} - {""}
                found[name] = (
                    kind if not before else "float" if both <= {"int", "float"} else "text"
                )
    order = sorted(found, key=lambda name: _order(name, list(found)))
    return {name: found[name] or "text" for name in order}


def _order(name: str, names: list[str]) -> tuple[int, int]:
    """Keys of files stand before what came out of a run, verdicts and texts behind it."""
    last = ("digest", "time", "replay", "error", "key")
    if name in last:
        return 4, last.index(name)
    if name.endswith("_verdict"):
        return 3, names.index(name)
    if name.startswith(("creature.", "world.")):
        return 1, names.index(name)
    return (0 if name in ("run", "creature", "world", "seed", "drive", "seconds") else 2), (
        names.index(name)
    )


def _value(value: Any, kind: Kind) -> Any:  # noqa: ANN401 - of a file's key
    """A value as its column holds it."""
    if value is None or kind in ("int", "bool"):
        return value
    if kind == "float":
        return float(value)
    return value if isinstance(value, str) else orjson.dumps(value).decode()


def _write_csv(path: Path, columns: dict[str, Kind], rows: Iterable[Row]) -> None:
    with writing(path, force=True) as stream:
        stream.write(_lines([list(columns)]))
        for group in _groups(rows):
            cells = ([_value(row.get(name), columns[name]) for name in columns] for row in group)
            stream.write(_lines(cells))


def _lines(rows: Iterable[list[Any]]) -> bytes:
    """Lines of CSV; an empty cell says that there is no value."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _groups(rows: Iterable[Row]) -> Iterator[list[Row]]:
    """Rows, some at a time."""
    left = iter(rows)
    while group := list(islice(left, GROUP)):
        yield group


def _write_parquet(path: Path, columns: dict[str, Kind], rows: Iterable[Row]) -> None:
    import pyarrow
    from pyarrow import parquet

    types = {
        "int": pyarrow.int64(),
        "float": pyarrow.float64(),
        "bool": pyarrow.bool_(),
        "text": pyarrow.string(),
    }
    schema = pyarrow.schema([(name, types[kind]) for name, kind in columns.items()])
    with writing(path, force=True) as stream, parquet.ParquetWriter(stream, schema) as table:
        for group in _groups(rows):
            table.write_table(
                pyarrow.table(
                    {
                        name: [_value(row.get(name), kind) for row in group]
                        for name, kind in columns.items()
                    },
                    schema=schema,
                )
            )

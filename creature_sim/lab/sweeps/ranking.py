"""What the rows of a sweep say: the best and the worst, and groups of them by a key."""

from collections.abc import Sequence
from math import fsum
from typing import Any, NamedTuple

import orjson

from creature_sim.errors import DefinitionError
from creature_sim.files.hints import hint
from creature_sim.files.problems import shown
from creature_sim.lab.sweeps.row import Row
from creature_sim.score import metric_specs

ASKED = ("creature", "world", "seed", "drive", "seconds")
"""Columns of what was asked for; keys of files are, too."""
NUMBERS = ("failed", "distance", "time")
"""Columns besides metrics that rows can be ranked by."""


class Group(NamedTuple):
    """Rows that have the same value in a column.

    Attributes:
        value: of the column.
        runs: number of rows with a result.
        mean: of the number that they are ranked by; None: no row has it.
        least: the smallest one.
        most: the largest one.
        sound: fraction of the rows in which no metric failed, [0, 1].
    """

    value: Any
    runs: int
    mean: float | None
    least: float | None
    most: float | None
    sound: float


def is_larger_better(number: str) -> bool:
    """Whether larger values of a column are better."""
    specs = metric_specs()
    return number == "distance" or (number in specs and specs[number].larger_is_better)


def check_column(option: str, name: str, known: Sequence[str]) -> None:
    """Refuse the name of a column that there is not: DefinitionError."""
    if name not in known:
        raise DefinitionError(
            f"{option}: expected one of the columns, found {shown(name)}{hint(name, known)}"
        )


def numbers_of(rows: Sequence[Row]) -> list[str]:
    """Columns that rows can be ranked by."""
    found = dict.fromkeys(name for row in rows for name in row)
    return [name for name in found if name in NUMBERS or name in metric_specs()]


def keys_of(rows: Sequence[Row]) -> list[str]:
    """Columns of what was asked for."""
    found = dict.fromkeys(name for row in rows for name in row)
    return [name for name in found if name in ASKED or name.startswith(("creature.", "world."))]


def varied(rows: Sequence[Row]) -> list[str]:
    """Those of them in which rows differ."""
    return [key for key in keys_of(rows) if len({_text(row.get(key)) for row in rows}) > 1]


def ranked(rows: Sequence[Row], number: str) -> list[Row]:
    """Rows that have a number, the best first; of equals the one that came farther."""
    sign = -1.0 if is_larger_better(number) else 1.0
    found = [row for row in rows if row.get(number) is not None]
    return sorted(found, key=lambda row: (sign * row[number], -row["distance"], row["run"]))


def grouped(rows: Sequence[Row], key: str, number: str) -> list[Group]:
    """Rows by a column, in the order of its values."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(_text(row.get(key)), []).append(row)
    found = []
    for members in groups.values():
        ran = [row for row in members if row["status"] == "ok"]
        values = [row[number] for row in ran if row.get(number) is not None]
        found.append(
            Group(
                members[0].get(key),
                len(ran),
                fsum(values) / len(values) if values else None,
                min(values, default=None),
                max(values, default=None),
                sum(not row["failed"] for row in ran) / max(1, len(ran)),
            )
        )
    if all(is_number(group.value) for group in found):
        found.sort(key=lambda group: float(group.value))
    return found


def is_number(value: object) -> bool:
    """Whether a value is a number, which can be drawn along an axis."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def _text(value: object) -> str:
    return orjson.dumps(value).decode()

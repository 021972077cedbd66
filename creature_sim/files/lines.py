"""Where keys stand in a TOML file, for messages: its lines, and the names its comments give.

The standard library's reader keeps no positions, and those that do are slow or need a compiler.
Errors are rare, so a file is read for positions only when there is one.
"""

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from creature_sim.files.fields import Keys
from creature_sim.files.problems import Problem

_SPACE = re.compile(r"[ \t]*")
_GAP = re.compile(r"(?:[\s,]|#[^\n]*)*")
_STRING = re.compile(
    r'"""(?:\\.|[^\\])*?"""+|' + r"'''.*?'''+|" + r'"(?:\\.|[^"\\])*"|' + r"'[^']*'", re.DOTALL
)
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\n]*")
_COMMENT = re.compile(r"[ \t]*,?[ \t]*#[ \t]*([^\n]*)")


class Position(NamedTuple):
    """Where a key stands.

    Attributes:
        line: counted from 1.
        names: of the values of a list, as the comment behind it gives them; none: it does not.
    """

    line: int
    names: tuple[str, ...] = ()


def located(path: Path, problems: Iterable[Problem]) -> str:
    """Problems of a file, a line each, as `file.toml:12: table.key: expected, found`."""
    found = _positions_in(path)
    return "\n".join(dict.fromkeys(_located(path, problem, found) for problem in problems))


def is_in(path: Path, problem: Problem) -> bool:
    """Whether a file has the table or list that a problem is in."""
    return problem.keys[:1] in _positions_in(path)


def _positions_in(path: Path) -> dict[Keys, Position]:
    try:
        return positions(path.read_bytes().decode())
    except (OSError, UnicodeDecodeError, RecursionError):  # which changes while we look
        return {}


def _located(path: Path, problem: Problem, found: Mapping[Keys, Position]) -> str:
    """A problem with the line of its key, or of the table that lacks it."""
    while found and problem.keys[-1:] and problem.keys not in found and _is_index(problem.keys[-1]):
        problem = problem._replace(keys=problem.keys[:-1])  # one value that stands for several
    *table, last = problem.keys or ("",)
    names = found[tuple(table)].names if tuple(table) in found else ()
    name = f" ({names[last]})" if isinstance(last, int) and last < len(names) else ""
    known = [problem.keys[:count] for count in range(len(problem.keys), 0, -1)]
    lines = [found[keys].line for keys in known if keys in found]
    return f"{path}{f':{lines[0]}' if lines else ''}: {problem.said(name)}"


def _is_index(key: str | int) -> bool:
    return isinstance(key, int)


def positions(text: str) -> dict[Keys, Position]:
    """Where every key of a valid TOML file stands, and every value of its lists."""
    reader = _Reader(text.replace("\r\n", "\n"))
    reader.read()
    return reader.found


class _Reader:
    """Goes through a file from its start to its end."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.ends = [match.start() for match in re.finditer("\n", text)]
        self.found: dict[Keys, Position] = {}
        self.tables: dict[Keys, int] = {}
        """How many tables each `[[list]]` has so far."""

    def read(self) -> None:
        table: Keys = ()
        self._skip(_GAP)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_GAP)

    def _header(self) -> Keys:
        """Read `[table]` or `[[list]]`."""
        start, is_list = self.at, self.text.startswith("[[", self.at)
        self.at += 1 + is_list
        names = self._names()
        self.at += 1 + is_list
        path: Keys = ()
        for number, name in enumerate(names, 1):
            path = (*path, name)
            self._mark(path, start)
            if is_list and number == len(names):
                self.tables[path] = self.tables.get(path, 0) + 1
            if path in self.tables:
                path = (*path, self.tables[path] - 1)
                self._mark(path, start)
        return path

    def _pair(self, table: Keys) -> None:
        """Read `name = value`."""
        start, path = self.at, table
        for name in self._names():
            path = (*path, name)
            self._mark(path, start)
        self.at += 1  # =
        self._value(path)

    def _names(self) -> list[str]:
        """Read a key with dots."""
        names = []
        while True:
            self._skip(_SPACE)
            if self.text[self.at] in "\"'":
                names.append(tomllib.loads(f"x = {self._take(_STRING)}")["x"])
            else:
                names.append(self._take(_BARE))
            self._skip(_SPACE)
            if self.text[self.at] != ".":
                return names
            self.at += 1

    def _value(self, path: Keys) -> None:
        self._skip(_SPACE)
        first = self.text[self.at]
        if first == "[":
            self._list(path)
        elif first == "{":
            self.at += 1
            self._skip(_GAP)
            while self.text[self.at] != "}":
                self._pair(path)
                self._skip(_GAP)
            self.at += 1
        elif first in "\"'":
            self._skip(_STRING)
        else:
            self._skip(_SCALAR)

    def _list(self, path: Keys) -> None:
        self.at += 1
        self._skip(_GAP)
        count = 0
        while self.text[self.at] != "]":
            self._mark((*path, count), self.at)
            self._value((*path, count))
            self._skip(_GAP)
            count += 1
        self.at += 1
        comment = _COMMENT.match(self.text, self.at)
        if comment and path in self.found:
            self.found[path] = self.found[path]._replace(names=_names_in(comment[1], count))

    def _mark(self, path: Keys, start: int) -> None:
        if path not in self.found:
            self.found[path] = Position(1 + bisect_right(self.ends, start))

    def _skip(self, pattern: re.Pattern[str]) -> None:
        self._take(pattern)

    def _take(self, pattern: re.Pattern[str]) -> str:
        """Go on behind what matches here; tomllib has read the file, so that something does."""
        match = pattern.match(self.text, self.at)
        assert match is not None
        self.at = match.end()
        return match[0]


def _names_in(comment: str, count: int) -> tuple[str, ...]:
    """Names of the values of a list, if a comment like "length, width, height [m]" has them."""
    names = [re.sub(r" *\[.*|\.\.\.$", "", name).strip() for name in comment.split(",")]
    if len(names) > 1 and not any(" " in name for name in names[:-1]):
        names[-1] = names[-1].split(" ")[0]  # "x, y where the foot rests"
    return tuple(names) if len(names) == count and all(names) else ()

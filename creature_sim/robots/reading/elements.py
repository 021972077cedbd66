"""XML as a tree of elements that know their lines, and whose attributes are checked one by one."""

import math
from collections.abc import Iterator
from pathlib import Path
from xml.parsers import expat

from creature_sim.errors import DefinitionError

MAX_BYTES = 16 << 20
MAX_ELEMENTS = 50_000
MAX_DEPTH = 200
MAX_NUMBERS = 64
"""In one attribute."""
LARGEST = 1e6
"""No number of a robot is larger; m, kg, rad and so on."""
SHOWN = 60


class Element:
    """An element of a file."""

    def __init__(self, file: Path, tag: str, attributes: dict[str, str], line: int) -> None:
        """Take what a parser found."""
        self.file = file
        self.tag = tag
        self.attributes = attributes
        self.line = line
        self.children: list[Element] = []
        self.above: Element | None = None

    def all(self, *tags: str) -> Iterator["Element"]:
        """Children of some kinds, in the order of the file."""
        return (child for child in self.children if child.tag in tags)

    def one(self, tag: str) -> "Element | None":
        """The first child of a kind."""
        return next(self.all(tag), None)

    @property
    def shown(self) -> str:
        """The element as a message names it: with its name, or that of the one around it."""
        name = self.attributes.get("name")
        if name is not None:
            return f'<{self.tag} name="{_short(name)}">'
        if self.above is None or self.above.above is None:
            return f"<{self.tag}>"
        return f"{self.above.shown} <{self.tag}>"

    def refused(self, attribute: str, expected: str, found: object = None) -> DefinitionError:
        """The error about an attribute; about the element itself if it is empty."""
        value = found if found is not None else repr(_short(self.attributes.get(attribute, "")))
        what = f" {attribute}" if attribute else ""
        return DefinitionError(
            f"{self.file}: line {self.line}: {self.shown}{what}: expected {expected}, found {value}"
        )

    def text(self, attribute: str, default: str | None = None) -> str:
        """A text; refused if it is missing and has no default."""
        found = self.attributes.get(attribute, default)
        if found is None:
            raise self.refused(attribute, "one", "none")
        return found

    def numbers(
        self, attribute: str, least: int, most: int, default: tuple[float, ...] | None = None
    ) -> tuple[float, ...]:
        """Numbers between spaces, so many of them."""
        written = self.attributes.get(attribute)
        if written is None:
            if default is None:
                raise self.refused(attribute, _counted(least, most), "none")
            return default
        parts = written.split(None, MAX_NUMBERS)
        try:
            found = tuple(map(float, parts))
        except ValueError:
            raise self.refused(attribute, _counted(least, most)) from None
        if not least <= len(found) <= most:
            raise self.refused(attribute, _counted(least, most))
        if not all(math.isfinite(one) and abs(one) <= LARGEST for one in found):
            raise self.refused(attribute, f"numbers up to {LARGEST:g}")
        return found

    def number(self, attribute: str, default: float | None = None) -> float:
        """One number."""
        return self.numbers(attribute, 1, 1, None if default is None else (default,))[0]

    def vector(
        self, attribute: str, default: tuple[float, float, float] | None = None
    ) -> tuple[float, float, float]:
        """Three numbers."""
        x, y, z = self.numbers(attribute, 3, 3, default)
        return x, y, z

    def choice(self, attribute: str, known: dict[str, str], default: str) -> str:
        """One of some words, as what it stands for."""
        found = self.attributes.get(attribute, default)
        if found not in known:
            raise self.refused(attribute, f"one of {', '.join(known)}")
        return known[found]


def parsed(path: Path) -> Element:
    """The root of a file.

    Raises:
        DefinitionError: it cannot be read, is too large, is no XML, or declares entities.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise DefinitionError(
            f"{path}: expected a file of a robot, found none that can be read ({error.strerror})"
        ) from None
    if len(data) > MAX_BYTES:
        raise DefinitionError(f"{path}: expected at most {MAX_BYTES} bytes, found more")
    if not data.strip():
        raise DefinitionError(f"{path}: line 1: expected XML, found an empty file")
    written = data.lstrip().rstrip(b"\0 \t\r\n")  # which others put up with
    tree = _Tree(path, data[: len(data) - len(data.lstrip())].count(b"\n"))
    try:
        tree.parser.Parse(written, True)
    except expat.ExpatError as error:
        words = expat.ErrorString(error.code)
        if words == expat.errors.XML_ERROR_NO_ELEMENTS:
            words = "its end before that of its elements"
        raise DefinitionError(
            f"{path}: line {tree.skipped + error.lineno}: expected XML, found {words}"
        ) from None
    except (ValueError, LookupError) as error:  # what an encoding that no one knows raises
        raise DefinitionError(f"{path}: expected XML, found {error}") from None
    assert tree.root is not None  # a file without an element is no XML
    return tree.root


class _Tree:
    """Listens to a parser."""

    def __init__(self, path: Path, skipped: int) -> None:
        self.skipped = skipped  # lines before the first
        self.root: Element | None = None
        self.parser = expat.ParserCreate()
        self._path = path
        self._open: list[Element] = []
        self._count = 0
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._doctype

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        made = Element(self._path, tag, attributes, self.skipped + self.parser.CurrentLineNumber)
        self._count += 1
        if self._count > MAX_ELEMENTS:
            raise made.refused("", f"at most {MAX_ELEMENTS} elements", "more")
        if len(self._open) >= MAX_DEPTH:
            raise made.refused("", f"at most {MAX_DEPTH} elements in one another", "more")
        if self._open:
            made.above = self._open[-1]
            self._open[-1].children.append(made)
        else:
            self.root = made
        self._open.append(made)

    def _end(self, _: str) -> None:
        self._open.pop()

    def _doctype(self, *_: object) -> None:
        raise DefinitionError(
            f"{self._path}: line {self.skipped + self.parser.CurrentLineNumber}: expected XML "
            "without DOCTYPE, whose entities are not read, found one"
        )


def _short(text: str) -> str:
    """A text that fits a message."""
    return text if len(text) <= SHOWN else text[: SHOWN - 3] + "..."


def _counted(least: int, most: int) -> str:
    """So many numbers."""
    if most == 1:
        return "a number"
    return f"{least} numbers" if least == most else f"{least} to {most} numbers"

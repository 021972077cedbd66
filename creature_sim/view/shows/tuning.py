"""The numbers of a creature's file as sliders: changed, tried out, and written back."""

from collections import Counter
from collections.abc import Iterator, MutableMapping, MutableSequence
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from creature_sim.definitions import CreatureDef
from creature_sim.errors import DefinitionError
from creature_sim.files.definition import explain
from creature_sim.files.output import write_output
from creature_sim.files.toml import read_toml
from creature_sim.library.loader import Written, builtin_folder, evolved_folder
from creature_sim.view.shows.wording import meaning_of, name_of, section_of

DIGITS = 4
"""Digits after the point that a slider writes."""
SPAN = 1.5
"""Range of a slider to either side of the written number, as a fraction of that number."""
MIN_SPAN = 0.5
"""Range to either side where the written number is 0."""
SIGNED = {"mount", "home", "pole", "heading", "axis", "lo", "hi", "rest", "twist"}
"""Keys whose numbers may be negative."""


class Knob(NamedTuple):
    """One number.

    Attributes:
        keys: where it is in the creature's table.
        label: the same as a path: "body.size[0]".
        section: the heading under which it stands.
        name: what it is, with its unit.
        low: smallest value of its slider.
        high: largest.
        is_whole: whether it counts something.
        note: what the file says beside it, or else the schema.
    """

    keys: tuple[str | int, ...]
    label: str
    section: str
    name: str
    low: float
    high: float
    is_whole: bool
    note: str


class Tuning:
    """A creature's file, open for changes.

    Attributes:
        path: the file; for a built-in creature, the file that `save` will write.
        knobs: every number in it, in the file's order.
        is_changed: whether there is anything to save.
        problem: why the numbers are not valid; empty if they are.
    """

    def __init__(self, written: Written) -> None:
        """Read the file.

        Raises:
            ImportError: the extra `panel` is not installed.
            DefinitionError: the file cannot be read.
        """
        import tomlkit

        read_toml(written.path)  # raises a clear error for a file that is not valid
        self._document = tomlkit.parse(written.path.read_text(encoding="utf-8"))
        self._table: Any = self._document
        for key in written.keys:
            self._table = self._table[key]
        builtin = builtin_folder("creature"), builtin_folder("world"), evolved_folder()
        self._is_own = written.path.parent not in builtin
        self.path = written.path if self._is_own else Path(written.path.name)
        self.is_changed = False
        self.problem = ""
        found = list(_numbers(self._table, ()))
        lists = Counter(keys[:-1] for keys, _, _ in found)
        self.knobs = [_knob(keys, value, note, lists[keys[:-1]]) for keys, value, note in found]

    def value(self, knob: Knob) -> float:
        """The number as it is now."""
        found = self._holder(knob)[knob.keys[-1]]
        return int(found) if knob.is_whole else float(found)

    def set(self, knob: Knob, value: float) -> None:
        """Change the number; `plan` says whether the creature is still valid."""
        whole = round(value) if knob.is_whole else round(float(value), DIGITS)
        self._holder(knob)[knob.keys[-1]] = whole
        self.is_changed = True

    def _holder(self, knob: Knob) -> MutableMapping[str | int, Any]:
        """The table or array that a number is in."""
        found: MutableMapping[str | int, Any] = self._table
        for key in knob.keys[:-1]:
            found = found[key]
        return found

    def plan(self) -> CreatureDef:
        """The creature as it is now; DefinitionError (also in `problem`) where it is not valid."""
        try:
            plan = CreatureDef.model_validate(self._table.unwrap())
        except ValidationError as error:
            self.problem = explain(error)[0]
            raise DefinitionError(self.problem) from None
        self.problem = ""
        return plan

    def save(self) -> None:
        """Write the file, whole or not at all, with all its comments.

        A built-in creature is written to a new file of its name in the current folder.

        Raises:
            DefinitionError: the creature is not valid.
            OutputError: the file cannot be written.
        """
        self.plan()
        write_output(self.path, self._document.as_string().encode(), force=self._is_own)
        self._is_own = True
        self.is_changed = False


def _numbers(
    found: object, keys: tuple[str | int, ...], note: str = ""
) -> Iterator[tuple[tuple[str | int, ...], float, str]]:
    """Every number with its keys and the comment beside it."""
    if isinstance(found, bool):
        return
    own = getattr(found, "trivia", None)
    note = (own.comment.lstrip("# ") if own is not None else "") or note
    if isinstance(found, int | float):
        yield keys, float(found) if isinstance(found, float) else int(found), note
    elif isinstance(found, MutableMapping):
        for key, value in found.items():
            yield from _numbers(value, (*keys, str(key)))
    elif isinstance(found, MutableSequence):
        for index, value in enumerate(found):
            yield from _numbers(value, (*keys, index), note)


def _knob(keys: tuple[str | int, ...], value: float, note: str, count: int) -> Knob:
    """The slider of a number; `count` numbers are in its list."""
    label = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in keys).lstrip(".")
    is_whole = isinstance(value, int)
    reach = max(SPAN * abs(value), MIN_SPAN if value == 0.0 else 0.0, 4.0 if is_whole else 0.0)
    is_signed = value < 0.0 or not SIGNED.isdisjoint(keys)
    low = value - reach if is_signed else 0.0
    name = name_of(keys, note, count)
    note = note or meaning_of(keys)
    return Knob(keys, label, section_of(keys), name, low, value + reach, is_whole, note)

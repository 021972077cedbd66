"""Values of a JSON document, each with its place in it, checked when they are taken."""

from collections.abc import Iterator
from math import isfinite

from creature_sim.errors import DefinitionError
from creature_sim.files.problems import shown


class Field:
    """A value and where it stands, as `nodes[3].scale`."""

    def __init__(self, file: str, place: str, value: object) -> None:
        """Keep them."""
        self._file, self._place, self._value = file, place, value

    @property
    def value(self) -> object:
        """As it stands in the document, unchecked."""
        return self._value

    def refused(self, expected: str, found: object = None) -> DefinitionError:
        """What to raise for this value."""
        told = shown(self._value) if found is None else found
        place = f"{self._place}: " if self._place else ""
        return DefinitionError(f"{self._file}: {place}expected {expected}, found {told}")

    def __contains__(self, key: str) -> bool:
        """Whether a table has a key."""
        return key in self._table()

    def __getitem__(self, key: str) -> "Field":
        """The value of a key; refused when it is taken, if it is not there."""
        place = f"{self._place}.{key}" if self._place else key
        return Field(self._file, place, self._table().get(key))

    def __iter__(self) -> Iterator["Field"]:
        """The values of a list; none if it is not there."""
        values = [] if self._value is None else self._value
        if not isinstance(values, list):
            raise self.refused("a list")
        for index, value in enumerate(values):
            yield Field(self._file, f"{self._place}[{index}]", value)

    def items(self, most: int) -> list["Field"]:
        """The values of a list of at most so many."""
        if isinstance(self._value, list) and len(self._value) > most:
            raise self.refused(f"at most {most} of them", len(self._value))
        return list(self)

    def _table(self) -> dict[str, object]:
        if not isinstance(self._value, dict):
            raise self.refused("a table")
        return self._value

    def text(self, usual: str | None = None) -> str:
        """A text; the usual one if it is not there."""
        if self._value is None and usual is not None:
            return usual
        if not isinstance(self._value, str):
            raise self.refused("text")
        return self._value

    def whole(self, low: int, high: int, usual: int | None = None) -> int:
        """A whole number within bounds; the usual one if it is not there."""
        if self._value is None and usual is not None:
            return usual
        value = self._value
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.refused(f"a whole number from {low} to {high}")
        return value

    def index(self, count: int) -> int:
        """An index of one of so many."""
        if not count:
            raise self.refused("none, for there is nothing that it could count")
        return self.whole(0, count - 1)

    def flag(self) -> bool:
        """True or false; false if it is not there."""
        if self._value not in (None, True, False) or isinstance(self._value, int | float) != (
            isinstance(self._value, bool)
        ):
            raise self.refused("true or false")
        return bool(self._value)

    def numbers(self, usual: tuple[float, ...]) -> tuple[float, ...]:
        """Finite numbers, as many as the usual ones; those if they are not there."""
        value = self._value
        if value is None:
            return usual
        if not isinstance(value, list) or len(value) != len(usual):
            raise self.refused(f"{len(usual)} numbers")
        if None in value:
            raise self.refused(f"{len(usual)} numbers")
        return tuple(Field(self._file, self._place, part).number(0.0) for part in value)

    def number(self, usual: float) -> float:
        """A finite number; the usual one if it is not there."""
        value = self._value
        if value is None:
            return usual
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.refused("a number")
        if abs(value) > 1e12 or not isfinite(value):
            raise self.refused("a number up to 1e12")
        return float(value)

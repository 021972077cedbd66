"""What creatures can be told to do besides walking, and what each motion must be told.

A motion has one or more forms: the fields of its event, which are also the numbers of its word in
a drive, in this order. An event without any of them ends the motion. Those that need no numbers
have the form of none: `sit` and `fold` begin by their name, and `stand` ends both.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import pi
from typing import Any, NamedTuple


class Field(NamedTuple):
    """A field of a motion's event.

    Attributes:
        size: how many numbers it has; 1: a whole number, counted from 0.
        largest: that they may be.
        unit: of the numbers.
    """

    size: int
    largest: float
    unit: str


FIELDS = {
    "turn": Field(3, pi, "roll, pitch, yaw [rad]"),
    "shift": Field(3, 10.0, "forward, left, up [m]"),
    "point": Field(3, 1e6, "x, y, z [m]"),
    "other": Field(1, 1e4, "a creature"),
    "leg": Field(1, 1e4, "a leg"),
}
"""What a motion may be told."""

Forms = tuple[tuple[str, ...], ...]
FORMS: dict[str, Forms] = {
    "pose": (("turn",), ("turn", "shift")),
    "look": (("point",), ("other",)),
    "reach": (("point",), ("other",), ("leg", "point"), ("leg", "other")),
    "strike": (("point",), ("other",), ("leg", "point"), ("leg", "other")),
    "sit": ((),),
    "fold": ((),),
    "stand": ((),),
}
"""The fields that each motion takes, by its name."""


def fields_of(name: str, numbers: Sequence[float]) -> dict[str, Any] | None:
    """Numbers of a motion's word as fields of its event; None: no form takes them."""
    if not numbers:
        return {}
    for form in FORMS[name]:
        ends = list(accumulate(FIELDS[field].size for field in form))
        if sum(ends[-1:]) != len(numbers):
            continue
        parts = [tuple(numbers[begin:end]) for begin, end in pairwise([0, *ends])]
        found = {
            field: part if len(part) > 1 else part[0]
            for field, part in zip(form, parts, strict=True)
        }
        for field, value in found.items():
            if not isinstance(value, tuple):
                if value != int(value):
                    return None
                found[field] = int(value)
        return found
    return None


def usage(name: str) -> str:
    """How the word of a motion is written."""
    if FORMS[name] == ((),):
        return f"'{name}' alone"
    ways = [f"'{name} {', '.join(FIELDS[field].unit for field in form)}'" for form in FORMS[name]]
    return " or ".join([*ways, f"'{name}' to end it"])

"""What creatures are to learn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from math import inf
from numbers import Integral, Real
from pathlib import Path
from typing import Any

from creature_sim.errors import DefinitionError
from creature_sim.files.hints import hint

LARGEST = 1e9
"""Of seconds and metres."""
MOST_GROUNDS = 2**63
"""Seeds of worlds are below this."""


@dataclass(frozen=True)
class Task:
    """What creatures are to do, and where.

    Attributes:
        world: built-in name or file; its creatures do not count.
        creature: built-in name or file.
        distance: of the goal from the start, straight ahead [m].
        seconds: after which an episode is cut off.
        ticks: of the simulation in one step of the environment.
        grounds: number of different grounds; 1: the world's own.
        spread: headings at the start differ by up to this from that of the goal [rad].
        actions: what they are, see `WalkEnv` and `TwinEnv`; none: the first that these name.
        recordings: folder that gets a replay of every episode, or from reset to reset of a herd;
            none: nothing is recorded.
    """

    world: str = "meadow"
    creature: str = "hexapod"
    distance: float = 6.0
    seconds: float = 20.0
    ticks: int = 6
    grounds: int = 1
    spread: float = 0.5
    actions: str | None = None
    recordings: str | Path | None = None

    def __post_init__(self) -> None:
        """Refuse what means nothing: DefinitionError."""
        for name in ("world", "creature"):
            value = getattr(self, name)
            if not isinstance(value, str | Path) or not str(value):
                raise DefinitionError(
                    f"{name}: expected a built-in name or a file, found {value!r}"
                )
        for name in ("distance", "seconds", "ticks", "grounds"):
            value = getattr(self, name)
            if not is_number(value) or not 0 < value < inf:
                raise DefinitionError(f"{name}: expected more than 0, found {value!r}")
        for name in ("ticks", "grounds"):
            if not is_whole(getattr(self, name)):
                raise DefinitionError(
                    f"{name}: expected a whole number, found {getattr(self, name)!r}"
                )
        for name in ("distance", "seconds"):
            if getattr(self, name) > LARGEST:
                raise DefinitionError(
                    f"{name}: expected at most {LARGEST:g}, found {getattr(self, name)!r}"
                )
        if self.grounds > MOST_GROUNDS:
            raise DefinitionError(f"grounds: expected at most 2**63, found {self.grounds!r}")
        if not is_number(self.spread) or not 0.0 <= self.spread <= 3.2:
            raise DefinitionError(f"spread: expected an angle from 0 to 3.2, found {self.spread!r}")
        if not isinstance(self.recordings, str | Path | None):
            raise DefinitionError(f"recordings: expected a folder, found {self.recordings!r}")


def is_number(value: object) -> bool:
    """Whether a value is a number, Python's or numpy's; true and false are none."""
    return isinstance(value, Real) and not isinstance(value, bool)


def is_whole(value: object) -> bool:
    """Whether a value is a whole number, Python's or numpy's; true and false are none."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def task_of(words: Mapping[str, Any]) -> Task:
    """The task of keywords; DefinitionError also where one has a name that no task knows."""
    known = [field.name for field in fields(Task)]
    for name in words:
        if name not in known:
            raise DefinitionError(
                f"{name}: expected a keyword of the environment, found another one"
                f"{hint(name, [*known, 'render_mode'])}"
            )
    return Task(**words)


def checked_mode(mode: str | None, known: Sequence[str]) -> str | None:
    """A render mode, if it is one of an environment's `metadata`; else DefinitionError."""
    if mode is not None and mode not in known:
        raise DefinitionError(f"render_mode: expected {' or '.join(known)}, found {mode!r}")
    return mode

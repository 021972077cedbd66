"""What creatures are to learn."""

from dataclasses import dataclass
from math import inf
from pathlib import Path

from creature_sim.errors import DefinitionError


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
        """Refuse numbers that mean nothing: DefinitionError."""
        for name in ("distance", "seconds", "ticks", "grounds"):
            value = getattr(self, name)
            if not isinstance(value, int | float) or not 0 < value < inf:
                raise DefinitionError(f"{name}: expected more than 0, found {value!r}")
        for name in ("ticks", "grounds"):
            if not isinstance(getattr(self, name), int):
                raise DefinitionError(
                    f"{name}: expected a whole number, found {getattr(self, name)!r}"
                )
        if not isinstance(self.spread, int | float) or not 0.0 <= self.spread <= 3.2:
            raise DefinitionError(f"spread: expected an angle from 0 to 3.2, found {self.spread!r}")
        if not isinstance(self.recordings, str | Path | None):
            raise DefinitionError(f"recordings: expected a folder, found {self.recordings!r}")

"""Files that a running world was read from: when one is saved, the world is read again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import atan2
from pathlib import Path

from creature_sim.definitions import PlacementDef, WorldDef
from creature_sim.drivers import Driver
from creature_sim.errors import DefinitionError
from creature_sim.library.loader import Written
from creature_sim.snapshots.snapshot import CreatureState, Snapshot

POLL_SECONDS = 0.25
"""Time between two looks at the files [s]."""


@dataclass
class Source:
    """Where a world comes from.

    Attributes:
        paths: files to watch; none: a built-in world of built-in creatures.
        load: reads the world and its driver; DefinitionError where they are not valid.
        plans: where every body plan of the world is written, by its key.
        is_recorded: a recording is of one world: while there is one, changes wait for the next run.
    """

    paths: Sequence[Path]
    load: Callable[[], tuple[WorldDef, Driver | None]]
    is_recorded: bool = False
    plans: Callable[[], Mapping[str, Written]] = dict
    _seen: list[tuple[int, int]] = field(default_factory=list)
    _wait: float = POLL_SECONDS

    def __post_init__(self) -> None:
        """Remember the files as they are."""
        self.look()

    def look(self) -> None:
        """Take the files as they are for what is running."""
        self._seen = [_stamp(path) for path in self.paths]

    def has_changed(self, seconds: float) -> bool:
        """Whether a file was saved, as `seconds` pass; a file that is gone may come back."""
        self._wait -= seconds
        if self._wait > 0.0:
            return False
        self._wait = POLL_SECONDS
        found = [_stamp(path) for path in self.paths]
        if found == self._seen or (0, 0) in found:
            return False
        self._seen = found
        return True


def _stamp(path: Path) -> tuple[int, int]:
    """Time and size of a file; zeros where there is none."""
    try:
        status = path.stat()
    except OSError:
        return (0, 0)
    return (status.st_mtime_ns, status.st_size)


def moved_on(world: WorldDef, written: WorldDef, snapshot: Snapshot) -> WorldDef:
    """A world whose creatures start where they are now, looking where they look now.

    Args:
        world: as it was read again.
        written: as it was read before; where a start differs from it, the new one is meant.
        snapshot: the present.

    Raises:
        DefinitionError: there are more creatures or chains than before, or fewer.
    """
    counts = len(written.creatures), len(written.rigs)
    if (len(world.creatures), len(world.rigs)) != counts:
        raise DefinitionError(
            f"expected {counts[0]} creatures and {counts[1]} chains as before, found others: "
            "start the run again"
        )
    places = [
        _place(new, creature, world) if new.model_dump(exclude={"creature"}) == old else new
        for new, old, creature in zip(
            world.creatures,
            [placement.model_dump(exclude={"creature"}) for placement in written.creatures],
            snapshot.creatures,
            strict=True,
        )
    ]
    return world.model_copy(update={"creatures": tuple(places)})


def _place(placement: PlacementDef, creature: CreatureState, world: WorldDef) -> PlacementDef:
    """A start where a creature is, or as near to it as creatures of that world may start."""
    x, y, z, w = creature.orientation.tolist()
    place = world.nearest_start(*creature.position[:2].tolist())
    heading = atan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z))
    return placement.model_copy(update={"position": place, "heading": heading})

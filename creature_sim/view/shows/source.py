"""The files of a running world: when one is saved, the world is read again."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from creature_sim.definitions import PlacementDef, WorldDef
from creature_sim.drivers import Driver
from creature_sim.errors import DefinitionError
from creature_sim.files.watched import POLL_SECONDS, Watched
from creature_sim.library.loader import Written
from creature_sim.locomotion.gravity import gravity_of, up_at
from creature_sim.maths import X, Z, atan2, quat, rotate, vec
from creature_sim.snapshots.snapshot import CreatureState, Snapshot
from creature_sim.spawn.headings import heading_of


@dataclass
class Source:
    """Where a world comes from.

    Attributes:
        paths: files to watch; none: a built-in world of built-in creatures.
        load: reads the world and its driver; DefinitionError where they are not valid.
        plans: where each body plan of the world is written, by its key.
        is_recorded: whether the run is recorded: a recording is of one world, so changes of files
            wait for the next run.
    """

    paths: Sequence[Path]
    load: Callable[[], tuple[WorldDef, Driver | None]]
    is_recorded: bool = False
    plans: Callable[[], Mapping[str, Written]] = dict
    _watched: Watched = field(init=False)
    _wait: float = POLL_SECONDS

    def __post_init__(self) -> None:
        """Remember the files as they are."""
        self._watched = Watched(self.paths)

    def look(self) -> None:
        """Take the files as they are now for those of the running world."""
        self._watched.look()

    def has_changed(self, seconds: float) -> bool:
        """Whether a file was saved, as `seconds` pass; a missing file may still come back."""
        self._wait -= seconds
        if self._wait > 0.0:
            return False
        self._wait = POLL_SECONDS
        return self._watched.has_changed()


def moved_on(world: WorldDef, written: WorldDef, snapshot: Snapshot) -> WorldDef:
    """A world whose creatures start where they are now, with the headings that they have now.

    Args:
        world: as it was read now.
        written: as it was read before; a start that differs between the two is taken from `world`.
        snapshot: the present; creatures that came during the run do not go on, and those that were
            removed start anew.

    Raises:
        DefinitionError: the number of creatures or chains differs.
    """
    counts = len(written.creatures), len(written.rigs)
    if (len(world.creatures), len(world.rigs)) != counts:
        raise DefinitionError(
            f"expected {counts[0]} creatures and {counts[1]} chains as before, found "
            f"{len(world.creatures)} and {len(world.rigs)}: start the run again"
        )
    there = {creature.number: creature for creature in snapshot.creatures}
    placements = [
        _moved(new, there[number], world)
        if number in there and new.model_dump(exclude={"creature"}) == old
        else new
        for number, (new, old) in enumerate(
            zip(
                world.creatures,
                [placement.model_dump(exclude={"creature"}) for placement in written.creatures],
                strict=True,
            )
        )
    ]
    return world.model_copy(update={"creatures": tuple(placements)})


def _moved(placement: PlacementDef, creature: CreatureState, world: WorldDef) -> PlacementDef:
    """A start where a creature is, or as near to it as creatures of the world may start."""
    turned, place = quat(creature.orientation), vec(creature.position)
    position = world.nearest_start(*place[:2])
    if not world.species_of(placement).climb:
        ahead = rotate(turned, X)
        start = {"position": position, "heading": atan2(ahead[1], ahead[0])}
        return placement.model_copy(update={**start, "up": None, "height": None})
    up, plumb = rotate(turned, Z), up_at(gravity_of(world.terrain)[0], place)
    heading = heading_of(rotate(turned, X), up, plumb)
    start = {"position": position, "heading": heading, "up": up, "height": place[2]}
    return placement.model_copy(update={**start, "folded": False, "overturned": False})

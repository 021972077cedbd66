"""Reads replay files, and says exactly what is wrong with a file that it cannot read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, overload

import esper
import orjson
from pydantic import ValidationError

from creature_sim.definitions import WorldDef, explain
from creature_sim.errors import DefinitionError, ReplayCorrupt, ReplayTruncated, ReplayVersion
from creature_sim.inputs import Input, Roster, check_input
from creature_sim.maths import Floats
from creature_sim.replay.codec import data_name, decode_data, decode_input, decode_pose, decode_step
from creature_sim.replay.container import Contents
from creature_sim.replay.schemas import READABLE, WORLD_NAME
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Pose, Step
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.systems import SYSTEMS
from creature_sim.terrain import DataDef
from creature_sim.terrain.files.imports import check_data, with_imports


@dataclass(frozen=True)
class Replay:
    """A recording whose file has been read and checked; `verify` proves what it says.

    Attributes:
        path: of the file.
        start: what was simulated, as it was before the first tick.
        world: the same with all creatures that came later.
        world_bytes: `start` as the file has it.
        metadata: where and by what it was recorded.
        inputs: of ticks 1, 2, ...
        digests: messages of ticks 0, 1, 2, ...: the hash chain, and hashes by part of each
            creature, chain and prop.
        poses: for display, by ascending tick; each is decoded when it is asked for.
        steps: of all feet, by ascending tick.
        digest: of the last state.
    """

    path: Path
    start: WorldDef
    world: WorldDef
    world_bytes: bytes
    metadata: dict[str, str]
    inputs: tuple[Input, ...]
    digests: tuple[dict[str, Any], ...]
    poses: "Poses"
    steps: tuple[Step, ...]
    digest: str

    @property
    def ticks(self) -> int:
        """Number of ticks recorded."""
        return len(self.inputs)

    @property
    def tick_rate(self) -> int:
        """Ticks per second."""
        return self.world.tick_rate

    def rerun(self, systems: Sequence[type[esper.Processor]] = SYSTEMS) -> Iterator[Snapshot]:
        """Simulate it again: exact snapshots of ticks 0, 1, 2, ..."""
        with Simulation(self.start, systems=systems) as simulation:
            yield simulation.snapshot
            for given in self.inputs:
                simulation.step(given)
                yield simulation.snapshot


class Poses(Sequence[Pose]):
    """The poses of a file, decoded one at a time."""

    def __init__(self, messages: Sequence[bytes], world: WorldDef) -> None:
        """Keep the encoded messages of a world with all creatures that ever were."""
        self._messages = messages
        self._world = world

    def __len__(self) -> int:
        """Number of poses."""
        return len(self._messages)

    @overload
    def __getitem__(self, index: int) -> Pose: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Pose]: ...
    def __getitem__(self, index: int | slice) -> Pose | Sequence[Pose]:
        """One pose, or a part of the sequence."""
        if isinstance(index, slice):
            return Poses(self._messages[index], self._world)
        try:
            return decode_pose(orjson.loads(self._messages[index]), self._world)
        except (KeyError, TypeError, ValueError) as error:
            raise ReplayCorrupt(
                f"/pose {index}: expected a pose, found something else ({error})"
            ) from None

    @cached_property
    def ticks(self) -> list[float]:
        """The tick of every pose."""
        return [orjson.loads(message)["tick"] for message in self._messages]


def open_replay(path: str | Path) -> Replay:
    """Read a replay file.

    Raises:
        ReplayTruncated: it has no end mark.
        ReplayCorrupt: its bytes are damaged, or it is no replay.
        ReplayVersion: this version does not read its format.
        ReplayError: it cannot be opened.
    """
    file = Path(path)
    contents = Contents()
    contents.read(file)
    if contents.metadata is None or WORLD_NAME not in contents.attachments:
        raise ReplayCorrupt(
            f"{file}: expected a replay of creature_sim, found an MCAP file of something else"
        )
    version = contents.metadata.get("format")
    if version not in READABLE:
        raise ReplayVersion(f"{file}: expected format {' or '.join(READABLE)}, found {version!r}")
    if not contents.messages["/end"]:
        raise ReplayTruncated(
            f"{file}: expected a recording with its end, found that it breaks off after tick "
            f"{contents.last_tick}"
        )
    try:
        return _decode(file, contents.attachments, contents.metadata, contents.messages)
    except ValidationError as error:
        raise ReplayCorrupt(f"{file}: {WORLD_NAME}: {'; '.join(explain(error))}") from None
    except (KeyError, TypeError, ValueError, DefinitionError) as error:
        raise ReplayCorrupt(
            f"{file}: expected messages of a replay, found something else ({error})"
        ) from None


def _decode(
    path: Path,
    attachments: Mapping[str, bytes],
    metadata: dict[str, str],
    messages: dict[str, list[bytes]],
) -> Replay:
    """A replay from the records of its file."""
    world_bytes = attachments[WORLD_NAME]
    start = _with_data(WorldDef.model_validate(orjson.loads(world_bytes)), attachments)
    digests = [orjson.loads(message) for message in messages["/digest"]]
    given = [orjson.loads(message) for message in messages["/input"]]
    end = orjson.loads(messages["/end"][-1])
    if len(digests) != end["tick"] + 1 or _are_not_from(0, digests):
        raise ValueError("/digest is missing for some tick")
    if len(given) != end["tick"] or _are_not_from(1, given):
        raise ValueError("/input is missing for some tick")
    missing = {placement.creature for placement in start.creatures} - start.species.keys()
    if missing:
        raise ValueError(f"{WORLD_NAME} lacks the species {sorted(missing)}")
    if not messages["/pose"]:
        raise ValueError("/pose is missing")
    inputs = tuple(decode_input(message) for message in given)
    world, counts = _roll_call(start, inputs)
    for message, count in zip(digests, counts, strict=True):
        if not _fits(message, world, count):
            raise ValueError(f"/digest of tick {message['tick']} does not fit the world")
    return Replay(
        path,
        start,
        world,
        world_bytes,
        metadata,
        inputs,
        tuple(digests),
        Poses(messages["/pose"], world),
        tuple(decode_step(orjson.loads(message)) for message in messages.get("/event", ())),
        str(end["digest"]),
    )


def _roll_call(start: WorldDef, inputs: Sequence[Input]) -> tuple[WorldDef, list[int]]:
    """The world with all creatures that ever were, and how many are there after ticks 0, 1, ...

    Raises:
        DefinitionError: an input does not fit the world.
    """
    world, gone = start, frozenset[int]()
    counts = [len(world.creatures)]
    for given in inputs:
        for event in given.events:
            if event.kind == "spawn" and event.definition and event.placement:
                world = world.joined_by(event.definition, event.placement)
            elif event.kind == "remove" and event.creature is not None:
                gone |= {event.creature}
        check_input(given, Roster(world.leg_counts, gone, world.settable_targets))
        counts.append(len(world.creatures) - len(gone))
    return world, counts


def _fits(digest: dict[str, Any], world: WorldDef, creature_count: int) -> bool:
    """Whether a /digest message has hashes of so many creatures, and of all else in a world."""
    counts = {"creatures": creature_count, "chains": len(world.rigs), "props": len(world.props)}
    return isinstance(digest["chain"], str) and all(
        len(digest.get(kind, ())) == count
        and all(isinstance(parts, dict) for parts in digest.get(kind, ()))
        for kind, count in counts.items()
    )


def _with_data(world: WorldDef, attachments: Mapping[str, bytes]) -> WorldDef:
    """The world with the data of its imported grounds.

    Raises:
        ValueError: data are missing, or are not those that the world names.
        DefinitionError: no ground can be built from them.
    """

    def attached(definition: DataDef, nodes: Floats) -> DataDef:
        name = data_name(definition)
        if definition.digest is None or name not in attachments:
            raise ValueError(f"attachment {name}, the ground, is missing")
        try:
            return check_data(definition.with_data(decode_data(attachments[name])), nodes)
        except (ValueError, DefinitionError) as error:
            raise ValueError(f"attachment {name}: {error}") from None

    return world.model_copy(update={"terrain": with_imports(world.terrain, attached)})


def _are_not_from(first: int, messages: Sequence[dict[str, Any]]) -> bool:
    """Whether messages are of other ticks than `first`, `first` + 1, ..."""
    return any(message["tick"] != tick for tick, message in enumerate(messages, first))

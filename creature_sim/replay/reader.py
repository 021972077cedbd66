"""Reads replay files, and says exactly what is wrong with one that cannot be read."""

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, overload

import esper
import orjson
import zstandard
from mcap.exceptions import McapError
from mcap.records import Attachment, Channel, Chunk, DataEnd, Message, Metadata
from mcap.stream_reader import StreamReader, breakup_chunk
from pydantic import ValidationError

from creature_sim.definitions import DataDef, WorldDef, explain
from creature_sim.errors import (
    DefinitionError,
    ReplayCorrupt,
    ReplayError,
    ReplayTruncated,
    ReplayVersion,
)
from creature_sim.inputs import Input, Roster, check_input
from creature_sim.maths import Floats
from creature_sim.replay.codec import data_name, decode_data, decode_input, decode_pose, decode_step
from creature_sim.replay.schemas import METADATA_NAME, READABLE, WORLD_NAME
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Pose, Step
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.systems import SYSTEMS
from creature_sim.terrain.files.imports import check_data, with_imports

LARGEST_CHUNK = 2**30
"""More than a second of any world [bytes]: a size beyond it is damage, and not worth the memory."""
MAGIC = b"\x89MCAP0\r\n"


@dataclass(frozen=True)
class Replay:
    """A recording, read and checked as a file; `verify` checks what it says.

    Attributes:
        path: of the file.
        start: what was simulated, as it was before the first tick.
        world: the same with all creatures that came later.
        world_bytes: `start` as it stands in the file.
        metadata: who recorded it.
        inputs: of ticks 1, 2, ...
        digests: messages of ticks 0, 1, 2, ...: chain, and hash by part for each creature, and
            for each of the world's chains and props.
        poses: for display, by ascending tick; each is decoded when it is looked at.
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
    """Poses as they stand in the file, decoded one at a time."""

    def __init__(self, messages: Sequence[bytes], world: WorldDef) -> None:
        """Keep the encoded messages, of a world with all creatures that ever were."""
        self._messages = messages
        self._world = world

    def __len__(self) -> int:
        """How many there are."""
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
                f"/pose {index}: expected a pose, found another ({error})"
            ) from None

    @cached_property
    def ticks(self) -> list[float]:
        """The tick of every pose."""
        return [orjson.loads(message)["tick"] for message in self._messages]


class _Contents:
    """The records of a file, as far as it can be read."""

    def __init__(self) -> None:
        self.attachments: dict[str, bytes] = {}
        self.metadata: dict[str, str] | None = None
        self.messages: dict[str, list[bytes]] = {
            "/input": [],
            "/digest": [],
            "/pose": [],
            "/end": [],
        }

    def read(self, path: Path) -> None:
        """Read to the end of the data; every way in which bytes can be wrong is a ReplayError."""
        try:
            size = path.stat().st_size
            with path.open("rb") as stream:
                if size == 0:
                    raise ReplayCorrupt(f"{path}: expected a replay, found an empty file")
                if not MAGIC.startswith(stream.read(len(MAGIC))):
                    raise ReplayCorrupt(
                        f"{path}: expected a replay (MCAP), found a file of another kind"
                    )
                stream.seek(0)
                self._read(
                    StreamReader(
                        stream, emit_chunks=True, validate_crcs=True, record_size_limit=size
                    )
                )
        except OSError as error:
            raise ReplayError(
                f"{path}: expected a readable replay file, found none ({error.strerror})"
            ) from None
        except (McapError, struct.error, EOFError) as error:
            raise self._truncated(path, error) from None
        except (ValueError, zstandard.ZstdError, KeyError, IndexError, MemoryError) as error:
            raise ReplayCorrupt(
                f"{path}: expected whole data, found damage after tick {self.last_tick} ({error})"
            ) from None

    @property
    def last_tick(self) -> int:
        """The last tick that could be read."""
        return max(0, len(self.messages["/digest"]) - 1)

    def _truncated(self, path: Path, error: Exception) -> ReplayError:
        return ReplayTruncated(
            f"{path}: expected a recording with its end, found that it breaks off after tick "
            f"{self.last_tick} ({str(error) or 'end of file'})"
        )

    def _read(self, reader: StreamReader) -> None:
        topics: dict[int, str] = {}
        for record in reader.records:
            found = [record]
            if isinstance(record, Chunk):
                if record.uncompressed_size > LARGEST_CHUNK:
                    raise ValueError(f"a chunk of {record.uncompressed_size} bytes")
                found = breakup_chunk(record, validate_crc=True)
            for item in found:
                if isinstance(item, Channel):
                    topics[item.id] = item.topic
                elif isinstance(item, Message):
                    self.messages.setdefault(topics[item.channel_id], []).append(item.data)
                elif isinstance(item, Attachment):
                    self.attachments[item.name] = item.data
                elif isinstance(item, Metadata) and item.name == METADATA_NAME:
                    self.metadata = item.metadata
                elif isinstance(item, DataEnd):
                    return


def open_replay(path: str | Path) -> Replay:
    """Read a replay file.

    Raises:
        ReplayTruncated: it has no end.
        ReplayCorrupt: its bytes are damaged, or it is no replay.
        ReplayVersion: its format is not the one of this version.
        ReplayError: it cannot be opened.
    """
    file = Path(path)
    contents = _Contents()
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
            f"{file}: expected messages of a replay, found others ({error})"
        ) from None


def _decode(
    path: Path,
    attachments: Mapping[str, bytes],
    metadata: dict[str, str],
    messages: dict[str, list[bytes]],
) -> Replay:
    """Make sense of a file's records."""
    world_bytes = attachments[WORLD_NAME]
    start = _with_data(WorldDef.model_validate(orjson.loads(world_bytes)), attachments)
    digests = [orjson.loads(message) for message in messages["/digest"]]
    given = [orjson.loads(message) for message in messages["/input"]]
    end = orjson.loads(messages["/end"][-1])
    if len(digests) != end["tick"] + 1 or _are_not_from(0, digests):
        raise ValueError("/digest is not there for every tick")
    if len(given) != end["tick"] or _are_not_from(1, given):
        raise ValueError("/input is not there for every tick")
    missing = {placement.creature for placement in start.creatures} - start.plans.keys()
    if missing:
        raise ValueError(f"{WORLD_NAME} lacks the plans {sorted(missing)}")
    if not messages["/pose"]:
        raise ValueError("/pose is not there")
    inputs = tuple(decode_input(message) for message in given)
    world, counts = _roll_call(start, inputs)
    for message, count in zip(digests, counts, strict=True):
        if (
            len(message["creatures"]) != count
            or len(message.get("chains", ())) != len(world.rigs)
            or len(message.get("props", ())) != len(world.props)
            or not isinstance(message["chain"], str)
            or not all(
                isinstance(parts, dict)
                for kind in ("creatures", "chains", "props")
                for parts in message.get(kind, ())
            )
        ):
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


def _with_data(world: WorldDef, attachments: Mapping[str, bytes]) -> WorldDef:
    """The world with what its imports are made of; ValueError or DefinitionError if not there.

    Whatever is there has the digests that the world names, and can be built.
    """

    def attached(definition: DataDef, nodes: Floats) -> DataDef:
        name = data_name(definition)
        if definition.digest is None or name not in attachments:
            raise ValueError(f"attachment {name}, the ground, is not there")
        try:
            return check_data(definition.with_data(decode_data(attachments[name])), nodes)
        except (ValueError, DefinitionError) as error:
            raise ValueError(f"attachment {name}: {error}") from None

    return world.model_copy(update={"terrain": with_imports(world.terrain, attached)})


def _are_not_from(first: int, messages: Sequence[dict[str, Any]]) -> bool:
    """Whether messages are not of ticks `first`, `first` + 1, ..."""
    return any(message["tick"] != tick for tick, message in enumerate(messages, first))

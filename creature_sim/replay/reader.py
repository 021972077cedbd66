"""Reads replay files, and says exactly what is wrong with a file that it cannot read."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import orjson
from pydantic import ValidationError

from creature_sim.definitions import WorldDef, explain
from creature_sim.errors import DefinitionError, ReplayCorrupt, ReplayTruncated, ReplayVersion
from creature_sim.files.problems import shown
from creature_sim.maths import Floats
from creature_sim.replay.batch_timeline import BatchTimeline, timeline_of
from creature_sim.replay.codec import (
    data_name,
    decode_changes,
    decode_data,
    decode_event,
    decode_input,
    with_models,
)
from creature_sim.replay.container import Container
from creature_sim.replay.digests import OLD_LINK, Rows
from creature_sim.replay.digests import decode as decode_digests
from creature_sim.replay.json_poses import decode_pose
from creature_sim.replay.plugins import without_missing_kinds
from creature_sim.replay.pose_codec import decode_pose as decode_pose_bytes
from creature_sim.replay.replay import Replay
from creature_sim.replay.schemas import BEFORE_NAME, KEYFRAME, READABLE, WORLD_NAME
from creature_sim.replay.sizes import LARGEST_WORLD, check_items
from creature_sim.replay.timeline import WRONG, Change, Messages, Timeline
from creature_sim.snapshots.snapshot import digest_of
from creature_sim.terrain import DataDef
from creature_sim.terrain.files.imports import check_data, with_imports

T = TypeVar("T")
FEW = 5
"""Problems of a world that are told."""


def open_replay(path: str | Path) -> Replay:
    """Read a replay file, or as much of it as is whole: `cut` says where a file breaks off.

    Raises:
        ReplayTruncated: it breaks off before its first state.
        ReplayCorrupt: it is no replay, or its messages are not those of one.
        ReplayVersion: this version does not read its format.
        ReplayError: it cannot be opened.
    """
    container = Container(Path(path))
    start = read_start(container)
    timeline = timeline_of(start.version, start.world, start.before)
    cut = container.damage
    for chunk in range(len(container)):
        try:
            container.check(chunk)
        except ValueError as error:
            cut = str(error)
            break
        try:
            for found in container.messages(chunk):
                timeline.add(found)
        except ValueError as error:
            raise ReplayCorrupt(
                f"{path}: expected messages of a replay, found something else ({error})"
            ) from None
    return replay_of(container, start, timeline, cut)


class Start(NamedTuple):
    """What a file says before its first state.

    Attributes:
        world: before tick 1.
        before: creatures that came and went before the first state.
        missing: kinds of ground that are not installed here; empty where none is.
        version: format of the file.
    """

    world: WorldDef
    before: list[Change]
    missing: str
    version: str


def read_start(container: Container) -> Start:
    """What a file says before its first state.

    Raises:
        ReplayCorrupt: it is the file of something else.
        ReplayTruncated: it breaks off before its world.
        ReplayVersion: this version does not read its format.
    """
    file, attachments = container.path, container.attachments
    if container.metadata is None or WORLD_NAME not in attachments:
        if container.damage:
            raise ReplayTruncated(
                f"{file}: expected a recording, found that it breaks off before its first state "
                f"({container.damage})"
            )
        raise ReplayCorrupt(
            f"{file}: expected a replay of creature_sim, found an MCAP file of something else"
        )
    version = container.metadata.get("format")
    if version not in READABLE:
        writer = container.metadata.get("creature_sim", "unknown")
        raise ReplayVersion(
            f"{file}: expected format {READABLE[0]} to {READABLE[-1]}, found {shown(version)}, "
            f"written by creature_sim {writer}"
        )
    world = attachments[WORLD_NAME]
    try:
        check_items(WORLD_NAME, world, LARGEST_WORLD)
        fields, missing = without_missing_kinds(orjson.loads(world), container.metadata)
        start = _with_data(WorldDef.model_validate(fields), attachments)
        start = with_models(start, attachments)
        unknown = {placement.creature for placement in start.creatures} - start.species.keys()
        if unknown:
            raise ValueError(f"{WORLD_NAME} lacks the species {sorted(unknown)}")
        history = attachments.get(BEFORE_NAME, b"[]")
        check_items(BEFORE_NAME, history, LARGEST_WORLD)
        before = decode_changes(history)
        return Start(start, [Change(*change) for change in before], missing, version)
    except ValidationError as error:
        problems = explain(error)
        more = f"; and {len(problems) - FEW} more" if len(problems) > FEW else ""
        raise ReplayCorrupt(f"{file}: {WORLD_NAME}: {'; '.join(problems[:FEW])}{more}") from None
    except (*WRONG, DefinitionError) as error:
        raise ReplayCorrupt(
            f"{file}: expected messages of a replay, found something else ({error})"
        ) from None


def replay_of(container: Container, start: Start, timeline: Timeline, cut: str) -> Replay:
    """A replay of the ticks of a timeline; ReplayCorrupt or ReplayTruncated if there is none."""
    first = _first_of(timeline, container.path, cut)
    tracks, last, world = timeline.tracks, timeline.last, timeline.world
    assert container.metadata is not None
    if tracks["/input"].ticks[-1:] == [last + 1]:  # cut off between it and its state
        del tracks["/input"].ticks[-1]
    if timeline.end is None and not cut:
        cut = "it has no end mark"

    def messages(topic: str, decode: Callable[[bytes], T]) -> Messages[T]:
        return Messages(container, topic, tracks[topic].slots, tracks[topic].ticks, decode)

    digests: Sequence[dict[str, Any]] = messages("/digest", orjson.loads)
    poses = messages("/pose", lambda data: decode_pose(orjson.loads(data), world))
    if isinstance(timeline, BatchTimeline):
        batches = Messages(
            container, "/digest", tracks["/digest"].slots, timeline.firsts, decode_digests
        )
        digests = Rows(batches, timeline.firsts, last - first + 1)
        poses = messages("/pose", lambda data: decode_pose_bytes(data, world, start.version))
    return Replay(
        path=container.path,
        start=start.world,
        world=world,
        world_bytes=container.attachments[WORLD_NAME],
        metadata=container.metadata,
        first=first,
        inputs=messages("/input", lambda data: decode_input(orjson.loads(data))),
        digests=digests,
        poses=poses,
        events=messages("/event", lambda data: decode_event(orjson.loads(data))),
        keyframes=messages(KEYFRAME, bytes),
        changes=tuple(timeline.changes),
        digest=timeline.end["digest"] if timeline.end else state_digest(digests),
        cut=cut,
        missing=start.missing,
    )


def _first_of(timeline: Timeline, path: Path, cut: str) -> int:
    """The first tick of a timeline; refuse one that has no state, or nothing to show."""
    first = timeline.first
    if first is None:
        raise ReplayTruncated(
            f"{path}: expected a recording, found that it breaks off before its first state "
            f"({cut or 'no state'})"
        )
    if first and timeline.tracks[KEYFRAME].ticks[:1] != [first]:
        raise ReplayCorrupt(
            f"{path}: expected the state of tick 0, or a keyframe, found tick {first}"
        )
    if not timeline.tracks["/pose"].ticks:
        raise ReplayCorrupt(f"{path}: expected poses, found none")
    return first


def state_digest(digests: Sequence[Mapping[str, Any]]) -> str:
    """The digest of the last state, from the digests of its parts; empty where those are short."""
    message = digests[-1]
    if len(message["chain"]) < OLD_LINK:
        return ""
    return digest_of(
        message["tick"],
        (*message["creatures"], *message.get("chains", ()), *message.get("props", ())),
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

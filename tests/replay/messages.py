"""Messages of recordings as tables of Python that tests change, and back again."""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import orjson
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.json_format import MessageToDict, ParseDict
from google.protobuf.message_factory import GetMessageClass

from creature_sim.definitions import WorldDef
from creature_sim.inputs import Input
from creature_sim.replay import digests
from creature_sim.replay.pose_codec import per_metre
from creature_sim.replay.pose_schema import POSE_NAME, schema
from creature_sim.snapshots.pose_bytes import ROTATION_SCALE
from creature_sim.snapshots.snapshot import Snapshot


def restless(snapshot: Snapshot) -> Input:
    """Ahead, with another speed in every tick: each has an input of its own in the file."""
    return Input.of([(0.9 if snapshot.tick % 2 else 1.0, 0.0)])


def rounding(world: WorldDef) -> float:
    """How far a coordinate of a recorded pose is off at most [m]: half a grain, and a rest."""
    return 0.5 / per_metre(world) + 1e-9


def joint_rounding(world: WorldDef, arm: float) -> float:
    """How far a coordinate of a leg's joint, so far from its body at most, is off [m].

    Files have joints as the body sees them: to the body's own rounding comes that of three numbers
    along its axes, at most √3 times as much along one of the world's, and the body is turned by as
    much as its orientation is rounded, 2 |dq| with four numbers of half a grain each.
    """
    turned = 2.0 * 0.5 * 2.0 / ROTATION_SCALE  # 2, half a grain, √4
    return (1.0 + math.sqrt(3.0)) * rounding(world) + turned * arm


def _pose_class() -> Any:
    """The message as Google's library builds it from the schema that recordings have."""
    pool = DescriptorPool()
    for file in FileDescriptorSet.FromString(schema()).file:
        pool.Add(file)
    return GetMessageClass(pool.FindMessageTypeByName(POSE_NAME))


POSE = _pose_class()


def pose_table(data: bytes) -> dict[str, Any]:
    """A pose, as Google's library reads it."""
    table: dict[str, Any] = MessageToDict(
        POSE.FromString(data),
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=True,
    )
    return table


def pose_bytes(table: dict[str, Any]) -> bytes:
    """A pose as Google's library writes it."""
    data: bytes = ParseDict(table, POSE()).SerializeToString(deterministic=True)
    return data


def with_field(
    topic: str, tick: int, change: Callable[[dict[str, Any]], None]
) -> Callable[[str, bytes], bytes]:
    """A change of what one tick's message says."""

    def apply(found: str, data: bytes) -> bytes:
        if found != topic:
            return data
        if topic == "/digest":
            return _with_digest(data, tick, change)
        if topic == "/pose":
            table = pose_table(data)
            if int(table["tick"]) != tick:
                return data
            change(table)
            return pose_bytes(table)
        message = orjson.loads(data)
        if message.get("tick", tick) != tick:
            return data
        change(message)
        return orjson.dumps(message)

    return apply


def _with_digest(data: bytes, tick: int, change: Callable[[dict[str, Any]], None]) -> bytes:
    batch = digests.decode(data)
    at = tick - batch.tick
    if not 0 <= at < batch.count:
        return data
    told = batch.at(at)
    change(told)
    found = "".join(
        text for kind in digests.OWNERS for parts in told[kind] for text in parts.values()
    )
    assert len(found) == batch.size
    begin, link = at * batch.size, at * len(told["chain"])
    changed = replace(
        batch,
        hashes=batch.hashes[:begin] + found + batch.hashes[begin + batch.size :],
        links=batch.links[:link] + told["chain"] + batch.links[link + len(told["chain"]) :],
    )
    return changed.part(batch.tick, batch.tick + batch.count - 1)

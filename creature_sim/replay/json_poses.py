"""Poses in JSON, as recordings before format 5 have them."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from creature_sim.definitions import RigDef, WorldDef
from creature_sim.maths.geometry import along_ground
from creature_sim.replay.pose_arrays import (
    POSE_FIELDS,
    away,
    floats_of,
    pose_of_arrays,
    pose_shapes,
    rig_shapes,
)
from creature_sim.snapshots.poses import NO_PROPS, ChainPose, HerdPose, Pose, PropsPose
from creature_sim.snapshots.snapshot import ChainState

Rows = tuple[NDArray[np.int64], Mapping[str, NDArray[Any]]]
"""Numbers of the creatures of a herd, and their arrays as `rounded` makes them."""


def encode_pose(pose: Pose) -> bytes:
    """The /pose message of a tick, rounded to hundredths of a millimetre."""
    herds = [(herd.members, rounded(herd)) for herd in pose.herds]
    return pose_message(pose.tick, pose.creature_count, herds, pose.chains, pose.props)


def pose_message(
    tick: float,
    creature_count: int,
    herds: Sequence[Rows],
    chains: Sequence[ChainPose | ChainState],
    props: PropsPose,
) -> bytes:
    """The /pose message of a tick, after which so many creatures have had numbers."""
    creatures: list[Any] = [None] * creature_count
    for members, arrays in herds:
        for row, member in enumerate(members.tolist()):
            creatures[member] = {name: array[row] for name, array in arrays.items()}
    message: dict[str, Any] = {"tick": tick, "creatures": creatures}
    if chains:
        message["chains"] = [
            {"joints": chain.joints.round(5), "targets": chain.targets.round(5)} for chain in chains
        ]
    if len(props.positions):
        message["props"] = {
            "positions": props.positions.round(5),
            "orientations": props.orientations.round(5),
        }
    return orjson.dumps(message, option=orjson.OPT_SERIALIZE_NUMPY)


def rounded(herd: HerdPose) -> dict[str, NDArray[Any]]:
    """The arrays of a pose, rounded all at once: one by one would take twice as long."""
    arrays = {name: getattr(herd, name) for name in POSE_FIELDS}
    flat = np.concatenate([array.ravel() for array in arrays.values()]).round(5)
    end = 0
    for name, array in arrays.items():
        begin, end = end, end + array.size
        arrays[name] = flat[begin:end].reshape(array.shape)
    return {**arrays, "is_swinging": herd.is_swinging}


def decode_pose(message: Mapping[str, Any], world: WorldDef) -> Pose:
    """The pose of a /pose message of a world with all creatures that ever were."""
    creatures = message["creatures"]
    if len(creatures) > len(world.creatures):
        raise ValueError(f"{len(creatures)} creatures")

    def herd(name: str, numbers: Sequence[int]) -> HerdPose:
        is_there = [n < len(creatures) and creatures[n] is not None for n in numbers]
        shapes = pose_shapes(world.species[name])
        rows = [
            _with_headings(creatures[n]) if there else away(shapes, world.creatures[n].position)
            for n, there in zip(numbers, is_there, strict=True)
        ]
        return pose_of_arrays(rows, shapes, numbers, is_there)

    def chain(rig: RigDef, fields: Mapping[str, Any]) -> ChainPose:
        joints, targets = rig_shapes(rig)
        tips = floats_of(fields["targets"], *targets)
        return ChainPose(floats_of(fields["joints"], *joints), tips)

    chains = message.get("chains", ())
    if len(chains) != len(world.rigs):
        raise ValueError(f"{len(chains)} chains and trees")
    return Pose(
        message["tick"],
        tuple(herd(name, numbers) for name, numbers in world.herds),
        tuple(chain(rig, fields) for rig, fields in zip(world.rigs, chains, strict=True)),
        _props(message.get("props"), len(world.props)),
        len(world.creatures),
    )


def _with_headings(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """A creature of a pose; in older recordings toes point to where its body does."""
    if "headings" in fields:
        return fields
    x, y, z, w = (float(part) for part in fields["orientations"][0])
    ahead = (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + z * w), 2.0 * (x * z - y * w))
    normals = np.array(fields["normals"], dtype=np.float64)
    return {**fields, "headings": along_ground(np.array(ahead), normals)}


def _props(fields: Mapping[str, Any] | None, count: int) -> PropsPose:
    """The props of a /pose message of a world with so many."""
    if fields is None and not count:
        return NO_PROPS
    if fields is None:
        raise ValueError("no props")
    return PropsPose(
        floats_of(fields["positions"], count, 3), floats_of(fields["orientations"], count, 4)
    )

"""What is in a replay file, and how it is encoded. The container is MCAP (mcap.dev).

    attachment  world.json      the resolved world: ground, creatures, seed, tick rate
    attachment  DIGEST.zst      the data of a ground, or of a layer or patch of it, that came from
                                a file (terrain/files/imports.py), compressed, and named by the
                                digest that the world states for it; one for each digest; likewise
                                the models that creatures look like, which nothing depends on
    metadata    creature_sim    format, math_profile, heights digest, systems, versions; exactness:
                                whether the run repeats everywhere, or on its machine only
    /input      where it changes quantised commands and events, before the tick
    /digest     of every tick   hash of every part of every creature, chain and prop, after the
                                tick; a hash chain
    /pose       30 a second     for display only; exact states come from simulating again
    /keyframe   every 10 s      all state after the tick, as bytes (keyframes.py), where a world's
                                replay is exact everywhere; seeking begins there
    /event      at each step    which foot, why, where to, score of the foothold; also motions
                                that were refused, and falls of creatures that forces move
    /end        once            number of the last tick, digest of its state
    attachment  before.json     of a part of a recording: creatures that came and went before it

Poses are protobuf (pose_schema.py), all other messages but keyframes JSON, each with its schema.
Digests of a second are one message (digests.py). Time comes from the tick, never from a clock.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import prod
from operator import itemgetter
from typing import Any

import numpy as np
import orjson
import zstandard
from numpy.typing import NDArray

from creature_sim.components import LIFTING, REASONS
from creature_sim.definitions import ChainDef, CreatureDef, PlacementDef, RigDef, WorldDef
from creature_sim.definitions.model import LookDef
from creature_sim.definitions.world import targets_of
from creature_sim.errors import DefinitionError
from creature_sim.inputs import Event, Input
from creature_sim.library.skins import Shown
from creature_sim.maths import Floats
from creature_sim.maths.geometry import along_ground
from creature_sim.models.binding import binding_of
from creature_sim.motions.refusals import refusals_in
from creature_sim.snapshots.falls import falls_in
from creature_sim.snapshots.poses import (
    NO_PROPS,
    ChainPose,
    Fall,
    Happening,
    HerdPose,
    Pose,
    PropsPose,
    Refusal,
    Step,
)
from creature_sim.snapshots.snapshot import ChainState, Snapshot
from creature_sim.terrain import DataDef
from creature_sim.terrain.files.imports import MAX_BYTES, imports_of

POSE_RATE = 30
"""Poses per second, at most."""
FARTHEST_POSE = 1e7
"""No creature gets so far from the origin [m]."""

DEPTH = -50.0
"""Height at which creatures are shown that are not there [m]."""
POSE_FIELDS = (
    "positions", "orientations", "joints", "normals", "headings", "goals", "footholds",
)  # fmt: skip


def encode_world(world: WorldDef) -> bytes:
    """A resolved world as bytes, always the same for the same world."""
    return orjson.dumps(world.model_dump(mode="json"))


def data_name(described: DataDef | LookDef) -> str:
    """Name of the attachment that holds the data of a ground or of a model."""
    return f"{described.digest}.zst"


def encode_data(data: bytes) -> bytes:
    """The data of a ground or of a model, compressed."""
    return zstandard.ZstdCompressor(level=10).compress(data)


def data_of(world: WorldDef) -> dict[str, bytes]:
    """The data of the grounds and of the models of a world, by the name of their attachment."""
    found = {data_name(ground): ground.data for _, ground in imports_of(world.terrain)}
    return found | {data_name(model): model.data for model in _models(world) if model.data}


def _models(world: WorldDef) -> list[LookDef]:
    """What creatures, chains and trees of a world look like, as far as they have models."""
    creatures = [species.model for species in world.species.values() if species.model]
    return [*creatures, *(rig.model for rig in world.rigs if rig.model)]


def with_models(world: WorldDef, attachments: Mapping[str, bytes]) -> WorldDef:
    """The world with the models of its creatures, as far as they are there and whole.

    Nothing depends on them: a creature without its model is drawn as its own solids.
    """

    def completed(shown: Shown) -> Shown:
        model = shown.model
        if model is None or data_name(model) not in attachments:
            return shown
        try:
            loaded = model.with_data(decode_data(attachments[data_name(model)]))
            found = shown.model_copy(update={"model": loaded})
            binding_of(found)
        except (ValueError, DefinitionError):
            return shown
        return found if loaded.digest == model.digest else shown

    named = {key: completed(species) for key, species in world.species.items()}
    chains = tuple(completed(chain) for chain in world.chains)
    trees = tuple(completed(tree) for tree in world.trees)
    return world.model_copy(update={"species": named, "chains": chains, "trees": trees})


def models_missing(world: WorldDef) -> list[str]:
    """Files of models that a world names and does not have."""
    return sorted({model.file for model in _models(world) if model.data is None})


def decode_data(packed: bytes) -> bytes:
    """The data of a ground or of a model; ValueError where they are damaged or too large."""
    try:
        size = zstandard.frame_content_size(packed)
        if not 0 <= size <= MAX_BYTES:
            raise ValueError(f"expected at most {MAX_BYTES} bytes of data, found {size}")
        return zstandard.ZstdDecompressor().decompress(packed, max_output_size=MAX_BYTES)
    except zstandard.ZstdError as error:
        raise ValueError(f"expected compressed data, found damage ({error})") from None


def encode_changes(changes: Sequence[tuple[int, Event]]) -> bytes:
    """Creatures that came and went before the first tick of a part of a recording."""
    return orjson.dumps([{"tick": tick, "event": _event_fields(event)} for tick, event in changes])


def decode_changes(data: bytes) -> list[tuple[int, Event]]:
    """What `encode_changes` wrote; KeyError, TypeError or ValueError if it is something else."""
    return [(int(change["tick"]), _event(change["event"])) for change in orjson.loads(data)]


def encode_input(tick: int, given: Input) -> bytes:
    """The /input message of a tick."""
    events = [_event_fields(event) for event in given.events]
    return orjson.dumps({"tick": tick, "commands": given.commands, "events": events})


def _event_fields(event: Event) -> dict[str, Any]:
    """Those fields of an event that say something; numbers as they are after reading them back."""
    fields: dict[str, Any] = {"kind": event.kind}
    for name in ("creature", "chain", "leg", "prop", "other"):
        if getattr(event, name) is not None:
            fields[name] = getattr(event, name)
    for name in ("point", "velocity", "rotation", "shift", "turn", "angles", "offsets"):
        if getattr(event, name) is not None:
            fields[name] = [float(x) for x in getattr(event, name)]
    if event.point is not None:
        fields["target"] = event.target
    if event.kind == "set_pole":
        fields["on"] = event.on
    for name in ("definition", "placement"):
        model = getattr(event, name)
        if model is not None:
            fields[name] = model.model_dump(mode="json")
    return fields


def decode_input(message: Mapping[str, Any]) -> Input:
    """The input of an /input message; KeyError, TypeError or ValueError if it is not one."""
    return Input(
        tuple(tuple(int(axis) for axis in command) for command in message["commands"]),
        tuple(_event(fields) for fields in message["events"]),
    )


def _event(fields: Mapping[str, Any]) -> Event:
    return Event(
        fields["kind"],
        fields.get("creature"),
        fields.get("chain"),
        fields.get("target", 0),
        _triple(fields.get("point")),
        fields.get("leg"),
        _triple(fields.get("velocity")),
        CreatureDef.model_validate(fields["definition"]) if "definition" in fields else None,
        PlacementDef.model_validate(fields["placement"]) if "placement" in fields else None,
        _quadruple(fields.get("rotation")),
        fields.get("on", "world"),
        fields.get("prop"),
        _triple(fields.get("shift")),
        _triple(fields.get("turn")),
        fields.get("other"),
        tuple(float(x) for x in fields["angles"]) if "angles" in fields else None,
        tuple(float(x) for x in fields["offsets"]) if "offsets" in fields else None,
    )


def _quadruple(value: Sequence[float] | None) -> tuple[float, float, float, float] | None:
    if value is None:
        return None
    x, y, z, w = value
    return (float(x), float(y), float(z), float(w))


def _triple(value: Sequence[float] | None) -> tuple[float, float, float] | None:
    if value is None:
        return None
    x, y, z = value
    return (float(x), float(y), float(z))


def pose_ticks(tick_rate: int) -> int:
    """Ticks from one recorded pose to the next."""
    return max(1, round(tick_rate / POSE_RATE))


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
        return ChainPose(_floats(fields["joints"], *joints), _floats(fields["targets"], *targets))

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


def pose_of_arrays(
    rows: Sequence[Mapping[str, Any]],
    shapes: Mapping[str, tuple[int, ...]],
    numbers: Sequence[int],
    is_there: Sequence[bool],
) -> HerdPose:
    """The pose of a herd from the arrays of each of its creatures; ValueError if they do not fit.

    Args:
        rows: of each creature, as `HerdPose` names them.
        shapes: that they must have.
        numbers: of the creatures.
        is_there: which of them are.
    """
    floats = {
        field: _floats([fields[field] for fields in rows], len(rows), *shape)
        for field, shape in shapes.items()
    }
    swinging = np.array([fields["is_swinging"] for fields in rows], dtype=np.bool_)
    if swinging.shape != floats["goals"].shape[:2]:
        raise ValueError(f"is_swinging of {swinging.shape}")
    return HerdPose(np.array(numbers), **floats, is_swinging=swinging, is_there=np.array(is_there))


def rig_shapes(rig: RigDef) -> tuple[tuple[int, int], tuple[int, int]]:
    """Shapes of the joints and targets of a chain or tree in a pose."""
    count = 1 + len(rig.bones if isinstance(rig, ChainDef) else rig.joints)
    return (count, 3), (len(targets_of(rig)), 3)


def pose_shapes(definition: CreatureDef) -> dict[str, tuple[int, ...]]:
    """Shapes of a creature's arrays in a pose."""
    segments, legs = len(definition.boxes), len(definition.all_legs)
    joints = 1 + max(len(leg.bones) for leg in definition.all_legs)
    shapes = (segments, 3), (segments, 4), (legs, joints, 3), *[(legs, 3)] * 4
    return dict(zip(POSE_FIELDS, shapes, strict=True))


def pose_size(definition: CreatureDef) -> int:
    """How many numbers the pose of a creature has."""
    shapes = pose_shapes(definition)
    return shapes["goals"][0] + sum(prod(shape) for shape in shapes.values())


def away(
    shapes: Mapping[str, tuple[int, ...]], position: tuple[float, float]
) -> dict[str, Floats | list[bool]]:
    """A creature that is not there: all its points are one, far below where it starts."""
    point = (*position, DEPTH)
    fields: dict[str, Floats | list[bool]] = {
        field: np.broadcast_to(point, shape) for field, shape in shapes.items() if shape[-1] == 3
    }
    fields["orientations"] = np.broadcast_to((0.0, 0.0, 0.0, 1.0), shapes["orientations"])
    fields["normals"] = np.broadcast_to((0.0, 0.0, 1.0), shapes["normals"])
    fields["headings"] = np.broadcast_to((1.0, 0.0, 0.0), shapes["headings"])
    fields["is_swinging"] = [False] * shapes["goals"][0]
    return fields


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
        _floats(fields["positions"], count, 3), _floats(fields["orientations"], count, 4)
    )


def _floats(values: object, *shape: int) -> Floats:
    """Numbers of a pose, of the expected shape; ValueError if they cannot be shown."""
    found = np.array(values, dtype=np.float64)
    if found.shape != shape:
        raise ValueError(f"numbers of the shape {found.shape} instead of {shape}")
    if not (np.abs(found) <= FARTHEST_POSE).all():
        raise ValueError("a number that is too large to be shown")
    return found


def encode_events(snapshot: Snapshot) -> list[bytes]:
    """One /event message for each foot that lifted in a tick, each refusal and each fall."""
    steps = []
    for herd in snapshot.herds:
        feet = herd.parts["foot_target"]["records"]
        scores = herd.parts["foothold"]["records"]["score"]
        for row, leg in np.argwhere(feet["phase"] == LIFTING).tolist():
            foot = feet[row, leg]
            step = {
                "tick": snapshot.tick,
                "kind": "step",
                "creature": int(herd.members[row]),
                "leg": leg,
                "reason": REASONS[foot["reason"]],
                "foothold": foot["goal"].round(5).tolist(),
                "score": round(float(scores[row, leg]), 4),
            }
            steps.append(step)
    steps.sort(key=itemgetter("creature"))  # the legs of each stay in their order
    refusals = [
        {"tick": refusal.tick, "kind": "refusal", **asdict(refusal)}
        for refusal in refusals_in(snapshot)
    ]
    falls = [{"tick": fall.tick, "kind": "fall", **asdict(fall)} for fall in falls_in(snapshot)]
    return [orjson.dumps(event) for event in (*steps, *refusals, *falls)]


def decode_event(message: Mapping[str, Any]) -> Happening:
    """What an /event message tells; KeyError, TypeError or ValueError if it tells nothing."""
    tick, creature, reason = (message[key] for key in ("tick", "creature", "reason"))
    if message["kind"] == "refusal":
        return Refusal(int(tick), int(creature), str(message["motion"]), str(reason))
    if message["kind"] == "fall":
        return Fall(int(tick), int(creature), str(reason))
    leg, score = int(message["leg"]), float(message["score"])
    return Step(int(tick), int(creature), leg, str(reason), score)

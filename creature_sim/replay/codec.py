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
    /keyframe   1 to 10 s apart all state after the tick, as bytes (keyframes.py), where a world's
                                replay is exact everywhere; seeking begins there
    /event      at each step    which foot, why, where to, score of the foothold; also motions
                                that were refused, and falls of creatures that forces move
    /end        once            number of the last tick, digest of its state
    attachment  before.json     of a part of a recording: creatures that came and went before it

Poses are protobuf (pose_schema.py; in older files JSON, json_poses.py), all other messages but
keyframes JSON, each with its schema.
Digests of a second are one message (digests.py). Time comes from the tick, never from a clock.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import orjson
import zstandard

from creature_sim.definitions import CreatureDef, PlacementDef, WorldDef
from creature_sim.definitions.model import LookDef
from creature_sim.errors import DefinitionError
from creature_sim.files.definition import Definition
from creature_sim.inputs import Event, Input
from creature_sim.library.skins import Shown
from creature_sim.models.binding import binding_of
from creature_sim.snapshots.poses import Fall, Happening, Refusal, Step
from creature_sim.terrain import DataDef
from creature_sim.terrain.files.imports import MAX_BYTES, imports_of

_INDICES = ("creature", "chain", "leg", "prop", "other")
_LISTS = ("point", "velocity", "rotation", "shift", "turn", "angles", "offsets")
_MODELS: Mapping[str, type[Definition]] = {"definition": CreatureDef, "placement": PlacementDef}
"""Fields of events by how they are written: numbers, lists of numbers, tables."""


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


class InputEncoder:
    """Encodes inputs as `encode_input` does; the last one is not encoded twice.

    What a thousand creatures are told is hashed, and written with the number of its tick.
    """

    def __init__(self) -> None:
        """Know none."""
        self._given: Input | None = None
        self._said = b""

    def __call__(self, tick: int, given: Input) -> bytes:
        """The /input message of a tick."""
        if given is not self._given:
            self._given, self._said = given, encode_input(0, given)[len(_AT_ZERO) :]
        return b'{"tick":%d%b' % (tick, self._said)


_AT_ZERO = b'{"tick":0'


def _event_fields(event: Event) -> dict[str, Any]:
    """Those fields of an event that say something; numbers as they are after reading them back."""
    said = {name: value for name, value in vars(event).items() if value is not None}
    fields: dict[str, Any] = {"kind": event.kind}
    fields |= {name: said[name] for name in _INDICES if name in said}
    fields |= {name: [float(x) for x in said[name]] for name in _LISTS if name in said}
    if event.point is not None:
        fields["target"] = event.target
    if event.kind == "set_pole":
        fields["on"] = event.on
    return fields | {name: said[name].model_dump(mode="json") for name in _MODELS if name in said}


def decode_input(message: Mapping[str, Any]) -> Input:
    """The input of an /input message; KeyError, TypeError or ValueError if it is not one."""
    return Input(
        tuple(tuple(int(axis) for axis in command) for command in message["commands"]),
        tuple(_event(fields) for fields in message["events"]),
    )


def _event(fields: Mapping[str, Any]) -> Event:
    """The event of its fields; how long its lists may be, `check_input` says."""
    said = {name: value for name, value in fields.items() if value is not None}
    found = {name: said[name] for name in (*_INDICES, "target", "on") if name in said}
    found |= {name: tuple(float(x) for x in said[name]) for name in _LISTS if name in said}
    found |= {
        name: model.model_validate(said[name]) for name, model in _MODELS.items() if name in said
    }
    return Event(fields["kind"], **found)


def decode_event(message: Mapping[str, Any]) -> Happening:
    """What an /event message tells; KeyError, TypeError or ValueError if it tells nothing."""
    tick, creature, reason = (message[key] for key in ("tick", "creature", "reason"))
    if message["kind"] == "refusal":
        return Refusal(int(tick), int(creature), str(message["motion"]), str(reason))
    if message["kind"] == "fall":
        return Fall(int(tick), int(creature), str(reason))
    leg, score = int(message["leg"]), float(message["score"])
    return Step(int(tick), int(creature), leg, str(reason), score)

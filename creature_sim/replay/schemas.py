"""Topics of a replay file, and the JSON Schema of the messages of each."""

from collections.abc import Mapping

import orjson

from creature_sim.components import FALLS_OF_TWINS, REASONS, REFUSALS

FORMAT = "6"
"""Of files that are written."""
READABLE = ("2", "3", "4", "5", "6")
"""Formats that are read. In files of 2 no creature comes or goes; those of 2 and 3 have no
keyframes; those before 5 have an input and a digest of every tick, and poses as JSON; those of 5
have longer digests, and joints as the body sees them."""

WORLD_NAME = "world.json"
BEFORE_NAME = "before.json"
METADATA_NAME = "creature_sim"

_NUMBERS = {"type": "array", "items": {"type": "number"}}
_TICK = {"type": "integer", "minimum": 0}


def _schema(**properties: Mapping[str, object]) -> bytes:
    return orjson.dumps({"type": "object", "properties": {"tick": _TICK, **properties}})


def time_of(tick: int, tick_rate: int) -> int:
    """When the messages of a tick are logged and published [ns]."""
    return tick * 10**9 // tick_rate


KEYFRAME = "/keyframe"
"""The one topic whose messages are bytes without a schema."""
SCHEMAS: Mapping[str, bytes] = {
    "/input": _schema(
        commands={"type": "array", "items": _NUMBERS},
        events={
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "kind": {"type": "string"},
                    "creature": {"type": "integer"},
                    "chain": {"type": "integer"},
                    "target": {"type": "integer"},
                    "point": _NUMBERS,
                    "leg": {"type": "integer"},
                    "velocity": _NUMBERS,
                    "rotation": _NUMBERS,
                    "angles": _NUMBERS,
                    "offsets": _NUMBERS,
                    "on": {"type": "string"},
                    "prop": {"type": "integer"},
                    "definition": {"type": "object"},
                    "placement": {"type": "object"},
                },
            },
        },
    ),
    "/digest": _schema(
        chain={"type": "string"},
        creatures={"type": "array", "items": {"type": "object"}},
        chains={"type": "array", "items": {"type": "object"}},
        props={"type": "array", "items": {"type": "object"}},
    ),
    "/pose": _schema(
        creatures={
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "positions": {"type": "array"},
                    "orientations": {"type": "array"},
                    "joints": {"type": "array"},
                    "normals": {"type": "array"},
                    "headings": {"type": "array"},
                    "goals": {"type": "array"},
                    "footholds": {"type": "array"},
                    "is_swinging": {"type": "array", "items": {"type": "boolean"}},
                },
            },
        },
        chains={
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"joints": {"type": "array"}, "targets": {"type": "array"}},
            },
        },
        props={
            "type": "object",
            "properties": {"positions": {"type": "array"}, "orientations": {"type": "array"}},
        },
    ),
    "/event": _schema(
        kind={"type": "string", "enum": ["step", "refusal", "fall"]},
        creature={"type": "integer"},
        leg={"type": "integer"},
        motion={"type": "string"},
        reason={"type": "string", "enum": [*REASONS[1:], *REFUSALS[1:], *FALLS_OF_TWINS[1:]]},
        foothold=_NUMBERS,
        score={"type": "number"},
    ),
    "/end": _schema(digest={"type": "string"}),
}
DIGESTS = _schema(
    ticks={"type": "integer", "minimum": 1},
    chain={"type": "string"},
    parts={"type": "array", "items": {"type": "array", "items": {"type": "string"}}},
    creatures=_NUMBERS,
    chains=_NUMBERS,
    props=_NUMBERS,
    hashes={"type": "string"},
)
"""Of /digest messages since format 5, which tell of several ticks."""
TOPICS = (*SCHEMAS, KEYFRAME)
"""Of all messages, in the order in which a recorder numbers its channels."""


def is_planar(version: str) -> bool:
    """Whether joints are written in the planes of their legs in files of a format."""
    return is_batched(version) and version != "5"


def is_batched(version: str) -> bool:
    """Whether ticks are in batches of a second in files of a format, and poses protobuf."""
    return version not in ("2", "3", "4")

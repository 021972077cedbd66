"""All state after a tick as bytes: where a simulation can go on without what came before.

one line of JSON   {"tick": 600, "parts": [["herd 0", "body", 120], ...]}, its owners in the
                   order of a snapshot, and the size of each part [bytes]
the parts          the fields of each, one after the other, as they lie in memory
"""

from dataclasses import replace
from typing import Any

import orjson

from creature_sim.definitions import WorldDef
from creature_sim.replay.sizes import LARGEST_KEYFRAME
from creature_sim.snapshots.parts import Parts
from creature_sim.snapshots.snapshot import Snapshot

KEYFRAME_SECONDS = 10
"""From one keyframe to the next, of few creatures: what lies between is simulated in a moment."""
MANY = 10
"""With each so many creatures more they are twice, three times, ... as frequent."""
KEYFRAME_RATE = 8 << 20
"""Keyframes are rarer than one a second where that would be more than so much [bytes/s]."""


def keyframe_ticks(world: WorldDef, snapshot: Snapshot) -> int:
    """Ticks between keyframes: longer for few creatures or much state; 0: none are written."""
    size = sum(parts.form.size for parts in snapshot.owners.values())
    if world.exactness == "machine" or size > LARGEST_KEYFRAME // 2:
        return 0
    few = KEYFRAME_SECONDS // (1 + len(world.creatures) // MANY)
    return world.tick_rate * max(few, 1 + size // KEYFRAME_RATE)


def encode_keyframe(snapshot: Snapshot) -> bytes:
    """The /keyframe message of a tick."""
    head = orjson.dumps({"tick": snapshot.tick, "parts": _listed(snapshot)})
    return head + b"\n" + b"".join([parts.data for parts in snapshot.owners.values()])


def decode_keyframe(message: bytes, like: Snapshot) -> Snapshot:
    """The state that a /keyframe message holds.

    Args:
        message: as `encode_keyframe` made it.
        like: a snapshot of the same world, when the same creatures were there.

    Raises:
        ValueError: it is the state of something else.
    """
    head, _, data = message.partition(b"\n")
    found: dict[str, Any] = orjson.loads(head)
    states: dict[str, Parts] = {}
    begin = 0
    for owner, parts in like.owners.items():
        end = begin + parts.form.size
        states[owner] = Parts(parts.form, data[begin:end])
        begin = end
    if found["parts"] != _listed(like) or begin != len(data):
        raise ValueError("it holds the state of another world")
    return replace(
        like,
        tick=int(found["tick"]),
        herds=tuple(
            replace(herd, parts=states[f"herd {index}"]) for index, herd in enumerate(like.herds)
        ),
        chains=tuple(
            replace(chain, parts=states[f"chain {index}"])
            for index, chain in enumerate(like.chains)
        ),
        props=like.props and replace(like.props, parts=states["props"]),
    )


def _listed(snapshot: Snapshot) -> list[list[object]]:
    """All parts with their owners and sizes, in the order of a tick."""
    return [
        [owner, name, part.size]
        for owner, parts in snapshot.owners.items()
        for name, part in parts.items()
    ]

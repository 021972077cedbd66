"""All state after a tick as bytes: where a simulation can go on without what came before.

one line of JSON   {"tick": 600, "parts": [["herd 0", "body", 120], ...]}, its owners in the
                   order of a snapshot, and the size of each part [bytes]
the parts          the fields of each, one after the other, as they lie in memory
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import orjson

from creature_sim.snapshots.snapshot import PartState, Snapshot


def encode_keyframe(snapshot: Snapshot) -> bytes:
    """The /keyframe message of a tick."""
    parts, data = [], []
    for owner, name, part in parts_of(snapshot):
        found = part.tobytes()
        parts.append((owner, name, len(found)))
        data.append(found)
    return orjson.dumps({"tick": snapshot.tick, "parts": parts}) + b"\n" + b"".join(data)


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
    states: dict[tuple[str, str], PartState] = {}
    begin, parts = 0, []
    for owner, name, part in parts_of(like):
        size = part.size
        parts.append([owner, name, size])
        states[owner, name] = part.filled(data[begin : begin + size])
        begin += size
    if found["parts"] != parts or begin != len(data):
        raise ValueError("it holds the state of another world")

    def filled(owner: str, old: Mapping[str, PartState]) -> dict[str, PartState]:
        return {name: states[owner, name] for name in old}

    return replace(
        like,
        tick=int(found["tick"]),
        herds=tuple(
            replace(herd, parts=filled(f"herd {index}", herd.parts))
            for index, herd in enumerate(like.herds)
        ),
        chains=tuple(
            replace(chain, parts=filled(f"chain {index}", chain.parts))
            for index, chain in enumerate(like.chains)
        ),
        props=like.props and replace(like.props, parts=filled("props", like.props.parts)),
    )


def parts_of(snapshot: Snapshot) -> Iterator[tuple[str, str, PartState]]:
    """All parts with the names of their owners, in the order of a tick."""
    owners: list[tuple[str, Mapping[str, PartState]]] = [
        *((f"herd {index}", herd.parts) for index, herd in enumerate(snapshot.herds)),
        *((f"chain {index}", chain.parts) for index, chain in enumerate(snapshot.chains)),
    ]
    if snapshot.props is not None:
        owners.append(("props", snapshot.props.parts))
    for owner, parts in owners:
        for name, part in parts.items():
            yield owner, name, part

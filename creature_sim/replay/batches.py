"""Encodes many ticks at once, which takes a tenth of the time of one after the other."""

from collections.abc import Sequence

import numpy as np

from creature_sim.components import LIFTING
from creature_sim.motions.refusals import are_refused
from creature_sim.replay.codec import encode_events
from creature_sim.snapshots.falls import have_fallen
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.snapshots.stacks import HerdStack


def encode_all_events(
    snapshots: Sequence[Snapshot], stacks: Sequence[HerdStack]
) -> list[list[bytes]]:
    """The /event messages of each of some ticks, whose herds are stacked."""
    ticks = np.array([snapshot.tick for snapshot in snapshots])
    has_events = np.zeros(len(snapshots), np.bool_)
    for stack in stacks:
        count = len(stack.members)
        if not count:
            continue
        each = np.repeat(ticks, count)
        has_one = (stack.parts["foot_target"]["records"]["phase"] == LIFTING).any(axis=1)
        has_one |= are_refused(stack.parts, each)
        if "twin" in stack.parts:
            has_one |= have_fallen(stack.parts["twin"]["records"], each)
        has_events |= has_one.reshape(-1, count).any(axis=1)
    return [
        encode_events(snapshot) if is_one else []
        for snapshot, is_one in zip(snapshots, has_events.tolist(), strict=True)
    ]

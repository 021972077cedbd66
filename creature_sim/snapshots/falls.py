"""Which creatures that forces move fell in a tick."""

from collections.abc import Iterator

import numpy as np

from creature_sim.components import FALLS_OF_TWINS
from creature_sim.snapshots.poses import Fall
from creature_sim.snapshots.snapshot import Snapshot


def falls_in(snapshot: Snapshot) -> Iterator[Fall]:
    """Falls in the last tick, herd by herd."""
    for herd in snapshot.herds:
        if "twin" not in herd.parts:
            continue
        twins = herd.parts["twin"]["records"]
        fell = (twins["fall"] != 0) & (twins["fall_tick"] == snapshot.tick)
        for row in np.flatnonzero(fell).tolist():
            reason = FALLS_OF_TWINS[twins[row].fall]
            yield Fall(snapshot.tick, int(herd.members[row]), reason)

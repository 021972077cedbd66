"""Which creatures that forces move fell in a tick."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import FALLS_OF_TWINS, UPRIGHT
from creature_sim.snapshots.poses import Fall
from creature_sim.snapshots.stacks import Moment


def falls_in(state: Moment) -> Iterator[Fall]:
    """Falls in the last tick, herd by herd."""
    for herd in state.herds:
        if "twin" not in herd.parts:
            continue
        twins = herd.parts["twin"]["records"]
        for row in np.flatnonzero(have_fallen(twins, state.tick)).tolist():
            reason = FALLS_OF_TWINS[twins["fall"][row]]
            yield Fall(state.tick, int(herd.members[row]), reason)


def lying(state: Moment) -> Iterator[int]:
    """Numbers of the creatures that have fallen and are not on their feet again, herd by herd."""
    for herd in state.herds:
        if "twin" in herd.parts:
            stages = herd.parts["twin"]["records"]["stage"]
            yield from herd.members[np.flatnonzero(stages != UPRIGHT)].tolist()


def have_fallen(twins: NDArray[Any], ticks: int | NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which twins (N,) fell in one tick, or each in its own (N,)."""
    found: NDArray[np.bool_] = (twins["fall"] != 0) & (twins["fall_tick"] == ticks)
    return found

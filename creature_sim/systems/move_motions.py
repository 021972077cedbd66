"""What creatures do besides walking."""

from collections.abc import Sequence

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    Body,
    Herd,
    LegTargetRecord,
    MotionRecord,
    RecordTable,
)
from creature_sim.components.arrays import AllHerds, HerdArrays
from creature_sim.locomotion.body_pose import ask_nothing, hold_bodies
from creature_sim.maths import Vec, put, vec
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table
from creature_sim.motions import MOTIONS, Actors


@unchecked
@kernel
def _ask_nothing(
    herds: Table[HerdArrays],
    is_own: NDArray[np.bool_],
    is_done: NDArray[np.bool_],
    is_any: NDArray[np.bool_],
    dt: float,
) -> bool:
    """Write which motions each herd does, (H, M), and whether any, (H,); whether any herd does."""
    is_one = False
    for k in range(len(herds)):
        herd = herds[k]
        _, _, _, gaits, _, _ = herd.walkers
        is_any[k] = ask_nothing(
            herd.motions, gaits, herd.poses, herd.heads, herd.targets, is_own, is_done[k], dt
        )
        is_one = is_one or is_any[k]
    return is_one


class MoveMotions(esper.Processor):
    """Ask motions that go on how they want the body held, and move bodies there."""

    def __init__(self) -> None:
        """Take the motions that there are."""
        self._is_own = np.array([not motion.forms for motion in MOTIONS])

    def process(self, dt: float) -> None:
        """Move the motions of all herds on."""
        for _, herds in esper.get_component(AllHerds):
            is_done = np.empty((len(herds), len(MOTIONS)), np.bool_)
            is_any = np.empty(len(herds), np.bool_)
            if not _ask_nothing(herds, self._is_own, is_done, is_any, dt):
                return
            for k in np.flatnonzero(is_any).tolist():
                _move(herds[k], np.flatnonzero(is_done[k]).tolist(), dt)


def _move(herd: HerdArrays, numbers: Sequence[int], dt: float) -> None:
    """Move these motions of a herd on."""
    motions, poses, heads, targets = herd.motions, herd.poses, herd.heads, herd.targets
    _follow(motions)
    _aim(targets)
    for number in numbers:
        own = motions[:, number]
        MOTIONS[number].move(Actors(*herd.walkers, own, poses, heads, targets, herd.gravity), dt)
    hold_bodies(*herd.walkers, herd.segments, herd.hits, herd.hung, poses, dt)


def _follow(motions: RecordTable[MotionRecord]) -> None:
    """Write where the creatures are that motions concern; a motion ends with its creature."""
    for row, number in np.argwhere((motions["is_on"] == 1) & (motions["other"] >= 0)).tolist():
        motion = motions[row, number]
        place = _place_of(motion.other)
        motion.is_on = place is not None
        if place is not None:
            put(motion.point, place)


def _aim(targets: RecordTable[LegTargetRecord]) -> None:
    """Write where the creatures are that legs reach or strike for; those that go leave a place."""
    if not targets["task"].any():
        return
    for row, leg in np.argwhere((targets["task"] > 0) & (targets["other"] >= 0)).tolist():
        place = _place_of(targets[row, leg].other)
        if place is not None:
            put(targets[row, leg].aim, place)


def _place_of(number: int) -> Vec | None:
    """Where a creature is [m, world]; None: it has gone."""
    for _, (herd, body) in esper.get_components(Herd, Body):
        for found in np.flatnonzero(herd.members == number).tolist():
            return vec(body.records[found, 0].position)
    return None

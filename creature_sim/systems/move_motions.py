"""What creatures do besides walking."""

import esper
import numpy as np

from creature_sim.components import (
    Body,
    Herd,
    LegTargetRecord,
    MotionRecord,
    RecordTable,
)
from creature_sim.components.arrays import Arrays
from creature_sim.locomotion.body_pose import ask_nothing, hold_bodies
from creature_sim.maths import Vec, put, vec
from creature_sim.maths.jit import unchecked
from creature_sim.motions import MOTIONS, Actors

_ask_nothing = unchecked(ask_nothing)


class MoveMotions(esper.Processor):
    """Ask motions that go on how they want the body held, and move bodies there."""

    def __init__(self) -> None:
        """Take the motions that there are."""
        self._is_own = np.array([not motion.forms for motion in MOTIONS])
        self._is_done = np.zeros(len(MOTIONS), np.bool_)

    def process(self, dt: float) -> None:
        """Move the motions of all herds on."""
        which = self._is_own, self._is_done
        for _, herd in esper.get_component(Arrays):
            motions, poses, heads, targets = herd.motions, herd.poses, herd.heads, herd.targets
            if not _ask_nothing(motions, herd.gaits, poses, heads, targets, *which, dt):
                continue
            _follow(motions)
            _aim(targets)
            for number in np.flatnonzero(self._is_done).tolist():
                motion = MOTIONS[number]
                own = motions[:, number]
                motion.move(Actors(*herd.walkers, own, poses, heads, targets, herd.gravity), dt)
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

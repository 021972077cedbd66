"""What creatures do besides walking."""

import esper
import numpy as np

from creature_sim.components import (
    Body,
    BodyPose,
    Head,
    Herd,
    MotionRecord,
    Motions,
    RecordTable,
    Sensed,
    Suspension,
)
from creature_sim.components.queries import herds
from creature_sim.locomotion.body_pose import ask_nothing, hold_bodies
from creature_sim.maths import put, vec
from creature_sim.motions import MOTIONS


class MoveMotions(esper.Processor):
    """Ask every motion how it wants the body held, and move bodies there."""

    def process(self, dt: float) -> None:
        """Move the motions of all herds on."""
        for entity, plan, herd in herds():
            motions = esper.component_for_entity(entity, Motions).records
            poses = esper.component_for_entity(entity, BodyPose).records
            heads = esper.component_for_entity(entity, Head).records
            ask_nothing(motions, poses, heads, dt)
            _follow(motions)
            for number, motion in enumerate(MOTIONS):
                motion.move(*herd, motions[:, number], poses, heads, dt)
            ground = esper.component_for_entity(entity, Sensed).records
            hung = esper.component_for_entity(entity, Suspension).records
            hold_bodies(*herd, plan.segments, ground, hung, poses, dt)


def _follow(motions: RecordTable[MotionRecord]) -> None:
    """Write where the creatures are that motions concern; a motion ends with its creature."""
    for row, number in np.argwhere((motions["is_on"] == 1) & (motions["other"] >= 0)).tolist():
        motion = motions[row, number]
        motion.is_on = 0
        for _, (herd, body) in esper.get_components(Herd, Body):
            for found in np.flatnonzero(herd.members == motion.other).tolist():
                put(motion.point, vec(body.records[found, 0].position))
                motion.is_on = 1

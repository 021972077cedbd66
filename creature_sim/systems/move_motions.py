"""What creatures do besides walking."""

import esper

from creature_sim.components import BodyPose, Motions, Sensed, Suspension
from creature_sim.components.queries import herds
from creature_sim.locomotion.body_pose import ask_nothing, hold_bodies
from creature_sim.motions import MOTIONS


class MoveMotions(esper.Processor):
    """Ask every motion how it wants the body held, and move bodies there."""

    def process(self, dt: float) -> None:
        """Move the motions of all herds on."""
        for entity, plan, herd in herds():
            motions = esper.component_for_entity(entity, Motions).records
            poses = esper.component_for_entity(entity, BodyPose).records
            if not ask_nothing(motions, poses, dt):
                continue
            for number, motion in enumerate(MOTIONS):
                motion.move(*herd, motions[:, number], poses, dt)
            ground = esper.component_for_entity(entity, Sensed).records
            hung = esper.component_for_entity(entity, Suspension).records
            hold_bodies(*herd, plan.segments, ground, hung, poses, dt)

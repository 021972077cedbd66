"""Chains bend so that their tips are at their targets, or as near as they can be."""

import esper
import numpy as np

from creature_sim.components import Bones, ChainPlan, Rig, Targets
from creature_sim.components.queries import frame_of
from creature_sim.locomotion.chains import follow, follow_limited
from creature_sim.locomotion.frames import carry


class SolveChains(esper.Processor):
    """Inverse kinematics of every chain."""

    def process(self, dt: float) -> None:
        """Solve every chain in its own frame, from its last pose."""
        del dt  # poses depend on where things are, not on time
        for _, (rig, plan, targets, bones) in esper.get_components(Rig, ChainPlan, Targets, Bones):
            frame = frame_of(rig.carrier)
            point = targets.records[0, 0].point
            local, joints, rotations = bones.local[0], bones.joints[0], bones.rotations[0]
            if plan.has_limits:
                turns = np.empty_like(rotations)
                follow_limited(
                    plan.model,
                    plan.pole,
                    plan.is_flat,
                    bones.angles[0],
                    local,
                    turns,
                    *frame,
                    point,
                )
            else:
                lengths = plan.model.lengths
                turns = follow(lengths, plan.pole, plan.is_flat, plan.start, local, *frame, point)
            carry(local, turns, *frame, joints, rotations)

"""Trees bend so that all their pulled joints are at their targets at once."""

import esper
import numpy as np

from creature_sim.components import Bones, Rig, Targets, TreePlan
from creature_sim.components.queries import frame_of
from creature_sim.ik.tree import turn_tree
from creature_sim.locomotion.frames import carry
from creature_sim.locomotion.trees import bend_knees, follow_tree


class SolveTrees(esper.Processor):
    """Inverse kinematics of every tree."""

    def process(self, dt: float) -> None:
        """Solve every tree in its own frame, from its last pose."""
        del dt  # poses depend on where things are, not on time
        for _, (rig, plan, targets, bones) in esper.get_components(Rig, TreePlan, Targets, Bones):
            frame = frame_of(rig.carrier)
            local = bones.local[0]
            follow_tree(plan.tree, plan.reaches, local, *frame, targets.records[0])
            bend_knees(plan.tree, plan.knees, plan.poles, local)
            turns = np.empty_like(bones.rotations[0])
            turn_tree(plan.tree, plan.start, local, turns)
            carry(local, turns, *frame, bones.joints[0], bones.rotations[0])

"""Legs bend so that their tips are where the feet are wanted."""

import esper

from creature_sim.components import Body, FootTarget, LegChain, Plan, Probes
from creature_sim.locomotion.legs import solve_legs


class SolveLegs(esper.Processor):
    """Inverse kinematics of every leg."""

    def process(self, dt: float) -> None:
        """Solve all legs of all herds."""
        del dt  # poses depend on where things are, not on time
        herds = esper.get_components(Plan, Body, FootTarget, LegChain)
        for entity, (plan, body, foot, chain) in herds:
            solve_legs(
                plan.legs,
                plan.lengths,
                body.records,
                foot.records,
                esper.component_for_entity(entity, Probes).room,
                chain.joints,
                chain.rotations,
                chain.foot_rotation,
            )

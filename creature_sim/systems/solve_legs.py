"""Legs bend so that their tips are where the feet are wanted."""

import esper

from creature_sim.components import Body, FootTarget, LegChain, LegTarget, Plan, Probes
from creature_sim.locomotion.legs import bend_legs


class SolveLegs(esper.Processor):
    """Inverse kinematics of every leg."""

    def process(self, dt: float) -> None:
        """Solve all legs of all herds."""
        herds = esper.get_components(Plan, Body, FootTarget, LegChain)
        for entity, (plan, body, foot, chain) in herds:
            targets = esper.component_for_entity(entity, LegTarget)
            probes = esper.component_for_entity(entity, Probes)
            bend_legs(plan, body, foot, targets, probes, chain, dt)

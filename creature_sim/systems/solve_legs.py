"""Legs bend so that their tips are where the feet are wanted."""

import esper

from creature_sim.components import Body, FootTarget, Gait, LegChain, LegTarget, Plan, Probes
from creature_sim.components.queries import entities_with
from creature_sim.locomotion.legs import bend_legs


class SolveLegs(esper.Processor):
    """Inverse kinematics of every leg."""

    def process(self, dt: float) -> None:
        """Solve all legs of all herds."""
        found = entities_with(Plan, Body, Gait, FootTarget, LegTarget, Probes, LegChain)
        for _, (plan, body, gait, foot, target, probes, chain) in found:
            bend_legs(plan, body, gait, foot, target, probes, chain, dt)

"""Legs bend so that their tips are where the feet are wanted."""

import esper

from creature_sim.components import Body, FootTarget, LegChain, LegTarget, Plan, Probes
from creature_sim.locomotion.legs import Bones, Solved, solve_legs


class SolveLegs(esper.Processor):
    """Inverse kinematics of every leg."""

    def process(self, dt: float) -> None:
        """Solve all legs of all herds."""
        herds = esper.get_components(Plan, Body, FootTarget, LegChain)
        for entity, (plan, body, foot, chain) in herds:
            solve_legs(
                plan.legs,
                Bones(plan.lengths, plan.limits, plan.arcs, plan.rest),
                body.records,
                foot.records,
                esper.component_for_entity(entity, LegTarget).records,
                esper.component_for_entity(entity, Probes).room,
                Solved(
                    chain.joints,
                    chain.rotations,
                    chain.foot_rotation,
                    chain.angles,
                    chain.rates,
                    chain.passes,
                    chain.is_laid,
                ),
                dt,
            )

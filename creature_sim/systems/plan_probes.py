"""Every ray of a tick."""

import esper

from creature_sim.components import LegChain, LegTarget, Probes, Sensed, Twin
from creature_sim.components.queries import WALKERS, arrays_of, entities_with, gravity_here
from creature_sim.locomotion.probes import plan_probes
from creature_sim.maths.jit import unchecked
from creature_sim.twin.catching import shift_feet

_plan_probes = unchecked(plan_probes)


class PlanProbes(esper.Processor):
    """Say which rays this tick needs."""

    def process(self, dt: float) -> None:
        """Write the rays of every herd."""
        gravity = gravity_here()
        found = entities_with(*WALKERS, Probes, LegChain, Sensed, LegTarget)
        for entity, (plan, body, gait, foot, hold, probes, chain, sensed, target) in found:
            targets = target.records
            if twin := esper.try_component(entity, Twin):  # its feet catch its body
                targets, reach = targets.copy(), float(plan.body["reach"][0])
                shift_feet(targets, twin.records, body.records, gait.records, gravity[0], reach)
            patches = probes.patches
            patches.count = _plan_probes(
                *arrays_of(plan, body, gait, foot, hold),
                targets, gravity, plan.segments, chain.joints, sensed.records,
                probes.start, probes.end, probes.is_active,
                patches.rows, patches.start, patches.end, patches.is_active, dt,
            )  # fmt: skip

"""Every ray of a tick."""

import esper

from creature_sim.components import LegChain, LegTarget, Probes, Sensed, Twin
from creature_sim.components.queries import gravity_here, herds
from creature_sim.locomotion.probes import plan_probes
from creature_sim.maths.jit import unchecked
from creature_sim.twin.catching import shift_feet

_plan_probes = unchecked(plan_probes)


class PlanProbes(esper.Processor):
    """Say which rays this tick needs."""

    def process(self, dt: float) -> None:
        """Write the rays of every herd."""
        gravity = gravity_here()
        for entity, plan, herd in herds():
            probes = esper.component_for_entity(entity, Probes)
            joints = esper.component_for_entity(entity, LegChain).joints
            sensed = esper.component_for_entity(entity, Sensed)
            targets = esper.component_for_entity(entity, LegTarget).records
            if twin := esper.try_component(entity, Twin):  # its feet catch its body
                targets, reach = targets.copy(), float(plan.body["reach"][0])
                _, _, bodies, gaits, _, _ = herd
                shift_feet(targets, twin.records, bodies, gaits, gravity[0], reach)
            patches = probes.patches
            patches.count = _plan_probes(
                *herd, targets, gravity, plan.segments, joints, sensed.records,
                probes.start, probes.end, probes.is_active,
                patches.rows, patches.start, patches.end, patches.is_active, dt,
            )  # fmt: skip

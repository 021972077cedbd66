"""Every ray of a tick."""

import esper

from creature_sim.components import LegTarget, Probes, Sensed
from creature_sim.components.queries import gravity_here, herds
from creature_sim.locomotion.probes import plan_probes


class PlanProbes(esper.Processor):
    """Say which rays this tick needs."""

    def process(self, dt: float) -> None:
        """Write the rays of every herd."""
        gravity = gravity_here()
        for entity, plan, herd in herds():
            probes = esper.component_for_entity(entity, Probes)
            sensed = esper.component_for_entity(entity, Sensed)
            targets = esper.component_for_entity(entity, LegTarget).records
            patches = probes.patches
            patches.count = plan_probes(
                *herd, targets, gravity, plan.segments, sensed.records,
                probes.start, probes.end, probes.is_active,
                patches.rows, patches.start, patches.end, patches.is_active, dt,
            )  # fmt: skip

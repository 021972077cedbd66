"""Every ray of a tick."""

import esper

from creature_sim.components.arrays import Arrays
from creature_sim.locomotion.probes import plan_probes
from creature_sim.maths.jit import unchecked
from creature_sim.twin.catching import shift_feet

_plan_probes = unchecked(plan_probes)


class PlanProbes(esper.Processor):
    """Say which rays this tick needs."""

    def process(self, dt: float) -> None:
        """Write the rays of every herd."""
        for _, herd in esper.get_component(Arrays):
            targets, probes, patches = herd.targets, herd.probes, herd.probes.patches
            if twin := herd.twin:  # its feet catch its body
                targets, reach = targets.copy(), float(herd.plan.body["reach"][0])
                shift_feet(targets, twin.records, herd.bodies, herd.gaits, herd.gravity[0], reach)
            patches.count = _plan_probes(
                *herd.walkers, targets, herd.gravity, herd.segments, herd.solved.joints, herd.hits,
                probes.start, probes.end, probes.is_active,
                patches.rows, patches.start, patches.end, patches.is_active, dt,
            )  # fmt: skip

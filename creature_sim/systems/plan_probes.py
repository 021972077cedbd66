"""Every ray of a tick."""

import esper

from creature_sim.components.arrays import Arrays, HerdArrays, TwinlessHerds
from creature_sim.locomotion.probes import plan_probes
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table
from creature_sim.twin.catching import shift_feet


@unchecked
@kernel
def _plan_probes(herds: Table[HerdArrays], dt: float) -> None:
    for k in range(len(herds)):
        herd = herds[k]
        patches = herd.patches
        patches.used[0] = plan_probes(
            *herd.walkers, herd.targets, herd.gravity, herd.segments, herd.solved.joints, herd.hits,
            herd.starts, herd.ends, herd.is_active,
            patches.rows, patches.start, patches.end, patches.is_active, dt,
        )  # fmt: skip


class PlanProbes(esper.Processor):
    """Say which rays this tick needs."""

    def process(self, dt: float) -> None:
        """Write the rays of every herd."""
        for _, herds in esper.get_component(TwinlessHerds):
            _plan_probes(herds, dt)
        for _, herd in esper.get_component(Arrays):
            if herd.twin and herd.eased:  # its feet catch its body
                plan, _, bodies, gaits, _, _ = herd.arrays.walkers
                targets, gravity = herd.eased[0].targets, herd.arrays.gravity[0]
                targets[:] = herd.arrays.targets
                shift_feet(
                    targets, herd.twin.records, bodies, gaits, gravity, float(plan["reach"][0])
                )
                _plan_probes(herd.eased, dt)

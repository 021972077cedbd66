"""Which foot lifts, and when."""

import esper

from creature_sim.components.arrays import AllHerds, Arrays, HerdArrays
from creature_sim.locomotion.prediction import FEW
from creature_sim.locomotion.steps import schedule
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table
from creature_sim.twin.keeping import keep_down


@unchecked
@kernel
def _schedule(herds: Table[HerdArrays], dt: float) -> None:
    for k in range(len(herds)):
        herd = herds[k]
        schedule(*herd.walkers, herd.gravity, dt)


class ScheduleSteps(esper.Processor):
    """Start swings."""

    def process(self, dt: float) -> None:
        """Let feet lift; of a twin on few feet none out of turn over which it would fall."""
        before = [
            (herd.twin, herd.arrays, herd.arrays.walkers[4].copy())
            for _, herd in esper.get_component(Arrays)
            if herd.twin and len(herd.plan.legs) <= FEW
        ]
        for _, herds in esper.get_component(AllHerds):
            _schedule(herds, dt)
        for twin, arrays, old in before:
            plan, _, _, gaits, feet, _ = arrays.walkers
            keep_down(plan, gaits, feet, old, twin.records, twin.contacts, arrays.gravity[0])

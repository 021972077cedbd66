"""Which foot lifts, and when."""

import esper

from creature_sim.components.arrays import Arrays
from creature_sim.locomotion.prediction import FEW
from creature_sim.locomotion.steps import schedule
from creature_sim.maths.jit import unchecked
from creature_sim.twin.keeping import keep_down

_schedule = unchecked(schedule)


class ScheduleSteps(esper.Processor):
    """Start swings."""

    def process(self, dt: float) -> None:
        """Let feet lift; of a twin on few feet none out of turn over which it would fall."""
        for _, herd in esper.get_component(Arrays):
            twin = herd.twin
            if twin is None or len(herd.plan.legs) > FEW:
                _schedule(*herd.walkers, herd.gravity, dt)
                continue
            before = herd.feet.copy()
            _schedule(*herd.walkers, herd.gravity, dt)
            keep_down(
                herd.plan.body, herd.gaits, herd.feet, before, twin.records, twin.contacts,
                herd.gravity[0],
            )  # fmt: skip

"""Which foot lifts, and when."""

import esper

from creature_sim.components import Twin
from creature_sim.components.queries import gravity_here, herds
from creature_sim.locomotion.prediction import FEW
from creature_sim.locomotion.steps import schedule
from creature_sim.twin.keeping import keep_down


class ScheduleSteps(esper.Processor):
    """Start swings."""

    def process(self, dt: float) -> None:
        """Let feet lift."""
        gravity = gravity_here()
        for entity, _, herd in herds():
            twin = esper.try_component(entity, Twin) if herd[4].shape[1] <= FEW else None
            before = herd[4].copy() if twin else herd[4]
            schedule(*herd, gravity, dt)
            if twin:  # who would fall now does not lift a foot out of turn
                plans, _, _, gaits, feet, _ = herd
                keep_down(plans, gaits, feet, before, twin.records, gravity[0])

"""Which foot lifts, and when."""

import esper

from creature_sim.components import Probes, Sensed
from creature_sim.components.queries import gravity_here, herds
from creature_sim.locomotion.steps import schedule


class ScheduleSteps(esper.Processor):
    """Start swings."""

    def process(self, dt: float) -> None:
        """Let feet lift."""
        gravity = gravity_here()
        for entity, _, herd in herds():
            sensed = esper.component_for_entity(entity, Sensed)
            probes = esper.component_for_entity(entity, Probes)
            schedule(*herd, sensed.records, probes.is_active, gravity, dt)

"""Which foot lifts, and when."""

import esper

from creature_sim.components.queries import gravity_here, herds
from creature_sim.locomotion.steps import schedule


class ScheduleSteps(esper.Processor):
    """Start swings."""

    def process(self, dt: float) -> None:
        """Let feet lift."""
        gravity = gravity_here()
        for _, _, herd in herds():
            schedule(*herd, gravity, dt)

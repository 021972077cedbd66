"""Which foot lifts, and when."""

import esper

from creature_sim.components import Body, Feet, Plan
from creature_sim.locomotion.steps import schedule


class ScheduleSteps(esper.Processor):
    """Start swings."""

    def process(self, dt: float) -> None:
        """Let feet lift."""
        for _, (plan, body, feet) in esper.get_components(Plan, Body, Feet):
            schedule(plan.body, plan.legs, body.records, body.gaits, feet.records, dt)

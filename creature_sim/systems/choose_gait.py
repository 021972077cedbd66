"""How a creature goes just now: its cycle by speed, its stride by direction, its legs' order."""

import esper

from creature_sim.components import Body, Feet, Plan
from creature_sim.locomotion.gait import choose


class ChooseGait(esper.Processor):
    """Pick cycle, stride and offsets of every creature."""

    def process(self, dt: float) -> None:
        """Look at how fast, which way, and on how many legs it goes."""
        for _, (plan, body, feet) in esper.get_components(Plan, Body, Feet):
            choose(
                plan.body,
                plan.legs,
                plan.cycles,
                plan.offsets,
                body.records,
                body.gaits,
                feet.records,
                dt,
            )

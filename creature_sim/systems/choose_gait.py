"""How a creature walks just now: its cycle by speed, its stroke by direction, its legs' order."""

import esper

from creature_sim.components import Twin
from creature_sim.components.queries import gravity_here, herds
from creature_sim.locomotion.gait import choose
from creature_sim.maths.jit import unchecked
from creature_sim.twin.caring import parts_for

_choose = unchecked(choose)


class ChooseGait(esper.Processor):
    """Pick cycle, stroke and phase offsets of every creature."""

    def process(self, dt: float) -> None:
        """Look at how fast, in which direction, and on how many legs it goes."""
        gravity = gravity_here()
        for entity, plan, herd in herds():
            if not esper.has_component(entity, Twin):
                _choose(*herd, gravity, plan.cycles, plan.offsets, dt)
                continue
            for part, _, count in parts_for(entity, plan, herd):
                _choose(*part, gravity, plan.cycles[:count], plan.offsets[:count], dt)

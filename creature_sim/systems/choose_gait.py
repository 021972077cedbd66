"""How a creature walks just now: its cycle by speed, its stroke by direction, its legs' order."""

import esper

from creature_sim.components.arrays import Arrays
from creature_sim.locomotion.gait import choose
from creature_sim.maths.jit import unchecked
from creature_sim.twin.caring import parts_for

_choose = unchecked(choose)


class ChooseGait(esper.Processor):
    """Pick cycle, stroke and phase offsets of every creature."""

    def process(self, dt: float) -> None:
        """Look at how fast, in which direction, and on how many legs it goes."""
        for _, herd in esper.get_component(Arrays):
            for part, _, cycles, offsets in parts_for(herd.twin, herd.plan, herd.walkers):
                _choose(*part, herd.gravity, cycles, offsets, dt)

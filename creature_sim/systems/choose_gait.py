"""How a creature walks just now: its cycle by speed, its stroke by direction, its legs' order."""

import esper

from creature_sim.components.arrays import Arrays, HerdArrays, TwinlessHerds
from creature_sim.locomotion.gait import choose
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table
from creature_sim.twin.caring import parts_by_care


@unchecked
@kernel
def _choose(herds: Table[HerdArrays], dt: float) -> None:
    for k in range(len(herds)):
        herd = herds[k]
        choose(*herd.walkers, herd.gravity, herd.cycles, herd.offsets, dt)


class ChooseGait(esper.Processor):
    """Pick cycle, stroke and phase offsets of every creature."""

    def process(self, dt: float) -> None:
        """Look at how fast, in which direction, and on how many legs it goes."""
        for _, herds in esper.get_component(TwinlessHerds):
            _choose(herds, dt)
        for _, herd in esper.get_component(Arrays):
            if herd.twin and herd.eased:
                for part in parts_by_care(herd.twin, herd.eased):
                    _choose(part, dt)

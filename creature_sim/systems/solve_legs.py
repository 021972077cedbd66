"""Legs bend so that their tips are where the feet are wanted."""

import esper

from creature_sim.components.arrays import AllHerds, HerdArrays
from creature_sim.locomotion.legs import solve_legs
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table


@unchecked
@kernel
def _solve_legs(herds: Table[HerdArrays], dt: float) -> None:
    for k in range(len(herds)):
        herd = herds[k]
        plan, legs, bodies, gaits, feet, _ = herd.walkers
        solve_legs(
            plan, legs, herd.bones, bodies, gaits, feet, herd.targets, herd.room, herd.solved, dt
        )


class SolveLegs(esper.Processor):
    """Inverse kinematics of every leg."""

    def process(self, dt: float) -> None:
        """Solve all legs of all herds."""
        for _, herds in esper.get_component(AllHerds):
            _solve_legs(herds, dt)

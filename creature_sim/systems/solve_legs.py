"""Legs bend so that their tips are where the feet are wanted."""

import esper

from creature_sim.components.arrays import Arrays
from creature_sim.locomotion.legs import solve_legs
from creature_sim.maths.jit import unchecked

_solve_legs = unchecked(solve_legs)


class SolveLegs(esper.Processor):
    """Inverse kinematics of every leg."""

    def process(self, dt: float) -> None:
        """Solve all legs of all herds."""
        for _, herd in esper.get_component(Arrays):
            _solve_legs(
                herd.plan.body, herd.plan.legs, herd.bones, herd.bodies, herd.gaits, herd.feet,
                herd.targets, herd.room, herd.solved, dt,
            )  # fmt: skip

"""Height, tilt and shift of bodies, from their feet, the ground below and what hangs over."""

import esper

from creature_sim.components import Others
from creature_sim.components.arrays import AllHerds, HerdArrays, near_of
from creature_sim.components.queries import others_here
from creature_sim.locomotion.posture import pose
from creature_sim.locomotion.running import run
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table


@unchecked
@kernel
def _pose(herds: Table[HerdArrays], others: Others, dt: float) -> bool:
    """Pose all bodies; whether any of them may run."""
    may_run = False
    for k in range(len(herds)):
        herd = herds[k]
        plan, _, _, _, _, _ = herd.walkers
        pose(
            *herd.walkers, herd.gravity, herd.segments, herd.hits, herd.room,
            near_of(herd, others), dt,
        )  # fmt: skip
        may_run = may_run or plan[0].run_speed > 0.0
    return may_run


@unchecked
@kernel
def _run(herds: Table[HerdArrays], dt: float) -> None:
    for k in range(len(herds)):
        herd = herds[k]
        plan, _, _, _, _, _ = herd.walkers
        if plan[0].run_speed > 0.0:
            run(*herd.walkers, herd.gravity, herd.cycles, herd.segments, herd.hits, dt)


class PoseBodies(esper.Processor):
    """Raise, lower, tilt and shift bodies."""

    def process(self, dt: float) -> None:
        """Move every body towards its position above the plane of its feet."""
        for _, herds in esper.get_component(AllHerds):
            if _pose(herds, others_here(), dt):
                _run(herds, dt)

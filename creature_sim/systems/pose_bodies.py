"""Height, tilt and shift of bodies, from their feet, the ground below and what hangs over."""

import esper

from creature_sim.components import Neighbours, Probes, Sensed
from creature_sim.components.queries import WALKERS, arrays_of, entities_with, gravity_here
from creature_sim.locomotion.posture import pose
from creature_sim.locomotion.running import run
from creature_sim.maths.jit import unchecked

_pose = unchecked(pose)
_run = unchecked(run)


class PoseBodies(esper.Processor):
    """Raise, lower, tilt and shift bodies."""

    def process(self, dt: float) -> None:
        """Move every body towards its position above the plane of its feet."""
        gravity = gravity_here()
        found = entities_with(*WALKERS, Sensed, Probes, Neighbours)
        for _, (plan, body, gait, foot, hold, sensed, probes, neighbours) in found:
            herd = arrays_of(plan, body, gait, foot, hold)
            _pose(*herd, gravity, plan.segments, sensed.records, probes.room, neighbours.near, dt)
            if plan.can_run:
                _run(*herd, gravity, plan.cycles, plan.segments, sensed.records, dt)

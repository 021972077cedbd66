"""Height, tilt and shift of bodies, from their feet, the ground below and what hangs over."""

import esper

from creature_sim.components.arrays import Arrays
from creature_sim.locomotion.posture import pose
from creature_sim.locomotion.running import run
from creature_sim.maths.jit import unchecked

_pose = unchecked(pose)
_run = unchecked(run)


class PoseBodies(esper.Processor):
    """Raise, lower, tilt and shift bodies."""

    def process(self, dt: float) -> None:
        """Move every body towards its position above the plane of its feet."""
        for _, herd in esper.get_component(Arrays):
            walkers, segments, gravity = herd.walkers, herd.segments, herd.gravity
            _pose(*walkers, gravity, segments, herd.hits, herd.room, herd.neighbours.near, dt)
            if herd.plan.can_run:
                _run(*walkers, gravity, herd.plan.cycles, segments, herd.hits, dt)

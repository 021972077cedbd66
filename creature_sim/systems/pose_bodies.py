"""Height, tilt and shift of bodies, from their feet, the ground below and what hangs over."""

import esper

from creature_sim.components import Probes, Sensed
from creature_sim.components.queries import gravity_here, herds, near_here
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
        for entity, plan, herd in herds():
            sensed = esper.component_for_entity(entity, Sensed)
            room = esper.component_for_entity(entity, Probes).room
            _pose(*herd, gravity, plan.segments, sensed.records, room, near_here(entity), dt)
            if plan.body["run_speed"].item():
                _run(*herd, gravity, plan.cycles, plan.segments, sensed.records, dt)

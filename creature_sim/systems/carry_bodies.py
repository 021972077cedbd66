"""Bodies hang on their legs as masses on springs."""

import esper

from creature_sim.components import BodyPose, Suspension
from creature_sim.components.queries import gravity_here, herds
from creature_sim.locomotion.suspension import carry_bodies
from creature_sim.maths.jit import unchecked

_carry_bodies = unchecked(carry_bodies)


class CarryBodies(esper.Processor):
    """Let bodies weigh on their legs."""

    def process(self, dt: float) -> None:
        """Carry every body from where it is planned to where its springs let it be."""
        gravity = gravity_here()
        for entity, plan, herd in herds():
            suspension = esper.component_for_entity(entity, Suspension)
            poses = esper.component_for_entity(entity, BodyPose).records
            _carry_bodies(*herd, gravity, plan.segments, suspension.records, poses, dt)

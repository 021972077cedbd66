"""Bodies hang on their legs as masses on springs."""

import esper

from creature_sim.components import BodyPose, Suspension
from creature_sim.components.queries import WALKERS, arrays_of, entities_with, gravity_here
from creature_sim.locomotion.suspension import carry_bodies
from creature_sim.maths.jit import unchecked

_carry_bodies = unchecked(carry_bodies)


class CarryBodies(esper.Processor):
    """Let bodies weigh on their legs."""

    def process(self, dt: float) -> None:
        """Carry every body from where it is planned to where its springs let it be."""
        gravity = gravity_here()
        found = entities_with(*WALKERS, Suspension, BodyPose)
        for _, (plan, body, gait, foot, hold, suspension, pose) in found:
            _carry_bodies(
                *arrays_of(plan, body, gait, foot, hold),
                gravity, plan.segments, suspension.records, pose.records, dt,
            )  # fmt: skip

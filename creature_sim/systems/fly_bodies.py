"""Bodies that leap or fall go as planned."""

import esper

from creature_sim.components import Flight, Suspension
from creature_sim.components.arrays import any_of, herds
from creature_sim.components.queries import gravity_here
from creature_sim.locomotion.flying import fly


class FlyBodies(esper.Processor):
    """Move creatures that leap or fall."""

    def process(self, dt: float) -> None:
        """Crouch, stretch, fly and land."""
        if not any_of("flight"):
            return
        gravity = gravity_here()
        for entity, _, herd in herds():
            flight = esper.component_for_entity(entity, Flight)
            suspension = esper.component_for_entity(entity, Suspension)
            fly(*herd, gravity, flight.records, flight.feet, suspension.records, dt)

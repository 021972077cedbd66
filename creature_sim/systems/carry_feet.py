"""Whoever stands on a prop moves with it."""

import esper

from creature_sim.components.arrays import herds
from creature_sim.components.queries import find_props
from creature_sim.locomotion.carry import carry


class CarryFeet(esper.Processor):
    """Move feet, and the bodies over them, as far as their props have moved in this tick."""

    def process(self, dt: float) -> None:
        """Carry every creature of every herd."""
        del dt  # as far as props have moved, however long that took
        found = find_props()
        if not found:
            return
        solids, props = found
        for _, _, (plans, legs, bodies, _, feet, holds) in herds():
            carry(plans, legs, bodies, feet, holds, solids.records, props.records)

"""Whoever stands on a prop moves with it."""

import esper

from creature_sim.components.arrays import Arrays
from creature_sim.components.queries import find_props
from creature_sim.locomotion.carry import carry, carry_climbers
from creature_sim.locomotion.slipping import slip_off


class CarryFeet(esper.Processor):
    """Move feet, bodies over them and what rays have found as far as props move in this tick."""

    def process(self, dt: float) -> None:
        """Carry every creature of every herd; who does not climb may lose its footing."""
        del dt  # as far as props have moved, however long that took
        found = find_props()
        if not found:
            return
        solids, props = found
        there = solids.records, props.records
        for _, herd in esper.get_component(Arrays):
            plans, legs, bodies, gaits, feet, holds = herd.arrays.walkers
            if herd.plan.body["climbs"][0]:
                known = herd.arrays.segments, herd.arrays.hits
                carry_climbers(*herd.arrays.walkers, *known, *there)
            else:
                carry(plans, legs, bodies, feet, holds, *there)
                if not herd.twin:
                    slip_off(plans[0], bodies, gaits, feet, herd.arrays.gravity[0], solids.records)

"""Whoever stands on a prop moves with it."""

import esper

from creature_sim.components import Body, Feet, Plan, Props, Solids
from creature_sim.locomotion.carry import carry


class CarryFeet(esper.Processor):
    """Move feet, and the bodies over them, as far as their props have moved in this tick."""

    def process(self, dt: float) -> None:
        """Carry every creature of every herd."""
        del dt  # as far as props have moved, however long that took
        for _, (solids, props) in esper.get_components(Solids, Props):
            for _, (plan, body, feet) in esper.get_components(Plan, Body, Feet):
                carry(
                    plan.segments,
                    plan.legs,
                    body.records,
                    feet.records,
                    solids.records,
                    props.records,
                )

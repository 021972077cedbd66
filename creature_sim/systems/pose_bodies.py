"""Height, tilt and shift of bodies, from their feet and the ground below."""

import esper

from creature_sim.components import Body, Feet, Plan, Sensed
from creature_sim.locomotion.posture import pose


class PoseBodies(esper.Processor):
    """Raise, lower, tilt and shift bodies."""

    def process(self, dt: float) -> None:
        """Move every body towards its place above the plane of its feet."""
        for _, (plan, body, feet, sensed) in esper.get_components(Plan, Body, Feet, Sensed):
            pose(
                plan.body,
                plan.segments,
                plan.legs,
                body.records,
                body.gaits,
                feet.records,
                sensed.records,
                dt,
            )

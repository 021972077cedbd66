"""Walks go on from where their twins are."""

import esper

from creature_sim.components import Body, FootTarget, LegChain, Twin
from creature_sim.components.queries import gravity_here
from creature_sim.twin.following import follow


class FollowTwins(esper.Processor):
    """Plan on from what is measured, instead of from what was wanted."""

    def process(self, dt: float) -> None:
        """Bring the plans of all creatures with twins nearer to these."""
        del dt
        for _, (twin, body, feet, chain) in esper.get_components(Twin, Body, FootTarget, LegChain):
            chain.joints[:], chain.rotations[:] = twin.joints, twin.rotations
            for row, base in enumerate(twin.records):
                follow(
                    base,
                    body.records[row],
                    feet.records[row],
                    gravity_here()[0],
                    twin.tips[row],
                    twin.contacts[row],
                )

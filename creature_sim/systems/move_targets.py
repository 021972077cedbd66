"""Targets of chains and trees: along splines, or where other entities are."""

import esper

from creature_sim.components import Bones, Carrier, Rig, Targets, Tracks
from creature_sim.components.queries import frame_of, point_on
from creature_sim.locomotion.targets import run_along
from creature_sim.maths import put, vec


class MoveTargets(esper.Processor):
    """Move every target by one tick; those of the mouse and of commands stay."""

    def process(self, dt: float) -> None:
        """Write where the pulled joints of every rig shall be."""
        for _, (rig, tracks, targets) in esper.get_components(Rig, Tracks, Targets):
            records = targets.records[0]
            run_along(tracks.records, tracks.keys, records, *frame_of(rig.carrier), dt)
            for number, source in rig.followed:
                if isinstance(source, Carrier):
                    put(records[number].point, point_on(source))
                else:
                    tip = esper.component_for_entity(source, Bones).joints[0, -1]
                    put(records[number].point, vec(tip))

"""Where feet go next: of what was sensed, the ground to stand on, clear of edges and other feet."""

import esper

from creature_sim.components import Neighbours, Probes, Sensed, Twin
from creature_sim.components.queries import (
    WALKERS,
    arrays_of,
    entities_with,
    gravity_here,
    props_here,
    solids_here,
)
from creature_sim.locomotion.footholds import choose_footholds
from creature_sim.locomotion.plainness import note_ground
from creature_sim.maths.jit import unchecked

_note_ground = unchecked(note_ground)
_choose_footholds = unchecked(choose_footholds)


class ChooseFootholds(esper.Processor):
    """Turn what was sensed into footholds."""

    def process(self, dt: float) -> None:
        """Judge the ground that every foot looks at."""
        gravity, things = gravity_here(), (solids_here(), props_here())
        found = entities_with(*WALKERS, Sensed, Probes, Neighbours)
        for entity, (plan, body, gait, foot, hold, sensed, probes, neighbours) in found:
            herd = arrays_of(plan, body, gait, foot, hold)
            seen = sensed.records, probes.is_active
            if not esper.has_component(entity, Twin):  # its body may go anywhere at any time
                _note_ground(*herd, *seen, probes.room, *things, dt)
            _choose_footholds(
                *herd, *seen, probes.patches.rows, probes.patches.records,
                neighbours.near, plan.segments, gravity, probes.room, dt,
            )  # fmt: skip

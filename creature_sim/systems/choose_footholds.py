"""Where feet go next: of what was sensed, the ground to stand on, clear of edges and other feet."""

import esper

from creature_sim.components.arrays import Arrays
from creature_sim.locomotion.footholds import choose_footholds
from creature_sim.locomotion.plainness import note_ground
from creature_sim.maths.jit import unchecked

_note_ground = unchecked(note_ground)
_choose_footholds = unchecked(choose_footholds)


class ChooseFootholds(esper.Processor):
    """Turn what was sensed into footholds."""

    def process(self, dt: float) -> None:
        """Judge the ground that every foot looks at."""
        for _, herd in esper.get_component(Arrays):
            seen, room, patches = (herd.hits, herd.is_active), herd.room, herd.probes.patches
            if not herd.twin:  # its body may go anywhere at any time
                _note_ground(*herd.walkers, *seen, room, herd.solids, herd.props, dt)
            _choose_footholds(
                *herd.walkers, *seen, patches.rows, patches.is_active, patches.records,
                herd.neighbours.near, herd.segments, herd.gravity, room, dt,
            )  # fmt: skip

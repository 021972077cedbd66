"""Where feet go next: of what was sensed, the ground to stand on, clear of edges and other feet."""

import esper

from creature_sim.components import Others
from creature_sim.components.arrays import AllHerds, HerdArrays, TwinlessHerds, near_of
from creature_sim.components.queries import others_here
from creature_sim.locomotion.footholds import choose_footholds
from creature_sim.locomotion.plainness import note_ground
from creature_sim.maths.jit import kernel, unchecked
from creature_sim.maths.tables import Table


@unchecked
@kernel
def _note_ground(herds: Table[HerdArrays], dt: float) -> None:
    for k in range(len(herds)):
        herd = herds[k]
        note_ground(
            *herd.walkers, herd.hits, herd.is_active, herd.room, herd.solids, herd.props, dt
        )


@unchecked
@kernel
def _choose_footholds(herds: Table[HerdArrays], others: Others, dt: float) -> None:
    for k in range(len(herds)):
        herd = herds[k]
        choose_footholds(
            *herd.walkers, herd.hits, herd.is_active, herd.patches.rows, herd.patches.is_active,
            herd.patches.records, near_of(herd, others), herd.segments, herd.gravity, herd.room, dt,
        )  # fmt: skip


class ChooseFootholds(esper.Processor):
    """Turn what was sensed into footholds."""

    def process(self, dt: float) -> None:
        """Judge the ground that every foot looks at."""
        for _, planned in esper.get_component(TwinlessHerds):  # a twin may go anywhere at any time
            _note_ground(planned, dt)
        for _, herds in esper.get_component(AllHerds):
            _choose_footholds(herds, others_here(), dt)

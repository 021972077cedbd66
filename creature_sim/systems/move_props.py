"""Props move: along their paths, or as they are pushed."""

from operator import itemgetter

import esper

from creature_sim.components import Body, FootTarget, Herd, LegChain, Plan, Props, Solids
from creature_sim.components.queries import gravity_here, tick_now
from creature_sim.props.dynamics import Dynamics
from creature_sim.props.paths import follow_paths
from creature_sim.props.pushers import Pushers, place_pushers, weigh
from creature_sim.twin.stage import Stage
from creature_sim.twin.twins import balls_of_twins


class MoveProps(esper.Processor):
    """Move every prop by one tick."""

    def process(self, dt: float) -> None:
        """Paths first; then what is dynamic is pushed by them, by legs and by bodies."""
        for entity, (solids, props) in esper.get_components(Solids, Props):
            follow_paths(solids.records, solids.keys, props.records, tick_now(), dt)
            dynamics = esper.try_component(entity, Dynamics)
            if dynamics:
                _push(dynamics, solids, props)


def _push(dynamics: Dynamics, solids: Solids, props: Props) -> None:
    """Let forces act for a tick, and write where they have moved what is dynamic.

    Where there are twins it begins here and ends with them.
    """
    creatures, loads = [], []
    g = gravity_here()[0].acceleration
    for entity, pushers in sorted(esper.get_component(Pushers), key=itemgetter(0)):  # as created
        chain = esper.component_for_entity(entity, LegChain)
        feet = esper.component_for_entity(entity, FootTarget).records
        weight = g * esper.component_for_entity(entity, Herd).definition.body.mass
        loads += pushers.loads[: weigh(feet, solids.records, weight, pushers.loads)].tolist()
        place_pushers(
            esper.component_for_entity(entity, Plan).legs,
            esper.component_for_entity(entity, Body).records,
            feet,
            chain.joints,
            chain.rotations,
            solids.records,
            pushers.positions,
            pushers.orientations,
        )
        creatures.append((pushers.positions, pushers.orientations))
    whole = props.records, solids.records, creatures, loads
    if esper.get_component(Stage):
        dynamics.prepare(*whole, balls_of_twins())
    else:
        dynamics.step(*whole)

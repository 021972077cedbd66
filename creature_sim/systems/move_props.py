"""Props move: along their paths, or as they are pushed."""

from operator import itemgetter

import esper

from creature_sim.components import GRAVITY, Body, Clock, Feet, Herd, LegChain, Plan, Props, Solids
from creature_sim.props.dynamics import Dynamics
from creature_sim.props.paths import follow_paths
from creature_sim.props.pushers import Pushers, place_pushers, weigh


class MoveProps(esper.Processor):
    """Move every prop by one tick."""

    def process(self, dt: float) -> None:
        """Paths first; then what is dynamic is pushed by them, by legs and by bodies."""
        for entity, (solids, props) in esper.get_components(Solids, Props):
            ((_, clock),) = esper.get_component(Clock)
            follow_paths(solids.records, solids.keys, props.records, clock.tick, dt)
            dynamics = esper.try_component(entity, Dynamics)
            if dynamics:
                _push(dynamics, solids, props)


def _push(dynamics: Dynamics, solids: Solids, props: Props) -> None:
    """Let forces act for a tick, and write where they have moved what is dynamic."""
    creatures, loads = [], []
    for entity, pushers in sorted(esper.get_component(Pushers), key=itemgetter(0)):  # as created
        chain = esper.component_for_entity(entity, LegChain)
        feet = esper.component_for_entity(entity, Feet).records
        weight = GRAVITY * esper.component_for_entity(entity, Herd).definition.body.mass
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
    dynamics.step(props.records, solids.records, creatures, loads)

"""Props move: along their paths, or as they are pushed."""

from operator import itemgetter

import esper

from creature_sim.components import Body, Clock, Feet, LegChain, Plan, Records
from creature_sim.dynamics import Dynamics
from creature_sim.jit import kernel
from creature_sim.maths import Floats, put, put_quat, quat, scale, sub, vec
from creature_sim.props import KINEMATIC, Props, Solids, path_point
from creature_sim.systems.pushers import Pushers, place_pushers


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
    creatures = []
    for entity, pushers in sorted(esper.get_component(Pushers), key=itemgetter(0)):  # as created
        chain = esper.component_for_entity(entity, LegChain)
        place_pushers(
            esper.component_for_entity(entity, Plan).legs,
            esper.component_for_entity(entity, Body).records,
            esper.component_for_entity(entity, Feet).records,
            chain.joints,
            chain.rotations,
            solids.records,
            pushers.positions,
            pushers.orientations,
        )
        creatures.append((pushers.positions, pushers.orientations))
    dynamics.step(props.records, solids.records, creatures, [])


@kernel
def follow_paths(solids: Records, keys: Floats, props: Records, tick: int, dt: float) -> None:
    """Remember where props (P,) were, and move kinematic ones to where they are after a tick."""
    for p in range(solids.shape[0]):
        prop = props[p]
        put(prop.old_position, vec(prop.position))
        put_quat(prop.old_orientation, quat(prop.orientation))
        if solids[p].motion == KINEMATIC:
            put(prop.position, path_point(solids[p], keys[p], tick, dt))
            way = sub(vec(prop.position), vec(prop.old_position))
            put(prop.velocity, scale(way, 1.0 / dt))

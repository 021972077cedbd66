"""Props move: along their paths, or as they are pushed."""

from operator import itemgetter

import esper

from creature_sim.components import GRAVITY, Body, Clock, Feet, Herd, LegChain, Plan, Records
from creature_sim.dynamics import Dynamics
from creature_sim.maths import Floats, put, put_quat, quat, scale, sub, vec
from creature_sim.maths.jit import kernel
from creature_sim.props import DYNAMIC, KINEMATIC, Props, Solids, path_point
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


@kernel
def weigh(feet: Records, solids: Records, weight: float, loads: Records) -> int:
    """Share the weight of creatures equally between the feet that they stand on.

    Args:
        feet: (N, L) FOOT.
        solids: (P,) SOLID.
        weight: of one creature [N].
        loads: (N L,) LOAD, to be written for those that stand on dynamic props.

    Returns:
        how many were written.
    """
    count = 0
    for n in range(feet.shape[0]):
        standing = 0
        for i in range(feet.shape[1]):
            standing += 1 - feet[n, i].is_swinging
        for i in range(feet.shape[1]):
            foot = feet[n, i]
            if foot.is_swinging or foot.prop < 0 or solids[foot.prop].motion != DYNAMIC:
                continue
            loads[count].prop = foot.prop
            put(loads[count].place, vec(foot.position))
            put(loads[count].force, (0.0, 0.0, -weight / standing))
            count += 1
    return count


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

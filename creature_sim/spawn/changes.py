"""Creatures come and go between ticks: herds grow and shrink, and all others keep their bits."""

import esper
import numpy as np

from creature_sim.components import (
    Herd,
    Plan,
    Probes,
    Rig,
    Saved,
    Spawned,
    lay_together,
    nobody_near,
    room_for_patches,
)
from creature_sim.components.arrays import Arrays
from creature_sim.definitions import CreatureDef, PlacementDef
from creature_sim.errors import DefinitionError
from creature_sim.props.dynamics import Dynamics
from creature_sim.props.pushers import Pushers, pushers_of
from creature_sim.spawn.entities import find_creature, herds_in_order, parts_of
from creature_sim.spawn.herds import spawn_herd
from creature_sim.spawn.sites import Site
from creature_sim.twin.twins import Twins


def add_creature(definition: CreatureDef, number: int, placement: PlacementDef, site: Site) -> None:
    """Put a creature into the world: into the herd of its body plan, or into a new one.

    Args:
        definition: its body plan.
        number: that it gets.
        placement: where it starts, and whether it stays alone.
        site: the ground.

    Raises:
        DefinitionError: it starts too near to the border.
        TerrainError: there is no ground for it.
    """
    before = herds_in_order()
    entity = spawn_herd(definition, [number], [placement], site, has_pushers=False)
    host = entity
    if not placement.alone:
        for other, herd in before:
            is_alike = esper.has_component(other, Twins) == placement.physical
            if herd.definition == definition and is_alike and not herd.is_closed:
                host = other
                _join(host, entity)
                esper.delete_entity(entity, immediate=True)
                break
    for _, dynamics in esper.get_component(Dynamics) if not placement.physical else ():
        _insert_pushers(dynamics, host)


def remove_creature(number: int) -> None:
    """Take a creature out of the world; its herd stays, even with no creature left.

    Raises:
        DefinitionError: a chain or tree hangs on it, or follows it.
    """
    entity, row = find_creature(number)
    _let_rigs_go(entity, row, number)
    twins = esper.try_component(entity, Twins)
    if twins:
        twins.bodies.pop(row).remove()
    for _, dynamics in esper.get_component(Dynamics) if not twins else ():
        begin, size = _pushers_before(dynamics, entity)
        dynamics.remove_pushers(begin + row * size, size)
    herd = esper.component_for_entity(entity, Herd)
    herd.members = np.delete(herd.members, row)
    for part in parts_of(entity):
        for name, array in part.arrays().items():
            setattr(part, name, np.delete(array, row, axis=0))
    for saved in esper.component_for_entity(entity, Spawned).parts.values():
        for name, rows in saved.items():
            saved[name] = Saved(np.delete(rows.rows(), row, axis=0))
    _fit(entity)


def _join(host: int, guest: int) -> None:
    """Append the only creature of one herd to another; parts that it lacks begin with zeros."""
    into, saved = esper.component_for_entity(host, Herd), esper.component_for_entity(host, Spawned)
    into.members = np.append(into.members, esper.component_for_entity(guest, Herd).members)
    for part in parts_of(host):
        new = esper.try_component(guest, type(part))
        fields = new.arrays() if new else {}
        for name, array in part.arrays().items():
            row = fields.get(name, np.zeros((1, *array.shape[1:]), array.dtype))
            setattr(part, name, np.concatenate((array, row)))
            kept = saved.parts.get(type(part))
            if kept:
                kept[name] = Saved(np.concatenate((kept[name].rows(), row)))
    twins = esper.try_component(host, Twins)
    if twins:
        twins.bodies += esper.component_for_entity(guest, Twins).bodies
    _fit(host)


def _fit(entity: int) -> None:
    """Give a herd rays, pushers and neighbours for as many creatures as it has."""
    count = len(esper.component_for_entity(entity, Herd).members)
    probes = esper.component_for_entity(entity, Probes)
    for name in ("start", "end", "is_active"):
        array = getattr(probes, name)
        setattr(probes, name, np.zeros((count, *array.shape[1:]), array.dtype))
    probes.room = np.full((count, *probes.room.shape[1:]), np.inf)
    leg_count, rays = probes.patches.rows.shape[1], probes.patches.is_active.shape[1]
    probes.patches = room_for_patches(count, leg_count, rays)
    esper.add_component(entity, nobody_near(probes.room.size, probes.patches.rows.size))
    lay_together(parts_of(entity))
    esper.component_for_entity(entity, Arrays).find(entity)
    if esper.has_component(entity, Pushers):
        herd = esper.component_for_entity(entity, Herd)
        plan = esper.component_for_entity(entity, Plan)
        esper.add_component(entity, pushers_of(herd.definition, plan, count))


def _pushers_before(dynamics: Dynamics, entity: int) -> tuple[int, int]:
    """Pushers of props and of herds before one, and how many each of its creatures has."""
    begin = dynamics.ridden_count
    for other, herd in herds_in_order():
        pushers = esper.try_component(other, Pushers)
        if not pushers:  # twins push with their own bodies
            continue
        size = len(pushers.halves) + len(pushers.capsules)
        if other == entity:
            return begin, size
        begin += len(herd.members) * size
    raise AssertionError("every herd has pushers where anything is pushed")


def _insert_pushers(dynamics: Dynamics, entity: int) -> None:
    """Create the bodies of a herd's last creature that push props."""
    herd = esper.component_for_entity(entity, Herd)
    plan = esper.component_for_entity(entity, Plan)
    pushers = pushers_of(herd.definition, plan, len(herd.members))
    esper.add_component(entity, pushers)
    begin, size = _pushers_before(dynamics, entity)
    index = begin + (len(herd.members) - 1) * size
    dynamics.insert_pushers(index, pushers.halves, pushers.capsules)


def _let_rigs_go(entity: int, row: int, number: int) -> None:
    """Refuse to remove who carries a chain or tree; tell the others their carriers' new rows."""
    rigs = [rig for _, rig in esper.get_component(Rig)]
    for rig in rigs:
        for carrier in rig.carriers():
            if (carrier.entity, carrier.row) == (entity, row):
                raise DefinitionError(
                    f"creature: expected one that no chain or tree hangs on or follows, found "
                    f"{number}, which {rig.definition.name!r} does"
                )
    for rig in rigs:
        for carrier in rig.carriers():
            if carrier.entity == entity and carrier.row > row:
                carrier.row -= 1

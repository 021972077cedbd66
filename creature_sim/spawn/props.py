"""Props become an entity: planes and hulls of their shapes, poses, bodies that are pushed."""

import esper
import numpy as np

from creature_sim.components import (
    KINEMATIC,
    Gravity,
    PropRecord,
    Props,
    Roofs,
    Solids,
    Spawned,
    zeros,
)
from creature_sim.definitions import PropDef, TerrainDef, WorldDef
from creature_sim.errors import TerrainError
from creature_sim.ground.rays import Physics
from creature_sim.maths import put, put_quat
from creature_sim.props.dynamics import Dynamics
from creature_sim.props.paths import place_at
from creature_sim.props.rays import cast
from creature_sim.props.shapes import hulls_of, orientation_of, solids_of
from creature_sim.spawn.entities import saved_of
from creature_sim.terrain import build_terrain
from creature_sim.terrain.traits import has_unknown_roofs, roof_of

DEEP = 1e4
"""So far below a prop that is pushed ground is looked for [m]."""
ON = 1e-6
"""A prop whose middle is nearer to the ground than this is in it [m]."""


def spawn_props(world: WorldDef, physics: Physics) -> None:
    """Create the entity of a world's props in esper's current context, where it has any.

    Raises:
        TerrainError: one that is pushed would fall for ever.
    """
    if not world.props:
        return
    solids, props = props_of(world.props)
    check_ground(solids, props, physics)
    entity = esper.create_entity(solids, props, Spawned({Props: saved_of(props)}))
    if solids.is_dynamic.any() or any(placement.physical for placement in world.creatures):
        hulls = hulls_of(world.props)
        is_own = physics.is_endless
        if is_own:  # what of it lies where depends on nothing but the props: so do results
            terrain = build_terrain(world.terrain, world.seed)
            physics = Physics(terrain, int(solids.is_dynamic.sum()))
        ((_, gravity),) = esper.get_component(Gravity)
        dynamics = Dynamics(
            physics,
            world.props,
            hulls,
            solids.records,
            props.records,
            gravity.records[0].acceleration,
            1.0 / world.tick_rate,
            is_own,
        )
        esper.add_component(entity, dynamics)


def check_ground(solids: Solids, props: Props, physics: Physics) -> None:
    """Refuse a prop that is pushed, and has its middle in the ground or nothing below it."""
    numbers = np.flatnonzero(solids.is_dynamic)
    if not len(numbers):
        return
    middles = np.ascontiguousarray(props.records["position"][numbers])
    fractions, _, _ = cast(physics, (solids, props), middles, middles - [0.0, 0.0, DEEP])
    for number, middle, fraction in zip(numbers, middles, fractions, strict=True):
        if not ON < DEEP * fraction < DEEP:
            raise TerrainError(
                f"props[{number}].position: expected ground below the middle of what is pushed, "
                f"found none below {middle.tolist()}: it would fall for ever"
            )


def props_of(written: tuple[PropDef, ...]) -> tuple[Solids, Props]:
    """What props are, and where they are before the first tick."""
    solids, records = solids_of(written), zeros(PropRecord, len(written))
    for solid, record, keys, prop in zip(
        solids.records, records, solids.keys, written, strict=True
    ):
        if prop.position is not None:
            put(record.position, prop.position)
        put_quat(record.orientation, orientation_of(prop))
        if solid.motion == KINEMATIC:
            place_at(solid, keys, record, 0, 0.0)
    records["old_position"] = records["position"]
    records["old_orientation"] = records["orientation"]
    return solids, Props(records)


def spawn_roofs(terrain: TerrainDef) -> None:
    """Create the entity of what may hang over the floor of a ground, where anything does."""
    roof, is_unknown = roof_of(terrain), has_unknown_roofs(terrain)
    boxes = roof.boxes if roof else ()
    written = tuple(PropDef(shape="box", size=box.size, position=box.position) for box in boxes)
    if written or is_unknown:
        esper.create_entity(Roofs(props_of(written) if written else None, is_unknown))

"""Props become an entity: planes and hulls of their shapes, poses, bodies that are pushed."""

from math import sqrt

import esper
import numpy as np

from creature_sim.components import KINEMATIC, MOTIONS, PROP, SOLID, Props, Roofs, Solids, Spawned
from creature_sim.definitions import MeshDef, PropDef, TerrainDef, WorldDef
from creature_sim.ground.rays import Physics
from creature_sim.maths import Floats, Quat, X, Y, Z, put, put_quat, quat_about, quat_multiply
from creature_sim.props.dynamics import Dynamics
from creature_sim.props.paths import path_point
from creature_sim.terrain import build_terrain
from creature_sim.terrain.kinds.overhangs import roofs_of


def spawn_props(world: WorldDef, physics: Physics) -> None:
    """Create the entity of a world's props in esper's current context, where it has any."""
    if not world.props:
        return
    solids, props = props_of(world.props)
    records = props.records
    saved: dict[type, dict[str, Floats]] = {Props: {"records": records.copy()}}
    entity = esper.create_entity(solids, props, Spawned(saved))
    if solids.is_dynamic.any():
        hulls = hulls_of(world.props)
        is_own = physics.is_endless
        if is_own:  # what of it lies where depends on nothing but the props: so do results
            terrain = build_terrain(world.terrain, world.seed)
            physics = Physics(terrain, int(solids.is_dynamic.sum()))
        dynamics = Dynamics(
            physics, world.props, hulls, solids.records, records, 1.0 / world.tick_rate, is_own
        )
        esper.add_component(entity, dynamics)


def props_of(written: tuple[PropDef, ...]) -> tuple[Solids, Props]:
    """What props are, and where they are before the first tick."""
    solids, records = solids_of(written), np.zeros(len(written), PROP)
    for solid, record, keys, prop in zip(
        solids.records, records, solids.keys, written, strict=True
    ):
        if solid.motion == KINEMATIC:
            put(record.position, path_point(solid, keys, 0, 0.0))
        else:
            assert prop.position is not None
            put(record.position, prop.position)
        put_quat(record.orientation, orientation_of(prop))
    records["old_position"] = records["position"]
    records["old_orientation"] = records["orientation"]
    return solids, Props(records)


def spawn_roofs(terrain: TerrainDef) -> None:
    """Create the entity of what may hang over the floor of a ground, where anything does."""
    written, is_unknown = roofs_of(terrain), isinstance(terrain, MeshDef)
    if written or is_unknown:
        esper.create_entity(Roofs(props_of(written) if written else None, is_unknown))


def orientation_of(written: PropDef) -> Quat:
    """Orientation of a prop, from its roll, pitch and yaw."""
    roll, pitch, yaw = written.rotation
    return quat_multiply(
        quat_about(Z, yaw), quat_multiply(quat_about(Y, pitch), quat_about(X, roll))
    )


def solids_of(written: tuple[PropDef, ...]) -> Solids:
    """The numbers that rays and paths need of props."""
    records = np.zeros(len(written), SOLID)
    planes = np.zeros((len(written), 6, 4))
    keys = np.zeros((len(written), max(len(prop.waypoints) for prop in written), 3))
    for index, (solid, prop) in enumerate(zip(records, written, strict=True)):
        solid.motion = MOTIONS.index(prop.motion)
        solid.period, solid.phase = prop.period or 0.0, prop.phase
        solid.key_count = len(prop.waypoints)
        keys[index, : len(prop.waypoints)] = np.array(prop.waypoints).reshape(-1, 3)
        if prop.radius is not None:
            solid.radius = solid.bound = prop.radius
        else:
            assert prop.size is not None
            x, y, z = (0.5 * side for side in prop.size)
            faces = [(-1.0, 0.0, 0.0, x), (*Y, y), (0.0, -1.0, 0.0, y), (0.0, 0.0, -1.0, z)]
            if prop.shape == "ramp":  # from the lower edge in front to the upper one behind
                length = sqrt(x * x + z * z)
                faces = [(*X, x), *faces[1:], (-z / length, 0.0, x / length, 0.0)]
            else:
                faces += [(*X, x), (*Z, z)]
            planes[index, : len(faces)] = faces
            solid.plane_count = len(faces)
            solid.bound = sqrt(x * x + y * y + z * z)
    return Solids(written, records, planes, keys)


def hulls_of(written: tuple[PropDef, ...]) -> list[Floats]:
    """Corners of every prop, (C, 3) [m, prop]; none of a ball."""
    found = []
    for prop in written:
        signs = [(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)]
        if prop.shape == "ramp":
            signs = [sign for sign in signs if sign[0] > 0.0 or sign[2] < 0.0]
        half = 0.5 * np.array(prop.size or (0.0, 0.0, 0.0))
        found.append(np.array(signs if prop.size else []).reshape(-1, 3) * half)
    return found

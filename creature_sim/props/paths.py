"""Paths and turns of props, and how what stands on them goes along."""

from creature_sim.components import KINEMATIC, PropRecord, Records, SolidRecord
from creature_sim.maths import (
    TAU,
    Floats,
    Quat,
    Vec,
    add,
    put,
    put_quat,
    quat,
    quat_about,
    quat_conjugate,
    quat_multiply,
    rotate,
    scale,
    spline_point,
    sub,
    vec,
)
from creature_sim.maths.jit import kernel


@kernel
def path_point(solid: SolidRecord, keys: Floats, tick: int, dt: float) -> Vec:
    """Where the middle of a kinematic prop is after a tick [m, world].

    On the closed Catmull-Rom spline through its waypoints (K, 3); depends on nothing but the tick.
    """
    turns = solid.phase + tick * dt / solid.period
    return spline_point(keys[: solid.key_count], True, (turns - int(turns)) * solid.key_count)


@kernel
def turned_at(solid: SolidRecord, tick: int, dt: float) -> Quat:
    """Orientation of a kinematic prop after a tick; depends on nothing but the tick.

    Whole pairs of turns are left out: only after two turns a quaternion is what it was.
    """
    pairs = tick * dt * solid.rate / (2.0 * TAU)
    turn = quat_about(vec(solid.axis), (pairs - int(pairs)) * (2.0 * TAU))
    return quat_multiply(turn, quat(solid.rotation))


@kernel
def place_ahead(
    solids: Records[SolidRecord], keys: Floats, props: Records[PropRecord], tick: int, dt: float
) -> None:
    """Put kinematic props (P,) where they will be after a tick."""
    for p in range(solids.shape[0]):
        if solids[p].motion == KINEMATIC:
            place_at(solids[p], keys[p], props[p], tick, dt)


@kernel
def place_at(solid: SolidRecord, keys: Floats, prop: PropRecord, tick: int, dt: float) -> None:
    """Put a kinematic prop where it is after a tick: along its waypoints (K, 3), and turned."""
    if solid.key_count > 0:
        put(prop.position, path_point(solid, keys, tick, dt))
    if solid.rate != 0.0:
        put_quat(prop.orientation, turned_at(solid, tick, dt))


@kernel
def turn_of(prop: PropRecord) -> Quat:
    """How a prop has turned in the last tick [world]."""
    old, new = quat(prop.old_orientation), quat(prop.orientation)
    if old == new:
        return (0.0, 0.0, 0.0, 1.0)
    return quat_multiply(new, quat_conjugate(old))


@kernel
def carried(prop: PropRecord, point: Vec) -> Vec:
    """Where a point that is fixed to a prop has gone in the last tick [m, world]."""
    old, new = vec(prop.old_position), vec(prop.position)
    if quat(prop.old_orientation) == quat(prop.orientation):
        return add(point, sub(new, old))
    return add(new, rotate(turn_of(prop), sub(point, old)))


@kernel
def follow_paths(
    solids: Records[SolidRecord], keys: Floats, props: Records[PropRecord], tick: int, dt: float
) -> None:
    """Remember where props (P,) were, and move kinematic ones to where they are after a tick."""
    for p in range(solids.shape[0]):
        prop = props[p]
        put(prop.old_position, vec(prop.position))
        put_quat(prop.old_orientation, quat(prop.orientation))
        if solids[p].motion == KINEMATIC:
            place_at(solids[p], keys[p], prop, tick, dt)
            put(prop.spin, scale(vec(solids[p].axis), solids[p].rate))
            moved = sub(vec(prop.position), vec(prop.old_position))
            put(prop.velocity, scale(moved, 1.0 / dt))

"""Props as components: solids that rays meet, and where they are.

Rays against them are computed here and not by pybullet: plane by plane, so that a foot stands on a
moving box as exactly as on the ground.
"""

from dataclasses import dataclass
from math import inf, sqrt

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import Part, Record, Records, record_type
from creature_sim.definitions import PropDef
from creature_sim.ground.rays import Physics
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    add,
    along,
    dot,
    norm,
    put,
    quat,
    quat_conjugate,
    quat_multiply,
    rotate,
    scale,
    spline_point,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

STATIC, KINEMATIC, DYNAMIC = 0, 1, 2  # solid.motion
MOTIONS = ("static", "kinematic", "dynamic")
GROUND = -1
"""What stands in the place of a prop's number where there is ground."""

SOLID = record_type(
    ("motion", "i8"),  # STATIC, KINEMATIC or DYNAMIC
    ("radius", "f8"),  # of a ball [m]; 0 for what has planes
    ("bound", "f8"),  # of a ball around its middle that holds all of it [m]
    ("plane_count", "i8"),
    ("key_count", "i8"),  # waypoints
    ("period", "f8"),  # [s]
    ("phase", "f8"),  # share of the period that is over at tick 0
)

PROP = record_type(
    ("position", "f8", (3,)),  # of its middle [m, world]
    ("orientation", "f8", (4,)),  # xyzw, prop to world
    ("velocity", "f8", (3,)),  # of its middle [m/s, world]
    ("spin", "f8", (3,)),  # angular velocity [rad/s, world]
    ("old_position", "f8", (3,)),  # a tick ago [m, world]
    ("old_orientation", "f8", (4,)),
)


@dataclass
class Solids:
    """What the props of a world are, never changed during a run.

    Attributes:
        definitions: as written, P of them.
        records: (P,) SOLID.
        planes: (P, F, 4) outward unit normals and distances from the middle [m, prop].
        keys: (P, K, 3) waypoints [m, world].
    """

    definitions: tuple[PropDef, ...]
    records: Records
    planes: Floats
    keys: Floats

    @property
    def is_dynamic(self) -> NDArray[np.bool_]:
        """Which are pushed, (P,)."""
        flags: NDArray[np.bool_] = self.records["motion"] == DYNAMIC
        return flags


@dataclass
class Props(Part):
    """Where the props are: (P,) PROP."""

    name = "props"
    records: Records


@dataclass
class Roofs:
    """What of the ground may hang over other ground.

    Attributes:
        solids: the roofs, as if they were props; None where there are none.
        is_unknown: whether only rays against the ground can tell.
    """

    solids: tuple[Solids, Props] | None
    is_unknown: bool


def find_props() -> tuple[Solids, Props] | None:
    """The props of esper's current context; None where there are none."""
    for _, (solids, props) in esper.get_components(Solids, Props):
        return solids, props
    return None


def cast(
    physics: Physics, found: tuple[Solids, Props] | None, starts: Floats, ends: Floats
) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Cast rays against the ground and props.

    Args:
        physics: holds the ground.
        found: the props, see `find_props`.
        starts: (R, 3) [m, world].
        ends: (R, 3) [m, world].

    Returns:
        fractions (R,) and normals (R, 3) as `Physics.cast` does, and which prop each ray hit (R,):
        GROUND where that is none.
    """
    fractions, normals = physics.cast(starts, ends)
    numbers = np.full(len(fractions), GROUND)
    if found is not None:
        solids, props = found
        cast_props(
            solids.records, solids.planes, props.records, starts, ends, fractions, normals, numbers
        )
    return fractions, normals, numbers


@kernel
def cast_props(
    solids: Records,
    planes: Floats,
    props: Records,
    starts: Floats,
    ends: Floats,
    fractions: Floats,
    normals: Floats,
    numbers: NDArray[np.int64],
) -> None:
    """Put props in the place of what rays hit where they are nearer.

    A ray that starts within a prop does not see it.

    Args:
        solids: (P,) SOLID.
        planes: (P, F, 4).
        props: (P,) PROP.
        starts: (R, 3) [m, world].
        ends: (R, 3) [m, world].
        fractions: (R,) of the way to what is hit without props; changed.
        normals: (R, 3) there; changed.
        numbers: (R,) of the prop; changed.
    """
    for p in range(solids.shape[0]):
        solid, prop = solids[p], props[p]
        position, orientation = vec(prop.position), quat(prop.orientation)
        for r in range(starts.shape[0]):
            way = sub(vec(ends[r]), vec(starts[r]))
            out = sub(vec(starts[r]), position)
            size, towards = dot(way, way), dot(out, way)
            gap = dot(out, out) - solid.bound * solid.bound
            if size == 0.0 or (gap > 0.0 and (towards > 0.0 or towards * towards < gap * size)):
                continue
            if solid.radius > 0.0:
                fraction, normal = ball_hit(solid.radius, out, way)
            else:
                own = unrotate(orientation, out), unrotate(orientation, way)
                fraction, normal = faces_hit(planes[p, : solid.plane_count], own[0], own[1])
                normal = rotate(orientation, normal)
            if fraction < fractions[r]:
                fractions[r] = fraction
                put(normals[r], normal)
                numbers[r] = p


@kernel
def depths_within(solids: Records, planes: Floats, props: Records, points: Floats) -> Floats:
    """How deep points lie within the prop that holds them, (R,); 0 where none does [m].

    Args:
        solids: (P,) SOLID.
        planes: (P, F, 4).
        props: (P,) PROP.
        points: (R, 3) [m, world].
    """
    depths = np.zeros(len(points))
    for p in range(solids.shape[0]):
        solid, position = solids[p], vec(props[p].position)
        for r in range(points.shape[0]):
            out = sub(vec(points[r]), position)
            depth = solid.bound - norm(out)
            if depth <= depths[r]:
                continue
            own = unrotate(quat(props[p].orientation), out)
            for k in range(solid.plane_count):
                face = (planes[p, k, 0], planes[p, k, 1], planes[p, k, 2])
                depth = min(depth, planes[p, k, 3] - dot(face, own))
            depths[r] = max(depths[r], depth)
    return depths


@kernel
def ball_hit(radius: float, out: Vec, way: Vec) -> tuple[float, Vec]:
    """Share of a way at which it enters a ball, inf where it does not, and the normal there.

    Args:
        radius: of the ball [m].
        out: from its middle to where the way begins [m].
        way: [m].
    """
    size, half = dot(way, way), dot(out, way)
    rest = half * half - size * (dot(out, out) - radius * radius)
    if rest < 0.0:
        return inf, out
    fraction = (-half - sqrt(rest)) / size
    if fraction < 0.0:
        return inf, out
    return fraction, scale(along(out, way, fraction), 1.0 / radius)


@kernel
def faces_hit(planes: Floats, start: Vec, way: Vec) -> tuple[float, Vec]:
    """Share of a way at which it enters a convex body, inf where it does not, and the normal.

    Clipped plane by plane (Cyrus and Beck 1978).

    Args:
        planes: (F, 4) outward unit normals and distances from the middle [m].
        start: of the way, from the middle [m].
        way: [m].
    """
    enter, leave, normal = -inf, inf, way
    for k in range(planes.shape[0]):
        face = (planes[k, 0], planes[k, 1], planes[k, 2])
        off, towards = planes[k, 3] - dot(face, start), dot(face, way)
        if towards == 0.0:
            if off < 0.0:
                return inf, way
        elif towards < 0.0:
            if off / towards > enter:
                enter, normal = off / towards, face
        else:
            leave = min(leave, off / towards)
    if enter < 0.0 or enter > leave:
        return inf, way
    return enter, normal


@kernel
def path_point(solid: Record, keys: Floats, tick: int, dt: float) -> Vec:
    """Where the middle of a kinematic prop is after a tick [m, world].

    On the closed Catmull-Rom spline through its waypoints (K, 3); depends on nothing but the tick.
    """
    turns = solid.phase + tick * dt / solid.period
    return spline_point(keys[: solid.key_count], True, (turns - int(turns)) * solid.key_count)


@kernel
def turn_of(prop: Record) -> Quat:
    """How a prop has turned in the last tick [world]."""
    old, new = quat(prop.old_orientation), quat(prop.orientation)
    if old == new:
        return (0.0, 0.0, 0.0, 1.0)
    return quat_multiply(new, quat_conjugate(old))


@kernel
def carried(prop: Record, point: Vec) -> Vec:
    """Where a point that is fast on a prop has gone in the last tick [m, world]."""
    old, new = vec(prop.old_position), vec(prop.position)
    if quat(prop.old_orientation) == quat(prop.orientation):
        return add(point, sub(new, old))
    return add(new, rotate(turn_of(prop), sub(point, old)))

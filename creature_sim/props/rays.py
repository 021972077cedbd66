"""Rays against props, in closed form: a foot stands on what moves as exactly as on the ground."""

from math import inf, sqrt

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import GROUND, PropRecord, Props, Records, SolidRecord, Solids
from creature_sim.ground.rays import Physics
from creature_sim.maths import (
    Floats,
    Vec,
    along,
    dot,
    norm,
    put,
    quat,
    rotate,
    scale,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel


def cast(
    physics: Physics,
    found: tuple[Solids, Props] | None,
    starts: Floats,
    ends: Floats,
    is_once: NDArray[np.bool_] | None = None,
) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Cast rays against the ground and props.

    Args:
        physics: holds the ground.
        found: the props, see `find_props`.
        starts: (R, 3) [m, world].
        ends: (R, 3) [m, world].
        is_once: (R,) see `Physics.cast`.

    Returns:
        fractions (R,) and normals (R, 3) as `Physics.cast` does, and which prop each ray hit (R,):
        GROUND where that is none.
    """
    fractions, normals = physics.cast(starts, ends, is_once)
    numbers = np.empty(len(fractions), np.int64)
    numbers.fill(GROUND)  # a third of the time of np.full
    if found is not None:
        solids, props = found
        cast_props(
            solids.records, solids.planes, props.records, starts, ends, fractions, normals, numbers
        )
    return fractions, normals, numbers


@kernel
def cast_props(
    solids: Records[SolidRecord],
    planes: Floats,
    props: Records[PropRecord],
    starts: Floats,
    ends: Floats,
    fractions: Floats,
    normals: Floats,
    numbers: NDArray[np.int64],
) -> None:
    """Let rays hit props where these are nearer than the ground.

    A ray that starts within a prop does not see it.

    Args:
        solids: (P,).
        planes: (P, F, 4).
        props: (P,).
        starts: (R, 3) [m, world].
        ends: (R, 3) [m, world].
        fractions: (R,) of each ray at which it hits the ground; changed.
        normals: (R, 3) there; changed.
        numbers: (R,) of the prop; changed.
    """
    for p in range(solids.shape[0]):
        solid, prop = solids[p], props[p]
        position, orientation = vec(prop.position), quat(prop.orientation)
        for r in range(starts.shape[0]):
            line = sub(vec(ends[r]), vec(starts[r]))
            out = sub(vec(starts[r]), position)
            size, towards = dot(line, line), dot(out, line)
            gap = dot(out, out) - solid.bound * solid.bound
            if size == 0.0 or (gap > 0.0 and (towards > 0.0 or towards * towards < gap * size)):
                continue
            faces = planes[p, : solid.plane_count]
            if solid.plane_count == 0:
                fraction, normal = ball_hit(solid.radius, out, line)
            else:
                own = unrotate(orientation, out), unrotate(orientation, line)
                if solid.radius > 0.0:
                    fraction, normal = cylinder_hit(solid.radius, faces, own[0], own[1])
                else:
                    fraction, normal = faces_hit(faces, own[0], own[1])
                normal = rotate(orientation, normal)
            if fraction < fractions[r]:
                fractions[r] = fraction
                put(normals[r], normal)
                numbers[r] = p


@kernel
def depths_within(
    solids: Records[SolidRecord], planes: Floats, props: Records[PropRecord], points: Floats
) -> Floats:
    """How deep points lie within the prop that holds them, (R,); 0 where none does [m].

    Args:
        solids: (P,).
        planes: (P, F, 4).
        props: (P,).
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
            if solid.radius > 0.0 and solid.plane_count > 0:
                depth = min(depth, solid.radius - sqrt(own[0] * own[0] + own[1] * own[1]))
            depths[r] = max(depths[r], depth)
    return depths


@kernel
def ball_hit(radius: float, out: Vec, line: Vec) -> tuple[float, Vec]:
    """Fraction of a ray at which it enters a ball, inf where it does not, and the normal there.

    Args:
        radius: of the ball [m].
        out: from its middle to where the ray begins [m].
        line: from its start to its end [m].
    """
    size, half = dot(line, line), dot(out, line)
    rest = half * half - size * (dot(out, out) - radius * radius)
    if rest < 0.0:
        return inf, out
    fraction = (-half - sqrt(rest)) / size
    if fraction < 0.0:
        return inf, out
    return fraction, scale(along(out, line, fraction), 1.0 / radius)


@kernel
def faces_hit(planes: Floats, start: Vec, line: Vec) -> tuple[float, Vec]:
    """Fraction of a ray at which it enters a convex body, inf where it does not, and the normal.

    Args:
        planes: (F, 4) outward unit normals and distances from the middle [m].
        start: of the ray, from the middle [m].
        line: from its start to its end [m].
    """
    enter, leave, normal = faces_crossed(planes, start, line)
    if enter < 0.0 or enter > leave:
        return inf, line
    return enter, normal


@kernel
def faces_crossed(planes: Floats, start: Vec, line: Vec) -> tuple[float, float, Vec]:
    """Fractions at which a line enters and leaves a convex body, and the normal where it enters.

    It enters after it leaves where it misses the body. Clipped plane by plane (Cyrus and Beck
    1978). See `faces_hit` for the arguments.
    """
    enter, leave, normal = -inf, inf, line
    for k in range(planes.shape[0]):
        face = (planes[k, 0], planes[k, 1], planes[k, 2])
        off, towards = planes[k, 3] - dot(face, start), dot(face, line)
        if towards == 0.0:
            if off < 0.0:
                return inf, -inf, line
        elif towards < 0.0:
            if off / towards > enter:
                enter, normal = off / towards, face
        else:
            leave = min(leave, off / towards)
    return enter, leave, normal


@kernel
def cylinder_hit(radius: float, ends: Floats, start: Vec, line: Vec) -> tuple[float, Vec]:
    """Fraction of a ray at which it enters a cylinder about Z, inf where it does not, and normal.

    Args:
        radius: of the cylinder [m].
        ends: (2, 4) its flat ends, as `faces_hit` takes planes.
        start: of the ray, from the middle [m].
        line: from its start to its end [m].
    """
    enter, leave, normal = faces_crossed(ends, start, line)
    size = line[0] * line[0] + line[1] * line[1]
    half = start[0] * line[0] + start[1] * line[1]
    off = start[0] * start[0] + start[1] * start[1] - radius * radius
    rest = half * half - size * off
    if rest < 0.0 or (size == 0.0 and off > 0.0):
        return inf, line
    if size > 0.0:
        root = sqrt(rest)
        if (-half - root) / size > enter:
            enter = (-half - root) / size
            x, y, _ = along(start, line, enter)
            normal = (x / radius, y / radius, 0.0)
        leave = min(leave, (root - half) / size)
    if enter < 0.0 or enter > leave:
        return inf, line
    return enter, normal

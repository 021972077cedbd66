"""How two segments of different creatures lie to each other: gaps, and planes between them."""

from math import inf

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import NeighbourRecord, Records, ShapeRecord
from creature_sim.maths import Vec, add, any_normal, dot, norm, put, reject, scale, sub, unit, vec
from creature_sim.maths.jit import kernel

BODY_GAP = 0.01
"""Bodies keep this gap [m]; those that are nearer already come no nearer."""
NO_MATTER = 0.15
"""Where the grounds that feet need are farther apart than this [m], so are bodies, for a tick."""
TIE = 1e-9
"""Directions whose gaps differ by less are as good as each other [m]: the first one is taken."""


@kernel
def meet(
    shapes: Records[ShapeRecord],
    first: NDArray[np.int64],
    others: NDArray[np.int64],
    records: Records[NeighbourRecord],
) -> None:
    """Write what every segment must know of those in its sight.

    Args:
        shapes: (M,) of the whole world.
        first: (M + 1,) where the neighbours of each begin.
        others: (E,) their indices.
        records: (E,) written.
    """
    for m in range(shapes.shape[0]):
        for e in range(first[m], first[m + 1]):
            k = others[e]
            if shapes[m].number < shapes[k].number:
                meet_pair(shapes[m], shapes[k], 1.0, records[e])
            else:  # both see the same planes, to the bit
                meet_pair(shapes[k], shapes[m], -1.0, records[e])
            velocity = vec(shapes[k].velocity)
            records[e].away = -dot(velocity, vec(records[e].normal))
            records[e].first_foot = shapes[k].first_foot
            records[e].last_foot = shapes[k].last_foot


@kernel
def meet_pair(a: ShapeRecord, b: ShapeRecord, sign: float, record: NeighbourRecord) -> None:
    """Write how two segments lie to each other, as the first (sign 1) or the second (-1) sees it.

    Two bodies are apart where a plane is between them. Each keeps to its half of the gap, so
    that they are apart after the tick too, whatever both do in it.
    """
    normal, gap = between_grounds(a, b)
    if gap > NO_MATTER and gap < inf:
        record.offset, record.edge = -inf, -inf
        record.is_inside, record.gap = 0, gap
        put(record.normal, scale(normal, sign))
        return
    face, free = between_boxes(a, b)
    record.is_inside = free < 0.0
    half = 0.5 * (free + BODY_GAP) if free > BODY_GAP else free
    if sign > 0.0:
        record.offset = dot(vec(b.position), face) + box_extent(b, face) + half
    else:
        record.offset = -dot(vec(a.position), face) + box_extent(a, face) + half
    put(record.face, scale(face, sign))
    record.edge = -inf
    if gap < inf and not record.is_inside:
        edge = dot(vec(a.position), normal) - ground_extent(a, scale(normal, -1.0)) - 0.5 * gap
        record.edge = sign * edge
    if record.is_inside:  # the way out is the same for all segments, or they would lock each other
        up = unit(add(vec(a.up), vec(b.up)), vec(a.up))
        level = reject(sub(vec(a.centre), vec(b.centre)), up)
        normal, gap = unit(level, normal), min(gap, 0.0)
    put(record.normal, scale(normal, sign))
    record.gap = gap


@kernel
def box_extent(shape: ShapeRecord, direction: Vec) -> float:
    """How far a segment's box goes out from its centre in a unit direction [m]."""
    return float(
        abs(dot(vec(shape.ahead), direction)) * shape.front
        + abs(dot(vec(shape.aside), direction)) * shape.side
        + abs(dot(vec(shape.up), direction)) * shape.top
    )


@kernel
def between_boxes(a: ShapeRecord, b: ShapeRecord) -> tuple[Vec, float]:
    """Normal of the best plane between two boxes, from `b` to `a`, and the gap there [m].

    Normals of their faces are tried (Gottschalk, Lin and Manocha 1996, without those of edges): a
    positive gap proves that they are apart.
    """
    between = sub(vec(a.position), vec(b.position))
    best, gap = vec(a.ahead), -inf
    for axis in (a.ahead, a.aside, a.up, b.ahead, b.aside, b.up):
        normal = vec(axis)
        if dot(normal, between) < 0.0:
            normal = scale(normal, -1.0)
        size = dot(normal, between) - box_extent(a, normal) - box_extent(b, normal)
        if size > gap + TIE:
            best, gap = normal, size
    return best, gap


@kernel
def ground_extent(shape: ShapeRecord, direction: Vec) -> float:
    """How far the ground that a segment's feet need goes out from its centre [m]."""
    x, y = dot(vec(shape.ahead), direction), dot(vec(shape.aside), direction)
    far = x * (shape.last_x if x > 0.0 else shape.first_x)
    far += y * (shape.last_y if y > 0.0 else shape.first_y)
    return float(min(far, shape.radius))


@kernel
def between_grounds(a: ShapeRecord, b: ShapeRecord) -> tuple[Vec, float]:
    """Direction along the surface from `b` to `a`, and the gap between their grounds there [m].

    Of the line between the two and, if they are near, their own axes, that with the largest gap. It
    is inf where one is above the other, on another level.
    """
    up = unit(add(vec(a.up), vec(b.up)), vec(a.up))
    between = sub(vec(a.position), vec(b.position))
    rise = dot(between, up)
    level = reject(between, up)
    best = unit(level, unit(reject(vec(a.aside), up), any_normal(up)))
    if rise - a.low > b.top or rise + a.top < -b.low:
        return best, inf
    gap = norm(level) - ground_extent(a, scale(best, -1.0)) - ground_extent(b, best)
    if gap > NO_MATTER:
        return best, gap
    for axis in (a.ahead, a.aside, b.ahead, b.aside):
        normal = unit(reject(vec(axis), up), best)
        if dot(normal, level) < 0.0:
            normal = scale(normal, -1.0)
        size = dot(normal, level) - ground_extent(a, scale(normal, -1.0))
        size -= ground_extent(b, normal)
        if size > gap + TIE:
            best, gap = normal, size
    return best, gap

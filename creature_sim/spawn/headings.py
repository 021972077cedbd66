"""Where a creature looks that starts on ground of any tilt, as one number."""

from creature_sim.maths import (
    Vec,
    X,
    add,
    atan2,
    cross,
    dot,
    reject,
    scale,
    sin_cos,
    unit,
)

LEVEL = 0.7
"""Ground whose normal is nearer to the level than this (the cosine) is a wall."""


def ahead_of(heading: float, up: Vec, plumb: Vec) -> Vec:
    """Unit direction along ground that faces `up` [world]; inverse of `heading_of`.

    Args:
        heading: from X towards Y; on a wall from straight up towards the left of who stands there
            [rad].
        up: unit normal of the ground.
        plumb: unit direction against gravity.
    """
    sine, cosine = sin_cos(heading)
    if is_wall(up, plumb):
        upward = unit(reject(plumb, up), X)
        return add(scale(upward, cosine), scale(cross(up, upward), sine))
    return unit(reject((cosine, sine, 0.0), up), X)


def heading_of(ahead: Vec, up: Vec, plumb: Vec) -> float:
    """Heading of who looks along a unit direction on ground that faces `up` [rad]."""
    if is_wall(up, plumb):
        upward = unit(reject(plumb, up), X)
        return float(atan2(dot(ahead, cross(up, upward)), dot(ahead, upward)))
    x, y, z = ahead
    if abs(up[2]) > LEVEL * LEVEL:  # what is level, and was turned onto the ground
        x, y = x - z / up[2] * up[0], y - z / up[2] * up[1]
    return float(atan2(y, x))


def is_wall(up: Vec, plumb: Vec) -> bool:
    """Whether ground that faces `up` is neither floor nor ceiling."""
    return abs(dot(up, plumb)) < LEVEL

"""Legs from above: strips that taper from hip to foot, and how far two of them are apart.

A leg bends in a plane that holds its segment's up, so from above it covers the straight line from
its hip to its foot. Two legs whose strips are apart cannot touch, whatever their joints do.

Legs whose hips are balls bend in planes that lean with them. Below a body that is upright on a
slope all lean to one side: from above two of them may overlap though they are apart. So they are
also looked at along the mean of both planes.
"""

from math import sqrt
from typing import NamedTuple

from creature_sim.maths import clamp
from creature_sim.maths.jit import kernel

SHORTEST = 1e-9
"""A line shorter than this has no direction [m]."""


class Strip(NamedTuple):
    """A leg from above.

    Attributes:
        hx: x of the hip [m].
        hy: y of the hip [m].
        hip: half of its width there [m].
        fx: x of the foot, or of a knee that is farther out [m].
        fy: y of it [m].
        foot: half of its width there [m].
        drawn: how far the foot itself is out, as a fraction: of a leg that is drawn in, the knee
            goes farther out, and the strip up to that.
        high: how high the hip is [m]...
        low: ...and the foot, of a leg that leans; both 0 of one that is looked at from above only.
    """

    hx: float
    hy: float
    hip: float
    fx: float
    fy: float
    foot: float
    drawn: float
    high: float
    low: float


class Gap(NamedTuple):
    """How far a strip is from another one.

    Attributes:
        size: between their borders; negative where they overlap, and more so the farther one has
            gone across the other [m].
        x: of the unit direction in which the strip gets away.
        y: of it.
        along: where on its axis it is nearest to the other, 0 at the hip to 1 at the foot.
    """

    size: float
    x: float
    y: float
    along: float


@kernel
def nearest_on(strip: Strip, x: float, y: float) -> float:
    """Where the axis of a strip is nearest to a point, 0 at the hip to 1 at the foot."""
    dx, dy = strip.fx - strip.hx, strip.fy - strip.hy
    square = dx * dx + dy * dy
    if square < SHORTEST * SHORTEST:
        return 0.0 if strip.hip > strip.foot else 1.0
    return clamp(((x - strip.hx) * dx + (y - strip.hy) * dy) / square, 0.0, 1.0)


@kernel
def side_of(strip: Strip, x: float, y: float) -> float:
    """Twice the area of the triangle of an axis and a point: positive on its left [m^2]."""
    return (strip.fx - strip.hx) * (y - strip.hy) - (strip.fy - strip.hy) * (x - strip.hx)


@kernel
def normal_of(strip: Strip, x: float, y: float) -> tuple[float, float]:
    """Unit normal of an axis on the side of a point."""
    nx, ny = strip.hy - strip.fy, strip.fx - strip.hx
    size = sqrt(nx * nx + ny * ny)
    if size < SHORTEST:
        return 1.0, 0.0
    if side_of(strip, x, y) < 0.0:
        size = -size
    return nx / size, ny / size


@kernel
def crosses(a: Strip, b: Strip) -> bool:
    """Whether the axes of two strips cross."""
    if side_of(a, b.hx, b.hy) * side_of(a, b.fx, b.fy) >= 0.0:
        return False
    return side_of(b, a.hx, a.hy) * side_of(b, a.fx, a.fy) < 0.0


@kernel
def are_apart(a: Strip, b: Strip, wanted: float) -> bool:
    """Whether two strips are at least so far apart [m].

    Mostly they are so far along X or along Y alone, which is seen at once.
    """
    far = wanted + max(a.hip, a.foot) + max(b.hip, b.foot)
    if min(a.hx, a.fx) - max(b.hx, b.fx) >= far or min(b.hx, b.fx) - max(a.hx, a.fx) >= far:
        return True
    if min(a.hy, a.fy) - max(b.hy, b.fy) >= far or min(b.hy, b.fy) - max(a.hy, a.fy) >= far:
        return True
    return gap_between(a, b).size >= wanted


@kernel
def gap_between(a: Strip, b: Strip) -> Gap:
    """How far a strip is from another one: from above or, of legs that lean, along both of them."""
    gap = gap_from_above(a, b)
    if a.high > a.low and b.high > b.low:
        dx = 0.5 * ((a.fx - a.hx) / (a.high - a.low) + (b.fx - b.hx) / (b.high - b.low))
        dy = 0.5 * ((a.fy - a.hy) / (a.high - a.low) + (b.fy - b.hy) / (b.high - b.low))
        leaning = gap_from_above(seen_along(a, dx, dy), seen_along(b, dx, dy))
        if leaning.size > gap.size:
            return leaning
    return gap


@kernel
def seen_along(strip: Strip, dx: float, dy: float) -> Strip:
    """A leg looked at along a line that goes so far along X and Y for each metre down."""
    return Strip(
        strip.hx + dx * strip.high,
        strip.hy + dy * strip.high,
        strip.hip,
        strip.fx + dx * strip.low,
        strip.fy + dy * strip.low,
        strip.foot,
        strip.drawn,
        strip.high,
        strip.low,
    )


@kernel
def gap_from_above(a: Strip, b: Strip) -> Gap:
    """How far a strip is from another one, seen from above.

    Of two axes that do not cross, one's end is nearest to the other. Where they cross it counts how
    far one of the feet has come through: hips stay where they are.
    """
    is_across = crosses(a, b)
    best = Gap(1e9, 0.0, 0.0, 1.0)
    for k in range(2 if is_across else 4):
        if k == 0:  # the own foot
            t, u = 1.0, nearest_on(b, a.fx, a.fy)
        elif k == 1:  # the other one's
            t, u = nearest_on(a, b.fx, b.fy), 1.0
        elif k == 2:
            t, u = 0.0, nearest_on(b, a.hx, a.hy)
        else:
            t, u = nearest_on(a, b.hx, b.hy), 0.0
        x = a.hx + t * (a.fx - a.hx) - b.hx - u * (b.fx - b.hx)
        y = a.hy + t * (a.fy - a.hy) - b.hy - u * (b.fy - b.hy)
        far = sqrt(x * x + y * y)
        width = a.hip + t * (a.foot - a.hip) + b.hip + u * (b.foot - b.hip)
        size = far - width
        if is_across:
            size = far  # least of these first: the way out
        if size < best.size:
            if far > SHORTEST:
                x, y = x / far, y / far
            elif k % 2 == 0:  # on the other one's axis: back to where the own hip is
                x, y = normal_of(b, a.hx, a.hy)
            else:  # the other one's end on the own axis: away from its hip
                x, y = normal_of(a, b.hx, b.hy)
                x, y = -x, -y
            best = Gap(far, -x, -y, t) if is_across else Gap(size, x, y, t)
    if is_across:
        return Gap(-best.size - a.foot - b.foot, best.x, best.y, best.along)
    return best

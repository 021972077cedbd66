"""Bones laid on a circular arc: a pose found at once, for any bones and any target in reach.

The bones and the line from root to target are the sides of a polygon. Of all polygons with given
sides one, and one alone, is convex with its corners on a circle; it exists exactly when the target
is reachable (Penner 1987, theorem 6.2). So an arc gives every chain one pose that is exact, bends
to one side only, and depends on nothing but the lengths and the distance, continuously.

Two and three bones have closed forms (the triangle; the cyclic quadrilateral of Brahmagupta,
about 628). More bones leave one unknown, the half angle that the circle's longest chord leaves to
the others; it is found by Newton's method from above, on a concave function, so always.
"""

from math import sqrt
from typing import NamedTuple

from creature_sim.maths import PI, Floats, Vec, along, asin, put, sin_cos, vec
from creature_sim.maths.jit import kernel

STEPS = 24
"""Newton steps at most where the caller sets no bound; 3 to 7 were enough wherever tried."""

CONVERGED = 1e-9
"""Last Newton step, as a fraction of the angle, after which another one changes nothing."""


class Plane(NamedTuple):
    """The plane that a chain bends in, and to which side.

    root: where the chain begins [m]. axis: unit vector from the root to the target. bend: unit
    vector at right angles to `axis`, the side that every inner joint lies on.
    """

    root: Vec
    axis: Vec
    bend: Vec


@kernel
def span(lengths: Floats) -> tuple[float, float]:
    """Distances [m] that a chain can reach: (smallest, largest).

    The smallest is 0 unless one bone is longer than all the others together.
    """
    reach = 0.0
    longest = 0.0
    for i in range(lengths.shape[0]):
        reach += lengths[i]
        longest = max(longest, lengths[i])
    return (max(0.0, longest - (reach - longest)), reach)


@kernel
def lay_straight(joints: Floats, lengths: Floats, root: Vec, axis: Vec) -> None:
    """Lay all bones along the unit vector `axis`: the nearest pose to a target too far away."""
    put(joints[0], root)
    for i in range(lengths.shape[0]):
        put(joints[i + 1], along(vec(joints[i]), axis, lengths[i]))


@kernel
def lay_folded(joints: Floats, lengths: Floats, root: Vec, axis: Vec) -> None:
    """Lay the longest bone along `axis`, the others back: the nearest pose to a target too near."""
    dominant = 0
    for i in range(lengths.shape[0]):
        if lengths[i] > lengths[dominant]:
            dominant = i
    put(joints[0], root)
    for i in range(lengths.shape[0]):
        put(
            joints[i + 1], along(vec(joints[i]), axis, lengths[i] if i == dominant else -lengths[i])
        )


@kernel
def _corner(joints: Floats, i: int, plane: Plane, x: float, y: float) -> None:
    """Write joint i, x along the plane's axis and y along its bend."""
    root, axis, bend = plane.root, plane.axis, plane.bend
    joints[i, 0] = root[0] + (axis[0] * x + bend[0] * y)
    joints[i, 1] = root[1] + (axis[1] * x + bend[1] * y)
    joints[i, 2] = root[2] + (axis[2] * x + bend[2] * y)


@kernel
def _root_of(product: float) -> float:
    """Square root; 0 for what rounding made negative."""
    return sqrt(product) if product > 0.0 else 0.0


@kernel
def _lay_two(joints: Floats, lengths: Floats, plane: Plane, d: float) -> None:
    """Lay two bones: the triangle with sides a, b, d (Heron's area, arranged to lose no digits)."""
    a = lengths[0]
    b = lengths[1]
    x = 0.0
    y = a
    if d > 0.0:
        x = 0.5 * (d + (a - b) * (a + b) / d)
        y = _root_of((a + b + d) * (a + b - d) * (d + (a - b)) * (d - (a - b))) / (2.0 * d)
    _corner(joints, 1, plane, x, y)
    _corner(joints, 2, plane, d, 0.0)


@kernel
def _lay_three(joints: Floats, lengths: Floats, plane: Plane, d: float) -> None:
    """Lay three bones: the cyclic quadrilateral with sides a, b, c, d.

    With its area K (Brahmagupta), the angle between d and a has the sine 2K / (ad + bc) and the
    cosine (a^2 + d^2 - b^2 - c^2) / 2(ad + bc); between c and d likewise.
    """
    a = lengths[0]
    b = lengths[1]
    c = lengths[2]
    squared = (b + c + d - a) * (a + c + d - b) * (a + b + d - c) * (a + b + c - d)
    twice_area = 0.5 * _root_of(squared)
    at_root = a * d + b * c
    at_target = a * b + c * d
    x1 = 0.0
    y1 = a
    if at_root > 0.0:
        x1 = a * 0.5 * ((a - b) * (a + b) + (d - c) * (d + c)) / at_root
        y1 = a * twice_area / at_root
    x2 = d
    y2 = c
    if at_target > 0.0:
        x2 = d - c * 0.5 * ((c - b) * (c + b) + (d - a) * (d + a)) / at_target
        y2 = c * twice_area / at_target
    _corner(joints, 1, plane, x1, y1)
    _corner(joints, 2, plane, x2, y2)
    _corner(joints, 3, plane, d, 0.0)


@kernel
def _longest_side(lengths: Floats, d: float) -> tuple[float, int]:
    """Longest side [m] of the polygon of bones and line to the target, and which bone it is.

    -1 for the line.
    """
    longest = d
    at_longest = -1
    for i in range(lengths.shape[0]):
        if lengths[i] > longest:
            longest = lengths[i]
            at_longest = i
    return (longest, at_longest)


@kernel
def _first_angle(lengths: Floats, d: float, longest: float) -> tuple[float, float]:
    """Where Newton's method begins, and an angle [rad] that is never below the root.

    Both 0 where the polygon is flat but for rounding, so that Newton's method would find no slope.
    """
    sides = d
    cubes = d * d * d
    for i in range(lengths.shape[0]):
        sides += lengths[i]
        cubes += lengths[i] * lengths[i] * lengths[i]
    others = sides / longest - 1.0
    if others <= 1.0 + 1e-13:
        return (0.0, 0.0)
    safe = PI - PI / (1.0 + others)  # Newton's step from pi: exact for a regular polygon
    cubes = cubes / (longest * longest * longest) - 1.0
    if others > cubes:  # the first terms of the series: exact near the straight chain
        return (min(safe, sqrt(6.0 * (others - 1.0) / (others - cubes))), safe)
    return (safe, safe)


@kernel
def _excess(
    lengths: Floats, d: float, longest: float, at_longest: int, angle: float
) -> tuple[float, float]:
    """The function whose root is sought, and its slope: by how much the half angles exceed f.

    g(f) = sum asin(s_i sin f / m) - f, for the sides s_i beside the longest one, m.
    """
    sine, cosine = sin_cos(angle)
    value = -angle
    slope = -1.0
    for i in range(-1, lengths.shape[0]):
        if i == at_longest:
            continue
        side = (d if i < 0 else lengths[i]) / longest
        if side == 1.0:  # as long as the longest: the limit of what follows
            value += min(angle, PI - angle)
            slope += 1.0 if cosine > 0.0 else -1.0
            continue
        part = side * sine
        value += asin(part)
        slope += side * cosine / sqrt((1.0 - part) * (1.0 + part))
    return (value, slope)


@kernel
def arc_angle(lengths: Floats, d: float, max_steps: int) -> tuple[float, float, int]:
    """Half angle [rad] of the polygon's sides without the longest, that side, and Newton steps.

    Solves g(f) = 0 on (0, pi), with the g of `_excess`, which is concave, with g(0) = 0 and
    g(pi) = -pi: a step from above stays above.
    """
    longest, at_longest = _longest_side(lengths, d)
    angle, safe = _first_angle(lengths, d, longest)
    if safe == 0.0:
        return (0.0, longest, 0)
    step = 0
    while step < max_steps:
        step += 1
        value, slope = _excess(lengths, d, longest, at_longest, angle)
        if slope >= 0.0:
            angle = safe
            continue
        change = value / slope
        angle = min(angle - change, safe)
        # Steps from above go down: one that goes up again is rounding. Convergence is quadratic.
        if abs(change) <= CONVERGED * angle or (step > 2 and change <= 0.0):
            break
    return (angle, longest, step)


@kernel
def lay_arc(joints: Floats, lengths: Floats, plane: Plane, d: float, max_steps: int) -> int:
    """Lay the bones on an arc from the root to the point at distance d [m] along the axis.

    Args:
        joints: (J, 3) [m], all written.
        lengths: (J - 1,) [m].
        plane: Where the arc begins, where it leads and to which side it bulges.
        d: Distance of the target [m], within `span(lengths)`.
        max_steps: Newton steps at most; with too few the tip misses the target.

    Returns:
        Newton steps taken; 0 where there is a closed form.
    """
    put(joints[0], plane.root)
    if lengths.shape[0] == 2:
        _lay_two(joints, lengths, plane, d)
        return 0
    if lengths.shape[0] == 3:
        _lay_three(joints, lengths, plane, d)
        return 0
    angle, longest, steps = arc_angle(lengths, d, max_steps)
    sine = sin_cos(angle)[0] / longest
    heading = angle if d >= longest else PI - asin(d * sine)
    x = 0.0
    y = 0.0
    is_left = d < longest  # the longest side is a bone not met so far
    for i in range(lengths.shape[0]):
        half = asin(lengths[i] * sine)
        if is_left and lengths[i] == longest:
            half = PI - angle
            is_left = False
        s, c = sin_cos(heading - half)
        heading -= 2.0 * half
        x += lengths[i] * c
        y += lengths[i] * s
        _corner(joints, i + 1, plane, x, y)
    return steps

"""Planes between legs of creatures that meet: each leg keeps to its side of them."""

from math import inf, sqrt
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    LOST,
    BodyRecord,
    FootRecord,
    LegRecord,
    LimbRecord,
    NeighbourRecord,
    Records,
    RecordTable,
    ShapeRecord,
)
from creature_sim.locomotion.frames import into_frame, into_world
from creature_sim.locomotion.meeting import TIE
from creature_sim.locomotion.outlines import knee_of, strip_of
from creature_sim.locomotion.strips import SHORTEST
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    add,
    any_normal,
    cross,
    distance,
    dot,
    mix,
    put,
    quat,
    scale,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

LEGS_MATTER = 0.4
"""Where the grounds of two segments are farther apart than this fraction of both their radii, no
leg of one comes near one of the other."""
NEAR = 0.2
"""Legs that are farther apart than this do not meet in a tick [m]."""
LEG_GAP = 0.03
"""Legs of two creatures keep this gap [m]; those that are nearer already hardly come nearer."""
SOFT = 0.02
"""In a tick each gives up this fraction of that gap, by the square of how much of it is left."""
ROUNDING = 1e-6
"""Room for errors of rounding [m]."""


Disc: TypeAlias = tuple[float, float, float]
"""A joint from above: x and y of its centre, and its radius [m]."""


class Limb(NamedTuple):
    """A leg as others meet it.

    Attributes:
        hip: [m, world].
        knee: the middle one [m, world].
        far: its foot, or above that a knee that is farther out [m, world].
        hip_radius: half of its width at the hip [m].
        knee_radius: at the knee [m].
        far_radius: at the other end [m].
    """

    hip: Vec
    knee: Vec
    far: Vec
    hip_radius: float
    knee_radius: float
    far_radius: float


@kernel
def limb_of(leg: LegRecord, position: Vec, orientation: Quat, foot: Vec) -> Limb:
    """A leg as others meet it, whose foot is at a point [m, world], on a segment in a pose.

    Where its knees are not looked at, it is straight.
    """
    here, hip = into_frame(position, orientation, foot), vec(leg.mount)
    strip = strip_of(leg, here)
    far = into_world(position, orientation, (strip.fx, strip.fy, here[2]))
    x, y = here[0] - hip[0], here[1] - hip[1]
    level = sqrt(x * x + y * y)
    knee, radius = far, strip.foot
    if leg.shank > 0.0 and level > SHORTEST:
        out, rise = knee_of(leg, level, here[2] - hip[2], leg.shank)
        bent = (hip[0] + out * x / level, hip[1] + out * y / level, hip[2] + rise)
        knee, radius = into_world(position, orientation, bent), leg.knee_radius
    at_hip = into_world(position, orientation, hip)
    return Limb(at_hip, knee, far, strip.hip, radius, strip.foot)


@kernel
def least_along(limb: Limb, normal: Vec) -> float:
    """How far a leg is along a unit normal at least [m, world]."""
    return min(
        dot(limb.hip, normal) - limb.hip_radius,
        dot(limb.knee, normal) - limb.knee_radius,
        dot(limb.far, normal) - limb.far_radius,
    )


@kernel
def write_limbs(
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    feet: RecordTable[FootRecord],
    limbs: Records[LimbRecord],
) -> None:
    """Write the legs of a herd as others meet them.

    Args:
        legs: (L,).
        bodies: (N, S).
        feet: (N, L).
        limbs: (N L,) written.
    """
    for n in range(bodies.shape[0]):
        for i in range(legs.shape[0]):
            body, record = bodies[n, legs[i].segment], limbs[n * legs.shape[0] + i]
            position, orientation = vec(body.position), quat(body.orientation)
            limb = limb_of(legs[i], position, orientation, vec(feet[n, i].position))
            put(record.hip, limb.hip)
            put(record.knee, limb.knee)
            put(record.far, limb.far)
            record.hip_radius, record.knee_radius = limb.hip_radius, limb.knee_radius
            record.far_radius = limb.far_radius
            centre = mix(limb.hip, limb.far, 0.5)
            put(record.centre, centre)
            record.radius = max(
                distance(centre, limb.hip) + limb.hip_radius,
                distance(centre, limb.knee) + limb.knee_radius,
                distance(centre, limb.far) + limb.far_radius,
            )
            record.is_lost = feet[n, i].phase == LOST


@kernel
def limb_at(record: LimbRecord) -> Limb:
    """A leg that was written."""
    return Limb(
        vec(record.hip), vec(record.knee), vec(record.far),
        record.hip_radius, record.knee_radius, record.far_radius,
    )  # fmt: skip


@kernel
def may_touch(a: ShapeRecord, b: ShapeRecord, record: NeighbourRecord) -> bool:
    """Whether legs of two segments may come near to each other.

    Not those of creatures whose bodies are in each other: they must get out first.
    """
    return bool(not record.is_inside and record.gap < LEGS_MATTER * (a.radius + b.radius))


@kernel
def have_legs_near(
    shapes: Records[ShapeRecord],
    first: NDArray[np.int64],
    others: NDArray[np.int64],
    records: Records[NeighbourRecord],
) -> bool:
    """Whether legs of any two segments may come near to each other; the arguments of `meet`."""
    for m in range(shapes.shape[0]):
        for e in range(first[m], first[m + 1]):
            if may_touch(shapes[m], shapes[others[e]], records[e]):
                return True
    return False


@kernel
def part_legs(
    shapes: Records[ShapeRecord],
    first: NDArray[np.int64],
    others: NDArray[np.int64],
    records: Records[NeighbourRecord],
    limbs: Records[LimbRecord],
) -> tuple[NDArray[np.int64], Floats]:
    """Planes between all legs that may meet in a tick: each leg keeps to its half of the gap.

    Args:
        shapes: (M,) of the whole world.
        first: (M + 1,) where the neighbours of each begin.
        others: (E,) their indices.
        records: (E,) how they lie to each other.
        limbs: (L,) of the whole world.

    Returns:
        (L + 1,) where the planes of each leg begin, and (B, 4) their unit normals, towards the leg,
        and how far it shall be at least along these [m, world].
    """
    first_side, found = np.zeros(limbs.shape[0] + 1, np.int64), 0
    sides = np.empty((64, 4))
    for m in range(shapes.shape[0]):
        for i in range(shapes[m].first_leg, shapes[m].last_leg):
            first_side[i] = found
            if limbs[i].is_lost:
                continue
            for e in range(first[m], first[m + 1]):
                k = others[e]
                if not may_touch(shapes[m], shapes[k], records[e]):
                    continue
                up = unit(add(vec(shapes[m].up), vec(shapes[k].up)), vec(shapes[m].up))
                x = any_normal(up)
                y = cross(up, x)
                for j in range(shapes[k].first_leg, shapes[k].last_leg):
                    if limbs[j].is_lost or have_far_balls(limbs[i], limbs[j], up):
                        continue
                    if shapes[m].number < shapes[k].number:
                        is_near, normal, offset = part(
                            limb_at(limbs[i]), limb_at(limbs[j]), x, y, 1.0
                        )
                    else:  # both see the same plane, to the bit
                        is_near, normal, offset = part(
                            limb_at(limbs[j]), limb_at(limbs[i]), x, y, -1.0
                        )
                    if is_near:
                        if found == sides.shape[0]:
                            sides = np.concatenate((sides, np.empty_like(sides)))
                        sides[found, 0], sides[found, 1], sides[found, 2] = normal
                        sides[found, 3] = offset
                        found += 1
    first_side[limbs.shape[0]] = found
    return first_side, sides[:found]


@kernel
def have_far_balls(a: LimbRecord, b: LimbRecord, up: Vec) -> bool:
    """Whether the balls around two legs alone prove that `part` finds no plane between them.

    From above they are farther apart than NEAR along any direction that is within 45 degrees of
    the line between them, and so along one of any two axes: `are_far`.
    """
    between = sub(vec(a.centre), vec(b.centre))
    rise = dot(between, up)
    far = NEAR + a.radius + b.radius + ROUNDING
    return bool(dot(between, between) - rise * rise > 2.0 * far * far)


@kernel
def part(a: Limb, b: Limb, x: Vec, y: Vec, sign: float) -> tuple[bool, Vec, float]:
    """The plane between two legs, as the first (sign 1) or the second (-1) sees it.

    Its normal lies in the surface. Legs that are in each other come no nearer; where they are deep
    in each other nothing is kept, or they would lock each other.

    Args:
        a: of the creature with the lower number.
        b: of the other one.
        x: unit vector along the surface.
        y: another one, at right angles to it.
        sign: 1 or -1.

    Returns:
        Whether there is any, the normal, and how far the leg is along it at least.
    """
    one, two = seen_from(a, a.hip, x, y), seen_from(b, a.hip, x, y)
    if are_far(one, two) or are_far(two, one):
        return False, x, 0.0
    nx, ny, gap = between(one, two)
    if gap >= NEAR or gap < -LEG_GAP:
        return False, x, 0.0
    normal = add(scale(x, nx), scale(y, ny))
    opposite = scale(normal, -1.0)
    at_a, at_b = least_along(a, normal), -least_along(b, opposite)
    gap = max(0.0, at_a - at_b)
    spare = max(SOFT * gap * gap / LEG_GAP, 0.5 * (gap - LEG_GAP))
    if sign > 0.0:
        return True, normal, at_a - spare
    return True, opposite, -at_b - spare


@kernel
def seen_from(limb: Limb, origin: Vec, x: Vec, y: Vec) -> tuple[Disc, Disc, Disc]:
    """The joints of a leg from above, along two axes from an origin."""
    hip, knee, far = sub(limb.hip, origin), sub(limb.knee, origin), sub(limb.far, origin)
    return (
        (dot(hip, x), dot(hip, y), limb.hip_radius),
        (dot(knee, x), dot(knee, y), limb.knee_radius),
        (dot(far, x), dot(far, y), limb.far_radius),
    )


@kernel
def farthest(limb: tuple[Disc, Disc, Disc], x: float, y: float) -> float:
    """How far a leg goes in a direction of length 1 at most [m]."""
    (ax, ay, ar), (bx, by, br), (cx, cy, cr) = limb
    return max(ax * x + ay * y + ar, bx * x + by * y + br, cx * x + cy * y + cr)


@kernel
def are_far(a: tuple[Disc, Disc, Disc], b: tuple[Disc, Disc, Disc]) -> bool:
    """Whether a leg is far from another one along X or Y alone, on their lower sides."""
    return bool(
        -farthest(a, -1.0, 0.0) - farthest(b, 1.0, 0.0) >= NEAR
        or -farthest(a, 0.0, -1.0) - farthest(b, 0.0, 1.0) >= NEAR
    )


@kernel
def between(a: tuple[Disc, Disc, Disc], b: tuple[Disc, Disc, Disc]) -> tuple[float, float, float]:
    """Direction of length 1 from leg `b` to `a` along which the gap is largest, and that gap [m].

    That is the line between two joints, or at right angles to a side of one of them, which leans
    where its joints are not as thick as each other. A positive gap proves that they are apart.
    Once it is NEAR, no larger one is looked for.
    """
    best_x, best_y, best = 1.0, 0.0, -inf
    for i in range(3):
        for j in range(3):
            x, y = a[i][0] - b[j][0], a[i][1] - b[j][1]
            size = sqrt(x * x + y * y)
            if size > SHORTEST:
                x, y = x / size, y / size
                gap = -farthest(a, -x, -y) - farthest(b, x, y)
                if gap > best + TIE:
                    if gap >= NEAR:
                        return x, y, gap
                    best_x, best_y, best = x, y, gap
    for k in range(12):
        limb, sign = (a, -1.0) if k < 6 else (b, 1.0)
        p, q = limb[k % 3], limb[(k + 1) % 3]
        x, y = q[0] - p[0], q[1] - p[1]
        size, thicker = sqrt(x * x + y * y), p[2] - q[2]
        if size <= max(SHORTEST, abs(thicker)):
            continue
        sine = thicker / size
        side = sqrt(1.0 - sine * sine) * (1.0 if k % 6 < 3 else -1.0)
        x, y = x / size, y / size
        x, y = sign * (sine * x - side * y), sign * (sine * y + side * x)
        gap = -farthest(a, -x, -y) - farthest(b, x, y)
        if gap > best + TIE:
            best_x, best_y, best = x, y, gap
    return best_x, best_y, best

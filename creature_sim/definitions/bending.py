"""How a leg bends in its plane so that its tip is at a point, within the limits of its hinges.

Coordinates are those of the plane: x ahead and z to the side that knees point to. An angle is 0
straight on from the bone before, and positive turns from z to x.
"""

from collections.abc import Sequence
from math import fsum
from typing import NamedTuple

from creature_sim.maths import PI, atan2, sin_cos

Limits = Sequence[tuple[float, float]]

HALVINGS = 60
"""Of the interval that the bend of a whole leg is sought in."""
CLOSE = 1e-9
"""Error of a distance, as a fraction of the bones, that counts as none."""
SKEWS = (0.0, 0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0, 32.0)
"""How unevenly the bends may be shared out among the hinges, for the sake of the first one."""


class Bend(NamedTuple):
    """Angles of a chain's bones [rad], and whether its tip is where it should be."""

    angles: tuple[float, ...]
    is_there: bool


def tip_of(lengths: Sequence[float], angles: Sequence[float]) -> tuple[float, float]:
    """Where the tip of a chain is, x and z from its root [m]."""
    x = z = heading = 0.0
    for length, angle in zip(lengths, angles, strict=True):
        heading += angle
        sine, cosine = sin_cos(heading)
        x, z = x + length * cosine, z - length * sine
    return x, z


def bend_to(lengths: Sequence[float], limits: Limits, x: float, z: float) -> Bend:
    """Angles that put the tip of a chain on a point, or as far away as the point is.

    The inner hinges share the bend; the first one turns all of it to the point, within its limits
    if some way of sharing allows.

    Args:
        lengths: of the bones [m].
        limits: lo and hi of the hinge of each bone, the first against x [rad].
        x: of the point, from the root of the first bone [m].
        z: of the point [m].
    """
    low, high = limits[0]
    nearest = Bend((), False)
    miss = float("inf")
    for skew in _alternating(SKEWS) if len(lengths) > 2 else (0.0,):
        inner, is_far_as = _bent(lengths, limits[1:], x * x + z * z, skew)
        tip_x, tip_z = tip_of(lengths, (0.0, *inner))
        first = _wrapped(atan2(-z, x) - atan2(-tip_z, tip_x), 0.5 * (low + high))
        outside = max(low - first, first - high, 0.0)
        if outside < miss:
            miss, nearest = outside, Bend((first, *inner), is_far_as and outside == 0.0)
        if outside == 0.0:
            break
    return nearest


def _bent(
    lengths: Sequence[float], limits: Limits, squared: float, skew: float
) -> tuple[tuple[float, ...], bool]:
    """Inner angles at which the tip is at a distance from the root, and whether it is.

    They go from their end that is straighter to the other, all at once where `skew` is 0, else
    the first ones sooner (above 0) or the last ones.
    """
    if not limits:
        return (), abs(squared - lengths[0] * lengths[0]) <= CLOSE * lengths[0] * lengths[0]
    total = fsum(lengths)
    straight, bent = 0.0, 1.0
    angles = _shared(limits, 0.0, skew)
    for _ in range(HALVINGS):
        middle = 0.5 * (straight + bent)
        angles = _shared(limits, middle, skew)
        tip_x, tip_z = tip_of(lengths, (0.0, *angles))
        if tip_x * tip_x + tip_z * tip_z > squared:
            straight = middle
        else:
            bent = middle
    tip_x, tip_z = tip_of(lengths, (0.0, *angles))
    error = tip_x * tip_x + tip_z * tip_z - squared
    return angles, abs(error) <= CLOSE * total * total


def _shared(limits: Limits, part: float, skew: float) -> tuple[float, ...]:
    """Angles of inner hinges that are bent by a part, 0 to 1, of what their limits leave."""
    found = []
    most = 2.0 * PI / (len(limits) + 1.0)  # of equal bones in a closed ring
    for index, (low, high) in enumerate(limits):
        begin, end = _ends(low, high)
        end = max(-most, min(most, end))
        place = 2.0 * index / (len(limits) - 1.0) - 1.0 if len(limits) > 1 else 0.0
        late = skew * place  # bends later than the others if above 0
        own = part / (part + (1.0 + abs(late)) * (1.0 - part)) if late > 0.0 else part
        if late < 0.0:
            own = 1.0 - (1.0 - part) / ((1.0 - part) + (1.0 - late) * part)
        found.append(begin + own * (end - begin))
    return tuple(found)


def _ends(low: float, high: float) -> tuple[float, float]:
    """The straightest angle between limits, and the limit that bends most."""
    if low < 0.0 < high:
        return (0.0, high) if high >= -low else (0.0, low)
    return (low, high) if abs(low) <= abs(high) else (high, low)


def _alternating(skews: Sequence[float]) -> list[float]:
    return sorted((sign * skew for skew in skews for sign in (1.0, -1.0)), key=abs)[1:]


def _wrapped(angle: float, middle: float) -> float:
    """The same angle within half a turn of another [rad]."""
    while angle > middle + PI:
        angle -= 2.0 * PI
    while angle < middle - PI:
        angle += 2.0 * PI
    return angle

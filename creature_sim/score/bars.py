"""Bones as round bars that taper from joint to joint: how deep they are in each other or a body.

A depth is the farthest that a surface is within the other one [m]: positive where the two overlap,
negative where a gap is between them.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import Plan
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths, segment_fractions, segments_nearest

HULL_POWER = 2.7
"""A body is drawn within |x|^p + |y|^p + |z|^p = 1, scaled to its size (superellipsoid, Barr 1981).
"""
SEARCHES = 12
"""Evaluations of a golden section search: it ends within 0.3 % of a bar's length."""
TURNS = 2
"""How often the normal of a body's nearest place is sought anew."""
GOLDEN = 0.6180339887498949


@dataclass(frozen=True)
class Bars:
    """K bars.

    Attributes:
        starts: (K, 3) [m].
        ends: (K, 3) [m].
        first: (K,) radius at the start [m].
        last: (K,) radius at the end [m].
    """

    starts: Floats
    ends: Floats
    first: Floats
    last: Floats

    def at(self, fractions: Floats) -> tuple[Floats, Floats]:
        """Points of the centre lines (K, 3) and radii (K,) there [m]; fractions (K,)."""
        points = self.starts + fractions[:, None] * (self.ends - self.starts)
        return points, self.first + fractions * (self.last - self.first)

    def of(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> "Bars":
        """Some of the bars."""
        return Bars(self.starts[chosen], self.ends[chosen], self.first[chosen], self.last[chosen])


def is_bone(plan: Plan) -> NDArray[np.bool_]:
    """Which of (L, J - 1) are bones: legs with fewer than the longest one have none there."""
    return plan.lengths > 0.0


def bones_of(plan: Plan, joints: Floats, legs: NDArray[np.int64], bone: NDArray[np.int64]) -> Bars:
    """Bones as bars.

    Args:
        plan: of the creature.
        joints: (K, J, 3) of a leg each [m].
        legs: (K,) which leg that is.
        bone: (K,) which bone of it, from the hip on.
    """
    rows = np.arange(len(joints))
    return Bars(
        joints[rows, bone],
        joints[rows, bone + 1],
        plan.radii[legs, bone],
        plan.radii[legs, bone + 1],
    )


def shorten(bars: Bars, chosen: NDArray[np.bool_]) -> None:
    """Let some bars begin a radius behind their starts: what is left out ends in a ball there."""
    (rows,) = np.nonzero(chosen)
    some = bars.of(rows)
    length = np.maximum(lengths(some.ends - some.starts), 1e-12)
    bars.starts[rows], bars.first[rows] = some.at(np.minimum(1.0, some.first / length))


def depths_between(a: Bars, b: Bars) -> Floats:
    """Depths of bars in other bars, (K,) [m].

    Taken where their centre lines come nearest, and where the ends of one come nearest to the
    other: of bars that are nearly parallel, thick ends meet before the lines are nearest.
    """
    zero, one = np.zeros(len(a.starts)), np.ones(len(a.starts))
    pairs = [segments_nearest(a.starts, a.ends, b.starts, b.ends)]
    for end, point in ((zero, a.starts), (one, a.ends)):
        pairs.append((end, segment_fractions(point, b.starts, b.ends)))
    for end, point in ((zero, b.starts), (one, b.ends)):
        pairs.append((segment_fractions(point, a.starts, a.ends), end))
    found = np.full(len(zero), -np.inf)
    for first, second in pairs:
        (p, radius), (q, other) = a.at(first), b.at(second)
        found = np.maximum(found, radius + other - lengths(p - q))
    return found


def depths_in_bodies(bars: Bars, halves: Floats) -> Floats:
    """Depths of bars in bodies around the origin, (K,) [m]; -inf where a gap is certain.

    The distance from a convex body is convex along a line and a radius that tapers is straight, so
    that one golden section search finds the deepest place (Kiefer 1953).

    Args:
        bars: in the frames of the bodies.
        halves: (K, 3) half of the bodies' sizes [m].
    """
    found = np.full(len(halves), -np.inf)

    def depths(some: Bars, half: Floats, fractions: Floats) -> Floats:
        points, radii = some.at(fractions)
        return radii - body_distances(points, half)

    # Distances change by no more than a bar's length from end to end, and a box holds the body.
    gaps = box_gaps(bars.starts, halves) + box_gaps(bars.ends, halves)
    thickest = np.maximum(bars.first, bars.last)
    (near,) = np.nonzero(gaps - lengths(bars.ends - bars.starts) < 2.0 * thickest)
    bars, halves = bars.of(near), halves[near]
    low, high = np.zeros(len(near)), np.ones(len(near))
    left, right = high - GOLDEN, low + GOLDEN
    at_left, at_right = depths(bars, halves, left), depths(bars, halves, right)
    deepest = np.maximum(depths(bars, halves, low), depths(bars, halves, high))
    for _ in range(SEARCHES):
        deepest = np.maximum(deepest, np.maximum(at_left, at_right))
        goes_left = at_left > at_right
        low, high = np.where(goes_left, low, left), np.where(goes_left, right, high)
        fresh = np.where(goes_left, high - GOLDEN * (high - low), low + GOLDEN * (high - low))
        value = depths(bars, halves, fresh)
        left, right = np.where(goes_left, fresh, right), np.where(goes_left, left, fresh)
        at_left, at_right = (
            np.where(goes_left, value, at_right),
            np.where(goes_left, at_left, value),
        )
    found[near] = deepest
    return found


def box_gaps(points: Floats, halves: Floats) -> Floats:
    """Distances (K,) of points (K, 3) from boxes around the origin; 0 within [m].

    Args:
        points: in the frames of the boxes.
        halves: (K, 3) half of the boxes' sides [m].
    """
    return lengths(np.maximum(np.abs(points) - halves, 0.0))


def body_distances(points: Floats, halves: Floats) -> Floats:
    """Distances (K,) of points (K, 3) from bodies around the origin; negative within [m].

    The largest distance from planes that touch the body: those of the nearest places, sought from
    the place towards the middle on. Never too large, and within 3 mm near a body as ours.

    Args:
        points: in the frames of the bodies.
        halves: (K, 3) half of the bodies' sizes [m].
    """
    dual = HULL_POWER / (HULL_POWER - 1.0)
    found = np.full(len(points), -np.inf)
    place = points
    for _ in range(1 + TURNS):
        parts = place / halves
        normal = np.sign(parts) * np.abs(parts) ** (HULL_POWER - 1.0) / halves
        normal /= np.maximum(lengths(normal), 1e-12)[:, None]
        x, y, z = ((halves * np.abs(normal)) ** dual).T
        touch = (x + y + z) ** (1.0 / dual)
        x, y, z = (normal * points).T
        gaps = x + y + z - touch
        found = np.maximum(found, gaps)
        place = points - gaps[:, None] * normal
    return found

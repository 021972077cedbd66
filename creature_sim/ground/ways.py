"""Ways past the places of a graph, pulled straight like strings."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from creature_sim.ground.routes import Field, Routes
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.maths.graphs import Indices

EVEN, ROUNDS = 0.99, 100
"""A way is even where normals turn no more than this (the cosine); it is smoothed so many times."""
EDGE = 0.1
"""Surfaces that turn by less than this (the sine) have no edge along which a way could move."""
FLAT = 0.1
"""Places are on one plane within this fraction of the height of a body."""
BESIDE = 0.8
"""A line is over ground that has a place within this fraction of that height beside it..."""
LOOSE = 1.2
"""...and a smoothened way that has one within this fraction."""


def straighten(routes: Routes, field: Field, places: Floats, normals: Floats) -> None:
    """Take corners of a graph out of a way.

    It becomes straight where its surface is even and goes on; where that turns, places move along
    the edge.

    Args:
        routes: the graph.
        field: of ways in it to where this one ends; places that it does not reach are in rock.
        places: (K, 3) past which the body goes [m, world]; changed, but for the first and the last.
        normals: (K, 3) of what it walks on there.
    """
    found = places.copy()
    _smoothen(places, normals)
    is_free = np.isfinite(field.distances)
    height = float(lengths(routes.places[:1] - routes.points[:1])[0])
    even = (normals[1:] * normals[:-1]).sum(axis=1) > EVEN
    begin = 0
    for k in range(len(places)):
        if k == len(places) - 1 or not even[k]:
            part = slice(begin, k + 1)
            ground = _ground(routes, is_free, found[begin], normals[begin], height)
            # On an edge nothing is even: there they stay where they were moved to along it.
            if len(ground) and not _is_over(places[part], routes, ground, LOOSE * height):
                places[part] = found[part]
            _pull(places[part], routes, ground, BESIDE * height)
            begin = k + 1


def _ground(
    routes: Routes, is_free: NDArray[np.bool_], place: Floats, normal: Floats, height: float
) -> Indices:
    """The M places that are free on the plane of one, of a body so high [m]."""
    off = np.abs((routes.places - place) @ normal)
    found: Indices = np.flatnonzero(
        is_free & (routes.normals @ normal > EVEN) & (off < FLAT * height)
    )
    return found


def _smoothen(places: Floats, normals: Floats) -> None:
    """Move every place towards the middle of those beside it."""
    before, own, after = normals[:-2], normals[1:-1], normals[2:]
    even = ((own * before).sum(axis=1) > EVEN) & ((own * after).sum(axis=1) > EVEN)
    edges = np.cross(before, after)
    edges /= np.maximum(lengths(edges), EDGE)[:, None]
    for _ in range(ROUNDS):
        moves = 0.5 * (places[:-2] + places[2:]) - places[1:-1]
        along = (moves * edges).sum(axis=1)[:, None] * edges
        places[1:-1] += np.where(even[:, None], moves, along)


def _pull(places: Floats, routes: Routes, ground: Indices, beside: float) -> None:
    """Make a part of a way on one surface as straight as the ground there lets it."""
    first = 0
    while first < len(places) - 2:
        last = len(places) - 1
        while last > first + 1:
            fractions = np.linspace(0.0, 1.0, last - first + 1)[:, None]
            line = places[first] + fractions * (places[last] - places[first])
            if _is_over(line, routes, ground, beside):
                places[first : last + 1] = line
                break
            last = first + max(1, (last - first) // 2)
        first = max(last, first + 1)


def _is_over(line: Floats, routes: Routes, ground: Indices, beside: float) -> bool:
    """Whether a body gets along a line (K, 3) over some places of a graph (M,).

    Each point has one of them within a distance [m], and each of these is joined to the next: else
    a thin wall may be between them.
    """
    low, high = line.min(axis=0) - beside, line.max(axis=0) + beside
    inside = (routes.places[ground] >= low) & (routes.places[ground] <= high)
    near = ground[inside.all(axis=1)]
    if not len(near):
        return False
    squares = ((line[:, None] - routes.places[near][None]) ** 2).sum(axis=2)
    if (squares.min(axis=1) >= beside * beside).any():
        return False
    nearest = near[squares.argmin(axis=1)].tolist()
    return all(b == a or _are_joined(routes, a, b) for a, b in pairwise(nearest))


def _are_joined(routes: Routes, one: int, other: int) -> bool:
    """Whether a body gets straight from one place of a graph to another.

    An edge says so. Places that are too far apart for an edge must have neighbours in common on
    both sides of the line between them: at a corner these are on one side only.
    """
    beside = routes.beside(one)
    if other in beside:
        return True
    line = routes.places[other] - routes.places[one]
    if lengths(line[None])[0] < routes.apart:
        return False  # something is between them
    both = np.intersect1d(beside, routes.beside(other))
    both = both[routes.normals[both] @ routes.normals[one] > EVEN]
    off = routes.places[both] - routes.places[one]
    sides = off @ np.cross(routes.normals[one], line)
    return bool((sides > 0.0).any() and (sides < 0.0).any())

"""Rays of one creature, planned one by one."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats, Vec, along, put
from creature_sim.maths.jit import kernel

ONCE = 2
"""State of a ray that misses mostly: where it does, it is not cast again beside."""


class Rays(NamedTuple):
    """The rays of one creature.

    Attributes:
        start: (Q, 3) [m, world].
        end: (Q, 3) [m, world].
        is_active: (Q,) whether the ray is cast in this tick: 1, or ONCE.
    """

    start: Floats
    end: Floats
    is_active: NDArray[np.int8]


@kernel
def is_any_cast(is_active: NDArray[np.int8]) -> bool:
    """Whether any of some rays (Q,) is cast in this tick."""
    return count_cast(is_active) > 0


@kernel
def count_cast(is_active: NDArray[np.int8]) -> int:
    """How many of some rays (Q,) are cast in this tick."""
    count = 0
    for q in range(is_active.shape[0]):
        count += is_active[q] != 0
    return count


@kernel
def cast_none(rays: Rays, first: int, count: int) -> None:
    """Cast none of so many rays."""
    for q in range(first, first + count):
        rays.is_active[q] = 0


@kernel
def cast_once(rays: Rays) -> None:
    """Let no ray that misses be cast again beside: past an edge many miss."""
    for q in range(rays.is_active.shape[0]):
        if rays.is_active[q]:
            rays.is_active[q] = ONCE


@kernel
def cast_along(rays: Rays, slot: int, point: Vec, up: Vec, above: float, below: float) -> None:
    """Plan a ray through a point, from so far above it to so far below it.

    Args:
        rays: of the creature.
        slot: of the ray.
        point: [m, world].
        up: unit direction [world].
        above: [m].
        below: [m].
    """
    put(rays.start[slot], along(point, up, above))
    put(rays.end[slot], along(point, up, -below))
    rays.is_active[slot] = 1


@kernel
def cast_between(rays: Rays, slot: int, start: Vec, end: Vec) -> None:
    """Plan a ray between two points [m, world] that misses mostly."""
    put(rays.start[slot], start)
    put(rays.end[slot], end)
    rays.is_active[slot] = ONCE

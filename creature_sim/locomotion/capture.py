"""Whether feet catch a body that falls: the extrapolated centre of mass, Hof 2008."""

from math import inf, sqrt

import numpy as np

from creature_sim.components import GaitRecord, GravityRecord
from creature_sim.maths import TAU, Floats, sin_cos
from creature_sim.maths.jit import kernel

WAYS = np.array([sin_cos(TAU * k / 16.0) for k in range(16)])
"""Directions in which it is looked how far a support reaches, (16, 2)."""


@kernel
def pendulum_rate(gravity: GravityRecord, gait: GaitRecord) -> float:
    """Rate w = sqrt(g / h) at which a body falls away from where its feet press [1/s]."""
    return sqrt(gravity.acceleration / gait.ride_height)


@kernel
def farthest(points: Floats, count: int, x: float, y: float) -> float:
    """How far the first `count` of points (P, 2) reach along a unit direction [m]."""
    best = -inf
    for i in range(count):
        best = max(best, points[i, 0] * x + points[i, 1] * y)
    return best


@kernel
def capture_margin(
    now: Floats, count: int, later: Floats, later_count: int, fraction: float, x: float, y: float
) -> float:
    """Signed distance of an extrapolated centre of mass to where feet catch it [m].

    It moves as p + (xi - p) exp(w t) while the feet press at p. So there is a p within the support
    S which brings it into the support S' a time t later if and only if it lies in
    (1 - f) S + f S', with f = exp(-w t) (one-step capturability, Koolen et al. 2012).

    Args:
        now: (P, 2) points whose hull is S [m].
        count: how many of them.
        later: (P, 2) points whose hull is S'.
        later_count: how many of them.
        fraction: f.
        x: of the extrapolated centre of mass.
        y: of it.

    Returns:
        The distance, positive inside, looked at in 16 directions; -inf without points.
    """
    if count == 0 or later_count == 0:
        return -inf
    least = inf
    for k in range(WAYS.shape[0]):
        wx, wy = WAYS[k, 0], WAYS[k, 1]
        reach = (1.0 - fraction) * farthest(now, count, wx, wy)
        reach += fraction * farthest(later, later_count, wx, wy)
        least = min(least, reach - wx * x - wy * y)
    return least

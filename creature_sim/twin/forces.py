"""How the feet that stand share what a body needs: forces within their friction cones.

The least forces that add up to a force and a torque: Focchi et al. 2017 (High-slope terrain
locomotion for torque-controlled quadruped robots) and Bledt et al. 2018 (MIT Cheetah 3) solve it as
a quadratic program with friction pyramids. Here it is Dykstra's projection (Boyle and Dykstra 1986)
of none at all onto what adds up, which is a plane, and onto the cones, which are round.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import (
    Floats,
    Vec,
    add,
    along,
    cross,
    dot,
    norm,
    put,
    reject,
    scale,
    sub,
    vec,
)
from creature_sim.maths.jit import kernel
from creature_sim.twin.links import Feet

PASSES = 30
"""Projections onto the plane and the cones."""
SPARE = 3
"""Where more feet stand than so many, the body does not need each of them..."""
LEAST = 0.4
"""...and each presses with this fraction of its share at least, so that none slides."""
SOFT = 1e-3
"""How much a sum may be missed where it takes far larger forces, against the mean of its matrix."""


@kernel
def share_out(
    force: Vec,
    torque: Vec,
    centre: Vec,
    reach: float,
    points: Floats,
    owners: NDArray[np.int64],
    feet: Feet,
    friction: float,
) -> None:
    """Find the forces of the ground on P points of feet.

    Args:
        force: that they have together [N, world].
        torque: of theirs about the centre [N m, world].
        centre: [m, world].
        reach: of the legs: how long an arm counts as one [m].
        points: (P, 3) where they are [m, world].
        owners: (P,) legs that they belong to, in order.
        feet: how these stand; their forces are written.
        friction: of feet on the ground.
    """
    count = points.shape[0]
    share = _spare_share(owners, feet)
    matrix = np.zeros((6, 6))
    grasp = np.zeros((count, 6, 3))  # of a force on each foot: the sum's force, torque over reach
    for i in range(count):
        put(feet.forces[i], (0.0, 0.0, 0.0))
        if feet.loads[i] > 0.0:
            _grasp(scale(sub(vec(points[i]), centre), 1.0 / reach), feet.loads[i], grasp[i])
            _add_square(grasp[i], matrix)
    trace = 0.0
    for a in range(6):
        trace += matrix[a, a]
    if trace == 0.0:
        return
    for a in range(6):
        matrix[a, a] += SOFT * trace / 6.0
    factor(matrix)
    wanted = np.zeros(6)
    put(wanted[:3], force)
    put(wanted[3:], scale(torque, 1.0 / reach))
    missing = np.empty(6)
    pressed = np.zeros((count, 3))  # of the cones so far: Dykstra's correction
    for _ in range(PASSES):
        missing[:] = wanted
        for i in range(count):
            if feet.loads[i] > 0.0:
                _take(grasp[i], feet.forces[i], missing)
        solve(matrix, missing)
        for i in range(count):
            if feet.loads[i] > 0.0:
                _give(grasp[i], missing, feet.forces[i])
                before = add(vec(feet.forces[i]), vec(pressed[i]))
                normal = vec(feet.normals[i])
                apex = scale(normal, share * feet.loads[i] * max(0.0, dot(force, normal)))
                after = add(into_cone(sub(before, apex), normal, friction), apex)
                put(pressed[i], sub(before, after))
                put(feet.forces[i], after)
    _throw_nothing_up(force, feet)


@kernel
def _spare_share(owners: NDArray[np.int64], feet: Feet) -> float:
    """What each point presses with at least, as a fraction of the force of all, for a full load."""
    standing, loads, last = 0, 0.0, -1
    for i in range(owners.shape[0]):
        if feet.loads[i] > 0.0:
            loads += feet.loads[i]
            standing += int(owners[i] != last)
            last = owners[i]
    return LEAST / loads if standing > SPARE else 0.0


@kernel
def _throw_nothing_up(force: Vec, feet: Feet) -> None:
    """Lessen forces that would do more along the one that is wanted, only to turn the body."""
    carried = 0.0
    for i in range(feet.forces.shape[0]):
        carried += dot(vec(feet.forces[i]), force)
    wanted = dot(force, force)
    if carried > wanted:
        for i in range(feet.forces.shape[0]):
            put(feet.forces[i], scale(vec(feet.forces[i]), wanted / carried))


@kernel
def _add_square(grasp: Floats, matrix: Floats) -> None:
    """Add a grasp (6, 3) times itself transposed."""
    for a in range(6):
        for b in range(6):
            for c in range(3):
                matrix[a, b] += grasp[a, c] * grasp[b, c]


@kernel
def _take(grasp: Floats, force: Floats, missing: Floats) -> None:
    """Take what a force (3,) adds to the sums (6,) off what is missing of them."""
    for a in range(6):
        for c in range(3):
            missing[a] -= grasp[a, c] * force[c]


@kernel
def _give(grasp: Floats, weights: Floats, force: Floats) -> None:
    """Add to a force (3,) what weights (6,) of the sums have it do."""
    for c in range(3):
        for a in range(6):
            force[c] += grasp[a, c] * weights[a]


@kernel
def _grasp(arm: Vec, load: float, grasp: Floats) -> None:
    """Write what a unit force along each axis at the end of an arm adds to the sums."""
    for c in range(3):
        x = y = z = 0.0
        if c == 0:
            x = load
        elif c == 1:
            y = load
        else:
            z = load
        push = (x, y, z)
        put(grasp[:3, c], push)
        put(grasp[3:, c], cross(arm, push))


@kernel
def into_cone(force: Vec, normal: Vec, friction: float) -> Vec:
    """The force nearest to one that presses, and does not slip."""
    press = dot(force, normal)
    aside = reject(force, normal)
    slips = norm(aside)
    if slips <= friction * press:
        return force
    if slips * friction <= -press:
        return (0.0, 0.0, 0.0)
    holds = (press + friction * slips) / (1.0 + friction * friction)
    return along(scale(normal, holds), aside, friction * holds / slips)


@kernel
def factor(matrix: Floats) -> None:
    """Put the lower triangle of Cholesky's factor into a positive definite matrix (6, 6)."""
    for j in range(6):
        for k in range(j):
            matrix[j, j] -= matrix[j, k] * matrix[j, k]
        matrix[j, j] = sqrt(matrix[j, j])
        for i in range(j + 1, 6):
            for k in range(j):
                matrix[i, j] -= matrix[i, k] * matrix[j, k]
            matrix[i, j] /= matrix[j, j]


@kernel
def solve(factor: Floats, vector: Floats) -> None:
    """Solve for a vector (6,), in its place."""
    for i in range(6):
        for k in range(i):
            vector[i] -= factor[i, k] * vector[k]
        vector[i] /= factor[i, i]
    for i in range(5, -1, -1):
        for k in range(i + 1, 6):
            vector[i] -= factor[k, i] * vector[k]
        vector[i] /= factor[i, i]

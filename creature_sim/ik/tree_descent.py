"""Damped least squares over the bone directions of a tree: the polish after FABRIK.

In the directions u of the bones every end is a sum x = root + sum L u, and so is the gap of a
closed loop: the Jacobian of an end with respect to the direction of a bone on the path to it is
L (1 - u u'), no angles needed. A step solves (J J' + damping) y = gaps, for three unknowns an end,
and turns the bones by J' y (Wampler 1986).
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from creature_sim.ik.bones import reach_of
from creature_sim.ik.damping import DAMPING, EASE, FLOOR, SLOW, TIGHTEN
from creature_sim.ik.tree import Tree, cost_of, gap_of, tree_directions
from creature_sim.maths import Floats, along, dot, norm, put, unit, vec
from creature_sim.maths.jit import kernel

SLOW_STEPS = 5
"""Slow steps in a row after which no step is expected to help."""


class Equations(NamedTuple):
    """Scratch of a step. matrix: (3 E, 3 E) [m^2]. unknowns: (3 E,) the gaps, then y."""

    matrix: Floats
    unknowns: Floats


@kernel
def solve_definite(m: Floats, x: Floats) -> None:
    """Solve m y = x in place for a symmetric positive definite m (n, n), by its LDL' factors."""
    n = x.shape[0]
    for j in range(n):
        for k in range(j):
            m[j, j] -= m[j, k] * m[j, k] * m[k, k]
        for i in range(j + 1, n):
            for k in range(j):
                m[i, j] -= m[i, k] * m[j, k] * m[k, k]
            m[i, j] /= m[j, j]
    for i in range(n):
        for k in range(i):
            x[i] -= m[i, k] * x[k]
    for i in range(n - 1, -1, -1):
        x[i] /= m[i, i]
        for k in range(i + 1, n):
            x[i] -= m[k, i] * x[k]


@kernel
def _write_gaps(tree: Tree, joints: Floats, goals: Floats, unknowns: Floats) -> None:
    """Write the weighted gaps (3 E,) [m] of all ends."""
    for e in range(tree.ends.shape[0]):
        gap = gap_of(tree, joints, goals, e)
        for a in range(3):
            unknowns[3 * e + a] = sqrt(tree.weights[e]) * gap[a]


@kernel
def _product(tree: Tree, bones: Floats, e: int, f: int, a: int, b: int) -> float:
    """Sum over all bones of the Jacobians' product: axis a of end e times axis b of end f [m^2].

    Args:
        tree: The joints and their ends.
        bones: (K, 3) directions of the bones.
        e: One end.
        f: The other.
        a: Axis of the one, 0 to 2.
        b: Axis of the other.
    """
    total = 0.0
    for k in range(tree.lengths.shape[0]):
        paths = tree.paths[e, k] * tree.paths[f, k]
        if paths != 0.0:
            part = (1.0 if a == b else 0.0) - bones[k, a] * bones[k, b]
            total += paths * tree.lengths[k] * tree.lengths[k] * part
    return total


@kernel
def _write_matrix(tree: Tree, bones: Floats, damping: float, m: Floats) -> None:
    """Write J J' + damping (3 E, 3 E) for bones of these directions (K, 3)."""
    for e in range(tree.ends.shape[0]):
        for f in range(e + 1):
            factor = sqrt(tree.weights[e] * tree.weights[f])
            for a in range(3):
                for b in range(3):
                    entry = factor * _product(tree, bones, e, f, a, b)
                    m[3 * e + a, 3 * f + b] = entry
                    m[3 * f + b, 3 * e + a] = entry
    for i in range(m.shape[0]):
        m[i, i] += damping


@kernel
def _turn_bones(tree: Tree, joints: Floats, bones: Floats, y: Floats) -> None:
    """Turn the bones (K, 3) by J' y, at most by 45 degrees each, and place the joints (K, 3)."""
    for n in range(1, tree.order.shape[0]):
        k = tree.order[n]
        turn = (0.0, 0.0, 0.0)
        for e in range(tree.ends.shape[0]):
            factor = tree.paths[e, k] * tree.lengths[k] * sqrt(tree.weights[e])
            turn = along(turn, (y[3 * e], y[3 * e + 1], y[3 * e + 2]), factor)
        bone = vec(bones[k])
        turn = along(turn, bone, -dot(turn, bone))
        size = norm(turn)
        bone = along(bone, turn, 1.0 if size < 1.0 else 1.0 / size)
        put(bones[k], unit(bone, (1.0, 0.0, 0.0)))
        put(joints[k], along(vec(joints[tree.parents[k]]), vec(bones[k]), tree.lengths[k]))


@kernel
def _step(tree: Tree, joints: Floats, goals: Floats, damping: float, scratch: Equations) -> None:
    """Turn the bones of a pose (K, 3) so that its ends come nearer to their goals (E, 3) [m]."""
    bones = np.empty(joints.shape)
    tree_directions(tree, joints, bones)
    _write_gaps(tree, joints, goals, scratch.unknowns)
    _write_matrix(tree, bones, damping, scratch.matrix)
    solve_definite(scratch.matrix, scratch.unknowns)
    _turn_bones(tree, joints, bones, scratch.unknowns)


@kernel
def copy_joints(joints: Floats, to: Floats) -> None:
    """Copy joints (K, 3)."""
    for k in range(joints.shape[0]):
        put(to[k], vec(joints[k]))


@kernel
def descend_tree(
    tree: Tree, joints: Floats, goals: Floats, tolerance: float, max_steps: int
) -> tuple[int, bool]:
    """Turn bones until all gaps are within the tolerance, or no step helps.

    Args:
        tree: The joints and their ends.
        joints: (K, 3) [m], moved in place.
        goals: (E, 3) [m].
        tolerance: Gap that counts as closed [m].
        max_steps: Steps at most.

    Returns:
        Steps taken, and whether it ended because no step helped.
    """
    ends = 3 * tree.ends.shape[0]
    scratch = Equations(np.empty((ends, ends)), np.empty(ends))
    kept = np.empty(joints.shape)
    reach = reach_of(tree.lengths)
    cost, gap = cost_of(tree, joints, goals)
    factor = 1.0
    slow = 0
    step = 0
    while gap > tolerance and slow < SLOW_STEPS and step < max_steps:
        copy_joints(joints, kept)
        damping = factor * DAMPING * cost + FLOOR * reach * reach
        _step(tree, joints, goals, damping, scratch)
        step += 1
        after, gap_after = cost_of(tree, joints, goals)
        is_nearer = after < cost
        slow = 0 if is_nearer and after <= SLOW * cost else slow + 1
        if is_nearer:
            cost = after
            gap = gap_after
            factor *= EASE
        else:
            factor = max(1.0, factor * TIGHTEN)
            copy_joints(kept, joints)
    return (step, slow >= SLOW_STEPS)

"""Chains that share joints: FABRIK over a tree, then damped least squares over bone directions.

The backward pass goes from the targets to the root; a joint with several pulled children, a
sub-base, takes the weighted mean of the places that they want it at (Aristidou and Lasenby 2011,
section 5; Aristidou, Chrysanthou and Lasenby 2016). Means make FABRIK crawl where targets pull
against each other, so a polish follows. In the directions u of the bones every end is a sum
x = root + sum L u, and so is the gap of a closed loop: the Jacobian of an end with respect to the
direction of a bone on its way is L (1 - u u'), no angles needed.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.ik.leg import side_of
from creature_sim.ik.rotations import between
from creature_sim.maths import (
    Floats,
    Vec,
    along,
    cross,
    distance,
    dot,
    mix,
    norm,
    put,
    put_quat,
    scale,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

Integers = NDArray[np.int64]

PASSES = 12
"""FABRIK passes before the polish, while each takes a tenth off the error."""

ROUNDS = 4
"""Starts at most; more than a few only repeat what targets out of reach allow."""


class Tree(NamedTuple):
    """A tree of K joints and what pulls at it.

    order: (K,) joints, parents first; the root is the first. parents: (K,), -1 for the root.
    lengths: (K,) [m] of the bone that ends at a joint. ends: (E, 2) the joints that shall meet:
    (joint, -1) is pulled to its goal, (a, b) closes a loop. weights: (E,). ways: (E, K) is 1 for
    the bones that lead to an end, for a loop -1 for those that lead to its first joint.
    """

    order: Integers
    parents: Integers
    lengths: Floats
    ends: Integers
    weights: Floats
    ways: Floats


@kernel
def gap_of(tree: Tree, joints: Floats, goals: Floats, e: int) -> Vec:
    """What end e lacks [m]: from its joint to its goal, or from one side of a loop to the other."""
    if tree.ends[e, 1] < 0:
        return sub(vec(goals[e]), vec(joints[tree.ends[e, 0]]))
    return sub(vec(joints[tree.ends[e, 0]]), vec(joints[tree.ends[e, 1]]))


@kernel
def _badness(tree: Tree, joints: Floats, goals: Floats) -> tuple[float, float]:
    """Weighted sum of the squared gaps [m^2], and the largest gap [m]."""
    total = 0.0
    largest = 0.0
    for e in range(tree.ends.shape[0]):
        gap = gap_of(tree, joints, goals, e)
        square = dot(gap, gap)
        total += tree.weights[e] * square
        largest = max(largest, sqrt(square))
    return (total, largest)


@kernel
def _pull(wanted: Floats, pulls: Floats, joint: int, place: Vec, weight: float) -> None:
    """Let a joint be pulled to a place."""
    for a in range(3):
        wanted[joint, a] += weight * place[a]
    pulls[joint] += weight


@kernel
def tree_pass(tree: Tree, joints: Floats, goals: Floats, wanted: Floats, pulls: Floats) -> None:
    """Reach backward from all goals, then forward from the root, moving joints (K, 3) in place.

    A bone that leads to no goal keeps its direction. `wanted` (K, 3) and `pulls` (K,) are scratch.
    """
    count = tree.order.shape[0]
    for k in range(count):
        put(wanted[k], (0.0, 0.0, 0.0))
        pulls[k] = 0.0
    for e in range(tree.ends.shape[0]):
        a = tree.ends[e, 0]
        b = tree.ends[e, 1]
        if b < 0:
            _pull(wanted, pulls, a, vec(goals[e]), tree.weights[e])
        else:
            middle = mix(vec(joints[a]), vec(joints[b]), 0.5)
            _pull(wanted, pulls, a, middle, tree.weights[e])
            _pull(wanted, pulls, b, middle, tree.weights[e])
    for n in range(count - 1, 0, -1):
        k = tree.order[n]
        parent = tree.parents[k]
        if pulls[k] > 0.0:
            place = scale(vec(wanted[k]), 1.0 / pulls[k])
            put(wanted[k], place)
            bone = sub(vec(joints[parent]), place)
            bone = unit(bone, unit(sub(vec(joints[parent]), vec(joints[k])), (1.0, 0.0, 0.0)))
            _pull(wanted, pulls, parent, along(place, bone, tree.lengths[k]), pulls[k])
    # Forward; `wanted` of the unpulled becomes their old direction before any parent moves.
    for n in range(1, count):
        k = tree.order[n]
        if pulls[k] <= 0.0:
            put(wanted[k], sub(vec(joints[k]), vec(joints[tree.parents[k]])))
    for n in range(1, count):
        k = tree.order[n]
        here = vec(joints[tree.parents[k]])
        bone = vec(wanted[k])
        if pulls[k] > 0.0:
            bone = sub(bone, here)
        bone = unit(bone, (1.0, 0.0, 0.0))
        put(joints[k], along(here, bone, tree.lengths[k]))


@kernel
def _solve_definite(m: Floats, x: Floats) -> None:
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
def _directions(tree: Tree, joints: Floats, bones: Floats) -> None:
    """Write the unit vector of the bone that ends at each joint (K, 3)."""
    for n in range(1, tree.order.shape[0]):
        k = tree.order[n]
        bone = sub(vec(joints[k]), vec(joints[tree.parents[k]]))
        put(bones[k], unit(bone, (1.0, 0.0, 0.0)))


@kernel
def _turn_bones(
    tree: Tree, joints: Floats, goals: Floats, bones: Floats, m: Floats, y: Floats, damping: float
) -> None:
    """One step: turn the bones (K, 3) so that the ends near their goals; places the joints."""
    ends = tree.ends.shape[0]
    for e in range(ends):
        gap = gap_of(tree, joints, goals, e)
        for a in range(3):
            y[3 * e + a] = sqrt(tree.weights[e]) * gap[a]
    for e in range(ends):
        for f in range(e + 1):
            factor = sqrt(tree.weights[e] * tree.weights[f])
            for a in range(3):
                for b in range(3):
                    total = 0.0
                    for k in range(tree.lengths.shape[0]):
                        ways = tree.ways[e, k] * tree.ways[f, k]
                        if ways != 0.0:
                            part = (1.0 if a == b else 0.0) - bones[k, a] * bones[k, b]
                            total += ways * tree.lengths[k] * tree.lengths[k] * part
                    m[3 * e + a, 3 * f + b] = factor * total
                    m[3 * f + b, 3 * e + a] = factor * total
    for i in range(3 * ends):
        m[i, i] += damping
    _solve_definite(m, y)
    for n in range(1, tree.order.shape[0]):
        k = tree.order[n]
        turn = (0.0, 0.0, 0.0)
        for e in range(ends):
            factor = tree.ways[e, k] * tree.lengths[k] * sqrt(tree.weights[e])
            turn = along(turn, (y[3 * e], y[3 * e + 1], y[3 * e + 2]), factor)
        bone = vec(bones[k])
        turn = along(turn, bone, -dot(turn, bone))
        size = norm(turn)
        bone = along(bone, turn, 1.0 if size < 1.0 else 1.0 / size)
        put(bones[k], unit(bone, (1.0, 0.0, 0.0)))
        put(joints[k], along(vec(joints[tree.parents[k]]), vec(bones[k]), tree.lengths[k]))


@kernel
def _copy(joints: Floats, to: Floats) -> None:
    """Copy rows (K, 3)."""
    for k in range(joints.shape[0]):
        put(to[k], vec(joints[k]))


@kernel
def _bend_all(tree: Tree, joints: Floats, bones: Floats, share: float, rise: float) -> None:
    """Bend every bone a little: out of a line, and by `rise` of that out of a plane.

    Neither passes nor steps can leave either of them.
    """
    _directions(tree, joints, bones)
    for n in range(1, tree.order.shape[0]):
        k = tree.order[n]
        bone = vec(bones[k])
        side = side_of(bone)
        side = along(side, cross(bone, side), rise)
        bone = unit(along(bone, side, share / (1.0 + 0.5 * n)), bone)
        put(joints[k], along(vec(joints[tree.parents[k]]), bone, tree.lengths[k]))


@kernel
def solve_joints(
    tree: Tree,
    joints: Floats,
    goals: Floats,
    tolerance: float,
    max_iterations: int,
    is_flat: bool,
) -> tuple[int, bool]:
    """Bring all ends of a tree to their goals, or to the least weighted sum of squared gaps.

    1. FABRIK passes, while they are quick.
    2. Steps of the polish, until all gaps are within the tolerance or no step helps.
    3. Where that leaves a gap, the bones are bent a little and all begins again; the best pose
       is kept.

    Args:
        tree: The joints and their ends.
        joints: (K, 3) [m], start pose of these lengths; moved in place, the root not.
        goals: (E, 3) [m].
        tolerance: Gap that counts as closed [m].
        max_iterations: Passes and steps at most.
        is_flat: Whether the tree stays in the XY plane if it begins there.

    Returns:
        Iterations, and whether it ended because no step helped.
    """
    count = joints.shape[0]
    ends = tree.ends.shape[0]
    wanted = np.zeros((count, 3))
    pulls = np.zeros(count)
    bones = np.zeros((count, 3))
    kept = np.zeros((count, 3))
    best = np.zeros((count, 3))
    m = np.zeros((3 * ends, 3 * ends))
    y = np.zeros(3 * ends)
    reach = 0.0
    for k in range(count):
        reach += tree.lengths[k]
    iteration = 0
    is_settled = False
    _copy(joints, best)
    least, largest = _badness(tree, joints, goals)
    share = 0.2
    rounds = 0
    while largest > tolerance and iteration < max_iterations and rounds < ROUNDS:
        rounds += 1
        total, largest = _badness(tree, joints, goals)
        last = np.inf
        passes = 0
        while (
            largest > tolerance
            and total < 0.8 * last
            and passes < PASSES
            and iteration < max_iterations
        ):
            last = total
            tree_pass(tree, joints, goals, wanted, pulls)
            total, largest = _badness(tree, joints, goals)
            passes += 1
            iteration += 1
        slow = 0
        caution = 1.0
        while largest > tolerance and slow < 5 and iteration < max_iterations:
            _copy(joints, kept)
            _directions(tree, joints, bones)
            damping = caution * 0.02 * total + 1e-9 * reach * reach
            _turn_bones(tree, joints, goals, bones, m, y, damping)
            iteration += 1
            after, gap = _badness(tree, joints, goals)
            if after < total:
                slow = slow + 1 if after > 0.98 * total else 0
                total = after
                largest = gap
                caution *= 0.2
            else:
                _copy(kept, joints)
                slow += 1
                caution = max(1.0, caution * 8.0)
        is_settled = is_settled or slow >= 5
        if total < least:
            least = total
            _copy(joints, best)
        if largest > tolerance:
            _bend_all(tree, joints, bones, share, 0.0 if is_flat else 0.5)
            share = -1.5 * share
    _copy(best, joints)
    return (iteration, is_settled)


@kernel
def turn_tree(tree: Tree, start: Floats, joints: Floats, turns: Floats) -> None:
    """World rotation of the bone that ends at each joint (K, 4) against the start pose."""
    put_quat(turns[tree.order[0]], (0.0, 0.0, 0.0, 1.0))
    for n in range(1, tree.order.shape[0]):
        k = tree.order[n]
        parent = tree.parents[k]
        if distance(vec(start[k]), vec(start[parent])) <= 0.0:
            for a in range(4):
                turns[k, a] = turns[parent, a]
            continue
        before = unit(sub(vec(start[k]), vec(start[parent])), (1.0, 0.0, 0.0))
        now = unit(sub(vec(joints[k]), vec(joints[parent])), before)
        put_quat(turns[k], between(before, now))

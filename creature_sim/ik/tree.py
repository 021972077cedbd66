"""Chains that share joints: what a tree is, what its ends lack, and how its bones turned."""

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.ik.rotations import between
from creature_sim.maths import Floats, Vec, distance, dot, put, put_quat, sub, unit, vec
from creature_sim.maths.jit import kernel

Integers = NDArray[np.int64]


class Tree(NamedTuple):
    """A tree of K joints, and E ends: what pulls at it.

    order: (K,) joints, parents first; the root is the first. parents: (K,), -1 for the root.
    lengths: (K,) [m] of the bone that ends at a joint. ends: (E, 2) the joints that shall meet:
    (joint, -1) is pulled to its goal, (a, b) closes a loop. weights: (E,). paths: (E, K) is 1 for
    the bones that lead to an end, for a loop -1 for those that lead to its first joint.
    """

    order: Integers
    parents: Integers
    lengths: Floats
    ends: Integers
    weights: Floats
    paths: Floats


@kernel
def gap_of(tree: Tree, joints: Floats, goals: Floats, e: int) -> Vec:
    """What end e lacks [m]: from its joint to its goal, or from one side of a loop to the other."""
    if tree.ends[e, 1] < 0:
        return sub(vec(goals[e]), vec(joints[tree.ends[e, 0]]))
    return sub(vec(joints[tree.ends[e, 0]]), vec(joints[tree.ends[e, 1]]))


@kernel
def cost_of(tree: Tree, joints: Floats, goals: Floats) -> tuple[float, float]:
    """Weighted sum of the squared gaps of all ends [m^2], and the largest gap [m]."""
    total = 0.0
    largest = 0.0
    for e in range(tree.ends.shape[0]):
        gap = gap_of(tree, joints, goals, e)
        square = dot(gap, gap)
        total += tree.weights[e] * square
        largest = max(largest, sqrt(square))
    return (total, largest)


@kernel
def tree_directions(tree: Tree, joints: Floats, bones: Floats) -> None:
    """Write the unit vector of the bone that ends at each joint (K, 3)."""
    for n in range(1, tree.order.shape[0]):
        k = tree.order[n]
        bone = sub(vec(joints[k]), vec(joints[tree.parents[k]]))
        put(bones[k], unit(bone, (1.0, 0.0, 0.0)))


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

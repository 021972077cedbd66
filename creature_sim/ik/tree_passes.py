"""FABRIK over a tree.

The backward pass goes from the goals to the root; a joint with several pulled children, a
sub-base, takes the weighted mean of the positions that they want it at (Aristidou and Lasenby
2011, section 5; Aristidou, Chrysanthou and Lasenby 2016).
"""

import numpy as np

from creature_sim.ik.tree import Tree, cost_of
from creature_sim.maths import Floats, Vec, along, mix, put, scale, sub, unit, vec
from creature_sim.maths.jit import kernel

PASSES = 12
"""Passes at most, while they are quick."""

QUICK = 0.8
"""Fraction of the cost that a quick pass leaves at most."""


@kernel
def _pull(wanted: Floats, pulls: Floats, joint: int, position: Vec, weight: float) -> None:
    """Let a joint be pulled to a position."""
    for a in range(3):
        wanted[joint, a] += weight * position[a]
    pulls[joint] += weight


@kernel
def _pull_ends(tree: Tree, joints: Floats, goals: Floats, wanted: Floats, pulls: Floats) -> None:
    """Pull ends to their goals, and both sides of a loop to the point between them."""
    for e in range(tree.ends.shape[0]):
        a = tree.ends[e, 0]
        b = tree.ends[e, 1]
        if b < 0:
            _pull(wanted, pulls, a, vec(goals[e]), tree.weights[e])
        else:
            middle = mix(vec(joints[a]), vec(joints[b]), 0.5)
            _pull(wanted, pulls, a, middle, tree.weights[e])
            _pull(wanted, pulls, b, middle, tree.weights[e])


@kernel
def _reach_backward(tree: Tree, joints: Floats, wanted: Floats, pulls: Floats) -> None:
    """Hand every pull on to the parent, a bone's length away; `wanted` become positions."""
    for n in range(tree.order.shape[0] - 1, 0, -1):
        k = tree.order[n]
        parent = tree.parents[k]
        if pulls[k] > 0.0:
            position = scale(vec(wanted[k]), 1.0 / pulls[k])
            put(wanted[k], position)
            bone = sub(vec(joints[parent]), position)
            bone = unit(bone, unit(sub(vec(joints[parent]), vec(joints[k])), (1.0, 0.0, 0.0)))
            _pull(wanted, pulls, parent, along(position, bone, tree.lengths[k]), pulls[k])


@kernel
def _reach_forward(tree: Tree, joints: Floats, wanted: Floats, pulls: Floats) -> None:
    """Place the joints (K, 3) from the root on, towards where they are wanted."""
    count = tree.order.shape[0]
    # `wanted` of the unpulled becomes their old direction before any parent moves.
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
def tree_pass(tree: Tree, joints: Floats, goals: Floats, wanted: Floats, pulls: Floats) -> None:
    """Reach backward from all goals, then forward from the root, moving joints (K, 3) in place.

    A bone that leads to no goal keeps its direction. `wanted` (K, 3) and `pulls` (K,) are scratch.
    """
    for k in range(tree.order.shape[0]):
        put(wanted[k], (0.0, 0.0, 0.0))
        pulls[k] = 0.0
    _pull_ends(tree, joints, goals, wanted, pulls)
    _reach_backward(tree, joints, wanted, pulls)
    _reach_forward(tree, joints, wanted, pulls)


@kernel
def pass_while_quick(
    tree: Tree, joints: Floats, goals: Floats, tolerance: float, max_passes: int
) -> int:
    """Passes until all gaps are within the tolerance [m], while they are quick; returns how many.

    Means make FABRIK crawl where goals pull against each other, so a descent follows.
    """
    wanted = np.empty(joints.shape)
    pulls = np.empty(joints.shape[0])
    cost, gap = cost_of(tree, joints, goals)
    last = np.inf
    passes = 0
    while gap > tolerance and cost < QUICK * last and passes < min(PASSES, max_passes):
        last = cost
        tree_pass(tree, joints, goals, wanted, pulls)
        cost, gap = cost_of(tree, joints, goals)
        passes += 1
    return passes

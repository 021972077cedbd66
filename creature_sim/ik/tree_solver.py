"""The solver of trees: FABRIK passes, then a descent over bone directions, then other starts."""

import numpy as np

from creature_sim.ik.leg import side_of
from creature_sim.ik.tree import Tree, cost_of, tree_directions
from creature_sim.ik.tree_descent import copy_joints, descend_tree
from creature_sim.ik.tree_passes import pass_while_quick
from creature_sim.maths import Floats, along, cross, put, unit, vec
from creature_sim.maths.jit import kernel

STARTS = 4
"""Starts at most; more than a few only repeat what goals out of reach allow."""

FIRST_BEND = 0.2
"""Sideways part of a bone's direction that the first other start adds."""

MORE_BEND = -1.5
"""Each start bends the bones to the other side, and by this factor farther."""

RISE = 0.5
"""Part of such a bend that leads out of the plane."""


@kernel
def _bend_all(tree: Tree, joints: Floats, bend: float, rise: float) -> None:
    """Turn every bone aside by `bend`, later ones by less, and out of the plane by `rise` of that.

    Neither passes nor steps lead out of a line or a plane that all bones lie in.
    """
    bones = np.empty(joints.shape)
    tree_directions(tree, joints, bones)
    for n in range(1, tree.order.shape[0]):
        k = tree.order[n]
        bone = vec(bones[k])
        side = side_of(bone)
        side = along(side, cross(bone, side), rise)
        bone = unit(along(bone, side, bend / (1.0 + 0.5 * n)), bone)
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
    2. Steps of the descent, until all gaps are within the tolerance or no step helps.
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
        Iterations, and whether a descent ended because no step helped.
    """
    best = np.empty(joints.shape)
    copy_joints(joints, best)
    least, gap = cost_of(tree, joints, goals)
    iteration = 0
    is_settled = False
    bend = FIRST_BEND
    for _ in range(STARTS):
        if gap <= tolerance or iteration >= max_iterations:
            break
        iteration += pass_while_quick(tree, joints, goals, tolerance, max_iterations - iteration)
        left = max_iterations - iteration
        steps, has_settled = descend_tree(tree, joints, goals, tolerance, left)
        iteration += steps
        is_settled = is_settled or has_settled
        cost, gap = cost_of(tree, joints, goals)
        if cost < least:
            least = cost
            copy_joints(joints, best)
        if gap > tolerance:
            _bend_all(tree, joints, bend, 0.0 if is_flat else RISE)
            bend *= MORE_BEND
    copy_joints(best, joints)
    return (iteration, is_settled)

"""Trees bend so that all their pulled joints are at their targets at once."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import Records, TargetRecord
from creature_sim.ik.leg import solve_leg
from creature_sim.ik.tree import Tree
from creature_sim.ik.tree_solver import solve_joints
from creature_sim.locomotion.frames import into_frame, within_reach
from creature_sim.maths import Floats, put, quat, vec
from creature_sim.maths.jit import kernel

TOLERANCE = 1e-4
"""Distance of a joint from its target that counts as there, as a fraction of the longest path."""
MOST_ITERATIONS = 60
"""Passes and steps that a tree may take in a tick; targets out of reach take them all."""


@kernel
def follow_tree(
    tree: Tree,
    reaches: Floats,
    joints: Floats,
    position: Floats,
    orientation: Floats,
    targets: Records[TargetRecord],
) -> None:
    """Bring the pulled joints of a tree to their targets, or to the best compromise.

    Args:
        tree: joints, ends and weights; its first ends are those of the targets.
        reaches: (E,) of the targets' joints from the root [m].
        joints: (K, 3) last pose, moved; the root, joint 0, stays [m, frame].
        position: (3,) of the frame's origin [m, world].
        orientation: (4,) of the frame, xyzw.
        targets: (E,) TARGET.
    """
    goals = np.zeros((tree.ends.shape[0], 3))
    longest = 0.0
    for e in range(targets.shape[0]):
        aim = into_frame(vec(position), quat(orientation), vec(targets[e].point))
        put(goals[e], within_reach(vec(joints[0]), aim, reaches[e]))
        longest = max(longest, reaches[e])
    solve_joints(tree, joints, goals, TOLERANCE * longest, MOST_ITERATIONS, False)


@kernel
def bend_knees(tree: Tree, knees: NDArray[np.int64], poles: Floats, joints: Floats) -> None:
    """Turn each joint with a pole about the line from its parent to its child, towards the pole.

    Args:
        tree: for its lengths.
        knees: (P, 3) parent, joint, child.
        poles: (P, 3) directions [frame].
        joints: (K, 3) changed [m, frame].
    """
    leg = np.empty((3, 3))
    lengths = np.empty(2)
    for p in range(knees.shape[0]):
        for j in range(3):
            put(leg[j], vec(joints[knees[p, j]]))
        lengths[0] = tree.lengths[knees[p, 1]]
        lengths[1] = tree.lengths[knees[p, 2]]
        solve_leg(leg, lengths, vec(leg[0]), vec(joints[knees[p, 2]]), vec(poles[p]))
        put(joints[knees[p, 1]], vec(leg[1]))

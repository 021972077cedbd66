"""FABRIK: forward and backward reaching inverse kinematics (Aristidou and Lasenby 2011).

One pass moves the tip onto the target and drags the bones along, then moves the root back to where
it was and drags the bones back. Each joint goes to the line to its neighbour, a bone's length away.
"""

from math import sqrt

from creature_sim.maths import Floats, Vec
from creature_sim.maths.jit import kernel

COINCIDENT = 1e-24
"""Squared distance of two joints, as a fraction of their bone's, that gives no direction."""


@kernel
def _place(joints: Floats, i: int, fixed: int, length: float, before: Vec) -> None:
    """Put joint i a bone's length away from joint `fixed`, in the direction it has from there.

    Where both coincide the textbook divides by zero, or lets the bone collapse; here the bone
    keeps the direction that it had `before`, from the fixed joint's last position.
    """
    x = joints[i, 0] - joints[fixed, 0]
    y = joints[i, 1] - joints[fixed, 1]
    z = joints[i, 2] - joints[fixed, 2]
    square = x * x + y * y + z * z
    if square <= COINCIDENT * length * length:
        x = joints[i, 0] - before[0]
        y = joints[i, 1] - before[1]
        z = joints[i, 2] - before[2]
        square = x * x + y * y + z * z
        if square <= COINCIDENT * length * length:
            x, y, z, square = 1.0, 0.0, 0.0, 1.0
    factor = length / sqrt(square)
    joints[i, 0] = joints[fixed, 0] + x * factor
    joints[i, 1] = joints[fixed, 1] + y * factor
    joints[i, 2] = joints[fixed, 2] + z * factor


@kernel
def reach_backward(joints: Floats, lengths: Floats, target: Vec) -> None:
    """Put the tip on the target and drag the bones along, up to joint 1."""
    last = lengths.shape[0]
    before = (joints[last, 0], joints[last, 1], joints[last, 2])
    joints[last, 0] = target[0]
    joints[last, 1] = target[1]
    joints[last, 2] = target[2]
    for i in range(last - 1, 0, -1):
        here = (joints[i, 0], joints[i, 1], joints[i, 2])
        _place(joints, i, i + 1, lengths[i], before)
        before = here


@kernel
def fabrik_pass(joints: Floats, lengths: Floats, target: Vec) -> None:
    """Reach backward from the target, then forward from the root, joint 0, which stays.

    Args:
        joints: (J, 3) [m], moved in place.
        lengths: (J - 1,) [m], none negative.
        target: Where the tip shall be [m].
    """
    reach_backward(joints, lengths, target)
    last = lengths.shape[0]
    # The root did not move: on it, joint 1 turns towards the tip.
    before = (2.0 * joints[1, 0], 2.0 * joints[1, 1], 2.0 * joints[1, 2])
    before = (before[0] - joints[last, 0], before[1] - joints[last, 1], before[2] - joints[last, 2])
    for i in range(last):
        here = (joints[i + 1, 0], joints[i + 1, 1], joints[i + 1, 2])
        _place(joints, i + 1, i, lengths[i], before)
        before = here


@kernel
def tip_error(joints: Floats, target: Vec) -> float:
    """Distance [m] of the last joint from the target."""
    last = joints.shape[0] - 1
    x = joints[last, 0] - target[0]
    y = joints[last, 1] - target[1]
    z = joints[last, 2] - target[2]
    return sqrt(x * x + y * y + z * z)

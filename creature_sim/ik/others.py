"""Other methods than FABRIK, to compare with: small, clear, under the same limits.

All turn joints instead of moving them. See Buss, "Introduction to inverse kinematics with Jacobian
transpose, pseudoinverse and damped least squares methods" (2004), and for cyclic coordinate
descent Wang and Chen (1991). None of them leaves a straight line: a straight chain does not move
towards a target on its own line.
"""

import numpy as np

from creature_sim.ik.angles import HINGE, Model, aim_bone, clamp_angles, copy_angles, place_chain
from creature_sim.ik.bones import reach_of
from creature_sim.ik.fabrik import tip_error
from creature_sim.ik.jacobian import (
    Symmetric,
    apply_changes,
    normal_matrix,
    solve_symmetric,
    tip_columns,
)
from creature_sim.ik.rotations import between
from creature_sim.maths import (
    Floats,
    Vec,
    atan2,
    cross,
    dot,
    norm,
    quat,
    reject,
    rotate,
    scale,
    sub,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel

CCD = 0
JACOBIAN_TRANSPOSE = 1
PSEUDO_INVERSE = 2
DAMPED_LEAST_SQUARES = 3

DAMPING = 0.05
"""Damping of the damped least squares, as a fraction of the reach."""

TRACE = 1e-7
"""The pseudo-inverse keeps a trace of damping too: a straight chain's matrix is singular."""

STRIDE = 0.15
"""Distance [reaches] that a step by an inverse asks of the tip at most (Buss, section 9)."""


@kernel
def _turn_to(
    model: Model, angles: Floats, joints: Floats, turns: Floats, i: int, target: Vec
) -> None:
    """Turn bone i so that the tip, seen from its joint, lies in the direction of the target.

    Args:
        model: The bones and their limits.
        angles: (B, 3) [rad], changed.
        joints: (B + 1, 3) [m], the pose; not changed.
        turns: (B, 4), likewise.
        i: Which bone.
        target: [m].
    """
    here = vec(joints[i])
    now = sub(vec(joints[joints.shape[0] - 1]), here)
    want = sub(target, here)
    parent = quat(turns[i - 1]) if i > 0 else (0.0, 0.0, 0.0, 1.0)
    if model.kinds[i] == HINGE:
        axis = rotate(parent, vec(model.axes[i, 1]))
        now = reject(now, axis)
        angles[i, 0] += atan2(dot(axis, cross(now, want)), dot(now, want))
    else:
        near = norm(now)
        far = norm(want)
        length = model.lengths[i]
        if near > 0.0 and far > 0.0 and length > 0.0:
            turn = between(scale(now, 1.0 / near), scale(want, 1.0 / far))
            bone = scale(sub(vec(joints[i + 1]), here), 1.0 / length)
            aim_bone(model, angles, i, unrotate(parent, rotate(turn, bone)))
    clamp_angles(model, angles, i)


@kernel
def _jacobian_changes(
    columns: Floats, changes: Floats, gap: Vec, reach: float, method: int
) -> None:
    """Changes (B, 3) [rad] of the angles by one of the Jacobian methods."""
    bones = columns.shape[0]
    m = normal_matrix(columns, np.ones((bones, 3), np.bool_), 0.0)
    if method == JACOBIAN_TRANSPOSE:
        # The step along J' e that comes nearest, if the chain were linear (Buss, equation 7).
        moved = (
            m.xx * gap[0] + m.xy * gap[1] + m.xz * gap[2],
            m.xy * gap[0] + m.yy * gap[1] + m.yz * gap[2],
            m.xz * gap[0] + m.yz * gap[1] + m.zz * gap[2],
        )
        square = dot(moved, moved)
        y = scale(gap, dot(gap, moved) / square if square > 0.0 else 0.0)
    else:
        damping = DAMPING * reach if method == DAMPED_LEAST_SQUARES else TRACE * reach
        square = damping * damping
        damped = Symmetric(m.xx + square, m.xy, m.xz, m.yy + square, m.yz, m.zz + square)
        y = solve_symmetric(damped, gap)
    for i in range(bones):
        for k in range(3):
            changes[i, k] = dot(vec(columns[i, k]), y)


@kernel
def solve_other(
    model: Model,
    angles: Floats,
    joints: Floats,
    turns: Floats,
    target: Vec,
    tolerance: float,
    max_iterations: int,
    method: int,
) -> int:
    """Bring the tip of a chain to a target by one of the other methods; the best pose is kept.

    Args:
        model: The bones and their limits.
        angles: (B, 3) [rad], a legal start; changed.
        joints: (B + 1, 3) [m], the root; the others are written.
        turns: (B, 4), written: rotation of each bone against the start pose of the model.
        target: [m].
        tolerance: Tip error that counts as there [m].
        max_iterations: Sweeps or steps at most.
        method: One of the constants here.

    Returns:
        Iterations: sweeps from tip to root of `CCD`, else steps.
    """
    bones = model.lengths.shape[0]
    columns = np.empty((bones, 3, 3))
    outward = np.empty((bones, 2))
    changes = np.empty((bones, 3))
    best = np.empty((bones, 3))
    reach = reach_of(model.lengths)
    place_chain(model, angles, joints, turns)
    error = tip_error(joints, target)
    least = error
    copy_angles(angles, best)
    iteration = 0
    while error > tolerance and iteration < max_iterations:
        iteration += 1
        if method == CCD:
            for i in range(bones - 1, -1, -1):
                _turn_to(model, angles, joints, turns, i, target)
                place_chain(model, angles, joints, turns)
        else:
            tip_columns(model, angles, joints, turns, columns, outward)
            gap = sub(target, vec(joints[bones]))
            if method != JACOBIAN_TRANSPOSE and error > STRIDE * reach:
                gap = scale(gap, STRIDE * reach / error)
            _jacobian_changes(columns, changes, gap, reach, method)
            apply_changes(model, angles, changes, outward)
            place_chain(model, angles, joints, turns)
        error = tip_error(joints, target)
        if error < least:
            least = error
            copy_angles(angles, best)
    copy_angles(best, angles)
    place_chain(model, angles, joints, turns)
    return iteration

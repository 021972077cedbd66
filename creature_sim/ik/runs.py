"""Loops over targets and chains in compiled code: what `solve`, its path and its batch run.

All three call the same kernels for one chain, so a batch equals single solves bit for bit.
"""

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from creature_sim.ik.angles import Model, place_chain
from creature_sim.ik.arc import span
from creature_sim.ik.chain import bend_chain, solve_plain
from creature_sim.ik.fabrik import tip_error
from creature_sim.ik.leg import bend_leg
from creature_sim.ik.limited import solve_limited
from creature_sim.ik.others import solve_other
from creature_sim.ik.rotations import bone_direction, keep_sign, turn_bones
from creature_sim.ik.solution import judge
from creature_sim.maths import Floats, Vec, along, distance, put, sub, vec
from creature_sim.maths.jit import kernel

Integers = NDArray[np.int64]

FABRIK = 0
PLAIN = 1
POLE = 2


@kernel
def measure(joints: Floats, lengths: Floats) -> None:
    """Write the bone lengths (J - 1,) [m] of a pose (J, 3)."""
    for i in range(lengths.shape[0]):
        x = joints[i + 1, 0] - joints[i, 0]
        y = joints[i + 1, 1] - joints[i, 1]
        z = joints[i + 1, 2] - joints[i, 2]
        length = sqrt(x * x + y * y + z * z)
        lengths[i] = length if length >= 1e-60 else 0.0


@kernel
def relay(joints: Floats, lengths: Floats) -> None:
    """Give the bones of a pose other lengths [m]; a bone without direction takes its parent's."""
    direction = (1.0, 0.0, 0.0)
    old = vec(joints[0])
    for i in range(lengths.shape[0]):
        bone = sub(vec(joints[i + 1]), old)
        old = vec(joints[i + 1])
        length = sqrt(bone[0] * bone[0] + bone[1] * bone[1] + bone[2] * bone[2])
        if length >= 1e-60:
            direction = (bone[0] / length, bone[1] / length, bone[2] / length)
        put(joints[i + 1], along(vec(joints[i]), direction, lengths[i]))


@kernel
def relay_batch(joints: Floats, lengths: Floats) -> None:
    """Give the bones of poses (B, J, 3) the lengths (B, J - 1) [m]."""
    for b in range(joints.shape[0]):
        relay(joints[b], lengths[b])


@kernel
def point_bones(joints: Floats, directions: Floats) -> None:
    """Write the directions (J - 1, 3) of a pose's bones; of one without length, its parent's."""
    direction = (1.0, 0.0, 0.0)
    for i in range(directions.shape[0]):
        direction = bone_direction(joints, i, direction)
        put(directions[i], direction)


@kernel
def _solve(
    joints: Floats,
    lengths: Floats,
    target: Vec,
    pole: Vec,
    tolerance: float,
    max_iterations: int,
    method: int,
) -> tuple[int, float, int]:
    """Solve one chain without limits: iterations, tip error [m], status."""
    if method == FABRIK:
        iterations, error = bend_chain(joints, lengths, target, tolerance, max_iterations)
    elif method == POLE:
        root = vec(joints[0])
        iterations, error = bend_leg(joints, lengths, root, target, sub(pole, root), max_iterations)
    else:
        iterations = solve_plain(joints, lengths, target, tolerance, max_iterations)
        error = tip_error(joints, target)
    if error <= tolerance:
        return (iterations, error, 0)
    hole, reach = span(lengths)
    d = distance(target, vec(joints[0]))
    return (iterations, error, judge(error, tolerance, d, hole, reach, False))


@kernel
def _row(array: Floats, i: int) -> Vec:
    """Row i of an array (n, 3)."""
    return (array[i, 0], array[i, 1], array[i, 2])


@kernel
def run_path(
    joints: Floats,
    lengths: Floats,
    targets: Floats,
    poles: Floats,
    tolerance: float,
    max_iterations: int,
    method: int,
    poses: Floats,
    iterations: Integers,
    errors: Floats,
    statuses: Integers,
) -> None:
    """Solve one chain for targets (T, 3), each from the last pose; joints (J, 3) follow.

    `poles` is (T, 3), of which only `POLE` reads anything. Writes poses (T, J, 3) and the rest
    (T,).
    """
    for t in range(targets.shape[0]):
        iterations[t], errors[t], statuses[t] = _solve(
            joints,
            lengths,
            _row(targets, t),
            _row(poles, t),
            tolerance,
            max_iterations,
            method,
        )
        for j in range(joints.shape[0]):
            for k in range(3):
                poses[t, j, k] = joints[j, k]


@kernel
def run_fabrik(
    joints: Floats,
    lengths: Floats,
    targets: Floats,
    tolerance: float,
    max_iterations: int,
    poses: Floats,
    iterations: Integers,
    errors: Floats,
    statuses: Integers,
) -> None:
    """As `run_path` with `FABRIK`; alone, because that is a tenth faster."""
    hole, reach = span(lengths)
    numbers = joints.reshape(-1)  # one loop over numbers copies faster than two over joints
    copies = poses.reshape(-1)
    for t in range(targets.shape[0]):
        target = _row(targets, t)
        iterations[t], error = bend_chain(joints, lengths, target, tolerance, max_iterations)
        errors[t] = error
        statuses[t] = 0
        if error > tolerance:
            d = distance(target, vec(joints[0]))
            statuses[t] = judge(error, tolerance, d, hole, reach, False)
        for k in range(numbers.shape[0]):
            copies[numbers.shape[0] * t + k] = numbers[k]


@kernel
def run_batch(
    joints: Floats,
    lengths: Floats,
    targets: Floats,
    poles: Floats,
    tolerance: float,
    max_iterations: int,
    method: int,
    iterations: Integers,
    errors: Floats,
    statuses: Integers,
) -> None:
    """Solve chains (B, J, 3) in place, each with lengths (B, J - 1), target and pole (B, 3)."""
    for b in range(joints.shape[0]):
        iterations[b], errors[b], statuses[b] = _solve(
            joints[b],
            lengths[b],
            _row(targets, b),
            _row(poles, b),
            tolerance,
            max_iterations,
            method,
        )


@kernel
def measure_batch(joints: Floats, lengths: Floats) -> None:
    """Write the bone lengths (B, J - 1) [m] of poses (B, J, 3)."""
    for b in range(joints.shape[0]):
        measure(joints[b], lengths[b])


@kernel
def turn_path(start: Floats, poses: Floats, turns: Floats) -> None:
    """Rotations (T, J - 1, 4) of the bones along poses (T, J, 3), of steady sign."""
    for t in range(poses.shape[0]):
        turn_bones(start, poses[t], turns[t])
        if t > 0:
            keep_sign(turns[t], turns[t - 1])


@kernel
def turn_batch(starts: Floats, poses: Floats, turns: Floats) -> None:
    """Rotations (B, J - 1, 4) of the bones from starts to poses (B, J, 3)."""
    for b in range(poses.shape[0]):
        turn_bones(starts[b], poses[b], turns[b])


@kernel
def run_limited(
    model: Model,
    angles: Floats,
    joints: Floats,
    targets: Floats,
    poles: Floats,
    tolerance: float,
    max_iterations: int,
    has_pole: bool,
    is_flat: bool,
    poses: Floats,
    turns: Floats,
    iterations: Integers,
    errors: Floats,
    statuses: Integers,
) -> None:
    """As `run_path`, under limits; turns (T, J - 1, 4) are written too."""
    hole, reach = span(model.lengths)
    for t in range(targets.shape[0]):
        target = vec(targets[t])
        root = vec(joints[0])
        iterations[t] = 0
        if has_pole:  # the pole proposes, the limits dispose
            pole = sub(vec(poles[t]), root)
            iterations[t] = bend_leg(joints, model.lengths, root, target, pole, max_iterations)[0]
        more, is_settled = solve_limited(
            model,
            angles,
            joints,
            turns[t],
            target,
            tolerance,
            max_iterations - iterations[t],
            is_flat,
        )
        iterations[t] += more
        errors[t] = tip_error(joints, target)
        d = distance(target, root)
        statuses[t] = judge(errors[t], tolerance, d, hole, reach, is_settled)
        for j in range(joints.shape[0]):
            for k in range(3):
                poses[t, j, k] = joints[j, k]
        _steady(turns, t)


@kernel
def _steady(turns: Floats, t: int) -> None:
    """Choose the signs of rotations t of a path: w >= 0 at first, then as before."""
    if t > 0:
        keep_sign(turns[t], turns[t - 1])
        return
    for i in range(turns.shape[1]):
        if turns[0, i, 3] < 0.0:
            for k in range(4):
                turns[0, i, k] = -turns[0, i, k]


@kernel
def run_other(
    model: Model,
    angles: Floats,
    joints: Floats,
    targets: Floats,
    tolerance: float,
    max_iterations: int,
    method: int,
    poses: Floats,
    turns: Floats,
    iterations: Integers,
    errors: Floats,
    statuses: Integers,
) -> None:
    """As `run_limited`, by one of the methods of `others`, from these angles."""
    hole, reach = span(model.lengths)
    for t in range(targets.shape[0]):
        target = vec(targets[t])
        place_chain(model, angles, joints, turns[t])
        iterations[t] = solve_other(
            model, angles, joints, turns[t], target, tolerance, max_iterations, method
        )
        errors[t] = tip_error(joints, target)
        d = distance(target, vec(joints[0]))
        statuses[t] = judge(errors[t], tolerance, d, hole, reach, False)
        for j in range(joints.shape[0]):
            for k in range(3):
                poses[t, j, k] = joints[j, k]
        _steady(turns, t)

"""Loops over targets and chains in compiled code: what `solve`, its path and its batch run.

All call the same kernels for one chain, so a batch equals single solves bit for bit.
"""

import numpy as np

from creature_sim.ik.angles import Model, place_chain, reach_forward
from creature_sim.ik.arc import span
from creature_sim.ik.bones import bone_directions
from creature_sim.ik.chain import bend_chain, solve_plain
from creature_sim.ik.fabrik import tip_error
from creature_sim.ik.leg import bend_leg
from creature_sim.ik.limited import solve_limited
from creature_sim.ik.limits import LimitRows, fill_model, model_for
from creature_sim.ik.others import solve_other
from creature_sim.ik.rotations import keep_steady
from creature_sim.ik.solution import Outcomes, judge
from creature_sim.maths import Floats, Vec, distance, sub, vec
from creature_sim.maths.jit import kernel

FABRIK = 0
PLAIN = 1
POLE = 2


@kernel
def run_fabrik(
    joints: Floats,
    lengths: Floats,
    targets: Floats,
    tolerance: float,
    max_iterations: int,
    poses: Floats,
    outcomes: Outcomes,
) -> None:
    """As `run_path` with `FABRIK`; a kernel of its own, because that is a tenth faster.

    Args:
        joints: (J, 3) [m], the start pose; moved in place.
        lengths: (J - 1,) [m].
        targets: (T, 3) [m].
        tolerance: Tip error [m] that counts as there.
        max_iterations: Passes at most for each target.
        poses: (T, J, 3) [m], written.
        outcomes: (T,) OUTCOME, written.
    """
    min_reach, reach = span(lengths)
    numbers = joints.reshape(-1)  # one loop over numbers copies faster than two over joints
    copies = poses.reshape(-1)
    for t in range(targets.shape[0]):
        target = _row(targets, t)
        outcome = outcomes[t]
        outcome.iterations, error = bend_chain(joints, lengths, target, tolerance, max_iterations)
        outcome.error = error
        outcome.status = 0
        if error > tolerance:
            d = distance(target, vec(joints[0]))
            outcome.status = judge(error, tolerance, d, min_reach, reach, False)
        for k in range(numbers.shape[0]):
            copies[numbers.shape[0] * t + k] = numbers[k]


@kernel
def run_path(  # noqa: PLR0913 - a NamedTuple costs 2 us for each call from Python
    joints: Floats,
    lengths: Floats,
    targets: Floats,
    poles: Floats,
    tolerance: float,
    max_iterations: int,
    method: int,
    poses: Floats,
    outcomes: Outcomes,
) -> None:
    """Solve one chain for several targets, each from the last pose.

    Args:
        joints: (J, 3) [m], the start pose; moved in place.
        lengths: (J - 1,) [m].
        targets: (T, 3) [m].
        poles: (T, 3) points [m], which only `POLE` looks at.
        tolerance: Tip error [m] that counts as there.
        max_iterations: Passes at most for each target.
        method: `FABRIK`, `PLAIN` or `POLE`.
        poses: (T, J, 3) [m], written.
        outcomes: (T,) OUTCOME, written.
    """
    for t in range(targets.shape[0]):
        outcome = outcomes[t]
        outcome.iterations, outcome.error, outcome.status = _solve(
            joints,
            lengths,
            _row(targets, t),
            _row(poles, t),
            tolerance,
            max_iterations,
            method,
        )
        _copy(joints, poses[t])


@kernel
def run_batch(
    joints: Floats,
    lengths: Floats,
    targets: Floats,
    poles: Floats,
    tolerance: float,
    max_iterations: int,
    method: int,
    outcomes: Outcomes,
) -> None:
    """Solve many chains, each for one target.

    Args:
        joints: (B, J, 3) [m], the start poses; moved in place.
        lengths: (B, J - 1) [m].
        targets: (B, 3) [m].
        poles: (B, 3) points [m], which only `POLE` looks at.
        tolerance: Tip error [m] that counts as there.
        max_iterations: Passes at most for each chain.
        method: `FABRIK`, `PLAIN` or `POLE`.
        outcomes: (B,) OUTCOME, written.
    """
    for b in range(joints.shape[0]):
        outcome = outcomes[b]
        outcome.iterations, outcome.error, outcome.status = _solve(
            joints[b],
            lengths[b],
            _row(targets, b),
            _row(poles, b),
            tolerance,
            max_iterations,
            method,
        )


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
    """Solve one chain without limits: iterations, tip error [m], status.

    Args:
        joints: (J, 3) [m], the start pose; moved in place.
        lengths: (J - 1,) [m].
        target: [m].
        pole: A point [m], which only `POLE` looks at.
        tolerance: Tip error [m] that counts as there.
        max_iterations: Passes at most.
        method: `FABRIK`, `PLAIN` or `POLE`.
    """
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
    min_reach, reach = span(lengths)
    d = distance(target, vec(joints[0]))
    return (iterations, error, judge(error, tolerance, d, min_reach, reach, False))


@kernel
def _row(array: Floats, i: int) -> Vec:
    """Row i of an array (n, 3)."""
    return (array[i, 0], array[i, 1], array[i, 2])


@kernel
def _copy(joints: Floats, pose: Floats) -> None:
    """Copy joints (J, 3)."""
    for j in range(joints.shape[0]):
        for k in range(3):
            pose[j, k] = joints[j, k]


@kernel
def run_limited(  # noqa: PLR0913 - a NamedTuple costs 2 us for each call from Python
    model: Model,
    joints: Floats,
    targets: Floats,
    poles: Floats,
    tolerance: float,
    max_iterations: int,
    is_flat: bool,
    poses: Floats,
    turns: Floats,
    outcomes: Outcomes,
) -> None:
    """As `run_path`, under limits. A pole proposes a pose, the limits dispose.

    Args:
        model: The bones and their limits.
        joints: (J, 3) [m], the start pose; moved in place.
        targets: (T, 3) [m].
        poles: (T, 3) points [m]; (0, 3) for no pole.
        tolerance: Tip error [m] that counts as there.
        max_iterations: Passes and steps at most for each target.
        is_flat: Whether chain and targets lie in the XY plane, and shall stay there.
        poses: (T, J, 3) [m], written.
        turns: (T, J - 1, 4) rotations of the bones against the start pose, written.
        outcomes: (T,) OUTCOME, written.
    """
    angles = np.zeros((model.lengths.shape[0], 3))
    for t in range(targets.shape[0]):
        target = vec(targets[t])
        root = vec(joints[0])
        iterations = 0
        if poles.shape[0] > 0:
            pole = sub(vec(poles[t]), root)
            iterations = bend_leg(joints, model.lengths, root, target, pole, max_iterations)[0]
        left = max_iterations - iterations
        more, is_settled = solve_limited(
            model, angles, joints, turns[t], target, tolerance, left, is_flat
        )
        outcomes[t].iterations = iterations + more
        _conclude(outcomes, t, model.lengths, joints, target, tolerance, is_settled)
        _copy(joints, poses[t])
        keep_steady(turns, t)


@kernel
def run_other(  # noqa: PLR0913 - a NamedTuple costs 2 us for each call from Python
    model: Model,
    joints: Floats,
    targets: Floats,
    tolerance: float,
    max_iterations: int,
    method: int,
    poses: Floats,
    turns: Floats,
    outcomes: Outcomes,
) -> None:
    """As `run_limited`, by one of the methods of `others`.

    Args:
        model: The bones and their limits.
        joints: (J, 3) [m], the start pose; moved in place.
        targets: (T, 3) [m].
        tolerance: Tip error [m] that counts as there.
        max_iterations: Sweeps or steps at most for each target.
        method: One of the constants of `others`.
        poses: (T, J, 3) [m], written.
        turns: (T, J - 1, 4) rotations of the bones against the start pose, written.
        outcomes: (T,) OUTCOME, written.
    """
    bones = model.lengths.shape[0]
    angles = np.zeros((bones, 3))
    reach_forward(model, angles, joints, np.empty((bones, 4)))
    for t in range(targets.shape[0]):
        target = vec(targets[t])
        place_chain(model, angles, joints, turns[t])
        outcomes[t].iterations = solve_other(
            model, angles, joints, turns[t], target, tolerance, max_iterations, method
        )
        _conclude(outcomes, t, model.lengths, joints, target, tolerance, False)
        _copy(joints, poses[t])
        keep_steady(turns, t)


@kernel
def run_turning_batch(  # noqa: PLR0913 - a NamedTuple costs 2 us for each call from Python
    rows: LimitRows,
    base: Floats,
    joints: Floats,
    lengths: Floats,
    targets: Floats,
    poles: Floats,
    tolerance: float,
    max_iterations: int,
    is_flat: bool,
    is_fabrik: bool,
    method: int,
    turns: Floats,
    outcomes: Outcomes,
) -> None:
    """Solve many chains under the same limits, each for one target.

    Args:
        rows: The limits.
        base: (1, 3) unit vector that limits of first bones are measured from; (0, 3): each from
            its own at the start.
        joints: (B, J, 3) [m], the start poses; moved in place.
        lengths: (B, J - 1) [m].
        targets: (B, 3) [m].
        poles: (B, 3) points [m]; (0, 3) for no poles.
        tolerance: Tip error [m] that counts as there.
        max_iterations: Passes and steps at most for each chain.
        is_flat: Whether chains and targets lie in the XY plane, and shall stay there.
        is_fabrik: Whether by `run_limited`; else by `run_other`...
        method: ...and by this one of the methods of `others`.
        turns: (B, J - 1, 4) rotations of the bones against the start poses, written.
        outcomes: (B,) OUTCOME, written.
    """
    directions = np.empty((lengths.shape[1], 3))
    for b in range(joints.shape[0]):
        model = model_for(rows, lengths[b])
        bone_directions(joints[b], directions)
        first = vec(base[0]) if base.shape[0] > 0 else vec(directions[0])
        fill_model(model, rows, directions, first, is_flat)
        chain, target, pole = joints[b], targets[b : b + 1], poles[b : b + 1]
        pose, turn, outcome = joints[b : b + 1], turns[b : b + 1], outcomes[b : b + 1]
        stop, most = tolerance, max_iterations
        if is_fabrik:
            run_limited(model, chain, target, pole, stop, most, is_flat, pose, turn, outcome)
        else:
            run_other(model, chain, target, stop, most, method, pose, turn, outcome)


@kernel
def _conclude(
    outcomes: Outcomes,
    t: int,
    lengths: Floats,
    joints: Floats,
    target: Vec,
    tolerance: float,
    is_settled: bool,
) -> None:
    """Write tip error and status of a pose into outcome t.

    Args:
        outcomes: (T,) OUTCOME.
        t: Which of them.
        lengths: (J - 1,) [m].
        joints: (J, 3) [m], the solved pose.
        target: [m].
        tolerance: Tip error [m] that counts as there.
        is_settled: Whether limits let no step lead nearer.
    """
    min_reach, reach = span(lengths)
    error = tip_error(joints, target)
    d = distance(target, vec(joints[0]))
    outcomes[t].error = error
    outcomes[t].status = judge(error, tolerance, d, min_reach, reach, is_settled)

"""One chain along its targets: arguments checked, tables made, the right kernel run."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from creature_sim.ik import checks, others, runs
from creature_sim.ik.angles import reach_forward
from creature_sim.ik.limits import Limit, tabulate
from creature_sim.ik.solution import Solution
from creature_sim.maths import Floats, vec

METHODS = {
    "fabrik": runs.FABRIK,
    "fabrik-plain": runs.PLAIN,
    "ccd": others.CCD,
    "jacobian_transpose": others.JACOBIAN_TRANSPOSE,
    "pseudo_inverse": others.PSEUDO_INVERSE,
    "damped_least_squares": others.DAMPED_LEAST_SQUARES,
}
"""Methods: the first two move joints, the others turn them."""

MOVING = ("fabrik", "fabrik-plain")


def effectors(target_rotation: ArrayLike | None, count: int) -> Floats | None:
    """The effector's rotation at each of `count` targets (count, 4), if a user gave it."""
    if target_rotation is None:
        return None
    given = checks.rotations("target_rotation", target_rotation, (4,), (count, 4))
    return np.array(np.broadcast_to(given, (count, 4)))


def method_number(method: object, has_pole: bool, has_limits: bool, pole_name: str = "pole") -> int:
    """Number of a method for the kernels."""
    if not isinstance(method, str) or method not in METHODS:
        raise ValueError(f"method: expected one of {', '.join(METHODS)}, got {method!r}")
    if has_pole and method != "fabrik":
        raise ValueError(f"{pole_name}: only the method 'fabrik' knows poles, got {method!r}")
    if has_limits and method == "fabrik-plain":
        raise ValueError("limits: the method 'fabrik-plain' knows none")
    return runs.POLE if has_pole else METHODS[method]


def follow(
    start: Floats,
    targets: Floats,
    is_flat: bool,
    *,
    lengths: ArrayLike | None,
    poles: Floats | None,
    limits: Sequence[Limit | None] | None,
    base_direction: ArrayLike | None,
    tolerance: float,
    max_iterations: int,
    method: str,
) -> Solution:
    """Solve one chain (J, 3) for targets (T, 3) and poles (T, 3) one after the other."""
    tolerance, max_iterations = checks.options(tolerance, max_iterations)
    code = method_number(method, poles is not None, limits is not None)
    count, joint_count = len(targets), len(start)
    if lengths is None:
        bones = np.empty(joint_count - 1)
        runs.measure(start, bones)
    else:
        bones = checks.bones(lengths, (joint_count - 1,))
        runs.relay(start, bones)
    base = None
    if base_direction is not None:
        base = vec(checks.direction("base_direction", base_direction, is_flat))
    poses = np.empty((count, joint_count, 3))
    turns = np.empty((count, joint_count - 1, 4))
    iterations = np.empty(count, np.int64)
    errors = np.empty(count)
    statuses = np.empty(count, np.int64)
    moved = start.copy()

    def turn() -> Floats:
        runs.turn_path(start, poses, turns)
        return turns

    if limits is None and code == runs.FABRIK and method in MOVING:
        runs.run_fabrik(
            moved,
            bones,
            targets,
            tolerance,
            max_iterations,
            poses,
            iterations,
            errors,
            statuses,
        )
    elif limits is None and method in MOVING:
        some_poles = targets if poles is None else poles
        runs.run_path(
            moved,
            bones,
            targets,
            some_poles,
            tolerance,
            max_iterations,
            code,
            poses,
            iterations,
            errors,
            statuses,
        )
    else:
        listed: list[Limit | None] = [None] * (joint_count - 1)
        if limits is not None:
            listed = list(checks.limit_list(limits, joint_count - 1, is_flat))
        directions = np.empty((joint_count - 1, 3))
        runs.point_bones(start, directions)
        model = tabulate(directions, bones, listed, base or vec(directions[0]), is_flat)
        angles = np.zeros((joint_count - 1, 3))
        if method == "fabrik":
            runs.run_limited(
                model,
                angles,
                moved,
                targets,
                targets if poles is None else poles,
                tolerance,
                max_iterations,
                poles is not None,
                is_flat,
                poses,
                turns,
                iterations,
                errors,
                statuses,
            )
        else:
            reach_forward(model, angles, moved, np.empty((joint_count - 1, 4)))
            runs.run_other(
                model,
                angles,
                moved,
                targets,
                tolerance,
                max_iterations,
                code,
                poses,
                turns,
                iterations,
                errors,
                statuses,
            )
    has_turns = limits is not None or method not in MOVING
    return Solution(
        poses[..., :2] if is_flat else poses,
        iterations,
        errors,
        statuses,
        (lambda: turns) if has_turns else turn,
        None,
    )

"""The calls that people use: one chain, one chain along a path, many chains."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from creature_sim.ik import checks, runs
from creature_sim.ik.follow import MOVING, effectors, follow, method_number
from creature_sim.ik.limits import Limit
from creature_sim.ik.solution import Solution
from creature_sim.maths import Floats


def solve(
    joints: ArrayLike,
    target: ArrayLike,
    *,
    lengths: ArrayLike | None = None,
    pole: ArrayLike | None = None,
    limits: Sequence[Limit | None] | None = None,
    base_direction: ArrayLike | None = None,
    target_rotation: ArrayLike | None = None,
    tolerance: float = 1e-3,
    max_iterations: int = 32,
    method: str = "fabrik",
) -> Solution:
    """Bring the tip of a chain to a target.

    Args:
        joints: (J, 3) start pose [m], root first; (J, 2) for a flat chain, whose points are all
            (2,).
        target: (3,) where the last joint shall be [m].
        lengths: (J - 1,) bone lengths [m]; by default those of the start pose. A bone shorter
            than 1e-60 is a point.
        pole: (3,) point [m]: every inner joint goes to the half-plane of root, target and pole.
            The pose then depends on the start only where the pole lies on the line from root to
            target: there it keeps the start's bend. For the method "fabrik".
        limits: One `Limit` or None for each bone, relative to its parent. They hold always, and
            beat the pole. For all methods but "fabrik-plain".
        base_direction: (3,) direction that the first bone's limit is measured from; by default
            that of the first bone at the start.
        target_rotation: (4,) world rotation xyzw that the effector takes.
        tolerance: Distance of the tip from the target that counts as there [m].
        max_iterations: Passes over the chain at most.
        method: One of `METHODS`.

    Raises:
        ValueError: An argument is not valid; the text names it.
    """
    start, is_flat = checks.chains("joints", joints, 0)
    goal = checks.points("target", target, is_flat, ())[None]
    poles = None if pole is None else checks.points("pole", pole, is_flat, ())[None]
    effector = (
        None
        if target_rotation is None
        else checks.rotations("target_rotation", target_rotation, (4,))
    )
    path = follow(
        start,
        goal,
        is_flat,
        lengths=lengths,
        poles=poles,
        limits=limits,
        base_direction=base_direction,
        tolerance=tolerance,
        max_iterations=max_iterations,
        method=method,
    )
    return path.first(effector)


def solve_path(
    joints: ArrayLike,
    targets: ArrayLike,
    *,
    lengths: ArrayLike | None = None,
    pole: ArrayLike | None = None,
    limits: Sequence[Limit | None] | None = None,
    base_direction: ArrayLike | None = None,
    target_rotation: ArrayLike | None = None,
    tolerance: float = 1e-3,
    max_iterations: int = 32,
    method: str = "fabrik",
) -> Solution:
    """Follow targets with the tip of a chain, each solve starting from the last pose.

    Args:
        joints: (J, 3) start pose [m], as for `solve`.
        targets: (T, 3) [m].
        lengths: As for `solve`.
        pole: (3,) point, or (T, 3), one for each target [m].
        limits: As for `solve`.
        base_direction: As for `solve`.
        target_rotation: (4,) or (T, 4).
        tolerance: As for `solve`.
        max_iterations: Passes at most for each target.
        method: As for `solve`.

    Returns:
        A solution whose fields have a leading axis T.

    Raises:
        ValueError: An argument is not valid; the text names it, and the row.
    """
    start, is_flat = checks.chains("joints", joints, 0)
    goals = checks.points("targets", targets, is_flat, (None,))
    count = len(goals)
    poles = None
    if pole is not None:
        poles = checks.points("pole", pole, is_flat, (), (count,))
        poles = np.array(np.broadcast_to(poles, (count, 3)))
    path = follow(
        start,
        goals,
        is_flat,
        lengths=lengths,
        poles=poles,
        limits=limits,
        base_direction=base_direction,
        tolerance=tolerance,
        max_iterations=max_iterations,
        method=method,
    )
    path.effector = effectors(target_rotation, count)
    return path


def solve_batch(
    joints: ArrayLike,
    targets: ArrayLike,
    *,
    poles: ArrayLike | None = None,
    rotations: bool = True,
    lengths: ArrayLike | None = None,
    limits: Sequence[Limit | None] | None = None,
    base_direction: ArrayLike | None = None,
    target_rotation: ArrayLike | None = None,
    tolerance: float = 1e-3,
    max_iterations: int = 32,
    method: str = "fabrik",
) -> Solution:
    """Solve many chains of the same bone count, each as `solve` would, bit for bit.

    Args:
        joints: (B, J, 3) start poses [m], or (B, J, 2).
        targets: (B, 3) [m].
        poles: (B, 3) points [m], as `pole` of `solve`.
        rotations: Whether the solution shall have rotations.
        lengths: (J - 1,) or (B, J - 1) [m].
        limits: As for `solve`, the same for all chains.
        base_direction: As for `solve`, the same for all chains.
        target_rotation: (4,) or (B, 4).
        tolerance: As for `solve`.
        max_iterations: Passes at most for each chain.
        method: As for `solve`.

    Returns:
        A solution whose fields have a leading axis B.

    Raises:
        ValueError: An argument is not valid; the text names it, and the row.
    """
    starts, is_flat = checks.chains("joints", joints, 1)
    count, joint_count = starts.shape[:2]
    goals = checks.points("targets", targets, is_flat, (count,))
    pole_points = None if poles is None else checks.points("poles", poles, is_flat, (count,))
    tolerance, max_iterations = checks.options(tolerance, max_iterations)
    code = method_number(method, pole_points is not None, limits is not None, pole_name="poles")
    bones = None
    if lengths is not None:
        bones = checks.bones(lengths, (joint_count - 1,), (count, joint_count - 1))
        bones = np.array(np.broadcast_to(bones, (count, joint_count - 1)))
    taken = effectors(target_rotation, count)
    if limits is not None or base_direction is not None or method not in MOVING:
        rows = [
            follow(
                starts[b],
                goals[b : b + 1],
                is_flat,
                lengths=None if bones is None else bones[b],
                poles=None if pole_points is None else pole_points[b : b + 1],
                limits=limits,
                base_direction=base_direction,
                tolerance=tolerance,
                max_iterations=max_iterations,
                method=method,
            )
            for b in range(count)
        ]
        return Solution.stacked(rows, (joint_count, 2 if is_flat else 3), rotations, taken)
    if bones is None:
        bones = np.empty((count, joint_count - 1))
        runs.measure_batch(starts, bones)
    else:
        runs.relay_batch(starts, bones)
    poses = starts.copy()
    iterations = np.empty(count, np.int64)
    errors = np.empty(count)
    statuses = np.empty(count, np.int64)
    runs.run_batch(
        poses,
        bones,
        goals,
        goals if pole_points is None else pole_points,
        tolerance,
        max_iterations,
        code,
        iterations,
        errors,
        statuses,
    )

    def turn() -> Floats:
        turns = np.empty((count, joint_count - 1, 4))
        runs.turn_batch(starts, poses, turns)
        return turns

    return Solution(
        poses[..., :2] if is_flat else poses,
        iterations,
        errors,
        statuses,
        turn if rotations else None,
        taken,
    )

"""The calls that people use: one chain, one chain along a path, many chains."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from creature_sim.ik import checks
from creature_sim.ik.batch import solve_all
from creature_sim.ik.follow import Options, effectors, follow
from creature_sim.ik.limits import Limit
from creature_sim.ik.solution import Solution, Solutions


def solve(  # noqa: PLR0913 - options by keyword
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
    options = Options(lengths, limits, base_direction, tolerance, max_iterations, method)
    return follow(start, goal, poles, is_flat, options).first(effector)


def solve_path(  # noqa: PLR0913 - options by keyword
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
) -> Solutions:
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
        Solutions whose fields have a leading axis T.

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
    options = Options(lengths, limits, base_direction, tolerance, max_iterations, method)
    path = follow(start, goals, poles, is_flat, options)
    path.effector = effectors(target_rotation, count)
    return path


def solve_batch(  # noqa: PLR0913 - options by keyword
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
) -> Solutions:
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
        Solutions whose fields have a leading axis B.

    Raises:
        ValueError: An argument is not valid; the text names it, and the row.
    """
    # Rotations are made from the starts when they are asked for; given lengths change the starts.
    starts, is_flat = checks.chains("joints", joints, 1, copies=rotations or lengths is not None)
    count = len(starts)
    goals = checks.points("targets", targets, is_flat, (count,), copies=False)
    pole_points = None
    if poles is not None:
        pole_points = checks.points("poles", poles, is_flat, (count,), copies=False)
    options = Options(lengths, limits, base_direction, tolerance, max_iterations, method)
    batch = solve_all(starts, goals, pole_points, is_flat, options, rotations)
    batch.effector = effectors(target_rotation, count)
    return batch

"""One chain along its targets: arguments checked, tables made, the right kernel run."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from creature_sim.ik import bones, checks, others, runs
from creature_sim.ik.angles import Model
from creature_sim.ik.limits import Limit, tabulate
from creature_sim.ik.rotations import turn_path
from creature_sim.ik.solution import OUTCOME, Solutions
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

NO_POINTS: Floats = np.empty((0, 3))


class Options(NamedTuple):
    """What a user may say beside joints, targets and poles, as given: `solve` describes it."""

    lengths: ArrayLike | None
    limits: Sequence[Limit | None] | None
    base_direction: ArrayLike | None
    tolerance: float
    max_iterations: int
    method: str

    @property
    def moves_joints(self) -> bool:
        """Whether joints are moved, as without limits, and not turned."""
        return self.limits is None and self.method in MOVING


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
    start: Floats, targets: Floats, poles: Floats | None, is_flat: bool, options: Options
) -> Solutions:
    """Solve one chain (J, 3) for targets (T, 3) and poles (T, 3), each from the last pose.

    Lengths that a user gave change `start`, which keeps its directions.
    """
    stop = checks.options(options.tolerance, options.max_iterations)
    code = method_number(options.method, poles is not None, options.limits is not None)
    lengths = _sized(start, options.lengths)
    base = None
    if options.base_direction is not None:
        base = checks.direction("base_direction", options.base_direction, is_flat)
    moved = start.copy()
    poses = np.empty((len(targets), *start.shape))
    turns = np.empty((len(targets), len(lengths), 4))
    outcomes = np.empty(len(targets), OUTCOME)
    if options.moves_joints and code == runs.FABRIK:
        runs.run_fabrik(moved, lengths, targets, *stop, poses, outcomes)
    elif options.moves_joints:
        some = targets if poles is None else poles
        runs.run_path(moved, lengths, targets, some, *stop, code, poses, outcomes)
    elif options.method == "fabrik":
        model = _model(start, lengths, base, is_flat, options.limits)
        some = NO_POINTS if poles is None else poles
        runs.run_limited(model, moved, targets, some, *stop, is_flat, poses, turns, outcomes)
    else:
        model = _model(start, lengths, base, is_flat, options.limits)
        runs.run_other(model, moved, targets, *stop, code, poses, turns, outcomes)

    def turn() -> Floats:
        if options.moves_joints:  # else the solver has written them
            turn_path(start, poses, turns)
        return turns

    return Solutions(poses[..., :2] if is_flat else poses, outcomes, turn)


def _sized(start: Floats, given: ArrayLike | None) -> Floats:
    """Bone lengths (J - 1,) [m]: those of a pose (J, 3), or those given, which it takes on."""
    count = len(start) - 1
    if given is None:
        lengths = np.empty(count)
        bones.measure(start, lengths)
    else:
        lengths = checks.bones(given, (count,))
        bones.resize(start, lengths)
    return lengths


def _model(
    start: Floats,
    lengths: Floats,
    base: Floats | None,
    is_flat: bool,
    limits: Sequence[Limit | None] | None,
) -> Model:
    """Tables of the bones of a pose (J, 3) and of their limits, which turn freely without any."""
    count = len(lengths)
    directions = np.empty((count, 3))
    bones.bone_directions(start, directions)
    first = vec(directions[0] if base is None else base)
    return tabulate(directions, lengths, limits_of(limits, count, is_flat), first, is_flat)


def limits_of(
    limits: Sequence[Limit | None] | None, count: int, is_flat: bool
) -> Sequence[Limit | None]:
    """Limits as given, checked; without any, `count` bones that turn freely."""
    return [None] * count if limits is None else checks.limit_list(limits, count, is_flat)

"""Many chains of the same bone count at once."""

import numpy as np

from creature_sim.ik import bones, checks, runs
from creature_sim.ik.follow import NO_POINTS, Options, limits_of, method_number
from creature_sim.ik.limits import rows_of
from creature_sim.ik.rotations import turn_batch
from creature_sim.ik.solution import OUTCOME, Solutions
from creature_sim.maths import Floats


def solve_all(
    starts: Floats,
    targets: Floats,
    poles: Floats | None,
    is_flat: bool,
    options: Options,
    has_rotations: bool,
) -> Solutions:
    """Solve chains (B, J, 3) for targets (B, 3) and poles (B, 3), each as `follow` would.

    Args:
        starts: (B, J, 3) start poses [m]; lengths that a user gave change them.
        targets: (B, 3) [m].
        poles: (B, 3) points [m], or None.
        is_flat: Whether all lie in the XY plane.
        options: Of all chains; its lengths may be (B, J - 1).
        has_rotations: Whether the solution shall have rotations.
    """
    stop = checks.options(options.tolerance, options.max_iterations)
    has_limits = options.limits is not None
    code = method_number(options.method, poles is not None, has_limits, pole_name="poles")
    lengths = _lengths(starts, options)
    base = NO_POINTS
    if options.base_direction is not None:
        base = checks.direction("base_direction", options.base_direction, is_flat)[None]
    if lengths is None:
        lengths = np.empty((len(starts), starts.shape[1] - 1))
        bones.measure_batch(starts, lengths)
    else:
        bones.resize_batch(starts, lengths)
    poses = starts.copy()
    outcomes = np.empty(len(starts), OUTCOME)
    turns: Floats | None = None
    if options.moves_joints:
        some = targets if poles is None else poles
        runs.run_batch(poses, lengths, targets, some, *stop, code, outcomes)
    else:
        turns = np.empty((*lengths.shape, 4))
        runs.run_turning_batch(
            rows_of(limits_of(options.limits, lengths.shape[1], is_flat)),
            base,
            poses,
            lengths,
            targets,
            NO_POINTS if poles is None else poles,
            *stop,
            is_flat,
            options.method == "fabrik",
            code,
            turns,
            outcomes,
        )

    def turn() -> Floats:
        return _turned(starts, poses) if turns is None else turns

    joints = poses[..., :2] if is_flat else poses
    return Solutions(joints, outcomes, turn if has_rotations else None)


def _turned(starts: Floats, poses: Floats) -> Floats:
    """Rotations (B, J - 1, 4) of the bones of poses (B, J, 3) against the starts."""
    turns = np.empty((len(starts), starts.shape[1] - 1, 4))
    turn_batch(starts, poses, turns)
    return turns


def _lengths(starts: Floats, options: Options) -> Floats | None:
    """Bone lengths (B, J - 1) [m] that a user gave, for one or for each chain."""
    if options.lengths is None:
        return None
    shape = (len(starts), starts.shape[1] - 1)
    given = checks.bones(options.lengths, shape[1:], shape)
    return np.array(np.broadcast_to(given, shape))

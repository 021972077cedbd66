"""Many chains of the same bone count at once."""

import numpy as np

from creature_sim.ik import bones, checks, runs
from creature_sim.ik.follow import Options, follow, method_number
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
    if not options.moves_joints or options.base_direction is not None:
        paths = [
            follow(
                starts[b],
                targets[b : b + 1],
                None if poles is None else poles[b : b + 1],
                is_flat,
                options._replace(lengths=None if lengths is None else lengths[b]),
            )
            for b in range(len(starts))
        ]
        return Solutions.stacked(paths, (starts.shape[1], 2 if is_flat else 3), has_rotations)
    if lengths is None:
        lengths = np.empty((len(starts), starts.shape[1] - 1))
        bones.measure_batch(starts, lengths)
    else:
        bones.resize_batch(starts, lengths)
    poses = starts.copy()
    shape = (*lengths.shape, 4)
    outcomes = np.empty(len(starts), OUTCOME)
    some = targets if poles is None else poles
    runs.run_batch(poses, lengths, targets, some, *stop, code, outcomes)

    def turn() -> Floats:
        turns = np.empty(shape)
        turn_batch(starts, poses, turns)
        return turns

    return Solutions(
        poses[..., :2] if is_flat else poses, outcomes, turn if has_rotations else None
    )


def _lengths(starts: Floats, options: Options) -> Floats | None:
    """Bone lengths (B, J - 1) [m] that a user gave, for one or for each chain."""
    if options.lengths is None:
        return None
    shape = (len(starts), starts.shape[1] - 1)
    given = checks.bones(options.lengths, shape[1:], shape)
    return np.array(np.broadcast_to(given, shape))

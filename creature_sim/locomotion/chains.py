"""Chains bend so that their tips are at their targets, or as near as they can be."""

import numpy as np

from creature_sim.ik.angles import Model, copy_angles, place_chain
from creature_sim.ik.chain import solve_chain
from creature_sim.ik.fabrik import fabrik_pass, tip_error
from creature_sim.ik.leg import solve_leg
from creature_sim.ik.limited import solve_limited
from creature_sim.ik.rotations import turn_bones
from creature_sim.locomotion.frames import into_frame, within_reach
from creature_sim.maths import Floats, Vec, distance, norm, quat, vec
from creature_sim.maths.jit import kernel

TOLERANCE = 1e-5
"""Distance of a tip from its target that counts as there, as a fraction of the reach."""
SMOOTH_PASSES = 24
"""FABRIK passes of a tick before a chain without plan may be laid anew."""
SMOOTH_ERROR = 1e-3
"""Tip error, as a fraction of the reach, that may wait for the next tick."""
MOST_PASSES = 32
"""Iterations after that; a few are enough."""
MOST_LIMITED = 100
"""Iterations under plan, over all starts; a target out of reach takes them all."""


@kernel
def aim_of(root: Vec, is_flat: bool, position: Floats, orientation: Floats, point: Floats) -> Vec:
    """A target [m, world] in the frame of a chain, in the plane of a flat one [m, frame]."""
    aim = into_frame(vec(position), quat(orientation), vec(point))
    return (aim[0], aim[1], root[2]) if is_flat else aim


@kernel
def follow(
    lengths: Floats,
    pole: Vec,
    is_flat: bool,
    start: Floats,
    joints: Floats,
    position: Floats,
    orientation: Floats,
    point: Floats,
) -> Floats:
    """Bend a chain without plan towards its target; out of reach, it points there.

    Args:
        lengths: (B,) [m].
        pole: direction that inner joints bend to, or the zero vector [frame].
        is_flat: whether it stays in the XY plane through its root.
        start: (B + 1, 3) start pose [m, frame].
        joints: (B + 1, 3) last pose, moved [m, frame].
        position: (3,) of the frame's origin [m, world].
        orientation: (4,) of the frame, xyzw.
        point: (3,) the target [m, world].

    Returns:
        Rotations (B, 4) of the bones against the start pose [frame].
    """
    reach = 0.0
    for i in range(lengths.shape[0]):
        reach += lengths[i]
    root = vec(joints[0])
    aim = aim_of(root, is_flat, position, orientation, point)
    if norm(pole) > 0.0:
        solve_leg(joints, lengths, root, aim, pole)
    else:
        approach_smoothly(joints, lengths, aim, reach)
    turns = np.empty((lengths.shape[0], 4))
    turn_bones(start, joints, turns)
    return turns


@kernel
def approach_smoothly(joints: Floats, lengths: Floats, aim: Vec, reach: float) -> None:
    """Bring the tip of a chain without pole or plan to a point near which it was a tick ago.

    `solve_chain` lays a chain on an arc as soon as FABRIK's passes are slow: few iterations, but
    to the eye a jump. Passes stay near the last pose, so they may take their time here, and what
    little is left after them may wait for the next tick.
    """
    root = vec(joints[0])
    if distance(root, aim) < reach:
        for _ in range(SMOOTH_PASSES):
            if tip_error(joints, aim) <= TOLERANCE * reach:
                return
            fabrik_pass(joints, lengths, aim)
        if tip_error(joints, aim) <= SMOOTH_ERROR * reach:
            return
    goal = np.array([aim[0], aim[1], aim[2]])
    solve_chain(joints, lengths, goal, TOLERANCE * reach, MOST_PASSES)


@kernel
def follow_limited(
    model: Model,
    pole: Vec,
    is_flat: bool,
    angles: Floats,
    joints: Floats,
    turns: Floats,
    position: Floats,
    orientation: Floats,
    point: Floats,
) -> None:
    """Bend a chain within its plan as near to its target as they allow.

    The pole proposes a pose, the plan dispose. A pose that is there already stays, and one that
    cannot get there moves only to come nearer: of many poses equally near, the last one is kept.
    Arguments as for `follow`, and:

    Args:
        model: lengths and plan.
        pole: as for `follow`.
        is_flat: as for `follow`.
        angles: (B, 3) angles of the last pose, changed [rad].
        joints: (B + 1, 3) last pose, moved [m, frame].
        turns: (B, 4), written: rotations of the bones against the start pose [frame].
        position: as for `follow`.
        orientation: as for `follow`.
        point: as for `follow`.
    """
    reach = 0.0
    for i in range(model.lengths.shape[0]):
        reach += model.lengths[i]
    root = vec(joints[0])
    # The damping of the polish grows with the error: a far target would slow it down.
    aim = within_reach(root, aim_of(root, is_flat, position, orientation, point), reach)
    tolerance = TOLERANCE * reach
    before = tip_error(joints, aim)
    if before > tolerance:
        kept = np.empty_like(angles)
        copy_angles(angles, kept)
        if norm(pole) > 0.0:
            solve_leg(joints, model.lengths, root, aim, pole)
        solve_limited(model, angles, joints, turns, aim, tolerance, MOST_LIMITED, is_flat)
        after = tip_error(joints, aim)
        if after > tolerance and after > before - tolerance:
            copy_angles(kept, angles)
    place_chain(model, angles, joints, turns)

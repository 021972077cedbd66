"""FABRIK, forward and backward reaching inverse kinematics (Aristidou and Lasenby 2011)."""

from creature_sim.jit import kernel
from creature_sim.maths import (
    PI,
    Floats,
    Vec,
    along,
    any_normal,
    distance,
    dot,
    norm,
    put,
    reject,
    scale,
    sin_cos,
    sub,
    unit,
    vec,
)


@kernel
def bend_frame(root: Vec, target: Vec, pole: Vec) -> tuple[Vec, Vec]:
    """Axes of the half-plane a chain bends in: X from root to target, Y towards the pole."""
    x = unit(sub(target, root), (1.0, 0.0, 0.0))
    return x, unit(reject(pole, x), any_normal(x))


@kernel
def solve_leg(
    joints: Floats,
    lengths: Floats,
    count: int,
    rest: Floats,
    root: Vec,
    target: Vec,
    pole: Vec,
    tolerance: float,
    max_iterations: int,
) -> int:
    """Bend a chain to its target, in the half-plane of root, target and pole direction.

    It starts from the rest pose every time, so the same target gives the same pose, whatever
    came before; passes of FABRIK never leave the plane of their start.

    Args:
        joints: (J, 3) written; joints beyond `count` bones repeat the tip.
        lengths: (J - 1,) of the bones.
        count: bones of this chain.
        rest: (J, 3) start pose in its plane, root at 0: X towards the target, Y to the pole.
        root: where the chain is fixed.
        target: where the tip should be.
        pole: direction that the chain bends to, not necessarily at right angles to anything.
        tolerance: distance of tip and target that is good enough.
        max_iterations: passes in each direction.

    Returns:
        The number of iterations.
    """
    x, y = bend_frame(root, target, pole)
    for j in range(count + 1):
        put(joints[j], along(along(root, x, rest[j, 0]), y, rest[j, 1]))
    reach = 0.0
    for j in range(count):
        reach += lengths[j]
    iterations = 0
    if distance(root, target) >= reach:
        for j in range(count):
            put(joints[j + 1], along(vec(joints[j]), x, lengths[j]))
    else:
        while iterations < max_iterations and distance(vec(joints[count]), target) > tolerance:
            put(joints[count], target)
            for j in range(count - 1, 0, -1):
                _place(joints, j, j + 1, lengths[j])
            put(joints[0], root)
            for j in range(1, count + 1):
                _place(joints, j, j - 1, lengths[j - 1])
            iterations += 1
    for j in range(count + 1, joints.shape[0]):
        put(joints[j], vec(joints[count]))
    return iterations


@kernel
def _place(joints: Floats, moved: int, anchor: int, length: float) -> None:
    """Move a joint along its line to the anchor until the bone has its length."""
    base = vec(joints[anchor])
    offset = sub(vec(joints[moved]), base)
    put(joints[moved], along(base, scale(offset, 1.0 / norm(offset)), length))


@kernel
def bent_pose(rest: Floats, lengths: Floats, count: int, reach: float) -> None:
    """Write the pose that bends equally at every inner joint, `reach` from root to tip.

    The angle is found by halving, once, before a run starts. X points to the tip, Y to the side
    that the pose bulges to.
    """
    low, high = 0.0, 2.0 * PI / max(1, count - 1)
    high = min(high, PI)
    for _ in range(60):
        angle = 0.5 * (low + high)
        _bend(rest, lengths, count, angle)
        if norm(vec(rest[count])) > reach:
            low = angle
        else:
            high = angle
    x = unit(vec(rest[count]), (1.0, 0.0, 0.0))
    y = (-x[1], x[0], 0.0)
    for j in range(rest.shape[0]):
        joint = vec(rest[min(j, count)])
        put(rest[j], (dot(joint, x), dot(joint, y), 0.0))


@kernel
def _bend(rest: Floats, lengths: Floats, count: int, angle: float) -> None:
    """Chain from the origin that turns right by `angle` at every inner joint."""
    sine, cosine = sin_cos(angle)
    x, y = 1.0, 0.0
    for j in range(count):
        put(rest[j + 1], along(vec(rest[j]), (x, y, 0.0), lengths[j]))
        x, y = x * cosine + y * sine, y * cosine - x * sine

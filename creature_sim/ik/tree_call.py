"""The call for chains that share joints."""

from collections.abc import Mapping, Sequence
from operator import index

import numpy as np
from numpy.typing import ArrayLike

from creature_sim.ik import checks
from creature_sim.ik.bones import SMALLEST, reach_of
from creature_sim.ik.solution import Solution, Status
from creature_sim.ik.tree import Integers, Tree, gap_of, turn_tree
from creature_sim.ik.tree_solver import solve_joints
from creature_sim.maths import Floats, norm

LOOP_WEIGHT = 10.0
"""Weight of a closed loop against the heaviest target: it closes before targets are met."""


def solve_tree(
    joints: ArrayLike,
    parents: ArrayLike,
    targets: Mapping[int, ArrayLike],
    *,
    weights: Mapping[int, float] | None = None,
    loops: Sequence[tuple[int, int]] = (),
    lengths: ArrayLike | None = None,
    tolerance: float = 1e-3,
    max_iterations: int = 100,
) -> Solution:
    """Bring several joints of a tree to their targets at once.

    Where targets pull against each other, the weighted sum of the squared distances becomes as
    small as it can.

    Args:
        joints: (K, 3) start pose [m], or (K, 2); in any order.
        parents: (K,) parent of each joint, -1 for the root, which stays where it is.
        targets: Points (3,) [m] that joints shall go to: ends of chains, or joints on the path.
        weights: How much each target counts; 1 by default.
        loops: Pairs of joints that shall meet: chains closed to a ring. Give the ring's joint
            twice, once as the end of either side.
        lengths: (K,) length of the bone that ends at each joint [m], the root's unused; by
            default those of the start pose.
        tolerance: Distance from its target, or between a loop's joints, that counts as there [m].
        max_iterations: Passes and steps at most.

    Returns:
        A solution: joints (K, 3); rotations (K, 4), each of the bone that ends there, the root's
        none; error, the largest distance that is left. Its status is `REACHED` if all targets are
        met; `TOO_FAR` or `TOO_NEAR` if one is so for its own chain; `LIMITED` if the others keep
        one away.

    Raises:
        ValueError: An argument is not valid; the text names it.
    """
    start, is_flat = checks.chains("joints", joints, 0)
    tolerance, max_iterations = checks.options(tolerance, max_iterations)
    up, order = _ordered(parents, len(start))
    if lengths is None:
        bones = _measured(start, up)
    else:
        bones = checks.bones(lengths, (len(start),))
        bones[order[0]] = 0.0
    ends, goals, pulls = _ends(targets, weights, loops, start, is_flat)
    paths = np.zeros((len(ends), len(start)))
    for e, (first, second) in enumerate(ends):
        for joint, sign in ((first, -1.0 if second >= 0 else 1.0), (second, 1.0)):
            while joint >= 0 and up[joint] >= 0:
                paths[e, joint] += sign
                joint = up[joint]
    tree = Tree(order, up, bones, ends, pulls, paths)
    if lengths is not None:
        start = _relaid(start, tree)
    poses = start.copy()
    iterations, is_settled = solve_joints(tree, poses, goals, tolerance, max_iterations, is_flat)
    error = max((norm(gap_of(tree, poses, goals, e)) for e in range(len(ends))), default=0.0)

    def turn() -> Floats:
        turns = np.empty((len(start), 4))
        turn_tree(tree, start, poses, turns)
        return turns

    return Solution(
        poses[:, :2] if is_flat else poses,
        iterations,
        error,
        _judged(tree, goals, start[order[0]], error, tolerance, is_settled),
        turn,
        None,
    )


def _ordered(parents: ArrayLike, count: int) -> tuple[Integers, Integers]:
    """Parents as integers, and the joints in an order with parents first."""
    given = checks.numbers("parents", parents, (count,))
    up = given.astype(np.int64)
    if not (up == given).all() or up.min() < -1 or up.max() >= count:
        raise ValueError(f"parents: expected joints below {count}, or -1, got {given.tolist()}")
    if (up == -1).sum() != 1:
        raise ValueError(f"parents: expected -1 for exactly one joint, got {up.tolist()}")
    children: list[list[int]] = [[] for _ in range(count)]
    for k in range(count):
        if up[k] >= 0:
            children[up[k]].append(k)
    order = [int(np.argmin(up))]
    for k in order:  # grows as it goes
        order.extend(children[k])
    if len(order) != count:
        raise ValueError(f"parents: expected a tree, got a ring in {up.tolist()}")
    return up, np.array(order, np.int64)


def _measured(joints: Floats, up: Integers) -> Floats:
    """Length [m] of the bone that ends at each joint; 0 at the root."""
    steps = np.where((up >= 0)[:, None], joints - joints[up], 0.0)
    squares = steps * steps
    lengths = np.sqrt(squares[:, 0] + squares[:, 1] + squares[:, 2])
    lengths[lengths < SMALLEST] = 0.0
    return np.asarray(lengths, np.float64)


def _relaid(joints: Floats, tree: Tree) -> Floats:
    """The pose with the tree's lengths along its own directions."""
    moved = joints.copy()
    old = _measured(joints, tree.parents)
    for k in tree.order[1:]:
        parent = tree.parents[k]
        bone = joints[k] - joints[parent]
        bone = bone / old[k] if old[k] > 0.0 else np.array([1.0, 0.0, 0.0])
        moved[k] = moved[parent] + bone * tree.lengths[k]
    return moved


def _ends(
    targets: Mapping[int, ArrayLike],
    weights: Mapping[int, float] | None,
    loops: Sequence[tuple[int, int]],
    start: Floats,
    is_flat: bool,
) -> tuple[Integers, Floats, Floats]:
    """Pairs of joints that shall meet (E, 2), goals (E, 3) [m] and weights (E,)."""
    if not isinstance(targets, Mapping):
        raise ValueError(f"targets: expected a mapping of joint to point, got {targets!r}")
    ends = []
    goals = []
    pulls = []
    count = len(start)
    if weights is not None and not isinstance(weights, Mapping):
        raise ValueError(f"weights: expected a mapping of joint to number, got {weights!r}")
    try:
        pairs = [tuple(pair) for pair in loops]
    except TypeError:
        raise ValueError(f"loops: expected a list of pairs of joints, got {loops!r}") from None
    for joint, point in targets.items():
        name = f"targets[{joint!r}]"
        ends.append((_joint(name, joint, count), -1))
        goals.append(checks.points(name, point, is_flat, ()))
        weight = 1.0 if weights is None else weights.get(joint, 1.0)
        pull = float(checks.numbers(f"weights[{joint!r}]", weight, ()))
        if pull <= 0.0:
            raise ValueError(f"weights[{joint!r}]: expected a positive number, got {weight!r}")
        pulls.append(pull)
    for joint in weights or {}:
        if joint not in targets:
            raise ValueError(f"weights[{joint!r}]: there is no such target")
    heaviest = max(pulls, default=1.0)
    for number, pair in enumerate(pairs):
        name = f"loops[{number}]"
        if len(pair) != 2:
            raise ValueError(f"{name}: expected two joints, got {pair!r}")
        ends.append((_joint(name, pair[0], count), _joint(name, pair[1], count)))
        goals.append(np.zeros(3))
        pulls.append(heaviest * LOOP_WEIGHT)
    return (
        np.array(ends, np.int64).reshape(-1, 2),
        np.array(goals, np.float64).reshape(-1, 3),
        np.array(pulls, np.float64) / heaviest,
    )


def _joint(name: str, joint: object, count: int) -> int:
    try:
        number = index(joint)  # type: ignore[arg-type]  # refused just below
    except TypeError:
        number = -1
    if not 0 <= number < count:
        raise ValueError(f"{name}: expected a joint from 0 to {count - 1}, got {joint!r}")
    return number


def _judged(
    tree: Tree, goals: Floats, root: Floats, error: float, tolerance: float, is_settled: bool
) -> Status:
    """Status of a solved tree."""
    if error <= tolerance:
        return Status.REACHED
    for e in range(len(tree.ends)):
        if tree.ends[e, 1] < 0:
            path = tree.lengths[tree.paths[e] > 0.0]
            gap = goals[e] - root
            squares = gap * gap
            d = float(np.sqrt(squares[0] + squares[1] + squares[2]))
            reach = reach_of(path)
            longest = max(path.tolist(), default=0.0)
            if d > reach + tolerance:
                return Status.TOO_FAR
            if d < 2.0 * longest - reach - tolerance:
                return Status.TOO_NEAR
    return Status.LIMITED if is_settled else Status.MAX_ITERATIONS

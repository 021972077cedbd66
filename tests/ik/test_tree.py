from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from creature_sim.ik import Status, solve, solve_tree
from creature_sim.maths import Floats
from tests.ik_scenes import chain

HUMAN = np.array(
    [
        [0.0, 0.0, 1.0],  # pelvis
        [0.0, 0.0, 1.25],
        [0.0, 0.0, 1.5],  # chest, a sub-base
        [0.0, 0.0, 1.65],
        [0.0, 0.0, 1.8],  # head
        [0.0, 0.2, 1.5],
        [0.0, 0.5, 1.5],
        [0.0, 0.8, 1.5],  # left hand
        [0.0, -0.2, 1.5],
        [0.0, -0.5, 1.5],
        [0.0, -0.8, 1.5],  # right hand
        [0.0, 0.1, 0.95],
        [0.02, 0.1, 0.5],
        [0.0, 0.1, 0.0],  # left foot
        [0.0, -0.1, 0.95],
        [0.02, -0.1, 0.5],
        [0.0, -0.1, 0.0],  # right foot
    ]
)
PARENTS = [-1, 0, 1, 2, 3, 2, 5, 6, 2, 8, 9, 0, 11, 12, 0, 14, 15]
ENDS = [4, 7, 10, 13, 16]


def bones(joints: Floats, parents: Sequence[int] = PARENTS) -> Floats:
    """Bone (K - 1, 3) that ends at each joint but the root."""
    return np.array([joints[k] - joints[p] for k, p in enumerate(parents) if p >= 0])


def human_pose(seed: int) -> Floats:
    """A pose with the human's bone lengths."""
    noise = np.random.default_rng(seed).normal(size=(17, 3))
    pose = HUMAN.copy()
    for k in range(1, 17):
        bone = HUMAN[k] - HUMAN[PARENTS[k]]
        length = np.linalg.norm(bone)
        bone = bone / length + 0.8 * noise[k]
        pose[k] = pose[PARENTS[k]] + bone / np.linalg.norm(bone) * length
    return pose


def test_a_human_reaches_with_hands_feet_and_head_at_once() -> None:
    for seed in range(60):
        pose = human_pose(seed)
        solution = solve_tree(HUMAN, PARENTS, {end: pose[end] for end in ENDS})
        assert solution.status is Status.REACHED
        assert solution.iterations <= 40
        assert np.linalg.norm(solution.joints[ENDS] - pose[ENDS], axis=1).max() <= 1e-3
        kept = np.linalg.norm(bones(solution.joints), axis=1)
        assert np.allclose(kept, np.linalg.norm(bones(HUMAN), axis=1), rtol=1e-12)
        u, w = solution.rotations[1:, :3], solution.rotations[1:, 3:]
        twice = 2.0 * np.cross(u, bones(HUMAN))
        moved = bones(HUMAN) + w * twice + np.cross(u, twice)
        assert np.allclose(moved, bones(solution.joints), atol=1e-12)


def test_a_branch_without_target_is_carried_along() -> None:
    solution = solve_tree(HUMAN, PARENTS, {7: [0.5, 0.4, 1.2]})
    assert solution.status is Status.REACHED
    assert np.allclose(bones(solution.joints)[10:], bones(HUMAN)[10:], atol=1e-12)


FORK = [[0, 0, 0], [1, 0, 0], [2, 1, 0], [2, -1, 0]]
FORKED = [-1, 0, 1, 1]


def test_weights_say_which_target_matters() -> None:
    targets = {2: [2.0, 2.0, 0.0], 3: [2.0, -2.0, 0.0]}
    errors = []
    for weight in (0.1, 1.0, 10.0):
        solution = solve_tree(FORK, FORKED, targets, weights={2: weight})
        errors.append(np.linalg.norm(solution.joints[2] - targets[2]))
        assert solution.status is not Status.REACHED
    assert errors[0] > errors[1] > errors[2]
    even = solve_tree(FORK, FORKED, targets)
    left, right = (np.linalg.norm(even.joints[k] - targets[k]) for k in (2, 3))
    assert left == pytest.approx(right, abs=1e-3)


def test_a_joint_on_the_way_may_have_a_target() -> None:
    start = chain(np.ones(4))
    parents = [-1, 0, 1, 2, 3]
    solution = solve_tree(start, parents, {2: [1.0, 1.0, 0.5], 4: [0.0, 1.0, 0.0]})
    assert solution.status is Status.REACHED


def test_loops_close() -> None:
    # A four-bar linkage: two arms from the root that shall hold each other's ends, one led.
    start = [[0, 0, 0], [0, 1, 0], [1, 1, 0], [0, -1, 0], [1, -1, 0], [2, -1, 0]]
    parents = [-1, 0, 1, 0, 3, 4]
    for led in ({}, {1: [0.6, 0.8, 0.0]}):
        solution = solve_tree(start, parents, led, loops=[(2, 5)])
        assert solution.status is Status.REACHED
        assert np.linalg.norm(solution.joints[2] - solution.joints[5]) <= 1e-3


def test_a_chain_is_a_tree_too() -> None:
    start = chain(np.ones(5), "bent")
    parents = np.arange(-1, 5)
    for target in ([1.0, 2.0, 3.0], [0.0, 0.0, 0.0], [4.999, 0.0, 0.0]):
        assert solve_tree(start, parents, {5: target}).status is Status.REACHED
    far = solve_tree(start, parents, {5: [9.0, 0.0, 0.0]})
    assert far.status is Status.TOO_FAR
    assert far.error == pytest.approx(4.0, abs=1e-2)
    near = solve_tree(chain([5, 1, 1], "bent"), [-1, 0, 1, 2], {3: [1.0, 0.0, 0.0]})
    assert near.status is Status.TOO_NEAR
    line = solve_tree(chain(np.ones(5)), parents, {5: [2.5, 0.0, 0.0]})
    assert line.status is Status.REACHED
    assert solve(start, [9.0, 0.0, 0.0]).status is far.status


def test_joints_may_come_in_any_order_and_flat() -> None:
    shuffle = np.array([3, 1, 0, 2])
    place = np.argsort(shuffle)
    joints = np.array(FORK, float)[shuffle]
    parents = [-1 if FORKED[k] < 0 else place[FORKED[k]] for k in shuffle]
    targets = {2: [1.276, 1.836, 0.0], 3: [2.235, 0.081, 0.0]}  # turned by half a radian
    there = solve_tree(joints, parents, {place[k]: v for k, v in targets.items()})
    here = solve_tree(FORK, FORKED, targets)
    assert there.status is here.status is Status.REACHED
    assert np.allclose(there.joints[place], here.joints, atol=1e-9)
    flat = solve_tree(joints[:, :2], parents, {place[k]: v[:2] for k, v in targets.items()})
    assert flat.joints.shape == (4, 2)
    assert (flat.joints == there.joints[:, :2]).all()


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"joints": [[0, 0, np.nan]] * 4}, "joints"),
        ({"parents": [-1, 0, 1]}, "parents"),
        ({"parents": [-1, -1, 1, 1]}, "parents"),
        ({"parents": [-1, 2, 1, 1]}, "parents"),
        ({"parents": [-1, 0, 9, 1]}, "parents"),
        ({"parents": [-1, 0, 0.5, 1]}, "parents"),
        ({"targets": [1, 2]}, "targets"),
        ({"targets": {9: [0, 0, 0]}}, r"targets\[9\]"),
        ({"targets": {2: [0, 0]}}, r"targets\[2\]"),
        ({"targets": {2: [0, 0, np.inf]}}, r"targets\[2\]"),
        ({"weights": {3: 1.0}}, r"weights\[3\]"),
        ({"weights": [1.0, 2.0]}, "weights"),
        ({"weights": 5}, "weights"),
        ({"loops": [2, 3]}, "loops"),
        ({"loops": None}, "loops"),
        ({"weights": {2: -1.0}}, r"weights\[2\]"),
        ({"loops": [(1, 9)]}, r"loops\[0\]"),
        ({"loops": [(1,)]}, r"loops\[0\]"),
        ({"lengths": [1.0]}, "lengths"),
        ({"tolerance": -1.0}, "tolerance"),
        ({"max_iterations": 0}, "max_iterations"),
    ],
)
def test_bad_input_is_refused_by_name(wrong: dict[str, Any], name: str) -> None:
    right: dict[str, Any] = {"joints": FORK, "parents": FORKED, "targets": {2: [1.0, 1.0, 0.0]}}
    with pytest.raises(ValueError, match=f"^{name}:"):
        solve_tree(**(right | wrong))


def test_a_tree_that_lies_in_a_plane_leaves_it_where_it_must() -> None:
    fork = np.array([[0, 0, 0], [1, 0, 0], [2, 1, 0], [2, -1, 0]], float)
    goals = {2: [1.5, 1.0, 0.0], 3: [1.5, -1.0, 0.0]}
    solution = solve_tree(fork, [-1, 0, 1, 1], goals)
    assert solution.status is Status.REACHED
    assert solution.error <= 1e-3
    flat = solve_tree(fork[:, :2], [-1, 0, 1, 1], {k: goal[:2] for k, goal in goals.items()})
    assert flat.joints.shape == (4, 2)
    assert flat.status is Status.LIMITED

from collections.abc import Callable, Sequence
from math import pi, radians

import numpy as np
import pytest

from creature_sim.ik import SHOULDER, WRIST, Limit, Status, elbow, solve, solve_batch, solve_path
from creature_sim.ik.angles import place_chain
from creature_sim.ik.limits import tabulate
from creature_sim.maths import Floats
from tests.ik_scenes import LEG, chain, directions

X = (1.0, 0.0, 0.0)
Y = (0.0, 1.0, 0.0)
Z = (0.0, 0.0, 1.0)
ARM = [SHOULDER, elbow(Y), WRIST]


def turned(quaternions: Floats, vectors: Floats) -> Floats:
    """Vectors (..., 3) turned by quaternions (..., 4)."""
    u, w = quaternions[..., :3], quaternions[..., 3:]
    twice = 2.0 * np.cross(u, vectors)
    return vectors + w * twice + np.cross(u, twice)


def times(a: Floats, b: Floats) -> Floats:
    """Rotation b, then a."""
    vector = a[..., 3:] * b[..., :3] + b[..., 3:] * a[..., :3] + np.cross(a[..., :3], b[..., :3])
    scalar = a[..., 3] * b[..., 3] - np.sum(a[..., :3] * b[..., :3], axis=-1)
    return np.concatenate([vector, scalar[..., None]], axis=-1)


def excess(rotations: Floats, limits: Sequence[Limit | None]) -> float:
    """Largest angle [rad] by which bones that start straight along X exceed their limits."""
    worst = -np.inf
    parent = np.broadcast_to([0.0, 0.0, 0.0, 1.0], rotations[..., 0, :].shape)
    for i, limit in enumerate(limits):
        local = times(parent * [-1, -1, -1, 1], rotations[..., i, :])
        parent = rotations[..., i, :]
        if limit is None:
            continue
        if limit.kind == "hinge":
            bone = turned(local, np.broadcast_to(X, (*local.shape[:-1], 3)))
            axis = np.array(limit.axis)
            across = np.cross(axis, np.array(X))
            angle = np.arctan2(bone @ across, bone @ np.array(X))
            outside = np.maximum(limit.low - angle, angle - limit.high)
            worst = max(worst, outside.max(), np.abs(bone @ axis).max())
            continue
        twist = 2.0 * np.arctan2(local[..., 0], local[..., 3])
        twist = (twist + pi) % (2.0 * pi) - pi
        worst = max(worst, np.maximum(limit.low - twist, twist - limit.high).max())
        half = np.hypot(local[..., 0], local[..., 3])
        swing = 2.0 * np.arctan2(np.hypot(local[..., 1], local[..., 2]), half)
        # The swing's axis, in the plane of Y and Z: remove the twist about X from the rotation.
        s, c = np.sin(0.5 * twist), np.cos(0.5 * twist)
        y = local[..., 1] * c - local[..., 2] * s
        z = local[..., 2] * c + local[..., 1] * s
        sign = np.sign(local[..., 3] * c + local[..., 0] * s)
        size = np.maximum(np.hypot(y, z), 1e-300)
        a, b = limit.cone
        radius = np.hypot(sign * y / size * swing / a, sign * z / size * swing / b)
        worst = max(worst, ((radius - 1.0) * min(a, b)).max())
    return worst


def feasible(
    limits: list[Limit], count: int, seed: int = 0, reach: float = 10.0
) -> tuple[Floats, Floats]:
    """Targets (count, 3) that bones under these limits, straight along X at first, can reach."""
    rng = np.random.default_rng(seed)
    bones = len(limits)
    lengths = np.full(bones, reach / bones)
    model = tabulate(np.tile(X, (bones, 1)), lengths, limits, X)
    targets = []
    for _ in range(count):
        angles = np.zeros((bones, 3))
        for i, limit in enumerate(limits):
            if limit.kind == "hinge":
                angles[i, 0] = rng.uniform(limit.low, limit.high)
            else:
                turn, fraction = rng.uniform(0, 2 * pi), np.sqrt(rng.uniform())
                angles[i, :2] = fraction * np.array([np.cos(turn), np.sin(turn)]) * limit.cone
                angles[i, 2] = rng.uniform(limit.low, limit.high)
        joints = np.zeros((bones + 1, 3))
        place_chain(model, angles, joints, np.zeros((bones, 4)))
        targets.append(joints[-1])
    return np.array(targets), chain(lengths)


TILTED = [(0, 1, 0), (0, 0, 1), (0, 1, 1), (0, -1, 1), (0, 1, 0)]
JOINTS = {
    "cones of 10 degrees": [Limit.ball(radians(10))] * 5,
    "cones of 20 degrees": [Limit.ball(radians(20))] * 5,
    "cones of 30 degrees": [Limit.ball(radians(30))] * 5,
    "cones of 90 degrees": [Limit.ball(radians(90))] * 5,
    "elliptic": [Limit.ball((radians(10), radians(30)), twist=(-0.1, 0.4))] * 5,
    "hinges": [Limit.hinge(axis, -0.2, 1.2) for axis in TILTED],
    "flat hinges": [Limit.hinge(Y, 0.0, 1.2)] * 5,
    "twisting shoulder": [Limit.ball(0.5, (-0.3, 0.6)), *[Limit.hinge(Y, 0.0, 1.0)] * 2],
    "arm": ARM,
}


@pytest.mark.parametrize("name", JOINTS)
def test_feasible_targets_are_reached_within_100_iterations_and_limits_hold(name: str) -> None:
    limits = JOINTS[name]
    targets, start = feasible(limits, 100)
    solution = solve_batch(
        np.tile(start, (100, 1, 1)), targets, limits=limits, base_direction=X, max_iterations=100
    )
    assert (solution.status == Status.REACHED).mean() >= 0.97
    assert solution.iterations.max() <= 100
    assert excess(solution.rotations, limits) < 1e-9
    bones = np.diff(solution.joints, axis=1)
    assert np.allclose(np.linalg.norm(bones, axis=2), start[1, 0], rtol=1e-12)
    assert np.allclose(turned(solution.rotations, np.diff(start, axis=0)), bones, atol=1e-12)


@pytest.mark.parametrize("name", JOINTS)
def test_limits_hold_where_the_target_cannot_be_met(name: str) -> None:
    limits = JOINTS[name]
    start = chain(np.ones(len(limits)))
    targets = directions(40) * np.linspace(0.0, 2.0 * len(limits), 40)[:, None]
    solution = solve_path(start, targets, limits=limits, base_direction=X, max_iterations=60)
    assert excess(solution.rotations, limits) < 1e-9
    assert np.isfinite(solution.joints).all()
    met = solution.error <= 1e-3
    assert ((solution.status == Status.REACHED) == met).all()
    far = np.linalg.norm(targets, axis=1) > len(limits)
    assert (solution.status[far] == Status.TOO_FAR).all()


def test_the_nearest_pose_comes_back() -> None:
    # One bone in a cone of 30 degrees about X: the nearest point is on the cone's rim.
    bone = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    solution = solve(bone, [0.0, 1.0, 0.0], limits=[Limit.ball(radians(30))])
    assert solution.status is Status.LIMITED
    assert np.allclose(solution.joints[1], [np.cos(pi / 6), 0.5, 0.0], atol=1e-6)
    assert solution.error == pytest.approx(1.0, abs=1e-6)
    # Two bones behind: both turn as far as they may.
    bones = chain([1.0, 1.0])
    solution = solve(bones, [-2.0, 0.1, 0.0], limits=[Limit.ball(radians(30))] * 2)
    assert solution.joints[2] == pytest.approx(
        [np.cos(pi / 6) + 0.5, 0.5 + np.sin(pi / 3), 0.0], abs=1e-3
    )


def test_an_elbow_bends_forward_only() -> None:
    limits = [None, Limit.hinge(Y, 0.0, 2.6)]
    start = chain([1.0, 1.0])
    for direction in directions(20):
        solution = solve(start, direction * 1.2, limits=limits, max_iterations=100)
        assert solution.status is Status.REACHED
        assert excess(solution.rotations[None], limits) < 1e-9
    straight = solve(start, [2.0, 0.0, 0.0], limits=limits)
    assert np.allclose(straight.joints, start, atol=1e-2)


def test_zero_is_straight_also_for_a_bent_start() -> None:
    bent = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 0.0, -1.0]]  # 90 degrees about Y
    limits = [Limit.ball(0.0), Limit.hinge(Y, 0.0, 0.5)]
    solution = solve(bent, [1.0, 0.0, -1.0], limits=limits)
    down = solution.joints[2] - solution.joints[1]
    assert np.arctan2(-down[2], down[0]) == pytest.approx(0.5, abs=1e-9)
    ball = solve(bent, [1.0, 0.0, -1.0], limits=[Limit.ball(0.0), Limit.ball(0.5)])
    assert np.allclose(ball.joints[2], solution.joints[2], atol=1e-6)
    moved = turned(solution.rotations, np.diff(bent, axis=0))
    assert np.allclose(moved, np.diff(solution.joints, axis=0), atol=1e-12)


def test_an_ellipse_allows_more_about_one_axis() -> None:
    bone = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]]
    limits = [Limit.ball((0.2, 0.6), axis=Y)]
    up = solve(bone, [0.0, 0.0, 1.0], limits=limits).joints[1]
    left = solve(bone, [0.0, 1.0, 0.0], limits=limits).joints[1]
    assert np.arctan2(up[2], up[0]) == pytest.approx(0.2, abs=1e-6)
    assert np.arctan2(left[1], left[0]) == pytest.approx(0.6, abs=1e-6)


def test_limits_beat_the_pole_and_the_pole_holds_where_they_allow_it() -> None:
    wide = [Limit.ball(radians(170))] * 3
    free = solve(chain(LEG), [2.0, 0.0, 0.0], pole=[1.0, 0.0, 4.0])
    held = solve(chain(LEG), [2.0, 0.0, 0.0], pole=[1.0, 0.0, 4.0], limits=wide, base_direction=X)
    assert np.allclose(free.joints, held.joints, atol=1e-9)
    hinges = [Limit.hinge(Y, -3.0, 3.0)] * 3
    flat = solve(chain(LEG), [2.0, 0.0, 0.5], pole=[1.0, 9.0, 1.0], limits=hinges)
    assert flat.status is Status.REACHED
    assert np.allclose(flat.joints[:, 1], 0.0, atol=1e-9)


def test_flat_chains_have_limits_too() -> None:
    start = chain(np.ones(4))[:, :2]
    limits = [Limit.ball(radians(40))] * 4
    for target in ([2.5, 1.5], [1.0, -2.0], [4.0, 0.0], [0.0, 0.0]):
        solution = solve(start, target, limits=limits, max_iterations=100)
        angles = np.unwrap(np.arctan2(*np.diff(solution.joints, axis=0).T[::-1]))
        turns = np.diff(np.concatenate([[0.0], angles]))
        assert np.abs(turns).max() <= radians(40) + 1e-9
        assert (np.abs(solution.rotations[:, :2]) == 0.0).all()


def test_hinges_of_flat_chains_turn_about_z() -> None:
    start = chain(np.ones(2))[:, :2]
    solution = solve(start, [1.0, -1.0], limits=[Limit.hinge(Z, -2.0, 0.0)] * 2)
    assert solution.status is Status.REACHED
    with pytest.raises(ValueError, match=r"^limits: expected hinges"):
        solve(start, [1.0, 1.0], limits=[None, Limit.hinge(Y, 0.0, 1.0)])


def test_limits_follow_a_path_smoothly() -> None:
    t = np.linspace(0.0, 2.0 * pi, 200)
    targets = np.stack([9.0 + 0.2 * np.cos(t), np.sin(t), np.cos(t)], axis=1)
    solution = solve_path(chain(np.full(5, 2.0)), targets, limits=JOINTS["cones of 30 degrees"])
    assert (solution.status == Status.REACHED).all()
    moved = np.linalg.norm(np.diff(solution.joints, axis=0), axis=2).max()
    assert moved < 0.5
    assert (np.sum(solution.rotations[1:] * solution.rotations[:-1], axis=2) > 0.9).all()


@pytest.mark.parametrize(
    "make",
    [
        lambda: Limit.ball(-0.1),
        lambda: Limit.ball(4.0),
        lambda: Limit.ball(float("nan")),
        lambda: Limit.ball((0.1, 9.0)),
        lambda: Limit.ball("wide"),
        lambda: Limit.ball((0.1, 0.2, 0.3)),
        lambda: Limit.ball(1.0, twist=(0.5, -0.5)),
        lambda: Limit.ball(1.0, axis=(0.0, 0.0, 0.0)),
        lambda: Limit.hinge((0.0, 0.0, 0.0), 0.0, 1.0),
        lambda: Limit.hinge((0.0, float("nan"), 0.0), 0.0, 1.0),
        lambda: Limit.hinge(Y, 1.0, 0.0),
        lambda: Limit.hinge(Y, -7.0, 7.0),
        lambda: Limit.hinge(Y, 0.0, float("nan")),
        lambda: Limit.hinge(Y, 0.0, 10**400),
        lambda: Limit.hinge((0, 10**400, 0), 0.0, 1.0),
        lambda: Limit("slide", Y, (0.0, 0.0), 0.0, 1.0),
        lambda: Limit("ball", None, (9.0, 9.0), 0.0, 1.0),
        lambda: Limit("ball", None, (1.0, 1.0), 5.0, 1.0),
        lambda: Limit("hinge", (0.0, 0.0, 0.0), (0.0, 0.0), 0.0, 1.0),
        lambda: Limit("hinge", None, (0.0, 0.0), 0.0, 1.0),
    ],
)
def test_impossible_limits_are_refused(make: Callable[[], Limit]) -> None:
    with pytest.raises(ValueError, match="expected"):
        make()


def test_a_limit_that_is_written_out_is_the_same() -> None:
    """Its axis was taken as it was, and one without length froze the chain."""
    assert Limit("hinge", (0.0, 3.0, 0.0), (0.0, 0.0), 0.0, 1.0) == Limit.hinge(Y, 0.0, 1.0)
    for limit in (SHOULDER, WRIST, elbow(Y)):
        assert Limit(limit.kind, limit.axis, limit.cone, limit.low, limit.high) == limit

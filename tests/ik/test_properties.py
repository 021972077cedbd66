import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.ik import Limit, Status, solve, solve_batch, solve_tree
from creature_sim.maths import Floats
from tests.ik_scenes import bone_lengths, span

SEEDS = st.integers(0, 2**32 - 1)
SIZES = st.integers(2, 12)


def drawn(seed: int, bone_count: int, far: float = 1.3) -> tuple[Floats, Floats, Floats]:
    """A crooked start, a target up to `far` reaches away, and a pole, from a seed."""
    rng = np.random.default_rng(seed)
    lengths = rng.uniform(0.05, 1.0, bone_count)
    if rng.uniform() < 0.3:
        lengths[rng.integers(bone_count)] *= 4.0
    directions = rng.normal(size=(bone_count, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    root = rng.normal(size=3)
    steps = np.cumsum(directions * lengths[:, None], axis=0)
    start = np.concatenate([root[None], root + steps])
    aim = rng.normal(size=3)
    aim /= np.linalg.norm(aim)
    target = root + aim * sum(lengths) * rng.uniform(0.0, far)
    pole = root + 2.0 * rng.normal(size=3)
    return start, target, pole


def is_edge(start: Floats, target: Floats) -> bool:
    """Whether the target is so near the border of reach that rounding decides."""
    nearest, reach = span(bone_lengths(start))
    d = float(np.linalg.norm(target - start[0]))
    return min(abs(d - nearest), abs(d - reach)) < 2e-3 * (1.0 + reach)


def turned_frame(seed: int, is_mirrored: bool) -> tuple[Floats, Floats]:
    """A rotation, mirrored or not, (3, 3) and a shift (3,)."""
    rng = np.random.default_rng(seed)
    frame, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    if (np.linalg.det(frame) < 0.0) != is_mirrored:
        frame[:, 0] *= -1.0
    return frame, rng.normal(size=3)


@pytest.mark.slow
@given(SEEDS, st.integers(1, 12), st.booleans())
def test_reached_if_and_only_if_reachable_and_lengths_are_kept(
    seed: int, bone_count: int, has_pole: bool
) -> None:
    start, target, pole = drawn(seed, bone_count)
    solution = solve(start, target, pole=pole if has_pole else None)
    lengths = bone_lengths(start)
    nearest, reach = span(lengths)
    d = float(np.linalg.norm(target - start[0]))
    assert np.isfinite(solution.joints).all()
    assert np.abs(bone_lengths(solution.joints) / lengths - 1.0).max() < 1e-12
    assert np.isclose(solution.error, np.linalg.norm(solution.joints[-1] - target), atol=1e-14)
    if not is_edge(start, target):
        assert (solution.status is Status.REACHED) == (nearest <= d <= reach)
        assert (solution.status is Status.TOO_FAR) == (d > reach)
        assert (solution.status is Status.TOO_NEAR) == (d < nearest)
        best = max(0.0, d - reach, nearest - d)
        assert solution.error <= best + 1e-3 * (best == 0.0) + 1e-9 * reach


@pytest.mark.slow
@given(SEEDS, SIZES, st.booleans(), st.floats(0.01, 100.0), st.booleans())
def test_the_solution_moves_with_the_frame(
    seed: int, bone_count: int, has_pole: bool, size: float, is_mirrored: bool
) -> None:
    start, target, pole = drawn(seed, bone_count)
    if is_edge(start, target):
        return
    frame, shift = turned_frame(seed + 1, is_mirrored)

    def moved(points: Floats) -> Floats:
        found: Floats = (points @ frame.T) * size + shift
        return found

    here = solve(start, target, pole=pole if has_pole else None, tolerance=1e-3)
    there = solve(
        moved(start),
        moved(target),
        pole=moved(pole) if has_pole else None,
        tolerance=1e-3 * size,
    )
    assert here.iterations == there.iterations
    assert here.status is there.status
    reach = sum(bone_lengths(start))
    assert np.abs(moved(here.joints) - there.joints).max() < 1e-9 * size * reach


@pytest.mark.slow
@given(SEEDS, st.integers(1, 6), st.floats(0.0, 3.1))
def test_limits_are_never_violated(seed: int, bone_count: int, cone: float) -> None:
    start, target, _ = drawn(seed, bone_count)
    base = np.random.default_rng(seed + 2).normal(size=3)
    solution = solve(start, target, limits=[Limit.ball(cone)] * bone_count, base_direction=base)
    assert np.isfinite(solution.joints).all()
    bones = np.diff(solution.joints, axis=0)
    bones = np.concatenate([base[None] / np.linalg.norm(base), bones])
    bones /= np.linalg.norm(bones, axis=1)[:, None]
    sines = np.linalg.norm(np.cross(bones[1:], bones[:-1]), axis=1)
    angles = np.arctan2(sines, np.sum(bones[1:] * bones[:-1], axis=1))
    assert angles.max() <= cone + 1e-9
    assert (solution.status is Status.REACHED) == (solution.error <= 1e-3)


@pytest.mark.slow
@given(SEEDS, SIZES)
def test_a_batch_equals_single_solves(seed: int, bone_count: int) -> None:
    drawings = [drawn(seed + k, bone_count) for k in range(3)]
    starts, targets, poles = (np.array(column) for column in zip(*drawings, strict=True))
    for extra in (False, True):
        batch = solve_batch(starts, targets, poles=poles if extra else None)
        for b in range(3):
            single = solve(starts[b], targets[b], pole=poles[b] if extra else None)
            assert (batch.joints[b] == single.joints).all()
            assert (batch.rotations[b] == single.rotations).all()
            assert batch.status[b] is single.status


NUMBERS = st.floats(allow_nan=True, allow_infinity=True)


@pytest.mark.slow
@given(
    st.lists(st.tuples(NUMBERS, NUMBERS, NUMBERS), min_size=1, max_size=5),
    st.tuples(NUMBERS, NUMBERS, NUMBERS),
    st.none() | st.tuples(NUMBERS, NUMBERS, NUMBERS),
)
def test_whatever_comes_in_no_nan_comes_out(
    joints: list[tuple[float, float, float]],
    target: tuple[float, float, float],
    pole: tuple[float, float, float] | None,
) -> None:
    try:
        solution = solve(joints, target, pole=pole)
    except ValueError as error:
        assert str(error).split(":")[0] in ("joints", "target", "pole")  # noqa: PT017 - may pass
        return
    assert np.isfinite(solution.joints).all()
    assert np.isfinite(solution.rotations).all()
    assert np.isfinite(solution.error)


@pytest.mark.slow
@given(SEEDS, st.integers(1, 5), st.floats(0.05, 3.0), st.floats(0.01, 100.0))
def test_a_pose_under_limits_moves_with_the_frame(
    seed: int, bone_count: int, cone: float, size: float
) -> None:
    start, target, _ = drawn(seed, bone_count)
    frame, shift = turned_frame(seed + 1, is_mirrored=False)
    limits = [Limit.ball(cone)] * bone_count
    # One start: others are laid and scattered about axes of the world.
    here = solve(start, target, limits=limits, max_iterations=5)
    moved_start, moved_target = start @ frame.T * size + shift, target @ frame.T * size + shift
    there = solve(moved_start, moved_target, limits=limits, max_iterations=5, tolerance=1e-3 * size)
    reach = float(sum(bone_lengths(start)))
    assert here.iterations == there.iterations
    expected = here.joints @ frame.T * size + shift
    assert np.abs(expected - there.joints).max() < 1e-6 * size * reach


@pytest.mark.slow
@given(st.floats(0.1, 10.0), st.floats(0.1, 10.0), st.floats(0.0, 1.0), SEEDS)
def test_two_bones_with_a_pole_are_the_triangle(
    a: float, b: float, fraction: float, seed: int
) -> None:
    d = abs(a - b) + (a + b - abs(a - b)) * (0.01 + 0.98 * fraction)
    frame, root = turned_frame(seed, is_mirrored=False)
    along, bend = frame[0], frame[1]
    start = np.array([root, root + a * along, root + (a + b) * along])
    solution = solve(start, root + d * along, pole=root + bend)
    cosine = (a * a + d * d - b * b) / (2.0 * a * d)  # law of cosines
    sine = np.sqrt(max(0.0, 1.0 - cosine * cosine))
    knee = root + a * (cosine * along + sine * bend)
    assert solution.status is Status.REACHED
    assert np.abs(solution.joints[1] - knee).max() < 1e-6 * (a + b)


@pytest.mark.slow
@given(SEEDS, st.floats(0.01, 100.0), st.booleans())
def test_a_tree_moves_with_the_frame(seed: int, size: float, is_mirrored: bool) -> None:
    rng = np.random.default_rng(seed)
    parents = [-1, 0, 1, 2, 1, 4]
    start = np.zeros((6, 3))
    pose = np.zeros((6, 3))
    for k in range(1, 6):
        for joints, spread in ((start, 0.2), (pose, 0.6)):
            bone = np.array([1.0, 0.4 if k > 3 else -0.4, 0.1]) + spread * rng.normal(size=3)
            joints[k] = joints[parents[k]] + bone / np.linalg.norm(bone)
    frame, shift = turned_frame(seed + 1, is_mirrored)
    # FABRIK passes only: what follows may lay bones about axes of the world.
    here = solve_tree(start, parents, {3: pose[3], 5: pose[5]}, max_iterations=2)
    goals = {k: pose[k] @ frame.T * size + shift for k in (3, 5)}
    moved = start @ frame.T * size + shift
    there = solve_tree(moved, parents, goals, max_iterations=2, tolerance=1e-3 * size)
    assert here.iterations == there.iterations
    expected = here.joints @ frame.T * size + shift
    assert np.abs(expected - there.joints).max() < 1e-6 * size
    lengths = [np.linalg.norm(there.joints[k] - there.joints[parents[k]]) for k in range(1, 6)]
    assert np.allclose(lengths, size, rtol=1e-12)

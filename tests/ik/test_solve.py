import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from creature_sim.ik import (
    METHODS,
    Limit,
    Status,
    elbow,
    solve,
    solve_batch,
    solve_chain,
    solve_path,
)
from creature_sim.ik.fabrik import tip_error
from creature_sim.maths import Floats
from tests.ik_scenes import LEG, bone_lengths, chain, directions, span, spline_targets

CHAINS = [np.ones(n) for n in (1, 2, 3, 4, 9, 19, 49)] + [
    LEG,
    np.array([0.3, 1.0, 0.2, 0.7]),
    np.random.default_rng(3).uniform(0.1, 1.0, 9),
    np.random.default_rng(4).uniform(0.1, 1.0, 49),
]


def shell(
    lengths: Floats, count: int, seed: int = 0, low: float = 0.02, high: float = 1.0
) -> Floats:
    """Targets in the reachable shell, many of them near full stretch."""
    rng = np.random.default_rng(seed)
    nearest, reach = span(lengths)
    fraction = rng.uniform(low, high, count)
    fraction[: count // 5] = 1.0 - 10.0 ** rng.uniform(-9, -2, count // 5)
    fraction[0] = 1.0
    return directions(count, seed) * np.maximum(nearest, fraction * reach)[:, None]


@pytest.mark.parametrize("lengths", CHAINS, ids=len)
@pytest.mark.parametrize("kind", ["straight", "bent", "random"])
def test_every_reachable_target_is_met_within_20_iterations(lengths: Floats, kind: str) -> None:
    start = chain(lengths, kind)
    targets = shell(lengths, 400)
    on_line = np.linspace(-1.0, 1.0, 50)[:, None] * (start[-1] / np.linalg.norm(start[-1]))
    nearest, reach = span(lengths)
    on_line = on_line[np.abs(on_line[:, 0] / on_line[-1, 0]) * reach > max(nearest, 0.02 * reach)]
    targets = np.concatenate([targets, on_line * reach])
    cold = solve_batch(np.tile(start, (len(targets), 1, 1)), targets, max_iterations=20)
    warm = solve_path(start, targets, max_iterations=20)
    for solution in (cold, warm):
        assert (solution.status == Status.REACHED).all()
        assert solution.error.max() <= 1e-3
        assert solution.iterations.max() <= 20
        assert solution.iterations.mean() < 8
        assert np.abs(bone_lengths(solution.joints) / lengths - 1.0).max() < 1e-12
        assert (solution.joints[:, 0] == start[0]).all()


@pytest.mark.parametrize("lengths", CHAINS, ids=len)
def test_a_target_too_far_stretches_the_chain_towards_it(lengths: Floats) -> None:
    reach = sum(lengths)
    target = np.array([1.0, 2.0, 2.0]) / 3.0 * (reach * 2.0)
    solution = solve(chain(lengths, "bent"), target)
    assert solution.status is Status.TOO_FAR
    assert solution.error == pytest.approx(reach)
    steps = np.diff(solution.joints, axis=0) / lengths[:, None]
    assert np.allclose(steps, target / np.linalg.norm(target), atol=1e-12)


@pytest.mark.parametrize(("distance", "error"), [(1.0, 2.0), (0.0, 3.0), (2.9, 0.1)])
@pytest.mark.parametrize("order", [[5, 1, 1], [1, 5, 1], [1, 1, 5]])
def test_a_target_too_near_is_neared_as_far_as_can_be(
    order: list[float], distance: float, error: float
) -> None:
    solution = solve(chain(order, "bent"), [0.0, distance, 0.0])
    assert solution.status is Status.TOO_NEAR
    assert solution.error == pytest.approx(error)
    assert np.linalg.norm(solution.joints[-1]) == pytest.approx(3.0)


def test_at_the_border_the_tolerance_decides() -> None:
    start = chain([1.0, 1.0], "bent")
    assert solve(start, [0.0, 2.0009, 0.0]).status is Status.REACHED
    assert solve(start, [0.0, 2.0011, 0.0]).status is Status.TOO_FAR
    assert solve(start, [0.0, 2.0, 0.0]).status is Status.REACHED


@pytest.mark.parametrize("kind", ["straight", "bent"])
def test_the_target_may_be_the_root(kind: str) -> None:
    solution = solve(chain([1.0, 1.0, 1.5], kind), [0.0, 0.0, 0.0])
    assert solution.status is Status.REACHED


@pytest.mark.parametrize("joint", range(5))
@pytest.mark.parametrize("kind", ["straight", "bent"])
def test_no_bone_collapses_where_the_target_is_on_a_joint(joint: int, kind: str) -> None:
    start = chain(np.ones(4), kind)
    solution = solve(start, start[joint])
    assert solution.status is Status.REACHED
    assert np.allclose(bone_lengths(solution.joints), 1.0, rtol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_a_good_start_stays_as_it_is(method: str) -> None:
    start = chain(np.ones(4), "bent")
    solution = solve(start, start[-1], method=method)
    assert solution.iterations == 0
    assert np.allclose(solution.joints, start, atol=1e-12)


@pytest.mark.parametrize(
    ("lengths", "distance"),
    [([1, 2, 1, 0], 1.0), ([0, 1, 1, 0], 2**0.5), ([3, 3, 0, 3, 3], 3.0), ([1, 1, 1, 1, 1], 1.0)],
)
@pytest.mark.parametrize("pole", [None, [0.0, 9.0, 0.0]])
def test_equal_sides_and_right_angles_are_no_exception(
    lengths: list[float], distance: float, pole: list[float] | None
) -> None:
    solution = solve(chain(np.array(lengths, float)), [distance, 0.0, 0.0], pole=pole)
    assert solution.status is Status.REACHED
    assert np.allclose(bone_lengths(solution.joints), lengths, atol=1e-14)


def test_bones_may_be_points() -> None:
    start = chain([1.0, 0.0, 1.0, 0.0], "bent")
    solution = solve(start, [0.5, 0.5, 0.5])
    assert solution.status is Status.REACHED
    assert np.allclose(bone_lengths(solution.joints), [1.0, 0.0, 1.0, 0.0], atol=1e-15)
    assert np.isfinite(solution.rotations).all()
    nothing = solve(np.zeros((3, 3)), [1.0, 0.0, 0.0])
    assert nothing.status is Status.TOO_FAR
    assert (nothing.joints == 0.0).all()


def test_the_root_may_be_anywhere() -> None:
    root = np.array([100.0, -50.0, 20.0])
    here = solve(chain(LEG, "bent"), [1.0, 2.0, 0.5])
    there = solve(chain(LEG, "bent") + root, root + np.array([1.0, 2.0, 0.5]))
    assert np.allclose(there.joints - root, here.joints, atol=1e-9)


def test_given_lengths_replace_those_of_the_start() -> None:
    solution = solve(chain(np.ones(3), "bent"), [2.0, 3.0, 0.0], lengths=[2.0, 1.0, 1.0])
    assert solution.status is Status.REACHED
    assert np.allclose(bone_lengths(solution.joints), [2.0, 1.0, 1.0], rtol=1e-12)


def test_flat_chains_stay_flat() -> None:
    start = chain(np.ones(4))[:, :2]
    for target in ([1.0, 1.0], [0.0, 0.0], [2.0, 0.0], [-1.0, 0.0], [0.3, -3.9], [9.0, 1.0]):
        solution = solve(start, target)
        raised = solve(chain(np.ones(4)), [*target, 0.0])
        assert solution.joints.shape == (5, 2)
        assert (solution.joints == raised.joints[:, :2]).all()
        assert (raised.joints[:, 2] == 0.0).all()
        assert (np.abs(solution.rotations[:, :2]) <= 1e-15).all()
        assert solution.status is (Status.TOO_FAR if target[0] == 9.0 else Status.REACHED)


def test_few_iterations_are_respected_and_reported() -> None:
    start = chain(np.ones(19))
    for budget in (1, 2, 3, 8, 12):
        for target in shell(np.ones(19), 40):
            solution = solve(start, target, max_iterations=budget)
            assert solution.iterations <= budget
            assert (solution.status is Status.REACHED) == (solution.error <= 1e-3)
    crawl = solve(start, [18.999, 0.1, 0.0], method="fabrik-plain")
    assert crawl.status is Status.MAX_ITERATIONS


def test_plain_fabrik_is_kept_to_compare_with() -> None:
    start = chain(np.ones(4))
    stuck = solve(start, [1.0, 0.0, 0.0], method="fabrik-plain", max_iterations=100)
    assert stuck.status is Status.REACHED or stuck.iterations == 100
    easy = solve(chain(np.ones(4), "bent"), [1.0, 2.0, 0.0], method="fabrik-plain")
    assert easy.status is Status.REACHED


def test_a_path_keeps_near_the_last_pose() -> None:
    targets = spline_targets()
    for joints in (5, 10, 20):
        path = solve_path(chain(np.full(joints - 1, 10.0 / (joints - 1))), targets)
        moved = np.linalg.norm(np.diff(path.joints, axis=0), axis=2).max(axis=1)[1:]
        stepped = np.linalg.norm(np.diff(targets, axis=0), axis=1)[1:]
        assert path.error.max() <= 1e-3
        assert np.median(moved / stepped) < 1.5


def test_a_batch_equals_single_solves_bit_for_bit() -> None:
    starts = np.array([chain(LEG, "random", seed) for seed in range(40)])
    targets = shell(LEG, 40) * np.linspace(0.3, 1.2, 40)[:, None]
    poles = directions(40, 9) * 5.0
    limits = [Limit.ball((0.7, 1.2), axis=(0.0, 1.0, 0.0)), elbow((0.0, 0.0, 1.0)), None]
    base = {"base_direction": [0.0, 0.0, -1.0]}
    for extra in (
        {},
        {"poles": poles},
        {"method": "fabrik-plain"},
        {"method": "ccd"},
        {"limits": limits},
        {"limits": limits, "poles": poles, **base},
        {"limits": limits, "method": "damped_least_squares", "lengths": LEG * 1.1},
        base,
    ):
        batch = solve_batch(starts, targets, **extra)
        for b in range(40):
            single_extra = {k: v for k, v in extra.items() if k != "poles"}
            single_extra |= {"pole": poles[b]} if "poles" in extra else {}
            single = solve(starts[b], targets[b], **single_extra)
            assert (batch.joints[b] == single.joints).all()
            assert (batch.rotations[b] == single.rotations).all()
            assert (batch.effector_rotation[b] == single.effector_rotation).all()
            assert batch.error[b] == single.error
            assert batch.iterations[b] == single.iterations
            assert batch.status[b] is single.status
    limits = [None, elbow((0, 0, 1)), None]
    flat = solve_batch(starts[..., :2], targets[:, :2], limits=limits)
    for b in range(40):
        single = solve(starts[b, :, :2], targets[b, :2], limits=limits)
        assert (flat.joints[b] == single.joints).all()
        assert (flat.rotations[b] == single.rotations).all()
    with pytest.raises(ValueError, match=r"^rotations:"):
        _ = solve_batch(starts, targets, rotations=False).rotations
    assert solve_batch(starts[:0], targets[:0]).joints.shape == (0, 4, 3)


def test_the_kernel_works_in_the_callers_arrays() -> None:
    lengths = np.ones(4)
    joints = chain(lengths, "bent")
    target = np.array([1.0, 2.0, 1.0])
    iterations = solve_chain(joints, lengths, target, 1e-3, 32)
    solution = solve(chain(lengths, "bent"), target)
    assert iterations == solution.iterations
    assert np.allclose(joints, solution.joints, atol=1e-12)
    assert tip_error(joints, (1.0, 2.0, 1.0)) <= 1e-3


def test_the_callers_arrays_are_not_touched() -> None:
    start = chain(LEG, "bent")
    kept = start.copy()
    solution = solve(start, [1.0, 1.0, 1.0])
    start += 7.0  # rotations are made when asked for, from the start as it was
    rotations = solution.rotations
    assert (rotations == solve(kept, [1.0, 1.0, 1.0]).rotations).all()


@pytest.mark.parametrize(
    "extra",
    [
        {},
        {"rotations": False},
        {"lengths": LEG * 1.1, "rotations": False},
        {"lengths": LEG * 1.1},
        {"limits": [Limit.ball(1.0), None, None], "lengths": LEG * 1.1},
        {"method": "ccd", "rotations": False},
        {"base_direction": [1.0, 0.0, 0.0]},
    ],
    ids=str,
)
def test_a_batch_neither_touches_nor_keeps_the_callers_arrays(extra: dict[str, Any]) -> None:
    starts = np.array([chain(LEG, "random", seed) for seed in range(5)])
    arrays = [starts, shell(LEG, 5), directions(5, 9) * 5.0][: 2 if "method" in extra else 3]
    kept = [array.copy() for array in arrays]
    poles = {"poles": arrays[2]} if len(arrays) > 2 else {}
    batch = solve_batch(arrays[0], arrays[1], **poles, **extra)
    assert all((a == b).all() for a, b in zip(arrays, kept, strict=True))
    for array in arrays:
        array *= -1.0  # rotations are made when asked for, from the starts as they were
    poles = {"poles": kept[2]} if poles else {}
    again = solve_batch(kept[0], kept[1], **poles, **extra)
    assert (batch.joints == again.joints).all()
    assert (batch.error == again.error).all()
    if extra.get("rotations", True):
        assert (batch.rotations == again.rotations).all()


START = chain(LEG, "bent")
BAD: list[tuple[dict[str, Any], str]] = [
    ({"joints": START[:1]}, "joints"),
    ({"joints": START[:, :1]}, "joints"),
    ({"joints": [["a", "b", "c"]] * 3}, "joints"),
    ({"joints": np.where(START > 1.0, np.nan, START)}, "joints"),
    ({"joints": START * 1e70}, "joints"),
    ({"joints": None}, "joints"),
    ({"joints": [[0, 0, 0], [10**400, 0, 0]]}, "joints"),
    ({"joints": START + 1j}, "joints"),
    ({"joints": np.zeros((3, 3), "M8[D]")}, "joints"),
    ({"target": [1.0, np.nan, 0.0]}, "target"),
    ({"target": [1.0, np.inf, 0.0]}, "target"),
    ({"target": [1.0, 2.0]}, "target"),
    ({"target": 1.0}, "target"),
    ({"target": [1j, 0, 0]}, "target"),
    ({"lengths": [1.0, 1.0]}, "lengths"),
    ({"lengths": [1.0, -1.0, 1.0]}, "lengths"),
    ({"lengths": [1.0, np.nan, 1.0]}, "lengths"),
    ({"pole": [0.0, 0.0]}, "pole"),
    ({"pole": [0.0, 0.0, np.inf]}, "pole"),
    ({"pole": [0.0, 0.0, 1.0], "method": "ccd"}, "pole"),
    ({"limits": [None]}, "limits"),
    ({"limits": 3}, "limits"),
    ({"limits": [1.0, 1.0, 1.0]}, "limits"),
    ({"limits": [None] * 3, "method": "fabrik-plain"}, "limits"),
    ({"base_direction": [0.0, 0.0, 0.0]}, "base_direction"),
    ({"base_direction": [0.0, np.nan, 0.0]}, "base_direction"),
    ({"target_rotation": [0.0, 0.0, 0.0, 0.0]}, "target_rotation"),
    ({"target_rotation": [0.0, 0.0, 1.0]}, "target_rotation"),
    ({"tolerance": 0.0}, "tolerance"),
    ({"tolerance": np.nan}, "tolerance"),
    ({"tolerance": "small"}, "tolerance"),
    ({"tolerance": 10**400}, "tolerance"),
    ({"max_iterations": 0}, "max_iterations"),
    ({"max_iterations": 1.5}, "max_iterations"),
    ({"method": "magic"}, "method"),
    ({"method": None}, "method"),
]


@pytest.mark.parametrize(("wrong", "name"), BAD)
def test_bad_input_is_refused_by_name(wrong: dict[str, Any], name: str) -> None:
    right: dict[str, Any] = {"joints": START, "target": [1.0, 1.0, 1.0]}
    with pytest.raises(ValueError, match=f"^{name}:"):
        solve(**(right | wrong))


def test_bad_rows_are_named() -> None:
    starts = np.tile(START, (5, 1, 1))
    targets = np.ones((5, 3))
    for name, array in (("joints", starts), ("targets", targets), ("poles", targets)):
        bad = array.copy()
        bad[3] = np.nan
        given: dict[str, Any] = {"joints": starts, "targets": targets} | {name: bad}
        with pytest.raises(ValueError, match=rf"^{name}: .*row 3"):
            solve_batch(**given)
    with pytest.raises(ValueError, match=r"^targets: expected shape"):
        solve_batch(starts, targets[:4])
    targets[2, 1] = np.inf
    with pytest.raises(ValueError, match=r"^targets: .*row 2"):
        solve_path(START, targets)


@pytest.mark.slow
def test_the_package_needs_neither_physics_nor_window() -> None:
    code = (
        "import sys, creature_sim.ik;"
        "bad = {'pybullet', 'pyglet', 'pydantic', 'esper'} & set(sys.modules); assert not bad, bad"
    )
    subprocess.run([sys.executable, "-c", code], check=True)

"""FABRIK in a plane: closed forms, limits, and what cannot be reached."""

import numpy as np
import pytest

from creature_sim.ik.balls import swing_and_twist, turn_of_swing, within_ball
from creature_sim.ik.hinges import EXACT, Bends, Hinges, bends, distance_of, lay, write_arc
from creature_sim.ik.nearest import bend_nearest
from creature_sim.ik.planar import MAX_PASSES, bend_from, fabrik_in_plane, stretch
from creature_sim.maths import Floats

FEMUR, TIBIA = 0.24, 0.32
LEG = ((-1.9, 1.5), (0.0, 2.7))
SPIDER = ((-1.9, 1.2), (0.0, 2.3), (-0.2, 1.6))


def hinges(lengths: tuple[float, ...], limits: tuple[tuple[float, float], ...]) -> Hinges:
    arcs = np.zeros((len(lengths), 7))
    for arc, (lo, hi) in zip(arcs, limits, strict=True):
        write_arc(arc, lo, hi)
    return Hinges(np.array(lengths), np.array(limits), arcs)


def tip(made: Hinges, angles: Floats) -> Floats:
    """Where the tips of chains with angles (..., B) are: an independent sum of bones."""
    headings = np.cumsum(angles, axis=-1)
    x = (np.cos(headings) * made.lengths).sum(axis=-1)
    return np.stack((x, -(np.sin(headings) * made.lengths).sum(axis=-1)), axis=-1)


def bend_in_plane(
    made: Hinges, pose: Bends, angles: Floats, count: int, x: float, z: float
) -> tuple[int, bool, float]:
    """`bend_from` the pose of the angles."""
    lay(made, pose, angles, count)
    return bend_from(made, pose, angles, count, x, z)


def assert_legal(made: Hinges, pose: Bends, angles: Floats) -> None:
    """Angles within their limits, and joints exactly where those put them."""
    count = len(angles)
    assert (angles >= made.limits[:, 0]).all()
    assert (angles <= made.limits[:, 1]).all()
    for bones in range(1, count + 1):
        part = Hinges(made.lengths[:bones], made.limits, made.arcs)
        assert pose.points[bones] == pytest.approx(tip(part, angles[:bones]), abs=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_two_bones_bend_as_the_law_of_cosines_says(seed: int) -> None:
    made, pose, rng = hinges((FEMUR, TIBIA), LEG), bends(2), np.random.default_rng(seed)
    for _ in range(200):
        wanted = np.array([rng.uniform(*limits) for limits in LEG])
        x, z = tip(made, wanted).tolist()
        angles = np.array([rng.uniform(*limits) for limits in LEG])
        _, _, error = bend_in_plane(made, pose, angles, 2, x, z)
        assert error <= EXACT * (FEMUR + TIBIA)
        assert_legal(made, pose, angles)
        cosine = (x * x + z * z - FEMUR**2 - TIBIA**2) / (2.0 * FEMUR * TIBIA)
        assert np.cos(angles[1]) == pytest.approx(np.clip(cosine, -1.0, 1.0), abs=1e-8)


def test_a_leg_that_walks_needs_few_passes_and_nothing_else() -> None:
    made, pose = hinges((FEMUR, TIBIA), LEG), bends(2)
    angles, before = np.array([-0.3, 1.4]), np.array([-0.3, 1.4])
    counts = []
    for tick in range(240):
        phase = 2.0 * np.pi * tick / 36
        begin, before = 2.0 * angles - before, angles
        angles = begin
        x, z = 0.24 + 0.06 * np.cos(phase), -0.26 + 0.05 * max(0.0, np.sin(phase))
        passes, is_laid, error = bend_in_plane(made, pose, angles, 2, x, z)
        counts.append(passes)
        assert not is_laid
        assert error <= EXACT * (FEMUR + TIBIA)
    assert np.mean(counts[2:]) <= 4.0


def test_passes_begin_where_they_are_told_and_go_no_farther_than_they_must() -> None:
    made, pose = hinges((FEMUR, TIBIA), LEG), bends(2)
    angles = np.array([-0.4, 1.3])
    x, z = tip(made, angles).tolist()
    lay(made, pose, angles, 2)
    assert fabrik_in_plane(made, pose, 2, x, z)[0] == 1
    lay(made, pose, angles, 2)
    passes, error = fabrik_in_plane(made, pose, 2, 2.0, 0.0)
    assert passes <= MAX_PASSES
    assert error == pytest.approx(2.0 - FEMUR - TIBIA, abs=1e-3)


@pytest.mark.parametrize("limits", [LEG, SPIDER])
def test_the_limits_hold_whatever_the_target(limits: tuple[tuple[float, float], ...]) -> None:
    lengths = (0.24, 0.22, 0.2)[: len(limits)]
    made, pose, rng = hinges(lengths, limits), bends(len(limits)), np.random.default_rng(3)
    for _ in range(500):
        angles = np.array([rng.uniform(*pair) for pair in limits])
        x, z = rng.uniform(-0.9, 0.9, 2).tolist()
        _, _, error = bend_in_plane(made, pose, angles, len(limits), x, z)
        assert_legal(made, pose, angles)
        assert error == pytest.approx(distance_of(pose, len(limits), x, z), abs=1e-12)


@pytest.mark.parametrize("seed", range(3))
def test_what_limits_forbid_is_approached_until_no_hinge_leads_nearer(seed: int) -> None:
    made, pose, rng = hinges((FEMUR, TIBIA), LEG), bends(2), np.random.default_rng(seed)
    met = 0
    for _ in range(200):
        angles = np.array([rng.uniform(*limits) for limits in LEG])
        x, z = rng.uniform(-0.9, 0.9, 2).tolist()
        error = bend_nearest(made, pose, angles, 2, x, z)
        if error <= EXACT * (FEMUR + TIBIA):
            continue
        met += 1
        for change in np.vstack((np.eye(2), -np.eye(2))) * 1e-4:
            near = np.clip(angles + change, made.limits[:, 0], made.limits[:, 1])
            assert np.linalg.norm(tip(made, near) - (x, z)) >= error - 1e-6
    assert met > 20


def test_a_target_too_far_straightens_the_leg_and_one_too_near_folds_it() -> None:
    made, pose = hinges((FEMUR, TIBIA), LEG), bends(2)
    angles = np.array([0.3, 1.0])
    assert bend_nearest(made, pose, angles, 2, 0.6, -0.6) == pytest.approx(
        0.6 * np.sqrt(2.0) - FEMUR - TIBIA, abs=1e-9
    )
    assert angles == pytest.approx([np.pi / 4.0, 0.0], abs=1e-4)
    bend_nearest(made, pose, angles, 2, 0.01, 0.0)
    assert angles[1] == pytest.approx(LEG[1][1])


def test_four_bones_share_the_bend_and_reach() -> None:
    limits = ((-1.9, 1.2), (0.0, 1.5), (0.0, 1.5), (0.0, 1.5))
    made, pose, rng = hinges((0.2, 0.2, 0.15, 0.1), limits), bends(4), np.random.default_rng(1)
    angles = np.array([-0.5, 0.6, 0.6, 0.6])
    for _ in range(300):
        x, z = 0.3 + 0.1 * rng.uniform(-1.0, 1.0), -0.25 + 0.1 * rng.uniform(-1.0, 1.0)
        _, _, error = bend_in_plane(made, pose, angles, 4, x, z)
        assert error <= EXACT * 0.65
        assert_legal(made, pose, angles)


def test_swing_and_twist_take_a_rotation_apart() -> None:
    rng = np.random.default_rng(0)
    for _ in range(200):
        angles = tuple(rng.uniform(-1.5, 1.5, 3).tolist())
        assert swing_and_twist(turn_of_swing(angles)) == pytest.approx(angles, abs=1e-12)


def test_a_ball_comes_within_its_cone_and_keeps_the_direction_of_its_swing() -> None:
    cone = (1.0, 0.5, 0.0)
    assert within_ball((0.3, 0.2, 0.1), cone, -0.5, 0.5) == (0.3, 0.2, 0.1)
    y, z, twist = within_ball((1.5, 1.0, -0.9), cone, -0.5, 0.5)
    assert (y / 1.0) ** 2 + (z / 0.5) ** 2 == pytest.approx(1.0)
    assert y / z == pytest.approx(1.5)
    assert twist == -0.5


@pytest.mark.parametrize("limits", [LEG, SPIDER])
def test_a_pose_is_stretched_to_a_distance(limits: tuple[tuple[float, float], ...]) -> None:
    count = len(limits)
    lengths = (FEMUR, TIBIA, 0.2)[:count]
    made, pose, rng = hinges(lengths, limits), bends(count), np.random.default_rng(3)
    for _ in range(100):
        angles = np.array([0.0] + [rng.uniform(0.8, 1.4) for _ in limits[1:]])
        lay(made, pose, angles, count)
        wanted = distance_of(pose, count, 0.0, 0.0) + rng.uniform(-0.005, 0.005)
        stretch(pose, count, wanted)
        assert distance_of(pose, count, 0.0, 0.0) == pytest.approx(wanted, abs=1e-6)
        bones = np.linalg.norm(np.diff(pose.points, axis=0), axis=1)
        assert bones == pytest.approx(lengths, abs=1e-12)


def test_a_leg_that_follows_its_foot_needs_few_passes() -> None:
    made, pose, angles = hinges((FEMUR, TIBIA), LEG), bends(2), np.array([-0.6, 1.4])
    lay(made, pose, angles, 2)
    x, z = pose.points[2].tolist()
    found = []
    for tick in range(200):
        x += 0.005 * np.sin(0.1 * tick)  # up to 0.3 m/s
        passes, is_laid, error = bend_from(made, pose, angles, 2, x, z)
        found.append(passes)
        assert not is_laid
        assert error <= EXACT * (FEMUR + TIBIA)
    assert np.mean(found) < 2.0

"""The plane that a body follows is the one that least squares give."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from creature_sim.components import (
    FLYING,
    LIFTING,
    LOST,
    SAMPLED,
    STANDING,
    BodyRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    LegRecord,
    PlanRecord,
    Records,
    SegmentRecord,
    zeros,
)
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.posture import RAY_WEIGHT, SWING_WEIGHT, support_plane
from creature_sim.locomotion.search import GROPES
from creature_sim.maths import Floats, Vec, Z, add, put, quat, rotate, vec
from creature_sim.maths.geometry import rotation_matrices
from tests.climbers import standing

PHASES = (STANDING, LIFTING, SAMPLED, FLYING, LOST)
seeds = st.integers(0, 10_000)


def body_at(rng: np.random.Generator) -> BodyRecord:
    """A body somewhere, turned somehow."""
    body = zeros(BodyRecord, 1)[0]
    turn = rng.normal(size=4)
    body.position[:] = rng.uniform(-20.0, 20.0, 3)
    body.orientation[:] = turn / np.linalg.norm(turn)
    return body


def plane_of(body: BodyRecord, feet: Records[FootRecord], ground: Vec) -> tuple[Vec, float]:
    """The plane that a body of one segment follows on these feet (L,)."""
    count = len(feet)
    trunk, segment = zeros(BodyRecord, 1), zeros(SegmentRecord, 1)[0]
    trunk[0] = body
    segment.last_near = count
    creature = Creature(
        zeros(PlanRecord, 1)[0],
        zeros(LegRecord, count),
        trunk,
        zeros(GaitRecord, 1)[0],
        feet,
        zeros(FootholdRecord, count),
    )
    return support_plane(creature, 0, segment, ground)


def least_squares(
    points: Floats, weights: Floats, slopes: Floats, slope_weight: float
) -> tuple[Floats, float]:
    """Normal and height of the plane z = a x + b y + c through points (K, 3) [body].

    Its slopes a, b are drawn towards `slopes`, as if each were one more measurement.
    """
    ones = np.ones(len(points))
    rows = np.column_stack((points[:, :2], ones)) * np.sqrt(weights)[:, None]
    priors = np.sqrt(slope_weight) * np.array([(1.0, 0.0, 0.0), (0.0, 1.0, 0.0)])
    values = np.concatenate((np.sqrt(weights) * points[:, 2], np.sqrt(slope_weight) * slopes))
    (a, b, c), *_ = np.linalg.lstsq(np.concatenate((rows, priors)), values, rcond=None)
    normal = np.array([-a, -b, 1.0])
    return normal / np.linalg.norm(normal), float(c)


@pytest.mark.slow
@given(seeds, st.lists(st.sampled_from(PHASES), min_size=1, max_size=40))
def test_the_support_plane_is_that_of_weighted_least_squares(seed: int, phases: list[int]) -> None:
    rng = np.random.default_rng(seed)
    body, feet = body_at(rng), zeros(FootRecord, len(phases))
    feet["phase"] = phases
    points = rng.uniform((-1.0, -1.0, -0.6), (1.0, 1.0, 0.0), (len(phases), 3))
    turn = rotation_matrices(body.orientation)
    feet["goal"] = points @ turn.T + body.position
    ground = np.array([*rng.uniform(-0.7, 0.7, 2), 1.0])
    ground /= np.linalg.norm(ground)
    found, height = plane_of(body, feet, vec(turn @ ground))

    counts = feet["phase"] != LOST
    if not counts.any():
        assert found == pytest.approx(tuple(ground))
        assert height == 0.0
        return
    points, weights = points[counts], np.where(feet["phase"] == STANDING, 1.0, SWING_WEIGHT)[counts]
    middle = np.average(points, axis=0, weights=weights)
    spread = float((weights[:, None] * (points - middle)[:, :2] ** 2).sum())
    slopes = -ground[:2] / ground[2]
    expected, c = least_squares(points, weights, slopes, RAY_WEIGHT * spread + 1e-9)
    assert found == pytest.approx(tuple(expected), abs=1e-6)
    assert height == pytest.approx(c, abs=1e-6)


@pytest.mark.slow
@given(seeds, st.integers(3, 8), st.floats(-0.6, 0.6), st.floats(-0.6, 0.6))
def test_feet_on_a_plane_that_the_ground_shares_have_that_plane(
    seed: int, count: int, a: float, b: float
) -> None:
    rng = np.random.default_rng(seed)
    body, feet = body_at(rng), zeros(FootRecord, count)
    flat = rng.uniform(-1.0, 1.0, (count, 2))
    assume(np.ptp(flat, axis=0).min() > 0.1)
    points = np.column_stack((flat, flat @ (a, b) - 0.3))
    turn = rotation_matrices(body.orientation)
    feet["goal"] = points @ turn.T + body.position
    normal = np.array([-a, -b, 1.0]) / np.sqrt(1.0 + a * a + b * b)
    found, height = plane_of(body, feet, vec(turn @ normal))
    assert found == pytest.approx(tuple(normal), abs=1e-9)
    assert height == pytest.approx(-0.3, abs=1e-9)


def test_feet_in_one_line_leave_the_slope_across_it_to_the_ground() -> None:
    body, feet = zeros(BodyRecord, 1)[0], zeros(FootRecord, 4)
    body.orientation[3] = 1.0
    feet["goal"] = [(x, 0.0, 0.2 * x - 0.4) for x in (-1.0, -0.2, 0.3, 0.9)]
    ground: Vec = (-0.6, -0.3, np.sqrt(1.0 - 0.45))
    (nx, ny, nz), height = plane_of(body, feet, ground)
    assert ny / nz == pytest.approx(ground[1] / ground[2])
    assert -nx / nz == pytest.approx((0.2 + RAY_WEIGHT * 0.6 / ground[2]) / (1.0 + RAY_WEIGHT))
    assert height == pytest.approx(-0.4, abs=1e-2)


def test_feet_of_who_climbs_that_reach_nothing_say_nothing_of_the_ground() -> None:
    """They kept where they had wanted to land, a metre from there, and a shelf seemed steep."""
    creature, _ = standing()
    segment = zeros(SegmentRecord, 1)[0]
    segment.last_near = len(creature.legs)
    up = rotate(quat(creature.trunk[0].orientation), Z)
    flat, height = support_plane(creature, 0, segment, up)
    foot = creature.feet[0]
    foot.phase, creature.footholds[0].fallback = FLYING, GROPES
    put(foot.goal, add(vec(foot.goal), (0.5, 0.0, 0.8)))
    found, plane = support_plane(creature, 0, segment, up)
    assert found == pytest.approx(flat, abs=1e-9)
    assert plane == pytest.approx(height, abs=1e-9)
    few = creature._replace(legs=creature.legs[:4])  # what is left of four would not hold a plane
    assert support_plane(few, 0, segment, up)[0] != pytest.approx(flat, abs=1e-2)
    creature.footholds[0].fallback = 0  # on its way to a place that it comes to reach
    tilted, _ = support_plane(creature, 0, segment, up)
    assert tilted != pytest.approx(flat, abs=1e-2)

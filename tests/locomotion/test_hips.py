"""Hips that are balls: what they reach, and what bodies and feet do where they end."""

from itertools import islice

import numpy as np
import pytest

from creature_sim.components import STANDING
from creature_sim.definitions import CreatureDef
from creature_sim.inputs import Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.locomotion.hips import IN_CONE, drop_to_fold, folds_to, roll_to, swing_to, twists
from creature_sim.locomotion.soles import rolled
from creature_sim.maths import Vec
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.simulation import Simulation
from creature_sim.spawn.plans import plan_of
from tests.advice.spoiling import spoilt, table_of
from tests.scenes import scene, violent

LEGS = plan_of(load_creature("biped")).legs
BACK, UP = (-1.0, 0.0, 0.0), (0.0, 0.0, 1.0)


def test_a_ball_swings_least_where_its_leg_rests() -> None:
    leg = LEGS[0]
    rest: Vec = (0.0, -0.04, -0.37)  # of the ankle from the hip
    assert swing_to(leg, rest, BACK) < 0.15
    assert swing_to(leg, (-0.2, -0.04, -0.1), BACK) > 1.0, "no thigh swings up behind the body"


def test_an_ankle_rolls_within_its_limits_wherever_they_lie() -> None:
    leg, ankle = LEGS[:1].copy()[0], (0.0, -0.04, -0.37)
    lean = float(np.arctan2(-0.04, 0.37))  # of the leg out of the upright
    for low, high, expected in (
        (-0.7, 0.7, abs(lean) / 0.7),
        (-0.3, -0.1, abs(lean + 0.2) / 0.1),
        (-0.3, 0.0, abs(lean + 0.15) / 0.15),
        (0.1, 0.3, abs(lean - 0.2) / 0.1),
        (0.0, 0.0, 0.0),
    ):
        leg.roll_lo, leg.roll_hi = low, high
        assert roll_to(leg, ankle, BACK, UP) == pytest.approx(expected, abs=1e-9), (low, high)


def test_a_hip_that_does_not_twist_or_swing_still_has_a_number() -> None:
    leg, rest = LEGS[:1].copy()[0], plan_of(load_creature("biped")).legs[0]
    leg.twist_lo = leg.twist_hi = 0.0
    ankle: Vec = (0.0, 0.0, -0.37)
    assert np.isfinite(swing_to(leg, ankle, BACK))
    leg.cone[:] = 0.0
    assert np.isfinite(swing_to(leg, ankle, BACK))
    assert swing_to(leg, ankle, BACK) > swing_to(rest, ankle, BACK)


@pytest.mark.slow
@pytest.mark.parametrize("i", [0, 1])
@pytest.mark.parametrize("x", [-0.15, -0.05, 0.0, 0.1])
def test_a_foot_comes_down_no_farther_than_its_leg_folds(i: int, x: float) -> None:
    leg = LEGS[i]
    ankle = (x, 0.0, -0.08)
    drop = drop_to_fold(leg, ankle, BACK, UP, 0.3)
    assert 0.0 < drop < 0.3
    assert folds_to(leg, (x, 0.0, -0.08 - drop), BACK, UP)
    assert not folds_to(leg, (x, 0.0, -0.08 - drop + 1e-3), BACK, UP)
    assert swing_to(leg, (x, 0.0, -0.08 - drop), BACK) <= IN_CONE


def of_ankle(**changes: object) -> CreatureDef:
    """A biped whose ankles have other keys."""
    joints = table_of("biped")["leg_pairs"][0]["joints"]
    key = "leg_pairs[0].joints"
    return CreatureDef.model_validate(spoilt("biped", {key: [*joints[:2], joints[2] | changes]}))


ANKLES: dict[str, tuple[dict[str, object], str]] = {
    "as it is": ({}, "spin"),
    "hardly rolls": ({"lo": [-1.9, -0.2], "hi": [1.2, 0.2]}, "random"),
    "hardly pitches": ({"lo": [-0.9, -0.7], "hi": [-0.5, 0.7]}, "random"),
}


@pytest.mark.parametrize("case", ANKLES)
def test_tips_stay_where_feet_stand_where_an_ankle_cannot_lay_its_sole_flat(case: str) -> None:
    changes, sticks = ANKLES[case]
    plan = of_ankle(**changes)
    reach, lowest = plan.all_legs[0].reach, [1.0, 1.0]
    with Simulation(with_creature(load_world("hills"), plan)) as simulation:
        for given in islice(violent(sticks), 900):
            simulation.step(given)
            seen = simulation.snapshot.creatures[0]
            wanted = [rolled(leg, foot) for leg, foot in zip(LEGS, seen.feet, strict=True)]
            off = np.linalg.norm(seen.tips - [sole.middle for sole in wanted], axis=1)
            assert off[seen.feet["phase"] == STANDING].max(initial=0.0) < 1e-9 * reach
            for i, joints in enumerate(plan.leg_joints):
                soles = rotation_matrices(seen.foot_rotations[i])[:, 2]
                pitch, roll, _ = seen.herd.parts["leg_chain"]["angles"][seen.row, i, -1]
                level = float(soles @ wanted[i].normal)
                is_free = abs(roll) < abs(joints[-1].second_hi) - 1e-9
                is_free = is_free and joints[-1].lo < pitch < joints[-1].hi
                assert not is_free or level > 1.0 - 1e-9, "soles lie as their ankles let them"
                lowest[i] = min(lowest[i], level)
    assert min(lowest) < 0.999, "the ankle was not asked for more than it can"


@pytest.mark.parametrize("turn", [1.0, -1.0])
def test_feet_of_a_body_that_turns_on_the_spot_keep_up_with_it(turn: float) -> None:
    farthest = [twists(leg) for leg in LEGS]
    turned = 0.0
    with Simulation(scene("meadow", "biped")) as simulation:
        for _ in range(360):
            simulation.step(Input.of([(0.0, turn)]))
            seen = simulation.snapshot.creatures[0]
            local = seen.feet["heading"] @ rotation_matrices(seen.orientation)
            angles = np.arctan2(local[:, 1], local[:, 0])
            for angle, (right, left) in zip(angles, farthest, strict=True):
                assert -right - 1e-6 < angle < left + 1e-6
            assert np.linalg.norm(seen.tips - seen.feet["position"], axis=1).max() < 1e-9
            turned = seen.body.yaw_rate
    assert turned * turn > 1.0

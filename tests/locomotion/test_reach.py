"""Hips that yaw: where feet are brought."""

from math import cos, hypot, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.library.loader import load_creature
from creature_sim.locomotion.reach import (
    ankle_of,
    bring_before,
    bring_in_reach,
    reach_to,
    reaches,
    yaw_of,
)
from creature_sim.spawn.plans import plan_of

CREATURES = ("hexapod", "crab", "centipede", "millipede")
LEGS = {creature: plan_of(load_creature(creature)).legs for creature in CREATURES}
HERE, LEVEL = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0, 1.0)
side = st.floats(-0.6, 0.6)


@pytest.mark.slow
@given(st.sampled_from(CREATURES), st.integers(0, 5), side, side, st.floats(-0.4, 0.3))
def test_a_foot_anywhere_is_brought_in_reach(
    creature: str, i: int, x: float, y: float, z: float
) -> None:
    leg = LEGS[creature][i]
    found = bring_in_reach(HERE, LEVEL, leg, (x, y, z))
    again = bring_in_reach(HERE, LEVEL, leg, found)
    assert again == pytest.approx(found, abs=2e-3)  # near its hip it is moved twice


@pytest.mark.slow
@given(st.sampled_from(CREATURES), st.integers(0, 5), side, side, st.floats(0.0, 6.28))
def test_a_foot_that_passes_behind_a_hip_does_not_swing_it_round(
    creature: str, i: int, x: float, y: float, way: float
) -> None:
    """Where a foot goes by a millimetre, the point to which the hip looks goes by a few."""
    leg = LEGS[creature][i]
    one = bring_before(leg, x, y, leg.widest, leg.under)
    other = bring_before(leg, x + 1e-3 * cos(way), y + 1e-3 * sin(way), leg.widest, leg.under)
    assert hypot(other[0] - one[0], other[1] - one[1]) < 3e-3
    assert leg.yaw_lo - 1e-9 <= yaw_of(leg, *one) <= leg.yaw_hi + 1e-9
    assert hypot(*one) >= leg.under - 1e-12


def test_feet_at_home_are_let_be() -> None:
    for legs in LEGS.values():
        for leg in legs:
            home = (float(leg.home[0]), float(leg.home[1]), -0.2)
            if reaches(HERE, LEVEL, leg, home):
                assert bring_in_reach(HERE, LEVEL, leg, home) == pytest.approx(home, abs=1e-12)


@given(st.sampled_from(CREATURES), st.integers(0, 5), side, side, st.floats(-0.4, 0.3))
def test_a_leg_stretches_as_far_as_its_arm_or_its_yaw(
    creature: str, i: int, x: float, y: float, z: float
) -> None:
    """Whichever is more, though the yaw is only worked out where it may be."""
    leg = LEGS[creature][i]
    foot = (leg.mount[0] + x, leg.mount[1] + y, leg.mount[2] + z)
    x, y, z = ankle_of(leg, foot)
    middle, half = 0.5 * (leg.yaw_lo + leg.yaw_hi), 0.5 * (leg.yaw_hi - leg.yaw_lo)
    turn = abs(yaw_of(leg, x, y) - middle) / half
    far = hypot(hypot(x, y) - leg.coxa, z) / leg.arm
    assert reach_to(leg, foot)[1] == pytest.approx(max(far, turn), abs=1e-12)

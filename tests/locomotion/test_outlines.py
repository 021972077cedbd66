"""Legs seen from above cover what their knees do, however they bend."""

import numpy as np
import pytest

from creature_sim.library.loader import load_creature
from creature_sim.locomotion.outlines import bends_before, knees_along, stands_off, strip_of
from creature_sim.maths import vec
from creature_sim.spawn.plans import plan_of


@pytest.mark.slow
@pytest.mark.parametrize("name", ["ant", "hexapod", "spider8"])
def test_no_knee_is_farther_out_than_a_leg_seen_from_above(name: str) -> None:
    """Of legs in any pose that their joints allow, whose feet are below their hips.

    Where a second knee bends below that, how far it is out is known to a fortieth of the reach.
    """
    plan, rng = plan_of(load_creature(name)), np.random.default_rng(3)
    leg, count = plan.legs[0], int(plan.legs[0].bend_count)
    low, high = plan.limits[0, :count].T
    angles = rng.uniform(low, high, (20000, count))
    heading = -np.cumsum(angles, axis=1)
    lengths = plan.lengths[0, leg.first : leg.first + count]
    out = leg.coxa + np.cumsum(lengths * np.cos(heading), axis=1)
    up = np.cumsum(lengths * np.sin(heading), axis=1)
    is_below = (up[:, -1] < -0.1) & (out[:, -1] > 0.01)
    assert is_below.sum() > 1000
    drawn = 0
    for outs, ups in zip(out[is_below], up[is_below], strict=True):
        x, y, z = leg.mount + np.append(outs[-1] * leg.out[:2], ups[-1])
        strip = strip_of(leg, (float(x), float(y), float(z)))
        far = np.hypot(strip.fx - strip.hx, strip.fy - strip.hy)
        assert far >= outs.max() - (0.025 * leg.reach if count > 2 else 1e-9)
        drawn += strip.drawn < 1.0
    assert drawn > 100


@pytest.mark.parametrize("name", ["ant", "hexapod"])
def test_knees_are_where_joints_bend_to(name: str) -> None:
    """Along any direction; and they are before a wall that is as far off as they are thick."""
    plan, rng = plan_of(load_creature(name)), np.random.default_rng(4)
    leg = plan.legs[0]
    for _ in range(300):
        thigh, knee = rng.uniform(-0.5, 1.5), rng.uniform(0.3, 2.4)
        out = leg.coxa + leg.thigh * np.cos(thigh)
        high = leg.thigh * np.sin(thigh)
        ahead = out + leg.shank * np.cos(thigh - knee)
        low = high + leg.shank * np.sin(thigh - knee)
        if ahead < leg.coxa:
            continue
        way = rng.normal(size=3)
        way /= np.linalg.norm(way)
        foot, up, normal = (float(ahead), 0.0, float(low)), (0.0, 0.0, 1.0), vec(way)
        there = float(out * way[0] + high * way[2])
        assert knees_along(leg, foot, up, normal) == pytest.approx((there, there), abs=1e-9)
        for gap in (-0.001, 0.001):
            far = there - leg.knee_radius - gap
            wall = (float(far * way[0]), float(far * way[1]), float(far * way[2]))
            assert bends_before(leg, foot, up, wall, normal) == (gap > 0.0)


@pytest.mark.parametrize("name", ["ant", "hexapod", "spider8"])
def test_a_foot_at_home_stands_off_the_floor_and_not_off_a_wall_that_its_hip_is_near(
    name: str,
) -> None:
    """Low on that wall its shin would lie along it, or in it; high up its knee is before it."""
    plan, up = plan_of(load_creature(name).climbing), (0.0, 0.0, 1.0)
    for leg in plan.legs:
        x, y, z = (float(value) for value in leg.home - leg.mount)
        level = np.hypot(x, y)
        assert stands_off(leg, (x, y, z), up, up)
        wall = (-x / level, -y / level, 0.0)
        near = 0.7
        assert not stands_off(leg, (near * x, near * y, z), up, wall)
        assert any(
            stands_off(leg, (near * x, near * y, high * leg.arm), up, wall)
            for high in np.linspace(-0.5, 0.7, 25)
        )

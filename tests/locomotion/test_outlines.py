"""Legs seen from above cover what their knees do, however they bend."""

import numpy as np
import pytest

from creature_sim.library.loader import load_creature
from creature_sim.locomotion.outlines import strip_of
from creature_sim.spawn.plans import plan_of


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

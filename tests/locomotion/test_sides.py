"""Planes between legs of creatures that meet."""

import numpy as np

from creature_sim.components import LimbRecord, zeros
from creature_sim.locomotion.sides import have_far_balls, limb_at, part
from creature_sim.maths import any_normal, cross, distance, vec


def a_limb(dice: np.random.Generator) -> LimbRecord:
    """A leg of any size and place within a metre, with the smallest ball that holds its joints."""
    limb = zeros(LimbRecord, 1)[0]
    joints = dice.uniform(-1.0, 1.0, 3) + dice.uniform(-0.4, 0.4, (3, 3))
    radii = dice.uniform(0.0, 0.05, 3)
    limb.hip[:], limb.knee[:], limb.far[:] = joints
    limb.hip_radius, limb.knee_radius, limb.far_radius = radii
    limb.centre[:] = joints[[0, 2]].mean(axis=0)
    limb.radius = max(np.linalg.norm(joints - limb.centre, axis=1) + radii)
    return limb


def test_legs_whose_balls_are_far_apart_need_no_plane() -> None:
    dice = np.random.default_rng(7)
    counts = [0, 0]
    for _ in range(20_000):
        a, b = a_limb(dice), a_limb(dice)
        up = vec(dice.normal(size=3))
        length = distance(up, (0.0, 0.0, 0.0))
        up = (up[0] / length, up[1] / length, up[2] / length)
        x = any_normal(up)
        is_near, _, _ = part(limb_at(a), limb_at(b), x, cross(up, x), 1.0)
        is_far = have_far_balls(a, b, up)
        assert not (is_near and is_far)
        counts[0] += is_near
        counts[1] += is_far
    assert min(counts) > 1000  # both happened

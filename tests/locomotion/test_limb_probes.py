"""Bones are looked after: shins of standing feet, and hips over the ground."""

import numpy as np
import pytest

from creature_sim.components import FLYING, STANDING, HitRecord, zeros
from creature_sim.locomotion.braking import MEETS_SOON, wait
from creature_sim.locomotion.limb_probes import (
    EVERY,
    PAD,
    probe_hip,
    probe_shin,
    sides_in_ground,
)
from creature_sim.locomotion.rays import ONCE, Rays
from creature_sim.locomotion.slots import SHIN_RAYS, along_shin_slot, hip_slot, slot_count
from creature_sim.locomotion.stature import HIPS, rise_of_hips
from creature_sim.locomotion.urgency import CROWDED, urgency_of
from creature_sim.maths import put
from tests.locomotion.test_footholds import DT, Standing

LEG = 2
UNSOLVED = np.zeros((4, 3))
LOOKS = EVERY - LEG - EVERY // 2  # an age at which it looks along bones


def rays_of(standing: Standing) -> Rays:
    """Room for the rays of a creature."""
    count = slot_count(1, len(standing.plan.legs))
    return Rays(np.zeros((count, 3)), np.zeros((count, 3)), np.zeros(count, np.int64))


@pytest.mark.slow
def test_rays_run_along_the_sides_of_a_shin() -> None:
    standing = Standing()
    leg, foot = standing.plan.legs[LEG], standing.feet[0, LEG]
    standing.gaits[0].age = LOOKS
    put(foot.position, (leg.home[0], leg.home[1] + 0.1 * leg.side, 0.0))  # it leans to the hip
    rays, slot = rays_of(standing), along_shin_slot(1, len(standing.plan.legs), LEG)
    probe_shin(standing.creature, rays, UNSOLVED, LEG, DT)
    for k in range(slot, slot + SHIN_RAYS):
        assert rays.is_active[k] == ONCE
        along = rays.start[k] - rays.end[k]
        beside = np.cross(foot.position - rays.end[k], along) / np.linalg.norm(along)
        assert np.linalg.norm(along) == pytest.approx(leg.shank - PAD * leg.reach)
        assert np.linalg.norm(beside) == pytest.approx(leg.foot_radius)
        assert along[1] * leg.side < 0.0
    assert rays.end[slot + SHIN_RAYS - 1, 2] < PAD * leg.reach


def test_each_bone_is_looked_at_once_in_so_many_ticks() -> None:
    standing = Standing()
    count = len(standing.plan.legs)
    rays, shin, hip = rays_of(standing), along_shin_slot(1, count, LEG), hip_slot(1, count, LEG)
    cast = []
    for _ in range(2 * EVERY):
        standing.gaits[0].age += 1
        probe_shin(standing.creature, rays, UNSOLVED, LEG, DT)
        probe_hip(standing.creature, rays, LEG)
        cast.append((rays.is_active[shin] != 0, rays.is_active[hip] != 0))
    assert np.sum(cast, axis=0).tolist() == [2, 2]


def test_feet_in_the_air_are_looked_at_where_they_will_land() -> None:
    standing = Standing()
    standing.feet[0, LEG].phase = FLYING
    standing.gaits[0].age = LOOKS
    rays, slot = rays_of(standing), along_shin_slot(1, len(standing.plan.legs), LEG)
    probe_shin(standing.creature, rays, UNSOLVED, LEG, DT)
    for k in range(slot, slot + SHIN_RAYS):
        assert rays.is_active[k] == ONCE
        assert np.linalg.norm(rays.end[k] - standing.feet[0, LEG].goal) < 0.1


def test_each_side_is_remembered_until_it_is_looked_at_again() -> None:
    hits = zeros(HitRecord, SHIN_RAYS)
    hits[1].is_hit = 1
    looks = np.array([0, 1, 0, 1])
    sides = sides_in_ground(0, looks, hits)
    assert sides == 0b0010
    assert sides_in_ground(sides, np.array([1, 0, 0, 1]), hits) == 0b0010
    hits[1].is_hit = 0
    assert sides_in_ground(sides, looks, hits) == 0


@pytest.mark.slow
def test_a_foot_whose_shin_meets_the_ground_soon_steps_early() -> None:
    standing = Standing()
    standing.body.velocity[0] = standing.gaits[0].pace = 0.5
    standing.feet[0, LEG].position[0] -= 0.1
    calm, _ = urgency_of(standing.creature, LEG, DT)
    standing.footholds[0, LEG].is_blocked = 1
    urgent, _ = urgency_of(standing.creature, LEG, DT)
    assert 0.1 < calm < 1.0 < CROWDED == urgent


@pytest.mark.parametrize(
    ("sides", "urgency", "phase", "stays"),
    [
        (1, CROWDED, FLYING, True),
        (MEETS_SOON, CROWDED, FLYING, False),
        (1, 0.5, FLYING, False),
        (1, CROWDED, STANDING, False),
    ],
)
def test_a_body_stays_where_a_foot_with_its_shin_in_the_ground_waits_for_others(
    sides: int, urgency: float, phase: int, stays: bool
) -> None:
    standing = Standing()
    standing.body.velocity[0] = standing.gaits[0].pace = 0.01
    standing.footholds[0, LEG].is_blocked = sides
    standing.feet[0, LEG].urgency = urgency
    standing.feet[0, 0].phase = phase
    for _ in range(2):
        wait(standing.creature, 0, 1.0, DT)
        assert standing.body.velocity[0] == (0.0 if stays else 0.01)
        standing.body.velocity[0] = 0.01  # as its driver would have it
        standing.gaits[0].pace = 0.0 if stays else 0.01


def test_hips_rise_over_the_ground_below_them_and_only_then() -> None:
    standing = Standing()
    assert rise_of_hips(standing.creature, 0) == -np.inf
    leg, foothold = standing.plan.legs[LEG], standing.footholds[0, LEG]
    height = float(standing.body.position[2] + leg.mount[2])
    foothold.is_over = 1
    put(foothold.under, (leg.mount[0], leg.mount[1], height - 0.01))
    assert rise_of_hips(standing.creature, 0) == pytest.approx(HIPS * leg.hip_radius - 0.01)
    put(foothold.under, (leg.mount[0], leg.mount[1], 0.0))
    assert rise_of_hips(standing.creature, 0) < -0.1

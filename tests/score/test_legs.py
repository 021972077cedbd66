"""Legs in legs, in the body and in props, and feet that leave what moves: what counts, what not."""

from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

from creature_sim.components import PropRecord, zeros
from creature_sim.definitions import PropDef
from creature_sim.maths import Floats
from creature_sim.props.shapes import solids_of
from creature_sim.score import Surface, Track, Walk
from creature_sim.score.bones import bones_in_ground
from creature_sim.score.motion import contact_speed, foot_peaks
from creature_sim.score.overlap import body_depths, leg_depths, self_overlap
from creature_sim.score.track import PropsTrack
from tests.rays import rays_on
from tests.score.test_score import walked


def short(creature: str) -> Track:
    """The first 3 s of a walk on level ground."""
    _, track = walked(creature)
    values = {field.name: getattr(track, field.name) for field in fields(track)}
    ticks: dict[str, Any] = {
        name: value[:180]
        for name, value in values.items()
        if isinstance(value, np.ndarray) and len(value) == len(track.tips)
    }
    return replace(track, **ticks)


def surface(creature: str) -> Surface:
    world, _ = walked(creature)
    return Surface(rays_on(world.terrain, world.seed))


def among(track: Track, prop: PropDef, places: Floats) -> Track:
    """The track with a prop that nobody minds, at (T, 3) [m]."""
    records: Any = np.array([zeros(PropRecord, 1) for _ in places])
    records["position"][:, 0] = places
    records["orientation"][:, 0, 3] = 1.0
    return replace(track, props=PropsTrack(solids_of((prop,)), records))


def bundled(track: Track, leg: int, other: int, bone: int, of_other: int, tick: int) -> Track:
    """The track with a bone of a leg where one of another leg is, for a tick."""
    joints = track.joints.copy()
    joints[tick, leg, bone : bone + 2] = joints[tick, other, of_other : of_other + 2]
    return replace(track, joints=joints)


@pytest.mark.slow
def test_a_bone_within_another_is_as_deep_as_both_are_thick() -> None:
    track = short("hexapod")
    assert leg_depths(track).max() < 0.0
    radii = track.plan.radii
    found = leg_depths(bundled(track, 0, 2, 2, 2, 90))
    assert found[90] == pytest.approx(radii[0, 2] + radii[2, 2])
    assert np.delete(found, 90).max() < 0.0


def test_first_bones_count_against_each_other_where_hips_are_apart() -> None:
    track = short("hexapod")
    plan = track.plan
    found = leg_depths(bundled(track, 0, 2, 0, 0, 90))
    assert found[90] == pytest.approx(plan.radii[0, 0] + plan.radii[2, 0])
    beside = plan.legs.copy()
    beside["mount"][2] = beside["mount"][0] + (0.01, 0.0, 0.0)
    near = replace(bundled(track, 0, 2, 0, 0, 90), plan=replace(plan, legs=beside))
    assert leg_depths(near)[90] < plan.radii[0, 0] + plan.radii[2, 0] - 0.002


def test_a_leg_through_the_body_counts_but_for_its_first_bone() -> None:
    track = short("hexapod")
    assert body_depths(track).max() < 0.0
    joints = track.joints.copy()
    joints[90, 0, 2] = track.position[90]
    assert body_depths(replace(track, joints=joints))[90] > 0.05
    joints = track.joints.copy()
    joints[90, 0, 0] = track.position[90]  # the hip in the middle: the first bone only
    assert body_depths(replace(track, joints=joints))[90] < 0.0


def test_a_lost_leg_may_be_anywhere() -> None:
    track = bundled(short("hexapod"), 0, 2, 2, 2, 90)
    assert (self_overlap(Walk(track)).value or 0.0) > 0.0
    lost = np.zeros_like(track.is_lost)
    lost[:, 0] = True
    assert self_overlap(Walk(replace(track, is_lost=lost))).value == 0.0


@pytest.mark.parametrize("place", ["beside the knee", "around the leg"])
def test_bones_in_props_count_where_the_props_are(place: str) -> None:
    track, ground = short("hexapod"), surface("hexapod")
    assert bones_in_ground(Walk(track, ground)).value == 0.0
    knees = track.joints[:, 0, 2]
    radius = float(track.plan.radii[0, 2])
    if place == "around the leg":
        ball, offset = PropDef(shape="ball", radius=0.1, position=(0.0, 0.0, 0.5)), 0.0
    else:
        ball, offset = PropDef(shape="ball", radius=0.05, position=(0.0, 0.0, 0.5)), 0.04 + radius
    places = knees + offset * track.ahead
    places[90:] += (0.0, 0.0, 50.0)
    metric = bones_in_ground(Walk(among(track, ball, places), ground))
    assert metric.verdict == "fail"
    assert metric.value == pytest.approx(0.5)


def test_the_end_of_a_leg_is_its_foot() -> None:
    track, ground = short("hexapod"), surface("hexapod")
    sunk = track.joints.copy()
    ups = track.ups_at(sunk[:, :, -1])
    sunk[:, :, -1] -= 0.01 * track.reach[:, None] * ups  # the pad hides it
    assert bones_in_ground(Walk(replace(track, joints=sunk), ground)).value == 0.0
    sunk[:, :, -1] -= 0.1 * track.reach[:, None] * ups
    assert bones_in_ground(Walk(replace(track, joints=sunk), ground)).verdict == "fail"


def test_a_foot_that_leaves_what_moves_along_with_it_has_no_speed() -> None:
    track = short("hexapod")
    still = contact_speed(Walk(track))
    drift = np.linspace(0.0, 6.0, len(track.tips))[:, None] * np.array((1.0, 0.0, 0.0))
    joints = track.joints + drift[:, None, None]
    box = PropDef(shape="box", size=(9.0, 9.0, 0.1), position=(0.0, 0.0, -0.05))
    carried = among(replace(track, joints=joints), box, drift)
    carried = replace(carried, foot_prop=np.zeros_like(track.foot_prop))
    assert contact_speed(Walk(carried)).value == pytest.approx(still.value, abs=1e-6)
    slips = replace(carried, foot_prop=np.full_like(track.foot_prop, -1))
    assert (contact_speed(Walk(slips)).value or 0.0) > 0.5


@pytest.mark.parametrize(("fraction", "is_met"), [(0.0625, False), (0.1875, True)])
def test_a_prop_at_a_foot_is_in_no_bone(fraction: float, is_met: bool) -> None:
    """A sample of `Walk.bone_heights` lies in it: the last one is on the foot."""
    track, ground = short("hexapod"), surface("hexapod")
    knees, tips = track.joints[:, 0, -2], track.joints[:, 0, -1]
    ball = PropDef(shape="ball", radius=0.01, position=(0.0, 0.0, 0.5))
    walk = Walk(among(track, ball, tips + fraction * (knees - tips)), ground)
    assert walk.bone_heights.min() < 0.0
    assert (bones_in_ground(walk).value == 1.0) == is_met


def test_small_legs_are_judged_as_large_ones_are() -> None:
    """Lengths of a quarter in half the time: speeds halve as sqrt(g L) does."""
    track = short("hexapod")
    small = replace(track, joints=0.25 * track.joints, tick_rate=2 * track.tick_rate)
    vars(small)["reach"] = 0.25 * track.reach
    large = foot_peaks(Walk(track))
    assert foot_peaks(Walk(small)).value == pytest.approx(large.value)
    assert foot_peaks(Walk(small)).reason == large.reason


def test_who_never_steps_has_no_speed_of_feet() -> None:
    track = short("hexapod")
    stands = replace(track, is_swinging=np.zeros_like(track.is_swinging))
    assert foot_peaks(Walk(stands)).verdict == "n/a"
    assert contact_speed(Walk(stands)).verdict == "n/a"

"""Joints read off poses: the angles that the solver says, and its limits."""

from dataclasses import replace

import numpy as np
import pytest

from creature_sim.definitions.hinging import BALL, UNIVERSAL
from creature_sim.library.loader import builtin_names
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.score import Track, Walk, tracks
from creature_sim.score.joints import bends_of, joint_limits
from creature_sim.score.reading import Flags
from creature_sim.snapshots.snapshot import Snapshot
from tests.scenes import scene, walk


def walked(world: str, creature: str, seconds: int) -> tuple[list[Snapshot], Track]:
    made = scene(world, creature)
    seen = list(walk(made, seconds * made.tick_rate))
    (track,) = tracks(seen, made.tick_rate)
    return seen, track


@pytest.mark.slow
@pytest.mark.parametrize("creature", builtin_names("creature"))
def test_angles_of_poses_are_those_of_the_solver(creature: str) -> None:
    seen, track = walked("stairs", creature, 5)
    told = np.array([state.creatures[0].herd.parts["leg_chain"]["angles"][0] for state in seen])
    for leg, joints in enumerate(track.definition.leg_joints):
        bent, own = bends_of(track, leg), told[:, leg, : len(joints), 0]
        if joints[0].kind == BALL:
            bent, own = replace(bent, angles=bent.angles[:, 1:]), own[:, 1:]
        elif joints[0].kind == UNIVERSAL:
            own = np.concatenate((told[:, leg, :1, 1], own[:, 1:]), axis=1)
        assert abs(bent.angles - own).max() < 1e-9
        assert bent.excess.max() < 1e-9


def turned_leg(track: Track, leg: int, angle: float) -> Track:
    """The track with a leg turned about the up of its segment, at its hip."""
    segment = track.definition.all_legs[leg].segment
    frame = rotation_matrices(track.orientations[:, segment])
    sine, cosine = np.sin(angle), np.cos(angle)
    turn = np.array([(cosine, -sine, 0.0), (sine, cosine, 0.0), (0.0, 0.0, 1.0)])
    joints = track.joints.copy()
    hip = joints[:, leg, :1]
    about = frame @ turn @ np.swapaxes(frame, 1, 2)
    joints[:, leg] = hip + np.einsum("tij,tkj->tki", about, joints[:, leg] - hip)
    return replace(track, joints=joints)


@pytest.mark.parametrize("creature", ["hexapod", "spider8"])
def test_a_leg_that_is_turned_as_a_whole_is_beyond_the_limits_of_its_hip_alone(
    creature: str,
) -> None:
    _, track = walked("meadow", creature, 2)
    joint = track.definition.leg_joints[1][0]
    before = bends_of(track, 1)
    after = bends_of(turned_leg(track, 1, 1.2), 1)
    beyond = np.maximum(0.0, before.angles[:, 0] + 1.2 - joint.hi)
    assert beyond.max() > 0.1
    assert after.excess[:, 0] == pytest.approx(beyond, abs=1e-9)
    assert after.excess[:, 1:].max() < 1e-9
    assert after.angles[:, 1:] == pytest.approx(before.angles[:, 1:], abs=1e-9)


def test_a_ball_that_is_twisted_or_swung_too_far_is_beyond_its_limits() -> None:
    _, track = walked("meadow", "biped", 2)
    found = [bends_of(turned_leg(track, 0, angle), 0).excess for angle in (0.0, 1.5)]
    assert found[0].max() < 1e-9
    assert found[1][:, 0].min() > 0.1
    assert found[1][:, 1].max() < 1e-9


def test_a_knee_that_flips_to_the_other_side_is_beyond_its_limits() -> None:
    _, track = walked("meadow", "biped", 2)
    joints = track.joints.copy()
    hip, knee, ankle = (joints[:, 0, k] for k in range(3))
    along = (ankle - hip) / np.linalg.norm(ankle - hip, axis=1)[:, None]
    foot = ((knee - hip) * along).sum(axis=1)[:, None] * along + hip
    joints[60:, 0, 1] = (2.0 * foot - knee)[60:]
    flipped = replace(track, joints=joints)
    excess = bends_of(flipped, 0).excess
    assert excess[:60].max() < 1e-9
    assert excess[60:].max(axis=1).min() > 0.1
    assert joint_limits(Walk(flipped)).verdict == "fail"


def test_a_lost_leg_and_a_reset_have_no_speed() -> None:
    _, track = walked("meadow", "hexapod", 2)
    joints = track.joints.copy()
    joints[60, 0, 2] += (0.0, 0.0, 0.1)
    jumps = replace(track, joints=joints)
    assert (joint_limits(Walk(jumps)).value or 0.0) > 0.0
    lost: Flags = np.zeros_like(track.is_lost)
    lost[:, 0] = True
    assert joint_limits(Walk(replace(jumps, is_lost=lost))).value == 0.0
    age = track.age.copy()
    age[60:62] = 0
    assert joint_limits(Walk(replace(jumps, age=age))).value == 0.0

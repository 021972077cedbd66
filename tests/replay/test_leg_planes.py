"""Joints that are written in the planes of their legs come back, wherever the legs go."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.drivers import make_driver
from creature_sim.replay import pose_codec
from creature_sim.simulation import Simulation
from creature_sim.snapshots.hashes import link_ticks
from creature_sim.snapshots.poses import pose_of
from tests.replay.messages import joint_rounding, pose_table
from tests.scenes import CREATURES, scene


@pytest.mark.slow
@pytest.mark.parametrize("creature", CREATURES)
def test_joints_of_a_walk_come_back_in_either_format(creature: str) -> None:
    world = scene("hills", creature)
    scale = pose_codec.per_metre(world)
    with Simulation(world) as simulation:
        drive = make_driver(world, "forward 9")
        for _ in range(90):
            simulation.step(drive(simulation.snapshot))
            pose = pose_of(simulation.snapshot)
            (known,) = pose.herds
            for version in ("5", "6"):
                data = pose_codec.encode_pose(pose, scale, version)
                (found,) = pose_codec.decode_pose(data, world, version).herds
                far = np.abs(known.joints - known.positions[:, None, None, 0]).max()
                error = np.abs(found.joints - known.joints).max()
                assert error <= joint_rounding(world, 2.0 * far)


def test_a_leg_that_bends_in_one_plane_does_not_leave_it() -> None:
    world = scene("hills", "hexapod")
    with Simulation(world) as simulation:
        for _ in range(30):
            simulation.step()
        pose = pose_of(simulation.snapshot)
    table = pose_table(pose_codec.encode_pose(pose, 10_000))
    legs = np.array([leg["joints"] for leg in table["creatures"][0]["legs"]], np.int64)
    behind_hips = legs.reshape(len(legs), -1, 3)[:, 1:]
    assert np.abs(behind_hips[..., 1]).max() <= 20  # 2 mm
    assert behind_hips[:, -1, 0].min() > 500  # and goes out


def test_a_leg_that_hangs_straight_down_comes_back() -> None:
    world = scene("hills", "hexapod")
    with Simulation(world) as simulation:
        pose = pose_of(simulation.snapshot)
    (herd,) = pose.herds
    joints, orientations = np.array(herd.joints), np.array(herd.orientations)
    orientations[:] = (0.0, 0.0, 0.0, 1.0)
    joints[..., :2] = np.round(joints[..., :1, :2], 4)  # below its hip, on whole grains
    joints[..., 1, 0] += 0.03
    herd.positions[...] = np.round(herd.positions, 4)
    hanging = type(herd)(**{**vars(herd), "joints": joints, "orientations": orientations})
    data = pose_codec.encode_pose(type(pose)(**{**vars(pose), "herds": (hanging,)}), 10_000)
    (found,) = pose_codec.decode_pose(data, world).herds
    assert np.abs(found.joints - joints).max() <= joint_rounding(world, 1.0)


words = st.integers(0, 2**64 - 1)


@given(st.lists(st.lists(words, min_size=4, max_size=4), min_size=2, max_size=8), st.data())
def test_a_chain_is_the_same_however_ticks_are_batched(
    rows: list[list[int]], data: st.DataObject
) -> None:
    table = np.array(rows, np.uint64)
    inputs, values = np.ascontiguousarray(table[:, 0]), np.ascontiguousarray(table[:, 1:])
    whole = np.empty(len(rows), np.uint32)
    link_ticks(whole, 7, inputs, values)
    cut = data.draw(st.integers(1, len(rows) - 1))
    first, second = np.empty(cut, np.uint32), np.empty(len(rows) - cut, np.uint32)
    link_ticks(first, 7, inputs[:cut], values[:cut])
    link_ticks(second, int(first[-1]), inputs[cut:], values[cut:])
    assert [*first, *second] == list(whole)
    tick, word = data.draw(st.integers(0, len(rows) - 1)), data.draw(st.integers(0, 3))
    changed = np.array(table)
    changed[tick, word] ^= np.uint64(1 << data.draw(st.integers(0, 63)))
    other = np.empty(len(rows), np.uint32)
    link_ticks(other, 7, np.ascontiguousarray(changed[:, 0]), np.ascontiguousarray(changed[:, 1:]))
    assert (other[:tick] == whole[:tick]).all()
    assert (other[tick:] != whole[tick:]).any()

"""Files of an older format play, are proven, cut and joined as before."""

import zlib
from pathlib import Path

import numpy as np
import pytest

from creature_sim.replay import Replay, open_replay, verify
from creature_sim.replay.pieces import concat, trim
from creature_sim.replay.recorder import record
from creature_sim.replay.verify import why_not
from tests.replay.messages import joint_rounding

FIFTH = Path(__file__).parent / "files" / "format-5.mcap"
"""A second of a hexapod on hills."""
ARM = 1.0
"""No joint is farther from its body [m]."""


def packed_poses(replay: Replay) -> int:
    """Size of all poses of a recording, compressed [bytes]."""
    poses = replay.poses
    return len(zlib.compress(b"".join(poses.raw(index) for index in range(len(poses)))))


def test_a_file_of_format_5_is_shown_and_proven() -> None:
    replay = open_replay(FIFTH)
    assert replay.metadata["format"] == "5"
    assert (replay.ticks, len(replay.poses)) == (70, 36)
    for pose in replay.poses:
        (herd,) = pose.herds
        lengths = np.linalg.norm(np.diff(herd.joints, axis=2), axis=-1)
        (legs,) = (species.all_legs for species in replay.world.species.values())
        expected = [leg.bones for leg in legs]
        assert np.abs(lengths[0] - expected).max() < 4.0 * joint_rounding(replay.world, ARM)
    result = verify(replay)
    assert result.ok is (None if why_not(replay) else True)


@pytest.mark.slow
def test_a_file_of_format_5_is_cut_and_joined(tmp_path: Path) -> None:
    replay = open_replay(FIFTH)
    trim(replay, tmp_path / "begin.mcap", 0, 30)
    if why_not(replay):
        pytest.skip("newer kernels make no keyframe of it")
    trim(replay, tmp_path / "end.mcap", 30, 70)
    parts = [open_replay(tmp_path / name) for name in ("begin.mcap", "end.mcap")]
    assert [part.metadata["format"] for part in parts] == ["5", "5"]
    concat(parts, tmp_path / "whole.mcap")
    whole = open_replay(tmp_path / "whole.mcap")
    assert whole.digests[:] == replay.digests[:]
    assert verify(whole).ok


@pytest.mark.slow
def test_a_newer_file_of_the_same_run_shows_the_same_and_is_smaller(tmp_path: Path) -> None:
    old, path = open_replay(FIFTH), tmp_path / "new.mcap"
    if why_not(old):
        pytest.skip("newer kernels walk in another way")
    record(old.start, path, old.ticks)
    new = open_replay(path)
    assert new.metadata["format"] != "5"
    assert verify(new).digest == verify(old).digest
    assert packed_poses(new) < 0.85 * packed_poses(old)
    for mine, theirs in zip(new.poses, old.poses, strict=True):
        for a, b in zip(mine.herds, theirs.herds, strict=True):
            for name in ("positions", "orientations", "normals", "headings", "goals", "footholds"):
                assert np.array_equal(getattr(a, name), getattr(b, name))
            assert np.array_equal(a.joints[..., -1, :], b.joints[..., -1, :])
            assert np.abs(a.joints - b.joints).max() < 2.0 * joint_rounding(new.world, ARM)

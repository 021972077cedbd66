"""Runs as Biovision Hierarchy, read back by a reader of our own."""

from pathlib import Path

import numpy as np
import pytest

from creature_sim.drivers import make_driver
from creature_sim.export import names
from creature_sim.replay import Replay, open_replay, record
from creature_sim.snapshots.poses import pose_of
from tests.commands import sim
from tests.export.bvhs import Bvh
from tests.export.recordings import COMES, GOES, joint_error, with_changes
from tests.marks import quick_of
from tests.scenes import scene

REPLAYS = Path(__file__).parents[2] / "replays"
NEAR = 1e-4
"""Joints are as near to those of the run [m]."""


def written(recording: Path, *words: str) -> Bvh:
    folder = recording.parent
    done = sim("export", recording.name, "-o", "out.bvh", "--force", *words, cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return Bvh(folder / "out.bvh")


def check(file: Bvh, replay: Replay, number: int, first: int, every: int) -> None:
    """Compare all joints of a creature in all frames with the run."""
    poses = [pose_of(state) for state in replay.rerun()]
    plan = replay.world.species_of(replay.world.creatures[number])
    for frame in range(len(file.frames)):
        creature = poses[first + frame * every].creature(number)
        assert joint_error(file.positions(frame), plan, creature) < NEAR


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", quick_of(("hexapod", "biped", "spider8", "centipede"), "hexapod", "centipede")
)
def test_joints_are_those_of_the_run(name: str, tmp_path: Path) -> None:
    world = scene("hills", name)
    record(world, tmp_path / "walk.mcap", 90, driver=make_driver(world))
    file = written(tmp_path / "walk.mcap")
    assert file.names[0] == "body"
    assert file.channels[0][:3] == ["Xposition", "Yposition", "Zposition"]
    assert all(len(channels) == 3 for channels in file.channels[1:])
    assert len(file.frames) == 46
    assert file.frame_time == pytest.approx(1 / 30, abs=1e-8)
    check(file, open_replay(tmp_path / "walk.mcap"), 0, 0, 2)


@pytest.mark.slow
def test_angles_have_no_jumps(tmp_path: Path) -> None:
    world = scene("hills", "hexapod")
    record(world, tmp_path / "turn.mcap", 500, driver=make_driver(world, "left 20"))
    file = written(tmp_path / "turn.mcap")
    assert np.abs(np.diff(file.frames, axis=0)).max() < 60.0
    assert np.ptp(file.frames[:, 5]) > 300.0  # it has turned about, and the angle goes on


@pytest.mark.slow
def test_frames_lie_on_ticks(tmp_path: Path) -> None:
    world = scene("hills", "hexapod")
    record(world, tmp_path / "walk.mcap", 60, driver=make_driver(world))
    assert len(written(tmp_path / "walk.mcap", "--fps", "20", "--to", "0.5").frames) == 11
    done = sim("export", "walk.mcap", "-o", "no.bvh", "--fps", "24", cwd=tmp_path)
    assert done.returncode == 2
    assert "--fps: expected 60 divided by a whole number" in done.stderr
    assert not (tmp_path / "no.bvh").exists()


@pytest.mark.slow
def test_of_several_creatures_one_is_written_while_it_is_there(tmp_path: Path) -> None:
    replay = open_replay(with_changes(tmp_path / "changes.mcap"))
    done = sim("export", "changes.mcap", "-o", "no.bvh", cwd=tmp_path)
    assert done.returncode == 2
    assert "--creature: expected the number of one creature" in done.stderr
    file = written(tmp_path / "changes.mcap", "--creature", "1", "--fps", "60")
    assert len(file.frames) == GOES - COMES
    check(file, replay, 1, COMES + 1, 1)


@pytest.mark.parametrize("name", ["arm", "humanoid"])
def test_chains_and_trees_have_their_joints(name: str, tmp_path: Path) -> None:
    (tmp_path / "rig.mcap").write_bytes((REPLAYS / f"{name}.mcap").read_bytes())
    file = written(tmp_path / "rig.mcap")
    replay = open_replay(tmp_path / "rig.mcap")
    labels = names.rig_joint_names(replay.world.rigs[0])
    for frame, state in enumerate(list(replay.rerun())[::2]):
        found = file.positions(frame)
        joints = np.array([found[label] for label in labels])
        assert np.abs(joints - state.chains[0].joints).max() < NEAR

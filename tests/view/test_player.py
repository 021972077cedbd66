"""Recorded poses that are played, scrubbed and compared."""

import numpy as np
import pytest

from creature_sim.errors import DefinitionError
from creature_sim.library.loader import load_world
from creature_sim.snapshots.poses import Step
from creature_sim.view.shows.player import ReplayShow
from tests.shows import Recorded, moved, replay_show


def test_replay_plays_pauses_changes_speed_and_scrubs() -> None:
    show = replay_show(61, step=6)  # 6 s, ten poses a second
    assert show.advance(0.05).tick == pytest.approx(3.0)
    x = [float(show.advance(1 / 60).creatures[0].position[0]) for _ in range(30)]
    assert np.diff(x) == pytest.approx(np.full(29, 0.01))  # smooth between the recorded poses
    show.press("pause", False)
    tick = show.playhead.tick
    show.advance(1.0)
    assert show.playhead.tick == tick
    show.press("skip", True)
    show.release("skip")
    assert show.playhead.tick == pytest.approx(tick + 300.0)
    show.press("rewind", False)
    assert show.playhead.tick == pytest.approx(tick + 240.0)
    show.advance(0.5)  # held: it repeats
    assert show.playhead.tick == pytest.approx(tick + 180.0)
    show.release("rewind")
    for action, speed in [("faster", 8.0), ("slower", 0.1)]:
        for _ in range(10):
            show.press(action, False)
        assert show.playhead.speed == speed
    show.scrub(0.5)
    assert show.playhead.tick == 180.0
    assert show.timeline == 0.5
    show.press("last", False)
    assert show.timeline == 1.0
    show.press("pause", False)  # from the end: from the start again
    assert show.playhead.tick == 0.0


def test_replay_jumps_where_the_creature_was_put_elsewhere() -> None:
    poses = [moved(tick, 0.01 * tick if tick < 60 else 0.01 * (tick - 60)) for tick in range(120)]
    poses = [
        moved(t, p.creatures[0].position[0] + (9.0 if t < 60 else 0.0)) for t, p in enumerate(poses)
    ]
    show = ReplayShow(Recorded(load_world("meadow"), 60, poses))
    show.playhead.tick = 59.5
    assert float(show.pose.creatures[0].position[0]) == pytest.approx(9.59)


def test_a_loop_starts_again_and_ghosts_follow() -> None:
    show = replay_show(61, step=6)
    show.press("loop", False)
    show.press("ghosts", False)
    show.scrub(0.5)
    assert [ghost.pose.tick for ghost in show.ghosts] == pytest.approx([156, 132, 108, 84, 60])
    show.scrub(0.99)
    show.advance(0.1)
    assert not show.playhead.is_paused
    assert show.playhead.tick == 0.0
    assert list(show.ghosts) == []


def test_two_replays_run_over_each_other_or_side_by_side_on_one_ground_only() -> None:
    poses = [moved(6 * i, 0.06 * i) for i in range(61)]
    faster = [moved(6 * i, 0.09 * i) for i in range(61)]
    show = ReplayShow(
        Recorded(load_world("meadow"), 60, poses), Recorded(load_world("meadow"), 60, faster)
    )
    show.scrub(0.5)
    (ghost,) = show.ghosts
    assert ghost.pose.tick == show.playhead.tick
    assert "meadow (2) is 0.90 m away" in show.status
    assert show.beside is None
    show.press("beside", False)
    assert list(show.ghosts) == []
    assert show.beside is not None
    assert show.beside.pose.tick == show.playhead.tick
    assert show.beside.pose.positions[0, 0] == pytest.approx(2.7)
    with pytest.raises(DefinitionError, match="same ground"):
        ReplayShow(
            Recorded(load_world("meadow"), 60, poses), Recorded(load_world("hills"), 60, poses)
        )


def test_steps_are_ticks_on_the_bar() -> None:
    steps = (Step(30, 0, 1, "phase", 0.9), Step(45, 0, 2, "phase", 0.9), Step(45, 0, 0, "", 0.9))
    poses = [moved(i, 0.0) for i in range(61)]
    show = ReplayShow(Recorded(load_world("meadow"), 60, poses, steps))
    assert show.step_fractions == [0.5, 0.75]
    assert show.step_fractions is show.step_fractions


def test_a_replay_of_one_pose_is_shown() -> None:
    show = replay_show(1)
    assert show.advance(1.0).tick == 0.0
    assert show.timeline == 1.0
    assert "hexapod" in show.status

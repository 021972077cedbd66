"""Keys, the clock, and a simulation that advances in real time."""

import numpy as np
import pytest

from creature_sim.drivers import make_driver
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation
from creature_sim.view.shows.controls import CONTROLS, actions_by_key, controls_of
from creature_sim.view.shows.keyboard import Keyboard
from creature_sim.view.shows.live import LiveShow
from creature_sim.view.shows.ticks import LONGEST_FRAME, TickClock
from tests.scenes import herd
from tests.shows import STILL, WALKING, no_snapshot, replay_show

OF_THE_WINDOW = {
    "camera",
    "feet",
    "support",
    "zones",
    "rays",
    "reasons",
    "gait",
    "metrics",
    "panel",
    "overlay",
    "shadows",
    "help",
    "close",
    "zoom",
    "orbit",
}

OF_THE_PRESENT = {"rays", "metrics", "panel"}
"""What a replay does not have."""


def test_every_action_is_listed_and_every_listed_action_is_understood() -> None:
    with Simulation(load_world("meadow")) as simulation:
        live = LiveShow(simulation)
    for show in (live, replay_show(2)):
        listed = {control.action for control in controls_of(show.mode)}
        assert listed == OF_THE_WINDOW - (set() if show is live else OF_THE_PRESENT) | show.actions


def test_no_key_means_two_things_and_every_control_is_explained() -> None:
    for mode in ("live", "replay"):
        keys = [key for control in controls_of(mode) for key in control.keys]
        assert len(keys) == len(set(keys)) == len(actions_by_key(mode))
    assert all(control.label and control.meaning for control in CONTROLS)


def test_held_keys_become_axes_and_opposite_ones_cancel() -> None:
    keyboard = Keyboard(2)
    snapshot = no_snapshot(2)
    keyboard.press("forward")
    keyboard.press("left")
    assert keyboard(snapshot).commands == ((WALKING, WALKING, 0, 0), STILL)
    keyboard.press("right")
    assert keyboard(snapshot).commands[0] == (WALKING, 0, 0, 0)
    keyboard.release("forward")
    keyboard.release("right")
    assert keyboard(snapshot).commands[0] == (0, WALKING, 0, 0)
    keyboard.press("stop")
    assert keyboard(snapshot).commands[0] == STILL


def test_a_tap_between_two_ticks_counts_for_one() -> None:
    keyboard = Keyboard(1)
    keyboard.press("back")
    keyboard.release("back")
    assert keyboard(no_snapshot()).commands == ((-WALKING, 0, 0, 0),)
    assert keyboard(no_snapshot()).commands == (STILL,)


def test_a_script_drives_until_a_key_takes_the_selected_creature() -> None:
    keyboard = Keyboard(2, lambda _: Input.of([(1.0, 0.0), (0.5, 0.0)]))
    given = keyboard(no_snapshot(2)).commands
    assert given == Input.of([(1.0, 0.0), (0.5, 0.0)]).commands
    keyboard.press("stop")
    assert keyboard(no_snapshot(2)).commands == (STILL, given[1])
    keyboard.select(1)
    assert keyboard(no_snapshot(2)).commands == given  # nobody's keys: all follow the script
    keyboard.press("left")
    assert keyboard(no_snapshot(2)).commands == (given[0], (0, WALKING, 0, 0))
    keyboard.select(-1)
    assert keyboard(no_snapshot(2)).commands == (STILL, given[1])


def test_reset_is_one_event_per_creature_once() -> None:
    keyboard = Keyboard(2)
    keyboard.reset()
    assert keyboard(no_snapshot(2)).events == (Event("reset", 0), Event("reset", 1))
    assert keyboard(no_snapshot(2)).events == ()


@pytest.mark.parametrize("frame_rate", [7.0, 60.0, 144.0, 59.94])
def test_ticks_keep_up_with_time_at_any_frame_rate(frame_rate: float) -> None:
    clock = TickClock(60)
    ticks = 0
    for _ in range(round(10 * frame_rate)):
        due, dropped = clock.advance(1.0 / frame_rate)
        ticks += due
        assert dropped == 0.0
        assert 0.0 <= clock.fraction <= 1.0
    assert abs(ticks - 600 * round(10 * frame_rate) / (10 * frame_rate)) <= 1


def test_a_long_frame_is_cut_short_and_what_is_cut_is_told() -> None:
    clock = TickClock(60)
    due, dropped = clock.advance(3.0)
    assert due == round(LONGEST_FRAME * 60)
    assert dropped == pytest.approx(3.0 - LONGEST_FRAME)


@pytest.mark.slow
def test_the_frame_rate_does_not_reach_the_digest() -> None:
    digests = set()
    for seconds in (1 / 144, 1 / 60, 0.043, 0.2):
        world = load_world("hills")
        with Simulation(world) as simulation:
            show = LiveShow(simulation, make_driver(world), max_ticks=90)
            while not show.is_over:
                show.advance(seconds)
            assert simulation.tick == 90
            digests.add(simulation.digest)
    assert len(digests) == 1


@pytest.mark.slow
def test_frames_of_any_length_and_slow_ticks_do_not_reach_the_digest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = load_world("hills")
    with Simulation(world) as simulation:
        for _ in range(120):
            simulation.step(make_driver(world)(simulation.snapshot))
        wanted = simulation.digest
    generator = np.random.default_rng(8)
    with Simulation(world) as simulation:
        show = LiveShow(simulation, make_driver(world), max_ticks=120)
        clock = iter(np.arange(0.0, 1e6, 0.04))  # a computer that takes 40 ms for each tick
        monkeypatch.setattr("creature_sim.view.shows.run.perf_counter", lambda: next(clock))
        notices, frames = set(), 0
        while not show.is_over:
            before = simulation.tick
            show.advance(float(generator.choice([1e-4, 0.004, 0.017, 0.3, 5.0])))
            assert simulation.tick - before <= 4  # never more than fit into a frame: no spiral
            notices.add(show.notice)
            frames += 1
        assert simulation.digest == wanted
    assert frames > 30
    assert any("too slow for real time" in notice for notice in notices)


def test_slowness_does_not_hide_what_else_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with Simulation(load_world("meadow")) as simulation:
        show = LiveShow(simulation)
        clock = iter(np.arange(0.0, 1e6, 0.04))  # a computer that takes 40 ms for each tick
        monkeypatch.setattr("creature_sim.view.shows.run.perf_counter", lambda: next(clock))
        show.notify("not applied: a mistake", 10.0)
        show.advance(0.3)
        assert show.notice == "not applied: a mistake"
        show.advance(11.0)
        assert show.notice.startswith("too slow for real time")
        show.advance(0.3)
        assert show.notice.startswith("too slow for real time")


def test_a_pause_holds_the_moment_between_two_ticks() -> None:
    world = load_world("meadow")
    with Simulation(world) as simulation:
        show = LiveShow(simulation, make_driver(world, "forward 60"))
        for _ in range(90):
            shown = show.advance(0.7 / 60)
        show.press("pause", False)
        held = [show.advance(0.01) for _ in range(20)]
        assert {pose.tick for pose in held} == {shown.tick}
        show.press("pause", False)
        assert 0.0 < show.advance(0.5 / 60).tick - shown.tick < 1.0  # and time did not pass


def test_drawn_poses_lie_between_ticks_and_a_reset_is_not_drawn_as_a_flight() -> None:
    world = load_world("meadow")
    with Simulation(world) as simulation:
        show = LiveShow(simulation, make_driver(world, "forward 60"))
        for _ in range(200):
            show.advance(1 / 60)
        pose = show.advance(0.5 / 60)
        assert simulation.tick - 1 < pose.tick < simulation.tick
        assert pose.creatures[0].position[0] > 1.0
        show.press("reset", False)
        pose = show.advance(1 / 60)
        assert abs(float(pose.creatures[0].position[0])) < 0.1


@pytest.mark.slow
def test_after_a_reset_the_metrics_start_anew() -> None:
    world = load_world("meadow")
    with Simulation(world) as simulation:
        show = LiveShow(simulation, make_driver(world, "forward 60"))
        assert show.readings == {}  # asked for: from now on they are measured
        for _ in range(150):
            show.advance(1 / 60)
        walked = show.readings["M20"].value
        assert walked is not None
        show.press("reset", False)
        show.advance(2 / 60)
        assert show.readings == {}
        for _ in range(70):
            show.advance(1 / 60)
        assert show.readings
        for _ in range(150):
            show.advance(1 / 60)
        assert show.readings["M13"].verdict != "fail"  # no jump from where it was put back


def test_a_lost_leg_is_said_and_counted() -> None:
    world = load_world("meadow")
    with Simulation(world) as simulation:
        show = LiveShow(simulation, make_driver(world, "forward 60"))
        show.advance(2 / 60)
        assert "legs" not in show.status
        for lost, name in enumerate(("L1", "R1", "L2", "R2"), 1):
            show.press("lose", False)
            show.advance(2 / 60)
            assert show.notice == f"hexapod has lost leg {name} of 6; R gives all legs back"
            assert f"{6 - lost} of 6 legs" in show.status
        show.press("lose", False)
        assert "last two legs stay" in show.notice
        show.press("reset", False)
        show.advance(2 / 60)
        assert "legs" not in show.status


def test_legs_that_a_script_takes_are_said_too() -> None:
    world = herd("meadow", "spider4", [(0.0, 0.0), (0.0, 3.0)])
    with Simulation(world) as simulation:
        show = LiveShow(simulation, make_driver(world, "forward 0.1; lose 2; forward 5"))
        for _ in range(20):
            show.advance(1 / 60)
        assert "lost leg L2 of 4, and so have 1 more" in show.notice

"""Motions in the window: keys hold the body, the mouse says where to look."""

import numpy as np
import pytest

from creature_sim.inputs import Event
from creature_sim.simulation import Simulation
from creature_sim.view.shows.live import LiveShow
from tests.scenes import herd, scene


def run(show: LiveShow, ticks: int) -> None:
    for _ in range(ticks):
        show.advance(1 / 60)


@pytest.mark.slow
def test_keys_hold_the_body_while_its_feet_stand_and_let_it_go() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        show = LiveShow(simulation)
        run(show, 30)
        show.press("pose", is_shifted=False)
        start = simulation.snapshot.creatures[0]
        show.press("fast", is_shifted=False)
        show.press("left", is_shifted=False)
        run(show, 60)
        held = simulation.snapshot.creatures[0]
        assert 2.0 * (held.orientation[0] - start.orientation[0]) == pytest.approx(-0.25, abs=0.02)
        assert held.tips == pytest.approx(start.tips, abs=1e-9)
        show.release("left")
        run(show, 60)
        back = simulation.snapshot.creatures[0].orientation
        assert back == pytest.approx(start.orientation, abs=0.02)
        show.press("pose", is_shifted=False)
        show.press("forward", is_shifted=False)
        run(show, 120)
        walked = simulation.snapshot.creatures[0]
        assert walked.position[0] > start.position[0] + 0.3
        assert not simulation.input.events


def test_one_event_is_sent_for_every_change_and_none_between() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        show = LiveShow(simulation)
        show.press("pose", is_shifted=False)
        kinds: list[str] = []
        for tick in range(60):
            if tick == 20:
                show.press("forward", is_shifted=False)
            show.advance(1 / 60)
            kinds += [event.kind for event in simulation.input.events]
    assert kinds == ["pose", "pose"]


def test_it_looks_where_the_mouse_is_until_it_looks_ahead_again() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        show = LiveShow(simulation)
        run(show, 2)
        assert not show.follows_mouse
        show.press("look", is_shifted=False)
        assert show.follows_mouse
        show.follow((0.3, 1.0, 0.2))
        show.advance(1 / 60)
        assert simulation.input.events == (Event("look", 0, point=(0.3, 1.0, 0.2)),)
        run(show, 60)
        head = simulation.snapshot.creatures[0].herd.parts["head"]["records"][0]
        assert head["yaw"] > 0.4
        show.press("look", is_shifted=False)
        show.advance(1 / 60)
        assert simulation.input.events == (Event("look", 0),)
        assert not show.follows_mouse


def test_another_selected_creature_walks_by_the_same_keys() -> None:
    with Simulation(herd("meadow", "hexapod", [(0.0, 0.0), (0.0, 3.0)])) as simulation:
        show = LiveShow(simulation)
        run(show, 2)
        show.press("pose", is_shifted=False)
        show.press("next", is_shifted=False)
        show.press("forward", is_shifted=False)
        start = np.array([creature.position for creature in simulation.snapshot.creatures])
        run(show, 120)
        moved = np.array([creature.position for creature in simulation.snapshot.creatures]) - start
    assert np.linalg.norm(moved[0]) < 0.05
    assert moved[1, 0] > 0.3


def test_a_click_after_the_key_of_leaps_is_a_leap_and_a_refusal_is_told() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        show = LiveShow(simulation)
        run(show, 30)
        start = simulation.snapshot.creatures[0].position[0]
        show.press("leap", is_shifted=False)
        show.send((1.0, 0.0, 0.0))
        run(show, 120)
        assert simulation.snapshot.creatures[0].position[0] == pytest.approx(start + 1.0, abs=0.1)
        show.press("leap", is_shifted=False)
        show.send((20.0, 0.0, 0.0))
        show.advance(1 / 60)
        assert "too far" in show.notice
        show.send((2.0, 0.0, 0.0))  # the next click sends it on foot
        assert show.goal == (2.0, 0.0, 0.0)


@pytest.mark.slow
def test_a_foot_follows_the_mouse_and_a_click_is_a_blow() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        show = LiveShow(simulation)
        run(show, 30)
        show.press("reach", is_shifted=False)
        assert show.follows_mouse
        for x in (0.5, 0.55, 0.6):
            show.follow((x, 0.3, 0.3))
            run(show, 10)
        run(show, 60)
        tip = simulation.snapshot.creatures[0].tips[0]
        assert tip == pytest.approx((0.6, 0.3, 0.3), abs=5e-3)
        show.press("reach", is_shifted=False)
        assert not show.follows_mouse
        show.press("strike", is_shifted=False)
        show.send((0.75, 0.2, 0.1))
        run(show, 1)
        assert simulation.input.events[-1].kind == "strike"
        assert show.goal is None
        run(show, 150)
        show.press("strike", is_shifted=False)
        show.send((5.0, 0.0, 0.1))
        run(show, 1)
        assert "out of reach" in show.notice

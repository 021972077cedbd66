"""Feet that hold too little let go, and pushes tear them off."""

import numpy as np
import pytest

from creature_sim.components import REFUSALS, STANDING
from creature_sim.inputs import Event
from creature_sim.maths import Vec
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import CreatureState
from tests.climbers import CEILING, WALL, climber, go, in_room, up_of

HIGH = 1.4
HOLDS = "its feet hold it on steep ground"


def is_on_its_feet(creature: CreatureState) -> bool:
    """Whether it stands upright on the floor, and walks if told."""
    return bool(
        creature.gait["flight"] == 0
        and up_of(creature)[2] > 0.99
        and creature.position[2] < 0.4
        and np.count_nonzero(creature.feet["phase"] == STANDING) >= 4
    )


@pytest.mark.slow
@pytest.mark.parametrize(("up", "height"), [(CEILING, None), (WALL, HIGH)])
@pytest.mark.parametrize("name", ["spider8", "hexapod"])
def test_who_loses_too_many_legs_falls_and_gets_up(
    name: str, up: Vec, height: float | None
) -> None:
    world = in_room(climber(name, weight_keeps=True, grip=0.25), up=up, height=height)
    lost = 3 if name == "hexapod" else 5
    with Simulation(world) as simulation:
        assert all(state.gait["flight"] == 0 for state in go(simulation, 0.5))
        states = go(simulation, 4.0, *(Event("disable_leg", 0, leg=leg) for leg in range(lost)))
    assert any(state.gait["flight"] for state in states)
    assert states[-1].gait["flight"] == 0
    assert states[-1].position[2] < 0.4
    assert up_of(states[-1])[2] > 0.95
    lowest = min(float(state.position[2]) for state in states)
    assert lowest > 0.0


def test_without_weight_any_foot_is_enough() -> None:
    world = in_room(climber("spider8", grip=0.25), up=CEILING)
    with Simulation(world) as simulation:
        events = [Event("disable_leg", 0, leg=leg) for leg in range(5)]
        states = go(simulation, 2.0, *events)
    assert all(state.gait["flight"] == 0 for state in states)
    assert states[-1].position[2] > 2.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("velocity", "falls"),
    [
        ((3.5, 0.0, 1.0), True),
        ((0.0, 3.5, 0.0), True),
        ((0.5, 0.0, 0.0), False),
        ((-6.0, 0.0, 0.0), False),  # into the wall
    ],
)
def test_a_push_tears_off_what_it_is_stronger_than(velocity: Vec, falls: bool) -> None:
    with Simulation(in_room(climber("spider8"), up=WALL, height=HIGH)) as simulation:
        go(simulation, 0.2)
        states = go(simulation, 4.0, Event("push", 0, velocity=velocity))
    assert any(state.gait["flight"] for state in states) == falls
    if falls:
        assert is_on_its_feet(states[-1])
    else:
        assert abs(up_of(states[-1])[0]) > 0.99


def test_a_firmer_grip_holds_against_a_harder_push() -> None:
    world = in_room(climber("spider8", grip=2.0), up=WALL, height=HIGH)
    with Simulation(world) as simulation:
        states = go(simulation, 2.0, Event("push", 0, velocity=(3.5, 0.0, 1.0)))
    assert all(state.gait["flight"] == 0 for state in states)


@pytest.mark.slow
def test_below_a_low_ceiling_it_comes_down_on_its_back_and_turns_over() -> None:
    world = in_room(climber("spider8"), ceiling=0.9, up=CEILING)
    with Simulation(world) as simulation:
        states = go(simulation, 9.0, Event("push", 0, velocity=(2.0, 0.0, -3.0)))
    assert is_on_its_feet(states[-1])


@pytest.mark.parametrize(
    "event", [Event("fold", 0), Event("leap", 0, point=(0.0, 0.0, 2.4))], ids=lambda e: e.kind
)
def test_what_would_let_go_is_refused(event: Event) -> None:
    with Simulation(in_room(climber("spider8"), up=CEILING)) as simulation:
        go(simulation, 0.5)
        states = go(simulation, 2.0, event)
    assert REFUSALS[states[1].flight.refusal] == HOLDS
    assert all(state.gait["flight"] == 0 for state in states)
    assert states[-1].position[2] > 2.0


@pytest.mark.slow
def test_it_sits_and_moves_on_a_ceiling_as_on_a_floor() -> None:
    with Simulation(in_room(climber("spider8"), up=CEILING)) as simulation:
        before = go(simulation, 0.5)[-1]
        sits = go(simulation, 2.0, Event("sit", 0))[-1]
        stands = go(simulation, 2.0, Event("stand", 0))[-1]
        x, y, z = stands.feet["position"][0].tolist()
        leads = go(simulation, 1.5, Event("reach", 0, leg=0, point=(x, y, z - 0.1)))[-1]
    assert sits.position[2] > before.position[2] + 0.02
    assert abs(stands.position[2] - before.position[2]) < 0.02
    assert leads.feet["position"][0][2] < 2.38
    assert leads.position[2] > 2.0


def test_a_body_hangs_down_from_where_it_would_be() -> None:
    with Simulation(in_room(climber("spider8"), up=WALL, height=HIGH)) as simulation:
        states = go(simulation, 2.0)
    assert HIGH - 0.05 < states[-1].position[2] < HIGH - 0.003


@pytest.mark.slow
def test_below_ceilings_it_rides_lower_than_on_floors() -> None:
    heights = []
    for up in ((0.0, 0.0, 1.0), CEILING):
        with Simulation(in_room(climber("hexapod"), up=up)) as simulation:
            heights.append(float(go(simulation, 2.0)[-1].gait["ride_height"]))
    assert heights[1] < 0.9 * heights[0]

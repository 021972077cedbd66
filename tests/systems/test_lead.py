"""Feet that events lead go where they are wanted, and knees point to the targets of their poles."""

from collections.abc import Iterator

import numpy as np
import pytest

from creature_sim.components import LOST, STANDING
from creature_sim.definitions import PropDef
from creature_sim.errors import DefinitionError
from creature_sim.input_checks import Roster, check_input
from creature_sim.inputs import Event, Input
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.simulation import Simulation
from tests.scenes import scene

LEG = 2
STILL = Input.of([()])


def run(
    simulation: Simulation, ticks: int, *events: Event, forward: float = 0.0
) -> Iterator[Floats]:
    """Tips of the leg after each of so many ticks, (3,) [m, world]."""
    for tick in range(ticks):
        simulation.step(Input.of([(forward,)], events if tick == 0 else ()))
        yield simulation.snapshot.creatures[0].joints[LEG, -1].copy()


def test_a_foot_goes_softly_where_it_is_led_stays_there_and_walks_again() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        *_, start = run(simulation, 30, forward=0.5)
        goal = start + np.array([0.05, 0.05, 0.2])
        turn = (0.0, 0.0, 0.6, 0.8)
        led = Event("set_foot", 0, leg=LEG, point=tuple(goal.tolist()), rotation=turn)
        tips = np.array([start, *run(simulation, 120, led)])
        speeds = np.sqrt((np.diff(tips, axis=0) ** 2).sum(axis=1)) * 60.0
        assert speeds.max() < 1.5
        assert np.abs(np.diff(speeds)).max() < 0.35  # 2 g
        assert tips[-1] == pytest.approx(goal, abs=1e-3)
        creature = simulation.snapshot.creatures[0]
        assert creature.feet[LEG].phase == LOST  # it carries nothing
        wanted = rotation_matrices(np.array(turn))
        assert rotation_matrices(creature.foot_rotations[LEG]) == pytest.approx(wanted, abs=1e-3)
        tips = np.array(list(run(simulation, 40)))
        assert tips == pytest.approx(np.broadcast_to(goal, tips.shape), abs=2e-3)
        *_, last = run(simulation, 60, Event("set_foot", 0, leg=LEG))
        creature = simulation.snapshot.creatures[0]
        assert creature.feet[LEG].phase == STANDING
        assert last[2] < goal[2] - 0.1
        for _ in run(simulation, 120, forward=1.0):
            pass
        assert (simulation.snapshot.creatures[0].feet["phase"] != LOST).all()


def test_a_foot_that_is_led_too_far_is_at_the_nearest_point_that_its_leg_reaches() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        led = Event("set_foot", 0, leg=LEG, point=(0.0, 50.0, 0.5))
        *_, tip = run(simulation, 120, led)
        foot = simulation.snapshot.creatures[0].feet[LEG]
        assert tip == pytest.approx(foot.position, abs=1e-8)
        assert 0.4 < tip[1] < 0.9
        walked = list(run(simulation, 200, forward=1.0))
        assert walked[-1][0] > tip[0] + 0.5  # the body takes it along


def test_a_lost_leg_cannot_be_led_and_a_reset_ends_it() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        goal = (0.1, 0.6, 0.5)
        events = [
            Event("disable_leg", 0, leg=LEG),
            Event("set_foot", 0, leg=LEG, point=goal),
            Event("set_foot", 0, leg=3, point=goal),
            Event("set_pole", 0, leg=3, point=goal),
        ]
        for _ in run(simulation, 30, *events):
            pass
        targets = simulation.snapshot.herds[0].parts["leg_target"].of("records")
        assert targets["is_led"][0].tolist() == [0, 0, 0, 1, 0, 0]
        for _ in run(simulation, 1, Event("reset", 0)):
            pass
        targets = simulation.snapshot.herds[0].parts["leg_target"].of("records")
        assert not targets["is_led"].any()
        assert not targets["pole_kind"].any()


def knee(simulation: Simulation, leg: int = 0) -> Floats:
    """Unit direction of a biped's knee from the line between hip and ankle [world]."""
    hip, middle, ankle = simulation.snapshot.creatures[0].joints[leg, :3]
    line = (ankle - hip) / np.sqrt(((ankle - hip) ** 2).sum())
    out = middle - hip
    out = out - line * float(out @ line)
    found: Floats = out / np.sqrt((out**2).sum())
    return found


@pytest.mark.parametrize("carrier", ["body", "world", "prop"])
def test_the_knee_of_a_ball_hip_points_to_the_target_of_its_pole(carrier: str) -> None:
    world = scene("meadow", "biped")
    block = {"shape": "box", "motion": "static", "position": [-3.0, 1.5, 0.5], "size": [1, 1, 1]}
    world = world.model_copy(update={"props": (PropDef.model_validate(block),)})
    with Simulation(world) as simulation:
        simulation.step(STILL)
        before = knee(simulation)
        assert before[0] < -0.8  # back, as planned
        point = {"body": (-3.0, 1.5, 0.0), "world": (-3.0, 1.5, 0.4), "prop": (0.0, 0.0, 0.0)}
        prop = 0 if carrier == "prop" else None
        event = Event("set_pole", 0, leg=0, point=point[carrier], on=carrier, prop=prop)
        last, fastest = before, 0.0
        for tick in range(60):
            simulation.step(Input.of([()], [event] if tick == 0 else []))
            now = knee(simulation)
            fastest = max(fastest, float(np.sqrt(((now - last) ** 2).sum())) * 60.0)
            last = now
        assert last[1] > before[1] + 0.25
        assert fastest < 6.0  # it swings round, and does not jump
        release = Event("set_pole", 0, leg=0)
        for tick in range(60):
            simulation.step(Input.of([()], [release] if tick == 0 else []))
        assert knee(simulation) == pytest.approx(before, abs=0.15)


@pytest.mark.parametrize(
    ("event", "message"),
    [
        (Event("set_foot", 0), r"events\[0\].leg: expected an int from 0 to 5, found None"),
        (Event("set_foot", 0, leg=1, point=(1.0, 2.0, 1e5)), r"events\[0\].point: expected three"),
        (
            Event("set_foot", 0, leg=1, point=(1.0, 2.0, 0.0), rotation=(0.0, 0.0, 0.0, 0.0)),
            r"events\[0\].rotation: expected a quaternion, four numbers from -1 to 1, found \(0.0,",
        ),
        (Event("set_pole", 1, leg=1), r"events\[0\].creature: expected 0 to 0, found 1"),
        (
            Event("set_pole", 0, leg=1, point=(0.0, 0.0, 1.0), on="knee"),
            r"events\[0\].on: expected one of body, world, prop, found 'knee'",
        ),
        (
            Event("set_pole", 0, leg=1, point=(0.0, 0.0, 1.0), on="prop", prop=2),
            r"events\[0\].prop: expected 0 to 1, found 2",
        ),
        (
            Event("set_pole", 0, leg=1, point=(0.0, 0.0, 1.0), prop=0),
            r"events\[0\].prop: expected none, for the pole is on the world, found 0",
        ),
    ],
)
def test_bad_events_get_one_clear_message(event: Event, message: str) -> None:
    with pytest.raises(DefinitionError, match=message):
        check_input(Input.of([()], [event]), Roster((6,), prop_count=2))

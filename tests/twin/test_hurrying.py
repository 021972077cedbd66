"""Motors push limbs for what their goals speed up."""

from typing import Any

import numpy as np
import pytest

from creature_sim.components import BY_ANGLES, FLYING, ROLLS_OVER, TwinRecord, zeros
from creature_sim.inputs import Input
from creature_sim.library.loader import load_world
from creature_sim.library.variants import with_twins
from creature_sim.simulation import Simulation
from creature_sim.twin.hurrying import note_pulls
from tests.scenes import scene

DT = 1.0 / 60.0


def test_goals_that_speed_up_pull_and_those_that_go_on_do_not() -> None:
    bases, paces, pulls = zeros(TwinRecord, 1), np.zeros((1, 2)), np.zeros((1, 2))
    goals = [np.array([[0.0, 0.5]]), np.array([[0.1, 0.5]]), np.array([[0.2, 0.4]])]
    note_pulls(bases, goals[0], goals[1], paces, pulls, DT)
    assert pulls == pytest.approx(np.array([[0.1, 0.0]]) / DT**2)
    note_pulls(bases, goals[1], goals[2], paces, pulls, DT)
    assert pulls == pytest.approx(np.array([[0.0, -0.1]]) / DT**2)
    assert paces == pytest.approx(np.array([[0.1, -0.1]]) / DT)


@pytest.mark.parametrize(("field", "value"), [("stage", ROLLS_OVER), ("led", BY_ANGLES)])
def test_nothing_pulls_who_lies_or_is_led_but_its_pace_is_known(field: str, value: int) -> None:
    bases: Any = zeros(TwinRecord, 1)
    bases[field] = value
    paces, pulls = np.zeros((1, 1)), np.ones((1, 1))
    note_pulls(bases, np.zeros((1, 1)), np.ones((1, 1)), paces, pulls, DT)
    assert pulls[0, 0] == 0.0
    assert paces[0, 0] == pytest.approx(1.0 / DT)


@pytest.mark.slow
def test_feet_in_the_air_are_near_to_where_they_are_planned() -> None:
    """Of a hexapod that walks; 2.6 per cent of its reach where springs alone draw them."""
    world = with_twins(scene("meadow", "hexapod", terrain=load_world("arm").terrain))
    away: list[float] = []
    with Simulation(world) as simulation:
        reach = float(simulation.snapshot.creatures[0].plan.body[0].reach)
        for tick in range(120):
            simulation.step(Input.of([(1.0, 0.0, 0.0)]))
            creature = simulation.snapshot.creatures[0]
            feet, tips = creature.feet, creature.herd.parts["twin"]["tips"][0]
            off = np.linalg.norm(tips - feet["position"], axis=1)[feet["phase"] == FLYING]
            away.extend((off / reach).tolist() if tick >= 60 else [])
    assert np.sqrt(np.mean(np.square(away))) < 0.0235

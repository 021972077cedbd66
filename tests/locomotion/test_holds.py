"""Feet of who climbs step onto nothing narrower than they hold."""

from typing import Any

import numpy as np
import pytest

from creature_sim.components import STANDING
from creature_sim.definitions import WorldDef
from creature_sim.inputs import Input
from creature_sim.simulation import Simulation
from tests.climbers import climber

WIDE, HIGH = 0.05, 0.06
"""Of the rails across the floor [m]."""


def rails(hold: float) -> WorldDef:
    """A floor with rails across the way of a hexapod whose feet hold on to ground so wide [m]."""
    creature = climber("hexapod", hold=hold)
    rail = {
        "shape": "box",
        "size": (WIDE, 3.0, HIGH),
        "position": (0.6, 0.0, 0.5 * HIGH),
        "count": 12,
        "step": (0.23, 0.0, 0.0),
    }
    return WorldDef.model_validate(
        {
            "name": "rails",
            "driver": "forward 10",
            "terrain": {"kind": "solids", "solids": [rail]},
            "creatures": [{"creature": creature.name}],
            "species": {creature.name: creature},
        }
    )


def walked(world: WorldDef, seconds: float) -> tuple[float, Any]:
    """How far the creature came [m], and where its feet stood (K, 3) [m, world]."""
    stood = []
    with Simulation(world) as simulation:
        for _ in range(round(seconds * world.tick_rate)):
            simulation.step(Input.of([(1.0, 0.0, 0.0)]))
            (state,) = simulation.snapshot.creatures
            stood.append(state.feet["position"][state.feet["phase"] == STANDING])
        return float(state.position[0]), np.concatenate(stood)


@pytest.mark.slow
@pytest.mark.parametrize(("hold", "steps"), [(0.0, True), (0.8 * WIDE, True), (2.0 * WIDE, False)])
def test_feet_step_onto_rails_that_are_as_wide_as_they_hold(hold: float, steps: bool) -> None:
    far, feet = walked(rails(hold), 8.0)
    assert far > 2.0
    assert (feet[:, 2] > 0.5 * HIGH).any() == steps
    assert (feet[:, 2] < 0.01).any()

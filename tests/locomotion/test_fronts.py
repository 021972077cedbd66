"""Who climbs sees a fence as one, and stays level below low roofs."""

from typing import Any

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.inputs import Input
from creature_sim.simulation import Simulation
from tests.climbers import climber, up_of

BAR = {"shape": "cylinder", "radius": 0.015, "sides": 12}
FENCE = [
    {
        **BAR,
        "length": 3.0,
        "rotation": (0.5 * np.pi, 0.0, 0.0),
        "position": (1.8, 0.0, 0.15),
        "count": 19,
        "step": (0.0, 0.0, 0.15),
    },
    {
        **BAR,
        "length": 3.0,
        "position": (1.8, -1.5, 1.5),
        "count": 21,
        "step": (0.0, 0.15, 0.0),
    },
]


def straight_on(name: str, terrain: dict[str, Any], seconds: float) -> Any:
    """Where a creature that is sent straight on comes, and its ups, (T, 3) both."""
    creature = climber(name)
    world = WorldDef.model_validate(
        {
            "name": "here",
            "driver": "forward 10",
            "terrain": terrain,
            "creatures": [{"creature": creature.name}],
            "species": {creature.name: creature},
        }
    )
    places, ups = [], []
    with Simulation(world) as simulation:
        for _ in range(round(seconds * world.tick_rate)):
            simulation.step(Input.of([(1.0, 0.0, 0.0)]))
            (state,) = simulation.snapshot.creatures
            places.append(state.position)
            ups.append(up_of(state))
    return np.array(places), np.array(ups)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hexapod", "spider8"])
def test_nobody_walks_through_a_fence(name: str) -> None:
    places, ups = straight_on(name, {"kind": "solids", "solids": FENCE}, 14.0)
    is_below_top = places[:, 2] < 2.9  # over that it may go
    assert places[is_below_top, 0].max() < 1.75  # it stays before it
    assert places[:, 2].max() > 0.6  # and goes up
    assert ups[:, 0].min() < -0.8


@pytest.mark.slow
def test_bodies_stay_level_below_a_low_roof() -> None:
    tunnel = {"kind": "tunnel", "width": 1.4, "height": 0.58, "length": 20.0}
    places, ups = straight_on("spider8", tunnel, 8.0)
    assert places[-1, 0] > 3.0
    assert ups[:, 2].min() > 0.95
    assert np.abs(places[:, 2] - 0.24).max() < 0.06

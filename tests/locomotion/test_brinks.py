"""Feet and bodies keep off drops and risers beside them that legs cannot straddle."""

from typing import Any

import numpy as np
import pytest

from creature_sim.components import STANDING
from creature_sim.inputs import Input
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from tests.marks import quick_of
from tests.props.test_props import world_of

TREAD, RISER, COUNT = 0.4, 0.1, 6
FIRST = 1.0
"""Where the stairs begin [m]."""


def stairs(low: float, high: float) -> list[dict[str, Any]]:
    """Boxes that rise along X, from one Y to another, and a landing behind them."""
    found = []
    for k in range(COUNT):
        height, depth = (k + 1) * RISER, TREAD if k < COUNT - 1 else 6.0
        x = FIRST + k * TREAD + 0.5 * depth
        size = [depth, high - low, height]
        place = [x, 0.5 * (low + high), 0.5 * height]
        found.append({"shape": "box", "size": size, "position": place})
    return found


def straight_on(creature: str, low: float, high: float, ticks: int) -> list[Snapshot]:
    """A creature that is told to go along X, where stairs lie between two Y."""
    world = world_of(*stairs(low, high), creature=creature)
    with Simulation(world) as simulation:
        found = []
        for _ in range(ticks):
            simulation.step(Input.of([(1.0,)]))
            found.append(simulation.snapshot)
        return found


def spread(snapshot: Snapshot) -> float:
    """How much higher the highest standing foot of a creature is than its lowest [m]."""
    feet = snapshot.creatures[0].feet
    return float(np.ptp(feet["position"][feet["phase"] == STANDING][:, 2]))


@pytest.mark.slow
@pytest.mark.parametrize("creature", quick_of(["hexapod", "ant"], "hexapod"))
@pytest.mark.parametrize("low", [0.2, -0.25], ids=["riser", "drop"])
def test_who_goes_along_the_side_of_stairs_goes_aside(creature: str, low: float) -> None:
    """It does not straddle their side: it keeps to the ground, or to the stairs."""
    found = straight_on(creature, low, 4.0, 660)
    last = found[-1].creatures[0]
    assert last.position[0] > FIRST + 1.5
    assert max(spread(snapshot) for snapshot in found) < COUNT * RISER - 1e-6
    assert spread(found[-1]) < 2.5 * RISER
    assert abs(last.position[1] - low) > 0.25


def test_stairs_straight_ahead_lead_nobody_aside() -> None:
    found = straight_on("hexapod", -4.0, 4.0, 480)
    last = found[-1].creatures[0]
    assert last.position[2] > COUNT * RISER
    assert abs(last.position[1]) < 0.05
    assert not any(snapshot.creatures[0].footholds["is_cut_off"].any() for snapshot in found)

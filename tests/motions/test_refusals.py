"""What people are told of what creatures do not do."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from creature_sim.components import UPRIGHT
from creature_sim.components.flights import NO_FOOTHOLDS
from creature_sim.components.records import zeros
from creature_sim.components.twins import DRAWS_IN, TIPPED_OVER, TwinRecord
from creature_sim.inputs import Input
from creature_sim.score.summary import Odometer
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from tests.scenes import scene


def fallen(stage: int) -> Iterator[Snapshot]:
    """A creature that forces move, has fallen in the second tick, and gets no foot to the ground.

    It tries to stand up in each tick but the fifth.
    """
    with Simulation(scene("meadow", "hexapod")) as simulation:
        for tick in range(1, 8):
            simulation.step(Input.of([()]))
            snapshot = simulation.snapshot
            (herd,) = snapshot.herds
            flight, twin = herd.parts["flight"]["records"].copy(), zeros(TwinRecord, 1)
            if tick >= 2:
                twin["stage"], twin["fall"], twin["fall_tick"] = stage, TIPPED_OVER, 2
                flight["refusal"], flight["asked_tick"] = NO_FOOTHOLDS, tick if tick != 5 else 4
            parts: Any = dict(herd.parts)
            parts["flight"] = {**herd.parts["flight"], "records": flight}
            parts["twin"] = {"records": twin}
            yield replace(snapshot, herds=(replace(herd, parts=parts),))


@pytest.mark.parametrize(("stage", "motion"), [(DRAWS_IN, "stand"), (UPRIGHT, "leap")])
def test_what_is_tried_in_each_tick_is_told_once(stage: int, motion: str) -> None:
    """Who lies tries to stand: it was called a leap, hundreds of times."""
    odometer = Odometer(scene("meadow", "hexapod"), [])
    for snapshot in fallen(stage):
        odometer.write(Input.of([()]), snapshot)
    (told,) = odometer.summary()["creatures"]
    assert told["fell"] == [{"tick": 2, "reason": "it tipped over"}]
    assert told.get("lies", False) == (stage != UPRIGHT)
    assert told["refused"] == [
        {"tick": tick, "motion": motion, "reason": "too few footholds there"} for tick in (2, 6)
    ]

"""What people are told of what creatures do not do."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from creature_sim.components import STANDS
from creature_sim.components.flights import NO_FOOTHOLDS
from creature_sim.inputs import FULL, Input
from creature_sim.motions.refusals import refusals_in
from creature_sim.score.summary import Odometer
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.systems import rest_bodies
from tests.scenes import scene


def refused() -> Iterator[Snapshot]:
    """A creature that tries to stand up in each tick but the first and the fifth, in vain."""
    with Simulation(scene("meadow", "hexapod")) as simulation:
        for tick in range(1, 8):
            simulation.step(Input.of([()]))
            snapshot = simulation.snapshot
            (herd,) = snapshot.herds
            flight = herd.parts["flight"]["records"].copy()
            if tick >= 2:
                flight["asked"], flight["refusal"] = STANDS, NO_FOOTHOLDS
                flight["asked_tick"] = tick if tick != 5 else 4
            parts: Any = dict(herd.parts)
            parts["flight"] = {**herd.parts["flight"], "records": flight}
            yield replace(snapshot, herds=(replace(herd, parts=parts),))


def test_what_is_tried_in_each_tick_is_told_once() -> None:
    """It was told hundreds of times."""
    odometer = Odometer(scene("meadow", "hexapod"), [])
    for snapshot in refused():
        odometer.write(Input.of([()]), snapshot)
    (told,) = odometer.summary()["creatures"]
    assert told["refused"] == [
        {"tick": tick, "motion": "stand", "reason": "too few footholds there"} for tick in (2, 6)
    ]


def test_who_cannot_unfold_is_refused_to_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told to walk, and by no event to rest: that was called a leap that is refused."""
    world = scene("meadow", "hexapod")
    folded = tuple(one.model_copy(update={"folded": True}) for one in world.creatures)
    monkeypatch.setattr(rest_bodies, "find_footholds", lambda *_: 0)
    with Simulation(world.model_copy(update={"creatures": folded})) as simulation:
        for _ in range(3):
            simulation.step(Input.of([(FULL, 0, 0)]))
        (refusal,) = refusals_in(simulation.snapshot)
    assert (refusal.motion, refusal.reason) == ("stand", "too few footholds there")

"""A foot that events lead is not a leg that is lost: what is told of either."""

import pytest

from creature_sim.advice import Pace
from creature_sim.advice.causes import crippled
from creature_sim.drivers import make_driver
from creature_sim.inputs import Event, Input
from creature_sim.score import Walk, tracks
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from tests.scenes import scene

EVENTS = {
    "set_foot": "events led 4 of its feet elsewhere",
    "disable_leg": "4 of its legs were lost on the way",
}
SLOW = {"set_foot": "events led its feet elsewhere", "disable_leg": "legs were lost"}


@pytest.mark.parametrize("kind", EVENTS)
def test_feet_that_are_led_are_told_apart_from_lost_legs(kind: str) -> None:
    world = scene("meadow", "hexapod", driver="forward 6")
    driver, pace, states = make_driver(world, world.driver), Pace(60), []

    with Simulation(world) as simulation:

        def driven(snapshot: Snapshot) -> Input:
            given = driver(snapshot)
            if snapshot.tick != 30:
                return given
            point = (1.0, 0.5, 0.5) if kind == "set_foot" else None
            return Input(
                given.commands, tuple(Event(kind, 0, leg=i, point=point) for i in range(4))
            )

        session = Session(simulation, driven, [pace])
        states = [session.advance() for _ in range(240)]
    (track,) = tracks(states, 60)
    assert [one.reason for one in crippled(Walk(track))] == [EVENTS[kind]]
    (slow,) = pace.slow()
    for other, text in SLOW.items():
        assert any(text in reason for reason in slow.reasons) == (other == kind)

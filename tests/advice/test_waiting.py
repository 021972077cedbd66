"""Who is told to have waited for feet that step high had such feet."""

import numpy as np
import pytest

from creature_sim.advice import Pace
from creature_sim.advice.slowness import CAUSES, Losses, reasons_of
from creature_sim.components import STANDING
from creature_sim.components.arrays import herds
from creature_sim.drivers import make_driver
from creature_sim.inputs import Input
from creature_sim.library.loader import load_creature
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from tests.scenes import scene


def told(world: str, drive: str, seconds: int, **terrain: float) -> list[str]:
    """Why a hexapod was slow; some numbers of its terrain may be others."""
    made, pace = scene(world, "hexapod"), Pace(60)
    ground = made.terrain.model_copy(update=terrain)
    made = made.model_copy(update={"terrain": ground})
    with Simulation(made) as simulation:
        session = Session(simulation, make_driver(made, drive), [pace])
        for _ in range(60 * seconds):
            session.advance()
    return [str(slow) for slow in pace.slow()]


def test_who_sets_out_on_smooth_ground_does_not_wait_for_feet_that_step_high() -> None:
    (text,) = told("meadow", "stop 1; forward 1", 6)
    assert "step high" not in text
    assert "to brake and to start again" in text


@pytest.mark.parametrize(
    ("degrees", "where"), [(5.0, "again and again"), (48.0, "again and again, on slopes of 48")]
)
def test_a_slope_is_named_where_nothing_else_is(degrees: float, where: str) -> None:
    losses = Losses(load_creature("hexapod"), looks=2, slope=2.0 * np.radians(degrees))
    losses.loss[CAUSES.index("starting")] = 1.0
    (text,) = reasons_of(losses)
    assert where in text
    assert ("slopes" in text) == (degrees > 15.0)


@pytest.mark.parametrize(
    ("world", "seconds", "terrain"), [("stairs", 12, {}), ("steps", 30, {"height": 0.17})]
)
def test_who_walks_over_stairs_and_steps_does(
    world: str, seconds: int, terrain: dict[str, float]
) -> None:
    (text,) = told(world, f"forward {seconds}", seconds, **terrain)
    assert "for feet that had to step high" in text


def test_who_walks_as_fast_as_asked_is_told_nothing() -> None:
    assert told("meadow", "forward 12", 12) == []


@pytest.mark.parametrize("side", [1, 2, 4, 8])
def test_a_shin_that_meets_the_ground_on_any_side_is_waited_for(side: int) -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        for _ in range(120):
            simulation.step(Input.of([(1.0,)]))
        assert not simulation.snapshot.creatures[0].gait.is_waiting
        with simulation.context():
            for _, _, (_, _, _, _, feet, footholds) in herds():
                stands = int(np.flatnonzero(feet[0]["phase"] == STANDING)[-1])
                footholds["is_blocked"][0, stands] = side
        simulation.step(Input.of([(1.0,)]))
        assert simulation.snapshot.creatures[0].gait.is_waiting

"""Who is told to have waited for feet that step high had such feet."""

from creature_sim.advice import Pace
from creature_sim.drivers import make_driver
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from tests.scenes import scene


def told(world: str, drive: str, seconds: int) -> list[str]:
    """Why a hexapod was slow."""
    made, pace = scene(world, "hexapod"), Pace(60)
    with Simulation(made) as simulation:
        session = Session(simulation, make_driver(made, drive), [pace])
        for _ in range(60 * seconds):
            session.advance()
    return [str(slow) for slow in pace.slow()]


def test_who_sets_out_on_smooth_ground_does_not_wait_for_feet_that_step_high() -> None:
    (text,) = told("meadow", "stop 1; forward 1", 6)
    assert "step high" not in text
    assert "to brake and to start again" in text


def test_who_walks_over_stairs_does() -> None:
    (text,) = told("stairs", "forward 12", 12)
    assert "for feet that had to step high" in text

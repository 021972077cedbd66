"""Stops: the last steps go to where the body will stand, and it stands there at once."""

import numpy as np
import pytest

from creature_sim.components import STANDING
from creature_sim.inputs import Input
from creature_sim.score.anticipation import stops
from creature_sim.score.rows import tracks
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from tests.scenes import at_rest, scene


def stopped(creature: str, seconds: float) -> list[Snapshot]:
    """A creature that walks over the meadow for so long [s], then stops for two and a half."""
    with Simulation(at_rest(scene("meadow", creature))) as simulation:
        states = [simulation.snapshot]
        for tick in range(round(60 * (seconds + 2.5))):
            simulation.step(Input.of([(1.0,) if tick < 60 * seconds else ()]))
            states.append(simulation.snapshot)
    return states


def lift_count(states: list[Snapshot], first: int) -> int:
    """How many feet lift from a tick on."""
    stands = np.array([state.creatures[0].feet["phase"] == STANDING for state in states[first:]])
    return int((stands[:-1] & ~stands[1:]).sum())


@pytest.mark.slow
@pytest.mark.parametrize("seconds", [2.13, 2.4, 3.0])
def test_a_trot_overshoots_little_and_settles_soon(seconds: float) -> None:
    states = stopped("spider4", seconds)
    (track,) = tracks(states, 60)
    (far,) = stops(track)
    assert 0.0 <= far < 0.05 * track.reach.mean()
    assert lift_count(states, round(60 * (seconds + 1.0))) == 0


@pytest.mark.slow
def test_feet_stand_at_home_once_a_body_has_stopped() -> None:
    states = stopped("spider4", 2.5)
    end = states[-1].creatures[0]
    assert (end.feet["phase"] == STANDING).all()
    assert lift_count(states, round(60 * 3.7)) == 0

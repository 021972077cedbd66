"""Where ground is too deep to step down to no foot goes; who gets no further goes back, and on."""

import numpy as np
import pytest

from creature_sim.inputs import Input
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import CreatureState
from creature_sim.terrain.kinds.gap import GapDef
from tests.scenes import scene

EDGE = 1.2


def walk_to_a_cliff(creature: str, depth: float, axes: tuple[float, ...]) -> list[CreatureState]:
    """A creature in every tick of ten seconds on level ground that ends ahead."""
    gap = GapDef(kind="gap", width=6.0, depth=depth, spacing=4.0, clearing=EDGE)
    with Simulation(scene("meadow", creature, terrain=gap)) as simulation:
        found = []
        for _ in range(600):
            simulation.step(Input.of([axes]))
            found.append(simulation.snapshot.creatures[0])
        return found


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "spider8"])
def test_who_comes_to_an_edge_goes_back_and_tries_again(creature: str) -> None:
    walk = walk_to_a_cliff(creature, 0.8, (1.0,))
    assert min(one.feet["goal"][:, 2].min() for one in walk) > -1e-6
    ahead = np.array([one.position[0] for one in walk])
    turns = np.sign(np.diff(ahead[::15]).round(2))
    assert ahead.max() > EDGE - 0.6
    assert (turns < 0).any()  # it has gone back
    assert (np.diff(turns[turns != 0]) > 0).any()  # and has come again


@pytest.mark.slow
def test_a_step_down_that_is_not_too_deep_is_taken() -> None:
    walk = walk_to_a_cliff("hexapod", 0.15, (1.0,))
    assert walk[-1].position[0] > EDGE + 0.5
    assert (walk[-1].feet["goal"][:, 2] < -0.14).all()


@pytest.mark.slow
@pytest.mark.parametrize("turn", [1.0, -1.0])
def test_who_turns_on_the_spot_is_never_stuck_for_long(turn: float) -> None:
    """The legs of an ant get in each other's way on hills: it turned no further for ever."""
    with Simulation(scene("hills", "ant")) as simulation:
        rests = longest = 0
        for _ in range(900):
            simulation.step(Input.of([(0.0, turn)]))
            rate = float(simulation.snapshot.creatures[0].segments[0]["yaw_rate"])
            rests = rests + 1 if abs(rate) < 0.02 else 0
            longest = max(longest, rests)
    assert longest < 150

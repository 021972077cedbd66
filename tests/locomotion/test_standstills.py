"""Legs that wait for each other: who is told to go does not stand there for them."""

from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

from creature_sim.score import Track, tracks
from creature_sim.score.reading import spans
from creature_sim.score.standstills import is_slow, is_told
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from tests.scenes import scene
from tests.tools.sticks import sticks

SECONDS = 20


def held(world: str, creature: str, seed: int) -> Track:
    """A walk under sticks that are held for seconds, at random."""

    def states() -> Iterator[Snapshot]:
        with Simulation(scene(world, creature)) as simulation:
            yield simulation.snapshot
            for given in islice(sticks("held", seed), 60 * SECONDS):
                simulation.step(given)
                yield simulation.snapshot

    return tracks(states(), 60)[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    "seed",
    [
        137,  # a leg in the air found no place, for one that lay across its hip waited for it
        139,
        133,  # a strained leg's step was too short to be worth it, and its body waited for it
    ],
)
def test_an_ant_that_is_told_to_turn_on_hills_does_not_stand_for_its_legs(seed: int) -> None:
    track = held("hills", "ant", seed)
    stands = is_told(track) & is_slow(track)
    longest = max((last - first for _, first, last in spans(stands[:, None])), default=0)
    assert longest / 60 < 0.8  # it stood for 1.1 to 1.8 s
    assert np.linalg.norm(np.diff(track.centre, axis=0), axis=1).sum() > 1.0

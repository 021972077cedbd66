"""M19: the same commands at 30, 60 and 120 ticks a second lead to the same place."""

from math import degrees

import numpy as np

from creature_sim.definitions import CreatureDef
from creature_sim.drivers import make_driver
from creature_sim.library.loader import load_world
from creature_sim.library.variants import with_creature
from creature_sim.score import Metric, tracks
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot

RATES = (30, 60, 120)
"""Ticks per second."""
WORLD = "meadow"
DRIVE = "forward 5; forward left 3; forward 3; forward right 4; back 2; right 2; stop 1"
SECONDS = 20
MAX_GAP, MAX_STEP_GAP = 0.01, 0.05
"""Largest differences: of the ends over the distance walked, and of the numbers of steps."""


def tick_invariance(creature: CreatureDef) -> Metric:
    """M19 of a creature on rolling ground: largest distance between two ends over the path."""
    walks = [tracks(walked(creature, DRIVE, SECONDS, rate), rate)[0] for rate in RATES]
    usual = walks[RATES.index(60)]
    length = float(np.linalg.norm(np.diff(usual.position, axis=0), axis=1).sum())
    ends = [walk.position[-1] for walk in walks]
    apart = max(float(np.linalg.norm(a - b)) for a in ends for b in ends) / max(length, 1e-9)
    headings = [float(np.arctan2(walk.ahead[-1, 1], walk.ahead[-1, 0])) for walk in walks]
    turned = max(abs(float(np.angle(np.exp(1j * (a - b))))) for a in headings for b in headings)
    counts = [sum(1 for _ in walk.swings()) for walk in walks]
    steps = (max(counts) - min(counts)) / max(1, counts[RATES.index(60)])
    told = ", ".join(
        f"{count} steps at {rate} Hz" for rate, count in zip(RATES, counts, strict=True)
    )
    return Metric(
        apart,
        "pass" if apart <= MAX_GAP and steps <= MAX_STEP_GAP else "fail",
        f"largest distance between two ends / path of {length:.1f} m; "
        f"{degrees(turned):.1f} degrees apart; "
        f"{told}, {100 * steps:.1f} % apart",
    )


def walked(creature: CreatureDef, drive: str, seconds: int, rate: int) -> list[Snapshot]:
    """All states of a walk on rolling ground at a tick rate."""
    world = with_creature(load_world(WORLD), creature).model_copy(update={"tick_rate": rate})
    with Simulation(world) as simulation:
        session = Session(simulation, make_driver(world, drive))
        return [simulation.snapshot, *(session.advance() for _ in range(seconds * rate))]

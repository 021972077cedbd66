"""Recordings for the tests of exports."""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from creature_sim.definitions import CreatureDef
from creature_sim.drivers import make_driver
from creature_sim.export import names
from creature_sim.library.loader import load_creature
from creature_sim.maths import Floats
from creature_sim.replay import Recorder
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import CreaturePose
from tests.scenes import scene

COMES, GOES = 20, 40
"""Ticks after which creatures 1 and 2 come, and 1 goes."""
TICKS = 60


def with_changes(path: Path) -> Path:
    """A second on hills: two creatures come, then one goes."""
    with Simulation(scene("hills", "hexapod")) as simulation:
        recorder = Recorder(path, simulation)
        session = Session(simulation, make_driver(simulation.world, "wander"), [recorder])
        for tick in range(TICKS):
            if tick == COMES:
                assert simulation.spawn(load_creature("hexapod"), (3.0, 2.0)) == 1
                assert simulation.spawn(load_creature("spider4"), (-3.0, 2.0)) == 2
            if tick == GOES:
                simulation.remove(1)
            session.advance()
        recorder.close()
    return path


def there_at(tick: int) -> list[int]:
    """Who is there in that recording."""
    return [0] if tick <= COMES else [0, 1, 2] if tick <= GOES else [0, 2]


def joint_error(found: Mapping[str, Floats], plan: CreatureDef, creature: CreaturePose) -> float:
    """How far exported joints, by their names, are at most from those of the run [m]."""
    errors = [np.abs(found["body"] - creature.position).max()]
    for leg, name in enumerate(names.leg_names(plan)):
        for joint, label in enumerate(names.leg_joint_names(plan.all_legs[leg])):
            errors.append(np.abs(found[f"{name}_{label}"] - creature.joints[leg, joint]).max())
    return float(max(errors))

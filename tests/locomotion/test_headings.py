"""Feet turn calmly."""

import numpy as np

from creature_sim.inputs import Input
from creature_sim.maths.geometry import rotation_angles
from creature_sim.simulation import Simulation
from tests.scenes import scene


def test_feet_turn_calmly_where_the_body_pitches() -> None:
    """A heading is kept about the foot's own normal: the body's up has turned when it lifts."""
    rotations = []
    with Simulation(scene("stairs", "hexapod")) as simulation:
        for _ in range(420):
            simulation.step(Input.of([(1.0, 0.3)]))
            rotations.append(simulation.snapshot.creatures[0].foot_rotations)
    found = np.array(rotations)
    assert np.degrees(rotation_angles(found[:-1], found[1:])).max() < 2.5

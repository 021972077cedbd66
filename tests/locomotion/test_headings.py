"""Feet turn calmly."""

from itertools import pairwise

import numpy as np
import pytest

from creature_sim.components import FootRecord, zeros
from creature_sim.inputs import Input
from creature_sim.locomotion.headings import turn_sole
from creature_sim.maths import Floats, Vec, Z, put, vec
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


@pytest.mark.parametrize("flat", [(0.0, 0.0, -1.0), (1.0, 0.0, 0.0), (0.0, -0.6, -0.8)])
@pytest.mark.parametrize("heading", [(1.0, 0.0, 0.0), (0.6, 0.8, 0.0)])
def test_a_sole_that_turns_round_an_edge_takes_its_toes_along(flat: Vec, heading: Vec) -> None:
    """Toes that pointed where the sole came to face turned by half a turn in one tick."""
    foot, farthest = zeros(FootRecord, 1)[0], 0.07
    put(foot.normal, Z)
    put(foot.goal_normal, flat)
    put(foot.heading, heading)
    axes = [rotation(foot)]
    for _ in range(60):
        turn_sole(foot, 1.0, farthest)
        axes.append(rotation(foot))
    turns = [
        np.arccos(np.clip((np.trace(a.T @ b) - 1.0) / 2.0, -1.0, 1.0)) for a, b in pairwise(axes)
    ]
    assert max(turns) < farthest + 1e-6
    assert vec(foot.normal) == pytest.approx(flat, abs=1e-9)
    assert sum(turns) == pytest.approx(np.arccos(np.dot(Z, flat)), abs=1e-6)


def rotation(foot: FootRecord) -> Floats:
    """Axes of a foot as it is drawn, in columns."""
    normal, heading = np.array(foot.normal), np.array(foot.heading)
    heading = heading - normal * (heading @ normal)
    heading /= np.linalg.norm(heading)
    return np.stack([heading, np.cross(normal, heading), normal], axis=1)

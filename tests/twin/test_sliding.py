"""Feet of twins that slide are held back by their motors."""

import numpy as np
import pytest

from creature_sim.library.loader import load_creature
from creature_sim.maths import Vec, vec
from creature_sim.twin.building import Machine, machine_of
from creature_sim.twin.links import Feet
from creature_sim.twin.motion import Motion, motion_for, move_base, move_links
from creature_sim.twin.sliding import damping_of, held_back

UP: Vec = (0.0, 0.0, 1.0)


def standing(creature: str, goes: Vec) -> tuple[Machine, Motion, Feet]:
    """A creature at rest in its joints, all of which goes somewhere [m/s], and its feet."""
    machine = machine_of(load_creature(creature), None)
    hinges = len(machine.links.parent) - 1
    motion = motion_for(hinges + 1)
    move_base(motion, machine.links, (0.0, 0.0, 0.5), (0.0, 0.0, 0.0, 1.0), goes, (0.0, 0.0, 0.0))
    rest = np.array([joint.rest for joint in machine.robot.joints])
    move_links(motion, machine.links, rest, np.zeros(hinges))
    rows = len(machine.links.owner), 3
    feet = Feet(np.tile(UP, (rows[0], 1)), np.zeros(rows), np.ones(rows[0]), np.zeros(rows))
    return machine, motion, feet


@pytest.mark.parametrize("creature", ["spider4", "biped"])
def test_who_slides_is_held_back_along_the_ground_the_more_the_faster(creature: str) -> None:
    machine, motion, feet = standing(creature, (0.3, -0.1, 0.5))
    one = held_back(machine.links, machine.gains, motion, feet, 0)
    machine, motion, feet = standing(creature, (0.6, -0.2, 0.5))
    other = held_back(machine.links, machine.gains, motion, feet, 0)
    assert one[0] < 0.0
    assert one == pytest.approx((one[0], -one[0] / 3.0, 0.0))
    assert other == pytest.approx(2.0 * np.array(one))


def test_points_of_a_sole_share_it() -> None:
    machine, motion, feet = standing("biped", (1.0, 0.0, 0.0))
    links, gains = machine.links, machine.gains
    parts = [
        held_back(links, gains, motion, feet, p)[0]
        for p in range(len(links.owner))
        if links.owner[p] == 0
    ]
    assert len(parts) > 1
    assert sum(parts) == pytest.approx(-4.0 * damping_of(links, gains, motion, 0))


def test_a_foot_that_stands_on_what_goes_along_does_not_slide() -> None:
    machine, motion, feet = standing("spider4", (0.3, -0.1, 0.0))
    feet.drifts[0] = 0.3, -0.1, 0.2
    found = held_back(machine.links, machine.gains, motion, feet, 0)
    assert found == pytest.approx((0.0, 0.0, 0.0), abs=1e-12)


def test_a_foot_in_the_air_is_free() -> None:
    machine, motion, feet = standing("spider4", (0.3, 0.0, 0.0))
    feet.loads[0] = 0.0
    assert held_back(machine.links, machine.gains, motion, feet, 0) == (0.0, 0.0, 0.0)


def test_a_slope_is_slid_along() -> None:
    machine, motion, feet = standing("spider4", (0.3, 0.0, 0.0))
    slope = np.array([-0.5, 0.0, 1.0]) / np.hypot(0.5, 1.0)
    feet.normals[0] = slope
    found = held_back(machine.links, machine.gains, motion, feet, 0)
    assert np.dot(vec(np.array(found)), slope) == pytest.approx(0.0, abs=1e-9)
    assert found[2] < 0.0

"""Feet that catch a twin: where they step, and that they get there."""

from math import cos, sin, sqrt
from typing import Any

import esper
import numpy as np
import pytest

from creature_sim.components import LIFTING, Twin
from creature_sim.components.arrays import herds
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_twins
from creature_sim.maths import PI, Floats, Vec, Z, quat, quat_about, quat_multiply, vec
from creature_sim.simulation import Simulation
from creature_sim.twin.building import machine_of
from creature_sim.twin.catching import CATCHES, FARTHEST, catch, reach_out
from creature_sim.twin.motion import motion_for, move_base, move_links, tip_of
from tests.marks import sample_of
from tests.scenes import scene
from tests.tools.twins import creature_of, world_of

LEVEL = load_world("arm").terrain
STILL: Vec = (0.0, 0.0, 0.0)


def standing(creature: str) -> Simulation:
    """A twin that has come to rest on level ground."""
    simulation = Simulation(with_twins(scene("meadow", creature, terrain=LEVEL)))
    for _ in range(30):
        simulation.step(Input.of([()]))
    return simulation


def state_of(simulation: Simulation) -> tuple[Any, Twin]:
    """Arrays of its herd, and of its twin."""
    with simulation.context():
        ((_, _, herd),) = herds()
        ((_, twin),) = esper.get_component(Twin)
        return herd, twin


@pytest.mark.parametrize("speed", [0.05, 0.2, 5.0])
def test_feet_step_to_the_capture_point(speed: float) -> None:
    """v / w to the side that it goes to, and no farther than legs reach."""
    with standing("spider4") as simulation:
        (_, _, bodies, gaits, *_), twin = state_of(simulation)
        base, height, reach = twin.records[0], gaits[0].ride_height, 0.78
        base.drift[:], base.goal_velocity[:] = (0.0, 0.3 + speed, 0.1), (0.0, 0.3, 0.0)
        x, y, z = catch(base, bodies[0, 0], sqrt(9.81 / height), reach)
        assert y == pytest.approx(
            min(CATCHES * speed / sqrt(9.81 / height), FARTHEST * reach), rel=0.01
        )
        assert abs(x) < 0.05 * y
        assert z == 0.0


@pytest.mark.parametrize("creature", sample_of(("hexapod", "biped"), slow=("biped",)))
def test_a_foot_in_the_air_is_where_it_should_be_on_a_body_that_tilts(creature: str) -> None:
    """Of 6 degrees a step of least squares leaves little; hinges of feet that stand stay.

    A foot without a sole is only over where it should be: its height is against the body.
    """
    machine = machine_of(load_creature(creature), None)
    links, count = machine.links, len(machine.links.parent)
    with standing(creature) as simulation:
        (_, _, _, _, feet, _), twin = state_of(simulation)
        base, goals = twin.records[0], twin.goals[0].copy()
        legs = len(links.foot)
        wanted = motion_for(count)
        turn = quat(base.orientation)
        move_base(wanted, links, vec(base.position), turn, STILL, STILL)
        move_links(wanted, links, goals, goals)
        joints, rotations = twin.joints[0].copy(), twin.rotations[0].copy()
        for leg in range(legs):
            joints[leg, -1] = tip_of(wanted, links, leg)
            rotations[leg, (links.bone[leg] >= 0).sum() - 1] = wanted.orientation[links.foot[leg]]
        base.velocity[:] = base.spin[:] = 0.0
        base.orientation[:] = quat_multiply(quat_about((0.6, 0.8, 0.0), 0.1), turn)
        feet["phase"][0, 0] = LIFTING
        twin.contacts[0] = 1
        if creature != "biped":  # a heel may touch the ground in the air
            twin.contacts[0, 0] = 0
        twin.corrections[0] = 0.0

        def errors(angles: Floats) -> Floats:
            motion = motion_for(count)
            move_base(motion, links, vec(base.position), quat(base.orientation), STILL, STILL)
            move_links(motion, links, angles, angles)
            tips = np.array([tip_of(motion, links, leg) for leg in range(legs)])
            axes = 3 if creature == "biped" else 2
            found: Floats = np.linalg.norm((tips - joints[:, -1])[:, :axes], axis=1)
            return found

        before = errors(goals)
        new = goals.copy()
        reach_out(
            links, motion_for(count), twin.records, feet, twin.contacts, joints[None],
            rotations[None], twin.corrections, new[None], Z, 1.0 / 60.0,
        )  # fmt: skip
        after = errors(new)
    assert before[0] > 0.01
    assert after[0] < 0.25 * before[0]
    assert after[1:] == pytest.approx(before[1:])


@pytest.mark.slow
def test_a_trot_is_upright_on_level_ground() -> None:
    """Two legs at a time, at full speed, for five seconds."""
    ups = []
    with Simulation(with_twins(scene("meadow", "spider4", terrain=LEVEL))) as simulation:
        for _ in range(300):
            simulation.step(Input.of([(1.0, 0, 0)]))
            x, y, _, _ = simulation.snapshot.creatures[0].segments["orientation"][0]
            ups.append(1.0 - 2.0 * (x * x + y * y))
        twin = simulation.snapshot.creatures[0].herd.parts["twin"]["records"][0]
        assert simulation.snapshot.creatures[0].body.position[0] > 2.0
    assert min(ups) > 0.9
    assert twin["fall_count"] == 0


@pytest.mark.slow
@pytest.mark.parametrize("side", range(8))
def test_a_robot_that_trots_is_not_pushed_over(side: int) -> None:
    """By sqrt(g L) / 3, just as its feet lift: they land beside a body that tips."""
    world = with_twins(world_of(creature_of("a1"), "level", 0))
    size, angle = sqrt(9.81 * 0.42) / 3.0, side * PI / 4.0
    blow = Event("push", 0, velocity=(size * cos(angle), size * sin(angle), 0.0))
    with Simulation(world) as simulation:
        for tick in range(300):
            simulation.step(Input.of([(1.0, 0, 0)], [blow] if tick == 130 else []))
        twin = simulation.snapshot.creatures[0].herd.parts["twin"]["records"][0]
    assert twin["fall_count"] == 0

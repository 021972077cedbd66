"""Plans that are drawn to their twins: goals of hinges jump with them, and go no faster for it."""

import esper
import numpy as np
import pytest

from creature_sim.components import (
    FLYING,
    LIFTING,
    STANDING,
    FootRecord,
    FootTarget,
    Twin,
    zeros,
)
from creature_sim.inputs import Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_twins
from creature_sim.maths import Vec, quat, quat_about, quat_multiply, vec
from creature_sim.simulation import Simulation
from creature_sim.twin.building import machine_of
from creature_sim.twin.motion import motion_for, move_base, move_links, tip_of
from creature_sim.twin.orders import FEELS, load_of
from creature_sim.twin.shifting import shift_goals
from tests.scenes import scene

LEVEL = load_world("arm").terrain
STILL: Vec = (0.0, 0.0, 0.0)
UP: Vec = (0.0, 0.0, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["spider4", "biped"])
def test_feet_stay_where_they_are_as_a_plan_is_shifted(creature: str) -> None:
    """A body is planned 1 cm to the side, and turned by .02; a foot that slid, where that is."""
    machine = machine_of(load_creature(creature), None)
    links, motion = machine.links, motion_for(len(machine.links.parent))
    with Simulation(with_twins(scene("meadow", creature, terrain=LEVEL))) as simulation:
        for _ in range(30):
            simulation.step(Input.of([()]))
        with simulation.context():
            ((entity, twin),) = esper.get_component(Twin)
            feet = esper.component_for_entity(entity, FootTarget).records
            bases, goals = twin.records, twin.goals
            places, turns = bases["goal_position"].copy(), bases["goal_orientation"].copy()
            points = feet["goal"].copy()

            def tips() -> list[Vec]:
                base = bases[0]
                place, turn = vec(base.goal_position), quat(base.goal_orientation)
                move_base(motion, links, place, turn, STILL, STILL)
                move_links(motion, links, goals[0], goals[0])
                return [tip_of(motion, links, i) for i in range(len(links.foot))]

            before = np.array(tips())
            bases["goal_position"][0, 1] += 0.01
            bases["goal_orientation"][0] = quat_multiply(quat_about(UP, 0.02), quat(turns[0]))
            feet["goal"][0, 0, 0] += 0.005
            before[0, 0] += 0.005
            assert np.linalg.norm(np.array(tips()) - before, axis=1).min() > 0.005
            shift_goals(links, motion, bases, feet, places, turns, points, goals)
            assert np.linalg.norm(np.array(tips()) - before, axis=1).max() < 0.0015


def test_a_foot_that_touches_the_ground_too_early_carries_at_once() -> None:
    """As it comes down, on a twin that is upright."""
    foot = zeros(FootRecord, 1)[0]
    foot.load, foot.elapsed = 0.5, 0.8
    foot.phase = FLYING
    assert load_of(foot, True, True) == 1.0
    assert load_of(foot, False, True) == load_of(foot, True, False) == 0.0
    foot.elapsed = 0.2  # it has just left the ground
    assert load_of(foot, True, True) == 0.0
    foot.phase = LIFTING
    assert load_of(foot, True, True) == 0.0
    foot.phase = STANDING
    assert load_of(foot, True, True) == 0.5
    assert load_of(foot, False, True) == 0.5 * FEELS

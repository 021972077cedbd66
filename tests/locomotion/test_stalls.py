"""Who is held up goes on: no two parts of a body wait for each other for ever."""

import numpy as np
import pytest

from creature_sim.components import FLYING
from creature_sim.components.arrays import herds
from creature_sim.definitions import WorldDef
from creature_sim.inputs import Input
from creature_sim.lab.course import Course, Trial
from creature_sim.library.loader import load_creature
from creature_sim.library.variants import with_creature
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.landing import is_awaited
from creature_sim.maths import Floats
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from tests.scenes import scene


def positions(name: str, trial: Trial, seconds: float) -> Floats:
    """Where the body of a creature is that is led along a course, (T, 3)."""
    creature = load_creature(name)
    course = Course.of(creature)
    way = course.way(trial)
    with Simulation(course.world(creature, trial)) as simulation:
        session = Session(
            simulation,
            lambda state: Input.of([way.lead(state.creatures[0], state)]),
            (),
        )
        return np.array(
            [session.advance().creatures[0].position.copy() for _ in range(round(60 * seconds))]
        )


def test_a_biped_astride_a_ledge_goes_on() -> None:
    """Whichever foot it lifted would have tipped it: it stood for ever."""
    rows = positions("biped", Trial("pit", 0.25, 1), 8.0)
    assert rows[-1, 0] > 1.0


@pytest.mark.parametrize(
    ("name", "width", "start"),
    [("hexapod", 0.7, 0.0), ("ant", 0.5, 0.12), ("ant", 0.6, 0.08), ("ant", 0.8, 0.0)],
)
def test_who_stands_astride_a_gap_comes_back(name: str, width: float, start: float) -> None:
    """One leg waited for a foot that could not land, or was folded too far to let its body go."""
    gap = {"kind": "gap", "width": width, "depth": 1.3, "spacing": 2.0, "clearing": 0.9}
    placement = {"creature": name, "position": (start, 0.0)}
    world = WorldDef.model_validate(
        {"name": "here", "seed": 1, "terrain": gap, "creatures": [placement]}
    )
    world = with_creature(world, load_creature(name))
    ways = []
    with Simulation(world) as simulation:
        for ahead, seconds in ((1.0, 15), (-1.0, 8)):
            for _ in range(60 * seconds):
                simulation.step(Input.of([(ahead,)]))
            ways.append(simulation.snapshot.creatures[0].position[0])
    assert ways[1] < ways[0] - 0.3


def test_a_leg_gives_up_its_place_to_a_foot_that_finds_no_other() -> None:
    """One in the air whose leg does not reach its goal waits for the place that it looks at."""
    with Simulation(scene("meadow", "ant")) as simulation, simulation.context():
        for _, _, (plan, legs, bodies, gaits, feet, footholds) in herds():
            creature = Creature(plan[0], legs, bodies[0], gaits[0], feet[0], footholds[0])
            feet["phase"][0, 4] = FLYING
            footholds["aim"][0, 4] = feet["position"][0, 2]
            assert not is_awaited(creature, 2, 1 / 60)  # its goal is its own place, and in reach
            feet["goal"][0, 4] += (-1.0, 0.0, 0.0)
            assert is_awaited(creature, 2, 1 / 60)
            assert not is_awaited(creature, 3, 1 / 60)


@pytest.mark.parametrize(("world", "least", "most"), [("meadow", 0.5, 1.0), ("stairs", 1.2, 1.5)])
def test_who_waited_for_feet_that_step_high_catches_up(
    world: str, least: float, most: float
) -> None:
    speeds = []
    with Simulation(scene(world, "hexapod", driver="forward 12")) as simulation:
        acceleration = simulation.snapshot.herds[0].plan.body[0].acceleration
        for _ in range(720):
            simulation.step(Input.of([(1.0,)]))
            body = simulation.snapshot.herds[0].parts["body"].of("records")
            speeds.append(float(body["velocity"][0, 0, 0]))
    gained = 60.0 * np.diff(speeds).max() / acceleration
    assert least < gained < most + 1e-9

"""Twins on two feet set out, turn and stop as slowly as they can, and keep their feet down."""

from math import inf, sqrt
from typing import Any

import esper
import numpy as np
import pytest

from creature_sim.components import (
    BY_PHASE,
    LIFTING,
    STANDING,
    TO_RECOVER,
    Plan,
    Twin,
)
from creature_sim.components.arrays import herds
from creature_sim.components.queries import gravity_here
from creature_sim.inputs import FULL, Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_seed, with_twins
from creature_sim.simulation import Simulation
from creature_sim.spawn.plans import plan_of
from creature_sim.twin.easing import TURNS, ramp_of
from creature_sim.twin.keeping import keep_down
from tests.marks import THOROUGH
from tests.scenes import scene

LEVEL = load_world("arm").terrain


def twin_of(creature: str, **keys: Any) -> Simulation:
    return Simulation(with_twins(scene("meadow", creature, terrain=LEVEL, **keys)))


def led(simulation: Simulation) -> tuple[int, int, int, int]:
    """The command that the first twin is led with."""
    base = simulation.snapshot.creatures[0].herd.parts["twin"]["records"][0]
    return base["forward"], base["turn"], base["strafe"], base["height"]


def test_in_a_stride_the_capture_point_moves_by_half_a_foot() -> None:
    plan = plan_of(load_creature("biped"))
    body, ramp = plan.body[0], ramp_of(plan)
    stride = max(cycle.stride_length for cycle in plan.cycles if not cycle.flies)
    gained = ramp * body.speed * stride / body.speed  # in the time of a stride [m/s]
    assert gained / sqrt(9.81 / body.ride_height) == pytest.approx(body.pad)


@pytest.mark.parametrize("creature", ["hexapod", "spider4", "centipede"])
def test_who_stands_on_three_feet_needs_no_ramp(creature: str) -> None:
    assert ramp_of(plan_of(load_creature(creature))) == inf
    with twin_of(creature) as simulation:
        simulation.step(Input.of([(1.0, -1.0, 0.0, 0.5)]))
        assert led(simulation) == (FULL, -FULL, 0, round(0.5 * FULL))


@pytest.mark.slow
def test_commands_are_followed_along_a_ramp_both_ways() -> None:
    ramp = ramp_of(plan_of(load_creature("biped")))
    step = round(ramp / 60.0 * FULL)
    with twin_of("biped") as simulation:
        for number in range(1, 31):
            simulation.step(Input.of([(0.5, 1.0)]))
            forward, turn, strafe, height = led(simulation)
            assert forward == min(number * step, round(0.5 * FULL))
            assert turn == number * int(TURNS * step)
            assert (strafe, height) == (0, 0)
        for number in range(1, 11):
            simulation.step(Input.of([(0.0, 0.0)]))
            assert led(simulation)[0] == forward - number * step
        given = simulation.snapshot.creatures[0].herd.parts["command"]["records"][0]
        assert given["forward"] == 0  # what it is told stays what it is


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=THOROUGH) for seed in (1, 2))])
def test_two_legs_walk(seed: int) -> None:
    world = with_twins(with_seed(scene("meadow", "biped", terrain=LEVEL), seed))
    falls, places = 0, []
    with Simulation(world) as simulation:
        for _ in range(900):
            simulation.step()
            state = simulation.snapshot.creatures[0]
            falls += int(state.herd.parts["twin"]["records"][0]["fall_count"] > 0)
            places.append(state.body.position[:2])
    assert falls == 0
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).sum() > 5.0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("aside", "reason", "stays"),
    [(0.0, TO_RECOVER, True), (0.0, BY_PHASE, False), (-0.09, TO_RECOVER, False)],
)
def test_a_foot_that_holds_the_body_up_lifts_in_its_turn_only(
    aside: float, reason: int, stays: bool
) -> None:
    """Where the weight is over the other foot, and goes nowhere, it may lift at any time."""
    with twin_of("biped") as simulation:
        for _ in range(30):
            simulation.step(Input.of([()]))
        with simulation.context():
            ((entity, _, herd),) = herds()
            ((_, twin),) = esper.get_component(Twin)
            plan = esper.component_for_entity(entity, Plan)
            _, _, _, gaits, feet, _ = herd
            base = twin.records[0]
            base.drift[:] = 0.0
            base.centre[:2] = (feet["goal"][0, 0, :2] + feet["goal"][0, 1, :2]) / 2.0
            base.centre[1] += aside
            before = feet.copy()
            feet["phase"][0, 0], feet["reason"][0, 0] = LIFTING, reason
            keep_down(
                plan.body, gaits, feet, before, twin.records, twin.contacts, gravity_here()[0]
            )
            assert (feet["phase"][0, 0] == STANDING) == stays

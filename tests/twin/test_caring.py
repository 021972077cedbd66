"""Twins on four legs cross ground that steps with care: on three feet, and over those."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import esper
import numpy as np
import pytest

from creature_sim.components import (
    BY_DISTANCE,
    BY_PHASE,
    FLIES,
    FLYING,
    LIFTING,
    LOST,
    STANDING,
    FootRecord,
    GaitRecord,
    Plan,
    Records,
    Twin,
    TwinRecord,
    zeros,
)
from creature_sim.components.arrays import Arrays, herds
from creature_sim.components.queries import gravity_here
from creature_sim.inputs import Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_twins
from creature_sim.maths import Vec, vec
from creature_sim.simulation import Simulation
from creature_sim.spawn.plans import plan_of
from creature_sim.twin.caring import (
    CALM,
    HASTE,
    STEPS,
    STROKE,
    hasten,
    needs_care,
    parts_by_care,
    steepest,
    take_care,
)
from creature_sim.twin.keeping import keep_down
from tests.scenes import herd, scene

LEVEL = load_world("arm").terrain
UP: Vec = (0.0, 0.0, 1.0)
CORNERS = [(0.3, 0.3), (0.3, -0.3), (-0.3, 0.3), (-0.3, -0.3)]
RISER = 0.2


def feet_on(slope: float, rise: float, normal: Vec = UP) -> Records[FootRecord]:
    """Four feet on a slope, the two in front a rise higher still."""
    feet = zeros(FootRecord, 4)
    for foot, (x, y) in zip(feet, CORNERS, strict=True):
        foot.goal[:] = x, y, slope * x + (rise if x > 0.0 else 0.0)
        foot.goal_normal[:] = normal
    return feet


def test_slopes_do_not_step_and_stairs_do() -> None:
    steep = np.array((-0.5, 0.0, 1.0)) / np.hypot(0.5, 1.0)
    assert steepest(feet_on(0.0, 0.0)) == 0.0
    assert steepest(feet_on(0.5, 0.0, vec(steep))) == pytest.approx(0.0, abs=1e-12)
    assert steepest(feet_on(0.0, RISER)) == pytest.approx(RISER / np.hypot(RISER, 0.6))
    assert steepest(feet_on(0.0, RISER)) > STEPS


def test_a_lost_foot_stands_on_no_step() -> None:
    feet = feet_on(0.0, RISER)
    feet["phase"][:2] = LOST
    assert steepest(feet) == 0.0


def test_care_comes_at_once_and_leaves_slowly_but_not_who_runs() -> None:
    bases, gaits, dt = zeros(TwinRecord, 2), zeros(GaitRecord, 2), 1.0 / 60.0
    gaits["cycle"], gaits["run"] = 1, [0, FLIES]
    stairs: Any = np.stack([feet_on(0.0, RISER)] * 2)
    level: Any = np.stack([feet_on(0.0, 0.0)] * 2)
    take_care(bases, gaits, stairs, dt)
    assert bases["care"].tolist() == [CALM, 0.0]
    assert gaits["cycle"].tolist() == [0, 1]
    for _ in range(round(CALM / dt) - 1):
        take_care(bases, gaits, level, dt)
    assert 0.0 < bases["care"][0] < 2.0 * dt
    take_care(bases, gaits, level, dt)
    take_care(bases, gaits, level, dt)
    assert bases["care"][0] == 0.0


def test_care_lasts_until_all_feet_stand() -> None:
    """Who falls from foot to foot sets out with all of them: else it falls over those left."""
    bases, gaits, dt = zeros(TwinRecord, 1), zeros(GaitRecord, 1), 1.0 / 60.0
    feet: Any = np.stack([feet_on(0.0, 0.0)])
    bases["care"], feet["phase"][0, 2] = 0.5 * dt, FLYING
    for _ in range(10):
        take_care(bases, gaits, feet, dt)
        assert bases["care"][0] > 0.0
    feet["phase"][0, 2] = STANDING
    take_care(bases, gaits, feet, dt)
    assert bases["care"][0] == 0.0


def test_a_crawl_with_care_has_one_foot_in_the_air_at_any_time_in_the_same_order() -> None:
    plan, old = plan_of(load_creature("spider4")), plan_of(load_creature("spider4"))
    short = plan_of(load_creature("spider4"))
    short.cycles[0].stride_length *= 0.5
    for one in (plan, short):
        hasten(one)
    crawl, was = plan.cycles[0], old.cycles[0]
    assert crawl.stride_length >= was.stride_length
    stroke = short.cycles[0].duty_factor * short.cycles[0].stride_length
    assert stroke == pytest.approx(STROKE * plan.body[0].reach)
    for phase in np.linspace(0.01, 0.99, 50):
        up = (phase + plan.offsets[0]) % 1.0 >= crawl.duty_factor
        assert up.sum() == 1
        before = (phase + old.offsets[0]) % 1.0 >= was.duty_factor
        assert before.sum() <= 1
    lifts = [np.argsort((one.cycles[0].duty_factor - one.offsets[0]) % 1.0) for one in (plan, old)]
    assert lifts[0].tolist() == lifts[1].tolist()
    assert (plan.offsets[1:] == old.offsets[1:]).all()
    assert (plan.cycles[1:] == old.cycles[1:]).all()
    assert plan.body[0].foot_speed == pytest.approx(HASTE * old.body[0].foot_speed)
    assert plan.body[0].foot_acceleration > old.body[0].foot_acceleration


def test_who_needs_no_care_walks_as_it_is_written() -> None:
    plan, old = plan_of(load_creature("hexapod")), plan_of(load_creature("hexapod"))
    hasten(plan)
    assert (plan.cycles == old.cycles).all()
    assert (plan.offsets == old.offsets).all()
    assert (plan.body == old.body).all()


@contextmanager
def standing() -> Iterator[tuple[Any, Any, Twin]]:
    """Gaits and feet of a spider4 that stands on level ground, and its twin."""
    with Simulation(with_twins(scene("meadow", "spider4", terrain=LEVEL))) as simulation:
        for _ in range(30):
            simulation.step(Input.of([()]))
        with simulation.context():
            ((_, _, (_, _, _, gaits, feet, _)),) = herds()
            ((_, twin),) = esper.get_component(Twin)
            yield gaits, feet, twin


def is_kept_down(gaits: Any, feet: Any, twin: Twin, reason: int) -> bool:
    """Whether its first foot stands after it has lifted for a reason."""
    ((_, plan),) = esper.get_component(Plan)
    before = feet.copy()
    feet["phase"][0, 0], feet["reason"][0, 0] = LIFTING, reason
    keep_down(plan.body, gaits, feet, before, twin.records, twin.contacts, gravity_here()[0])
    return bool(feet["phase"][0, 0] == STANDING)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("touches", "urgency", "stays"),
    [(1, 1.2, False), (0, 1.2, True), (0, 2.0, False)],
    ids=["over three", "over two", "in need"],
)
def test_out_of_turn_a_foot_lifts_with_care_over_three_that_touch_only(
    touches: int, urgency: float, stays: bool
) -> None:
    """Though its body stands for a moment, and so would settle from foot to foot."""
    with standing() as (gaits, feet, twin):
        base = twin.records[0]
        base.care, base.drift[:] = CALM, 0.0
        goals = feet["goal"][0, :, :2]  # the weight is all but over the line between two
        base.centre[:2] = 0.49 * (goals[1] + goals[2]) + 0.02 * goals[3]
        gaits["is_static"], twin.contacts[0, 3] = 0, touches
        feet["urgency"][0, 0] = urgency
        assert is_kept_down(gaits, feet, twin, BY_DISTANCE) == stays


@pytest.mark.parametrize(
    ("creature", "needs"),
    [("spider4", True), ("hexapod", False), ("centipede", False), ("biped", False)],
)
def test_only_four_legs_with_a_slower_gait_on_three_feet_take_care(
    creature: str, needs: bool
) -> None:
    assert needs_care(plan_of(load_creature(creature))) == needs


def cycle_of(simulation: Simulation) -> list[int]:
    """The cycles that the creatures of its only herd walk."""
    found: list[int] = simulation.snapshot.herds[0].parts["gait"]["records"]["cycle"].tolist()
    return found


def test_each_of_a_herd_takes_care_for_itself() -> None:
    world = with_twins(herd("meadow", "spider4", [(0.0, 0.0), (0.0, 3.0)], terrain=LEVEL))
    with Simulation(world) as simulation:
        with simulation.context():
            ((_, twin),) = esper.get_component(Twin)
            ((_, herd_of_two),) = esper.get_component(Arrays)
            whole = herd_of_two.eased
            assert whole is not None
            assert [*parts_by_care(twin, whole)] == [whole]
            twin.records[0].care = CALM
            slow, quick = (part[0] for part in parts_by_care(twin, whole))
            assert len(slow.cycles) == 1
            assert len(quick.cycles) == len(whole[0].cycles)
            assert len(slow.commands) == len(quick.commands) == 1
        for _ in range(60):
            simulation.step(Input.of([(1.0, 0.0, 0.0)] * 2))
        assert cycle_of(simulation) == [0, 1]


@pytest.mark.slow
def test_stairs_are_crawled_by_twins_and_trotted_without_forces() -> None:
    cycles = {}
    for name, world in {
        "twin": with_twins(scene("stairs", "spider4")),
        "without forces": scene("stairs", "spider4"),
    }.items():
        with Simulation(world) as simulation:
            for _ in range(300):
                simulation.step(Input.of([(1.0, 0.0, 0.0)]))
            cycles[name] = cycle_of(simulation)
            assert simulation.snapshot.herds[0].parts["body"]["records"]["position"][0, 0, 2] > 0.3
    assert cycles == {"twin": [0], "without forces": [1]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("is_static", "aside", "touches", "stays"),
    [
        (1, 0.0, 1, False),
        (1, 0.3, 1, True),
        (0, 0.3, 1, False),
        (1, 0.0, 0, True),
    ],
    ids=["over the others", "over it", "of a trot", "over one that hangs"],
)
def test_in_its_turn_a_foot_waits_for_the_weight_to_be_over_the_others(
    is_static: int, aside: float, touches: int, stays: bool
) -> None:
    """The weight is over the middle of three feet, or beside that towards the fourth."""
    with standing() as (gaits, feet, twin):
        goals = feet["goal"][0, :, :2]
        middle = goals[1:].mean(axis=0)
        towards = (goals[0] - middle) / np.linalg.norm(goals[0] - middle)
        base = twin.records[0]
        base.drift[:] = 0.0
        base.centre[:2] = middle + aside * towards
        gaits["is_static"], twin.contacts[0, 3] = is_static, touches
        assert is_kept_down(gaits, feet, twin, BY_PHASE) == stays

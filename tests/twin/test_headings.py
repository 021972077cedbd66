"""Twins that are pushed off their way turn back to it."""

from math import degrees, sqrt

import numpy as np
import pytest

from creature_sim.components import (
    BY_WALK,
    UPRIGHT,
    CommandRecord,
    GravityRecord,
    TwinRecord,
    zeros,
)
from creature_sim.inputs import FULL, Event, Input
from creature_sim.library.loader import load_creature
from creature_sim.library.variants import with_twins
from creature_sim.maths import Z, put_quat, quat_about
from creature_sim.simulation import Simulation
from creature_sim.spawn.plans import plan_of
from creature_sim.twin.headings import COMES_BACK, GENTLY, SETTLES, keep_heading
from tests.scenes import heading_of, scene
from tests.twin.test_easing import LEVEL

DT = 1.0 / 60.0


def turned(simulation: Simulation) -> float:
    """Heading of the first twin [degrees]."""
    return degrees(heading_of(simulation.snapshot.creatures[0].orientation))


@pytest.mark.slow
def test_a_push_turns_nobody_for_long() -> None:
    """It turns this one by more than ten degrees; two strides later its velocity is as before."""
    world = with_twins(scene("meadow", "spider4", terrain=LEVEL))
    reach = np.mean([leg.reach for leg in world.species["spider4"].all_legs])
    speed = sqrt(9.81 * reach) / 3.0
    back = (-speed / sqrt(2.0), -speed / sqrt(2.0), 0.0)
    headings, velocities = [], []
    with Simulation(world) as simulation:
        for tick in range(480):
            events = [Event("push", 0, velocity=back)] if tick == 300 else []
            simulation.step(Input.of([(1.0, 0.0, 0.0)], events))
            base = simulation.snapshot.creatures[0].herd.parts["twin"]["records"][0]
            headings.append(turned(simulation))
            velocities.append(np.array(base["drift"][:2]))
    before = np.mean(velocities[240:300], axis=0)
    after = np.mean(velocities[420:], axis=0)
    assert np.abs(np.array(headings[300:]) - headings[299]).max() > 10.0
    assert abs(headings[-1] - headings[299]) < 3.0
    assert np.linalg.norm(after - before) < 0.1 * np.linalg.norm(before)


def test_only_who_goes_straight_on_for_a_while_keeps_a_heading() -> None:
    plan, gravity = plan_of(load_creature("hexapod")).body[0], zeros(GravityRecord, 1)[0]
    bases, commands = zeros(TwinRecord, 1), zeros(CommandRecord, 1)
    base, command = bases[0], commands[0]
    base.stage, base.led = UPRIGHT, BY_WALK

    def asked(heading: float, forward: int, turn: int = 0) -> float:
        """Turn that it is led with, of a full one, where it is told so."""
        put_quat(base.goal_orientation, quat_about(Z, heading))
        command.forward, command.turn = forward, turn
        keep_heading(plan, commands, bases, gravity, DT)
        return command.turn / FULL

    settles = round(SETTLES / DT)
    for _ in range(settles):  # the last of these is kept
        assert asked(0.3, FULL) == 0.0
    wanted = COMES_BACK * -0.1 / plan.turn_rate
    assert asked(0.4, FULL) == pytest.approx(wanted, abs=1e-4)
    assert asked(0.3, FULL) == pytest.approx(0.0, abs=1e-4)
    assert asked(0.3 - 1.5, FULL) == pytest.approx(GENTLY, abs=1e-4)
    assert asked(1.0, FULL, FULL // 2) == FULL // 2 / FULL  # it is turned, and told where to go
    assert all(asked(1.0, FULL) == 0.0 for _ in range(settles))
    assert asked(1.1, FULL) < 0.0
    assert asked(1.1, 0) == 0.0  # it stands
    assert all(asked(1.1, FULL) == 0.0 for _ in range(settles))

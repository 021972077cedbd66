"""Footholds that events shift: by as much as they want, and not at all where they want nothing."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from creature_sim.components import SHIFTED, STANDING
from creature_sim.errors import DefinitionError
from creature_sim.input_checks import Roster, check_input
from creature_sim.inputs import FARTHEST_SHIFT, Event, Input
from creature_sim.maths import Floats
from creature_sim.replay import open_replay, record, verify
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from tests.scenes import scene

LEGS = 6


def offsets(x: float, y: float) -> tuple[float, ...]:
    """The same for all legs."""
    return (x, y) * LEGS


def shifting(values: tuple[float, ...] | None) -> Event:
    return Event("shift_footholds", 0, offsets=values)


def walk(world: str, ticks: int, *events: Event) -> list[Snapshot]:
    """A hexapod that goes ahead, with events before its first tick."""
    found = []
    with Simulation(scene(world, "hexapod")) as simulation:
        for tick in range(ticks):
            simulation.step(Input.of([(0.6,)], events if tick == 0 else ()))
            found.append(simulation.snapshot)
    return found


def first_goals(run: list[Snapshot]) -> dict[int, Floats]:
    """Where feet of those legs go that lift first, when they have just lifted."""
    for snapshot in run:
        feet = snapshot.creatures[0].feet
        lifted = np.flatnonzero(feet["phase"] != STANDING).tolist()
        if lifted:
            return {leg: feet["goal"][leg].copy() for leg in lifted}
    raise AssertionError("no foot lifted")


@pytest.mark.slow
@pytest.mark.parametrize("shift", [(0.05, 0.0), (-0.04, 0.03), (0.0, -0.05)])
def test_on_level_ground_footholds_move_by_the_offset(shift: tuple[float, float]) -> None:
    usual, shifted = walk("meadow", 60), walk("meadow", 60, shifting(offsets(*shift)))
    aims = [run[0].creatures[0].footholds["aim"] for run in (usual, shifted)]
    assert (aims[1] - aims[0])[:, :2] == pytest.approx(np.tile(shift, (LEGS, 1)), abs=2e-3)
    goals = first_goals(usual)
    for leg, goal in first_goals(shifted).items():  # the same legs, or those that lift sooner
        assert (goal - goals[leg])[:2] == pytest.approx(shift, abs=2e-3)


def test_each_leg_has_an_offset_of_its_own() -> None:
    usual = walk("meadow", 60)
    legs = first_goals(usual)
    one = min(legs)
    values = [0.0] * (2 * LEGS)
    values[2 * one] = 0.04
    for leg, goal in first_goals(walk("meadow", 60, shifting(tuple(values)))).items():
        wanted = (0.04 if leg == one else 0.0, 0.0)  # the ground may rise by a little there
        assert (goal - legs[leg])[:2] == pytest.approx(wanted, abs=2e-3)


@pytest.mark.slow
def test_beyond_its_share_of_the_reach_an_offset_is_clipped() -> None:
    reach = scene("meadow", "hexapod").species["hexapod"].all_legs[0].reach
    most = FARTHEST_SHIFT * reach
    far = walk("stairs", 90, shifting(offsets(5.0, -5.0)))
    edge = walk("stairs", 90, shifting(offsets(most, -most)))
    assert far[-1].digest == edge[-1].digest
    assert far[-1].digest != walk("stairs", 90)[-1].digest


@pytest.mark.slow
@pytest.mark.parametrize("values", [None, offsets(0.0, 0.0), offsets(-0.0, 0.0)])
def test_without_an_offset_it_walks_as_ever_to_the_bit(values: tuple[float, ...] | None) -> None:
    usual, told = walk("stairs", 90), walk("stairs", 90, shifting(values))
    assert [snapshot.digest for snapshot in told] == [snapshot.digest for snapshot in usual]


def test_offsets_end_with_an_event_without_any_and_with_a_reset() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:

        def told(*events: Event) -> tuple[Any, Any]:
            simulation.step(Input.of([()], events))
            parts = simulation.snapshot.herds[0].parts["leg_target"].of("records")
            return parts["is_led"][0].tolist(), parts["point"][0]

        led, points = told(shifting(offsets(0.03, 0.02)))
        assert led == [SHIFTED] * LEGS
        assert points == pytest.approx(np.tile((0.03, 0.02, 0.0), (LEGS, 1)))
        led, points = told(shifting(None))
        assert led == [0] * LEGS
        assert not points.any()
        told(shifting(offsets(0.03, 0.02)))
        assert told(Event("reset", 0))[0] == [0] * LEGS
        told(Event("set_foot", 0, leg=1, point=(0.3, 0.3, 0.3)))
        led, points = told(shifting(offsets(0.03, 0.02)))
        assert (led[0], led[1] == SHIFTED) == (SHIFTED, False)  # who is led stays so
        assert points[1] == pytest.approx((0.3, 0.3, 0.3))


@pytest.mark.slow
def test_a_shifted_walk_is_recorded_and_verified(tmp_path: Path) -> None:
    file = tmp_path / "shifted.mcap"
    values = tuple(0.01 * k - 0.05 for k in range(2 * LEGS))
    inputs = [Input.of([(0.8,)], [shifting(values)] if k == 5 else ()) for k in range(60)]
    record(scene("steps", "hexapod"), file, 60, driver=lambda snapshot: inputs[snapshot.tick])
    assert verify(file).ok
    (event,) = [event for given in open_replay(file).inputs for event in given.events]
    assert event == shifting(values)


NUMBERS = "12 numbers from -10000 to 10000, forward and left"


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        *((numbers, NUMBERS) for numbers in [(0.0,) * 11, (0.0,) * 13, (), (float("nan"),) * 12]),
        *((numbers, NUMBERS) for numbers in [(1e9,) * 12, ("x",) * 12]),
        ([0.0] * 12, "a tuple of numbers"),
        (3, "a tuple of numbers"),
    ],
)
def test_offsets_that_do_not_fit_are_refused(values: Any, expected: str) -> None:
    message = rf"events\[0\].offsets: expected {expected}"
    with pytest.raises(DefinitionError, match=message):
        check_input(Input.of([()], [shifting(values)]), Roster((6,)))
    with pytest.raises(DefinitionError, match=r"events\[0\].creature: expected 0 to 0, found 1"):
        check_input(Input.of([()], [Event("shift_footholds", 1)]), Roster((6,)))

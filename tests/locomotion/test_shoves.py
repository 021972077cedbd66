"""Pushes: a body leans into a little one and walks off a strong one, the farther the stronger."""

from typing import NamedTuple

import numpy as np
import pytest

from creature_sim.inputs import Event, Input
from creature_sim.simulation import Simulation
from creature_sim.terrain.kinds.flat import FlatDef
from tests.scenes import at_rest, scene

STAND = Input.of([()])


class Shove(NamedTuple):
    """What a push did: lifted feet, way to where the body stopped [m], farthest lean [rad].

    How far the body dipped, over its height; its largest turn in a tick [rad].
    """

    lifts: int
    way: float
    lean: float
    dip: float
    turn: float


LEFT = (0.0, 1.0)


def shoved(
    creature: str,
    speed: float,
    weight: float = 1.0,
    seconds: float = 7.0,
    towards: tuple[float, float] = LEFT,
) -> Shove:
    """A creature that stands on level ground is pushed [m/s]."""
    world = at_rest(scene("meadow", creature))
    plan = world.species[creature]
    motion = plan.motion.model_copy(update={"weight": weight})
    species = {creature: plan.model_copy(update={"motion": motion})}
    world = world.model_copy(update={"species": species, "terrain": FlatDef(kind="flat")})
    with Simulation(world) as simulation:
        for _ in range(60):
            simulation.step(STAND)
        start = simulation.snapshot.creatures[0]
        push = Event("push", 0, velocity=(speed * towards[0], speed * towards[1], 0.0))
        lifts, lean, swinging = 0, 0.0, np.zeros(len(start.feet), bool)
        lowest, turn, before = start.position[2], 0.0, start.orientation
        for tick in range(round(60 * seconds)):
            simulation.step(Input.of([()], [push]) if tick == 0 else STAND)
            now = simulation.snapshot.creatures[0]
            flies = now.feet["phase"] != 0
            lifts += int((flies & ~swinging).sum())
            swinging = flies
            lean = max(lean, 2.0 * float(abs(now.orientation - start.orientation)[:2].max()))
            lowest = min(lowest, now.position[2])
            turn = max(turn, 2.0 * float(np.linalg.norm(now.orientation - before)))
            before = now.orientation
        assert simulation.input == STAND
        assert abs(now.body.velocity).max() < 1e-3
    way = float(np.linalg.norm(now.position - start.position))
    dip = float(start.position[2] - lowest) / plan.body.ride_height
    return Shove(lifts, way, lean, dip, turn)


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "spider4", "ant", "crab"])
def test_half_a_metre_a_second_is_taken_by_leaning(creature: str) -> None:
    found = shoved(creature, 0.4)
    assert found.lifts == 0
    assert found.way < 1e-3
    assert 0.005 < found.lean < 0.2


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "spider4"])
def test_the_stronger_a_push_the_more_steps_and_the_farther(creature: str) -> None:
    small, large = shoved(creature, 2.0), shoved(creature, 6.0)
    assert small.lifts >= 4
    assert large.lifts > small.lifts
    assert large.way > 2.0 * small.way > 0.2
    height = scene("meadow", creature).species[creature].body.ride_height
    assert large.way < 6.0 / np.sqrt(9.81 / height)  # no farther than the capture point


@pytest.mark.slow
@pytest.mark.parametrize("speed", [2.0, 4.0, 6.0])
@pytest.mark.parametrize("creature", ["hexapod", "spider4", "spider8", "ant", "crab", "biped"])
def test_steps_lead_to_the_capture_point(creature: str, speed: float) -> None:
    """What its springs do not take of a push's energy carries a body on by v / w (Pratt 2006)."""
    plan = scene("meadow", creature).species[creature]
    reach = max(leg.reach for leg in plan.all_legs)
    left = np.sqrt(speed**2 - 0.04 * 9.81 * reach)
    capture = left / np.sqrt(9.81 / plan.body.ride_height)
    assert 0.65 * capture < shoved(creature, speed).way < 1.1 * capture


@pytest.mark.slow
@pytest.mark.parametrize("towards", [(1.0, 0.0), (-1.0, 0.0), (0.0, -1.0), (0.7, 0.7)])
def test_two_legs_catch_a_push_from_any_side(towards: tuple[float, float]) -> None:
    ways = [shoved("biped", speed, towards=towards).way for speed in (1.0, 2.0, 4.0, 6.0)]
    assert ways == sorted(ways)
    assert ways[1] > 1.8 * ways[0]
    assert ways[3] > 1.3 * ways[2]


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "spider8", "crab"])
def test_who_is_shoved_hard_stumbles_and_recovers(creature: str) -> None:
    walks, stumbles = shoved(creature, 2.0), shoved(creature, 6.0)
    assert stumbles.lean > max(0.15, 1.5 * walks.lean)
    assert stumbles.dip > max(0.12, 2.0 * walks.dip)
    assert stumbles.turn < np.radians(2.0)  # however hard, no pop


def test_nobody_stumbles_on_rails() -> None:
    assert shoved("hexapod", 6.0, weight=0.0).dip < 0.05


@pytest.mark.slow
def test_on_rails_all_of_it_is_walked_off() -> None:
    assert shoved("hexapod", 0.4, weight=0.0).way > 0.03

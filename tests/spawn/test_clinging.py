"""Creatures start on walls and ceilings, and only where their feet hold and there is room."""

from math import pi
from typing import Any

import numpy as np
import pytest

from creature_sim.components import STANDING
from creature_sim.definitions import WorldDef
from creature_sim.errors import CreatureSimError
from creature_sim.library.loader import load_creature
from creature_sim.maths import Vec, X, dot, quat, rotate
from creature_sim.simulation import Simulation
from creature_sim.spawn.headings import ahead_of, heading_of
from creature_sim.view.shows.source import moved_on
from tests.climbers import CEILING, WALL, climber, go, in_room, up_of

SPIDER = climber("spider8")
TABLE = {"shape": "box", "size": [1.5, 1.5, 0.1], "position": [0.0, 0.0, 0.25]}
PILLAR = {"shape": "cylinder", "radius": 0.8, "length": 2.4, "position": [0.0, 0.0, 1.2]}


@pytest.mark.parametrize("name", ["spider8", "centipede"])
@pytest.mark.parametrize(
    ("up", "height", "off"),
    [(CEILING, None, (2, 2.4)), (WALL, 1.2, (0, -4.0)), ((0.0, -1.0, 0.0), 1.2, (1, 3.0))],
)
def test_it_stands_where_its_ground_faces(
    name: str, up: Vec, height: float | None, off: tuple[int, float]
) -> None:
    creature = climber(name)
    with Simulation(in_room(creature, up=up, height=height)) as simulation:
        last = go(simulation, 0.5)[-1]
        ride = simulation.snapshot.creatures[0].plan.body[0].ride_height
    axis, place = off
    assert dot(up_of(last), up) > 0.999
    assert abs(abs(last.position[axis] - place) - ride) < 0.2 * ride
    assert np.all(last.feet["phase"] == STANDING)
    assert np.allclose(last.feet["position"][:, axis], place, atol=1e-6)


@pytest.mark.parametrize(
    ("placement", "message"),
    [
        ({"up": CEILING, "height": 2.5}, r"creatures\[0\].height: .* in the open, .* inside rock"),
        ({"up": CEILING, "height": 3.0}, r"creatures\[0\].up: expected ground that faces"),
        ({"up": (0.0, 0.6, -0.8)}, ""),
        ({"up": CEILING, "position": (20.0, 0.0)}, r"creatures\[0\].up: expected ground that"),
    ],
)
def test_a_start_without_ground_is_refused(placement: dict[str, Any], message: str) -> None:
    world = in_room(SPIDER, **placement)
    if not message:
        with Simulation(world) as simulation:  # any direction finds what is there
            assert go(simulation, 0.1)[-1].gait["flight"] == 0
        return
    with pytest.raises(CreatureSimError, match=message):
        Simulation(world)


def test_only_who_climbs_starts_on_a_ceiling() -> None:
    world = in_room(load_creature("spider8"), up=CEILING)
    with pytest.raises(CreatureSimError, match=r"\[0\].up: expected a creature that climbs"):
        Simulation(world)
    Simulation(in_room(load_creature("spider8"), up=(0.0, 0.0, 1.0))).close()


def test_whom_forces_move_holds_on_to_nothing() -> None:
    """It started below the ceiling, and fell on its back at once."""
    world = in_room(load_creature("ant").climbing, up=CEILING, height=1.2, physical=True)
    with pytest.raises(CreatureSimError, match=r"up: expected a creature that no force moves"):
        Simulation(world)


def test_a_start_steeper_than_its_feet_hold_is_refused() -> None:
    creature = climber("spider8", overhang=1.7)
    Simulation(in_room(creature, up=WALL, height=1.2)).close()
    with pytest.raises(CreatureSimError, match=r"climb.overhang 1.7\), found .* steeper, 3.14"):
        Simulation(in_room(creature, up=CEILING))


def with_solids(world: WorldDef, *solids: dict[str, Any]) -> WorldDef:
    """A room with things in it."""
    room = {**world.terrain.model_dump(), "solids": solids}
    return WorldDef.model_validate({**world.model_dump(), "terrain": room})


def test_a_start_without_room_is_refused() -> None:
    under = in_room(SPIDER, up=(0.0, 0.0, 1.0), height=0.1)
    Simulation(under).close()
    with pytest.raises(CreatureSimError, match=r"up: expected room for spider8"):
        Simulation(with_solids(under, TABLE))


def test_a_start_inside_a_pillar_is_refused() -> None:
    world = in_room(load_creature("hexapod"))
    with pytest.raises(CreatureSimError, match=r"position: expected a start in the open"):
        Simulation(with_solids(world, PILLAR))


@pytest.mark.parametrize("up", [(0.0, 0.0, 1.0), CEILING, WALL, (0.0, -1.0, 0.0), (0.6, 0.0, 0.8)])
def test_a_heading_is_that_of_who_looks_there(up: Vec) -> None:
    for heading in np.linspace(-3.0, 3.0, 7):
        ahead = ahead_of(float(heading), up, (0.0, 0.0, 1.0))
        assert abs(dot(ahead, up)) < 1e-12
        again = ahead_of(heading_of(ahead, up, (0.0, 0.0, 1.0)), up, (0.0, 0.0, 1.0))
        assert dot(ahead, again) > 1.0 - 1e-12


def test_on_a_wall_it_looks_up_and_turns_to_its_left() -> None:
    for heading, ahead in ((0.0, (0.0, 0.0, 1.0)), (0.5 * pi, (0.0, -1.0, 0.0))):
        world = in_room(SPIDER, up=WALL, height=1.2, heading=heading)
        with Simulation(world) as simulation:
            turned = quat(simulation.snapshot.creatures[0].orientation)
        assert dot(rotate(turned, X), ahead) > 0.999


def test_a_file_that_is_saved_while_it_hangs_leaves_it_there() -> None:
    world = in_room(SPIDER, up=WALL, height=1.2, heading=0.6)
    with Simulation(world) as simulation:
        now = simulation.snapshot
    moved = moved_on(world, world, now)
    with Simulation(moved) as simulation:
        again = simulation.snapshot.creatures[0]
    assert np.allclose(again.position, now.creatures[0].position, atol=1e-6)
    assert abs(np.dot(again.orientation, now.creatures[0].orientation)) > 1.0 - 1e-9
    plain = load_creature("spider8").model_copy(update={"name": SPIDER.name})
    no_more = world.model_copy(update={"species": {SPIDER.name: plain}})
    start = moved_on(no_more, world, now).creatures[0]
    assert (start.up, start.height) == (None, None)


def test_who_comes_during_a_run_may_start_on_a_ceiling() -> None:
    with Simulation(in_room(load_creature("hexapod"))) as simulation:
        number = simulation.spawn(SPIDER, (1.0, 1.0), up=CEILING)
        simulation.step()
        assert simulation.snapshot.creatures[number].position[2] > 2.0

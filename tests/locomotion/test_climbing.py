"""Creatures that climb: up walls, over edges, along ceilings, and back."""

from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from creature_sim import Simulation
from creature_sim.definitions import WorldDef
from creature_sim.definitions.creature import ClimbDef
from creature_sim.inputs import Input
from creature_sim.library.loader import load_creature
from creature_sim.maths import Floats, Z, quat, rotate

RATE = 60

CLIMBERS = ("hexapod", "ant", "spider4", "spider8")
ROOM = {"kind": "room", "length": 5.0, "width": 6.0, "height": 2.4}
BLOCK = {
    "kind": "solids",
    "solids": [{"shape": "box", "size": (3.0, 8.0, 1.6), "position": (3.5, 0.0, 0.8)}],
}


def world_of(name: str, terrain: Mapping[str, object], climb: ClimbDef | None) -> WorldDef:
    """One creature that climbs, or does not."""
    creature = load_creature(name).model_copy(update={"climb": climb})
    return WorldDef.model_validate(
        {
            "name": "climb",
            "terrain": terrain,
            "creatures": [{"creature": name}],
            "species": {name: creature.model_dump()},
        }
    )


def straight_on(world: WorldDef, seconds: float) -> tuple[Floats, Floats, NDArray[np.int64]]:
    """Positions (T, 3), ups (T, 3) and phases of feet (T, L) of a creature sent straight on."""
    positions, ups, phases = [], [], []
    with Simulation(world) as simulation:
        for _ in range(int(seconds * RATE)):
            simulation.step(Input.of([(1.0,)]))
            creature = simulation.snapshot.creatures[0]
            positions.append(np.array(creature.position))
            ups.append(rotate(quat(creature.orientation), Z))
            phases.append(creature.feet["phase"].copy())
    return np.array(positions), np.array(ups), np.array(phases)


@pytest.mark.parametrize("name", CLIMBERS)
def test_they_walk_round_a_room(name: str) -> None:
    positions, ups, _ = straight_on(world_of(name, ROOM, ClimbDef()), 26.0)
    floor, wall, ceiling = (ups @ np.array(up) > 0.99 for up in ((0, 0, 1), (-1, 0, 0), (0, 0, -1)))
    first = [int(face.argmax()) for face in (wall, ceiling)]
    assert floor[0]
    assert wall.any()
    assert ceiling.any()
    assert first[0] < first[1]
    assert (np.abs(positions[:, 0]) < 2.5).all()
    assert (positions[:, 2] < 2.4).all()
    turns = np.degrees(np.arccos(np.clip((ups[1:] * ups[:-1]).sum(axis=1), -1.0, 1.0)))
    assert turns.max() <= 2.0


@pytest.mark.parametrize("name", ["hexapod", "ant"])
def test_they_climb_over_a_block(name: str) -> None:
    positions, ups, _ = straight_on(world_of(name, BLOCK, ClimbDef()), 14.0)
    assert positions[:, 2].max() > 1.6
    is_on_top = (positions[:, 2] > 1.6) & (ups[:, 2] > 0.99)
    assert is_on_top.any()
    assert not is_on_top[-1]  # and down on the other side
    assert positions[-1, 0] > 4.5


def test_without_the_key_a_wall_stops_them() -> None:
    positions, ups, _ = straight_on(world_of("hexapod", ROOM, None), 6.0)
    assert positions[-1, 0] < 2.2
    assert ups[:, 2].min() > 0.95


def test_feet_do_not_hold_on_to_what_is_too_steep() -> None:
    positions, ups, _ = straight_on(world_of("hexapod", ROOM, ClimbDef(overhang=1.0)), 8.0)
    assert positions[-1, 2] < 0.6
    assert ups[:, 2].min() > 0.5


def test_walls_are_climbed_and_ceilings_not_where_they_are_too_steep() -> None:
    positions, ups, _ = straight_on(world_of("ant", ROOM, ClimbDef(overhang=1.6)), 14.0)
    assert positions[:, 2].max() > 1.0
    assert ups[:, 2].min() > -0.5

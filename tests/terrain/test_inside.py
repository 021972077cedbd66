"""Points inside rock are told from those in the open."""

import pytest

from creature_sim.library.loader import load_world
from creature_sim.terrain import build_terrain, read_ground
from creature_sim.terrain.tiles.inside import is_inside


@pytest.mark.parametrize(
    ("point", "inside"),
    [
        ((0.0, 0.0, 1.0), False),
        ((0.0, 0.0, 2.5), True),  # in the ceiling
        ((4.1, 0.0, 1.0), True),  # in a wall
        ((4.1, 3.1, 2.4 + 1e-9), True),  # where they meet
        ((5.0, 0.0, 1.0), False),
        ((0.0, 0.0, 3.0), False),
        ((0.0, 0.0, -0.1), True),
        ((1.0, 1.0, 0.5), True),  # in one of two boxes that overlap
        ((1.3, 1.0, 0.5), True),  # in both
        ((1.0, 1.0, 1.2), False),  # between it and the ceiling
    ],
)
def test_a_room_is_open_between_its_walls(point: tuple[float, float, float], inside: bool) -> None:
    boxes = [
        {"shape": "box", "size": [1.0, 1.0, 1.0], "position": [x, 1.0, 0.5]} for x in (1.0, 1.5)
    ]
    room = {"kind": "room", "length": 8.0, "width": 6.0, "height": 2.4, "solids": boxes}
    assert is_inside(build_terrain(read_ground(room), 1).tiles, point) == inside


def test_nothing_is_inside_above_stairs() -> None:
    world = load_world("stairs")
    tiles = build_terrain(world.terrain, world.seed).tiles
    assert not is_inside(tiles, (0.0, 0.0, 5.0))
    assert is_inside(tiles, (3.0, 0.0, -5.0))

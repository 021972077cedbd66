"""Maps of what lies below a roof: the plan of a floor."""

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.library.loader import load_creature, load_world
from creature_sim.score.section import section
from creature_sim.score.survey import survey
from creature_sim.terrain import build_terrain
from tests.terrain_kinds import KINDS


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["hills", "stairs", "tilted_grid"])
def test_a_cut_above_all_ground_shows_what_rays_find(kind: str) -> None:
    world = load_world("meadow").model_copy(update={"terrain": KINDS[kind]})
    found = survey(world)
    heights, normals = section(
        build_terrain(KINDS[kind], world.seed), found.centre, found.offsets, 1e3
    )
    # But for samples at the edge of a step, and normals on the border of two triangles.
    assert (np.abs(heights - found.heights) < 1e-4).mean() > 0.99
    assert (np.abs(normals - found.normals).max(axis=2) < 1e-3).mean() > 0.4


def test_the_plan_of_a_room_shows_walls_the_doorway_and_the_table() -> None:
    found = survey(load_world("room"))

    def height(x: float, y: float) -> float:
        return float(found.heights[found.cell_of((x, y))])

    assert height(0.0, 0.0) == height(4.65, 0.0) == height(10.0, 10.0) == 0.0
    for wall in ((4.65, 2.0), (-4.65, 0.0), (0.0, 3.65), (0.0, -3.65), (-2.4, 1.9)):
        assert np.isnan(height(*wall))
    assert height(-2.2, -1.9) == pytest.approx(1.0)
    assert height(2.2, 0.0) == 0.0  # the beam is above the cut
    ground = found.walkable(load_creature("hexapod"))
    assert ground.is_reached[found.cell_of((9.0, 0.0))]  # through the doorway
    assert not ground.is_reached[found.cell_of((-2.2, -1.9))]


@pytest.mark.slow
def test_from_outside_a_room_is_seen_from_above() -> None:
    world = load_world("room")
    outside = world.creatures[0].model_copy(update={"position": (9.0, 0.0)})
    moved: WorldDef = world.model_copy(update={"creatures": (outside,)})
    found = survey(moved)
    assert found.heights[found.cell_of((0.0, 0.0))] == pytest.approx(2.9)


def test_the_plan_of_a_cave_is_closed_but_at_its_ends() -> None:
    found = survey(load_world("cave"))
    is_rock = np.isnan(found.heights)
    row, _ = found.cell_of((-2.0, 0.0))
    assert is_rock[row].sum() * found.spacing > 0.9  # two walls of 0.5 m
    inside = found.walkable(load_creature("hexapod")).is_reached
    assert inside.mean() > 0.9  # out of both ends, all around
    assert not (inside & is_rock).any()

"""Dunes, canyons, craters, terraces, islands, pyramids and shapes of hills are what they say."""

import numpy as np
import pytest
from pydantic import ValidationError

from creature_sim.ground.rays import Physics
from creature_sim.terrain import build_terrain
from creature_sim.terrain.build import heights_of
from creature_sim.terrain.kinds.canyon import CanyonDef
from creature_sim.terrain.kinds.craters import CratersDef
from creature_sim.terrain.kinds.dunes import DunesDef
from creature_sim.terrain.kinds.hills import HillsDef
from creature_sim.terrain.kinds.islands import IslandsDef
from creature_sim.terrain.kinds.pyramid import PyramidDef
from creature_sim.terrain.kinds.terraces import TerracesDef
from creature_sim.terrain.patterns.noise import octave_sum, simplex
from tests.terrain.test_kinds import face, heights_at
from tests.terrain.test_terrain import cast_down
from tests.terrain_kinds import KINDS, SMOOTH

NODES = 0.25 * np.arange(-128, 129)


def on_nodes(kind: str, seed: int = 7) -> np.ndarray:
    return heights_of(KINDS[kind], NODES, NODES, seed)


@pytest.mark.parametrize("kind", SMOOTH)
def test_heights_at_a_node_depend_on_nothing_but_the_node(kind: str) -> None:
    whole = on_nodes(kind)
    part = heights_of(KINDS[kind], NODES[30:51], NODES[200:], 7)
    assert (part == whole[30:51, 200:]).all()
    assert (heights_of(KINDS[kind], NODES[::-1], NODES, 7) == whole[::-1]).all()


@pytest.mark.slow
def test_ridges_are_sharp_where_billows_are() -> None:
    rolling, ridged, billowed = (
        HillsDef(kind="hills", amplitude=2.0, wavelength=9.0, octaves=1, shape=shape)
        for shape in ("rolling", "ridged", "billowed")
    )
    base, up, down = (heights_of(one, NODES, NODES, 3) for one in (rolling, ridged, billowed))
    assert up == pytest.approx(2.0 - 2.0 * abs(base))
    assert down == pytest.approx(-up)


def test_plain_hills_are_octaves_of_rolling_noise() -> None:
    hills = KINDS["hills"]
    assert isinstance(hills, HillsDef)
    x, y = 3.25, -7.5
    octaves = octave_sum(7, x, y, 1.0, hills.wavelength, hills.octaves, hills.gain, 0)
    found = heights_of(hills, np.array([x]), np.array([y]), 7)[0, 0]
    assert found == pytest.approx(hills.amplitude * octaves)


def test_warped_hills_are_hills_looked_up_aside() -> None:
    plain = HillsDef(kind="hills", amplitude=1.0, wavelength=12.0, octaves=3)
    warped = plain.model_copy(update={"warp": 4.0})
    x, y = 5.5, -11.25
    u = x + 4.0 * simplex(7, 900, x / 12.0, y / 12.0)
    v = y + 4.0 * simplex(7, 901, x / 12.0, y / 12.0)
    assert heights_of(warped, np.array([x]), np.array([y]), 7) == pytest.approx(
        heights_of(plain, np.array([u]), np.array([v]), 7)
    )


def test_dunes_are_steeper_in_lee() -> None:
    dunes = DunesDef(kind="dunes", height=1.0, wavelength=8.0, lee=0.2, bend=0.0)
    heights = heights_of(dunes, NODES, NODES, 7)
    assert heights.min() >= 0.0
    assert 0.5 <= heights.max() <= 1.0
    rise = np.diff(heights, axis=0)
    assert (rise < 0.0).mean() == pytest.approx(0.2, abs=0.08)
    assert -rise.min() > 2.5 * rise.max()
    assert heights[::32] == pytest.approx(0.0, abs=1e-9)  # troughs, a wavelength apart


def test_a_canyon_has_a_level_floor_and_a_level_plain() -> None:
    heights = on_nodes("canyon")
    assert heights[128, 128] == 0.0
    assert (heights.min(axis=1) == 0.0).all()
    assert (heights[:, [0, -1]] == 3.0).all()
    floor = (heights == 0.0).sum(axis=1) * 0.25
    assert floor.min() == pytest.approx(4.0, abs=0.3)
    assert floor.max() == pytest.approx(4.0, abs=0.3)
    middles = (NODES * (heights == 0.0)).sum(axis=1) / (heights == 0.0).sum(axis=1)
    assert 1.0 < abs(middles).max() <= 8.0
    straight = CanyonDef(kind="canyon", depth=3.0, width=4.0, wall=5.0)
    assert np.ptp(heights_of(straight, NODES, NODES, 7), axis=0) == pytest.approx(0.0)


def test_craters_have_bowls_rims_and_level_ground_between() -> None:
    craters = CratersDef(kind="craters", depth=0.6, rim=0.2, size=3.0, spacing=16.0)
    heights = heights_of(craters, NODES, NODES, 7)
    assert -0.6 <= heights.min() < -0.5
    assert 0.1 < heights.max() <= 0.2
    wide = np.pi * (1.5 * 1.5) ** 2 / 16.0**2  # what a crater and its rim cover at most
    assert 0.7 < 1.0 - wide <= (heights == 0.0).mean()


def test_terraces_are_level_at_multiples_of_the_riser() -> None:
    terraces = TerracesDef(
        kind="terraces", amplitude=1.5, wavelength=14.0, riser=0.3, ramp=0.2, octaves=2
    )
    steps = heights_of(terraces, NODES, NODES, 7) / 0.3
    is_level = abs(steps - np.rint(steps)) < 1e-9
    assert is_level.mean() == pytest.approx(0.8, abs=0.05)
    assert len(np.unique(np.rint(steps[is_level]))) >= 5


def test_islands_are_level_land_over_a_level_sea_bed() -> None:
    found = {}
    for sea in (-1.0, 0.0, 1.0):
        islands = IslandsDef(kind="islands", size=9.0, depth=0.8, sea=sea, shore=0.1, octaves=1)
        heights = heights_of(islands, NODES, NODES, 7)
        assert heights.min() >= -0.8
        assert heights.max() <= 0.0
        found[sea] = (heights == 0.0).mean(), (heights == -0.8).mean()
    assert found[-1.0][0] > 0.95
    assert found[1.0][1] == 1.0
    assert found[0.0][0] == pytest.approx(0.45, abs=0.15)
    assert found[0.0][1] == pytest.approx(0.45, abs=0.15)


def test_pyramids_are_stairs_to_all_sides() -> None:
    line = np.linspace(0.01, 12.0, 500)
    along = heights_at("stairs", line, np.zeros(500))
    for x, y in ((line, 0.3 * line), (-line, -line), (0.7 * line, line), (-0.2 * line, -line)):
        assert heights_at("pyramid", x, y) == pytest.approx(along)
    where, normal = face("pyramid", (0.0, 0.4, 0.06), (2.0, 0.4, 0.06))
    assert where == pytest.approx(1.0)
    assert normal == pytest.approx([-1.0, 0.0, 0.0])


def test_a_pyramid_may_go_down() -> None:
    table = KINDS["pyramid"].model_dump() | {"riser": -0.12}
    down = PyramidDef.model_validate(table)
    line = np.linspace(0.01, 12.0, 500)
    with Physics(build_terrain(down, 7)) as physics:
        heights, _ = cast_down(physics, line, 0.5 * line)
    assert heights == pytest.approx(-heights_at("pyramid", line, 0.5 * line))


def test_craters_too_large_for_their_squares_are_refused() -> None:
    with pytest.raises(ValidationError, match="size: expected at most the spacing, 3 m, found 4"):
        CratersDef(kind="craters", depth=0.5, size=4.0, spacing=3.0)

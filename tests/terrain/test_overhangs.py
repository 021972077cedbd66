"""Walls, tunnels, overhangs, pillars and planets: rays from any side, and feet on their floors."""

import re
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike
from pydantic import ValidationError

from creature_sim.components import STANDING
from creature_sim.definitions import PropDef, WorldDef, explain
from creature_sim.errors import TerrainError
from creature_sim.ground.rays import Physics
from creature_sim.library.loader import load_creature, load_world
from creature_sim.maths import quat, rotate
from creature_sim.simulation import Simulation
from creature_sim.terrain import build_terrain
from creature_sim.terrain.kinds.sphere import SphereDef
from tests.marks import sample_of
from tests.terrain_kinds import KINDS


def hits(kind: str, starts: ArrayLike, ends: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Points and normals that rays find, (R, 3) each."""
    starts = np.array(starts, float)
    ends = np.broadcast_to(np.array(ends, float), starts.shape)
    with Physics(build_terrain(KINDS[kind], 7)) as physics:
        fractions, normals = physics.cast(starts, ends)
    assert (fractions < 1.0).all()
    return starts + (ends - starts) * fractions[:, None], normals


def world_of(terrain: dict[str, Any], creature: str = "hexapod", **placed: object) -> WorldDef:
    table = {
        "name": "under",
        "terrain": terrain,
        "driver": "forward 60",
        "creatures": [{"creature": creature, **placed}],
        "species": {creature: load_creature(creature).model_dump()},
    }
    return WorldDef.model_validate(table)


def test_a_tunnel_answers_rays_from_within_to_all_sides() -> None:
    rng = np.random.default_rng(2)
    inside = rng.uniform((-5.5, -1.2, 0.05), (5.5, 1.2, 1.15), (500, 3))
    for axis, sign, place in ((1, 1, 1.25), (1, -1, -1.25), (2, 1, 1.2), (2, -1, 0.0)):
        way = np.zeros(3)
        way[axis] = 4.0 * sign
        points, normals = hits("tunnel", inside, inside + way)
        assert points[:, axis] == pytest.approx(place, abs=1e-5)
        assert normals[:, axis] == pytest.approx(-sign)
    oblique = inside + rng.normal(size=(500, 3)) * (0.01, 5.0, 5.0)
    points, _ = hits("tunnel", inside, inside + 1e3 * (oblique - inside) / 5.0)
    on_wall = np.isclose(abs(points[:, 1]), 1.25, atol=1e-4)
    on_level = np.isclose(points[:, 2], 0.0, atol=1e-4) | np.isclose(points[:, 2], 1.2, atol=1e-4)
    assert (on_wall | on_level).all()
    points, normals = hits("tunnel", [(0.0, 0.0, 9.0), (9.0, 1.4, 1.0)], [(0, 0, 0), (-9, 1.4, 1)])
    assert points[:, 2] == pytest.approx([1.5, 1.0])
    assert points[1, 0] == pytest.approx(6.0)
    assert normals == pytest.approx(np.array([(0, 0, 1), (1, 0, 0)]))


def test_an_overhang_has_an_underside_a_lip_and_a_cliff() -> None:
    x = np.linspace(-0.99, 2.99, 100)
    y = np.linspace(-31.0, 31.0, 100)
    below = np.stack((x, y, np.full(100, 0.1)), axis=-1)
    points, normals = hits("overhang", below, below + np.array([0.0, 0.0, 9.0]))
    assert points[:, 2] == pytest.approx(1.2, abs=1e-5)
    assert normals[:, 2] == pytest.approx(-1.0)
    points, normals = hits("overhang", below, below + np.array([9.0, 0.0, 0.0]))
    assert points[:, 0] == pytest.approx(3.0, abs=1e-5)
    assert normals[:, 0] == pytest.approx(-1.0)
    lip = np.stack((np.full(100, -5.0), y, np.full(100, 1.4)), axis=-1)
    points, normals = hits("overhang", lip, lip + np.array([9.0, 0.0, 0.0]))
    assert points[:, 0] == pytest.approx(-1.0, abs=1e-5)
    top = np.stack((np.linspace(-0.9, 31.0, 100), y, np.full(100, 5.0)), axis=-1)
    points, normals = hits("overhang", top, top - np.array([0.0, 0.0, 9.0]))
    assert points[:, 2] == pytest.approx(1.6, abs=1e-5)
    assert normals[:, 2] == pytest.approx(1.0)


def test_a_sphere_answers_rays_towards_its_middle_from_everywhere() -> None:
    radius = 8.0
    middle = np.array([0.0, 0.0, -radius])
    away = np.random.default_rng(4).normal(size=(3000, 3))
    away /= np.linalg.norm(away, axis=1)[:, None]
    away = away[away[:, 2] > -0.9]  # the plain is in the way of the rest
    points, normals = hits("sphere", middle + 1.05 * radius * away, middle)
    distance = np.linalg.norm(points - middle, axis=1)
    assert distance.max() <= radius + 1e-5
    assert distance.min() >= radius * (1.0 - 4e-4)  # in the middle of the largest facets
    assert (normals * away).sum(axis=1).min() > np.cos(0.03)
    assert points[0] == pytest.approx(middle + distance[0] * away[0])


@pytest.mark.slow
def test_pillars_are_round_and_stand_in_a_grid() -> None:
    turns = np.linspace(0.0, 2 * np.pi, 360)
    out = np.stack((np.cos(turns), np.sin(turns), np.zeros(360)), axis=-1)
    for axis in ((1.5, 1.5), (-1.5, 4.5), (-28.5, 28.5)):
        middle = np.array([*axis, 1.0])
        points, normals = hits("pillar", middle + 1.0 * out, middle)
        assert np.linalg.norm(points - middle, axis=1) == pytest.approx(0.4, abs=0.001)
        assert (normals * out).sum(axis=1).min() > np.cos(np.pi / 48) - 1e-4
    above = np.array([(1.5, 1.7, 5.0), (0.0, 0.0, 5.0), (1.5, 1.95, 5.0)])
    points, _ = hits("pillar", above, above - np.array([0.0, 0.0, 9.0]))
    assert points[:, 2] == pytest.approx([2.0, 0.0, 0.0], abs=1e-6)


def test_walls_have_gates() -> None:
    starts = np.array([(0.0, y, 1.0) for y in (-20.0, -1.3, 1.3, 20.0)])
    for side in (1.0, -1.0):
        points, normals = hits("wall", starts, starts + np.array([side * 20.0, 0.0, 0.0]))
        assert points[:, 0] == pytest.approx(3.0 * side, abs=1e-5)
        assert normals[:, 0] == pytest.approx(-side)
    with Physics(build_terrain(KINDS["wall"], 7)) as physics:
        free, _ = physics.cast(np.array([(0, 1.2, 1.0)]), np.array([(20.0, 1.2, 1.0)]))
    assert free[0] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "spider4", "biped"])
def test_creatures_walk_through_a_tunnel_on_its_floor(creature: str) -> None:
    tunnel = KINDS["tunnel"].model_dump() | {"height": 1.7}
    with Simulation(world_of(tunnel, creature, position=(-4.0, 0.0))) as simulation:
        for _ in range(600):
            simulation.step()
            found = simulation.snapshot.creatures[0]
            assert found.joints[..., 2].max() < 1.7
            standing = found.feet["phase"] == STANDING
            assert found.feet["position"][standing, 2] == pytest.approx(0.0, abs=1e-5)
        assert found.position[0] > -4.0 + 1.0


def test_creatures_start_under_a_ledge_and_on_a_cliff() -> None:
    overhang = KINDS["overhang"].model_dump()
    for x, height in ((0.0, 0.0), (-5.0, 0.0), (8.0, 1.6)):
        with Simulation(world_of(overhang, position=(x, 0.0))) as simulation:
            assert simulation.snapshot.creatures[0].position[2] == pytest.approx(height + 0.26)


def test_a_roof_that_is_too_low_for_a_creature_is_refused() -> None:
    tunnel = KINDS["tunnel"].model_dump() | {"height": 0.3}
    with pytest.raises(
        TerrainError,
        match=r"terrain\.height: expected at least 0\.\d\d m, .* hexapod .* found 0\.3",
    ):
        Simulation(world_of(tunnel))


def under(world: WorldDef) -> list[np.ndarray]:
    """Joints of the legs over 8 s."""
    found = []
    with Simulation(world) as simulation:
        rays = simulation.physics.ray_count
        for _ in range(480):
            simulation.step()
            found.append(simulation.snapshot.creatures[0].joints)
        rays = simulation.physics.ray_count - rays
    assert rays / 480 / found[0].shape[0] <= 4.0
    return found


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "spider4", "ant"])
def test_feet_stay_below_what_hangs_low_over_them(creature: str) -> None:
    def world(terrain: dict[str, Any], *props: PropDef) -> WorldDef:
        aside = world_of(terrain, creature, position=(0.0, 0.07))  # of where two tiles meet
        return aside.model_copy(update={"driver": "forward 60", "props": props})

    plank = {"shape": "plank", "size": [2.0, 3.0, 0.05], "position": [2.5, 0.0, 0.55]}
    tunnel = {"kind": "tunnel", "width": 4.0, "height": 0.56, "length": 12.0}
    free = under(world({"kind": "flat"}))
    planked = under(world({"kind": "flat"}, PropDef.model_validate(plank)))
    for joints, expected in zip(planked, free, strict=True):
        assert joints == pytest.approx(expected, abs=1e-2)  # all rays are cast there, not few
        assert joints[..., 2] == pytest.approx(expected[..., 2], abs=2e-3)  # no foot goes lower
    tips = np.array(under(world(tunnel)))[:, :, -1]
    assert tips[..., 2].max() < 0.2
    assert tips[-1, :, 0].min() > 3.5


def test_feet_still_climb_a_block_that_is_a_prop() -> None:
    block = {"shape": "box", "size": [2.0, 3.0, 0.18], "position": [2.5, 0.0, 0.09]}
    world = world_of({"kind": "flat"}).model_copy(
        update={"driver": "forward 60", "props": (PropDef.model_validate(block),)}
    )
    with Simulation(world) as simulation:
        highest = 0.0
        for _ in range(400):
            simulation.step()
            feet = simulation.snapshot.creatures[0].feet
            highest = max(highest, float((feet["prop"] == 0).mean()))
    assert highest == 1.0


@pytest.mark.parametrize(
    "creature", sample_of(["hexapod", "spider4", "biped", "centipede"], slow=("hexapod", "biped"))
)
def test_a_creature_walks_past_the_lowest_place_of_a_planet(creature: str) -> None:
    planet = load_world("planet")
    placement = planet.creatures[0].model_copy(update={"creature": creature})
    plans = {creature: load_creature(creature)}
    world = planet.model_copy(update={"creatures": (placement,), "species": plans})
    assert isinstance(world.terrain, SphereDef)
    radius = world.terrain.radius
    middle = np.array([0.0, 0.0, -radius])
    height = plans[creature].body.ride_height
    with Simulation(world) as simulation:
        lowest, is_past = 0.0, False
        for _ in range(2000):
            simulation.step()
            found = simulation.snapshot.creatures[0]
            standing, roll = found.feet["phase"] == STANDING, found.feet["roll"]
            legs = found.plan.legs
            rises = np.where(roll > 0.0, legs["heel"], legs["toe"]) * np.abs(np.sin(roll))
            away = np.linalg.norm(found.tips - middle, axis=1) - rises  # of soles that have rolled
            assert away[standing] == pytest.approx(radius, abs=0.01)
            up = (found.position - middle) / np.linalg.norm(found.position - middle)
            turned = rotate(quat(found.orientation), (0.0, 0.0, 1.0))
            assert up @ np.array(turned) > 0.95  # its own up is away from the planet
            rise = np.linalg.norm(found.position - middle) - radius
            assert rise == pytest.approx(height, abs=0.35 * height)
            lowest = min(lowest, float(found.position[2]))
            is_past = is_past or (lowest < -2.0 * radius and found.position[0] < -1.0)
    assert is_past


def test_dynamic_props_are_refused_on_a_planet() -> None:
    ball = {"shape": "ball", "radius": 0.1, "position": [1.0, 0.0, 0.1]}
    table = load_world("planet").model_dump()
    WorldDef.model_validate(table | {"props": [ball]})
    with pytest.raises(ValidationError, match=r"props\[0\]\.motion: .* is a planet"):
        WorldDef.model_validate(table | {"props": [ball | {"motion": "dynamic", "mass": 1.0}]})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"kind": "tunnel", "width": 2.0, "height": -1.0},
            r"height: .*at least 0.1",
        ),
        ({"kind": "tunnel", "width": 2.0, "height": 1.0, "length": 63.0}, "length"),
        ({"kind": "wall", "height": 1.0, "distance": 30.0, "thickness": 2.0}, "end within 31 m"),
        ({"kind": "overhang", "height": 1.0, "distance": 1.0, "depth": 40.0}, "ends within 31 m"),
        ({"kind": "pillar", "radius": 1.0, "height": 1.0, "spacing": 2.0}, "half the spacing"),
        ({"kind": "sphere", "radius": float("nan")}, "radius: expected a finite number"),
        ({"kind": "sphere", "radius": 31.0}, "radius"),
    ],
)
def test_what_cannot_be_built_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        world_of(change)
    (line,) = explain(caught.value)
    assert re.search(message, line)

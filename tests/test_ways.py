"""Ways over level ground are straight, and go round what stands there."""

from typing import Any

import numpy as np
import pytest

from creature_sim.ground.rays import Physics
from creature_sim.ground.routes import Routes, _apart
from creature_sim.ground.ways import straighten
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.terrain import build_terrain, read_ground

LOW, HIGH = np.array([-2.0, -4.0, -1.0]), np.array([12.0, 4.0, 4.0])


def pulled(terrain: dict[str, Any], start: Floats, goal: Floats) -> Floats:
    """The straightened way of a body .24 m high between two places, (K, 3) [m]."""
    routes = Routes.over(build_terrain(read_ground(terrain), 1), 0.24, 0.3, LOW, HIGH)
    first, last = (routes.nearest(point)[0] for point in (start, goal))
    nodes, field = [first], routes.field(last)
    while field.nexts[nodes[-1]] >= 0:
        nodes.append(int(field.nexts[nodes[-1]]))
    places, normals = routes.places[nodes], routes.normals[nodes]
    places[0], places[-1] = start, goal
    straighten(routes, field, places, normals)
    return places


@pytest.mark.slow
def test_a_long_way_through_a_tunnel_is_straight() -> None:
    tunnel = {"kind": "tunnel", "width": 1.4, "height": 0.6, "length": 30.0}
    places = pulled(tunnel, np.array((0.0, 0.1, 0.24)), np.array((11.0, 0.1, 0.24)))
    assert np.abs(places[:, 1] - 0.1).max() < 1e-9
    assert lengths(np.diff(places, axis=0)).sum() == pytest.approx(11.0)


@pytest.mark.slow
def test_a_way_is_not_pulled_through_a_pillar() -> None:
    pillar = {"shape": "cylinder", "radius": 0.8, "length": 3.0, "position": (4.0, 0.0, 1.5)}
    ground = {"kind": "solids", "solids": [pillar]}
    places = pulled(ground, np.array((0.0, 0.1, 0.24)), np.array((8.0, 0.1, 0.24)))
    level = places[np.abs(places[:, 2] - 0.24) < 0.05]
    assert len(level) > 20
    assert lengths(level[:, :2] - (4.0, 0.0)).min() > 0.6  # a place beside it is .2 m off at most


def test_each_cell_keeps_the_place_nearest_its_middle() -> None:
    """Of those with room for a body: those on the floor below a plate have none."""
    plate = {"shape": "box", "size": (0.5, 0.5, 0.1), "position": (0.0, 0.0, 0.15)}
    terrain = build_terrain(read_ground({"kind": "solids", "solids": [plate]}), 1)
    random = np.random.default_rng(5)
    points = np.column_stack((random.uniform(-0.6, 0.6, (400, 2)), np.zeros(400)))
    normals = np.tile([0.0, 0.0, 1.0], (400, 1))
    with Physics(terrain) as physics:
        kept = _apart(physics, points, normals, 0.25, 0.2)
    free = np.flatnonzero(np.abs(points[:, :2]).max(axis=1) > 0.25)
    best: dict[tuple[int, ...], int] = {}
    for k in free.tolist():
        cell = tuple(np.floor(points[k, :2] / 0.2).astype(int).tolist())
        off = points[[k, best.get(cell, k)], :2] / 0.2 - cell - 0.5
        if lengths(off)[0] <= lengths(off)[1]:
            best[cell] = k
    assert kept.tolist() == sorted(best.values())

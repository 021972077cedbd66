"""Meshes of props that stay: who climbs is led over them."""

from typing import Any

import numpy as np
import pytest

from creature_sim.definitions import PropDef, WorldDef
from creature_sim.drivers import make_driver
from creature_sim.library.loader import load_creature
from creature_sim.props.meshes import prop_mesh
from creature_sim.simulation import Simulation
from tests.arrays import assert_near
from tests.props.test_props import hits, world_of

PLACE = {"position": [1.0, -2.0, 7.0], "rotation": [0.3, -0.5, 1.0]}
SIZED = {"size": [1.0, 0.6, 0.4]}
SHAPES: dict[str, dict[str, Any]] = {
    "box": SIZED,
    "plank": SIZED,
    "ramp": SIZED,
    "ball": {"radius": 0.5},
    "cylinder": {"radius": 0.5, "length": 1.2},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_mesh_lies_where_rays_meet_the_prop_and_faces_outwards(shape: str) -> None:
    prop = {"shape": shape, **SHAPES[shape], **PLACE}
    vertices, triangles = prop_mesh(PropDef.model_validate(prop)).mesh()
    corners = vertices[triangles]
    middles = corners.mean(axis=1)
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    facing = across / np.linalg.norm(across, axis=1)[:, None]
    points, normals, numbers = hits([prop], middles + 2.0 * facing, middles - 2.0 * facing)
    assert (numbers == 0).all()
    assert_near(points, middles, abs=0.005)  # a prism lies in what is round
    assert (normals * facing).sum(axis=1).min() > 0.99
    # It is closed: each edge is there once in either direction.
    near = np.round(vertices, 9)
    _, owners = np.unique(near, axis=0, return_inverse=True)
    corner = owners.ravel()[triangles]
    edges = np.concatenate((corner[:, [0, 1]], corner[:, [1, 2]], corner[:, [2, 0]]))
    edges = edges[edges[:, 0] != edges[:, 1]]
    there, back = ({tuple(edge) for edge in each.tolist()} for each in (edges, edges[:, ::-1]))
    assert there == back
    assert len(there) == len(edges)


def on_box(driver: str) -> WorldDef:
    plan = load_creature("hexapod").climbing
    box = {"shape": "box", "size": [2.0, 3.0, 1.0], "position": [2.5, 0.0, 0.5]}
    species = {plan.name: plan.model_dump()}
    return world_of(box, driver=driver, creatures=[{"creature": plan.name}], species=species)


@pytest.mark.slow
@pytest.mark.parametrize("goal", [(2.5, 0.0, 1.0), (3.5, 0.3, 0.6), (5.0, 0.0, 0.0)])
def test_who_climbs_is_led_over_a_prop(goal: tuple[float, float, float]) -> None:
    world = on_box("goto {:g},{:g},{:g}".format(*goal))
    with Simulation(world) as simulation:
        driver = make_driver(world)
        for _ in range(2400):
            simulation.step(driver(simulation.snapshot))
        assert simulation.snapshot.creatures[0].position == pytest.approx(goal, abs=0.4)

"""Props that stay as ground: meshes of their surfaces."""

from itertools import pairwise

import numpy as np

from creature_sim.definitions import PropDef
from creature_sim.maths import TAU, Floats, rotate, sin_cos, vec
from creature_sim.maths.turns import quat_of_turns
from creature_sim.props.shapes import hulls_of
from creature_sim.terrain.tiles.tiles import MeshTile

SIDES, RINGS = 48, 24
"""Of what is round."""

BOX = [
    *((0, 2, 6), (0, 6, 4), (1, 5, 7), (1, 7, 3), (0, 4, 5), (0, 5, 1)),
    *((2, 3, 7), (2, 7, 6), (0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5)),
]
RAMP = [(0, 1, 4), (0, 4, 2), (2, 4, 5), (2, 5, 3), (0, 3, 5), (0, 5, 1), (0, 2, 3), (1, 5, 4)]
"""Triangles between corners as `hulls_of` lists them, counter-clockwise from outside."""


def prop_mesh(prop: PropDef) -> MeshTile:
    """The surface of a prop that stays [m, world]."""
    if prop.shape == "ball":
        ring = [sin_cos(0.5 * TAU * k / RINGS) for k in range(1, RINGS)]
        mesh = _lathed([(0.0, -1.0), *((s, -c) for s, c in ring), (0.0, 1.0)])
        own = mesh.vertices * (prop.radius or 0.0)
    elif prop.shape == "cylinder":
        mesh = _lathed([(0.0, -0.5), (1.0, -0.5), (1.0, 0.5), (0.0, 0.5)])
        own = mesh.vertices * ([prop.radius or 0.0] * 2 + [prop.length or 0.0])
    else:
        (own,) = hulls_of((prop,))
        mesh = MeshTile(own, np.array(RAMP if prop.shape == "ramp" else BOX, np.int32))
    turn = quat_of_turns(prop.rotation)
    turned = np.array([rotate(turn, vec(point)) for point in own])
    return MeshTile(turned + np.array(prop.position), mesh.triangles)


def _lathed(profile: list[tuple[float, float]]) -> MeshTile:
    """What a line of radii and heights along Z, from below, encloses as it turns about Z."""
    around = [sin_cos(TAU * k / SIDES) for k in range(SIDES)]
    points: Floats = np.array([(r * c, r * s, z) for r, z in profile for s, c in around])
    triangles = []
    for row, (lower, upper) in enumerate(pairwise(profile)):
        for k in range(SIDES):
            a, b = row * SIDES + k, row * SIDES + (k + 1) % SIDES
            if lower[0] > 0.0:
                triangles.append((a, b, b + SIDES))
            if upper[0] > 0.0:
                triangles.append((a, b + SIDES, a + SIDES))
    return MeshTile(points, np.array(triangles, np.int32))

"""Props that stay as ground: meshes of their surfaces."""

from itertools import pairwise

import numpy as np

from creature_sim.definitions import PropDef
from creature_sim.maths import TAU, Floats, rotate, sin_cos, vec
from creature_sim.maths.turns import quat_of_turns
from creature_sim.props.shapes import hulls_of
from creature_sim.terrain.patterns.shapes import box_mesh, cylinder_mesh
from creature_sim.terrain.tiles.tiles import MeshTile

AROUND, RINGS = 48, 24
"""Of what is round: sides, and rings of a ball; drawn turning it has more, see `shapes.SIDES`."""

RAMP = [(0, 1, 4), (0, 4, 2), (2, 4, 5), (2, 5, 3), (0, 3, 5), (0, 5, 1), (0, 2, 3), (1, 5, 4)]
"""Triangles between its corners as `hulls_of` lists them, counter-clockwise from outside."""


def prop_mesh(prop: PropDef) -> MeshTile:
    """The surface of a prop that stays [m, world]."""
    if prop.radius is not None and prop.length is not None:
        mesh = cylinder_mesh(prop.radius, 0.0, prop.length, AROUND)
    elif prop.radius is not None:
        mesh = _ball(prop.radius)
    elif prop.shape == "ramp":
        (corners,) = hulls_of((prop,))
        mesh = MeshTile(corners, np.array(RAMP, np.int32))
    else:
        assert prop.size is not None
        mesh = box_mesh(prop.size)
    turn = quat_of_turns(prop.rotation)
    turned = np.array([rotate(turn, vec(point)) for point in mesh.vertices])
    return MeshTile(turned + np.array(prop.position), mesh.triangles)


def _ball(radius: float) -> MeshTile:
    """Rings about the Z axis, from below; those at the poles are points."""
    around = [sin_cos(TAU * k / AROUND) for k in range(AROUND)]
    levels = [sin_cos(0.5 * TAU * k / RINGS) for k in range(1, RINGS)]
    profile = [(0.0, -1.0), *((s, -c) for s, c in levels), (0.0, 1.0)]
    points: Floats = np.array([(r * c, r * s, z) for r, z in profile for s, c in around])
    triangles = []
    for row, (lower, upper) in enumerate(pairwise(profile)):
        for k in range(AROUND):
            a, b = row * AROUND + k, row * AROUND + (k + 1) % AROUND
            if lower[0] > 0.0:
                triangles.append((a, b, b + AROUND))
            if upper[0] > 0.0:
                triangles.append((a, b + AROUND, a + AROUND))
    return MeshTile(radius * points, np.array(triangles, np.int32))

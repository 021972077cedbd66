"""Sharp edges of meshes whose vertices are joined."""

import numpy as np
import trimesh

from creature_sim.figures.creases import creased
from creature_sim.figures.ground import normals_of


def test_the_faces_of_a_box_are_flat() -> None:
    box = trimesh.creation.box()
    vertices, triangles = creased(np.array(box.vertices), np.array(box.faces))
    assert (len(box.vertices), len(vertices)) == (8, 24)
    normals = normals_of(vertices, triangles, is_edged=True)
    assert np.allclose(normals[triangles], box.face_normals[:, None])
    assert np.allclose(vertices[triangles], box.triangles)


def test_a_ball_stays_round() -> None:
    ball = trimesh.creation.icosphere(subdivisions=2)
    vertices, triangles = creased(ball.vertices, ball.faces)
    assert vertices is ball.vertices
    assert triangles is ball.faces


def test_an_edge_ends_where_the_ground_is_round_again() -> None:
    """A tent whose ends lie flat: only the ridge is sharp."""
    vertices = np.array(
        [[x, y, z] for x in (0.0, 1.0) for y, z in ((-1.0, 0.0), (0.0, 1.0), (1.0, 0.0))]
    )
    triangles = np.array([[0, 3, 4], [0, 4, 1], [1, 4, 5], [1, 5, 2]])
    found, _ = creased(vertices, triangles)
    assert len(found) == len(vertices) + 2


def test_a_triangle_without_area_is_no_edge_and_has_a_normal() -> None:
    vertices = np.array([[0.0, 0, 0], [1.0, 0, 0], [0.0, 1, 0], [2.0, 0, 0]])
    triangles = np.array([[0, 1, 2], [1, 3, 3]])
    found, corners = creased(vertices, triangles)
    assert len(found) == 4
    assert np.allclose(normals_of(found, corners, is_edged=True), [0.0, 0.0, 1.0])

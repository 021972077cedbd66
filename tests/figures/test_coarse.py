"""Coarse levels of smooth ground: nearly the same surface, without gaps, of fewer triangles."""

import numpy as np
import pytest

from creature_sim.figures.camera import Camera
from creature_sim.figures.coarse import SIDE, STEPS, coarse_plots
from creature_sim.figures.detail import pixels_in_metre
from creature_sim.figures.ground import PLOT, Ground
from creature_sim.figures.surroundings import Surroundings
from creature_sim.library.loader import load_world
from creature_sim.maths import Floats
from creature_sim.terrain import build_terrain
from creature_sim.terrain.tiles.tiles import CELL


def ground_of(world: str) -> Ground:
    made = load_world(world)
    return Surroundings(build_terrain(made.terrain, made.seed)).ground


def border_edges(corners: Floats) -> set[tuple[float, ...]]:
    """Edges of only one of the triangles (T, 3, 3), by the positions of their ends."""
    found: dict[tuple[float, ...], int] = {}
    for triangle in corners.tolist():
        for k in range(3):
            edge = (*min(triangle[k - 1], triangle[k]), *max(triangle[k - 1], triangle[k]))
            found[edge] = found.get(edge, 0) + 1
    return {edge for edge, count in found.items() if count == 1}


def heights_at(corners: Floats, points: Floats) -> Floats:
    """Heights of triangles (T, 3, 3) at points (P, 2) that they cover, (P,)."""
    found = np.full(len(points), np.nan)
    for a, b, c in corners:
        sides = np.stack((b[:2] - a[:2], c[:2] - a[:2]), axis=-1)
        shares = (points - a[:2]) @ np.linalg.inv(sides).T
        inside = (shares > -1e-6).all(axis=1) & (shares.sum(axis=1) < 1.0 + 1e-6)
        found[inside] = a[2] + shares[inside] @ np.array([b[2] - a[2], c[2] - a[2]])
    return found


@pytest.mark.parametrize("world", ["hills", "endless"])
def test_a_coarse_plot_covers_its_square_keeps_its_border_and_says_how_far_it_is_off(
    world: str,
) -> None:
    ground = ground_of(world)
    coarse = coarse_plots(ground)
    assert np.isfinite(coarse.errors).all()
    assert (coarse.errors[0] < coarse.errors[1]).all()
    plot = 13
    fine = ground.triangles[ground.first[plot] : ground.first[plot + 1]]
    vertices = np.concatenate((ground.vertices, coarse.vertices))[:, :3].astype(float)
    nodes = vertices[np.unique(fine)]
    assert len(nodes) == (SIDE + 1) ** 2
    sizes = [len(fine)]
    for level, _ in enumerate(STEPS):
        begin, count = coarse.first[level, plot], coarse.counts[level]
        triangles = coarse.triangles[begin : begin + count]
        sizes.append(len(triangles))
        corners = vertices[triangles]
        along, aside = (corners[:, k, :2] - corners[:, 0, :2] for k in (1, 2))
        areas = 0.5 * (along[:, 0] * aside[:, 1] - along[:, 1] * aside[:, 0])
        assert (areas > 0.0).all()  # seen from above they are all counter-clockwise
        assert areas.sum() == pytest.approx(PLOT**2)
        assert border_edges(corners) == border_edges(vertices[fine])
        off = np.abs(heights_at(corners, nodes[:, :2]) - nodes[:, 2]).max()
        assert coarse.errors[level, plot] == pytest.approx(off, abs=1e-5)
    assert sizes[0] > 3 * sizes[1] > 6 * sizes[2]


@pytest.mark.parametrize(("level", "most"), [(0, 0.6), (1, 0.7)])
def test_a_coarse_plot_is_nearer_to_the_ground_than_if_its_nodes_were_on_it(
    level: int, most: float
) -> None:
    ground = ground_of("hills")
    coarse = coarse_plots(ground)
    nodes = ground.vertices[np.unique(ground.triangles[: ground.first[1]]), :3].astype(float)
    heights = {(x, y): z for x, y, z in nodes.tolist()}
    begin, count = coarse.first[level, 0], coarse.counts[level]
    vertices = np.concatenate((ground.vertices, coarse.vertices))[:, :3].astype(float)
    corners = vertices[coarse.triangles[begin : begin + count]]
    for corner in corners.reshape(-1, 3):
        corner[2] = heights[corner[0], corner[1]]
    off = np.abs(heights_at(corners, nodes[:, :2]) - nodes[:, 2]).max()
    assert coarse.errors[level, 0] < most * off


def test_level_ground_is_as_it_was_in_every_level() -> None:
    assert coarse_plots(ground_of("slope")).errors.max() < 1e-5


@pytest.mark.parametrize("world", ["stairs", "planet", "cave"])
def test_what_is_no_grid_has_no_coarse_levels(world: str) -> None:
    coarse = coarse_plots(ground_of(world))
    assert np.isinf(coarse.errors).all()
    assert len(coarse.triangles) == 0


def test_a_metre_looks_longer_the_nearer_it_is() -> None:
    camera = Camera(distance=10.0)
    ground = ground_of("hills")
    optics = camera.optics(ground, (1280, 720))
    away = optics.eye + np.array([5.0, 10.0, 20.0])[:, None] * optics.sight((640.0, 360.0))
    boxes = np.stack((away, away), axis=1)
    sideways = np.array([-optics.sight((640.0, 360.0))[1], optics.sight((640.0, 360.0))[0], 0.0])
    sideways /= np.sqrt((sideways**2).sum())
    ends = optics.pixels(away) - optics.pixels(away + 0.1 * sideways)
    shown = 10.0 * np.sqrt((ends**2).sum(axis=1))
    assert pixels_in_metre(boxes, optics) == pytest.approx(shown, rel=1e-3)
    around = np.array([[optics.eye - CELL, optics.eye + CELL]])
    assert pixels_in_metre(around, optics)[0] > 1e5

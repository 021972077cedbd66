"""Ground to test legs on is as it is written: heights, edges, level starts."""

import numpy as np
import pytest
from pydantic import ValidationError

from creature_sim.figures.ground import Ground
from creature_sim.terrain import HALF_SIZE, MeshTile
from creature_sim.terrain.kinds.obstacles import ObstaclesDef
from creature_sim.terrain.kinds.slope import SlopeDef
from creature_sim.terrain.kinds.stepping_stones import SteppingStonesDef
from creature_sim.terrain.kinds.steps import StepsDef
from tests.arrays import assert_near
from tests.grounds import shared_physics
from tests.marks import quick_of
from tests.terrain.test_terrain import cast_down
from tests.terrain_kinds import HANGING, KINDS, ground, rays_on_kind

CLEARING = 1.1


def heights_at(kind: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
    x, y = np.broadcast_arrays(x, y)
    return cast_down(rays_on_kind(kind), x.ravel(), y.ravel())[0].reshape(x.shape)


def face(kind: str, start: tuple[float, ...], end: tuple[float, ...]) -> tuple[float, np.ndarray]:
    """Where along X a ray meets the ground, and the normal there."""
    fraction, normal = rays_on_kind(kind).cast(np.array([start]), np.array([end]))
    return float(start[0] + (end[0] - start[0]) * fraction[0]), normal[0]


def grid(low: float, high: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    axis = np.linspace(low, high, count)
    x, y = np.meshgrid(axis, axis)
    return x.ravel(), y.ravel()


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind", [kind for kind, definition in KINDS.items() if hasattr(definition, "clearing")]
)
def test_the_start_is_level(kind: str) -> None:
    definition = KINDS[kind]
    if kind in ("slope", "steps"):
        definition = definition.model_copy(update={"clearing": CLEARING})
    x, y = grid(-CLEARING + 0.01, CLEARING - 0.01, 40)
    if kind == "slope":  # level before and behind the origin, along the direction of the rise
        x, y = x / 2.0, y / 2.0
    with shared_physics(definition, 7) as physics:
        heights, normals = cast_down(physics, x, y)
    assert heights == pytest.approx(0.0, abs=1e-6)
    assert normals[:, 2] == pytest.approx(1.0)


@pytest.mark.slow
def test_a_clearing_leaves_the_rest_of_the_ground_as_it_was() -> None:
    x, y = grid(5.0, 9.0, 30)
    steps = StepsDef(kind="steps", cell=0.7, height=0.2)
    slope = SlopeDef(kind="slope", grade=0.3)
    for definition, lower in ((steps, 0.0), (slope, 0.3 * (CLEARING + 0.25))):
        cleared = definition.model_copy(update={"clearing": CLEARING})
        with (
            shared_physics(definition, 3) as before,
            shared_physics(cleared, 3) as after,
        ):
            assert cast_down(before, x, y)[0] == pytest.approx(
                cast_down(after, x, y)[0] + lower, abs=1e-5
            )


def test_rough_ground_is_random_within_its_amplitude() -> None:
    nodes = 0.4 * np.arange(5, 70)
    x, y = (axis.ravel() for axis in np.meshgrid(0.25 * np.arange(10, 120), 0.25 * np.arange(120)))
    heights = heights_at("rough", x, y)
    assert abs(heights).max() <= 0.1 + 1e-6
    assert abs(heights.mean()) < 0.01
    # Where a random height is at a node of the height tiles, it is there as drawn.
    drawn = nodes[np.isclose(nodes / 0.25, np.rint(nodes / 0.25))]
    exact = heights_at("rough", *(axis.ravel() for axis in np.meshgrid(drawn, drawn)))
    assert exact.std() == pytest.approx(0.2 / np.sqrt(12), rel=0.2)


def test_waves_are_sines() -> None:
    x, y = (axis.ravel() for axis in np.meshgrid(0.25 * np.arange(20, 100), 0.25 * np.arange(100)))
    expected = 0.15 * (np.sin(2 * np.pi * x / 2.5) + np.sin(2 * np.pi * y / 2.5))
    assert heights_at("wave", x, y) == pytest.approx(expected, abs=1e-5)
    line = np.arange(-31.75, 31.76, 0.25)
    assert abs(heights_at("wave", line, line)).max() <= 0.3 + 1e-6


@pytest.mark.slow
def test_obstacles_are_boxes_on_level_ground() -> None:
    x, y = grid(-31.5, 31.5, 300)
    heights, normals = cast_down(rays_on_kind("obstacles"), x, y)
    is_box = heights > 1e-6
    assert 0.2 < is_box.mean() < 0.5
    assert heights[is_box].min() >= 0.15 - 1e-6
    assert heights.max() <= 0.3 + 1e-6
    assert (heights[~is_box] == 0.0).all()
    assert normals[:, 2] == pytest.approx(1.0)


def test_tiles_are_tilted_about_level_middles() -> None:
    cell, grade = 0.7, 0.4
    middles = cell * (np.arange(3, 30) + 0.5)
    x, y = (axis.ravel() for axis in np.meshgrid(middles, middles))
    heights, normals = cast_down(rays_on_kind("tilted_grid"), x, y)
    aside, again = cast_down(rays_on_kind("tilted_grid"), x + 0.3, y - 0.3)
    rise = -normals[:, :2] / normals[:, 2:]
    assert heights == pytest.approx(0.0, abs=1e-6)
    assert abs(rise).max() <= grade + 1e-6
    assert rise.std(axis=0) == pytest.approx(grade / np.sqrt(3), rel=0.1)
    assert again == pytest.approx(normals)
    assert aside == pytest.approx(0.3 * rise[:, 0] - 0.3 * rise[:, 1], abs=1e-6)


def test_tiles_have_vertical_faces_between_them() -> None:
    border = 0.7 * 5
    y = np.linspace(2.0, 9.0, 700)
    left = heights_at("tilted_grid", np.full(700, border - 1e-3), y)
    right = heights_at("tilted_grid", np.full(700, border + 1e-3), y)
    middle = 0.5 * (left + right)
    steep = abs(left - right) > 0.02
    assert steep.mean() > 0.5
    rise = np.where(left > right, 0.01, -0.01)[steep]
    points = np.stack((np.full(700, border), y, middle), -1)[steep]
    starts, ends = points.copy(), points.copy()
    starts[:, 0] += rise
    ends[:, 0] -= rise
    fractions, normals = rays_on_kind("tilted_grid").cast(starts, ends)
    assert fractions == pytest.approx(0.5, abs=1e-3)
    assert normals[:, 0] == pytest.approx(np.sign(rise))


@pytest.mark.slow
def test_stones_have_their_size_and_their_gaps() -> None:
    size, gap = 0.3, 0.11
    first = CLEARING + gap
    for row in (0, 1, 7):
        for side in (1.0, -1.0):
            x = side * (first + row * (size + gap) + np.array([-0.001, 0.001, 0.299, 0.301]))
            y = np.linspace(-4.5, 4.5, 9_001)
            heights = heights_at("stepping_stones", x[:, None], y)
            assert set(np.round(np.unique(heights), 6)) == {-1.5, 0.0}
            tops = heights.reshape(4, -1) == 0.0
            assert not tops[[0, 3]].any()
            assert (tops[1] == tops[2]).all()
            changes = np.flatnonzero(np.diff(tops[1].astype(int))) + 1
            lengths = np.diff(changes)[1:-1] * 1e-3
            assert set(np.round(lengths, 2)) == {size, gap}


@pytest.mark.slow
def test_stones_end_where_they_should() -> None:
    y = np.linspace(-31.0, 31.0, 4000)
    rows = int((9.3 - 1.1 - 0.11) / 0.41)
    end = 1.1 + 0.11 + rows * 0.41  # a gap after the last row
    for x in (end, -end, 20.0):
        assert (heights_at("stepping_stones", np.full(4000, x * 1.0001), y) == 0.0).all()
        if x < 20.0:
            inner = heights_at("stepping_stones", np.full(1000, x * 0.9999), y[1500:2500])
            assert inner == pytest.approx(-1.5)
    along = np.linspace(-31.0, 31.0, 4000)
    assert (heights_at("stepping_stones", along, np.full(4000, 9.31)) == 0.0).all()
    inside = heights_at("stepping_stones", *grid(1.3, 8.9, 300))
    assert (inside == 0.0).mean() == pytest.approx((0.3 / 0.41) ** 2, abs=0.05)


def test_more_stones_than_can_be_are_refused() -> None:
    table = KINDS["stepping_stones"].model_dump()
    with pytest.raises(ValidationError, match="size: expected at most 20000 stones, found"):
        SteppingStonesDef.model_validate(table | {"size": 0.05, "gap": 0.05})
    with pytest.raises(ValidationError, match="room for a stone beyond the clearing"):
        SteppingStonesDef.model_validate(table | {"clearing": 9.0})
    with pytest.raises(ValidationError, match="size: expected at most the spacing, 1 m"):
        ObstaclesDef(kind="obstacles", height=0.1, size=1.2, spacing=1.0)


@pytest.mark.parametrize(
    ("kind", "width", "height", "spacing"), [("gap", 0.45, -1.5, 1.3), ("rails", 0.09, 0.2, 0.8)]
)
def test_bands_lie_across_the_way(kind: str, width: float, height: float, spacing: float) -> None:
    for side in (1.0, -1.0):
        for number in range(8):
            begin = CLEARING + number * (width + spacing)
            x = side * (begin + np.array([-0.001, 0.001, width - 0.001, width + 0.001]))
            for y in (-31.9, 0.0, 16.0):
                found = heights_at(kind, x, np.full(4, y))
                assert found == pytest.approx([0.0, height, height, 0.0])
    middle = 0.5 * height
    other = -1.0 if height > 0.0 else 1.0
    where, normal = face(
        kind,
        (CLEARING + (0.2 if height < 0.0 else -0.2), 0.3, middle),
        (CLEARING + (-0.2 if height < 0.0 else 0.2), 0.3, middle),
    )
    assert where == pytest.approx(CLEARING)
    assert normal == pytest.approx([other, 0.0, 0.0])


def test_pits_lie_in_rows() -> None:
    pitch = 1.4 + 1.2
    for i in range(4):
        for j in range(-3, 4):
            x = CLEARING + i * pitch + np.array([-0.001, 0.001, 0.7, 1.399, 1.401])
            found = heights_at("pit", x, np.full(5, j * pitch + 0.69))
            assert found == pytest.approx([0.0, -0.5, -0.5, -0.5, 0.0])
            between = heights_at("pit", x, np.full(5, j * pitch + 0.71))
            assert between == pytest.approx(0.0)
    where, normal = face("pit", (1.5, 0.0, -0.2), (0.5, 0.0, -0.2))
    assert where == pytest.approx(CLEARING)
    assert normal == pytest.approx([1.0, 0.0, 0.0])


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    quick_of(
        KINDS,
        *("hills", "canyon", "layers", "stairs", "steps", "tilted_grid", "stepping_stones", "gap"),
        *("wall", "tunnel", "patches"),
    ),
)
def test_the_ground_ends_at_its_border_and_not_before(kind: str) -> None:
    edge = HALF_SIZE - 1e-3
    line = np.linspace(-edge, edge, 999)
    for x, y in ((edge, line), (-edge, line), (line, edge), (line, -edge)):
        assert np.isfinite(heights_at(kind, np.asarray(x), np.asarray(y))).all()
    beyond, _ = rays_on_kind(kind).cast(
        np.array([[HALF_SIZE + 0.01, 0.0, 60.0]]), np.array([[HALF_SIZE + 0.01, 0.0, -60.0]])
    )
    assert beyond[0] == 1.0


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    quick_of(
        KINDS, "hills", "layers", "stairs", "tilted_grid", "wall", "tunnel", "overhang", "patches"
    ),
)
def test_what_is_drawn_is_what_rays_find(kind: str) -> None:
    terrain = ground(kind)
    drawn = Ground.of(terrain)
    assert drawn.is_edged == isinstance(terrain.tiles[0], MeshTile)
    normals = drawn.vertices[:, 3:].astype(float)
    assert_near(np.linalg.norm(normals, axis=1), 1.0, abs=1e-5)
    assert (normals[:, 2].min() < -1e-6) == (kind in HANGING)
    points = np.random.default_rng(3).uniform(-31.9, 31.9, (2000, 2))
    heights, _ = cast_down(rays_on_kind(kind), points[:, 0], points[:, 1])
    assert (drawn.heights(points) >= heights - 1e-5).all()

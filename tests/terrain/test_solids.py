"""Boxes, posts and pipes that users list: rays meet every side of them from outside, exactly."""

from collections import Counter
from math import cos, inf, pi, sin
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from creature_sim.ground.rays import Physics
from creature_sim.maths import Floats, Quat, Vec, X, Y, Z, add, scale, sub, unrotate
from creature_sim.maths.turns import quat_of_turns
from creature_sim.props.rays import faces_hit
from creature_sim.terrain import build_terrain, read_ground
from creature_sim.terrain.patterns.shapes import SolidDef, solid_mesh
from creature_sim.terrain.tiles.tiles import MeshTile, join
from tests.marks import few

BOX = {"shape": "box", "size": (0.8, 0.5, 0.3), "position": (0.0, 0.0, 3.0)}
POST = {"shape": "cylinder", "radius": 0.3, "length": 1.0, "position": (0.0, 0.0, 3.0)}
PIPE = POST | {"bore": 0.2, "sides": 24}
ROOM = {"kind": "room", "length": 8.0, "width": 6.0, "height": 2.4, "doorway": (1.4, 1.6)}

BESIDE = np.array([0.0, 0.0, 0.0, 1e-3])
turns = st.tuples(*[st.floats(-pi, pi)] * 3)


def faces_of(solid: SolidDef) -> Floats:
    """Outward planes about the middle of a solid without a bore, (F, 4)."""
    if solid.size is not None:
        x, y, z = (0.5 * side for side in solid.size)
        found = [(*X, x), (-1.0, 0.0, 0.0, x), (*Y, y), (0.0, -1.0, 0.0, y)]
    else:
        assert solid.radius is not None
        assert solid.length is not None
        z, step = 0.5 * solid.length, 2.0 * pi / solid.sides
        found = [
            (cos((i + 0.5) * step), sin((i + 0.5) * step), 0.0, solid.radius * cos(0.5 * step))
            for i in range(solid.sides)
        ]
    return np.array([*found, (*Z, z), (0.0, 0.0, -1.0, z)])


def own(turn: Quat, middle: Vec, point: Floats) -> Vec:
    return unrotate(turn, sub((point[0], point[1], point[2]), middle))


def rays_at(middle: Vec, seed: int, count: int = 200) -> tuple[Floats, Floats]:
    """Rays from 1.5 m around a point through places near it."""
    rng = np.random.default_rng(seed)
    out = rng.normal(size=(count, 3))
    starts = np.array(middle) + 1.5 * out / np.linalg.norm(out, axis=1)[:, None]
    through = np.array(middle) + rng.uniform(-0.35, 0.35, (count, 3))
    return starts, starts + 2.0 * (through - starts)


@pytest.mark.slow
@few
@given(shape=st.sampled_from([BOX, POST, POST | {"sides": 3}]), turn=turns, seed=st.integers(0, 99))
def test_every_side_answers_rays_from_outside(shape: dict[str, Any], turn: Vec, seed: int) -> None:
    solid = SolidDef.model_validate(shape | {"rotation": turn})
    table = {"kind": "solids", "solids": [solid.model_dump()]}
    starts, ends = rays_at(solid.position, seed)
    with Physics(build_terrain(read_ground(table), 1)) as physics:
        fractions, normals = physics.cast(starts, ends)
    faces, around = faces_of(solid), quat_of_turns(turn)
    for start, end, fraction, normal in zip(starts, ends, fractions, normals, strict=True):
        a, b = (own(around, solid.position, point) for point in (start, end))
        expected, facing = faces_hit(faces, a, sub(b, a))
        grazed, _ = faces_hit(faces + BESIDE, a, sub(b, a))
        missed, _ = faces_hit(faces - BESIDE, a, sub(b, a))
        if (missed == inf) != (grazed == inf):
            continue  # within a millimetre of an edge
        if expected == inf:
            assert fraction == 1.0
            continue
        assert np.dot(normal, end - start) < 0.0
        hit = add(a, scale(sub(b, a), expected))
        offs = np.sort(np.abs(faces[:, :3] @ np.array(hit) - faces[:, 3]))
        if offs[1] > 1e-3:  # not at an edge of two faces
            assert fraction == pytest.approx(expected, abs=1e-5)
            found = unrotate(around, (normal[0], normal[1], normal[2]))
            assert found == pytest.approx(facing, abs=1e-4)


def test_a_pipe_is_met_from_outside_and_from_within() -> None:
    pipe = SolidDef.model_validate(PIPE | {"rotation": (0.4, 1.1, 0.2)})
    around = quat_of_turns(pipe.rotation)
    starts, ends = rays_at(pipe.position, 5, 4000)
    with Physics(
        build_terrain(read_ground({"kind": "solids", "solids": [pipe.model_dump()]}), 1)
    ) as physics:
        fractions, normals = physics.cast(starts, ends)
        turned = [
            np.array([own(around, pipe.position, point) for point in points])
            for points in (starts, ends)
        ]
    way = turned[1] - turned[0]
    hits = (turned[0] + fractions[:, None] * way)[fractions < 1.0]
    facing = np.array([unrotate(around, tuple(normal)) for normal in normals[fractions < 1.0]])
    assert ((facing * way[fractions < 1.0]).sum(axis=1) < 0.0).all()
    radii = np.hypot(hits[:, 0], hits[:, 1])
    is_side = abs(hits[:, 2]) < 0.499  # not at an edge
    is_cap, is_out = abs(facing[:, 2]) > 0.5, (facing[:, :2] * hits[:, :2]).sum(axis=1) > 0.0
    least = cos(pi / 24)  # in the middle of a side
    for part, low, high in (
        (is_cap, 0.2 * least, 0.3),
        (is_side & is_out, 0.3 * least, 0.3),
        (is_side & ~is_out, 0.2 * least, 0.2),
    ):
        assert part.sum() > 50
        assert radii[part].min() > low - 1e-4
        assert radii[part].max() < high + 1e-4
    assert abs(hits[is_cap, 2]) == pytest.approx(0.5, abs=1e-4)


def test_a_room_is_closed_but_for_its_doorway() -> None:
    rng = np.random.default_rng(3)
    starts = rng.uniform((-3.9, -2.9, 0.1), (3.9, 2.9, 2.3), (3000, 3))
    way = rng.normal(size=(3000, 3))
    ends = starts + 20.0 * way / np.linalg.norm(way, axis=1)[:, None]
    with Physics(build_terrain(read_ground(ROOM), 1)) as physics:
        fractions, normals = physics.cast(starts, ends)
        hits = starts + fractions[:, None] * (ends - starts)
        door = starts + ((4.0 - starts[:, :1]) / way[:, :1]) * way
        at_door = (way[:, 0] > 0.0) & (abs(door[:, 1]) < 0.71) & (abs(door[:, 2] - 0.8) < 0.81)
        offs = np.abs(
            np.stack((abs(hits[:, 0]) - 4.0, abs(hits[:, 1]) - 3.0, hits[:, 2], hits[:, 2] - 2.4))
        )
        assert (offs.min(axis=0)[~at_door] < 1e-4).all()
        assert ((normals * way).sum(axis=1)[~at_door] < 0.0).all()
        down, _ = physics.cast(np.array([[0.0, 0.0, 9.0]]), np.array([[0.0, 0.0, -1.0]]))
        assert 9.0 - 10.0 * down[0] == pytest.approx(2.7)
        free, _ = physics.cast(np.array([[0.0, 0.69, 1.59]]), np.array([[20.0, 0.69, 1.59]]))
        assert free[0] == 1.0


def test_rows_repeat_a_solid() -> None:
    row = BOX | {"count": 3, "step": (2.0, 0.0, 1.0)}
    with Physics(build_terrain(read_ground({"kind": "solids", "solids": [row]}), 1)) as physics:
        starts = np.array([[x, 0.0, 9.0] for x in (0.0, 2.0, 4.0, 6.0)])
        fractions, _ = physics.cast(starts, starts - [0.0, 0.0, 10.0])
    assert 9.0 - 10.0 * fractions == pytest.approx([3.15, 4.15, 5.15, 0.0], abs=1e-6)


@pytest.mark.parametrize(
    "table",
    [
        BOX | {"size": (4.0, 3.0, 0.4)},
        POST | {"radius": 1.5, "length": 4.0},
        PIPE | {"radius": 1.5, "length": 4.0, "bore": 1.0, "sides": 48},
    ],
)
def test_nothing_is_met_beyond_the_edge_of_a_large_face(table: dict[str, Any]) -> None:
    solid = SolidDef.model_validate(table)
    reach = solid.radius or 0.5 * (solid.size or (0.0,))[0]
    low, high = 3.0 - 0.5 * (solid.length or 0.4), 3.0 + 0.5 * (solid.length or 0.4)
    angles = np.linspace(0.0, 2.0 * pi, 48, endpoint=False) if solid.radius else np.zeros(1)
    with Physics(build_terrain(read_ground({"kind": "solids", "solids": [table]}), 1)) as physics:
        for beyond, is_met in ((3e-6, False), (-3e-6, True)):
            # What misses, and goes straight down, is cast again 1e-6 m beside.
            for height, rise in ((low, 1.0), (low, -1.0), (high, 1.0), (high, -1.0)):
                # Across a rim that runs round: past a corner of the prism, or the side of a box.
                at = reach + beyond
                on = np.column_stack([at * np.cos(angles), at * np.sin(angles), 0.0 * angles])
                on[:, 2] = height
                out = np.array([0.0, 0.0, 0.1 * rise])
                fractions, _ = physics.cast(on + out, on - out)
                assert ((fractions < 1.0) == is_met).all(), (beyond, height, rise)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"size": None}, "size: expected one where shape is 'box', found none"),
        ({"radius": 0.4}, "radius: expected none where shape is 'box', found 0.4"),
        ({"bore": 0.4}, "bore: expected none where shape is 'box', found 0.4"),
        ({"shape": "cylinder"}, "radius: expected one where shape is 'cylinder', found none"),
        ({"position": (32.0, 0.0, 0.0)}, "position: expected solids whose middles lie within 31 m"),
        ({"count": 9, "step": (4.0, 0.0, 0.0)}, r"step: expected solids .* found \[32.0, 0.0, 3.0"),
        (
            {"shape": "cylinder", "size": None, "radius": 0.2, "length": 1.0, "count": 999},
            "solids: expected at most 120000 quadrangles, found 335664",
        ),
    ],
)
def test_bad_solids_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        read_ground({"kind": "solids", "solids": [BOX | change]})
    with pytest.raises(ValidationError, match="bore: expected less than the radius"):
        read_ground({"kind": "solids", "solids": [PIPE | {"bore": 0.3}]})
    with pytest.raises(ValidationError, match="solids: expected at least one"):
        read_ground({"kind": "solids", "solids": []})
    with pytest.raises(ValidationError, match="doorway: expected one in a wall of width 6 m"):
        read_ground(ROOM | {"doorway": (1.0, 2.4)})


def edges_of(mesh: MeshTile) -> Counter[tuple[object, ...]]:
    """How often each edge of the triangles of a mesh is run along, in each direction."""
    corners = [tuple(point) for point in np.round(mesh.vertices, 9).tolist()]
    return Counter(
        (corners[a], corners[b])
        for triangle in mesh.triangles.tolist()
        for a, b in zip(triangle, [*triangle[1:], triangle[0]], strict=True)
    )


def volume_of(mesh: MeshTile) -> float:
    a, b, c = np.moveaxis(mesh.vertices[mesh.triangles], 1, 0)
    return float((a * np.cross(b, c)).sum() / 6.0)


@pytest.mark.parametrize(
    ("table", "volume"),
    [
        (BOX | {"size": (5.0, 0.5, 3.0), "rotation": (0.3, 0.2, 0.1)}, 7.5),
        (POST | {"sides": 4}, 0.18),
        (PIPE | {"length": 5.0, "sides": 4}, 0.5),
    ],
)
def test_solids_are_closed_and_face_out(table: dict[str, Any], volume: float) -> None:
    mesh = solid_mesh(SolidDef.model_validate(table))
    edges = edges_of(mesh)
    assert all(edges[b, a] == count for (a, b), count in edges.items())
    assert volume_of(mesh) == pytest.approx(volume)


@pytest.mark.slow
@pytest.mark.parametrize("rough", [0.0, 0.6])
def test_a_cave_is_closed_and_faces_out_of_the_rock(rough: float) -> None:
    cave = {"kind": "cave", "length": 12.0, "radius": 2.0, "rough": rough, "bend": 3.0}
    terrain = build_terrain(read_ground(cave), 4)
    mesh = join([tile for tile in terrain.tiles[16:] if isinstance(tile, MeshTile)])
    edges = edges_of(mesh)
    assert all(edges[b, a] == count for (a, b), count in edges.items())
    assert volume_of(mesh) > 60.0
    way = np.random.default_rng(2).normal(size=(2000, 3))
    way[:, 0] *= 0.3
    starts = np.broadcast_to([0.0, 0.0, 0.7], way.shape)
    with Physics(terrain) as physics:
        fractions, normals = physics.cast(starts, starts + 3.0 * way)
        hits = starts + 3.0 * fractions[:, None] * way
        is_in = abs(hits[:, 0]) < 6.0
        long = np.linalg.norm(3.0 * way, axis=1) > 8.0
        assert (fractions[is_in & long] < 1.0).all()
    met = fractions < 1.0
    assert ((normals * way)[met].sum(axis=1) < 0.0).all()
    assert (normals[met, 2] < -0.3).sum() > 100  # overhead

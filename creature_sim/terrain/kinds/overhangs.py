"""Ground with walls, roofs and undersides: wall, tunnel, overhang, pillar, sphere.

Floors are level, at height 0 but for the plain under a sphere.
"""

from collections.abc import Iterator
from math import inf

import numpy as np

from creature_sim.definitions import (
    OverhangDef,
    PillarDef,
    PropDef,
    SphereDef,
    TerrainDef,
    TunnelDef,
    WallDef,
)
from creature_sim.maths import PI, TAU, Floats, sin_cos
from creature_sim.terrain.tiles.rows import (
    BEYOND,
    Blocks,
    Row,
    Stretch,
    cells_between,
    cuts_between,
)
from creature_sim.terrain.tiles.tiles import MeshTile, Tile, block_mesh, join, quad_mesh
from creature_sim.terrain.tiles.tiling import HALF_SIZE, block_tiles, tile_cuts

HEADROOM = 10.0
"""Of whoever walks over the lowest place of a planet, to the plain below it [m]."""
SIDES = 48
"""Of a round pillar."""
FACETS = 48
"""Along each edge of the cube that is blown up to a sphere; it has 12 FACETS^2 triangles."""


def roof_over(definition: TerrainDef, x: float, y: float) -> float:
    """Height of the underside of what hangs over a place of the floor [m]; inf where nothing is."""
    if isinstance(definition, TunnelDef):
        is_below = abs(x) < 0.5 * definition.length and abs(y) < 0.5 * definition.width
    elif isinstance(definition, OverhangDef):
        is_below = definition.distance - definition.depth < x < definition.distance
    else:
        return inf
    return float(definition.height) if is_below else inf


def roofs_of(definition: TerrainDef) -> tuple[PropDef, ...]:
    """What hangs over the floor, as static boxes, cut into halves: no prop is that long."""
    if isinstance(definition, TunnelDef):
        half = 0.5 * definition.length
        width = definition.width + 2.0 * definition.thickness
        boxes = [(x, 0.0, half, width) for x in (-0.5 * half, 0.5 * half)]
    elif isinstance(definition, OverhangDef):
        middle, half = definition.distance - 0.5 * definition.depth, HALF_SIZE
        boxes = [(middle, y, definition.depth, half) for y in (-0.5 * half, 0.5 * half)]
    else:
        return ()
    thickness = definition.thickness
    return tuple(
        PropDef(
            shape="box",
            size=(length, width, thickness),
            position=(x, y, definition.height + 0.5 * thickness),
        )
        for x, y, length, width in boxes
    )


def planet_of(definition: TerrainDef) -> tuple[float, float, float] | None:
    """Where all weight points to [m, world]; None where that is down the world's Z."""
    return (0.0, 0.0, -definition.radius) if isinstance(definition, SphereDef) else None


def lowest_roof(definition: TerrainDef) -> float:
    """Height of the lowest underside above the floor [m]; inf without a roof."""
    return definition.height if isinstance(definition, TunnelDef | OverhangDef) else inf


def wall(definition: WallDef, _seed: int, x: Stretch, y: Stretch) -> Blocks:
    """Two walls with gates."""
    near, far = definition.distance, definition.distance + definition.thickness
    edges_x, numbers_x = Row(np.array([near, far, BEYOND, 2.0 * BEYOND]), 1).between(*x)
    half = 0.5 * definition.gate
    gates = [half, BEYOND, 2.0 * BEYOND] if half else [BEYOND, 2.0 * BEYOND]
    edges_y, numbers_y = Row(np.array(gates), 1).between(*y)
    is_gate = (numbers_y == 0) & (half > 0.0)
    return edges_x, edges_y, np.where((numbers_x == 1)[:, None] & ~is_gate, definition.height, 0.0)


def tunnel(definition: TunnelDef, _seed: int) -> Iterator[Tile]:
    """Two walls and the roof that lies on them."""
    yield from _floor(0.0)
    end, inner = 0.5 * definition.length, 0.5 * definition.width
    outer, top = inner + definition.thickness, definition.height + definition.thickness
    yield join(
        [
            _box((-end, -outer, 0.0), (end, -inner, definition.height)),
            _box((-end, inner, 0.0), (end, outer, definition.height)),
            _box((-end, -outer, definition.height), (end, outer, top)),
        ]
    )


def overhang(definition: OverhangDef, _seed: int) -> Iterator[Tile]:
    """A cliff that goes on to the border, and its ledge."""
    cliff, top = definition.distance, definition.height + definition.thickness
    x, y = np.array([-HALF_SIZE, cliff, HALF_SIZE]), np.array([-HALF_SIZE, HALF_SIZE])
    yield from block_tiles(x, y, np.array([[0.0], [top]]))
    low = (cliff - definition.depth, -HALF_SIZE, definition.height)
    yield _box(low, (cliff, HALF_SIZE, top))


def pillar(definition: PillarDef, _seed: int) -> Iterator[Tile]:
    """A grid of prisms of many sides, those that would reach over the border left out."""
    yield from _floor(0.0)
    count = int((HALF_SIZE - definition.radius) / definition.spacing + 0.5)
    axes: Floats = (np.arange(-count, count, dtype=np.float64) + 0.5) * definition.spacing
    for x in axes.tolist():
        yield join(_prisms(definition, np.array([x]), axes))


def pillars_between(definition: PillarDef, _seed: int, x: Stretch, y: Stretch) -> MeshTile:
    """Prisms that meet two stretches, whole, and the floor."""
    cuts_x, cuts_y = cuts_between(*x), cuts_between(*y)
    level = np.zeros((len(cuts_x) - 1, len(cuts_y) - 1))
    floor = block_mesh(cuts_x, cuts_y, level, slice(None), slice(None))
    axes = []
    for low, high in (x, y):
        _, numbers = cells_between(
            low - definition.radius, high + definition.radius, definition.spacing
        )
        axes.append((numbers.astype(np.float64) + 0.5) * definition.spacing)
    return join([floor, *_prisms(definition, *axes)])


def _prisms(definition: PillarDef, x: Floats, y: Floats) -> list[MeshTile]:
    """Pillars around all of x (X,) and y (Y,) [m]."""
    prism = _prism(definition)
    return [
        MeshTile(prism.vertices + np.array([a, b, 0.0]), prism.triangles)
        for a in x.tolist()
        for b in y.tolist()
    ]


def _prism(definition: PillarDef) -> MeshTile:
    """A pillar at the origin: its sides, and a fan on top."""
    turns = [sin_cos(TAU * i / SIDES) for i in range(SIDES)]
    rim = [(definition.radius * c, definition.radius * s) for s, c in turns]
    around = list(zip(rim, [*rim[1:], rim[0]], strict=True))
    top = definition.height
    sides = quad_mesh(np.array([[(*a, 0.0), (*b, 0.0), (*b, top), (*a, top)] for a, b in around]))
    fan = np.array([[(0.0, 0.0, top), (*a, top), (*b, top)] for a, b in around]).reshape(-1, 3)
    return join([sides, MeshTile(fan, np.arange(len(fan), dtype=np.int32).reshape(-1, 3))])


def sphere(definition: SphereDef, _seed: int) -> Iterator[Tile]:
    """A cube of FACETS^2 squares a face blown up to a sphere, and the plain that it hangs over."""
    angles = PI * (np.arange(FACETS + 1) / FACETS - 0.5) * 0.5
    places = np.array([s / c for s, c in (sin_cos(angle) for angle in angles.tolist())])
    u, v = np.meshgrid(places, places, indexing="ij")
    one = np.ones_like(u)
    faces = [
        *((one, u, v), (-one, v, u), (v, one, u), (u, -one, v)),
        *((u, v, one), (v, u, -one)),
    ]
    for face in faces:
        x, y, z = face
        away = np.stack(face, axis=-1) / np.sqrt(x * x + y * y + z * z)[..., None]
        points = definition.radius * away - np.array([0.0, 0.0, definition.radius])
        corners = (points[:-1, :-1], points[1:, :-1], points[1:, 1:], points[:-1, 1:])
        yield quad_mesh(np.stack(corners, axis=2).reshape(-1, 4, 3))
    yield from _floor(-2.0 * definition.radius - HEADROOM)


def _floor(height: float) -> Iterator[Tile]:
    """Level ground."""
    cuts = tile_cuts()
    return block_tiles(cuts, cuts, np.full((len(cuts) - 1, len(cuts) - 1), height))


def _box(low: tuple[float, float, float], high: tuple[float, float, float]) -> MeshTile:
    """A closed box between two corners [m, world]."""
    (x0, y0, z0), (x1, y1, z1) = low, high
    corners: Floats = np.array(
        [
            [(x0, y0, z1), (x1, y0, z1), (x1, y1, z1), (x0, y1, z1)],
            [(x0, y0, z0), (x0, y1, z0), (x1, y1, z0), (x1, y0, z0)],
            [(x0, y0, z0), (x1, y0, z0), (x1, y0, z1), (x0, y0, z1)],
            [(x1, y1, z0), (x0, y1, z0), (x0, y1, z1), (x1, y1, z1)],
            [(x1, y0, z0), (x1, y1, z0), (x1, y1, z1), (x1, y0, z1)],
            [(x0, y1, z0), (x0, y0, z0), (x0, y0, z1), (x0, y1, z1)],
        ]
    )
    return quad_mesh(corners)

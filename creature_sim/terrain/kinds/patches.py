"""Squares of ground of many kinds in a level plain."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from creature_sim.files.definition import NotNegative, Positive
from creature_sim.maths import Floats, random_bits
from creature_sim.terrain.build import checked_heights, tiles_of
from creature_sim.terrain.ground import GroundDef
from creature_sim.terrain.kind import Parts, TerrainKind
from creature_sim.terrain.reading import PatchDef
from creature_sim.terrain.registry import kind_of
from creature_sim.terrain.tiles.clip import MAX_CORNERS, clip_polygon
from creature_sim.terrain.tiles.tiles import CELL, MeshTile, Point, Tile, grid_mesh
from creature_sim.terrain.tiles.tiling import HALF_SIZE
from creature_sim.terrain.tiles.tilted import face

_STREAM = 1007
_Triangle = tuple[Point, Point, Point]
EXAMPLE = """\
kind = "patches"              # squares of any kind in a level plain
size = 12.0                   # side of a patch
border = 2.0                  # level ground between patches
columns = 2                   # patches in a row along X
fade = 2.0                    # rolling ground sinks to the plain over this distance
patches = [
  { kind = "hills", amplitude = 0.5, wavelength = 6.0, octaves = 4 },
  { kind = "stairs", riser = 0.1, tread = 0.31, count = 5, landing = 2.0 },
  { kind = "steps", cell = 0.5, height = 0.1 },
  { kind = "rails", height = 0.08, thickness = 0.1, spacing = 1.0, clearing = 1.0 },
]"""


class PatchesDef(GroundDef):
    """A grid of squares, each with a ground of its own, and level ground around them."""

    kind: Literal["patches"]
    size: Positive = Field(ge=1.0, le=2.0 * HALF_SIZE, description="side of a patch [m]")
    border: NotNegative = Field(
        2.0, le=32.0, description="width of the level ground between patches [m]"
    )
    columns: int = Field(strict=True, ge=1, le=64, description="patches in a row along X")
    fade: NotNegative = Field(
        2.0,
        le=32.0,
        description="kinds without edges sink to height 0 over this distance from the rim of a "
        "patch; others are cut off there [m]",
    )
    patches: tuple[PatchDef, ...] = Field(
        max_length=256, description="row by row from the lowest x and y on"
    )

    @property
    def rows(self) -> int:
        """How many rows there are along Y."""
        return -(-len(self.patches) // self.columns)

    @model_validator(mode="after")
    def _patches_fit(self) -> "PatchesDef":
        """Refuse a grid that is larger than the ground."""
        if not self.patches:
            raise ValueError("patches: expected at least one, found none")
        longest = max(min(self.columns, len(self.patches)), self.rows)
        side = longest * self.size + (longest - 1) * self.border
        if side > 2.0 * HALF_SIZE:
            raise ValueError(
                f"size: expected at most {2.0 * HALF_SIZE:g} m for all patches and borders of a "
                f"row or column (columns {self.columns}), found {side:g} m: {longest} patches of "
                f"{self.size:g} m and borders of {self.border:g} m"
            )
        if 2.0 * self.fade > self.size:
            raise ValueError(
                f"fade: expected at most half the size of a patch, {0.5 * self.size:g} m, found "
                f"{self.fade:g}"
            )
        return self


def tiles(definition: PatchesDef, seed: int) -> Iterator[Tile]:
    """Patches around their own origins, and the level ground around them."""
    yield surroundings(definition)
    for index, ground in enumerate(definition.patches):
        centre, own_seed = centre_of(definition, index), patch_seed(seed, index)
        if kind_of(ground).heights is not None:
            nodes = patch_nodes(definition)
            heights = checked_heights(ground, nodes, own_seed, f"terrain.patches[{index}]")
            yield faded(definition, heights, centre)
        else:
            for tile in tiles_of(ground, own_seed):
                yield from cut(tile, 0.5 * definition.size, centre)


def patch_seed(seed: int, index: int) -> int:
    """Seed of a patch."""
    return int(random_bits(seed, _STREAM, index) >> np.uint64(1))


def centre_of(definition: PatchesDef, index: int) -> tuple[float, float]:
    """Middle of a patch, x, y [m]; the origin is the middle of the grid."""
    column, row = index % definition.columns, index // definition.columns
    pitch = definition.size + definition.border
    columns = min(definition.columns, len(definition.patches))
    return (column - 0.5 * (columns - 1)) * pitch, (row - 0.5 * (definition.rows - 1)) * pitch


def surroundings(definition: PatchesDef) -> MeshTile:
    """All level ground: between patches, around them and where a row's last ones are missing."""
    centres = [centre_of(definition, index) for index in range(len(definition.patches))]
    half = 0.5 * definition.size
    x, y = (
        np.unique(
            [-HALF_SIZE, HALF_SIZE]
            + [centre[axis] + side for centre in centres for side in (-half, half)]
        )
        for axis in (0, 1)
    )
    taken = {
        (int(np.searchsorted(x, centre[0] - half)), int(np.searchsorted(y, centre[1] - half)))
        for centre in centres
    }
    corners = np.meshgrid(x, y, indexing="ij")
    index = np.arange(len(x) * len(y), dtype=np.int32).reshape(len(x), len(y))
    triangles = [
        triangle
        for i in range(len(x) - 1)
        for j in range(len(y) - 1)
        if (i, j) not in taken
        for triangle in (
            (index[i, j], index[i + 1, j], index[i, j + 1]),
            (index[i + 1, j], index[i + 1, j + 1], index[i, j + 1]),
        )
    ]
    level = np.stack((*corners, np.zeros((len(x), len(y)))), axis=-1).reshape(-1, 3)
    return MeshTile(level, np.array(triangles, dtype=np.int32).reshape(-1, 3))


def patch_nodes(definition: PatchesDef) -> Floats:
    """Nodes of a patch without edges along one axis, from its middle [m]."""
    count = int(np.ceil(definition.size / CELL))
    return definition.size * (np.arange(count + 1) / count - 0.5)


def faded(definition: PatchesDef, heights: Floats, centre: tuple[float, float]) -> MeshTile:
    """A patch without edges, whose heights (X, Y) [m] sink to 0 towards its rim."""
    nodes = patch_nodes(definition)
    if definition.fade > 0.0:
        inside = 0.5 * definition.size - abs(nodes)
        fraction = np.clip(np.minimum(inside[:, None], inside) / definition.fade, 0.0, 1.0)
        heights = heights * (fraction * fraction * (3.0 - 2.0 * fraction))
        return MeshTile(*grid_mesh(nodes + centre[0], nodes + centre[1], heights))
    (tile,) = cut(MeshTile(*grid_mesh(nodes, nodes, heights)), 0.5 * definition.size, centre)
    return tile


def cut(tile: Tile, half: float, centre: tuple[float, float]) -> Iterator[MeshTile]:
    """The part of a tile within a square about the origin, moved elsewhere, with faces at its rim.

    Args:
        tile: any.
        half: half of the side of the square [m].
        centre: x, y of where its middle is moved to [m].
    """
    vertices, triangles = tile.mesh()
    corners = vertices[triangles]
    low, high = corners[..., :2].min(axis=1), corners[..., :2].max(axis=1)
    is_out = ((low >= half) | (high <= -half)).any(axis=1)
    is_in = ((low > -half) & (high < half)).all(axis=1)
    found = [
        part for triangle in corners[~is_out & ~is_in].tolist() for part in _trim(triangle, half)
    ]
    kept = np.concatenate((corners[is_in], np.array(found, dtype=np.float64).reshape(-1, 3, 3)))
    if len(kept):
        points = kept.reshape(-1, 3) + np.array([centre[0], centre[1], 0.0])
        yield MeshTile(points, np.arange(len(points), dtype=np.int32).reshape(-1, 3))


def _trim(triangle: list[list[float]], half: float) -> list[_Triangle]:
    """The part of a triangle within the square as triangles, and the faces along the rim."""
    sides = np.full(2, half)
    corners = np.empty((MAX_CORNERS, 3))
    size = clip_polygon(np.array(triangle), -sides, sides, corners)
    polygon: list[Point] = [(x, y, z) for x, y, z in corners[:size].tolist()]
    found: list[_Triangle] = []
    is_top = False
    for b, c in pairwise(polygon[1:]):
        a = polygon[0]
        u = [q - p for p, q in zip(a, b, strict=True)]
        v = [q - p for p, q in zip(a, c, strict=True)]
        up = u[0] * v[1] - u[1] * v[0]
        if up != 0.0 or u[1] * v[2] != u[2] * v[1] or u[2] * v[0] != u[0] * v[2]:
            found.append((a, b, c))
            is_top = is_top or up > 0.0
    if is_top:
        for a, b in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
            is_rim = (a[0] == b[0] and abs(a[0]) == half) or (a[1] == b[1] and abs(a[1]) == half)
            if is_rim and a[:2] != b[:2]:
                found += face(a, b, 0.0, 0.0)
    return found


def _grounds(definition: PatchesDef) -> list[tuple[str, GroundDef]]:
    return [(f"patches[{index}]", ground) for index, ground in enumerate(definition.patches)]


def _with_grounds(definition: PatchesDef, grounds: Sequence[GroundDef]) -> PatchesDef:
    return definition.model_copy(update={"patches": tuple(grounds)})


def _nodes(definition: PatchesDef, _nodes: Floats) -> Floats:
    return patch_nodes(definition)


KIND = TerrainKind(
    PatchesDef,
    tiles=tiles,
    ends="which is a map with a rim",
    in_patches=False,
    parts=Parts(_grounds, _with_grounds, _nodes),
    example=EXAMPLE,
)

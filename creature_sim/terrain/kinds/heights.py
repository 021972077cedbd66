"""A grid of heights from a file.

Its data are the heights at the nodes of the ground that they are, or are a layer of, little-endian
float32 [ix, iy]: all 64 x 64 m, or a patch.
"""

from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from creature_sim.errors import DefinitionError
from creature_sim.files.definition import Number, Positive, Vector2
from creature_sim.maths import Floats
from creature_sim.terrain.files.data import DataDef
from creature_sim.terrain.files.height_files import HeightFile, Indices, open_heights
from creature_sim.terrain.kind import Source, TerrainKind
from creature_sim.terrain.tiles.tiling import MAX_HEIGHT

Spacing = Annotated[float, Field(strict=True, allow_inf_nan=False, ge=0.001, le=1e4)]


class HeightsDef(DataDef):
    """A grid of heights; its rows run along X from low to high, the first row is that of highest Y.

    As much of it as the ground is large, 64 x 64 m or a patch, becomes the ground or a layer of it;
    height = offset + scale * value, bilinear between values. Data that end before are refused.
    """

    kind: Literal["heights"]
    spacing: Spacing | None = Field(
        None,
        description="distance of neighbouring values [m]; without it the one that a GeoTIFF or "
        ".asc file states",
    )
    scale: Positive = Field(1.0, description="[m] for a value of 1")
    offset: Number = Field(0.0, ge=-1e5, le=1e5, description="height of the value 0 [m]")
    centre: Vector2 = Field(
        (0.0, 0.0),
        description="what lies at the origin of the world, from the middle of the data [m]",
    )
    hole: Number | None = Field(
        None,
        ge=-100.0,
        le=100.0,
        description="height where the file says that it has none (NaN, its nodata value) [m]; "
        "without it, ground with holes is refused",
    )


def heights(definition: HeightsDef, x: Floats, _y: Floats, _seed: int) -> Floats:
    """The heights of a file, (X, Y) [m], at the nodes that it was read for."""
    return _grid(definition.data, len(x))


def read(definition: HeightsDef, path: Path, nodes: Floats) -> bytes:
    """Heights of the ground's nodes, as data."""
    return _sampled(definition, path, nodes).astype("<f4").tobytes()


def check(definition: HeightsDef, nodes: Floats) -> None:
    """Refuse data that are no heights of the nodes."""
    _grid(definition.data, len(nodes))


def _sampled(definition: HeightsDef, path: Path, nodes: Floats) -> NDArray[np.float32]:
    """Heights of the ground's nodes, (N, N) [ix, iy] [m]."""
    source = open_heights(path)
    spacing = definition.spacing if definition.spacing is not None else source.spacing
    if spacing is None:
        raise DefinitionError(
            f"spacing: expected the distance of neighbouring values in metres, which {path} does "
            "not state, found none"
        )
    _check_cover(definition, path, source, spacing, float(nodes[-1]))
    columns, right = _neighbours(nodes + definition.centre[0], spacing, source.shape[1])
    # The first row is the northernmost.
    rows, down = _neighbours(-(nodes + definition.centre[1]), spacing, source.shape[0])
    each_row, row = np.unique(rows, return_inverse=True)
    each_column, column = np.unique(columns, return_inverse=True)
    heights = _metres(definition, path, source.take(each_row, each_column))
    heights = heights[row[:, None], column]
    low, high = heights[0::2], heights[1::2]
    mixed = low * (1.0 - down)[:, None] + high * down[:, None]
    mixed = mixed[:, 0::2] * (1.0 - right) + mixed[:, 1::2] * right
    return mixed.T.astype(np.float32)


def _check_cover(
    definition: HeightsDef, path: Path, source: HeightFile, spacing: float, half: float
) -> None:
    """Refuse data that end within the ground; a value stands for half its spacing around."""
    rows, columns = source.shape
    for axis, count, middle in zip("xy", (columns, rows), definition.centre, strict=True):
        if 0.5 * count * spacing < half + abs(middle):
            raise DefinitionError(
                f"file: {path}: expected data that cover the ground, {2.0 * half:g} m around "
                f"{axis} = {middle:g} m, found {count * spacing:g} m ({count} x {spacing:g} m)"
            )


def _neighbours(offsets: Floats, spacing: float, count: int) -> tuple[Indices, Floats]:
    """Values next to nodes along one axis of the data.

    Args:
        offsets: (N,) of the nodes from the middle of the data [m].
        spacing: distance of neighbouring values [m].
        count: of the values along the axis.

    Returns:
        positions of the values before and behind each node, in turn (2 * N,), and how far the
        node lies from the one to the other, from 0 to 1 (N,).
    """
    where = offsets / spacing + 0.5 * (count - 1)
    where = np.minimum(np.maximum(where, 0.0), count - 1.0)
    before = np.minimum(np.floor(where), count - 2.0)
    pairs = np.stack((before, before + 1.0), axis=1).reshape(-1).astype(np.int64)
    return pairs, where - before


def _metres(definition: HeightsDef, path: Path, values: Floats) -> Floats:
    """Heights [m] of values, holes filled."""
    with np.errstate(over="ignore"):
        heights = definition.offset + definition.scale * values
    is_hole = np.isnan(heights)
    if is_hole.any():
        if definition.hole is None:
            raise DefinitionError(
                f"file: {path}: expected heights everywhere, or a height for holes as hole, "
                f"found {int(is_hole.sum())} holes within the ground"
            )
        heights[is_hole] = definition.hole
    if abs(heights).max() > MAX_HEIGHT:
        raise DefinitionError(
            f"file: {path}: expected heights from {-MAX_HEIGHT:g} to {MAX_HEIGHT:g} m after "
            f"scale and offset, found {heights.min():g} to {heights.max():g} m"
        )
    return heights


def _grid(data: bytes, count: int) -> Floats:
    """The heights of data, (count, count) [m]; DefinitionError where there are none."""
    if len(data) != 4 * count * count:
        raise DefinitionError(f"file: expected {count} x {count} heights, found {len(data)} bytes")
    found = np.frombuffer(data, dtype="<f4").reshape(count, count).astype(np.float64)
    if not (abs(found) <= MAX_HEIGHT).all():
        raise DefinitionError(
            f"file: expected heights from {-MAX_HEIGHT:g} to {MAX_HEIGHT:g} m, found others"
        )
    return found


KIND = TerrainKind(
    HeightsDef, heights=heights, ends="which ends where its file does", source=Source(read, check)
)

"""Rows of stones with nothing between them."""

from collections.abc import Iterator
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from creature_sim.files.definition import Positive
from creature_sim.maths import Floats, random_unit
from creature_sim.terrain.ground import Boundless, GroundDef, Start
from creature_sim.terrain.kind import Challenge, TerrainKind
from creature_sim.terrain.patterns.rows import BEYOND, Row, across
from creature_sim.terrain.tiles.blocks import block_mesh, boxes_mesh
from creature_sim.terrain.tiles.tiles import MeshTile, Tile, join
from creature_sim.terrain.tiles.tiling import HALF_SIZE, TILE, Stretch, block_tiles

_STREAM = 1003
MAX_STONES = 20_000
"""Stones on ground with a border."""
MAX_IN_TILE = 4_096
"""Stones in a tile of endless ground."""
_STONES_PER_TILE = 2000
EXAMPLE = """\
kind = "stepping_stones"
size = 0.6                    # side of a stone
gap = 0.08                    # between neighbouring stones
depth = 1.0                   # from their tops to the ground
extent = 16.0                 # they lie this far from the start
clearing = 1.0                # level ground before and behind the start"""


class SteppingStonesDef(Boundless):
    """Rows of square stones with nothing between them; each row is shifted at random."""

    kind: Literal["stepping_stones"]
    size: Positive = Field(ge=0.02, le=16.0, description="side of a stone [m]")
    gap: Positive = Field(ge=0.01, le=8.0, description="between neighbouring stones [m]")
    depth: Positive = Field(le=20.0, description="from the top of the stones to the ground [m]")
    extent: Positive | None = Field(
        None,
        le=32.0,
        description="stones lie up to this far from the origin along X and Y; none where they are "
        "endless [m]",
    )
    clearing: Start

    @model_validator(mode="after")
    def _stones_can_be_laid(self) -> "SteppingStonesDef":
        """Refuse stones that are too many, or none."""
        if self.endless and self.extent is not None:
            raise ValueError(f"extent: expected none for endless stones, found {self.extent:g}")
        if not self.endless and self.extent is None:
            raise ValueError("extent: expected how far stones lie, or endless stones, found none")
        pitch, reach = self.size + self.gap, self.extent or 0.5 * TILE
        side, limit = 2.0 * reach / pitch, MAX_STONES if self.extent else MAX_IN_TILE
        count = side * side
        if count > limit:
            raise ValueError(
                f"size: expected at most {limit} stones, found {count:.0f} stones of "
                f"{self.size:g} m within {reach:g} m"
            )
        if self.extent and self.clearing + self.gap + self.size > self.extent:
            raise ValueError(
                f"extent: expected room for a stone beyond the clearing of {self.clearing:g} m, "
                f"found {self.extent:g}"
            )
        return self


def tiles(definition: SteppingStonesDef, seed: int) -> Iterator[Tile]:
    """Two fields of stones before and behind a clearing, level ground around them."""
    assert definition.extent is not None
    pitch = definition.size + definition.gap
    first = definition.clearing + definition.gap
    row_count = int((definition.extent - first) / pitch)
    x = _mirrored(definition.clearing, first + row_count * pitch)  # ends a gap after the last row
    y = _mirrored(definition.extent)
    heights = np.zeros((len(x) - 1, len(y) - 1))
    middle, row = len(x) // 2 - 1, len(y) // 2 - 1
    heights[[middle - 1, middle + 1], row] = -definition.depth
    yield from block_tiles(x, y, heights)
    corners = np.concatenate(
        [
            _field_row(definition, random_unit(seed, _STREAM, 2 * row + side), x)
            for row in range(row_count)
            for side, x in enumerate((-first - row * pitch - definition.size, first + row * pitch))
        ]
    )
    for begin in range(0, len(corners), _STONES_PER_TILE):
        yield boxes_mesh(corners[begin : begin + _STONES_PER_TILE], -definition.depth, 0.0)


def between(definition: SteppingStonesDef, seed: int, x: Stretch, y: Stretch) -> MeshTile:
    """Endless stones that meet two stretches, whole, and the ground below and between them."""
    edges, numbers = Row(np.array([definition.clearing, BEYOND, 2.0 * BEYOND]), 1).between(*x)
    blocks = across(edges, np.where(numbers == 0, 0.0, -definition.depth), y)
    ground = block_mesh(*blocks, slice(None), slice(None))
    pitch = definition.size + definition.gap
    first = definition.clearing + definition.gap
    rows = []
    for side, (low, high) in enumerate(((-x[1], -x[0]), x)):
        begin = max(int(np.floor((low - first) / pitch)) - 1, 0)
        for row in range(begin, int(np.floor((high - first) / pitch)) + 2):
            near = first + row * pitch
            if near < high and near + definition.size > low:
                start = near if side else -near - definition.size
                shift = random_unit(seed, _STREAM, 2 * row + side)
                rows.append(_row(definition, pitch * shift, start, y))
    stones = np.concatenate([np.empty((0, 2, 2)), *rows])
    return join([ground, boxes_mesh(stones, -definition.depth, 0.0)])


def _row(definition: SteppingStonesDef, begin: float, x: float, y: Stretch) -> Floats:
    """Lowest and highest corner of the stones of an endless row that meet a stretch, (S, 2, 2).

    Args:
        definition: of the stones.
        begin: where one of its stones begins along Y [m].
        x: where its stones begin [m].
        y: along Y [m].
    """
    pitch = definition.size + definition.gap
    first, last = (int(np.floor((end - begin) / pitch)) for end in y)
    starts = begin + pitch * np.arange(first - 1, last + 2)
    starts = starts[(starts < y[1]) & (starts + definition.size > y[0])]
    low = np.stack((np.full(len(starts), x), starts), axis=-1)
    return np.stack((low, low + definition.size), axis=1)


def _mirrored(*edges: float) -> Floats:
    """Edges on both sides of the origin, the border's added where they do not reach it [m]."""
    right = [edge for edge in edges if edge < HALF_SIZE] + [HALF_SIZE]
    return np.array([-edge for edge in right[::-1]] + right)


def _field_row(definition: SteppingStonesDef, shift: float, x: float) -> Floats:
    """Lowest and highest corner of the stones of a row of a field, (S, 2, 2): x, y [m].

    Args:
        definition: of the stones.
        shift: of the row against the field's border, as a fraction of the pitch of the stones.
        x: where its stones begin [m].
    """
    pitch = definition.size + definition.gap
    assert definition.extent is not None
    begin = pitch * shift - definition.extent
    count = int((definition.extent - definition.size - begin) / pitch) + 1
    y = begin + pitch * np.arange(count)
    low = np.stack((np.full(count, x), y), axis=-1)
    return np.stack((low, low + definition.size), axis=1)


def trial(challenge: Challenge) -> GroundDef:
    """Stones of 1.5 (1.05 - d), gaps of 0.05 + 0.05 d, 1 m deep."""
    size, gap = (
        1.5 * (1.05 - challenge.d) * challenge.scale,
        (0.05 + 0.05 * challenge.d) * challenge.scale,
    )
    return SteppingStonesDef(
        kind="stepping_stones",
        size=size,
        gap=gap,
        depth=challenge.scale,
        extent=min(
            32.0, challenge.extent + size + gap
        ),  # so that whole rows reach as far as asked for
        clearing=challenge.clearing,
    )


KIND = TerrainKind(SteppingStonesDef, tiles=tiles, between=between, example=EXAMPLE, trial=trial)

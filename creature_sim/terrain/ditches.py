"""Ground to step over or climb out of: gap, pit, rails, stepping_stones."""

from collections.abc import Iterator

import numpy as np

from creature_sim.definitions import GapDef, PitDef, RailsDef, SteppingStonesDef
from creature_sim.maths import Floats, random_unit
from creature_sim.terrain.tiles import Tile, boxes_mesh
from creature_sim.terrain.tiling import HALF_SIZE, block_tiles, tile_cuts

_STONES_STREAM = 1003  # see boxes.py for the others
_STONES_PER_TILE = 2000


def gap(definition: GapDef, _seed: int) -> Iterator[Tile]:
    """Ditches across the whole ground."""
    return _across(definition.clearing, definition.width, definition.spacing, -definition.depth)


def rails(definition: RailsDef, _seed: int) -> Iterator[Tile]:
    """Bars across the whole ground."""
    return _across(definition.clearing, definition.thickness, definition.spacing, definition.height)


def pit(definition: PitDef, _seed: int) -> Iterator[Tile]:
    """Pits where a band along X meets one along Y; the origin lies between two of them."""
    x, is_in_x = _bands(definition.clearing, definition.size, definition.spacing)
    y, is_in_y = _bands(0.5 * definition.size, definition.spacing, definition.size)
    heights = np.where(is_in_x[:, None] & ~is_in_y, -definition.depth, 0.0)
    return block_tiles(x, y, heights)


def _across(clearing: float, width: float, spacing: float, height: float) -> Iterator[Tile]:
    """Bands of one height across X on level ground."""
    x, is_in = _bands(clearing, width, spacing)
    y = tile_cuts()
    heights = np.where(is_in, height, 0.0)
    return block_tiles(x, y, np.repeat(heights[:, None], len(y) - 1, axis=1))


def _bands(clearing: float, width: float, spacing: float) -> tuple[Floats, np.ndarray]:
    """Edges of bands beside the clearing, mirrored about the origin, and what is in a band.

    Returns:
        (B + 1,) edges [m] and (B,) flags.
    """
    edges, flags = [clearing], []
    while edges[-1] < HALF_SIZE:
        edges.append(edges[-1] + (spacing if len(edges) % 2 == 0 else width))
        flags.append(len(edges) % 2 == 0)
    edges[-1] = HALF_SIZE
    return (
        np.array([-edge for edge in edges[::-1]] + edges),
        np.array([*flags[::-1], False, *flags]),
    )


def stepping_stones(definition: SteppingStonesDef, seed: int) -> Iterator[Tile]:
    """Two fields of stones before and behind a clearing, level ground around them."""
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
            _row(definition, random_unit(seed, _STONES_STREAM, 2 * row + side), x)
            for row in range(row_count)
            for side, x in enumerate((-first - row * pitch - definition.size, first + row * pitch))
        ]
    )
    for begin in range(0, len(corners), _STONES_PER_TILE):
        yield boxes_mesh(corners[begin : begin + _STONES_PER_TILE], -definition.depth, 0.0)


def _mirrored(*edges: float) -> Floats:
    """Edges on both sides of the origin, the border's added where they do not reach it [m]."""
    right = [edge for edge in edges if edge < HALF_SIZE] + [HALF_SIZE]
    return np.array([-edge for edge in right[::-1]] + right)


def _row(definition: SteppingStonesDef, shift: float, x: float) -> Floats:
    """Lowest and highest corner of the stones of a row along Y, (S, 2, 2): x, y [m].

    Args:
        definition: of the stones.
        shift: of the row against the field's border, as a share of the way from stone to stone.
        x: where its stones begin [m].
    """
    pitch = definition.size + definition.gap
    begin = pitch * shift - definition.extent
    count = int((definition.extent - definition.size - begin) / pitch) + 1
    y = begin + pitch * np.arange(count)
    low = np.stack((np.full(count, x), y), axis=-1)
    return np.stack((low, low + definition.size), axis=1)

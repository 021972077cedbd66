"""Ground to step over or climb out of: gap, pit, rails, stepping_stones."""

from collections.abc import Iterator

import numpy as np

from creature_sim.definitions import GapDef, PitDef, RailsDef, SteppingStonesDef
from creature_sim.maths import Floats, random_unit
from creature_sim.terrain.tiles.rows import BEYOND, Blocks, Row, Stretch, across
from creature_sim.terrain.tiles.tiles import MeshTile, Tile, block_mesh, boxes_mesh, join
from creature_sim.terrain.tiles.tiling import HALF_SIZE, block_tiles

_STONES_STREAM = 1003  # see boxes.py for the others
_STONES_PER_TILE = 2000


def gap(definition: GapDef, _seed: int, x: Stretch, y: Stretch) -> Blocks:
    """Ditches across the whole ground."""
    bands = _bands(definition.clearing, definition.width, definition.spacing)
    return _across(bands, -definition.depth, x, y)


def rails(definition: RailsDef, _seed: int, x: Stretch, y: Stretch) -> Blocks:
    """Bars across the whole ground."""
    bands = _bands(definition.clearing, definition.thickness, definition.spacing)
    return _across(bands, definition.height, x, y)


def pit(definition: PitDef, _seed: int, x: Stretch, y: Stretch) -> Blocks:
    """Pits where a band along X meets one along Y; the origin lies between two of them."""
    edges_x, in_x = _bands(definition.clearing, definition.size, definition.spacing).between(*x)
    edges_y, in_y = _bands(0.5 * definition.size, definition.spacing, definition.size).between(*y)
    is_pit = (in_x % 2 == 1)[:, None] & (in_y % 2 == 0)
    return edges_x, edges_y, np.where(is_pit, -definition.depth, 0.0)


def _across(bands: Row, height: float, x: Stretch, y: Stretch) -> Blocks:
    """Bands of one height across X on level ground."""
    edges, numbers = bands.between(*x)
    return across(edges, np.where(numbers % 2 == 1, height, 0.0), y)


def _bands(clearing: float, width: float, spacing: float) -> Row:
    """Bands on both sides of the clearing: the boxes with odd numbers."""
    edges = [clearing]
    while edges[-1] < HALF_SIZE or len(edges) % 2 == 0:
        edges.append(edges[-1] + (spacing if len(edges) % 2 == 0 else width))
    return Row(np.array(edges), 2)


def stepping_stones(definition: SteppingStonesDef, seed: int) -> Iterator[Tile]:
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
            _field_row(definition, random_unit(seed, _STONES_STREAM, 2 * row + side), x)
            for row in range(row_count)
            for side, x in enumerate((-first - row * pitch - definition.size, first + row * pitch))
        ]
    )
    for begin in range(0, len(corners), _STONES_PER_TILE):
        yield boxes_mesh(corners[begin : begin + _STONES_PER_TILE], -definition.depth, 0.0)


def stones_between(definition: SteppingStonesDef, seed: int, x: Stretch, y: Stretch) -> MeshTile:
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
                shift = random_unit(seed, _STONES_STREAM, 2 * row + side)
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
        shift: of the row against the field's border, as a share of the way from stone to stone.
        x: where its stones begin [m].
    """
    pitch = definition.size + definition.gap
    assert definition.extent is not None
    begin = pitch * shift - definition.extent
    count = int((definition.extent - definition.size - begin) / pitch) + 1
    y = begin + pitch * np.arange(count)
    low = np.stack((np.full(count, x), y), axis=-1)
    return np.stack((low, low + definition.size), axis=1)

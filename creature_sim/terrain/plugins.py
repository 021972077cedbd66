"""Ground that other packages make: their functions are called, their answers checked."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from creature_sim.definitions import Definition, load_plugin
from creature_sim.errors import TerrainError
from creature_sim.maths import Floats
from creature_sim.terrain.tiles.tiles import HeightTile, MeshTile, Tile


def plugin_heights(definition: Any, x: Floats, y: Floats, seed: int) -> Floats:
    """Heights (X, Y) [m] at nodes x (X,) and y (Y,) [m]; TerrainError if there are none."""
    heights = load_plugin(definition.kind).heights
    assert heights is not None
    try:
        found = np.asarray(heights(definition, x, y, seed), dtype=np.float64)
    except Exception as error:  # whatever a package does
        raise _broken(definition, "heights", error) from error
    if found.shape != (len(x), len(y)) or not np.isfinite(found).all():
        bad = "numbers that are not finite" if found.shape == (len(x), len(y)) else found.shape
        raise TerrainError(
            f"terrain.kind: expected the plugin {definition.kind!r} to make heights of shape "
            f"{(len(x), len(y))}, found {bad}"
        )
    return found


def plugin_tiles(definition: Any, seed: int) -> Iterator[Tile]:
    """The tiles of a ground; TerrainError if there are none."""
    tiles = load_plugin(definition.kind).tiles
    assert tiles is not None
    try:
        found = list(tiles(definition, seed))
    except Exception as error:  # whatever a package does
        raise _broken(definition, "tiles", error) from error
    if not found or not all(isinstance(tile, HeightTile | MeshTile) for tile in found):
        raise TerrainError(
            f"terrain.kind: expected the plugin {definition.kind!r} to make tiles, found "
            f"{sorted({type(tile).__name__ for tile in found}) or 'none'}"
        )
    yield from found


def _broken(definition: Definition, what: str, error: Exception) -> TerrainError:
    kind = getattr(definition, "kind", "")
    return TerrainError(
        f"terrain.kind: expected the plugin {kind!r} to make {what}, found "
        f"{type(error).__name__}: {error}"
    )

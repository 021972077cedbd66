"""The ground of a world as a mesh, all of it."""

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.export.animation.stage import GroundMesh, ground_mesh
from creature_sim.figures.creases import creased
from creature_sim.figures.ground import has_edges
from creature_sim.figures.patch import Patch, patch_around
from creature_sim.terrain import HALF_SIZE, build_terrain
from creature_sim.terrain.tiles.chunks import Chunks
from creature_sim.terrain.tiles.tiles import CELL, MeshTile, grid_mesh, join


def ground_of(world: WorldDef) -> GroundMesh:
    """All ground that has a border; of endless ground 64 x 64 m around the first creature."""
    terrain = build_terrain(world.terrain, world.seed)
    start = np.array(world.creatures[0].position if world.creatures else (0.0, 0.0))
    low, high = start - HALF_SIZE, start + HALF_SIZE
    if terrain.chunks is None:
        vertices, triangles = join([MeshTile(*tile.mesh()) for tile in terrain.tiles]).mesh()
        if has_edges(terrain):
            vertices, triangles = creased(vertices, triangles)
    elif isinstance(terrain.chunks, Chunks):
        nodes = np.arange(round(2.0 * HALF_SIZE / CELL) + 1)
        x, y = (CELL * (nodes + np.floor(side / CELL)) for side in low)
        vertices, triangles = grid_mesh(x, y, terrain.chunks.at(x, y))
    else:
        return ground_mesh(patch_around(terrain, low, high, 0.0))
    area = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
    return ground_mesh(Patch(vertices, triangles, area, has_edges(terrain)))

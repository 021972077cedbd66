"""The ground that is shown around a walk, where it can be built here."""

import numpy as np

from creature_sim.definitions import WorldDef
from creature_sim.errors import CreatureSimError
from creature_sim.figures.patch import Patch, patch_along
from creature_sim.maths import Floats
from creature_sim.terrain import build_terrain


def ground_along(world: WorldDef, points: Floats) -> tuple[Patch, str]:
    """The ground around what moves, and why there is none: "" if there is.

    A kind of ground that a package brings cannot be built where that package is missing.

    Args:
        world: whose ground it is.
        points: (N, 3) that something moves through [m, world].

    Returns:
        The ground; without triangles where it cannot be built.
    """
    try:
        terrain = build_terrain(world.terrain, world.seed)
    except CreatureSimError as error:
        (x0, y0, z), (x1, y1, _) = points.min(axis=0).tolist(), points.max(axis=0).tolist()
        nothing = np.empty((0, 3), np.int64)
        patch = Patch(np.array([(x0, y0, z)]), nothing, (x0, y0, x1, y1), is_edged=False)
        return patch, f"its ground cannot be built here and is left out: {error}"
    return patch_along(terrain, points[:, :2]), ""

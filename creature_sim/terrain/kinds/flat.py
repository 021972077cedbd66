"""Level ground."""

from typing import Literal

import numpy as np

from creature_sim.maths import Floats
from creature_sim.terrain.ground import SmoothGround
from creature_sim.terrain.kind import TerrainKind

EXAMPLE = 'kind = "flat"'


class FlatDef(SmoothGround):
    """Level ground at height 0."""

    kind: Literal["flat"]


def heights(_definition: FlatDef, x: Floats, y: Floats, _seed: int) -> Floats:
    """Level ground."""
    return np.zeros((len(x), len(y)))


KIND = TerrainKind(FlatDef, heights=heights, example=EXAMPLE)

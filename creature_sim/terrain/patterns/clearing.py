"""Ground that grows from a level clearing about the origin."""

from creature_sim.maths import clamp
from creature_sim.maths.jit import kernel
from creature_sim.terrain.tiles.tiles import CELL


def level_until(clearing: float, cells: float) -> float:
    """How far nodes are level so that all that touches a clearing is: so many cells farther."""
    return clearing + cells * CELL if clearing > 0.0 else 0.0


@kernel
def growth(x: float, y: float, level: float, over: float) -> float:
    """Share of its height that ground has near a clearing: 0 up to `level`, 1 `over` beyond."""
    if level <= 0.0:
        return 1.0
    return clamp((max(abs(x), abs(y)) - level) / over, 0.0, 1.0)

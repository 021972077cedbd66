"""Ground that grows from a level clearing about the origin."""

from creature_sim.maths import clamp
from creature_sim.maths.jit import kernel
from creature_sim.terrain.tiles.tiles import CELL


def level_until(clearing: float, cells: float) -> float:
    """How far out nodes must be level so that all cells that touch the clearing are [m].

    Args:
        clearing: half of its side [m]; 0 for none.
        cells: how many cells farther.
    """
    return clearing + cells * CELL if clearing > 0.0 else 0.0


@kernel
def growth(x: float, y: float, level: float, over: float) -> float:
    """Fraction of its height that ground has near a clearing.

    Args:
        x: of the node [m].
        y: of the node [m].
        level: the fraction is 0 up to this far from the origin; 0 for no clearing [m].
        over: it is 1 this much farther [m].
    """
    if level <= 0.0:
        return 1.0
    return clamp((max(abs(x), abs(y)) - level) / over, 0.0, 1.0)

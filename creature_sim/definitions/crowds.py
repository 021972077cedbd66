"""Worlds with one creature many times, to measure them."""

from creature_sim.definitions.placement import PlacementDef
from creature_sim.definitions.world import WorldDef

SPACING = 1.8
"""Of creatures in a crowd [m]."""
WIDEST = 58.0
"""It is no wider [m]: of more creatures it is denser."""


def crowd_of(world: WorldDef, count: int) -> WorldDef:
    """The world with `count` copies of its first creature in a square around its middle."""
    side = int((count - 1) ** 0.5) + 1
    spacing = min(SPACING, WIDEST / side)
    positions = [
        (spacing * (index // side - 0.5 * (side - 1)), spacing * (index % side - 0.5 * (side - 1)))
        for index in range(count)
    ]
    name = world.creatures[0].creature
    herd = tuple(PlacementDef(creature=name, position=position) for position in positions)
    return world.model_copy(update={"creatures": herd, "chains": (), "trees": ()})

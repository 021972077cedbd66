"""Properties of a ground of any kind beyond its heights: roofs, walls, and the pull of a planet."""

from math import inf

from creature_sim.terrain.ground import GroundDef
from creature_sim.terrain.kind import Planet, Roof
from creature_sim.terrain.registry import kind_of
from creature_sim.terrain.tiles.tiles import Point


def planet_in(definition: GroundDef) -> Planet | None:
    """The planet that a ground is; None for all other kinds."""
    find = kind_of(definition).planet
    return find(definition) if find else None


def planet_of(definition: GroundDef) -> Point | None:
    """The point that gravity pulls to [m, world]; None where it pulls along the world's -Z."""
    planet = planet_in(definition)
    return planet.centre if planet else None


def roof_of(definition: GroundDef) -> Roof | None:
    """The roof over the floor of a ground; None without one."""
    find = kind_of(definition).roof
    return find(definition) if find else None


def roof_over(definition: GroundDef, x: float, y: float) -> float:
    """Height of the underside of the roof over a position on the floor [m]; inf without one."""
    roof = roof_of(definition)
    is_below = roof is not None and roof.x[0] < x < roof.x[1] and roof.y[0] < y < roof.y[1]
    return roof.height if roof is not None and is_below else inf


def lowest_roof(definition: GroundDef) -> float:
    """Height of the lowest underside above the floor [m]; inf without a roof."""
    roof = roof_of(definition)
    return roof.height if roof else inf


def walls_of(definition: GroundDef) -> tuple[float, float]:
    """How far walls all around are from the origin, along X and along Y [m]; inf without them."""
    find = kind_of(definition).walls
    return find(definition) if find else (inf, inf)


def has_unknown_roofs(definition: GroundDef) -> bool:
    """Whether anything may hang over the floor that is not known before it is met."""
    return kind_of(definition).has_unknown_roofs

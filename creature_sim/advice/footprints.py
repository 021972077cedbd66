"""Creatures that start in one another's feet."""

from collections.abc import Iterator
from math import cos, sin, tau

import numpy as np

from creature_sim.advice.advice import Advice
from creature_sim.definitions import CreatureDef, PlacementDef, WorldDef
from creature_sim.maths import Floats
from creature_sim.maths.geometry import convex_hull

MOST = 10
"""So many creatures are told of one by one."""
DIRECTIONS = 12


def crowd_advice(world: WorldDef) -> list[Advice]:
    """A better place for every creature that would start where another one stands."""
    shapes = {key: footprint(definition) for key, definition in world.species.items()}
    placed: list[Floats] = []
    found: list[Advice] = []
    more = 0
    for index, placement in enumerate(world.creatures):
        shape = shapes[placement.creature]
        here = _placed(shape, placement, placement.position)
        other = _met(here, placed)
        if other is None:
            placed.append(here)
            continue
        placed.append(here)
        if len(found) == MOST:
            more += 1
            continue
        better = next(_free(world, placement, shape, placed[:-1]), None)
        if better is not None:
            placed[-1] = _placed(shape, placement, better)
        text = f"it starts in the feet of creatures[{other}], at {_text(world, other)}"
        found.append(
            Advice(
                f"creatures[{index}].position",
                list(placement.position),
                None if better is None else list(better),
                text,
            )
        )
    if more:
        text = f"{more} more start in the feet of others"
        found.append(Advice("creatures", None, None, text, "space them out"))
    return found


def footprint(definition: CreatureDef) -> Floats:
    """Corners (H, 2) of the area that a creature stands on, counter-clockwise [m, body].

    The hull of its feet at home and of its trunk, which lies in a row behind the body.
    """
    points, legs = [], definition.all_legs
    parts = zip(definition.trunk, definition.centres, strict=True)
    for number, (part, centre) in enumerate(parts):
        length, width, _ = part.size
        points += [(centre + 0.5 * x * length, 0.5 * y * width) for x in (-1, 1) for y in (-1, 1)]
        points += [(centre + leg.home[0], leg.home[1]) for leg in legs if leg.segment == number]
    found = np.array(points)
    return found[convex_hull(found)]


def _placed(shape: Floats, placement: PlacementDef, position: tuple[float, float]) -> Floats:
    """A footprint (H, 2) where a creature starts [m, world]."""
    c, s = cos(placement.heading), sin(placement.heading)
    moved: Floats = shape @ np.array([[c, s], [-s, c]]) + np.array(position)
    return moved


def _met(one: Floats, others: list[Floats]) -> int | None:
    """The first of other footprints that this one overlaps."""
    low, high = one.min(axis=0), one.max(axis=0)
    for index, other in enumerate(others):
        is_near = (other.min(axis=0) < high).all() and (other.max(axis=0) > low).all()
        if is_near and not (_is_apart(one, other) or _is_apart(other, one)):
            return index
    return None


def _is_apart(one: Floats, other: Floats) -> bool:
    """Whether an edge of one convex polygon (H, 2) has all of another (K, 2) outside of it."""
    edges = np.roll(one, -1, axis=0) - one
    out = np.stack((edges[:, 1], -edges[:, 0]), axis=1)  # they run counter-clockwise
    far = (out[:, None] * (other - one[:, None])).sum(axis=-1)
    return bool((far.min(axis=1) >= 0.0).any())


def _free(
    world: WorldDef, placement: PlacementDef, shape: Floats, placed: list[Floats]
) -> Iterator[tuple[float, float]]:
    """Free places around the start of a creature, the nearest first."""
    size = float(np.ptp(shape, axis=0).max())
    x, y = placement.position
    for ring in range(1, 40):
        for step in range(DIRECTIONS):
            angle = tau * (step / DIRECTIONS + 0.25)
            distance = 0.25 * ring * size
            place = (round(x + distance * cos(angle), 2), round(y + distance * sin(angle), 2))
            is_inside = world.nearest_start(*place) == place
            if is_inside and _met(_placed(shape, placement, place), placed) is None:
                yield place


def _text(world: WorldDef, index: int) -> str:
    return ", ".join(f"{number:g}" for number in world.creatures[index].position)

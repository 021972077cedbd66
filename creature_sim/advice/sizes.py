"""Sizes: what is too small or too large, and what looks like centimetres or inches."""

from collections.abc import Iterator
from math import fsum, log, prod

from creature_sim.advice.advice import Advice, rounded
from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.definitions.legs import LegPairDef

SMALLEST, LARGEST = 0.02, 20.0
"""Bodies, legs and chains between these are walked and drawn well [m]."""
UNITS = {"centimetres": 100.0, "inches": 39.37}
"""How many of each make a metre."""
AIR = 1.2
"""Density of air [kg/m^3]; creatures have about 1,000."""
USUAL_DENSITY = 200.0
"""Of a trunk's box, for the built-in creatures about this [kg/m^3]."""
LEGGIEST, STUMPIEST = 40.0, 0.12
"""Reach of a leg over the size of the body, the cube root of its volume: beyond these one of the
two has other units."""
LANKIEST = 40.0
"""A body that is longer than it is thick by this factor has a length in other units."""
USUAL_LEGS = 2.5
"""The same for the built-in creatures."""


def written_legs(definition: CreatureDef) -> list[tuple[str, LegPairDef]]:
    """The legs as they stand in the file (the left one of a pair), with their keys."""
    pairs: list[tuple[str, LegPairDef]] = [
        (f"leg_pairs[{index}]", leg) for index, leg in enumerate(definition.leg_pairs)
    ]
    return [*pairs, *((f"legs[{index}]", leg) for index, leg in enumerate(definition.legs))]


def size_advice(definition: CreatureDef) -> Iterator[Advice]:
    """Lengths of a creature that are out of proportion, or far from those of creatures."""
    size = list(definition.body.size)
    edge = prod(size) ** (1.0 / 3.0)
    legs = written_legs(definition)
    volume = fsum(prod(part.size) for part in definition.trunk)
    density = definition.body.mass / volume
    longest, (*rest, _) = max(size), sorted(size)
    if longest > LANKIEST * prod(rest) ** 0.5:
        unit = _unit_of(0.5 * longest / prod(rest) ** 0.5)
        better = [rounded(part / UNITS[unit]) if part == longest else part for part in size]
        text = f"{longest:g} m beside {rest[0]:g} and {rest[1]:g} m look like {unit}"
        yield Advice("body.size", size, better, text)
        return
    box = " x ".join(f"{length:g}" for length in size)
    largest = max(*size, *(leg.reach for _, leg in legs))
    if all(leg.reach < STUMPIEST * edge for _, leg in legs):
        reach = max(leg.reach for _, leg in legs)
        unit = _unit_of(USUAL_LEGS * edge / reach)
        text = f"a body of {box} m on legs that reach {reach:.2g} m looks like {unit}"
        yield Advice("body.size", size, _in_metres(size, unit), text)
        return
    if density < AIR:
        unit = _unit_of((USUAL_DENSITY / density) ** (1.0 / 3.0))
        text = f"{box} m and {definition.body.mass:g} kg are lighter than air: lengths that look "
        yield Advice("body.size", size, _in_metres(size, unit), f"{text}like {unit}")
        return
    if all(leg.reach > LEGGIEST * edge for _, leg in legs):
        reach = min(leg.reach for _, leg in legs)
        better = [rounded(reach / edge / USUAL_LEGS * part) for part in size]
        yield Advice("body.size", size, better, f"{box} m is tiny on legs that reach {reach:.2g} m")
        return
    for key, leg in legs:
        if leg.reach < SMALLEST:
            yield _small(f"{key}.bones", list(leg.bones), leg.reach)
    if largest > LARGEST and max(size) == largest:
        yield _large("body.size", size, largest)
    elif largest > LARGEST:
        for key, leg in legs:
            if leg.reach > LARGEST:
                yield _large(f"{key}.bones", list(leg.bones), leg.reach)
    elif max(size) < SMALLEST:
        yield _small("body.size", size, max(size))


def rig_sizes(world: WorldDef) -> Iterator[Advice]:
    """Chains of a world that are very long or very short."""
    for index, chain in enumerate(world.chains):
        key, bones, reach = f"chains[{index}].bones", list(chain.bones), fsum(chain.bones)
        if reach > LARGEST:
            yield _large(key, bones, reach)
        elif reach < SMALLEST:
            yield _small(key, bones, reach)


def _unit_of(factor: float) -> str:
    """The unit of which about so many make a metre."""
    return min(UNITS, key=lambda unit: abs(log(factor / UNITS[unit])))


def _in_metres(lengths: list[float], unit: str) -> list[float]:
    return [rounded(length / UNITS[unit]) for length in lengths]


def _large(key: str, found: list[float], length: float) -> Advice:
    text = f"{length:g} m is longer than {LARGEST:g} m, for which walk and window are made"
    return Advice(key, found, [rounded(0.5 * LARGEST / length * part) for part in found], text)


def _small(key: str, found: list[float], length: float) -> Advice:
    text = f"{length:g} m is shorter than {SMALLEST:g} m, for which walk and window are made"
    return Advice(key, found, [rounded(2.0 * SMALLEST / length * part) for part in found], text)

"""Names of a creature's parts: in pictures, tables, animations and robots."""

from collections import Counter

from creature_sim.definitions.creature import CreatureDef
from creature_sim.definitions.legs import LegDef


def segment_names(plan: CreatureDef) -> list[str]:
    """Of the trunk's segments, and of the head: `body`, `segment_1`, `segment_2`, ..., `head`."""
    names = ["body", *(f"segment_{index}" for index in range(1, len(plan.trunk)))]
    return [*names, "head"] if plan.head else names


def leg_name(leg: LegDef) -> str:
    """Its side and its pair, the first in front: L1, R3."""
    return f"{leg.side[0].upper()}{leg.pair + 1}"


def leg_names(plan: CreatureDef) -> list[str]:
    """Of all legs: `L1` is the left one of the first pair; a second `L1` is `L1_2`."""
    names, seen = [], Counter[str]()
    for leg in plan.all_legs:
        name = leg_name(leg)
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name}_{seen[name]}")
    return names

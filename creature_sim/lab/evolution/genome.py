"""Bodies that can change: how one is drawn, how a child differs from its parent, and its file."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from pydantic import ValidationError

from creature_sim.definitions import CreatureDef

PAIRS = (2, 6)
"""Fewest and most pairs of legs."""
BONES = (2, 4)
"""Fewest and most bones of a leg."""
PATTERNS = ("wave", "ripple", "tripod", "metachronal")
"""Gaits that any number of legs can have."""
SPEED = 0.6
"""All of them are asked to go at this speed [m/s]."""
SPREAD = 0.08
"""Spread of a number of a child about that of its parent, as a fraction of its range."""
CHANGED = 0.3
"""Fraction of the numbers in which a child differs."""
MAX_STRETCH = 0.8
"""Legs at rest are no longer than this fraction of their reach: on hills the ground falls away."""
LEAPS = 0.12
"""How often a child has another number of legs, or of bones, or another gait."""


class Gene(NamedTuple):
    """The range of a number."""

    low: float
    high: float

    def draw(self, random: np.random.Generator) -> float:
        """Any value."""
        return _written(random.uniform(self.low, self.high))

    def near(self, value: float, random: np.random.Generator) -> float:
        """The same value, or one near it."""
        if random.uniform() > CHANGED:
            return value
        moved = value + SPREAD * (self.high - self.low) * random.normal()
        return _written(min(max(moved, self.low), self.high))


BODY = {
    "length": Gene(0.2, 1.0),
    "width": Gene(0.12, 0.4),
    "height": Gene(0.08, 0.25),
    "ride_height": Gene(0.1, 0.6),
    "duty_factor": Gene(0.5, 0.92),
    "stride_length": Gene(0.1, 0.8),
    "step_height": Gene(0.02, 0.2),
}
"""Numbers of the body and the gait [m]."""
LEG = {
    "along": Gene(-0.5, 0.5),  # of the length, where the hip is
    "beside": Gene(0.3, 0.5),  # of the width
    "forward": Gene(-0.3, 0.3),  # from the hip to where the foot rests [m]
    "outward": Gene(0.02, 0.5),
}
BONE = Gene(0.05, 0.5)


class Leg(NamedTuple):
    """A pair of legs: numbers by their names in LEG, and the lengths of bones [m]."""

    numbers: Mapping[str, float]
    bones: tuple[float, ...]


@dataclass(frozen=True)
class Genome:
    """What a creature inherits.

    Attributes:
        numbers: by their names in BODY.
        legs: pairs, in any order.
        pattern: of the gait.
    """

    numbers: Mapping[str, float]
    legs: tuple[Leg, ...]
    pattern: str

    def table(self, name: str) -> dict[str, Any]:
        """The creature's file as a table."""
        of = self.numbers
        pairs = []
        for leg in sorted(self.legs, key=lambda leg: -leg.numbers["along"]):
            x, y = leg.numbers["along"] * of["length"], leg.numbers["beside"] * of["width"]
            home = x + leg.numbers["forward"], y + leg.numbers["outward"]
            pairs.append(
                {
                    "mount": [_written(x), _written(y), 0.0],
                    "bones": list(leg.bones),
                    "home": [_written(home[0]), _written(home[1])],
                }
            )
        return {
            "name": name,
            "body": {
                "size": [of["length"], of["width"], of["height"]],
                "ride_height": of["ride_height"],
                "mass": 4.0,
            },
            "motion": {
                "speed": SPEED,
                "turn_rate": 0.8,
                "acceleration": 1.5,
                "turn_acceleration": 4.0,
            },
            "gait": {
                "kind": "phase",
                "pattern": self.pattern,
                "duty_factor": of["duty_factor"],
                "stride_length": of["stride_length"],
                "step_height": of["step_height"],
            },
            "leg_pairs": pairs,
        }

    def creature(self, name: str) -> CreatureDef | None:
        """The creature; None: it could not stand on uneven ground, or take its own steps."""
        try:
            found = CreatureDef.model_validate(self.table(name))
        except ValidationError:
            return None
        height = found.body.ride_height
        stands = all(leg.stretch(height) <= MAX_STRETCH * leg.reach for leg in found.leg_pairs)
        return found if stands else None


def drawn(random: np.random.Generator) -> Genome:
    """Any genome."""
    count = int(random.integers(PAIRS[0], PAIRS[1] + 1))
    return Genome(
        {name: gene.draw(random) for name, gene in BODY.items()},
        tuple(_leg(random) for _ in range(count)),
        PATTERNS[int(random.integers(len(PATTERNS)))],
    )


def child_of(genome: Genome, random: np.random.Generator) -> Genome:
    """A genome that differs a little; at times in the number of legs or bones, or in the gait."""
    legs = [
        Leg(
            {name: gene.near(leg.numbers[name], random) for name, gene in LEG.items()},
            tuple(BONE.near(bone, random) for bone in leg.bones),
        )
        for leg in genome.legs
    ]
    if random.uniform() < LEAPS and len(legs) < PAIRS[1]:
        legs.append(_leg(random))
    if random.uniform() < LEAPS and len(legs) > PAIRS[0]:
        legs.pop(int(random.integers(len(legs))))
    if random.uniform() < LEAPS:
        place = int(random.integers(len(legs)))
        legs[place] = legs[place]._replace(bones=_bones(random))
    if random.uniform() < LEAPS:
        place, like = (int(random.integers(len(legs))) for _ in range(2))
        along = {"along": legs[place].numbers["along"]}  # a pair like another one
        legs[place] = legs[like]._replace(numbers={**legs[like].numbers, **along})
    numbers = {name: gene.near(genome.numbers[name], random) for name, gene in BODY.items()}
    found = replace(genome, numbers=numbers, legs=tuple(legs))
    if random.uniform() < LEAPS:
        found = replace(found, pattern=PATTERNS[int(random.integers(len(PATTERNS)))])
    return found


def _leg(random: np.random.Generator) -> Leg:
    return Leg({name: gene.draw(random) for name, gene in LEG.items()}, _bones(random))


def _bones(random: np.random.Generator) -> tuple[float, ...]:
    count = int(random.integers(BONES[0], BONES[1] + 1))
    return tuple(BONE.draw(random) for _ in range(count))


def _written(value: float) -> float:
    """A number with as many digits as are written."""
    return round(float(value), 3)

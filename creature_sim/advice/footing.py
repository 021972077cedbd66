"""Where feet stand: under the body, or so that strides bring the weight to their edge."""

from collections.abc import Iterable, Iterator

from creature_sim.advice.advice import Advice, Value, rounded
from creature_sim.advice.shape import Shape
from creature_sim.definitions import CreatureDef, PhaseGaitDef
from creature_sim.definitions.legs import LegPairDef

OUTSIDE = 0.15
"""Feet that stand well are this fraction of their reach beside the body."""
EDGE, SAFE = 0.085, 0.12
"""Nearer to the edge of its feet than the first, in reaches, a body brakes (BRAKING); the second is
far enough."""
LONGEST_STANCE = 90
"""Feet that stand for more than this hurry too much in the rest of a cycle [%]."""
DRAWS, LIGHT = 0.2, 0.15
"""A tail that draws the weight away from the middle of the feet by this fraction of the reach makes
the body brake; one that does by the second does not."""
THINNER = 0.95
"""Tails are made narrower and lower by this factor, until they are light."""
FINELY = 200
"""Phases of a cycle that are looked at where two feet must not be in the air for a moment."""


def beneath(shape: Shape) -> Iterator[Advice]:
    """Feet under the body, or crossed: they carry a narrow base, and legs go through the body."""
    trunk, is_biped = shape.definition.trunk, len(shape.plan.legs) == 2
    parts = {key: trunk[leg.segment if leg.segment != "all" else 0] for key, leg in shape.legs}
    aside = {key: leg.home[1] * _side(leg) for key, leg in shape.legs if leg.mount[1]}
    is_narrow = all(y < 0.5 * parts[key].size[1] for key, y in aside.items())
    for key, leg in shape.legs:
        length, width, _ = parts[key].size
        if key not in aside or (is_biped and aside[key] > 0.0) or aside[key] >= 0.5 * width:
            continue
        if is_narrow or abs(leg.home[0]) < 0.5 * length:
            where = "under the body" if abs(leg.home[0]) < 0.5 * length else "close together"
            text = (
                f"feet rest {where}, {abs(aside[key]):.2g} m from its middle line, and the body "
                f"is {width:.2g} m wide"
            )
            out = _side(leg) * rounded(0.5 * width + OUTSIDE * leg.reach)
            better: Value = [leg.home[0], out]
            other = ""
            wider = leg.model_copy(update={"home": (leg.home[0], out)})
            if wider.stretch(shape.definition.body.ride_height) > 0.8 * leg.reach:
                better, other = None, "make body.size narrower"
            yield Advice(f"{key}.home", list(leg.home), better, text, other)


def trailing(shape: Shape) -> Iterator[Advice]:
    """Tails so heavy that the weight is far from the middle of the feet.

    The body moves forward over its feet then, which leaves its hind legs stretched. Who stands on
    two legs is left out: it leans over them.
    """
    definition, legs = shape.definition, shape.plan.legs
    carrying = {int(leg.segment) for leg in legs}
    tables, first = [], 1
    for number, table in enumerate(definition.segments):
        if carrying.isdisjoint(range(first, first + table.count)):
            tables.append(number)
        first += table.count
    off, reach = _weight_off(definition), float(shape.plan.body[0].reach)
    if len(legs) <= 2 or not tables or abs(off) < DRAWS * reach:
        return
    thin = 1.0
    while abs(_weight_off(_thinned(definition, tables, thin))) >= LIGHT * reach and thin > 0.1:
        thin *= THINNER
    behind = "behind" if off < 0.0 else "ahead of"
    text = f"a tail draws the weight {abs(off):.2g} m {behind} the middle of the feet"
    other = f"set all feet farther {'back' if off < 0.0 else 'ahead'} (home)"
    for number in tables:
        size = definition.segments[number].size
        better: Value = [size[0], rounded(thin * size[1]), rounded(thin * size[2])]
        if thin <= 0.1:
            better = None
        yield Advice(f"segments[{number}].size", list(size), better, text, other)


def _weight_off(definition: CreatureDef) -> float:
    """How far ahead of the middle of the feet at rest the weight of a trunk is [m]."""
    centres, named = definition.centres, [leg for _, leg in definition.named_legs()]
    feet = sum(leg.home[0] + centres[leg.segment] for leg in named) / len(named)
    weight = sum(share * x for share, x in zip(definition.shares, centres, strict=True))
    return weight - feet


def _thinned(definition: CreatureDef, tables: Iterable[int], thin: float) -> CreatureDef:
    """The same creature with thinner segments in some tables."""
    segments = list(definition.segments)
    for number in tables:
        long, wide, high = segments[number].size
        segments[number] = segments[number].model_copy(
            update={"size": (long, thin * wide, thin * high)}
        )
    return definition.model_copy(update={"segments": tuple(segments)})


def tipping(shape: Shape) -> Iterator[Advice]:
    """Strides so long that the weight comes to the edge of the feet that stand."""
    gait = shape.definition.gait
    if shape.definition.is_dynamic or not isinstance(gait, PhaseGaitDef) or any(beneath(shape)):
        return
    reach = float(shape.plan.body[0].reach)
    for number, cycle in enumerate(gait.cycles):
        edge = shape.edge(number, cycle.stride_length)
        if edge >= EDGE * reach:
            continue
        key = f"gait.faster[{number - 1}]" if number else "gait"
        text = f"in a stride the weight comes within {max(0.0, edge):.2g} m of the feet's edge"
        if edge < -0.001 * reach:
            text = f"in a stride the weight leaves its feet by {-edge:.2g} m"
        better = cycle.stride_length
        while better > 0.2 * cycle.stride_length and shape.edge(number, better) < SAFE * reach:
            better *= 0.95
        other = "set the feet farther apart (home)"
        duty = float(shape.plan.cycles[number].duty_factor)
        longer = _longer_stance(shape, number, cycle.stride_length)
        if shape.edge(number, better) < SAFE * reach and longer:
            yield Advice(f"{key}.duty_factor", duty, longer, text, other)
        elif shape.edge(number, better) < SAFE * reach:
            yield Advice(key, None, None, text, other)
        else:
            yield Advice(f"{key}.stride_length", cycle.stride_length, rounded(better), text, other)


def _longer_stance(shape: Shape, number: int, stride_length: float) -> float | None:
    """A duty factor with which fewer feet are in the air at a time; None where it does not help."""
    reach, duty = float(shape.plan.body[0].reach), float(shape.plan.cycles[number].duty_factor)
    for percent in range(1 + int(100.0 * duty), LONGEST_STANCE + 1):
        if shape.edge(number, stride_length, 0.01 * percent, FINELY) >= SAFE * reach:
            return 0.01 * percent
    return None


def _side(leg: LegPairDef) -> float:
    """1 for a leg on the left, -1 on the right."""
    return -1.0 if leg.mount[1] < 0.0 else 1.0

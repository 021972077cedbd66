"""Legs that fold no farther than their feet rest from the hip."""

from collections.abc import Iterator
from math import hypot, inf

from creature_sim.advice.advice import Advice, Value, rounded
from creature_sim.advice.shape import ROOM, Shape
from creature_sim.components import LegRecord
from creature_sim.definitions.legs import LegPairDef
from creature_sim.locomotion.reach import ankle_of

STEPS = 20
"""Places of a stride that are looked at, to either side of home."""
FARTHER = 1.05
"""Feet are set farther from their hips by this factor, until their legs need not fold so far."""


def folded(shape: Shape) -> Iterator[Advice]:
    """Strides that bring a foot nearer to its hip than its leg folds."""
    height = shape.definition.body.ride_height
    records: dict[str, LegRecord] = {}
    for (key, _), record in zip(shape.definition.named_legs(), shape.plan.legs, strict=True):
        records.setdefault(key, record)  # of a pair the left one, as it is written
    for key, leg in shape.legs:
        record = records[key]
        nearest, least = nearest_foot(shape, record, leg.home, height)
        if nearest >= least:
            continue
        text = (
            f"a stride brings the foot within {nearest:.2g} m of the hip, and the leg folds to "
            f"{least:.2g} m: it finds no room to step"
        )
        better, other = _farther(shape, record, leg), "raise body.ride_height"
        yield Advice(f"{key}.home", list(leg.home), better, text, other)


def nearest_foot(
    shape: Shape, leg: LegRecord, home: tuple[float, float], height: float
) -> tuple[float, float]:
    """How near a foot comes to its hip in a stride, and to what its leg folds [m].

    Of a foot with a sole it is the ankle, and after a bone that is level the joint behind it.

    Args:
        shape: the body plan.
        leg: the leg.
        home: where its foot rests [m].
        height: ride height [m].
    """
    x, y, _ = (float(part) for part in shape.plan.body[0].ahead)
    hx, hy, hz = ankle_of(leg, (home[0], home[1], -height))
    nearest = inf
    for step in range(-STEPS, STEPS + 1):
        way = ROOM * shape.need * step / STEPS
        level = max(0.0, hypot(hx + way * x, hy + way * y) - float(leg.coxa))
        nearest = min(nearest, hypot(level, hz))
    return nearest, float(leg.min_reach * leg.arm)


def _farther(shape: Shape, record: LegRecord, leg: LegPairDef) -> Value:
    """A place for the foot from where its leg need not fold so far; none where it would stretch."""
    height, factor = shape.definition.body.ride_height, 1.0
    for _ in range(20):
        factor *= FARTHER
        home = (
            leg.mount[0] + factor * (leg.home[0] - leg.mount[0]),
            leg.mount[1] + factor * (leg.home[1] - leg.mount[1]),
        )
        wider = leg.model_copy(update={"home": home})
        if wider.stretch(height, ROOM * shape.need) > leg.comfort * leg.reach:
            return None
        nearest, least = nearest_foot(shape, record, home, height)
        if nearest >= 1.02 * least:
            return [rounded(home[0]), rounded(home[1])]
    return None

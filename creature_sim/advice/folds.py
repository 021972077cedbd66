"""Legs that fold no farther than their feet rest from the hip, or are folded up as they rest."""

from collections.abc import Callable, Iterator
from math import hypot, inf

from creature_sim.advice.advice import Advice, Value, rounded
from creature_sim.advice.shape import GOOD_STRETCH, ROOM, Shape
from creature_sim.components import SWINGS, LegRecord
from creature_sim.definitions.legs import LegPairDef
from creature_sim.locomotion.reach import ankle_of

STEPS = 20
"""Places of a stride that are looked at, to either side of home."""
FARTHER = 1.05
"""Feet are set farther from their hips by this factor, until their legs need not fold so far."""
CROUCHED, SQRT_HALF = 0.5, 0.7071
"""Of a hip that is a ball: an ankle that rests nearer than this fraction of its bones, and is more
beside its hip than below it, with the second as the sine between."""


def folded(shape: Shape) -> Iterator[Advice]:
    """Strides that bring a foot nearer to its hip than its leg folds."""
    height, records = shape.definition.body.ride_height, _records(shape)
    for key, leg in shape.legs:
        record = records[key]
        nearest, least = nearest_foot(shape, record, leg.home, height)
        if nearest >= least:
            continue
        text = (
            f"a stride brings the foot within {nearest:.2g} m of the hip, and the leg folds to "
            f"{least:.2g} m: it finds no room to step"
        )
        better, other = _farther(shape, leg, _unfolds(shape, record)), "raise body.ride_height"
        yield Advice(f"{key}.home", list(leg.home), better, text, other)


def crouched(shape: Shape) -> Iterator[Advice]:
    """Legs below balls that rest folded up: their knees whirl, and go through the body.

    An ankle close beside its hip swings about it: each step turns the plane of its leg far.
    """
    height, records = shape.definition.body.ride_height, _records(shape)
    for key, leg in shape.legs:
        record = records[key]
        nearest, least = nearest_foot(shape, record, leg.home, height)
        ankle = ankle_of(record, (*leg.home, -height))
        rests = hypot(*ankle)
        is_beside = abs(ankle[2]) < SQRT_HALF * rests
        is_crouched = record.hip == SWINGS and rests < CROUCHED * record.arm
        if not is_crouched or not is_beside or nearest < least:
            continue
        text = (
            f"at rest the ankle is {rests:.2g} m from its hip, {100 * rests / record.arm:.0f} % of "
            "the bones between: a knee that is bent so far swings through the body, and feet find "
            "little room to step"
        )
        better = _farther(shape, leg, _rests_far(record, height))
        yield Advice(f"{key}.home", list(leg.home), better, text, "raise body.ride_height")


def _records(shape: Shape) -> dict[str, LegRecord]:
    """What the plan has of the legs as written, by their keys: of a pair the left one."""
    found: dict[str, LegRecord] = {}
    for (key, _), record in zip(shape.definition.named_legs(), shape.plan.legs, strict=True):
        found.setdefault(key, record)
    return found


def _unfolds(shape: Shape, record: LegRecord) -> Callable[[tuple[float, float]], bool]:
    """Whether a leg need not fold too far for a foot that rests at a place."""

    def is_enough(home: tuple[float, float]) -> bool:
        nearest, least = nearest_foot(shape, record, home, shape.definition.body.ride_height)
        return nearest >= 1.02 * least

    return is_enough


def _rests_far(record: LegRecord, height: float) -> Callable[[tuple[float, float]], bool]:
    """Whether an ankle rests as far from its hip as those of good walkers."""
    far = GOOD_STRETCH * record.arm
    return lambda home: hypot(*ankle_of(record, (*home, -height))) >= far


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


def _farther(
    shape: Shape, leg: LegPairDef, is_enough: Callable[[tuple[float, float]], bool]
) -> Value:
    """A place for the foot that is far enough from its hip; none where its leg would stretch."""
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
        if is_enough(home):
            return [rounded(home[0]), rounded(home[1])]
    return None

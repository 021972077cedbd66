"""What keeps a body plan from walking: legs that cannot do what its gait asks of them."""

from collections.abc import Sequence
from math import fsum, log
from typing import TYPE_CHECKING

from creature_sim.definitions.body import MAX_SEGMENTS
from creature_sim.definitions.gait import (
    MIN_SUPPORT,
    CycleDef,
    FasterDef,
    PhaseGaitDef,
    lifted_together,
)
from creature_sim.definitions.legs import MAX_STRETCH, NEAREST, LegPairDef

if TYPE_CHECKING:
    from creature_sim.definitions.creature import CreatureDef

MAX_LEGS = 40


def problems_of(plan: "CreatureDef") -> list[str]:
    """All that is wrong with a plan, a line each with its key; nothing: it is able to walk."""
    found = _segment_problems(plan) or [
        *_leg_problems(plan),
        *_gait_problems(plan),
        *_mass_problems(plan),
    ]
    if plan.climb and not found:
        found = plan.climb.problems(plan.all_legs)
    if plan.model and not found:
        found = plan.model.problems(plan.all_legs, len(plan.trunk), plan.head is not None)
    return found


def _segment_problems(plan: "CreatureDef") -> list[str]:
    """What is wrong with the counts of segments and legs, and with where legs are attached."""
    count = 1 + sum(segment.count for segment in plan.segments)
    if count > MAX_SEGMENTS:
        return [f"segments: expected at most {MAX_SEGMENTS} in all, found {count}"]
    found = [
        f"{key}.segment: expected 0 to {count - 1} (the body and segments), found {leg.segment}"
        for key, leg in _written_legs(plan)
        if leg.segment != "all" and leg.segment >= count
    ]
    pairs = sum(count if leg.segment == "all" else 1 for leg in plan.leg_pairs)
    legs = 2 * pairs + len(plan.legs)
    if not found and not 2 <= legs <= MAX_LEGS:
        key = "leg_pairs" if plan.leg_pairs or not plan.legs else "legs"
        return [f"{key}: expected 2 to {MAX_LEGS} legs of {_leg_source(plan)}, found {legs}"]
    return found


def _leg_source(plan: "CreatureDef") -> str:
    """Keys that the number of legs comes from."""
    on_all = any(leg.segment == "all" for leg in plan.leg_pairs)
    keys = ["leg_pairs on all segments" if on_all else "leg_pairs"]
    return " and ".join(keys + ["legs"] * bool(plan.legs))


def _leg_problems(plan: "CreatureDef") -> list[str]:
    height, legs = plan.body.ride_height, _written_legs(plan)
    stances = {key: leg.stance_problem(height, key) for key, leg in legs}
    standing = [leg for key, leg in legs if not stances[key]]
    if not standing and _is_ride_height_odd(plan):
        return [f"body.ride_height: {stances[legs[0][0]]}"]
    found = []
    for key, leg in legs:
        if stances[key]:
            found.append(f"{key}.{_odd_key(plan, leg, standing)}: {stances[key]}")
        else:
            found += leg.other_problems(height, key)
    return found


def _is_ride_height_odd(plan: "CreatureDef") -> bool:
    """Whether, with no leg able to stand, the ride height is more likely wrong than the legs.

    It takes every leg out of reach by itself, or is what fits the size of the body least.
    """
    height, legs = plan.body.ride_height, [leg for _, leg in _written_legs(plan)]
    too_high = all(height + leg.mount[2] > MAX_STRETCH * leg.reach for leg in legs)
    too_low = all(height + leg.mount[2] < NEAREST * leg.reach for leg in legs)
    size = max(plan.body.size)
    reach = max(leg.reach for leg in legs)
    return (too_high or too_low) and _oddness(height, size) > _oddness(reach, size)


def _odd_key(plan: "CreatureDef", leg: LegPairDef, standing: Sequence[LegPairDef]) -> str:
    """The key that is most likely wrong where a foot cannot stand."""
    size = max(max(part.size) for part in plan.trunk)
    if max(map(abs, leg.mount)) > size:
        return "mount"
    has_others_bones = any(
        len(leg.bones) == len(other.bones)
        and all(0.8 < a / b < 1.25 for a, b in zip(leg.bones, other.bones, strict=True))
        for other in standing
    )
    is_home_odd = _oddness(max(map(abs, leg.home)), size) > 0.5 + _oddness(leg.reach, size)
    return "home" if has_others_bones or is_home_odd else "bones"


def _mass_problems(plan: "CreatureDef") -> list[str]:
    """Whether parts weigh as much as the whole creature: the body itself weighs something."""
    masses = [segment.mass for segment in plan.trunk[1:]]
    masses += [leg.mass for leg in plan.all_legs]
    masses += [plan.head.mass] if plan.head else []
    total = fsum(mass for mass in masses if mass is not None)
    if total < plan.body.mass:
        return []
    return [
        f"body.mass: expected more than the masses of segments, head and legs, {total:g}, for "
        f"it is that of the whole creature, found {plan.body.mass:g}"
    ]


def _gait_problems(plan: "CreatureDef") -> list[str]:
    if isinstance(plan.gait, PhaseGaitDef):
        return _cycle_problems(plan, plan.gait)
    return _stride_problem(plan, "gait.trigger_distance", plan.gait.trigger_distance, 1.0)


def _stride_problem(plan: "CreatureDef", key: str, value: float, fraction: float) -> list[str]:
    """Whether the body, moving by a fraction of `value` [m], takes a foot out of reach."""
    height = plan.body.ride_height
    for leg_key, leg in _written_legs(plan):
        stretch = leg.stretch(height, fraction * value)
        if leg.stretch(height) <= MAX_STRETCH * leg.reach < stretch:
            return [
                f"{key}: expected feet that stay within {100 * MAX_STRETCH:.0f} % of "
                f"their leg's reach, found {value:g}, which takes the foot of {leg_key} "
                f"{stretch:.3f} m from the hip of a leg that reaches {leg.reach:.3f} m "
                f"(home, mount, bones; body.ride_height {height:g})"
            ]
    return []


def _cycle_problems(plan: "CreatureDef", gait: PhaseGaitDef) -> list[str]:
    """What is wrong with the cycles of a phase gait."""
    slower, slower_key = 0.0, ""
    for number, cycle in enumerate(gait.cycles):
        key = f"gait.faster[{number - 1}]" if number else "gait"
        problem = cycle.problem(len(plan.all_legs), key, _leg_source(plan))
        if problem:
            return [problem]
        if isinstance(cycle, FasterDef):
            if cycle.froude <= slower:
                return [
                    f"{key}.froude: expected more than {slower:g} of {slower_key}, "
                    f"found {cycle.froude:g}"
                ]
            slower, slower_key = cycle.froude, key
        offsets, duty = plan.cycle(number)
        found = _stride_problem(plan, f"{key}.stride_length", cycle.stride_length, 0.5 * duty)
        if not found and cycle.pattern is None:
            found = _balance_problem(plan, offsets, duty, key)
        if not found and number == 0 and plan.flies(number):
            found = [_flight_problem(cycle)]
        if found:
            return found
    return []


def _flight_problem(cycle: CycleDef) -> str:
    """That the cycle which a creature walks with is a run."""
    key, value = "gait.offsets", "these"
    if cycle.pattern is not None:
        is_own = cycle.duty_factor is None
        key = "gait.pattern" if is_own else "gait.duty_factor"
        value = repr(cycle.pattern) if is_own else f"{cycle.duty_factor:g}"
    return (
        f"{key}: expected a foot on the ground at all times, as it walks with this cycle, found "
        f"{value}: all feet are in the air at times (a run is a cycle of gait.faster)"
    )


def _balance_problem(
    plan: "CreatureDef", offsets: tuple[float, ...], duty: float, key: str
) -> list[str]:
    """Whether offsets lift both legs of a pair while too few others stand to balance."""
    named = plan.named_legs()
    if len(named) < 4:
        return []
    for lifted in lifted_together(offsets, duty):
        pairs = [named[index][1].pair for index in lifted]
        both = [index for index in lifted if pairs.count(named[index][1].pair) > 1]
        if both and len(named) - len(lifted) < MIN_SUPPORT:
            legs = [named[index] for index in both]
            names = " and ".join(f"{leg.side} {leg.pair + 1}" for _, leg in legs[:2])
            keys = ", ".join(dict.fromkeys(written for written, _ in legs[:2]))
            return [
                f"{key}.offsets: expected three feet on the ground while both legs of a pair "
                f"are in the air, found {len(named) - len(lifted)} while {names} ({keys}) are"
            ]
    return []


def _written_legs(plan: "CreatureDef") -> list[tuple[str, LegPairDef]]:
    """The legs as they stand in the file (the left one of a pair), with their key paths."""
    named: list[tuple[str, LegPairDef]] = [
        (f"leg_pairs[{i}]", leg) for i, leg in enumerate(plan.leg_pairs)
    ]
    return [*named, *((f"legs[{i}]", leg) for i, leg in enumerate(plan.legs))]


def _oddness(length: float, size: float) -> float:
    """How far a length is from a size, however they are scaled."""
    return abs(log(max(length, 1e-9) / size))

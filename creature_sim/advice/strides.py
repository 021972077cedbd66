"""Shorter strides, as advice."""

from typing import NamedTuple

from creature_sim.advice.advice import rounded_down
from creature_sim.advice.shape import Shape
from creature_sim.definitions import PhaseGaitDef


class Shorter(NamedTuple):
    """A key of the gait with a smaller value."""

    key: str
    found: float
    better: float


def shorter_strides(shape: Shape, part: float) -> list[Shorter]:
    """What to lower so that no foot goes farther from home than so much of its farthest now.

    Args:
        shape: the body plan.
        part: how far feet shall go, over how far they do: below 1.
    """
    gait = shape.definition.gait
    if not isinstance(gait, PhaseGaitDef):
        better = rounded_down(part * gait.trigger_distance)
        return [Shorter("gait.trigger_distance", gait.trigger_distance, better)]
    found = []
    for number, cycle in enumerate(gait.cycles):
        longest = part * 2.0 * shape.need / float(shape.plan.cycles[number].duty_factor)
        if cycle.stride_length > longest:
            key = f"gait.faster[{number - 1}]" if number else "gait"
            better = rounded_down(longest)
            found.append(Shorter(f"{key}.stride_length", cycle.stride_length, better))
    return found

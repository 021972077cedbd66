"""What a body plan tells of how well it climbs."""

from collections.abc import Iterator
from math import ceil

from creature_sim.advice.advice import Advice
from creature_sim.advice.shape import Shape
from creature_sim.definitions import PhaseGaitDef
from creature_sim.locomotion.prediction import FEW


def hanging(shape: Shape) -> Iterator[Advice]:
    """Feet of who climbs that hold less than its weight while others step."""
    definition, climb = shape.definition, shape.definition.climb
    if climb is None or not climb.weight_keeps:
        return
    count = len(definition.all_legs)
    steps = isinstance(definition.gait, PhaseGaitDef) and count > FEW
    standing = count - 2 if steps else max(1, count // 2)
    if standing * climb.grip < climb.pull:
        yield Advice(
            "climb.grip",
            climb.grip,
            ceil(100.0 * climb.pull / standing) / 100.0,
            f"while others step, {standing} of {count} feet hold {standing * climb.grip:.2g} times "
            "its weight where it is steepest, so it falls",
        )

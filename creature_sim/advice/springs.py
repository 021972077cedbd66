"""Springs that are too soft for the body on them."""

from collections.abc import Iterator
from math import sqrt, tau

from creature_sim.advice.advice import Advice, rounded
from creature_sim.advice.shape import Shape
from creature_sim.components import GRAVITY

SOFT = 0.4
"""Below this fraction of the root of g over its ride height bodies tilt as they set out, turn and
stop: the eight built-in ones by 3 to 25 degrees..."""
SOFTER = 0.2
"""...and below this one by 8 to 70."""
MOST, LESS = 0.15, 0.12
"""Of its ride height, up and down: M12 fails soon beyond the first; and what is good."""


def soft(shape: Shape) -> Iterator[Advice]:
    """Legs so soft that the body tilts on them."""
    usual, motion = sqrt(GRAVITY / shape.definition.body.ride_height), shape.definition.motion
    swings = float(shape.plan.body[0].frequency)
    if motion.frequency is None or motion.weight == 0.0 or swings >= SOFT * usual:
        return
    tilt = "8 to 70" if swings < SOFTER * usual else "3 to 25"
    loaded = " with its load" if motion.load else ""
    text = (
        f"on its legs it oscillates {swings:.2g} times a second{loaded}, {swings / usual:.2g} of "
        f"the root of g over its ride height: bodies on such soft springs tilt by {tilt} degrees "
        "as they set out, turn and stop"
    )
    yield Advice("motion.frequency", motion.frequency, rounded(usual), text)


def nodding(shape: Shape) -> Iterator[Advice]:
    """A trunk so long, soft and laden that its head rises and falls far.

    Its whole trunk pitches, by weight g / reach over the square of the springs' rate: measured on
    centipedes and millipedes of 5 to 29 segments, within a quarter.
    """
    definition, motion, plan = shape.definition, shape.definition.motion, shape.plan.body[0]
    legged = set(shape.plan.legs["segment"].tolist())
    if len(legged) < 2 or any(soft(shape)):
        return
    length = sum(definition.trunk[segment].size[0] for segment in legged)
    swings = float(plan.frequency)
    pitch = motion.weight * GRAVITY / float(plan.reach) / (tau * swings) ** 2
    nods = 0.5 * length * pitch / definition.body.ride_height
    if nods <= MOST:
        return
    loaded = " with its load" if motion.load else ""
    text = (
        f"as it goes, its head rises and falls by about {100 * nods:.0f} % of its ride height: its "
        f"trunk is {length:.2g} m long, on springs of {swings:.2g} oscillations a second{loaded}"
    )
    stiffer = rounded(motion.weight * LESS / nods)
    other = f"lower motion.weight to {stiffer:g}"
    lighter = (1.0 + motion.load) * LESS / nods - 1.0
    if motion.load and lighter > 0.0:
        yield Advice("motion.load", motion.load, rounded(lighter), text, other)
    elif motion.frequency is not None:
        faster = rounded(motion.frequency * sqrt(nods / LESS))
        yield Advice("motion.frequency", motion.frequency, faster, text, other)
    else:
        yield Advice("motion.weight", motion.weight, stiffer, text)

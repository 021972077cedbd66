"""Causes of poor legs: what a run shows of bones and feet, and the key that explains it."""

from collections.abc import Iterator

import numpy as np

from creature_sim.advice.advice import Advice, rounded
from creature_sim.advice.causes import SELDOM, hindered
from creature_sim.advice.limits import limited
from creature_sim.advice.meeting import meeting
from creature_sim.advice.plans import GOOD_STEP, HIGH_STEP
from creature_sim.advice.shape import Shape
from creature_sim.advice.strides import shorter_strides
from creature_sim.definitions.legs import HIP, TIP
from creature_sim.score import Walk
from creature_sim.score.motion import foot_peaks
from creature_sim.score.overlap import UNSEEN, body_depths, leg_depths

THICK = 1.5
"""Bones are thick from so many times the usual thickness on."""
FASTEST = 1.6
"""Speed of feet over sqrt(g L) that M24 calls excellent."""


def thick(walk: Walk) -> Iterator[Advice]:
    """Bones that are written thicker than such legs usually are."""
    for key, leg in Shape(walk.track.definition).legs:
        usual = [rounded(leg.reach * (HIP + TIP)) for _ in leg.bones]
        if leg.thickness and max(leg.thickness) > THICK * usual[0]:
            text = (
                f"the bones are {max(leg.thickness):.2g} m thick, "
                f"{max(leg.thickness) / leg.reach:.2g} of the reach"
            )
            yield Advice(f"{key}.thickness", list(leg.thickness), usual, text)


def crossing(walk: Walk) -> Iterator[Advice]:
    """Upright legs whose knees meet in every stride."""
    yield from meeting(Shape(walk.track.definition))


def crowded(walk: Walk) -> Iterator[Advice]:
    """Feet that rest so near to each other that strides bring their legs together."""
    deep = np.maximum(leg_depths(walk.track), body_depths(walk.track)) > UNSEEN
    shape = Shape(walk.track.definition)
    homes, sides = shape.plan.legs["home"], shape.plan.legs["side"]
    near = [
        float(np.hypot(*(homes[i] - homes[j])[:2]))
        for i in range(len(homes))
        for j in range(i)
        if sides[i] == sides[j] and shape.plan.legs[i].segment == shape.plan.legs[j].segment
    ]
    if deep.mean() < 0.1 * SELDOM or not near or min(near) > 2.0 * shape.need:
        return
    text = (
        f"feet rest {min(near):.2g} m from each other, and a stride takes each {shape.need:.2g} m "
        f"from there; legs were in each other or in the body {100 * deep.mean():.1f} % of the time"
    )
    for key, found, better in shorter_strides(shape, 0.45 * min(near) / shape.need):
        yield Advice(key, found, better, text, "move home of the leg pairs apart")


def kicking(walk: Walk) -> Iterator[Advice]:
    """Feet that rise so high that they have to hurry."""
    step, reach = walk.track.definition.gait.step_height, float(walk.track.reach.mean())
    if step > HIGH_STEP * reach:
        text = f"feet rise by {step:.2g} m, {step / reach:.2g} of a reach of {reach:.2g} m"
        yield Advice("gait.step_height", step, rounded(GOOD_STEP * reach), text)


def hasty(walk: Walk) -> Iterator[Advice]:
    """Feet that have to fly faster than legs of their length do, on ground that asks none of it."""
    found = foot_peaks(walk)
    motion = walk.track.definition.motion
    if found.value and found.value > FASTEST and not list(hindered(walk)):
        text = f"feet fly at {found.value:.2g} sqrt(g L), which lets the body go too fast"
        better = rounded(motion.speed * FASTEST / found.value)
        yield Advice("motion.speed", motion.speed, better, text)


def forbidden(walk: Walk) -> Iterator[Advice]:
    """Joints that forbid what the gait and the body ask of them."""
    yield from limited(Shape(walk.track.definition))

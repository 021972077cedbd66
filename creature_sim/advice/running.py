"""What keeps a creature that has a speed to run at from running."""

from collections.abc import Iterator
from math import sqrt

import numpy as np

from creature_sim.advice.advice import Advice, rounded
from creature_sim.advice.shape import Shape
from creature_sim.components import GRAVITY
from creature_sim.definitions import PhaseGaitDef
from creature_sim.locomotion.running import LONGEST
from creature_sim.locomotion.swing import LATENCY, SHORTEST_SWING
from creature_sim.locomotion.timing import shortest_swing

KEPT_BY_TWO, KEPT = 1.3, 0.55
"""Froude numbers up to which the built-in runners on two legs and on more never fall out of it."""
HURRIED = 1.2
"""Swings that are this much too slow for a run still end in time: feet hurry."""
APART = 0.4
"""Feet of two that lift nearer to each other than this fraction of a cycle hop."""
PHASES = 400
"""Phases of a cycle that are looked at."""


def running(shape: Shape) -> Iterator[Advice]:
    """A run that never begins, or that is lost again and again."""
    speed = shape.definition.motion.run_speed
    if speed is None:
        return
    why = no_run(shape)
    if why:
        text = f"it never runs: {why}"
        yield Advice("motion.run_speed", speed, None, text, "leave motion.run_speed out")
        return
    hops = list(hopping(shape))
    yield from hops
    if not hops:
        yield from floating(shape, speed)
        yield from outrun(shape, speed)


def no_run(shape: Shape) -> str:
    """Why a creature with a speed to run at cannot; empty where it can."""
    definition = shape.definition
    if definition.can_run:
        return ""
    if len(definition.trunk) > 1:
        return f"its trunk has {len(definition.trunk)} segments, and those that run have one"
    if not isinstance(definition.gait, PhaseGaitDef):
        return f"a {definition.gait.kind} gait has no cycle with a flight"
    return "no cycle of its gait (gait.faster) lifts all feet at once"


def hopping(shape: Shape) -> Iterator[Advice]:
    """Two legs that lift together: the body is not thrown as one on one leg after the other is."""
    for number in _flying(shape):
        first, *others = shape.plan.offsets[number].tolist()
        apart = abs((others[0] - first + 0.5) % 1.0 - 0.5) if len(others) == 1 else 0.5
        if apart < APART:
            how = f"{apart:.2g} of a cycle apart" if apart else "together"
            text = (
                f"two feet that lift {how} hop, and bodies are thrown from one leg to the other "
                "only: it goes with both feet in the air, or falls out of its run again and again"
            )
            yield Advice(f"{_name(number)}.offsets", [first, others[0]], [0.0, 0.5], text)


def floating(shape: Shape, speed: float) -> Iterator[Advice]:
    """Flights that last longer than a body is thrown: it would hang in the air."""
    reach = float(shape.plan.body[0].reach)
    froude = speed * speed / (GRAVITY * reach)
    flying = _flying(shape)
    used = [number for number in flying if shape.plan.cycles[number].froude <= froude]
    if not used:
        slowest = min(float(shape.plan.cycles[number].froude) for number in flying)
        begins = sqrt(slowest * GRAVITY * reach)
        text = (
            f"its first cycle with a flight begins at {begins:.2g} m/s (Froude number {slowest:g})"
        )
        yield Advice("motion.run_speed", speed, rounded(1.1 * begins), text)
        return
    number, longest = used[-1], LONGEST * sqrt(reach / GRAVITY)
    stride = float(shape.plan.cycles[number].stride_length)
    lasts = _flight(shape, number) * stride / speed
    if lasts > longest:
        text = (
            f"at {speed:g} m/s a flight of this cycle would last {lasts:.2g} s, and such legs "
            f"throw a body for {longest:.2g} s at most: it goes with all feet in the air instead"
        )
        better = rounded(0.9 * stride * longest / lasts)
        yield Advice(f"{_name(number)}.stride_length", stride, better, text)


def outrun(shape: Shape, speed: float) -> Iterator[Advice]:
    """A speed at which runners fall out of their run and into it again."""
    plan = shape.plan.body[0]
    kept = KEPT_BY_TWO if len(shape.plan.legs) == 2 else KEPT
    unit = GRAVITY * float(plan.reach)
    fastest, carried = sqrt(kept * unit), 0.0
    for number in _flying(shape):
        cycle = shape.plan.cycles[number]
        duty, stride = float(cycle.duty_factor), float(cycle.stride_length)
        swing = float(shortest_swing(plan, duty * stride, float(plan.step_height))) + LATENCY
        carried = max(carried, (1.0 - duty) * stride / max(SHORTEST_SWING, swing))
    if speed > fastest:
        text = (
            f"it would run at a Froude number of {speed * speed / unit:.2g}; up to {kept:g}, "
            f"{fastest:.2g} m/s, runners with as many legs keep their run: beyond, they "
            "fall out of it and into it again"
        )
        yield Advice("motion.run_speed", speed, _down(min(fastest, carried)), text)
    elif speed > HURRIED * carried:
        text = (
            f"its feet swing in time up to {carried:.2g} m/s: beyond, it falls out of its run and "
            "into it again"
        )
        other = "raise the strides of the cycles with a flight"
        yield Advice("motion.run_speed", speed, _down(carried), text, other)


def _flying(shape: Shape) -> list[int]:
    """Cycles with a flight."""
    return np.flatnonzero(shape.plan.cycles["flies"] == 1).tolist()


def _flight(shape: Shape, number: int) -> float:
    """The longest time in a cycle in which no foot stands [cycles]."""
    duty, offsets = shape.plan.cycles[number].duty_factor, shape.plan.offsets[number]
    phases = np.arange(2 * PHASES) / PHASES  # twice: a flight may go on over its end
    is_up = ((phases[:, None] + offsets) % 1.0 >= duty).all(axis=1)
    longest = run = 0
    for flies in is_up.tolist():
        run = run + 1 if flies else 0
        longest = max(longest, run)
    return longest / PHASES


def _name(number: int) -> str:
    """The key of a cycle."""
    return f"gait.faster[{number - 1}]" if number else "gait"


def _down(value: float) -> float:
    """A speed with two digits, no higher than it is."""
    return rounded(0.97 * value)

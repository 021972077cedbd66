"""What took a creature its speed, in words, with the keys that mend it."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from creature_sim.advice.advice import Advice, rounded
from creature_sim.advice.causes import STEEP
from creature_sim.advice.crowding import crowding
from creature_sim.advice.footing import beneath, tipping
from creature_sim.advice.plans import hasty, hindered, stepping, stretched
from creature_sim.advice.shape import Shape
from creature_sim.advice.sizes import size_advice
from creature_sim.definitions import CreatureDef
from creature_sim.maths import Floats

TELLING = 0.15
"""Causes of a smaller fraction of the loss are not told."""
SCARCE = 0.05
"""Footholds are scarce where more than this fraction of searches finds none."""
CAUSES = (
    *("gait", "led", "lost", "held", "met", "searching", "waiting"),
    *("stretched", "unbalanced", "starting"),
)


@dataclass(frozen=True)
class Slowness:
    """A creature, or several of one body plan, that went slower than asked.

    Attributes:
        creature: name of the body plan.
        asked: mean speed at which it was to walk [m/s].
        walked: mean speed in that direction [m/s].
        reasons: the weightiest first.
    """

    creature: str
    asked: float
    walked: float
    reasons: list[str]

    def __str__(self) -> str:
        """As one line."""
        speeds = f"asked {self.asked:.2f} m/s, walked {self.walked:.2f} m/s"
        return f"{self.creature}: {speeds}: {'; '.join(self.reasons)}"

    def document(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "creature": self.creature,
            "asked": round(self.asked, 4),
            "walked": round(self.walked, 4),
            "reasons": self.reasons,
            "text": str(self),
        }


@dataclass
class Losses:
    """What was seen of a body plan while it was asked to walk.

    Attributes:
        definition: the plan.
        looks: how many times a creature was looked at.
        asked: sum of speeds [m/s].
        walked: sum of speeds [m/s].
        loss: sum of the speed that each of CAUSES took [m/s].
        times: how many looks showed each of CAUSES.
        tries: searches of standing feet for a foothold.
        misses: those that found none.
        steep: those that found ground too steep to stand on.
        slope: sum of the angles to the level of what feet stand on [rad].
    """

    definition: CreatureDef
    looks: int = 0
    asked: float = 0.0
    walked: float = 0.0
    loss: Floats = field(default_factory=lambda: np.zeros(len(CAUSES)))
    times: Floats = field(default_factory=lambda: np.zeros(len(CAUSES)))
    tries: int = 0
    misses: int = 0
    steep: int = 0
    slope: float = 0.0


def reasons_of(losses: Losses) -> list[str]:
    """What took the speed, the weightiest first."""
    sizes = [str(advice) for advice in size_advice(losses.definition)]
    if sizes:
        return sizes
    shape, total = Shape(losses.definition), max(float(losses.loss.sum()), 1e-9)
    found = [
        _told(CAUSES[index], losses, shape, losses.times[index] / losses.looks)
        for index in np.argsort(-losses.loss).tolist()
        if losses.loss[index] > TELLING * total
    ]
    told = [text for text in found if text]
    return told or [f"it had to brake and to start again and again{_where(losses)}"]


def _told(cause: str, losses: Losses, shape: Shape, fraction: float) -> str:
    """A cause in words, with the key that mends it; empty where there is nothing to tell."""
    often = f"{100 * fraction:.0f} % of the time"
    where = _where(losses)
    if cause == "gait":
        text = f"the gait carries no more in such curves and at such a height ({often})"
        return _with((*hindered(shape), *hasty(shape)), text)
    if cause == "led":
        return f"events led its feet elsewhere {often}"
    if cause == "lost":
        return f"legs were lost {often}"
    if cause == "held":
        return f"a wall or the border stopped it {often}{where}"
    if cause == "met":
        return f"another creature was in its way {often}"
    if cause == "searching":
        text = f"a foot that had to step found no foothold {often}{_steep(losses)}{where}"
        return _with(crowding(shape), text, text)
    if cause == "waiting":
        text = f"it waited {often} for feet that had to step high: they go no faster{where}"
        return "; ".join(
            part for part in (_with(stepping(shape), text, text), _start(losses)) if part
        )
    if cause == "stretched":
        text = f"legs were stretched beyond their comfort {often}{where}"
        if losses.misses > SCARCE * losses.tries:
            misses = f"{100 * losses.misses / losses.tries:.0f} % of searches found no foothold"
            return f"{text}; {misses}{_steep(losses)}"
        if shape.is_tall:
            text += (
                f": they are at {100 * shape.stretch:.0f} % of their reach at rest: lower "
                f"body.ride_height from {losses.definition.body.ride_height:g} to {shape.lower():g}"
            )
        return _with(stretched(shape), text)
    if cause == "unbalanced":
        text = f"it braked as its weight was near the edge of its feet {often}"
        return _with((*beneath(shape), *tipping(shape)), text, text)
    return _start(losses)


def _where(losses: Losses) -> str:
    """How steep what feet stood on was, where that is worth a word."""
    slope = np.degrees(losses.slope / losses.looks)
    return f", on slopes of {slope:.0f} degrees" if slope > STEEP else ""


def _start(losses: Losses) -> str:
    """What mends a slow start; empty where a body starts soon."""
    motion = losses.definition.motion
    if motion.speed <= 0.9 * motion.acceleration:
        return ""
    return (
        f"it takes {motion.speed / motion.acceleration:.1f} s to speed up: raise "
        f"motion.acceleration from {motion.acceleration:g} to {rounded(2 * motion.speed):g}"
    )


def _steep(losses: Losses) -> str:
    """Of the searches that found no foothold, how many found ground that is too steep."""
    if not losses.steep:
        return ""
    return f" ({100 * losses.steep / losses.misses:.0f} % of searches in vain met too steep ground)"


def _with(found: Iterable[Advice], text: str, seen: str = "") -> str:
    """The first advice, after what was seen; a text where there is none."""
    for advice in found:
        return f"{seen}; {advice}" if seen else str(advice)
    return text

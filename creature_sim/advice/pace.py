"""Why a creature was slower than it was asked to be."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from creature_sim.advice.plans import GOOD_STRETCH, Shape, beneath, hasty, stretched
from creature_sim.components import NOT_FOUND, NOT_SOUGHT, STANDING
from creature_sim.definitions import CreatureDef
from creature_sim.inputs import FULL, Input
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.score.track import Flags, is_searching, wanted_of
from creature_sim.snapshots.snapshot import HerdState, Snapshot

SLOW = 0.9
"""Who walks at less than this fraction of what was asked for is slow."""
TELLING = 0.15
"""Causes of a smaller fraction of the loss are not told."""
LOOKS = 10
"""The run is looked at so many times a second."""
CAUSES = ("gait", "lost", "held", "searching", "stretched", "starting", "balance")


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
        }


@dataclass
class _Sums:
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


class Pace:
    """A sink that compares how fast creatures walk with what they are asked for."""

    def __init__(self, tick_rate: int) -> None:
        """Begin before the first tick."""
        self._rate = tick_rate
        self._every = max(1, tick_rate // LOOKS)
        self._sums: dict[str, _Sums] = {}

    def write(self, given: Input, snapshot: Snapshot) -> None:
        """Take a tick; the first second is for starting."""
        del given
        if snapshot.tick < self._rate or snapshot.tick % self._every:
            return
        for herd in snapshot.herds:
            if len(herd.members):
                name = herd.definition.name
                _look(herd, self._sums.setdefault(name, _Sums(herd.definition)))

    def slow(self) -> list[Slowness]:
        """Who was slower than asked, and why; empty where nobody was."""
        return [
            Slowness(name, sums.asked / sums.looks, sums.walked / sums.looks, _reasons(sums))
            for name, sums in self._sums.items()
            if sums.looks and sums.walked < SLOW * sums.asked
        ]


def _look(herd: HerdState, sums: _Sums) -> None:
    """Add up what a herd's creatures do in a tick."""
    plan, parts = herd.plan, herd.parts
    numbers = plan.body[0]
    sums.definition = herd.definition
    command, body, gait = (parts[name]["records"] for name in ("command", "body", "gait"))
    feet, footholds = parts["foot_target"]["records"], parts["foothold"]["records"]
    axes = np.stack([command[name] for name in ("forward", "turn", "strafe", "height")], axis=1)
    ahead, aside = axes[:, 0] / FULL * numbers.speed, axes[:, 2] / FULL * numbers.strafe_speed
    asked = np.hypot(ahead, aside)
    is_asked = asked > 0.05 * numbers.speed
    if not is_asked.any():
        return
    wanted = wanted_of(plan, axes)[:, :2]
    carried = np.minimum(np.linalg.norm(wanted, axis=1), asked)
    along = wanted / np.maximum(carried, 1e-9)[:, None]
    walked = np.clip((body["velocity"][:, 0, :2] * along).sum(axis=1), 0.0, asked)
    missing = np.maximum(carried - walked, 0.0)
    shown = [asked - carried > 0.02 * asked, *_causes(herd, feet, footholds, gait)]
    for index, is_shown in enumerate(shown):
        lost = np.where(is_shown & is_asked, missing if index else asked - carried, 0.0)
        sums.loss[index] += lost.sum()
        sums.times[index] += (is_shown & is_asked).sum()
        if index:
            missing = missing - lost
    sums.looks += int(is_asked.sum())
    sums.asked += float(asked[is_asked].sum())
    sums.walked += float(walked[is_asked].sum())
    _count_searches(herd, feet[is_asked], footholds[is_asked], is_asked, sums)


def _causes(herd: HerdState, feet: Any, footholds: Any, gait: Any) -> list[Flags]:
    """Whether each of CAUSES, but for the gait, shows in each creature (N,)."""
    plan = herd.plan
    joints = herd.parts["leg_chain"]["joints"]
    stretch = np.linalg.norm(joints[:, :, -1] - joints[:, :, 0], axis=2) / plan.legs["reach"]
    is_far = (stretch > plan.legs["soft_reach"]) & (feet["phase"] == STANDING)
    pull = np.linalg.norm(gait["acceleration"][:, :2], axis=1)
    return [
        gait["lost_count"] > 0,
        gait["is_held"] == 1,
        is_searching(feet, footholds).any(axis=1),
        is_far.any(axis=1),
        pull > 0.5 * plan.body[0].acceleration,
        np.full(len(gait), bool(plan.body[0].is_stable)),
    ]


def _count_searches(
    herd: HerdState, feet: Any, footholds: Any, is_asked: Flags, sums: _Sums
) -> None:
    """Count the searches of standing feet (N, L) for a foothold, and how they ended."""
    tries = (feet["phase"] == STANDING) & (footholds["status"] != NOT_SOUGHT)
    misses = tries & (footholds["status"] == NOT_FOUND)
    sums.tries += int(tries.sum())
    sums.misses += int(misses.sum())
    if not misses.any():
        return
    bodies = herd.parts["body"]["records"][is_asked]
    count = bodies.shape[1]
    hits = herd.parts["sensed"]["records"][is_asked][:, count : count + tries.shape[1]]
    ups = rotation_matrices(bodies["orientation"])[..., 2][:, herd.plan.legs["segment"]]
    is_steep = (hits["is_hit"] == 1) & ((hits["normal"] * ups).sum(axis=-1) < STEEPEST)
    sums.steep += int((misses & is_steep).sum())


def _reasons(sums: _Sums) -> list[str]:
    """What took the speed, the weightiest first."""
    shape = Shape(sums.definition)
    total = max(float(sums.loss.sum()), 1e-9)
    return [
        _told(CAUSES[index], sums, shape, f"{100 * sums.times[index] / sums.looks:.0f} % of the time")
        for index in np.argsort(-sums.loss).tolist()
        if sums.loss[index] > TELLING * total
    ]


def _told(cause: str, sums: _Sums, shape: Shape, often: str) -> str:
    """A cause in words, with the key that mends it."""
    if cause == "gait":
        for advice in hasty(shape):
            return str(advice)
        return f"the gait carries no more in such curves and at such a height ({often})"
    if cause == "lost":
        return "legs are lost"
    if cause == "held":
        return f"a wall or the border stopped it {often}"
    if cause == "searching":
        text = f"feet found no foothold on {100 * sums.misses / max(1, sums.tries):.0f} % of tries"
        if sums.steep:
            text += f", {100 * sums.steep / sums.misses:.0f} % of them as the ground is too steep"
        return text
    if cause == "stretched":
        text = f"legs were stretched beyond their comfort {often}"
        for advice in stretched(shape):
            return f"{text}: {advice}"
        if shape.stretch > 1.05 * GOOD_STRETCH:
            height = sums.definition.body.ride_height
            return (
                f"{text}: they are at {100 * shape.stretch:.0f} % of their reach at rest: "
                f"lower body.ride_height from {height:g} to {shape.lower():g}"
            )
        return f"{text}, on ground that rises and falls"
    if cause == "starting":
        return f"it was still speeding up {often}, with motion.acceleration"
    for advice in beneath(shape):
        return f"its weight was near the edge of its feet: {advice}"
    return "its weight was near the edge of its feet"

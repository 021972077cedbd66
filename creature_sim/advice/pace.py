"""Why a creature was slower than it was asked to be."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from creature_sim.advice.advice import Advice, rounded
from creature_sim.advice.causes import STEEP
from creature_sim.advice.crowding import crowding
from creature_sim.advice.plans import beneath, hasty, hindered, stepping, stretched, tipping
from creature_sim.advice.shape import Shape
from creature_sim.advice.sizes import size_advice
from creature_sim.components import (
    HELD_BY_GROUND,
    HELD_BY_OTHER,
    LED,
    NOT_FOUND,
    NOT_SOUGHT,
    STANDING,
    BodyRecord,
    CommandRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    Records,
    RecordTable,
)
from creature_sim.definitions import CreatureDef
from creature_sim.inputs import FULL, Input
from creature_sim.locomotion.balance import BRAKING
from creature_sim.locomotion.gravity import ups_at
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import Floats
from creature_sim.maths.geometry import hull_margin, rotation_matrices, tangents
from creature_sim.score.rows import centres_of
from creature_sim.score.track import Flags, is_searching, stretch_of, wanted_of
from creature_sim.snapshots.snapshot import HerdState, Snapshot

SLOW = 0.95
"""Who walks at less than this fraction of what was asked for is slow."""
TELLING = 0.15
"""Causes of a smaller fraction of the loss are not told."""
SCARCE = 0.05
"""Footholds are scarce where more than this fraction of searches finds none."""
LOOKS = 10
"""The run is looked at so many times a second..."""
LOOKED_AT = 20
"""...and of a larger herd so many creatures."""
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
                _look(herd, snapshot.gravity, self._sums.setdefault(name, _Sums(herd.definition)))

    def slow(self) -> list[Slowness]:
        """Who was slower than asked, and why; empty where nobody was."""
        return [
            Slowness(name, sums.asked / sums.looks, sums.walked / sums.looks, _reasons(sums))
            for name, sums in self._sums.items()
            if sums.looks and sums.walked < SLOW * sums.asked
        ]


def _look(herd: HerdState, gravity: Records[GravityRecord], sums: _Sums) -> None:
    """Add up what a herd's creatures do in a tick, in a field of gravity (1,)."""
    plan, parts = herd.plan, herd.parts
    numbers = plan.body[0]
    sums.definition = herd.definition
    command: Records[CommandRecord] = parts["command"].of("records")[:LOOKED_AT]
    body: RecordTable[BodyRecord] = parts["body"].of("records")[:LOOKED_AT]
    feet: RecordTable[FootRecord] = parts["foot_target"].of("records")[:LOOKED_AT]
    footholds: RecordTable[FootholdRecord] = parts["foothold"].of("records")[:LOOKED_AT]
    axes = np.stack([command[name] for name in ("forward", "turn", "strafe", "height")], axis=1)
    ahead, aside = axes[:, 0] / FULL * numbers.speed, axes[:, 2] / FULL * numbers.strafe_speed
    asked = np.hypot(ahead, aside)
    is_asked = (asked > 0.05 * numbers.speed) & (axes[:, 0] <= FULL)  # who runs does not walk
    if not is_asked.any():
        return
    wanted = wanted_of(plan, axes)[:, :2]
    carried = np.minimum(np.linalg.norm(wanted, axis=1), asked)
    along = wanted / np.maximum(carried, 1e-9)[:, None]
    walked = np.clip((body["velocity"][:, 0, :2] * along).sum(axis=1), 0.0, asked)
    missing = np.maximum(carried - walked, 0.0)
    shown = [
        asked - carried > 0.02 * asked,
        *_causes(herd, gravity, feet, footholds),
    ]
    for index, is_shown in enumerate(shown):
        lost = np.where(is_shown & is_asked, missing if index else asked - carried, 0.0)
        sums.loss[index] += lost.sum()
        sums.times[index] += (is_shown & is_asked).sum()
        if index:
            missing = missing - lost
    sums.looks += int(is_asked.sum())
    sums.asked += float(asked[is_asked].sum())
    sums.walked += float(walked[is_asked].sum())
    ups = ups_at(gravity[0], body["position"][:, 0])
    tilts = (feet["goal_normal"] * ups[:, None]).sum(axis=-1)
    slopes = np.arccos(np.clip(tilts, -1.0, 1.0)).mean(axis=1)
    sums.slope += float(slopes[is_asked].sum())
    _count_searches(herd, is_asked, sums)


def _causes(
    herd: HerdState,
    gravity: Records[GravityRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
) -> list[Flags]:
    """Whether each of CAUSES, but for the gait, shows in each creature (N,)."""
    plan = herd.plan
    gait: Records[GaitRecord] = herd.parts["gait"].of("records")[:LOOKED_AT]
    stretch = stretch_of(plan, herd.parts["leg_chain"]["joints"][:LOOKED_AT])
    is_far = (stretch > plan.legs["soft_reach"]) & (feet["phase"] == STANDING)
    led_count = (herd.parts["leg_target"]["records"][:LOOKED_AT]["is_led"] == LED).sum(axis=1)
    return [
        led_count > 0,
        gait["lost_count"] > led_count,
        gait["is_held"] == HELD_BY_GROUND,
        gait["is_held"] == HELD_BY_OTHER,
        is_searching(feet, footholds).any(axis=1),
        gait["is_waiting"] == 1,
        is_far.any(axis=1),
        _is_unbalanced(herd, gravity, feet),
        np.full(len(gait), True),
    ]


def _is_unbalanced(
    herd: HerdState, gravity: Records[GravityRecord], feet: RecordTable[FootRecord]
) -> Flags:
    """Whether the weight is so near to the edge of the feet that the body brakes, (N,)."""
    plan, found = herd.plan, np.zeros(len(feet), bool)
    centres = centres_of(herd.parts["body"].of("records")[:LOOKED_AT])
    axes = np.stack(tangents(ups_at(gravity[0], centres)), axis=-1)
    stands = np.einsum("nlk,nki->nli", feet["goal"] - centres[:, None], axes)
    for row in range(len(feet)):
        margin = hull_margin(stands[row, feet["phase"][row] == STANDING])
        found[row] = margin < BRAKING * plan.body[0].reach
    return found


def _count_searches(herd: HerdState, is_asked: Flags, sums: _Sums) -> None:
    """Count the searches of standing feet for a foothold, and how they ended.

    Args:
        herd: whose feet they are.
        is_asked: (N,) which of its creatures count.
        sums: gets the counts.
    """
    feet = herd.parts["foot_target"]["records"][:LOOKED_AT][is_asked]
    footholds = herd.parts["foothold"]["records"][:LOOKED_AT][is_asked]
    tries = (feet["phase"] == STANDING) & (footholds["status"] != NOT_SOUGHT)
    misses = tries & (footholds["status"] == NOT_FOUND)
    sums.tries += int(tries.sum())
    sums.misses += int(misses.sum())
    if not misses.any():
        return
    bodies = herd.parts["body"]["records"][:LOOKED_AT][is_asked]
    count = bodies.shape[1]
    hits = herd.parts["sensed"]["records"][:LOOKED_AT][is_asked][:, count : count + tries.shape[1]]
    ups = rotation_matrices(bodies["orientation"])[..., 2][:, herd.plan.legs["segment"]]
    is_steep = (hits["is_hit"] == 1) & ((hits["normal"] * ups).sum(axis=-1) < STEEPEST)
    sums.steep += int((misses & is_steep).sum())


def _reasons(sums: _Sums) -> list[str]:
    """What took the speed, the weightiest first."""
    sizes = [str(advice) for advice in size_advice(sums.definition)]
    if sizes:
        return sizes
    shape, total = Shape(sums.definition), max(float(sums.loss.sum()), 1e-9)
    found = [
        _told(CAUSES[index], sums, shape, sums.times[index] / sums.looks)
        for index in np.argsort(-sums.loss).tolist()
        if sums.loss[index] > TELLING * total
    ]
    return [text for text in found if text] or ["it had to brake and to start again and again"]


def _told(cause: str, sums: _Sums, shape: Shape, fraction: float) -> str:
    """A cause in words, with the key that mends it; empty where there is nothing to tell."""
    often = f"{100 * fraction:.0f} % of the time"
    slope = np.degrees(sums.slope / sums.looks)
    where = f", on slopes of {slope:.0f} degrees" if slope > STEEP else ""
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
        text = f"a foot that had to step found no foothold {often}{_steep(sums)}{where}"
        return _with(crowding(shape), text, text)
    if cause == "waiting":
        text = f"it waited {often} for feet that had to step high: they go no faster{where}"
        return "; ".join(
            part for part in (_with(stepping(shape), text, text), _start(sums)) if part
        )
    if cause == "stretched":
        text = f"legs were stretched beyond their comfort {often}{where}"
        if sums.misses > SCARCE * sums.tries:
            misses = f"{100 * sums.misses / sums.tries:.0f} % of searches found no foothold"
            return f"{text}; {misses}{_steep(sums)}"
        if shape.is_tall:
            text += (
                f": they are at {100 * shape.stretch:.0f} % of their reach at rest: lower "
                f"body.ride_height from {sums.definition.body.ride_height:g} to {shape.lower():g}"
            )
        return _with(stretched(shape), text)
    if cause == "unbalanced":
        text = f"it braked as its weight was near the edge of its feet {often}"
        return _with((*beneath(shape), *tipping(shape)), text, text)
    return _start(sums)


def _start(sums: _Sums) -> str:
    """What mends a slow start; empty where a body starts soon."""
    motion = sums.definition.motion
    if motion.speed <= 0.9 * motion.acceleration:
        return ""
    return (
        f"it takes {motion.speed / motion.acceleration:.1f} s to speed up: raise "
        f"motion.acceleration from {motion.acceleration:g} to {rounded(2 * motion.speed):g}"
    )


def _steep(sums: _Sums) -> str:
    """Of the searches that found no foothold, how many found ground that is too steep."""
    if not sums.steep:
        return ""
    return f" ({100 * sums.steep / sums.misses:.0f} % of searches in vain met too steep ground)"


def _with(found: Iterable[Advice], text: str, seen: str = "") -> str:
    """The first advice, after what was seen; a text where there is none."""
    for advice in found:
        return f"{seen}; {advice}" if seen else str(advice)
    return text

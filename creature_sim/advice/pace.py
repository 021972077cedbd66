"""Why a creature was slower than it was asked to be."""

import numpy as np

from creature_sim.advice.slowness import Losses, Slowness, reasons_of
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
from creature_sim.inputs import FULL, Input
from creature_sim.locomotion.balance import BRAKING
from creature_sim.locomotion.gravity import ups_at
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths.geometry import hull_margin, rotation_matrices, tangents
from creature_sim.score.reading import Flags, is_searching, stretch_of, wanted_of
from creature_sim.score.rows import centres_of
from creature_sim.snapshots.snapshot import HerdState, Snapshot

SLOW = 0.95
"""Who walks at less than this fraction of what was asked for is slow."""
LOOKS = 10
"""The run is looked at so many times a second..."""
LOOKED_AT = 20
"""...and of a larger herd so many creatures."""


class Pace:
    """A sink that compares how fast creatures walk with what they are asked for."""

    def __init__(self, tick_rate: int) -> None:
        """Begin before the first tick."""
        self._rate = tick_rate
        self._every = max(1, tick_rate // LOOKS)
        self._losses: dict[str, Losses] = {}

    def write(self, given: Input, snapshot: Snapshot) -> None:
        """Take a tick; the first second is for starting."""
        del given
        if snapshot.tick < self._rate or snapshot.tick % self._every:
            return
        for herd in snapshot.herds:
            if len(herd.members):
                plan = herd.definition
                losses = self._losses.setdefault(plan.name, Losses(plan))
                _look(herd, snapshot.gravity, losses)

    def slow(self) -> list[Slowness]:
        """Who was slower than asked, and why; empty where nobody was."""
        return [
            Slowness(name, seen.asked / seen.looks, seen.walked / seen.looks, reasons_of(seen))
            for name, seen in self._losses.items()
            if seen.looks and seen.walked < SLOW * seen.asked
        ]


def _look(herd: HerdState, gravity: Records[GravityRecord], losses: Losses) -> None:
    """Add up what a herd's creatures do in a tick, in a field of gravity (1,)."""
    plan, parts = herd.plan, herd.parts
    numbers = plan.body[0]
    losses.definition = herd.definition
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
        losses.loss[index] += lost.sum()
        losses.times[index] += (is_shown & is_asked).sum()
        if index:
            missing = missing - lost
    losses.looks += int(is_asked.sum())
    losses.asked += float(asked[is_asked].sum())
    losses.walked += float(walked[is_asked].sum())
    ups = ups_at(gravity[0], body["position"][:, 0])
    tilts = (feet["goal_normal"] * ups[:, None]).sum(axis=-1)
    slopes = np.arccos(np.clip(tilts, -1.0, 1.0)).mean(axis=1)
    losses.slope += float(slopes[is_asked].sum())
    _count_searches(herd, is_asked, losses)


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


def _count_searches(herd: HerdState, is_asked: Flags, losses: Losses) -> None:
    """Count the searches of standing feet for a foothold, and how they ended.

    Args:
        herd: whose feet they are.
        is_asked: (N,) which of its creatures count.
        losses: gets the counts.
    """
    feet = herd.parts["foot_target"]["records"][:LOOKED_AT][is_asked]
    footholds = herd.parts["foothold"]["records"][:LOOKED_AT][is_asked]
    tries = (feet["phase"] == STANDING) & (footholds["status"] != NOT_SOUGHT)
    misses = tries & (footholds["status"] == NOT_FOUND)
    losses.tries += int(tries.sum())
    losses.misses += int(misses.sum())
    if not misses.any():
        return
    bodies = herd.parts["body"]["records"][:LOOKED_AT][is_asked]
    count = bodies.shape[1]
    hits = herd.parts["sensed"]["records"][:LOOKED_AT][is_asked][:, count : count + tries.shape[1]]
    ups = rotation_matrices(bodies["orientation"])[..., 2][:, herd.plan.legs["segment"]]
    is_steep = (hits["is_hit"] == 1) & ((hits["normal"] * ups).sum(axis=-1) < STEEPEST)
    losses.steep += int((misses & is_steep).sum())

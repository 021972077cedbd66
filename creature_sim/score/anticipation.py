"""M29: whether a body sets out and stops as a mass does: feet first, and once too far."""

from collections.abc import Iterator

import numpy as np

from creature_sim.maths import Floats
from creature_sim.score.bodies import is_flat
from creature_sim.score.metric import Metric, Verdict, not_applicable
from creature_sim.score.reading import Flags
from creature_sim.score.registry import register
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk

STOOD = 0.5
"""Who has stood for so long sets out [s]."""
WALKED, WATCH = 1.0, 2.0
"""Who has walked for so long stops, and is looked at for so long [s]."""
SWIFT = 0.5
"""It stops from this fraction of its full speed at least."""
GONE = (0.05, 0.03)
"""How far a body may go before a foot lifts, to pass and to be excellent, over L."""
OVERSHOOT = (0.001, 0.05, 0.02)
"""Overshoot of stops over L: the smallest and the largest that pass; the largest excellent one."""


@register("M29", "anticipation")
def anticipation(walk: Walk) -> Metric:
    """M29: how far the body goes before its first foot lifts when it sets out, at most, over L.

    At stops on flat ground it overshoots a little. Nobody is judged whom something carries or
    holds.
    """
    track = walk.track
    length = float(track.reach.mean())
    gone = [far / length for far in set_outs(track)]
    over = [far / length for far in stops(track)] if is_flat(walk) else []
    if not gone and not over:
        return not_applicable("it neither set out from rest nor stopped")
    value = max(gone, default=0.0)
    verdict: Verdict = "fail"
    low, high, little = OVERSHOOT
    if value <= GONE[0] and all(low <= far <= high for far in over):
        is_best = value <= GONE[1] and all(far <= little for far in over)
        verdict = "excellent" if is_best else "pass"
    text = f"of L before a foot lifts, largest of {len(gone)}"
    if over:
        text += f"; overshoot {100 * min(over):.2g} to {100 * max(over):.2g} % L at stops"
    return Metric(value, verdict, text)


def set_outs(track: Track) -> Iterator[float]:
    """How far the body goes before a foot lifts, each time that it sets out [m]."""
    still = round(STOOD * track.tick_rate)
    asked = track.is_asked_to_move
    up: Flags = np.any(track.is_swinging & ~track.is_lost, axis=1)
    rests: Flags = ~asked & ~up & np.all(track.foot_prop < 0, axis=1)
    for first in np.flatnonzero(asked[1:] & rests[:-1]).tolist():
        if not rests[max(0, first - still) : first + 1].all():
            continue
        goes: Flags = up[first:] | ~asked[first:]
        goes[0] = False
        last = first + int(goes.argmax())
        if up[last] and not track.is_held_back[first:last].any():
            yield float(
                np.linalg.norm(_level(track, track.position[last] - track.position[first], first))
            )


def stops(track: Track) -> Iterator[float]:
    """How far the body goes beyond where it comes to rest, each time that it stops [m]."""
    walked, watch = round(WALKED * track.tick_rate), round(WATCH * track.tick_rate)
    asked = track.is_asked_to_move
    straight = asked & (track.wanted[:, 2] == 0.0) & ~track.is_held_back & ~track.is_put_back
    for first in (np.flatnonzero(asked[:-1] & ~asked[1:]) + 1).tolist():
        last = first + watch
        before = slice(max(0, first - walked), first)
        if last >= len(asked) or asked[first:last].any() or not straight[before].all():
            continue
        way = _level(track, track.position[first] - track.position[before.start], first)
        size = float(np.linalg.norm(way))
        if size < SWIFT * track.plan.body[0]["speed"] * WALKED or before.start == first:
            continue
        along = (track.position[first:last] - track.position[first]) @ (way / size)
        yield float(along.max() - along[-1])


def _level(track: Track, way: Floats, tick: int) -> Floats:
    """A displacement from a tick on without what of it is up [m]."""
    up = track.body_ups(track.position[tick : tick + 1], slice(tick, tick + 1))[0]
    found: Floats = way - (way @ up) * up
    return found

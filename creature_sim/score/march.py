"""M32: whether creatures of a herd march in step."""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.score.metric import Metric, judge, not_applicable
from creature_sim.score.registry import register
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk

LASTS = 8.0
"""Creatures that walk at the same time for so long are compared [s]."""


@register("M32", "march")
def march(walk: Walk) -> Metric:
    """M32: how much a creature lifts its feet together with others of its body plan, 1 at most.

    The mean of cos(a - b) over time and over the others, a and b the phases of their steps: 0 if
    they do not care for one another, 1 if they march. Phases are those of the first leg, from each
    lift-off to its next.
    """
    own = steps_of(walk.track)
    alike = []
    for other in walk.others:
        if other.definition.name != walk.track.definition.name:
            continue
        first = max(walk.track.begin, other.begin)
        last = min(walk.track.begin + len(own), other.begin + len(other.tips))
        if last <= first:
            continue
        apart = (
            own[first - walk.track.begin : last - walk.track.begin]
            - steps_of(other)[first - other.begin : last - other.begin]
        )
        apart = apart[~np.isnan(apart)]
        if len(apart) >= LASTS * walk.track.tick_rate:
            alike.append(float(np.cos(2.0 * np.pi * apart).mean()))
    if not alike:
        return not_applicable(f"nobody of its kind walked along for {LASTS:g} s")
    text = f"of its steps against those of {len(alike)} others; 1: they march in step"
    return judge(float(np.mean(alike)), 0.7, 0.35, text)


def steps_of(track: Track) -> Floats:
    """Steps of the first leg up to each tick, and the part of the next, (T,).

    NaN before the first lift-off, after the last one, and where it does not walk.
    """
    lifts = [first for leg, first, _ in track.swings() if leg == 0]
    ticks = np.arange(len(track.tips))
    if len(lifts) < 2:
        return np.full(len(ticks), np.nan)
    found = np.interp(ticks, lifts, np.arange(len(lifts)), left=np.nan, right=np.nan)
    goes = track.is_asked_to_move[: len(found)]
    return np.where(goes, found, np.nan)

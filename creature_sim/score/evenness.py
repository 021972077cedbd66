"""M42: whether a body goes as evenly as walkers do, or surges with every step."""

import numpy as np

from creature_sim.maths.geometry import lengths
from creature_sim.score.halts import is_free, velocities
from creature_sim.score.metric import Metric, judge, not_applicable
from creature_sim.score.reading import spans
from creature_sim.score.registry import register
from creature_sim.score.rhythm import steady, stride_ticks
from creature_sim.score.walk import Walk

PASSES, EXCELS = 0.2, 0.1
"""Largest deviation that passes, and that is excellent, over the mean: animals have .02 to .2."""
ASKED = 1e-6
"""Who is asked to go no faster than this only turns [m/s]."""


@register("M42", "even speed")
def even_speed(walk: Walk) -> Metric:
    """M42: deviation of a body's speed within a stride over its mean speed.

    Of the velocity of its weight along the ground, sway and all, from 1 s after a change of command
    on: the root mean square of all strides. Not where M41 does not count, nor where the body waits
    for feet that step high. Who climbs has M35.
    """
    track = walk.track
    if track.climbs:
        return not_applicable("it climbs: see M35")
    speeds = lengths(velocities(track))
    asked = np.linalg.norm(track.wanted[:, :2], axis=1) > ASKED
    goes = (steady(track) > 0.0) & asked & is_free(track) & ~track.is_waiting
    squares = means = 0.0
    count = 0
    for _, first, last in spans(goes[1:, None]):
        stride = stride_ticks(track, first, last)
        if stride > last - first:
            continue
        ticks = round(stride)
        for at in range(first, last - ticks + 1, ticks):
            squares += float(speeds[at : at + ticks].var())
            means += float(speeds[at : at + ticks].mean())
            count += 1
    if count == 0:
        return not_applicable("it never went freely for a stride as one command asked")
    value = (squares / count) ** 0.5 / max(means / count, 1e-9)
    return judge(value, PASSES, EXCELS, "deviation of its speed within a stride / mean")

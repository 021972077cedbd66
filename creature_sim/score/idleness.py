"""M30: whether a creature that stands lives."""

import numpy as np

from creature_sim.score.metric import Metric, not_applicable
from creature_sim.score.reading import spans
from creature_sim.score.registry import register
from creature_sim.score.walk import Walk

SETTLES = 4.0
"""Time after stopping until it breathes as it does [s]."""
LASTS = 5.0
"""It is looked at where it stands for so long after that [s]."""
LEAST, MOST = 0.5, 6.0
"""Rise and fall of the body, peak to peak, as percentages of the ride height."""


@register("M30", "idle life")
def idle_life(walk: Walk) -> Metric:
    """M30: rise and fall of a body that stands, peak to peak, in % of its ride height.

    From 4 s after stopping, where it stands for 5 s more; not where `motion.idle` is 0. It fails
    below 0.5 %, as a statue, and above 6 %.
    """
    track = walk.track
    if track.definition.motion.idle == 0.0:
        return not_applicable("motion.idle is 0")
    rate = track.tick_rate
    stands = ~track.is_asked_to_move & ~track.is_astride & ~track.is_swinging.any(axis=1)
    sizes = []
    for _, first, last in spans(stands[:, None]):
        begin = first + round(SETTLES * rate)
        if last - begin >= LASTS * rate:
            feet = track.tips[begin:last].mean(axis=1)  # what it stands on may move
            over = track.altitudes(track.position[begin:last]) - track.altitudes(feet)
            sizes.append(np.ptp(over))
    if not sizes:
        return not_applicable(f"it never stood for {SETTLES + LASTS:g} s")
    value = 100.0 * float(min(sizes)) / track.definition.body.ride_height
    largest = 100.0 * float(max(sizes)) / track.definition.body.ride_height
    is_alive = value >= LEAST and largest <= MOST
    return Metric(value, "pass" if is_alive else "fail", "% of the ride height, peak to peak")

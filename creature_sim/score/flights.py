"""M31: whether a body in the air flies as gravity lets it."""

import numpy as np

from creature_sim.components import FLIES, FLYING_FREE
from creature_sim.maths.geometry import lengths
from creature_sim.score.metric import Metric, judge, not_applicable
from creature_sim.score.registry import register
from creature_sim.score.walk import Walk


@register("M31", "ballistic flight")
def ballistic_flight(walk: Walk) -> Metric:
    """M31: largest error of the centre's acceleration in leaps, falls and runs, as a fraction of g.

    Second differences over three ticks of a flight against gravity at the middle one. Other
    metrics that ask for feet on the ground leave flights out.
    """
    track = walk.track
    gravity = float(track.gravity[0].acceleration)
    free = (track.flight == FLYING_FREE) | (track.run == FLIES)
    inside = free[2:] & free[1:-1] & free[:-2]
    inside &= ~(track.is_put_back[2:] | track.is_put_back[1:-1])
    if not inside.any():
        return not_applicable("no flight")
    turns = np.diff(track.centre, n=2, axis=0) * track.tick_rate**2
    errors = lengths(turns + gravity * track.ups_at(track.centre[1:-1])) / gravity
    count = int((np.diff(free.astype(int)) == 1).sum())
    text = (
        f"error / g of the acceleration in {count} flights, {inside.sum() / track.tick_rate:.2f} s"
    )
    return judge(float(errors[inside].max()), 0.01, 0.001, text)

"""M38 to M40: what a walk costs a creature that forces move, and how well it follows it."""

import numpy as np

from creature_sim.maths.geometry import lengths
from creature_sim.score.metric import Metric, judge, not_applicable
from creature_sim.score.registry import register
from creature_sim.score.walk import Walk

NO_FORCES = "no forces move it"


@register("M38", "cost of transport")
def cost_of_transport(walk: Walk) -> Metric:
    """M38: work of the motors over weight and way: P / (m g v) (Tucker 1975).

    Motors pay for what they drive; what drives them back is lost. It is told, not judged: 1 is the
    work of lifting the body by its way.
    """
    track = walk.track
    if track.twin is None:
        return not_applicable(NO_FORCES)
    way = float(lengths(np.diff(track.position, axis=0))[~track.is_put_back[1:]].sum())
    if way < track.reach.mean():
        return not_applicable("it went less than a leg's reach")
    weight = track.definition.body.mass * float(track.gravity[0].acceleration)
    cost = float(track.twin.work.sum()) / (weight * way)
    watts = float(track.twin.work.mean()) * track.tick_rate
    return Metric(cost, "pass", f"work over weight and way; {watts:.1f} W in the mean")


@register("M39", "torque over limit")
def torque_over_limit(walk: Walk) -> Metric:
    """M39: fraction of ticks in which a motor is asked for more torque than it has."""
    twin = walk.track.twin
    if twin is None:
        return not_applicable(NO_FORCES)
    text = f"ticks with a motor at its limit; most that was asked for {twin.strain.max():.2f} of it"
    return judge(float((twin.strain > 1.0).mean()), 0.05, 0.0, text)


@register("M40", "tracking")
def tracking(walk: Walk) -> Metric:
    """M40: distance of standing tips from where the walk has them, RMS over L."""
    track = walk.track
    if track.twin is None:
        return not_applicable(NO_FORCES)
    stands = ~track.is_swinging & ~track.is_lost
    errors = lengths(track.tips - track.foot) / track.reach
    if not stands.any():
        return not_applicable("no foot stood")
    rms = float(np.sqrt(np.mean(errors[stands] ** 2)))
    return judge(rms, 0.05, 0.03, "distance of standing tips from their targets, RMS / L")

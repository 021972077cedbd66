"""M1 to M8: what feet and legs do. Lengths are fractions of the leg's reach L."""

import numpy as np

from creature_sim.maths.geometry import along_ground, tangents
from creature_sim.score.metric import Metric, Verdict, judge, not_applicable
from creature_sim.score.registry import register
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk

SLACK = 0.005  # m of penetration or float that nobody sees
MIDDLE = (0.15, 0.85)  # of a swing
RING = np.stack([(np.cos(a), np.sin(a)) for a in np.arange(8) * np.pi / 4])


@register("M1", "stance drift")
def stance_drift(walk: Walk) -> Metric:
    """M1: how far a standing tip moves from its touchdown, relative to a prop that it stands on.

    Of a foot with a sole its farther end counts too, as far as the sole turns on the ground.
    """
    track = walk.track
    worst = 0.0
    for leg, first, last in track.stances():
        tips = track.tips_on(leg, first, last)
        drift = np.linalg.norm(tips - tips[0], axis=1).max()
        drift = max(drift, _pivot(track, leg, first, last))
        worst = max(worst, float(drift / track.reach[leg]))
    return judge(worst, 0.005, 0.001, "largest move of a standing tip, or an end of its sole, / L")


def _pivot(track: Track, leg: int, first: int, last: int) -> float:
    """How far the farther end of a standing sole moves as that turns on the ground [m]."""
    foot = track.definition.all_legs[leg].foot
    if foot is None:
        return 0.0
    feet = track.feet_on(leg, first, last)
    toes = along_ground(feet[:, :, 0], feet[0, :, 2])
    return float(max(foot.heel, foot.toe) * np.linalg.norm(toes - toes[0], axis=1).max())


@register("M2", "skate ratio")
def skate_ratio(walk: Walk) -> Metric:
    """M2: fraction of ticks and legs whose tip moves near the ground without swinging."""
    track = walk.track
    asked = np.linalg.norm(track.wanted[:, :2], axis=1)
    if not track.is_asked_to_move.any():
        return not_applicable("it was never asked to move")
    slides, ups = track.slides(), track.foot_ups[1:]
    level = slides - (slides * ups).sum(axis=-1, keepdims=True) * ups
    speed = np.linalg.norm(level, axis=-1) * track.tick_rate
    usual = np.maximum(asked, 0.2 * track.definition.motion.speed)[1:, None]
    near = walk.heights[1:] < 0.05 * track.reach
    skates = near & (speed > 0.1 * usual) & ~track.is_swinging[1:] & ~track.is_swinging[:-1]
    return judge(float(skates.mean()), 0.0, 0.0, "fraction of ticks in which a standing tip skates")


@register("M3", "touchdown error")
def touchdown_error(walk: Walk) -> Metric:
    """M3: distance of a tip from the surface when it touches down."""
    track = walk.track
    errors = [
        abs(walk.heights[first, leg]) / track.reach[leg]
        for leg, first, _ in track.stances()
        if first > 0
    ]
    if not errors:
        return not_applicable("no foot touched down")
    return judge(float(np.max(errors)), 0.01, 0.003, "largest distance at touchdown / L")


@register("M4", "penetration, float")
def penetration(walk: Walk) -> Metric:
    """M4: how deep standing tips are in the ground, or how high they float above it."""
    track = walk.track
    stands = ~track.is_swinging
    off = np.maximum(0.0, np.abs(walk.heights) - SLACK) / track.reach
    mean = float(off[stands].mean()) if stands.any() else 0.0
    worst = float(off[stands].max()) if stands.any() else 0.0
    verdict: Verdict = "fail"
    if mean <= 0.005 and worst <= 0.02:
        verdict = "excellent" if mean <= 0.001 and worst <= 0.004 else "pass"
    return Metric(mean, verdict, f"mean beyond 5 mm / L; worst {worst:.4f}")


@register("M5", "limb penetration")
def limb_penetration(walk: Walk) -> Metric:
    """M5: fraction of samples along the bones that are deeper than 1 % of L in the ground."""
    track = walk.track
    deep = walk.bone_heights < -0.01 * track.reach[:, None, None]
    return judge(float(deep.mean()), 0.01, 0.0, "fraction of samples on bones below ground")


@register("M6", "reach")
def reach_use(walk: Walk) -> Metric:
    """M6: fraction of ticks and legs stretched beyond 98 %; the reason gives what IK did.

    Its residual, and how many passes of FABRIK a leg took; legs whose passes did not arrive, near
    full stretch or beyond limits, were laid. What tips of a twin lack is in M40.
    """
    track = walk.track
    stretched = float((track.stretch > 0.98).mean())
    residual = np.linalg.norm(track.tips - track.foot, axis=2) / track.reach
    p99 = 0.0 if track.twin else float(np.quantile(residual, 0.99))
    verdict: Verdict = "fail"
    if stretched <= 0.01 and p99 <= 0.005:
        verdict = "excellent" if stretched == 0.0 and p99 <= 0.001 else "pass"
    text = (
        f"fraction of ticks beyond 0.98 of the bones; IK residual p99 {p99:.5f} L, "
        f"{track.passes.mean():.1f} passes of FABRIK, {100.0 * track.is_laid.mean():.2f} % laid"
    )
    return Metric(stretched, verdict, text)


@register("M7", "swing clearance", larger_is_better=True)
def swing_clearance(walk: Walk) -> Metric:
    """M7: smallest height over the ground in the middle of a swing, and stubs."""
    track = walk.track
    lowest, stubs, seen = np.inf, 0, 0
    for leg, first, last in track.swings():
        progress = track.progress[first:last, leg]
        middle = (progress >= MIDDLE[0]) & (progress <= MIDDLE[1])
        if not middle.any():
            continue
        seen += 1
        low = float((walk.heights[first:last, leg][middle] / track.reach[leg]).min())
        lowest = min(lowest, low)
        stubs += low <= 0.0
    if not seen:
        return not_applicable("no foot swung")
    verdict: Verdict = "fail"
    if lowest >= 0.03 and not stubs:
        verdict = "excellent" if lowest >= 0.06 else "pass"
    return Metric(lowest, verdict, f"lowest in mid-swing / L; {stubs} stubs in {seen} swings")


@register("M8", "edge violation")
def edge_violation(walk: Walk) -> Metric:
    """M8: fraction of touchdowns within 5 % of L of a jump in height."""
    track = walk.track
    touchdowns = [(leg, first) for leg, first, _ in track.stances() if first > 0]
    if not touchdowns:
        return not_applicable("no foot touched down")
    legs = np.array([leg for leg, _ in touchdowns])
    ticks = np.array([first for _, first in touchdowns])
    tips, near = track.tips[ticks, legs][:, None], 0.05 * track.reach[legs][:, None, None]
    ups = track.foot_ups[ticks, legs][:, None]
    first, second = tangents(ups)
    ring = RING[:, :1] * first + RING[:, 1:] * second
    around = walk.heights_of(tips + near * ring, ups, ticks)
    # On a slope, opposite samples differ by the same amount up and down; beside a jump they do not.
    bend = np.abs(around + np.roll(around, 4, axis=1))
    beside = float((bend > near[:, :, 0]).any(axis=1).mean())
    return judge(beside, 0.05, 0.01, "fraction of touchdowns beside an edge")

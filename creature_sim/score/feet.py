"""M1 to M8: what feet and legs do. Shares are of the leg's reach L."""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.score.metric import Metric, Verdict, judge, not_applicable
from creature_sim.score.surface import Surface, level_axes
from creature_sim.score.track import Track

SAMPLES_PER_BONE = 8
SLACK = 0.005  # m of penetration or float that nobody sees
MIDDLE = (0.15, 0.85)  # of a swing
RING = np.stack([(np.cos(a), np.sin(a)) for a in np.arange(8) * np.pi / 4])


def stance_drift(track: Track) -> Metric:
    """M1: how far a standing tip moves from where it touched down, on a prop over that."""
    worst = 0.0
    for leg, first, last in track.stances():
        tips = track.tips_on(leg, first, last)
        drift = np.linalg.norm(tips - tips[0], axis=1).max()
        worst = max(worst, float(drift / track.reach[leg]))
    return judge(worst, 0.005, 0.001, "largest move of a standing tip, share of L")


def skate_ratio(track: Track, heights: Floats) -> Metric:
    """M2: share of frames with a tip near the ground that moves and does not swing."""
    asked = np.linalg.norm(track.wanted[:, :2], axis=1)
    if not track.is_asked_to_move.any():
        return not_applicable("it was never asked to move")
    slides, ups = track.slides(), track.ups_at(track.tips[1:])
    level = slides - (slides * ups).sum(axis=-1, keepdims=True) * ups
    way = np.linalg.norm(level, axis=-1) * track.tick_rate
    speed = np.maximum(asked, 0.2 * track.definition.motion.speed)[1:, None]
    near = heights[1:] < 0.05 * track.reach
    skates = near & (way > 0.1 * speed) & ~track.is_swinging[1:] & ~track.is_swinging[:-1]
    return judge(float(skates.mean()), 0.0, 0.0, "share of frames in which a standing tip skates")


def touchdown_error(track: Track, heights: Floats) -> Metric:
    """M3: distance of a tip from the surface when it touches down."""
    errors = [
        abs(heights[first, leg]) / track.reach[leg]
        for leg, first, _ in track.stances()
        if first > 0
    ]
    if not errors:
        return not_applicable("no foot touched down")
    return judge(float(np.max(errors)), 0.01, 0.003, "largest distance at touchdown, share of L")


def penetration(track: Track, heights: Floats) -> Metric:
    """M4: how deep standing tips are in the ground, or how high they float above it."""
    stands = ~track.is_swinging
    off = np.maximum(0.0, np.abs(heights) - SLACK) / track.reach
    mean = float(off[stands].mean()) if stands.any() else 0.0
    worst = float(off[stands].max()) if stands.any() else 0.0
    verdict: Verdict = "fail"
    if mean <= 0.005 and worst <= 0.02:
        verdict = "excellent" if mean <= 0.001 and worst <= 0.004 else "pass"
    return Metric(mean, verdict, f"mean beyond 5 mm, share of L; worst {worst:.4f}")


def limb_penetration(track: Track, surface: Surface, stride: int = 3) -> Metric:
    """M5: share of samples along the bones that are deeper than 1 % of L in the ground."""
    share = (np.arange(SAMPLES_PER_BONE) + 0.5) / SAMPLES_PER_BONE
    joints = track.joints[::stride]
    bones = joints[:, :, 1:] - joints[:, :, :-1]
    points = joints[:, :, :-1, None] + bones[:, :, :, None] * share[:, None]
    ticks = np.arange(len(track.tips))[::stride]
    heights = surface.heights(points, track.up[::stride, None, None, None], ticks)
    deep = heights < -0.01 * track.reach[:, None, None]
    return judge(float(deep.mean()), 0.01, 0.0, "share of samples on bones below ground")


def reach_use(track: Track) -> Metric:
    """M6: share of frames with a leg stretched beyond 98 %, and what IK leaves open."""
    stretch = np.linalg.norm(track.tips - track.hips, axis=2) / track.reach
    share = float((stretch > 0.98).mean())
    residual = np.linalg.norm(track.tips - track.foot, axis=2) / track.reach
    p99 = float(np.quantile(residual, 0.99))
    verdict: Verdict = "fail"
    if share <= 0.01 and p99 <= 0.005:
        verdict = "excellent" if share == 0.0 and p99 <= 0.001 else "pass"
    return Metric(share, verdict, f"share of frames beyond .98 L; IK residual p99 {p99:.5f} L")


def swing_clearance(track: Track, heights: Floats) -> Metric:
    """M7: smallest height over the ground in the middle of a swing, and stubs."""
    lowest, stubs, seen = np.inf, 0, 0
    for leg, first, last in track.swings():
        progress = track.progress[first:last, leg]
        middle = (progress >= MIDDLE[0]) & (progress <= MIDDLE[1])
        if not middle.any():
            continue
        seen += 1
        low = float((heights[first:last, leg][middle] / track.reach[leg]).min())
        lowest = min(lowest, low)
        stubs += low <= 0.0
    if not seen:
        return not_applicable("no foot swung")
    verdict: Verdict = "fail"
    if lowest >= 0.03 and not stubs:
        verdict = "excellent" if lowest >= 0.06 else "pass"
    return Metric(lowest, verdict, f"lowest in mid-swing, share of L; {stubs} stubs in {seen}")


def edge_violation(track: Track, surface: Surface) -> Metric:
    """M8: share of touchdowns within 5 % of L of a jump in height."""
    places = [(leg, first) for leg, first, _ in track.stances() if first > 0]
    if not places:
        return not_applicable("no foot touched down")
    legs = np.array([leg for leg, _ in places])
    ticks = np.array([first for _, first in places])
    tips, near = track.tips[ticks, legs][:, None], 0.05 * track.reach[legs][:, None, None]
    ups = track.ups_at(tips)
    first, second = level_axes(ups)
    ring = RING[:, :1] * first + RING[:, 1:] * second
    around = surface.heights(tips + near * ring, ups, ticks)
    # Over a slope neighbours differ evenly; a jump shows as a difference that opposite ones lack.
    bend = np.abs(around + np.roll(around, 4, axis=1))
    share = float((bend > near[:, :, 0]).any(axis=1).mean())
    return judge(share, 0.05, 0.01, "share of touchdowns beside an edge")

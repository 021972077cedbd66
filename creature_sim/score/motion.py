"""M24, M25: how fast feet fly, and how gently they leave the ground and come down.

Froude's scale: speeds over sqrt(g L), accelerations over g, so that small legs are judged as large
ones are.
"""

from collections.abc import Iterator

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.score.metric import Metric, Verdict, judge, not_applicable
from creature_sim.score.registry import register
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk

USUALLY = 0.99
"""Quantile of what counts: one tick of a hundred may be worse."""
REST = 1e-9
"""A foot that moves less than this in a tick does not move [m]."""


@register("M24", "foot peaks")
def foot_peaks(walk: Walk) -> Metric:
    """M24: 99th percentile of the speed of feet in the air; the reason gives their acceleration.

    Differences between ticks: a speed counts where the foot was in the air at one end or both, an
    acceleration, of three ticks, where it was at any. Lost legs do not count, nor does a reset.
    Speeds of feet whose body runs are against that.
    """
    track = walk.track
    gravity = float(track.gravity[0].acceleration)
    moves = np.diff(track.tips, axis=0) * track.tick_rate
    flies = track.is_swinging & ~track.is_lost & ~track.leaps[:, None]
    counts = (flies[1:] | flies[:-1]) & ~track.is_put_back[1:, None]
    turns = np.diff(moves, axis=0) * track.tick_rate
    bends = (counts[1:] | counts[:-1]) & ~(track.is_put_back[2:] | track.is_put_back[1:-1])[:, None]
    if not bends.any():
        return not_applicable("no foot swung")
    steps = np.diff(track.centre, axis=0)[:, None] * track.tick_rate
    moves = moves - np.where(track.runs[1:, None, None], steps, 0.0)
    speeds = lengths(moves) / np.sqrt(gravity * track.reach)
    speed = float(np.quantile(speeds[counts], USUALLY))
    acceleration = float(np.quantile(lengths(turns)[bends], USUALLY)) / gravity
    verdict: Verdict = "fail"
    if speed <= 2.0 and acceleration <= 12.0:
        verdict = "excellent" if speed <= 1.6 and acceleration <= 8.0 else "pass"
    text = f"speed / sqrt(g L) in the air, p99; acceleration {acceleration:.1f} g"
    return Metric(speed, verdict, f"{text}; worst {speeds[counts].max():.2f}")


@register("M25", "lift-off, touchdown speed")
def contact_speed(walk: Walk) -> Metric:
    """M25: 99th percentile of the speed at which feet lift off and touch down.

    Of the first and the last tick of a swing in which they move, relative to what they leave or
    land on.
    """
    track = walk.track
    scale = np.sqrt(track.gravity[0].acceleration * track.reach)
    found = np.array([(lift / scale[leg], land / scale[leg]) for leg, lift, land in _ends(track)])
    if not len(found):
        return not_applicable("no foot swung from the ground to the ground")
    lift, land = np.quantile(found, USUALLY, axis=0)
    text = f"speed / sqrt(g L), p99; lift-off {lift:.3f}, touchdown {land:.3f}"
    value = float(np.quantile(found, USUALLY))
    return judge(value, 0.05, 0.02, f"{text}; worst {found.max():.2f}")


def _ends(track: Track) -> Iterator[tuple[int, float, float]]:
    """Leg, speed at lift-off and speed at touchdown of every whole swing [m/s]."""
    speeds: Floats = lengths(track.slides()) * track.tick_rate
    for leg, first, last in track.swings():
        if first == 0 or last > len(speeds) or track.is_put_back[[first, last]].any():
            continue
        (moves,) = np.nonzero(speeds[first - 1 : last, leg] > REST * track.tick_rate)
        if len(moves):
            yield leg, *speeds[first - 1 + moves[[0, -1]], leg].tolist()

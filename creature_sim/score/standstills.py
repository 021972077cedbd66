"""M43: whether a body goes where it is told to, or stands there."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.inputs import FULL
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths, rotation_matrices
from creature_sim.score.halts import SLOWEST, is_free, velocities
from creature_sim.score.metric import Metric, judge, not_applicable
from creature_sim.score.reading import Flags, spans, wanted_of
from creature_sim.score.registry import register
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk

PASSES, EXCELS = 0.05, 0.01
"""Largest fraction of the time that passes, and that is excellent."""
TOLD = 1.0
"""Who has been told to go for so long has set out [s]."""
WITHIN = 0.5
"""Time over which a body's way counts [s]: a walk's own pulse is shorter."""
ASKED, SLOW = 0.2, 0.1
"""Less than the first of its full speed is not asked for; who makes less than the second of what is
asked for stands."""
STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)
"""How far ahead of its feet the ground is looked at, over their reach..."""
EDGE = 0.5
"""...and how much deeper it lies from one to the next beyond an edge: no slope falls like that."""


@register("M43", "standstills")
def standstills(walk: Walk) -> Metric:
    """M43: fraction of the time for which a body that is told to go or turn does neither.

    From 1 s after it was told on, over half a second around each tick. It may stand where there is
    no way: where a wall, the border or another creature stops it, and before an edge that is half a
    leg deep. Nor does count where M41 does not, and where a motion holds the body. Who climbs has
    M35.
    """
    track = walk.track
    if track.climbs:
        return not_applicable("it climbs: see M35")
    told = is_told(track)
    if not told.any():
        return not_applicable(f"it was never told to go for {TOLD:g} s")
    stands = told & is_slow(track)
    stands[stands] = ~is_at_edge(walk, np.flatnonzero(stands))
    longest = max((last - first for _, first, last in spans(stands[:, None])), default=0)
    text = f"of the time it was told to go; the longest {longest / track.tick_rate:.1f} s"
    return judge(float(stands.sum() / told.sum()), PASSES, EXCELS, text)


def is_told(track: Track) -> Flags:
    """Whether a body has been told to go for long enough, and may, (T,)."""
    ways, turns = asks(track)
    free = is_free(track) & ~track.is_braced & ~track.is_lost.all(axis=1)
    before = round(TOLD * track.tick_rate)
    half = round(0.5 * WITHIN * track.tick_rate)
    found = _all_of(ways | turns, before, 0) & _all_of(free, half, half)
    # Without the whole time around it nothing is known of a tick.
    found[:before] = found[len(found) - half :] = False
    return found


def asks(track: Track) -> tuple[Flags, Flags]:
    """Whether commands ask a body to go, and to turn, at its acceleration, (T,) each.

    Who is told to go another way at every tick is not asked to get anywhere.
    """
    most = np.abs(wanted_of(track.plan, np.diag((FULL, FULL, FULL, 0))))
    twists = np.abs(track.asked_twists)
    ways = lengths(twists[:, :2]) > ASKED * lengths(most[:1, :2])
    turns = twists[:, 2] > ASKED * most[1, 2]
    return ways, turns


def is_slow(track: Track) -> Flags:
    """Whether a body goes and turns far less than it is asked to, (T,)."""
    ways, turns = asks(track)
    twists = track.asked_twists
    going = np.concatenate((np.zeros((1, 3)), velocities(track)))
    slow_way = lengths(_mean_around(going, track)) < SLOW * lengths(
        _mean_around(twists[:, :2], track)
    )
    rate = _mean_around(track.yaw_rate[:, None], track)[:, 0]
    slow_turn = np.abs(rate) < SLOW * np.abs(_mean_around(twists[:, 2:], track)[:, 0])
    found: Flags = (slow_way | ~ways) & (slow_turn | ~turns)
    return found


def is_at_edge(walk: Walk, ticks: NDArray[np.int64]) -> Flags:
    """Whether the ground falls off where feet are asked to go next, (K,) at these ticks (K,).

    Nothing tells of a body that it stands for an edge, as `is_held` does for walls: its feet
    search, or wait, or it slows down for its balance.
    """
    track = walk.track
    if walk.ground is None:
        return np.zeros(len(ticks), bool)
    tips, axes = track.tips[ticks], rotation_matrices(track.orientation[ticks])[..., :2]
    x, y = np.moveaxis((tips - track.position[ticks][:, None]) @ axes, -1, 0)
    vx, vy, rate = track.asked_twists[ticks].T[..., None]
    goes = np.stack((vx - rate * y, vy + rate * x), axis=-1) @ axes.swapaxes(1, 2)  # (K, L, 3)
    goes /= np.maximum(lengths(goes), SLOWEST)[..., None]
    ways = np.array(STEPS)[:, None] * track.reach[:, None, None]  # (L, STEPS, 1)
    points = tips[:, :, None] + goes[:, :, None] * ways
    span = 2.0 * float(track.reach.max())
    heights = walk.surface.heights(points, track.ups_at(points), ticks, span)
    falls = np.diff(heights) > EDGE * track.reach[:, None]
    found: Flags = np.asarray(falls.any(axis=(1, 2)))
    return found


def _mean_around(rows: Floats, track: Track) -> Floats:
    """Means of rows (T, K) over WITHIN around each tick, (T, K)."""
    half = round(0.5 * WITHIN * track.tick_rate)
    sums = np.concatenate((np.zeros((1, rows.shape[1])), rows.cumsum(axis=0)))
    ticks = np.arange(len(rows))
    first, last = np.maximum(ticks - half, 0), np.minimum(ticks + half, len(rows))
    found: Floats = (sums[last] - sums[first]) / (last - first)[:, None]
    return found


def _all_of(flags: Flags, before: int, after: int) -> Flags:
    """Whether flags (T,) are true in all of so many ticks before and after each, (T,)."""
    sums = np.concatenate(([0], (~flags).cumsum()))
    ticks = np.arange(len(flags))
    first, last = np.maximum(ticks - before, 0), np.minimum(ticks + after + 1, len(flags))
    found: Flags = sums[last] == sums[first]
    return found

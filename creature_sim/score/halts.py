"""M41: whether a body stops as a walker does, or as if it were on a leash."""

import numpy as np

from creature_sim.components import KINEMATIC
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.score.metric import Metric, judge, not_applicable
from creature_sim.score.reading import Flags, spans
from creature_sim.score.registry import register
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk

WITHIN = 0.05
"""Time over which a loss of speed is taken [s]: an eye does not see when it was within that."""
PASSES, EXCELS = 0.5, 0.3
"""Largest loss that passes, and that is excellent, over g: walkers stop at .16 g when told to."""
SLOWEST = 1e-9
"""Who goes no faster than this has no speed to lose [m/s]."""


@register("M41", "sudden stops")
def sudden_stops(walk: Walk) -> Metric:
    """M41: largest loss of speed within a 20th of a second, as a deceleration over g.

    Of the velocity of the body's weight along the ground, in the direction in which it went. It
    does not count where a wall, the border or another creature stops the body, of who is put back,
    leaps, falls or runs, nor on what has a path of its own. Who climbs has M35.
    """
    track = walk.track
    if track.climbs:
        return not_applicable("it climbs: see M35")
    losses = losses_of(track)
    if np.isnan(losses).all():
        return not_applicable("it never walked freely for a 20th of a second")
    losses = np.nan_to_num(losses)
    worst = int(losses.argmax())
    count = sum(1 for _ in spans((losses > PASSES)[:, None]))
    seconds = (worst + 1) / track.tick_rate
    text = f"/ g within {WITHIN:g} s, the most, at {seconds:.2f} s; {count} above {PASSES:g}"
    return judge(float(losses[worst]), PASSES, EXCELS, text)


def losses_of(track: Track) -> Floats:
    """Loss of speed over g from each tick on, (T - 1 - n,) for n ticks; NaN where none counts."""
    ticks = max(1, round(WITHIN * track.tick_rate))
    moves = velocities(track)
    before, after = moves[:-ticks], moves[ticks:]
    speeds = lengths(before)
    along = before / np.maximum(speeds, SLOWEST)[:, None]
    lost = ((before - after) * along).sum(axis=1) * track.tick_rate / ticks
    lost /= float(track.gravity[0].acceleration)
    free = is_free(track)
    counts = np.ones(len(lost), bool)
    for k in range(ticks + 2):
        counts &= free[k : k + len(lost)]
    found: Floats = np.where(counts, np.maximum(lost, 0.0), np.nan)
    return found


def velocities(track: Track) -> Floats:
    """Of a body's weight along the ground, from each tick to the next, (T - 1, 3) [m/s]."""
    ups = track.ups_at(track.centre)[1:]
    moves: Floats = np.diff(track.centre, axis=0) * track.tick_rate
    moves -= (moves * ups).sum(axis=1, keepdims=True) * ups
    return moves


def is_free(track: Track) -> Flags:
    """Whether nothing but its own walk moves and stops a body, (T,)."""
    free = ~(track.is_put_back | track.leaps | track.runs | track.is_walled)
    if track.props is not None:
        has_path = track.props.solids.records["motion"] == KINEMATIC
        free &= ~((track.foot_prop >= 0) & has_path[track.foot_prop]).any(axis=1)
    if track.twin is not None:
        free &= ~track.twin.is_down
    flags: Flags = free
    return flags

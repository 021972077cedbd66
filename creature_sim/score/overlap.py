"""M22: legs of one creature that pass through each other or through its body.

Bones are round bars with the radii of `LegDef.radii`, which are drawn; segments of the trunk are
rounded boxes of their size, about as they are drawn. Left out is what always touches where legs
are joined to the body:

- the first bone of a leg against the segment that it hangs on, with its round end, so that the
  second bone counts there from one radius behind its beginning;
- the first bones of two legs against each other where their hips are nearer to each other, as the
  plan mounts them, than the sum of their radii there;
- legs that are lost, which are held curled up.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import Plan
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths, rotation_matrices
from creature_sim.score.bars import (
    Bars,
    bones_of,
    box_gaps,
    depths_between,
    depths_in_bodies,
    is_bone,
    shorten,
)
from creature_sim.score.metric import Metric, judge
from creature_sim.score.registry import register
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk

UNSEEN = 0.002
"""Overlaps up to this depth do not count [m]."""
TICKS = 128
"""So many ticks are looked at together: it keeps arrays small."""


@register("M22", "self-overlap")
def self_overlap(walk: Walk) -> Metric:
    """M22: fraction of ticks with a leg more than 2 mm within another leg or the body."""
    between, within = leg_depths(walk.track), body_depths(walk.track)
    share = float((np.maximum(between, within) > UNSEEN).mean())
    legs, body = (1e3 * max(0.0, float(depths.max())) for depths in (between, within))
    text = "fraction of ticks with a leg more than 2 mm in another or in the body"
    return judge(share, 0.005, 0.001, f"{text}; deepest {legs:.1f} mm, {body:.1f} mm")


def leg_depths(track: Track) -> Floats:
    """How deep two legs are in each other in every tick, (T,) [m]; -inf where none are near."""
    legs = np.array(np.triu_indices(track.joints.shape[1], 1))
    counted = _counted_pairs(track.plan, legs)
    found = np.full(len(track.joints), -np.inf)
    for ticks in _parts(len(found)):
        joints, is_lost = track.joints[ticks], track.is_lost[ticks]
        middles, radii = _balls(joints, track.plan.radii)
        apart = lengths(middles[:, legs[0]] - middles[:, legs[1]])
        is_near = apart < radii[:, legs[0]] + radii[:, legs[1]]
        is_near &= ~is_lost[:, legs[0]] & ~is_lost[:, legs[1]]
        tick, pair = np.nonzero(is_near)
        case, first, second = np.nonzero(counted[pair])
        tick, one, other = tick[case], legs[0][pair[case]], legs[1][pair[case]]
        a = bones_of(track.plan, joints[tick, one], one, first)
        b = bones_of(track.plan, joints[tick, other], other, second)
        (close,) = np.nonzero(_reach_each_other(a, b))
        np.maximum.at(found[ticks], tick[close], depths_between(a.of(close), b.of(close)))
    return found


def body_depths(track: Track) -> Floats:
    """How deep a leg is in the body in every tick, (T,) [m]; -inf where none is near."""
    halves = 0.5 * np.array([segment.size for segment in track.definition.trunk])
    bones = is_bone(track.plan)
    counted = np.repeat(bones[:, None], len(halves), axis=1)  # (L, S, J - 1)
    counted[np.arange(len(bones)), track.plan.legs["segment"], 0] = False
    found = np.full(len(track.joints), -np.inf)
    for ticks in _parts(len(found)):
        joints, middles = track.joints[ticks], track.positions[ticks]
        turns = rotation_matrices(track.orientations[ticks])
        balls, radii = _balls(joints, track.plan.radii)
        near = lengths(balls[:, :, None] - middles[:, None]) < radii[:, :, None] + lengths(halves)
        tick, leg, segment = np.nonzero(near & ~track.is_lost[ticks][:, :, None])
        turn, middle = turns[tick, segment], middles[tick, segment]
        own = np.matmul((balls[tick, leg] - middle)[:, None], turn)[:, 0]
        (close,) = np.nonzero(box_gaps(own, halves[segment]) < radii[tick, leg])
        tick, leg, segment = tick[close], leg[close], segment[close]
        own = np.matmul(joints[tick, leg] - middle[close][:, None], turn[close])
        case, bone = np.nonzero(counted[leg, segment])
        tick, leg, segment, own = tick[case], leg[case], segment[case], own[case]
        bars = bones_of(track.plan, own, leg, bone)
        shorten(bars, (bone == 1) & (segment == track.plan.legs["segment"][leg]))
        np.maximum.at(found[ticks], tick, depths_in_bodies(bars, halves[segment]))
    return found


def _counted_pairs(plan: Plan, legs: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which bones of pairs of legs (2, P) count against each other, (P, J - 1, J - 1)."""
    bones, one, other = is_bone(plan), *legs
    counted: NDArray[np.bool_] = bones[one][:, :, None] & bones[other][:, None]
    mounts, segments = plan.legs["mount"], plan.legs["segment"]
    apart = lengths(mounts[one] - mounts[other])
    meet = (apart < plan.radii[one, 0] + plan.radii[other, 0]) & (segments[one] == segments[other])
    counted[meet, 0, 0] = False
    return counted


def _parts(count: int) -> Iterator[slice]:
    """Slices of so many ticks."""
    for first in range(0, count, TICKS):
        yield slice(first, first + TICKS)


def _balls(joints: Floats, radii: Floats) -> tuple[Floats, Floats]:
    """Middles (T, L, 3) and radii (T, L) of balls that hold legs [m]."""
    middles = 0.5 * (joints.min(axis=2) + joints.max(axis=2))
    return middles, lengths(joints - middles[:, :, None]).max(axis=2) + radii.max(axis=1)


def _reach_each_other(a: Bars, b: Bars) -> NDArray[np.bool_]:
    """Whether the balls that hold bars touch, (K,)."""
    radii = [
        0.5 * lengths(bars.ends - bars.starts) + np.maximum(bars.first, bars.last)
        for bars in (a, b)
    ]
    apart = 0.5 * lengths(a.starts + a.ends - b.starts - b.ends)
    return np.asarray(apart < radii[0] + radii[1])

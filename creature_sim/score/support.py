"""The support margin: how far the weight is inside what the feet can hold, now and a step on."""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.geometry import hull_margin, rotation_matrices, tangents
from creature_sim.score.reading import Flags
from creature_sim.score.track import Track

HORIZON = 1.0
"""Steps beyond this time catch nobody any more [s]."""
DIRECTIONS = 90
"""In so many directions it is looked how far a support reaches."""
LOWEST = 0.1
"""A centre of mass counts as at least this fraction of the reach above the feet."""
TOUCHES = 0.005
"""An end of a sole that is higher than this over the ground does not press [m]."""


def support_margin(track: Track) -> Floats:
    """Signed distance of the weight to the edge of what holds it, (T,) [m]; negative outside.

    NaN where nobody knows it, see `capture_margins`.

    A cycle that keeps three feet on the ground is *static*: its margin is the distance of the
    centre of mass, projected along gravity, to the edge of the polygon of the feet that stand
    (McGhee and Frank 1968). With fewer feet it is minus the distance to what they span.

    All others are *dynamic*: they fall from foot to foot, and are safe while the next foot catches
    them (`capture_margins`).
    """
    axes = np.stack(tangents(track.body_ups(track.centre)), axis=-1)
    margins = np.empty(len(track.position))
    is_static = track.is_static
    feet = np.einsum("tlk,tki->tli", track.tips - track.centre[:, None], axes)
    for tick in np.flatnonzero(is_static).tolist():
        margins[tick] = hull_margin(feet[tick][~track.is_swinging[tick]])
    if not is_static.all():
        margins = np.where(is_static, margins, capture_margins(track))
    return margins


def capture_margins(track: Track) -> Floats:
    """Signed distance of the extrapolated centre of mass to what captures it, (T,) [m].

    The centre of mass falls like an inverted pendulum: with x its projection along gravity, p the
    point at which the feet press, h its height over the feet and w = sqrt(g / h), it goes as
    x'' = w^2 (x - p). With v its velocity over what the feet stand on, the extrapolated centre of
    mass xi = x + v / w (Hof 2008) moves as xi' = w (xi - p): away from p, so that it stays near if
    and only if it is where they will press, weighted by how soon,

        xi = integral of w exp(-w t) p(t) over the time t to come

    (Koolen et al. 2012 call such a state capturable). At every time p may be anywhere in the
    support S(t), the convex hull of the soles that stand then. So xi must lie in the sum of these
    sets with those weights, which is convex; what lies beyond HORIZON goes to the support there.
    Steps that will come count as they come, where they come; before one, what stands on one side
    of the weight holds it the less, the later it comes. While no foot stands xi moves at v.

    In the last HORIZON of a run and before a reset it is NaN: the steps to come are not there.

    The distance is the least over DIRECTIONS of how much farther the set reaches than xi. A sole is
    a disc of the drawn pad, or two of half its width at heel and toe; of unequal ones the smallest
    radius counts. v and h are differences of poses.
    """
    ticks, rate = len(track.position), track.tick_rate
    soles, stands = _soles(track), ~track.is_swinging
    weight = stands / np.maximum(stands.sum(axis=1), 1)[:, None]
    feet = np.einsum("tl,tlk->tk", weight, track.tips)
    feet[~stands.any(axis=1)] = np.nan
    ups, is_up = track.body_ups(track.centre), np.asarray(stands.any(axis=1))
    heights = np.nan_to_num(((track.centre - feet) * ups).sum(axis=1), nan=np.inf)
    heights[~is_up] = track.definition.body.ride_height
    falls = np.sqrt(
        track.gravity[0].acceleration / np.maximum(heights, LOWEST * track.reach.mean())
    )
    drift = _drift(track)
    centre, soles = track.centre - drift, soles - drift[:, None, None]
    velocity = _velocity(track, centre)
    first = track.ahead - (track.ahead * ups).sum(axis=1)[:, None] * ups
    first /= np.linalg.norm(first, axis=1)[:, None]  # the same on every side of a planet
    second = np.cross(ups, first)
    angles = np.linspace(0.0, 2.0 * np.pi, DIRECTIONS, endpoint=False)
    circle = np.stack((np.cos(angles), np.sin(angles)))
    radius = min(leg.pad for leg in track.definition.all_legs)
    resets = np.append(np.flatnonzero(track.is_put_back), ticks)
    margins = np.full(ticks, np.nan)
    for tick in range(ticks):
        last = tick + round(HORIZON * rate)
        if last > resets[np.searchsorted(resets, tick, "right")]:
            continue
        ways = np.stack((first[tick], second[tick]), axis=-1) @ circle
        reaches = (soles[tick:last] - centre[tick]) @ ways  # of every sole, each way
        reaches[~stands[tick:last]] = -np.inf
        flights = np.diff(centre[tick:last], axis=0, append=centre[last - 1 : last])
        held = weighted(
            reaches.max(axis=(1, 2)), flights @ ways, is_up[tick:last], falls[tick] / rate
        )
        margins[tick] = (held - velocity[tick] / falls[tick] @ ways).min() + radius
    return margins


def weighted(reaches: Floats, flights: Floats, is_held: Flags, fall: float) -> Floats:
    """How far what captures a falling body reaches in each direction, (D,) [m].

    Args:
        reaches: (K, D) how far the support of each tick to come reaches [m].
        flights: (K, D) how far the body goes until the tick after [m].
        is_held: (K,) whether any foot stands.
        fall: w times the length of a tick.
    """
    if not is_held.any():
        return np.full(reaches.shape[1], -np.inf)
    ages = fall * np.concatenate(([0.0], np.cumsum(is_held)))
    left = np.exp(-ages)
    shares = left[:-1] - left[1:]
    shares[np.flatnonzero(is_held)[-1]] += left[-1]
    found: Floats = shares[is_held] @ reaches[is_held] - (left[:-1] * ~is_held) @ flights
    return found


def _soles(track: Track) -> Floats:
    """Points of each foot that touch the ground, (T, L, C, 3) [m, world].

    Of a sole that has rolled onto its heel or its toe just that end.
    """
    legs = track.definition.all_legs
    offsets = np.array([leg.contacts for leg in legs])
    lengths = np.array([2.0 * leg.sole[0][0] for leg in legs])
    rises = lengths * np.sin(track.foot_roll)  # of the end that is up
    heel = np.where(rises < -TOUCHES, offsets[:, 1], offsets[:, 0])
    toe = np.where(rises > TOUCHES, offsets[:, 0], offsets[:, 1])
    ahead = rotation_matrices(track.level_rotation)[..., 0]
    points = np.stack((heel, toe), axis=-1)[..., None] * ahead[:, :, None]
    found: Floats = track.tips[:, :, None] + points
    return found


def _drift(track: Track) -> Floats:
    """How far what the feet stand on has carried them since the first tick, (T, 3) [m, world].

    Of each tick the mean of the feet that stood in it and in the one before.
    """
    stood = ~track.is_swinging[1:] & ~track.is_swinging[:-1] & ~track.is_put_back[1:, None]
    weight = stood / np.maximum(stood.sum(axis=1), 1)[:, None]
    carried = np.einsum("tl,tlk->tk", weight, np.diff(track.tips, axis=0))
    return np.concatenate((np.zeros((1, 3)), np.cumsum(carried, axis=0)))


def _velocity(track: Track, centre: Floats) -> Floats:
    """Velocity of a centre of mass (T, 3) by differences to the tick before, (T, 3) [m/s].

    0 where the creature has just come, or was put back.
    """
    velocity = np.zeros_like(centre)
    velocity[1:] = np.diff(centre, axis=0) * track.tick_rate
    velocity[track.is_put_back] = 0.0
    return velocity

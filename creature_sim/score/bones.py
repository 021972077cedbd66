"""M27: bones in the ground or in props, at the thickness that is drawn.

A bone is a round bar with the radii of `LegDef.radii`. Left out are the last 5 % of the reach of
each leg, where the pad of the foot is, and lost legs.
"""

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths, tangents
from creature_sim.score.bars import is_bone
from creature_sim.score.metric import Metric, Verdict
from creature_sim.score.registry import register
from creature_sim.score.walk import EVERY_TICKS, FRACTIONS, Walk

PAD = 0.05
"""What is nearer to the tip than this fraction of the reach is the foot."""
UNSEEN = 0.002
"""Depths up to this one do not count [m]."""
LINES, SPOKES = 4, 8
"""Lines along the surface of a bone, and rays around a place of it."""
WAY_OUT = 0.5
"""The ground ends somewhere within this distance of a centre line that is in it [m]."""
PLACES = np.linspace(0.0, 1.0, 9)
"""Where depths are measured on a bone."""


@register("M27", "bones in ground")
def bones_in_ground(walk: Walk) -> Metric:
    """M27: fraction of ticks with a bone whose surface is more than 2 mm in the ground or a prop.

    Four lines along each bone, 2 mm within its surface, meet the ground, or its centre line is
    below it, against gravity. How deep it is there: the part of its radius that is in the
    ground, in eight directions across the bone; where the centre line is below ground, all of the
    radius and the shortest way out, up or across.
    """
    track = walk.track
    joints, radii = _without_feet(walk)
    below = (walk.bone_heights < 0.0) & ~_is_pad(walk)
    deep = _meets_ground(walk, joints, radii) | below.any(axis=-1)
    deep &= is_bone(track.plan) & ~track.is_lost[::EVERY_TICKS, :, None]
    share = float(deep.any(axis=(1, 2)).mean())
    tick, leg, bone = np.nonzero(deep)
    depths = _depths(walk, joints, radii, tick, leg, bone)
    worst = float((depths / track.reach[leg]).max(initial=0.0))
    verdict: Verdict = "fail"
    if share <= 0.01 and worst <= 0.02:
        verdict = "excellent" if share <= 0.002 and worst <= 0.01 else "pass"
    text = "fraction of ticks with a bone more than 2 mm in the ground"
    millimetres = 1e3 * float(depths.max(initial=0.0))
    return Metric(share, verdict, f"{text}; deepest {worst:.4f} L, {millimetres:.1f} mm")


def _kept(walk: Walk) -> Floats:
    """Fractions of the lengths of last bones that are no foot, (L,)."""
    plan = walk.track.plan
    last = plan.lengths[np.arange(len(plan.lengths)), plan.legs["bone_count"] - 1]
    return np.asarray(np.maximum(0.0, 1.0 - PAD * walk.track.reach / last))


def _is_pad(walk: Walk) -> NDArray[np.bool_]:
    """Which samples of `Walk.bone_heights` are on feet, (L, J - 1, M)."""
    bones, last = walk.track.plan.lengths.shape[1], walk.track.plan.legs["bone_count"] - 1
    is_last = np.arange(bones) == last[:, None]
    return np.asarray(is_last[..., None] & (_kept(walk)[:, None, None] < FRACTIONS))


def _without_feet(walk: Walk) -> tuple[Floats, Floats]:
    """Ends of bones, (T / 3, L, J - 1, 2, 3), and radii there, (L, J - 1, 2), without feet [m]."""
    plan, joints = walk.track.plan, walk.track.joints[::EVERY_TICKS]
    ends = np.stack((joints[:, :, :-1], joints[:, :, 1:]), axis=3)
    radii = np.stack((plan.radii[:, :-1], plan.radii[:, 1:]), axis=2)
    legs, last = np.arange(len(radii)), plan.legs["bone_count"] - 1
    kept = _kept(walk)
    start, end = ends[:, legs, last, 0], ends[:, legs, last, 1]
    ends[:, legs, last, 1] = start + kept[:, None] * (end - start)
    first, tip = radii[legs, last].T
    radii[legs, last, 1] = first + kept * (tip - first)
    return ends, radii


def _meets_ground(walk: Walk, ends: Floats, radii: Floats) -> NDArray[np.bool_]:
    """Whether a line along a bone, 2 mm within its surface, meets the ground, (T / 3, L, J - 1)."""
    across = _across(ends, walk.track.up[::EVERY_TICKS, None, None], LINES)
    offsets = np.maximum(0.0, radii - UNSEEN)[..., None]
    first, last = (ends[..., None, end, :] + across * offsets[..., None, end, :] for end in (0, 1))
    ticks = np.arange(len(walk.track.tips))[::EVERY_TICKS]
    fractions = walk.surface.fractions(first, last, ticks).min(axis=-1)
    return np.asarray(fractions < 1.0)


def _depths(
    walk: Walk,
    ends: Floats,
    radii: Floats,
    tick: NDArray[np.int64],
    leg: NDArray[np.int64],
    bone: NDArray[np.int64],
) -> Floats:
    """How deep bones are in the ground where they are deepest, (K,) [m]; K indices of each."""
    bars, sizes = ends[tick, leg, bone], radii[leg, bone]
    rows = tick * EVERY_TICKS
    points = bars[:, None, 0] + PLACES[:, None] * (bars[:, None, 1] - bars[:, None, 0])
    radius = sizes[:, :1] + PLACES * (sizes[:, 1:] - sizes[:, :1])
    ups = walk.track.up[rows]
    heights = walk.heights_on_bones(points, PLACES, rows, leg, bone)
    directions = np.broadcast_to(_across(bars, ups, SPOKES)[:, None], (*radius.shape, SPOKES, 3))
    starts = np.broadcast_to(points[:, :, None], directions.shape)
    spokes = directions * radius[..., None, None]
    free = walk.surface.fractions(starts, starts + spokes, rows).min(axis=-1, initial=1.0)
    way = WAY_OUT * walk.surface.fractions(starts, starts + WAY_OUT * directions, rows)
    out = np.minimum(-heights, np.where(way > 0.0, way, np.inf).min(axis=-1, initial=WAY_OUT))
    depths: Floats = np.where(heights < 0.0, radius + out, radius * (1.0 - free)).max(axis=1)
    return depths


def _across(ends: Floats, ups: Floats, count: int) -> Floats:
    """Unit directions across bars (..., 2, 3), (..., count, 3): the first points down."""
    along = ends[..., 1, :] - ends[..., 0, :]
    along = along / np.maximum(lengths(along), 1e-12)[..., None]
    down = along * (along * ups).sum(axis=-1, keepdims=True) - ups
    size = lengths(down)[..., None]
    # Nothing across an upright bar points down.
    down = np.where(size > 1e-6, down / np.maximum(size, 1e-6), tangents(along)[0])
    aside = np.cross(along, down)
    angles = 2.0 * np.pi * np.arange(count)[:, None] / count
    found: Floats = np.cos(angles) * down[..., None, :] + np.sin(angles) * aside[..., None, :]
    return found

"""M11 to M16: how the body goes."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import WorldDef
from creature_sim.maths import Floats
from creature_sim.score.metric import Metric, Verdict, judge, not_applicable
from creature_sim.score.rhythm import steady
from creature_sim.score.surface import Surface, level_axes
from creature_sim.score.track import Flags, Track, ups

LEVEL = 0.05  # m: ground that rises and falls less than this below body and feet over a run is flat


def support_margin(track: Track) -> Floats:
    """Signed distance of the body's projection to the edge of the support polygon, (T,) [m].

    Negative outside (McGhee and Frank 1968). Seen along the weight; with fewer than three feet on
    the ground the margin is minus the distance to the point or line that they span.
    """
    margins = np.empty(len(track.position))
    axes = np.stack(level_axes(track.ups_at(track.centre)), axis=-1)
    feet = np.einsum("tlk,tki->tli", track.tips - track.centre[:, None], axes)
    for tick, (points, swings) in enumerate(zip(feet, track.is_swinging, strict=True)):
        margins[tick] = _margin(points[~swings])
    return margins


def _margin(points: Floats) -> float:
    """Signed distance of the origin to the convex hull of points (P, 2), positive inside."""
    if len(points) == 0:
        return -np.inf
    hull = convex_hull(points)
    edges = np.roll(hull, -1, axis=0) - hull
    lengths = np.maximum(np.linalg.norm(edges, axis=1), 1e-12)
    inside = np.inf
    if len(hull) >= 3:
        inside = float(((edges[:, 1] * hull[:, 0] - edges[:, 0] * hull[:, 1]) / lengths).min())
        if inside >= 0.0:
            return inside
    share = np.clip(-(hull * edges).sum(axis=1) / lengths**2, 0.0, 1.0)
    return -float(np.linalg.norm(hull + share[:, None] * edges, axis=1).min())


def convex_hull(points: Floats) -> Floats:
    """Convex hull of (P, 2), counter-clockwise (Andrew 1979)."""
    ordered = sorted(map(tuple, points.tolist()))
    if len(ordered) < 3:
        return np.array(ordered)

    def chain(run: list[tuple[float, ...]]) -> list[tuple[float, ...]]:
        found: list[tuple[float, ...]] = []
        for p in run:
            while len(found) > 1:
                (ax, ay), (bx, by) = found[-2], found[-1]
                if (bx - ax) * (p[1] - ay) - (by - ay) * (p[0] - ax) > 0.0:
                    break
                found.pop()
            found.append(p)
        return found[:-1]

    return np.array(chain(ordered) + chain(ordered[::-1]))


def stability_margin(track: Track, margins: Floats) -> Metric:
    """M11: how well the body stays over its feet, from its `support_margin`."""
    reason = track.definition.imbalance
    if reason:
        return not_applicable(f"dynamic by design: {reason}")
    share, mean = float((margins > 0.0).mean()), float(margins.mean() / track.reach.mean())
    needed = 0.99 if len(track.definition.all_legs) >= 6 else 0.95
    verdict: Verdict = "fail"
    if share >= needed and mean >= 0.05:
        verdict = "excellent" if share == 1.0 and mean >= 0.1 else "pass"
    return Metric(mean, verdict, f"mean, share of L; inside in {100 * share:.1f} % of frames")


def body_smoothness(track: Track, surface: Surface) -> Metric:
    """M12: bob of the body on flat ground over ride height; the jerk is told everywhere."""
    jerk = log_dimensionless_jerk(track)
    body = track.altitudes(track.position)
    ground = body - surface.heights(track.position, track.ups_at(track.position))
    ticks = steady(track) > 0.0
    stands = track.altitudes(track.tips[~track.is_swinging])
    if np.ptp(ground) > LEVEL or np.ptp(stands) > LEVEL:
        return Metric(None, "n/a", f"bob counts on flat ground only; log jerk {jerk:.1f}")
    if ticks.sum() < track.tick_rate:
        return not_applicable(f"less than 1 s of steady walking; log jerk {jerk:.1f}")
    height = (body - ground)[ticks]
    bob = float(np.ptp(height) / track.definition.body.ride_height)
    return judge(bob, 0.08, 0.04, f"bob over ride height; log jerk {jerk:.1f}")


def log_dimensionless_jerk(track: Track) -> float:
    """Minus the log of (T^3 / v_peak^2) times the integral of the squared change of acceleration.

    Balasubramanian et al. 2015, with the body's acceleration in place of a hand's.
    """
    dt = 1.0 / track.tick_rate
    velocity = np.gradient(track.position, dt, axis=0)
    jerk = np.gradient(np.gradient(velocity, dt, axis=0), dt, axis=0)
    peak = float(np.linalg.norm(velocity, axis=1).max())
    if peak < 1e-9:
        return 0.0
    whole = float((jerk**2).sum() * dt)
    seconds = len(velocity) * dt
    return -float(np.log(max(seconds**3 / peak**2 * whole, 1e-12)))


def rotation_pops(track: Track) -> Metric:
    """M13: largest turn in a 60th of a second, against 5, 2 and 2 degrees."""
    scale = track.tick_rate / 60.0
    foot = np.where(track.is_lost[1:], 0.0, _turns(track.foot_rotation) * scale)
    planted = ~track.is_swinging[1:] & ~track.is_swinging[:-1]
    body = float(_turns(track.orientation).max() * scale)
    any_foot = float(foot.max())
    standing = float(foot[planted].max()) if planted.any() else 0.0
    share = max(any_foot / 5.0, standing / 2.0, body / 2.0)
    text = f"foot {any_foot:.1f}, planted foot {standing:.1f}, body {body:.1f} degrees a frame"
    return judge(share, 1.0, 0.5, f"share of what is allowed; {text}")


def _turns(rotations: Floats) -> Floats:
    """Angles between successive quaternions (T, ..., 4), (T - 1, ...) [degrees]."""
    products = np.abs((rotations[1:] * rotations[:-1]).sum(axis=-1))
    # Half-angle by the sine: exact where the cosine is nearly 1.
    sign = np.sign((rotations[1:] * rotations[:-1]).sum(axis=-1, keepdims=True))
    half = np.linalg.norm(
        rotations[1:] * np.where(sign == 0.0, 1.0, sign) - rotations[:-1], axis=-1
    )
    angles: Floats = np.degrees(
        np.where(
            products > 0.5,
            4.0 * np.arcsin(np.minimum(1.0, half / 2.0)),
            2.0 * np.arccos(np.minimum(1.0, products)),
        )
    )
    return angles


def body_tilt(track: Track) -> Metric:
    """M14: angle between the up of every segment and the normal of its footholds' plane.

    Its footholds are the latest of each of its legs and its neighbours': a foot in the air counts
    where it stood last, as the ground under a walker is estimated by Bledt et al. 2018. Feet that
    happen to stand alone would not do: the plane of three jumps with each that lifts.
    """
    if track.is_swinging.shape[1] < 3:
        return not_applicable("two feet span no plane")
    home = np.array([leg.segment for leg in track.definition.all_legs])
    footholds = _latest_footholds(track)
    values = np.concatenate(
        [
            _tilts(track, footholds, segment, np.flatnonzero(abs(home - segment) <= 1))
            for segment in range(track.orientations.shape[1])
        ]
    )
    if not len(values):
        return not_applicable("fewer than three feet stood at any time")
    rms, p95 = float(np.sqrt(np.mean(np.square(values)))), float(np.quantile(values, 0.95))
    verdict: Verdict = "fail"
    if rms <= 5.0 and p95 <= 10.0:
        verdict = "excellent" if rms <= 2.5 and p95 <= 5.0 else "pass"
    return Metric(rms, verdict, f"degrees RMS; p95 {p95:.1f}")


def _latest_footholds(track: Track) -> Floats:
    """Where every foot stands, or stood last, (T, L, 3) [m, world]; NaN before it ever did."""
    ticks = np.where(track.is_swinging, -1, np.arange(len(track.tips))[:, None])
    latest = np.maximum.accumulate(ticks, axis=0)
    tips = np.take_along_axis(track.tips, np.maximum(latest, 0)[..., None], axis=0)
    return np.where((latest < 0)[..., None], np.nan, tips)


def _tilts(track: Track, footholds: Floats, segment: int, legs: NDArray[np.int64]) -> Floats:
    """Angles of a segment to the plane of its legs' footholds, where they span one [degrees]."""
    is_there = ~track.is_lost[:, legs] & ~np.isnan(footholds[:, legs, 0])
    up = ups(track.orientations[:, segment])
    values = []
    for tick in np.flatnonzero(is_there.sum(axis=1) >= 3).tolist():
        points = footholds[tick, legs[is_there[tick]]]
        _, sizes, axes = np.linalg.svd(points - points.mean(axis=0))
        if sizes[1] > 0.1 * sizes[0]:
            values.append(np.degrees(np.arccos(min(1.0, abs(float(axes[2] @ up[tick]))))))
    return np.array(values)


def command_tracking(track: Track) -> Metric:
    """M15: difference of velocity and command, 1 s after a change, where the ground lets it go."""
    asked = np.linalg.norm(track.wanted[:, :2], axis=1)
    ticks = (steady(track) > 0.0) & (asked > 1e-6)
    if ticks.sum() < track.tick_rate:
        return not_applicable("no command to walk held for 2 s")
    off = np.linalg.norm(track.velocity - track.wanted[:, :2], axis=1)[ticks] / asked[ticks]
    text = "mean difference over the command"
    held = float(track.is_held_back.mean())
    if held > 0.0:
        text += f"; ground held it back for {100 * held:.1f} % of the time"
    return judge(float(off.mean()), 0.05, 0.01, text)


def is_falling(track: Track, surface: Surface, margins: Floats) -> str:
    """How a creature fell, if it did: below ground, tipped over, or off its feet too long."""
    upright = track.ups_at(track.position)
    if (surface.heights(track.position, upright) < 0.0).any():
        return "the body is below the ground"
    if ((track.up * upright).sum(axis=-1) < 0.5).any():
        return "the body is tipped over by more than 60 degrees"
    if not track.definition.imbalance:
        off = margins < -0.1 * track.reach.mean()
        if _longest(off) >= 0.5 * track.tick_rate:
            return "the body was beside its feet for half a second"
    return ""


def _longest(flags: Flags) -> int:
    """Length of the longest run of true flags."""
    best = run = 0
    for flag in flags.tolist():
        run = run + 1 if flag else 0
        best = max(best, run)
    return best


def success(
    track: Track, surface: Surface, margins: Floats, world: WorldDef, failed: list[str]
) -> Metric:
    """M16: this one run: not fallen, got somewhere if asked to, and M3, M4, M6 pass."""
    fall = is_falling(track, surface, margins)
    if fall:
        return Metric(0.0, "fail", f"fell on {world.terrain.kind}: {fall}")
    if failed:
        return Metric(0.0, "fail", f"{', '.join(failed)} failed")
    way = float(np.linalg.norm(np.diff(track.position, axis=0), axis=1).sum())
    asked = float(np.linalg.norm(track.wanted[:, :2], axis=1).sum() / track.tick_rate)
    if way < 0.3 * asked:
        return Metric(0.0, "fail", f"stuck: went {way:.1f} m of {asked:.1f} m asked for")
    return Metric(1.0, "excellent", f"went {way:.1f} m on {world.terrain.kind}")

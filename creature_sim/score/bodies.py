"""M11 to M16 and M21: what the body does, and whether the walk succeeds."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import FLYING_FREE
from creature_sim.locomotion.gravity import TIPPED
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_angles, rotation_matrices
from creature_sim.score.feet import penetration, reach_use, touchdown_error
from creature_sim.score.metric import Metric, Verdict, judge, not_applicable
from creature_sim.score.reading import Flags, spans
from creature_sim.score.registry import Measure, register
from creature_sim.score.rhythm import steady
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk

SOUND: dict[str, Measure] = {"M3": touchdown_error, "M4": penetration, "M6": reach_use}
"""A walk that fails one of these is no success."""

MEAN_MARGIN = ((0.02, 0.04), (0.05, 0.1))
"""Mean support margin over L that passes, and is excellent: with three legs or fewer, with more."""
SAFE = (0.99, 1.0)
"""Fraction of ticks with a positive margin that is excellent, likewise."""

LEVEL = 0.05  # m: ground that rises and falls less than this below body and feet over a run is flat

TURNS = 0.9
"""Cosine between a foot's ground and the support, below which that turns below the body."""

MAX_DELAY = 0.25
"""Feet that step high may take this fraction of the speed that is asked for, on the mean."""


@register("M11", "stability margin", larger_is_better=True)
def stability_margin(walk: Walk) -> Metric:
    """M11: mean support margin, as a fraction of the mean reach L.

    It has to be positive in 99 % of ticks (95 % with five legs or fewer), and MEAN_MARGIN of L on
    the mean: of two feet that fall from one to the other the soles are not wider.
    """
    track = walk.track
    margins = walk.margins[~(track.leaps | track.runs)]
    if not len(margins):
        return not_applicable("it only leapt, fell or ran")
    margins = margins[~np.isnan(margins)]
    if not len(margins):
        return not_applicable("it was too short to show the steps that catch it")
    inside = float((margins > 0.0).mean())
    mean = float(margins.mean() / track.reach.mean())
    count = len(track.definition.all_legs)
    needed, (passes, excels) = 0.99 if count >= 6 else 0.95, MEAN_MARGIN[count > 3]
    verdict: Verdict = "fail"
    if inside >= needed and mean >= passes:
        verdict = "excellent" if inside >= SAFE[count > 3] and mean >= excels else "pass"
    return Metric(mean, verdict, f"mean / L; positive in {100 * inside:.1f} % of ticks")


@register("M12", "body smoothness")
def body_smoothness(walk: Walk) -> Metric:
    """M12: bob of the body over its ride height, on flat ground; the reason gives the jerk.

    Of each time that a command held: who is told to crouch does not bob.
    """
    track = walk.track
    jerk = log_dimensionless_jerk(track)
    ticks = (steady(track) > 0.0) & ~track.runs
    if not is_flat(walk):
        return not_applicable(f"bob counts on flat ground only; log jerk {jerk:.1f}")
    if ticks.sum() < track.tick_rate:
        return not_applicable(f"less than 1 s of steady walking; log jerk {jerk:.1f}")
    height = walk.body_heights
    largest = max(float(np.ptp(height[first:last])) for _, first, last in spans(ticks[:, None]))
    bob = largest / track.definition.body.ride_height
    return judge(bob, 0.08, 0.04, f"bob / ride height; log jerk {jerk:.1f}")


def is_flat(walk: Walk) -> bool:
    """Whether the ground rises and falls by less than LEVEL below body and feet."""
    track = walk.track
    ground = track.altitudes(track.position) - walk.body_heights
    return bool(np.ptp(ground) <= LEVEL and _rise(track) <= LEVEL)


def _rise(track: Track) -> float:
    """Difference in altitude of the highest and the lowest foothold [m]."""
    stands = track.altitudes(track.tips[~track.is_swinging])
    return float(np.ptp(stands)) if len(stands) else 0.0


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


@register("M13", "rotation pops")
def rotation_pops(walk: Walk) -> Metric:
    """M13: largest turn in a 60th of a second over what is allowed.

    Allowed are 5 degrees for a foot, 2 for a planted foot, beside what its sole rolls, and 2 for
    the body: its first segment; the reason gives what the others of a trunk turn.
    """
    track = walk.track
    scale = track.tick_rate / 60.0
    walks = ~track.is_put_back[1:]
    foot = np.where(track.is_lost[1:], 0.0, _turns(track.foot_rotation) * scale)[walks]
    level = np.where(track.is_lost[1:], 0.0, _turns(track.level_rotation) * scale)[walks]
    planted = (~track.is_swinging[1:] & ~track.is_swinging[:-1])[walks]
    segments = _turns(track.orientations)[walks].max(axis=0) * scale
    body = float(segments[0])
    any_foot = float(foot.max())
    standing = float(level[planted].max()) if planted.any() else 0.0
    largest = max(any_foot / 5.0, standing / 2.0, body / 2.0)
    text = f"foot {any_foot:.1f}, planted foot {standing:.1f}, body {body:.1f} degrees in 1/60 s"
    if len(segments) > 1:
        text += f", another segment {segments[1:].max():.1f}"
    return judge(largest, 1.0, 0.5, f"largest turn / limit; {text}")


def _turns(rotations: Floats) -> Floats:
    """Angles between successive quaternions (T, ..., 4), (T - 1, ...) [degrees]."""
    return np.degrees(rotation_angles(rotations[:-1], rotations[1:]))


@register("M14", "body tilt")
def body_tilt(walk: Walk) -> Metric:
    """M14: RMS angle between a segment's up and the normal of the plane of its footholds [degrees].

    The footholds are the latest ones of the segment's legs and its neighbours' legs: a foot in the
    air counts where it last stood, as in the ground estimate of Bledt et al. 2018. The feet that
    stand at the moment are not enough: the plane through three of them jumps whenever one lifts.
    """
    track = walk.track
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
        return not_applicable("there were never three footholds")
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
    is_there &= ~track.leaps[:, None]
    (ticks,) = np.nonzero(is_there.sum(axis=1) >= 3)
    counts = is_there[ticks][..., None]
    points = np.where(counts, footholds[ticks][:, legs], 0.0)
    middles = points.sum(axis=1, keepdims=True) / counts.sum(axis=1, keepdims=True)
    off = np.where(counts, points - middles, 0.0)
    squares, axes = np.linalg.eigh(np.swapaxes(off, 1, 2) @ off)  # ascending
    up = rotation_matrices(track.orientations[ticks, segment])[..., 2]
    cosines = np.abs((axes[..., 0] * up).sum(axis=1))[squares[:, 1] > 0.01 * squares[:, 2]]
    tilts: Floats = np.degrees(np.arccos(np.minimum(1.0, cosines)))
    return tilts


@register("M15", "command tracking")
def command_tracking(walk: Walk) -> Metric:
    """M15: mean difference of velocity and command over the command.

    Counted from 1 s after a change of command on. Where the ground is not flat, ticks in which the
    body waits for feet that step high do not count, as long as it is MAX_DELAY off in all at most.
    """
    track = walk.track
    asked = np.linalg.norm(track.wanted[:, :2], axis=1)
    ticks = (steady(track) > 0.0) & (asked > 1e-6) & ~track.leaps
    if ticks.sum() < track.tick_rate:
        return not_applicable("no command to walk held for 2 s")
    off = np.linalg.norm(track.velocity - track.wanted[:, :2], axis=1) / np.maximum(asked, 1e-6)
    value, text = float(off[ticks].mean()), "mean difference / command"
    waits = ticks & track.is_waiting
    if waits.any():
        text += (
            f"; it waited for feet that stepped high {100 * waits.sum() / ticks.sum():.1f} % of "
            f"the time, {value:.2f} with that"
        )
        if value <= MAX_DELAY and _rise(track) > LEVEL:
            ticks &= ~waits
            if ticks.sum() < track.tick_rate:
                return not_applicable(f"less than 1 s without waiting; {text}")
            value = float(off[ticks].mean())
    held = float(track.is_held_back.mean())
    if held > 0.0:
        text += f"; the ground held it back {100 * held:.1f} % of the time"
    return judge(value, 0.05, 0.01, text)


def fall_of(walk: Walk) -> str:
    """How the creature fell: below ground, tipped over, or too long off its feet; empty if not.

    Who climbs has also fallen where no foot held, and it flew. Before its feet are on a wall it
    turns up it: of it only half a second tipped over counts. Nor is it off its feet in a corner or
    at an edge, where it holds on to both sides and no plane is below it; there it is tipped over
    if it faces none of them, and none of its feet clamps it from the other side: astride the rim of
    something thin it faces neither.
    """
    track = walk.track
    long = 0.5 * track.tick_rate
    if track.climbs and (track.flight == FLYING_FREE).any():
        return "it lost its hold"  # and in the air any ground may be above it
    if (walk.body_heights < 0.0).any():
        return "the body is below the ground"
    tipped = (track.up * walk.support_ups).sum(axis=-1) < TIPPED
    if track.climbs:
        faces = (track.foot_ups * track.up[:, None]).sum(axis=-1) >= TIPPED
        clamps = _agreement(walk) < -TIPPED
        tipped &= ~((faces | clamps) & ~track.is_swinging).any(axis=1)
    if _longest(tipped) >= (long if track.climbs else 1.0):
        return "the body is tipped over by more than 60 degrees"
    if track.twin is not None and track.twin.is_down.any():
        return "the body lay on the ground"
    off = (walk.margins < -0.1 * track.reach.mean()) & ~(track.leaps | track.runs)
    if track.climbs:
        off &= ~_stands_round(walk)
    if _longest(off) >= long:
        return "the body was beside its feet for half a second"
    return ""


def _stands_round(walk: Walk) -> Flags:
    """Whether the ground of feet turns below the body, as in corners and at edges, (T,)."""
    turns: Flags = (_agreement(walk) < TURNS) & ~walk.track.is_swinging
    found: Flags = np.any(turns, axis=1)
    return found


def _agreement(walk: Walk) -> Floats:
    """Cosines between what each foot stands on and the support, (T, L)."""
    found: Floats = (walk.track.foot_ups * walk.support_ups[:, None]).sum(axis=-1)
    return found


def _longest(flags: Flags) -> int:
    """Length of the longest run of true flags."""
    best = run = 0
    for flag in flags.tolist():
        run = run + 1 if flag else 0
        best = max(best, run)
    return best


@register("M16", "success", larger_is_better=True)
def success(walk: Walk) -> Metric:
    """M16: 1 if it did not fall, got somewhere where it was asked to, and passes M3, M4 and M6."""
    track = walk.track
    fall = fall_of(walk)
    if fall:
        return Metric(0.0, "fail", f"fell on {walk.terrain}: {fall}")
    failed = [key for key, measure in SOUND.items() if measure(walk).verdict == "fail"]
    if failed:
        return Metric(0.0, "fail", f"{', '.join(failed)} failed")
    moved = np.linalg.norm(np.diff(track.position, axis=0), axis=1)
    distance, asked = float(moved[~track.is_put_back[1:]].sum()), asked_path(track)
    if distance < 0.3 * asked:
        if len(track.position) < track.tick_rate:
            return not_applicable("it was there for less than 1 s, too short to get anywhere")
        return Metric(0.0, "fail", f"stuck: went {distance:.1f} m of {asked:.1f} m asked for")
    return Metric(1.0, "excellent", f"went {distance:.1f} m on {walk.terrain}")


def asked_path(track: Track) -> float:
    """Length of the path that the commands ask for, at the acceleration of the plan [m]."""
    return float(np.cumsum(asked_speeds(track) / track.tick_rate)[-1])


def asked_speeds(track: Track) -> Floats:
    """Speeds that the commands ask for, at the acceleration of the plan, (T,) [m/s].

    Who is told to go another way at every tick is not asked to get anywhere.
    """
    speeds: Floats = np.hypot(track.asked_twists[:, 0], track.asked_twists[:, 1])
    return speeds


@register("M21", "cost")
def cost(walk: Walk) -> Metric:
    """M21: rays cast per leg and tick; the reason gives the time of computing."""
    if walk.rays is None:
        return not_applicable("not counted")
    spent = "" if walk.microseconds is None else f"; {walk.microseconds:.1f} us per leg and tick"
    return judge(walk.rays, 4.0, 3.0, f"rays per leg and tick{spent}")

"""M9, M10, M18, M20: when feet step."""

import numpy as np

from creature_sim.components import BY_PHASE
from creature_sim.definitions import PhaseGaitDef
from creature_sim.maths import Floats
from creature_sim.score.metric import Metric, judge, not_applicable
from creature_sim.score.registry import register
from creature_sim.score.track import Track
from creature_sim.score.walk import Walk

SETTLED = 1.0  # s after a change of command
ROLLS = 0.1
"""A body that goes faster, over sqrt(g L), does not stand: it comes to a stop, or was pushed."""
ANEW = 20.0
"""A creature that lives while it stands may set a foot anew once in so long a time [s]."""


def steady(track: Track, seconds: float = SETTLED) -> Floats:
    """Ticks before which one command to move has held for so long: (T,) of 0 and 1.

    Ticks at which the ground holds the creature back do not count: one that stands before a cliff
    is not judged by its pace. One that was put back to its start begins anew.
    """
    same = np.concatenate(([False], (np.diff(track.wanted, axis=0) == 0.0).all(axis=1)))
    goes = same & track.is_asked_to_move & ~track.is_held_back & ~track.is_put_back
    run, wanted = 0, round(seconds * track.tick_rate)
    found = np.zeros(len(same))
    for tick, holds in enumerate(goes):
        run = run + 1 if holds else 0
        found[tick] = run >= wanted
    return found


def stride_ticks(track: Track, first: int, last: int) -> float:
    """Mean time from one lift-off of a leg to its next [ticks]; inf where legs lift too seldom."""
    lifts = np.diff(track.is_swinging[first:last].astype(int), axis=0) == 1
    counts = lifts.sum(axis=0)
    if counts.min(initial=2) < 2:
        return float("inf")
    gaps = [np.diff(np.flatnonzero(leg)).mean() for leg in lifts.T]
    return float(np.mean(gaps))


@register("M9", "duty factor")
def duty_factor(walk: Walk) -> Metric:
    """M9: difference between the fraction of time that feet stand and the gait's duty factor."""
    track = walk.track
    if not isinstance(track.definition.gait, PhaseGaitDef):
        return not_applicable("a reactive gait has no duty factor of its own")
    ticks = steady(track) > 0.0
    if ticks.sum() < 2 * track.tick_rate:
        return not_applicable("less than 2 s of steady walking")
    duty = float((~track.is_swinging[ticks])[~track.is_lost[ticks]].mean())
    wanted = float(track.duty_factor[ticks].mean())
    text = f"stands {duty:.3f} of the time; the gait's duty factor is {wanted:.3f}"
    return judge(abs(duty - wanted), 0.05, 0.02, text)


@register("M10", "phase regularity")
def phase_regularity(walk: Walk) -> Metric:
    """M10: circular standard deviation of how late feet lift, each leg's about its own mean.

    Late against the phase in which they are due: that shifts with the duty factor, which depends on
    the speed that is asked for. Counted in the gait's most used cycle, while the command held.
    """
    track = walk.track
    if not isinstance(track.definition.gait, PhaseGaitDef):
        return not_applicable("a reactive gait keeps no phase")
    ticks = (steady(track) > 0.0) & ~track.is_lost.any(axis=1)
    if not ticks.any():
        return not_applicable("no command to walk held")
    ticks &= track.cycle == np.bincount(track.cycle[ticks]).argmax()
    late = track.phase[:, None] + track.phase_offset - track.duty_factor[:, None]
    lifts: dict[int, list[float]] = {}
    out_of_turn = 0
    for leg, first, _ in track.swings():
        if ticks[first]:
            lifts.setdefault(leg, []).append(float(late[first, leg]))
            out_of_turn += track.reason[first, leg] != BY_PHASE
    if len(lifts) < track.is_swinging.shape[1] or min(map(len, lifts.values())) < 4:
        return not_applicable("fewer than four cycles of steady walking")
    lengths = [abs(np.exp(2j * np.pi * np.array(phases)).sum()) for phases in lifts.values()]
    count = sum(map(len, lifts.values()))
    length = sum(lengths) / count
    spread = np.sqrt(-2.0 * np.log(np.clip(length, 1e-12, 1.0))) / (2.0 * np.pi)
    text = "spread of how late feet lift about each leg's mean, in cycles"
    if out_of_turn:
        share = 100.0 * out_of_turn / count
        text += f"; {share:.1f} % of the steps came out of turn, where the ground or a curve asked"
    return judge(float(spread), 0.05, 0.02, text)


@register("M18", "idle shuffles")
def idle_shuffles(walk: Walk) -> Metric:
    """M18: steps that begin later than 1 s after stopping, per leg.

    Nobody stops astride what may leave, nor in a leap, nor while a push moves its body. Where
    `motion.idle` asks for it, a foot may be set anew now and then: one step of a leg in 20 s is
    none that counts.
    """
    track = walk.track
    length = float(track.reach.mean())
    rolls = ROLLS * np.sqrt(float(track.gravity[0].acceleration) * length)
    rests = np.linalg.norm(track.velocity, axis=1) < rolls
    still = ~track.is_asked_to_move & ~track.is_astride & ~track.leaps & rests
    run = np.zeros(len(still), int)
    for tick in range(1, len(still)):
        run[tick] = run[tick - 1] + 1 if still[tick] else 0
    late = run > track.tick_rate
    if not late.any():
        return not_applicable("it never stood for more than 1 s")
    counts = np.zeros(track.is_swinging.shape[1])
    free = np.full(len(counts), -ANEW * track.tick_rate)
    for leg, first, _ in track.swings():
        is_free = track.definition.motion.idle > 0.0 and first - free[leg] >= ANEW * track.tick_rate
        if late[first] and is_free:
            free[leg] = first
        else:
            counts[leg] += late[first]
    return judge(float(counts.max()), 1.0, 0.0, "late steps of the leg that took most of them")


@register("M20", "Froude number")
def froude_number(walk: Walk) -> Metric:
    """M20: v^2 / (g L); a walk is at most 0.5."""
    track = walk.track
    walks = ~(track.leaps | track.runs)
    if not walks.any():
        return not_applicable("it only leapt, fell or ran")
    v = float(np.quantile(np.linalg.norm(track.velocity[walks], axis=1), 0.95))
    length = float(track.reach.mean())
    number = v * v / (track.gravity[0].acceleration * length)
    return judge(number, 0.5, 0.4, f"at {v:.2f} m/s with legs of {length:.2f} m")

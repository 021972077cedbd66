"""M9, M10, M18, M20: when feet step."""

import numpy as np

from creature_sim.definitions import PhaseGaitDef
from creature_sim.maths import Floats
from creature_sim.score.metric import Metric, judge, not_applicable
from creature_sim.score.track import Track

SETTLED = 1.0  # s after a change of command


def steady(track: Track, seconds: float = SETTLED) -> Floats:
    """Ticks at which the command has been to move, and the same, for so long: (T,) of 0 and 1.

    And the ground has let it: a creature that stands before a cliff is not judged by its pace.
    """
    same = np.concatenate(([False], (np.diff(track.wanted, axis=0) == 0.0).all(axis=1)))
    run, wanted = 0, round(seconds * track.tick_rate)
    found = np.zeros(len(same))
    for tick, holds in enumerate(same & track.is_asked_to_move & ~track.is_held_back):
        run = run + 1 if holds else 0
        found[tick] = run >= wanted
    return found


def duty_factor(track: Track) -> Metric:
    """M9: share of the time that feet stand, against the gait's."""
    if not isinstance(track.definition.gait, PhaseGaitDef):
        return not_applicable("a reactive gait has no duty factor of its own")
    ticks = steady(track) > 0.0
    if ticks.sum() < 2 * track.tick_rate:
        return not_applicable("less than 2 s of steady walking")
    duty = float((~track.is_swinging[ticks])[~track.is_lost[ticks]].mean())
    wanted = float(track.duty_factor[ticks].mean())
    text = f"stands {duty:.3f} of the time, the gait says {wanted:.3f}"
    return judge(abs(duty - wanted), 0.05, 0.02, text)


def phase_regularity(track: Track) -> Metric:
    """M10: circular standard deviation of the phase at which legs lift, each about its own mean.

    In the gait's cycle that was used most, while the command held.
    """
    if not isinstance(track.definition.gait, PhaseGaitDef):
        return not_applicable("a reactive gait keeps no phase")
    ticks = (steady(track) > 0.0) & ~track.is_lost.any(axis=1)
    if not ticks.any():
        return not_applicable("no command to walk held")
    ticks &= track.cycle == np.bincount(track.cycle[ticks]).argmax()
    lifts: dict[int, list[float]] = {}
    for leg, first, _ in track.swings():
        if ticks[first]:
            lifts.setdefault(leg, []).append(float(track.phase[first]))
    if len(lifts) < track.is_swinging.shape[1] or min(map(len, lifts.values())) < 4:
        return not_applicable("fewer than four cycles of steady walking")
    lengths = [abs(np.exp(2j * np.pi * np.array(phases)).sum()) for phases in lifts.values()]
    length = sum(lengths) / sum(map(len, lifts.values()))
    spread = np.sqrt(-2.0 * np.log(max(length, 1e-12))) / (2.0 * np.pi)
    return judge(float(spread), 0.05, 0.02, "spread of legs' phases about their means, in cycles")


def idle_shuffles(track: Track) -> Metric:
    """M18: steps that begin later than 1 s after stopping, per leg."""
    still = ~track.is_asked_to_move
    run = np.zeros(len(still), int)
    for tick in range(1, len(still)):
        run[tick] = run[tick - 1] + 1 if still[tick] else 0
    late = run > track.tick_rate
    if not late.any():
        return not_applicable("it never stood for more than 1 s")
    counts = np.zeros(track.is_swinging.shape[1])
    for leg, first, _ in track.swings():
        counts[leg] += late[first]
    return judge(float(counts.max()), 1.0, 0.0, "late steps of the leg that took most")


def froude_number(track: Track) -> Metric:
    """M20: v^2 / (g L); a walk is at most 0.5."""
    v = float(np.quantile(np.linalg.norm(track.velocity, axis=1), 0.95))
    length = float(track.reach.mean())
    number = v * v / (track.gravity[0].acceleration * length)
    return judge(number, 0.5, 0.4, f"at {v:.2f} m/s with legs of {length:.2f} m")

"""Swings in time: how fast a foot in the air goes, and when it lands."""

from creature_sim.components import (
    FLYING,
    LIFTING,
    PHASE,
    STANDING,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    PlanRecord,
)
from creature_sim.maths import clamp, put, vec
from creature_sim.maths.jit import kernel

HURRY = 1.5
"""A late foot swings faster by this factor at most."""
SHORTEST_SWING = 0.12
"""A phase gait that would swing faster than this slows the body down [s]."""


@kernel
def swing_rate(plan: PlanRecord, gait: GaitRecord, foot: FootRecord) -> float:
    """Progress per second of a swing that is under way or begins now [1/s].

    Phase gaits measure it in displacement of the home that moves fastest, for all legs alike. A
    late foot hurries, within bounds, to stand when its phase says so. It is never slower than the
    plan's swing time, so that no foot hangs in the air when the body slows down; nor does it hurry
    beyond the shortest swing where something carries the body away.
    """
    slowest = 1.0 / plan.swing_time
    if plan.gait_kind != PHASE:
        return float(slowest)
    rate = gait.pace / gait.swing_length
    if foot.phase != STANDING:
        left = 1.0 - (gait.phase + foot.phase_offset) % 1.0  # of the cycle, until it should stand
        on_time = left <= 1.0 - gait.duty_factor
        wanted = (1.0 - foot.progress) * (1.0 - gait.duty_factor) / left if on_time else HURRY
        rate *= clamp(wanted, 1.0, HURRY)
    return float(clamp(rate, slowest, max(slowest, HURRY / SHORTEST_SWING)))


@kernel
def lands(plan: PlanRecord, gait: GaitRecord, foot: FootRecord, dt: float) -> bool:
    """Whether a foot in the air stands after this tick.

    Phase gaits end a swing when it is over; others at the tick that is nearest to that, so that
    long ticks do not make long swings.
    """
    ticks = 1.0 if plan.gait_kind == PHASE else 1.5
    left = 1.0 - foot.progress
    return bool(foot.phase == FLYING and left <= ticks * dt * swing_rate(plan, gait, foot))


@kernel
def seconds_to_touchdown(plan: PlanRecord, gait: GaitRecord, foot: FootRecord) -> float:
    """Time until a foot that lifts now, or is in the air, stands [s]."""
    left = 1.0 - foot.progress if foot.phase != STANDING else 1.0
    return float(left / swing_rate(plan, gait, foot))


@kernel
def lift_off(foot: FootRecord, foothold: FootholdRecord, reason: int) -> None:
    """Begin a swing; the apex of its arc is chosen once the ground below it is known."""
    foot.phase = LIFTING
    foot.reason = reason
    foot.progress = 0.0
    foot.apex = 0.0
    put(foot.track, vec(foot.position))
    put(foot.goal, vec(foothold.position))
    put(foot.goal_normal, vec(foothold.normal))
    foot.prop = foothold.prop

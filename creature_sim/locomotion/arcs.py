"""Arcs of feet in the air: a track over the ground, and an arch above it, without a jump."""

from math import floor, inf, sqrt

from creature_sim.components import FLYING, SAMPLED, FootRecord, PlanRecord
from creature_sim.locomotion.timing import (
    TOP_RISE,
    along_quintic,
    arch,
    bend_at,
    how_high,
    minimum_jerk,
    replan,
    settle,
)
from creature_sim.maths import (
    PI,
    Vec,
    add,
    along,
    angle_between,
    clamp,
    distance,
    dot,
    inverse_smoothstep,
    put,
    scale,
    sin,
    spring,
    sub,
    unit,
    vec,
)
from creature_sim.maths.jit import kernel

MAX_HOLD = 0.16
"""Largest fraction of a swing's time at either end in which a foot only rises or falls..."""
HALF_HOLD = 0.2
"""...half of it where the arc is higher than a usual step by this fraction of that."""
RAISE_STIFFNESS = 28.0
"""How fast the top of an arc rises when ground comes into view that it did not know of [1/s]..."""
LEAST_LIFT = 0.15
"""...and faster where the foot is lower on it, down to this fraction of its height..."""
TOO_LOW = 0.4
"""...and where more than this fraction of a usual step is missing, the foot waits where it is."""
PAST = 0.5
"""Who climbs waits for no higher arc from this fraction of a swing's time on."""
RATE_STIFFNESS = 50.0
"""How fast a foot in the air hurries, slows down and waits [1/s]."""
FIRST_TICK = 0.72
"""In its first tick a foot does this fraction of what it does in the next: it leaves the ground
softly, however long a tick is."""
LAST_TICKS = 5.0
"""Over so many ticks before it lands a foot is brought to have half a tick's way left for the last
one: it lands as softly."""
SETS_OUT_AGAIN = 0.16
"""A foot that has set out for less than this fraction of its time stops where it sees that it must
rise first."""
NEAR = 0.05
"""A foot lands if it is no farther from its goal than this fraction of the reach: none leaps."""
SOLE_RATE = 5.0
"""The foot of who climbs turns no faster than this in the air [rad/s]..."""
IN_TIME = 0.95
"""...and is given the time to turn its sole onto its goal's ground at this fraction of that."""
LOOKS, SOON = 8, 5
"""The rest of a swing is sampled `LOOKS` times for the speed and acceleration of its foot, and
`SOON` times for what its leg allows: that counts only for now, as the hip moves on."""


@kernel
def hold_of(plan: PlanRecord, apex: float) -> float:
    """Fraction of its time in which a foot only rises, or falls, at an end of an arc of this apex.

    To step over something unusually high that is near, a foot first rises, then moves. If that is
    near the goal, the foot first arrives above the goal, then comes down. So it does not scrape
    along an edge.
    """
    higher = max(0.0, apex / plan.step_height - 1.0)
    return float(MAX_HOLD * higher / (higher + HALF_HOLD))


@kernel
def over_arc(plan: PlanRecord, foot: FootRecord, up: Vec) -> Vec:
    """Direction in which a foot's path is looked down on: `up` of its segment.

    Of who climbs between what the ground faces at both ends: the path may lead round a corner.
    """
    if not plan.climbs:
        return up
    return unit(add(vec(foot.normal), vec(foot.goal_normal)), up)


@kernel
def away_of(foot: FootRecord, up: Vec) -> Vec:
    """Direction in which a foot's arc rises; `up` is of its segment."""
    return unit(add(up, vec(foot.normal)), up)


@kernel
def path_done(foot: FootRecord) -> float:
    """Fraction of its path over the ground that a foot would have behind it by now."""
    moves = 1.0 - foot.early_hold - foot.late_hold
    return minimum_jerk(clamp((foot.elapsed - foot.early_hold) / moves, 0.0, 1.0))[0]


@kernel
def time_of(foot: FootRecord, fraction: float) -> float:
    """Fraction of its time after which a foot has a fraction of its path behind it, within 6 %."""
    moves = 1.0 - foot.early_hold - foot.late_hold
    return foot.early_hold + moves * inverse_smoothstep(fraction)


@kernel
def keep_holds(plan: PlanRecord, foot: FootRecord, early: float, late: float) -> None:
    """Let a foot rise first, or come down last, where something high is near to its ends.

    Args:
        plan: numbers of the body.
        foot: in the air.
        early: apex of an arc over what is in the first half of its path [m].
        late: of one over what is in the second half [m].
    """
    hold = hold_of(plan, early)
    if foot.elapsed <= foot.early_hold:  # it has not moved yet
        foot.early_hold = max(foot.early_hold, hold)
    elif hold > foot.elapsed and foot.elapsed <= SETS_OUT_AGAIN:  # nor far
        foot.early_hold = hold
        put(foot.track_rate, (0.0, 0.0, 0.0))
        put(foot.track_bend, (0.0, 0.0, 0.0))
    if foot.elapsed < 0.5:
        foot.late_hold = max(foot.late_hold, hold_of(plan, late))


@kernel
def fastest_rate(
    plan: PlanRecord, foot: FootRecord, away: Vec, fastest: float, carried: float
) -> float:
    """Rate at which the rest of a swing keeps within what the plan allows a foot [1/s].

    Args:
        plan: numbers of the body.
        foot: in the air.
        away: direction in which its arc rises.
        fastest: speed that its leg allows where it is [m/s].
        carried: speed at which a body that runs takes its feet along [m/s].
    """
    begin, end = max(foot.elapsed, foot.early_hold), 1.0 - foot.late_hold
    gap, rate, bend = (
        sub(vec(foot.goal), vec(foot.track)),
        vec(foot.track_rate),
        vec(foot.track_bend),
    )
    apex = foot.apex_goal
    third = fourth = fifth = (0.0, 0.0, 0.0)
    if begin < end:
        third, fourth, fifth = replan(gap, rate, bend, end - begin)
    # The arc counts as a whole, so that no foot comes down faster than it rose.
    high = how_high(plan, apex)
    rises, bends = TOP_RISE * apex, bend_at(high) * apex
    fast, hard, soon = rises * rises, bends * bends, 0.0
    for k in range(LOOKS):
        time = foot.elapsed + (1.0 - foot.elapsed) * k / LOOKS
        _, rises, bends = arch(time)
        v, a = scale(away, apex * rises), scale(away, apex * bends)
        if begin <= time < end:
            _, goes, turns = along_quintic(rate, bend, third, fourth, fifth, time - begin)
            v, a = add(v, goes), add(a, turns)
        fast, hard = max(fast, dot(v, v)), max(hard, dot(a, a))
        if k < SOON:
            soon = max(soon, dot(v, v))
    allowed = inf
    if fast > 0.0:
        allowed = (plan.foot_speed + carried) / sqrt(fast)
    if soon > 0.0:
        allowed = min(allowed, (fastest + carried) / sqrt(soon))
    if hard > 0.0:
        allowed = min(allowed, sqrt(plan.foot_acceleration / sqrt(hard)))
    return float((1.0 + plan.effort * high) * allowed)


@kernel
def fly(
    plan: PlanRecord,
    foot: FootRecord,
    height: float,
    wanted: float,
    haste: float,
    fastest: float,
    carried: float,
    up: Vec,
    dt: float,
) -> None:
    """Move a foot in the air on by one tick.

    1. Its time passes at the rate that is wanted, or as fast as its speed and acceleration allow;
       it stands still where the arc is much too low for what has come into view.
    2. The arc rises towards the height that is known to be needed.
    3. The track follows a quintic to where the goal is now; an arch raises the foot above it.

    Args:
        plan: numbers of the body.
        foot: in the air; it does not land in this tick.
        height: of an arc over what is known to be in its way [m].
        wanted: rate at which its time should pass [1/s].
        haste: factor of the usual rate at most.
        fastest: speed that its leg allows where it is [m/s].
        carried: speed at which a body that runs takes its feet along [m/s].
        up: of its segment.
        dt: [s].
    """
    foot.apex_goal = max(foot.apex_goal, height)
    away = away_of(foot, up)
    foot.limit = haste * fastest_rate(plan, foot, away, fastest, carried)
    if plan.climbs:
        foot.limit = min(foot.limit, turning_limit(foot))
    rate, part = min(wanted, foot.limit), 1.0
    if foot.phase == SAMPLED:
        foot.phase = FLYING
        foot.apex, foot.rate, part = height, rate, FIRST_TICK
    else:
        low = foot.apex_goal - foot.apex
        is_past = plan.climbs and foot.elapsed > PAST  # what it looks down on may be another wall
        if low > TOO_LOW * plan.step_height and foot.elapsed > foot.early_hold and not is_past:
            rate = foot.limit = 0.0
        raise_arc(plan, foot, dt)
        off, foot.rate_change = spring(foot.rate - rate, foot.rate_change, dt, RATE_STIFFNESS)
        foot.rate = max(0.0, rate + off)
    move_track(foot, part * in_step(foot, foot.rate * dt), NEAR * plan.reach)
    put_on_arc(foot, up)


@kernel
def turn_back(foot: FootRecord) -> None:
    """Let a foot that comes down rise again, from where it is on its arc: that is as high before.

    It halts there, and sets out again as its rate grows.
    """
    if foot.elapsed > 0.5:
        foot.elapsed = 1.0 - foot.elapsed
        foot.progress, _, _ = minimum_jerk(foot.elapsed)
        foot.rate = foot.rate_change = 0.0


@kernel
def turning_limit(foot: FootRecord) -> float:
    """Rate at which a foot's time may pass for its sole to lie on its goal's ground as it lands.

    Round an edge it has a right angle to turn, which took longer than many swings.
    """
    tilt = angle_between(vec(foot.normal), vec(foot.goal_normal))
    return float((1.0 - foot.elapsed) * IN_TIME * SOLE_RATE / max(tilt, 1e-9))


@kernel
def in_step(foot: FootRecord, step: float) -> float:
    """How much of its time passes for a foot in a tick, so that its last tick is a short one.

    The way of a tick at either end grows with the cube of the time that passes in it.
    """
    left = 1.0 - foot.elapsed
    if step <= 0.0 or left <= step or left >= LAST_TICKS * step:
        return step
    return float(left / (floor(left / step) + 0.5))


@kernel
def raise_arc(plan: PlanRecord, foot: FootRecord, dt: float) -> None:
    """Let an arc rise towards what it needs; faster while its foot is low on it, or goes faster."""
    stiffness = RAISE_STIFFNESS * (1.0 + plan.effort * how_high(plan, foot.apex_goal))
    stiffness /= sqrt(max(LEAST_LIFT, sin(PI * foot.progress)))
    off, foot.apex_rate, foot.apex_bend = settle(
        foot.apex - foot.apex_goal, foot.apex_rate, foot.apex_bend, dt, stiffness
    )
    foot.apex = foot.apex_goal + off


@kernel
def move_track(foot: FootRecord, step: float, near: float) -> None:
    """Let a fraction of a swing's time pass, and the foot's track follow.

    It ends on the goal if it is as near to that [m]; it may have been kept off.
    """
    begin, end = max(foot.elapsed, foot.early_hold), 1.0 - foot.late_hold
    foot.elapsed += step
    foot.progress, _, _ = minimum_jerk(foot.elapsed)
    if foot.elapsed >= end:
        if distance(vec(foot.track), vec(foot.goal)) <= near:
            put(foot.track, vec(foot.goal))
        put(foot.track_rate, (0.0, 0.0, 0.0))
        put(foot.track_bend, (0.0, 0.0, 0.0))
    elif foot.elapsed > begin:
        rate, bend = vec(foot.track_rate), vec(foot.track_bend)
        gap = sub(vec(foot.goal), vec(foot.track))
        third, fourth, fifth = replan(gap, rate, bend, end - begin)
        moved, rate, bend = along_quintic(rate, bend, third, fourth, fifth, foot.elapsed - begin)
        put(foot.track, add(vec(foot.track), moved))
        put(foot.track_rate, rate)
        put(foot.track_bend, bend)


@kernel
def put_on_arc(foot: FootRecord, up: Vec) -> None:
    """Put a foot above its track, as high as its arc is there; `up` is of its segment."""
    height, _, _ = arch(foot.elapsed)
    put(foot.position, along(vec(foot.track), away_of(foot, up), foot.apex * height))

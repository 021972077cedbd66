"""Minimum-jerk timing: how a foot speeds up and slows down, and how long it needs.

Where a reach takes a time T over a distance D, the path of least mean square jerk is a quintic that
begins and ends at rest (Flash and Hogan 1985): its speed is 15/8 D / T at most. Where the goal
moves meanwhile, a new quintic begins at every tick where, as fast and with the acceleration that
the foot has (Hoff and Arbib 1993): nothing of these ever jumps.
"""

from math import sqrt

from creature_sim.components import PlanRecord
from creature_sim.maths import PI, Vec, add, clamp, exp, scale, sub
from creature_sim.maths.jit import kernel

TOP_SPEED = 15.0 / 8.0
"""Of a minimum-jerk path, in its length over its time..."""
TOP_ACCELERATION = 10.0 / sqrt(3.0)
"""...and its acceleration, in its length over its time squared."""
TOP_RISE = 3.69
"""Speed at which a foot rises on a half sine along such a path, in its apex over its time..."""
TOP_BEND = PI * PI * TOP_SPEED * TOP_SPEED
"""...and its acceleration at the apex, in that over the time squared."""
CUBE, FOURTH = 8.0 * PI, 256.0 - 32.0 * PI
"""An arch is CUBE u^3 + FOURTH u^4 high, with u = t (1 - t): it begins more softly than that half
sine, has wider flanks..."""
ARCH_BEND = 32.0 - PI
"""...and this acceleration at its apex, a sixth less."""
HIGH = 2.0
"""From so many usual steps on an arc is high."""


@kernel
def minimum_jerk(fraction: float) -> tuple[float, float, float]:
    """Fraction of its path that is done after a fraction of its time [0, 1], and two derivatives.

    10 t^3 - 15 t^4 + 6 t^5 (Flash and Hogan 1985).
    """
    t, left = fraction, 1.0 - fraction
    done = t * t * t * (10.0 + t * (6.0 * t - 15.0))
    return done, 30.0 * t * t * left * left, 60.0 * t * left * (left - t)


@kernel
def replan(
    gap: Vec, rate: Vec, bend: Vec, left: float
) -> tuple[Vec, Vec, Vec]:  # fmt: skip
    """The quintic that covers a gap and ends at rest: its coefficients of t^3, t^4 and t^5.

    Hoff and Arbib 1993, equation 10, solved for the whole of the time that is left.

    Args:
        gap: from here to the goal [m].
        rate: of change of the position, now.
        bend: of change of the rate, now.
        left: time until the goal is reached.
    """
    per = 1.0 / left
    cube = per * per * per
    e, v, a = scale(gap, cube), scale(rate, per * per), scale(bend, 0.5 * per)
    third = sub(scale(e, 10.0), add(scale(v, 6.0), scale(a, 3.0)))
    fourth = scale(sub(add(scale(v, 8.0), scale(a, 3.0)), scale(e, 15.0)), per)
    fifth = scale(sub(scale(e, 6.0), add(scale(v, 3.0), a)), per * per)
    return third, fourth, fifth


@kernel
def along_quintic(
    rate: Vec, bend: Vec, third: Vec, fourth: Vec, fifth: Vec, t: float
) -> tuple[Vec, Vec, Vec]:
    """How far a quintic has gone after a time, its rate, and that rate's."""
    moved = add(
        scale(add(rate, scale(bend, 0.5 * t)), t),
        scale(add(third, scale(add(fourth, scale(fifth, t)), t)), t * t * t),
    )
    faster = add(
        add(rate, scale(bend, t)),
        scale(
            add(scale(third, 3.0), scale(add(scale(fourth, 4.0), scale(fifth, 5.0 * t)), t)), t * t
        ),
    )
    bent = add(
        bend,
        scale(
            add(scale(third, 6.0), scale(add(scale(fourth, 12.0), scale(fifth, 20.0 * t)), t)), t
        ),
    )
    return moved, faster, bent


@kernel
def arch(t: float) -> tuple[float, float, float]:
    """Height of an arch of apex 1 after a fraction of its time [0, 1], and two derivatives."""
    u, slope = t * (1.0 - t), 1.0 - 2.0 * t
    height = u * u * u * (CUBE + FOURTH * u)
    first = u * u * (3.0 * CUBE + 4.0 * FOURTH * u)
    second = u * (6.0 * CUBE + 12.0 * FOURTH * u)
    return height, first * slope, second * slope * slope - 2.0 * first


@kernel
def how_high(plan: PlanRecord, apex: float) -> float:
    """How far an arc [m] is from a usual step, 0, to a high one, 1."""
    return clamp((apex / plan.step_height - 1.0) / (HIGH - 1.0), 0.0, 1.0)


@kernel
def bend_at(high: float) -> float:
    """Acceleration that counts at an apex, in that over the time squared; see `how_high`.

    That of a half sine for a usual step, in whose time feet look right, and an arch's own for a
    high one.
    """
    return TOP_BEND + (ARCH_BEND - TOP_BEND) * high


@kernel
def shortest_swing(plan: PlanRecord, distance: float, apex: float) -> float:
    """Shortest time in which a foot steps so far over such an arc [s], within a few per cent.

    Within the speed and the acceleration that the plan allows a foot.

    Args:
        plan: numbers of the body.
        distance: of the step, over the ground [m].
        apex: of its arc [m].
    """
    high = how_high(plan, apex)
    fast = max(TOP_SPEED * distance, TOP_RISE * apex) / plan.foot_speed
    hard = max(TOP_ACCELERATION * distance, bend_at(high) * apex) / plan.foot_acceleration
    return float(max(fast, sqrt(hard)) / (1.0 + plan.effort * high))


@kernel
def settle(
    offset: float, rate: float, bend: float, dt: float, stiffness: float
) -> tuple[float, float, float]:
    """Offset from rest, its rate, and that rate's, after `dt` [s], at any tick rate.

    A spring's with three equal roots: (x0 + c t + d t^2) exp(-w t), with w the stiffness [1/s].
    Where its rest jumps, its acceleration does not.
    """
    w = stiffness
    linear = rate + w * offset
    square = 0.5 * (bend + w * (2.0 * rate + w * offset))
    fading = exp(-w * dt)
    x = offset + dt * (linear + dt * square)
    v = linear + 2.0 * square * dt - w * x
    a = 2.0 * square - w * (linear + 2.0 * square * dt) - w * v
    return x * fading, v * fading, a * fading

"""How a body sways over feet that are too few to stand on: an inverted pendulum over its gait.

With x the centre of mass, p the point where its feet press and w = sqrt(g / h), h its height, a
walker falls as x'' = w^2 (x - p) (Kajita et al. 2001). For the extrapolated centre of mass xi = x +
x' / w (Hof 2008) this becomes xi' = w (xi - p). So xi stays with the feet if and only if it is the
mean of the points where they will press, weighted by exp(-w t). The gait says when each foot will
press, and the ground says where. The rest, x' = w (xi - x), makes the body follow by itself. Slow
walkers sway so until they stand over one foot, fast ones go straight on.
"""

import numpy as np

from creature_sim.components import LOST, PHASE, STANDING, GaitRecord, GravityRecord
from creature_sim.locomotion.balance import below_weight
from creature_sim.locomotion.capture import pendulum_rate
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import pull_on
from creature_sim.locomotion.prediction import (
    FEW,
    cycles_in,
    ground_velocity,
    home_ahead,
    home_of,
    is_stopping,
    stride_of,
    turning_back,
)
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.locomotion.trunk import centre_of
from creature_sim.maths import Vec, add, clamp, dot, exp, norm, quat, scale, sub, vec
from creature_sim.maths.jit import kernel

SAMPLES = 24
"""Times at which it is looked where feet will press."""
HORIZON = 4.0
"""How far it looks ahead, in multiples of 1 / w."""
HANDOVER = 0.08
"""Fraction of the cycle in which a foot takes its weight over, and gives it away, at least."""
CALM = 0.5
"""Over three feet it sways by this fraction of that: farther than the edge is far enough."""
CAUTIOUS = 0.6
"""Who stops on three or four legs is carried on over its feet by this fraction of what its braking
would ask for."""
JOLT = 0.3
"""What a body has missed it makes good with an acceleration of so many g at most."""
STEEPEST = 0.4
"""Over three feet it falls with an acceleration of so many g at most: it is held anyway."""
SPURT = 0.25
"""A body is taken to accelerate as it does for so long [s]."""


@kernel
def sways(creature: Creature) -> bool:
    """Whether a body sways as its gait presses: over few feet, in a cycle that it knows."""
    plan, gait = creature.plan, creature.gait
    is_safe = gait.is_static and creature.legs.shape[0] > FEW
    return bool(plan.gait_kind == PHASE and not is_safe)


@kernel
def load(gait: GaitRecord, own: float) -> float:
    """How much of the weight a leg takes in its own phase, 0 to 1, before it is shared out.

    It takes the weight over while the one before it still stands, and gives it on likewise.
    """
    duty, own = gait.duty_factor, own % 1.0
    ramp = max(HANDOVER, min(duty - 0.5, 0.5 * duty))
    return clamp(min(own, duty - own) / ramp, 0.0, 1.0)


@kernel
def stands_at(creature: Creature, gravity: GravityRecord, i: int) -> Vec:
    """Where a foot stands, or will land, seen along gravity from the body without its shift.

    [m, head].
    """
    orientation = quat(creature.trunk[0].orientation)
    centre = centre_of(creature.trunk)
    offset = sub(vec(creature.feet[i].goal), centre)
    down = pull_on(creature.plan, gravity, creature.trunk[0], centre)
    x, y = below_weight(orientation, offset, down)
    return add((x, y, 0.0), vec(creature.gait.shift))


@kernel
def will_stand(creature: Creature, i: int, seconds: float) -> Vec:
    """Where a foot will land in a time if the body goes on as it does [m, head].

    On the circle of its home, half of its stroke ahead; farther by what the body accelerates for a
    moment. Against where the body is now without its shift.
    """
    gait, leg = creature.gait, creature.legs[i]
    x, y, _ = add(home_of(gait, leg), vec(gait.shift))
    lasts = (1.0 - turning_back(creature, i)) * min(seconds, SPURT)
    gained = scale(vec(gait.acceleration), lasts * (seconds - 0.5 * lasts))
    return add(add((x, y, 0.0), home_ahead(creature, i, seconds)), gained)


@kernel
def to_press(creature: Creature, gravity: GravityRecord, rate: float) -> tuple[Vec, Vec]:
    """The mean of where feet will press, the sooner the weightier, and where they do now [m, head].

    Against where the body will be then without its shift, if it goes on as it does. Feet in the
    air press once they stand; the slower the body, the more evenly all press that stand.

    Args:
        creature: whose feet they are.
        gravity: the field.
        rate: w [1/s].
    """
    plan, gait, legs, feet = creature.plan, creature.gait, creature.legs, creature.feet
    seconds = HORIZON / rate
    ahead = cycles_in(gait, seconds)
    walks = stride_of(plan, gait)
    shares, press = np.zeros(SAMPLES), np.zeros((SAMPLES, 2))
    for i in range(legs.shape[0]):
        if feet[i].phase == LOST:
            continue
        there, lands = stands_at(creature, gravity, i), 0.0
        own = (gait.phase + feet[i].phase_offset) % 1.0
        stance = 1 if own >= gait.duty_factor else 0  # that it stands for, or flies to
        if feet[i].phase != STANDING:
            lands = seconds_to_touchdown(plan, gait, feet[i])
        elif stance == 1 and dot(sub(there, vec(legs[i].home)), ground_way(creature, i)) < 0.0:
            stance = 0  # it is late, not early
        turn = stance
        for k in range(SAMPLES):
            part = (k + 0.5) / SAMPLES
            if part * seconds < lands:
                continue
            phase = own + ahead * part
            if int(phase) > turn:
                turn = int(phase)
                there = will_stand(creature, i, seconds * (turn - own) / ahead)
            share = 1.0 + walks * (load(gait, phase) - 1.0)
            press[k, 0] += share * there[0]
            press[k, 1] += share * there[1]
            shares[k] += share
    x = y = whole = later = 0.0
    now = vec(gait.shift)
    for k in range(SAMPLES - 1, -1, -1):
        if shares[k] > 1e-9:
            now = (press[k, 0] / shares[k], press[k, 1] / shares[k], 0.0)
            weight = exp(-HORIZON * (k + 0.5) / SAMPLES)
            x += weight * now[0]
            y += weight * now[1]
            later += weight * seconds * (k + 0.5) / SAMPLES
            whole += weight
    if whole == 0.0:
        return now, now
    gone = scale(vec(creature.trunk[0].velocity), later / whole)
    return sub((x / whole, y / whole, 0.0), gone), now


@kernel
def ground_way(creature: Creature, i: int) -> Vec:
    """Velocity of a leg's home over the ground [m/s, segment]."""
    leg = creature.legs[i]
    x, y, _ = ground_velocity(creature.trunk[leg.segment], leg)
    return (x, y, 0.0)


@kernel
def resting(creature: Creature) -> Vec:
    """The middle of the homes, against where the body is without its shift [m, head]."""
    x = y = 0.0
    count = max(1, creature.legs.shape[0] - creature.gait.lost_count)
    for i in range(creature.legs.shape[0]):
        if creature.feet[i].phase != LOST:
            x += creature.legs[i].home[0] / count
            y += creature.legs[i].home[1] / count
    return (x, y, 0.0)


@kernel
def fallen(
    creature: Creature, gravity: GravityRecord, dt: float, haste: float
) -> tuple[Vec, Vec, float]:
    """The shift of a body that sways after a tick [m, head], its rate [m/s], and its fall aside.

    Its extrapolated centre of mass moves as that of a body that falls as it should, and catches up
    with what it has missed, but without a jolt. The body follows it.

    Args:
        creature: that sways.
        gravity: the field.
        dt: length of a tick [s].
        haste: at which it makes good what was missed [1/s].

    Returns:
        All three, the last one as an acceleration to the left [m/s^2]; of a gait that keeps three
        feet on the ground 0.
    """
    gait, shift = creature.gait, vec(creature.gait.shift)
    rate = pendulum_rate(gravity, gait)
    press, now = to_press(creature, gravity, rate)
    cautious = CAUTIOUS if is_stopping(creature) else 1.0
    acceleration = scale(vec(gait.acceleration), cautious)
    wished = resting(creature)
    wx, wy, _ = sub(press, wished)
    ahead_by = max(0.0, abs(wx) - creature.plan.pad) / max(abs(wx), 1e-9)
    aside_by = CALM if gait.is_static else 1.0
    wished = add(wished, (ahead_by * wx, aside_by * wy, 0.0))
    gx, gy, _ = scale(sub(press, now), rate)
    if gait.is_static and not creature.plan.climbs:
        fastest = STEEPEST * gravity.acceleration / rate
        slowed = min(1.0, fastest / max(norm((gx, gy, 0.0)), 1e-9))
        gx, gy = slowed * gx, slowed * gy
    going = (ahead_by * gx - acceleration[0] / rate, aside_by * (gy - acceleration[1] / rate), 0.0)
    was = sub(wished, scale(going, dt))
    missed = sub(add(shift, scale(vec(gait.shift_rate), 1.0 / rate)), was)
    gained = JOLT * gravity.acceleration / rate * dt
    left = max(exp(-haste * dt), 1.0 - gained / max(norm(missed), 1e-9))
    ahead = add(wished, scale(missed, left))
    new = add(ahead, scale(sub(shift, ahead), exp(-rate * dt)))
    aside = 0.0 if gait.is_static else rate * rate * (new[1] - now[1])
    return new, scale(sub(ahead, new), rate), aside

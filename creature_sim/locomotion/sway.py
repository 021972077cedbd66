"""How a body sways over feet that are too few to stand on: an inverted pendulum over its gait.

With x the centre of mass, p the point where its feet press and w = sqrt(g / h), h its height, a
walker falls as x'' = w^2 (x - p) (Kajita et al. 2001). Of the extrapolated centre of mass
xi = x + x' / w (Hof 2008) that says xi' = w (xi - p): it stays with the feet if and only if it is
the mean of where they will press, the sooner the weightier, as exp(-w t). A gait says when each
foot will press, the ground where. What is left, x' = w (xi - x), brings the body along by itself.
Slow walkers sway so until they stand over one foot, fast ones go straight on.
"""

from math import sqrt

from creature_sim.components import LOST, PHASE, STANDING, GaitRecord, GravityRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.prediction import cycles_in, home_of, lead, travel
from creature_sim.locomotion.search import downhill
from creature_sim.locomotion.swing import seconds_to_touchdown
from creature_sim.maths import Vec, add, clamp, exp, quat, scale, sub, unrotate, vec
from creature_sim.maths.jit import kernel

SAMPLES = 24
"""Times at which it is looked where feet will press."""
HORIZON = 4.0
"""How far it looks ahead, in multiples of 1 / w."""
HANDOVER = 0.08
"""Fraction of the cycle in which a foot takes its weight over, and gives it away, at least."""
FEW = 4
"""Over more legs than these, of which three stand at all times, a body need not sway."""
CALM = 0.5
"""Over three feet it sways by this fraction of that: farther than the edge is far enough."""
SETTING_OUT = 0.15
"""Below this fraction of its full speed a body is over the middle of its feet the more."""
ASTRAY = 0.3
"""A foot may be this far from where its gait wants it, as a fraction of the reach, to count so."""


@kernel
def sways(creature: Creature) -> bool:
    """Whether a body sways as its gait presses: over few feet, in a cycle that it knows."""
    plan, gait = creature.plan, creature.gait
    is_safe = gait.is_static and creature.legs.shape[0] > FEW
    return bool(plan.gait_kind == PHASE and not is_safe)


@kernel
def pendulum_rate(gravity: GravityRecord, gait: GaitRecord) -> float:
    """Rate sqrt(g / h) at which a body falls away from where its feet press [1/s]."""
    return sqrt(gravity.acceleration / gait.ride_height)


@kernel
def load(gait: GaitRecord, own: float) -> float:
    """How much of the weight a leg takes in its own phase, 0 to 1, before it is shared out.

    It takes the weight over while the one before it still stands, and gives it on likewise.
    """
    duty, own = gait.duty_factor, own % 1.0
    ramp = max(HANDOVER, min(duty - 0.5, 0.5 * duty))
    return clamp(min(own, duty - own) / ramp, 0.0, 1.0)


@kernel
def astray(creature: Creature, gravity: GravityRecord, i: int) -> Vec:
    """How far a foot stands, or will land, from where its gait wants it in this phase [m, head]."""
    plan, gait, leg, foot = creature.plan, creature.gait, creature.legs[i], creature.feet[i]
    body = creature.trunk[leg.segment]
    own = (gait.phase + foot.phase_offset) % 1.0
    wanted = add(home_of(gait, leg), downhill(gravity, gait, body))
    ahead = lead(plan, gait, body, leg)
    if foot.phase != STANDING:
        seconds = seconds_to_touchdown(plan, gait, foot)
        wanted = add(add(wanted, ahead), travel(body, leg, seconds))
    else:
        wanted = add(wanted, scale(ahead, 1.0 - 2.0 * min(1.0, own / gait.duty_factor)))
    stands = unrotate(quat(body.orientation), sub(vec(foot.goal), vec(body.position)))
    x, y, _ = sub(stands, wanted)
    farthest = ASTRAY * leg.reach
    size = sqrt(x * x + y * y)
    if size > farthest:
        x, y = x * farthest / size, y * farthest / size
    return (x, y, 0.0)


@kernel
def to_press(creature: Creature, gravity: GravityRecord, rate: float, phase: float) -> Vec:
    """The mean of where feet will press from a phase on, the sooner the weightier [m, head].

    Against where the body is without its shift; where no foot stands nothing presses.

    Args:
        creature: whose feet they are.
        gravity: the field.
        rate: w [1/s].
        phase: of the cycle, about now.
    """
    gait, legs, feet = creature.gait, creature.legs, creature.feet
    ahead = cycles_in(gait, HORIZON / rate)  # cycles
    x = y = whole = 0.0
    for i in range(legs.shape[0]):
        if feet[i].phase == LOST:
            continue
        hx, hy, _ = add(home_of(gait, legs[i]), vec(gait.shift))
        off_x, off_y, _ = astray(creature, gravity, i)
        own = (phase + feet[i].phase_offset) % 1.0
        is_up = feet[i].phase != STANDING
        # The stance that is under way, or begins with this swing, is where it is.
        first, last = 0.0, gait.duty_factor - own
        if own >= gait.duty_factor:
            first, last = 1.0 - own, 1.0 - own + gait.duty_factor
            if not is_up:
                off_x = off_y = 0.0
        for k in range(SAMPLES):
            d = ahead * (k + 0.5) / SAMPLES
            share = load(gait, own + d) * exp(-HORIZON * (k + 0.5) / SAMPLES)
            here = 1.0 if first <= d <= last else 0.0
            x += share * (hx + here * off_x)
            y += share * (hy + here * off_y)
            whole += share
    if whole < 1e-9:
        return vec(gait.shift)
    return (x / whole, y / whole, 0.0)


@kernel
def resting(creature: Creature, gravity: GravityRecord) -> Vec:
    """The middle of the feet, against where the body is without its shift [m, head]."""
    x = y = 0.0
    count = 0
    for i in range(creature.legs.shape[0]):
        if creature.feet[i].phase != LOST:
            hx, hy, _ = home_of(creature.gait, creature.legs[i])
            off_x, off_y, _ = astray(creature, gravity, i)
            x += hx + off_x
            y += hy + off_y
            count += 1
    if count == 0:
        return vec(creature.gait.shift)
    return (x / count + creature.gait.shift[0], y / count + creature.gait.shift[1], 0.0)


@kernel
def wished_fall(creature: Creature, gravity: GravityRecord, phase: float) -> Vec:
    """Where the extrapolated centre of mass should be in a phase, against its homes [m, head].

    At rest it is over the middle of the feet. Where they have to press forward or aside to
    accelerate the body, it goes ahead of them: by a / w^2.
    """
    plan, gait = creature.plan, creature.gait
    rate = pendulum_rate(gravity, gait)
    rest = resting(creature, gravity)
    gain = min(1.0, gait.pace / (SETTING_OUT * plan.speed))
    if gait.is_static:
        gain *= CALM
    moved = scale(sub(to_press(creature, gravity, rate, phase), rest), gain)
    return add(add(rest, moved), scale(vec(gait.acceleration), 1.0 / (rate * rate)))


@kernel
def fallen(creature: Creature, gravity: GravityRecord, dt: float, haste: float) -> tuple[Vec, Vec]:
    """The shift of a body that sways after a tick [m, head], and its rate [m/s].

    Args:
        creature: that sways.
        gravity: the field.
        dt: length of a tick [s].
        haste: at which it makes good what its extrapolated centre of mass has missed [1/s].
    """
    gait = creature.gait
    rate = pendulum_rate(gravity, gait)
    was = wished_fall(creature, gravity, gait.phase - cycles_in(gait, dt))
    wished = wished_fall(creature, gravity, gait.phase)
    shift = vec(gait.shift)
    missed = sub(add(shift, scale(vec(gait.shift_rate), 1.0 / rate)), was)
    ahead = add(wished, scale(missed, exp(-haste * dt)))
    new = add(ahead, scale(sub(shift, ahead), exp(-rate * dt)))
    return new, scale(sub(ahead, new), rate)

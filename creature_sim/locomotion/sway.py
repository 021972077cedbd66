"""How a body sways over feet that are too few to stand on: an inverted pendulum over its gait.

Between two steps the centre of mass x of a walker falls away from the point p where its feet press,
x'' = w^2 (x - p) with w = sqrt(g / h), h its height (Kajita et al. 2001). A gait says where its
feet press over a cycle; of all falls the periodic one is the walk. Slow walkers sway until they
stand over one foot, fast ones go straight on.
"""

from math import sqrt

from creature_sim.components import LOST, GaitRecord, GravityRecord
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.prediction import home_of
from creature_sim.maths import exp
from creature_sim.maths.jit import kernel

SAMPLES = 32
"""Phases of the cycle at which it is looked where feet press."""
HANDOVER = 0.08
"""Fraction of the cycle in which a foot takes its weight over, and gives it away, at least..."""
LONGEST_CYCLE = 16.0
"""Cycles that take longer than this many times 1 / w sway as this one."""


@kernel
def pendulum_rate(gravity: GravityRecord, gait: GaitRecord) -> float:
    """Rate sqrt(g / h) at which a body falls away from where its feet press [1/s]."""
    return sqrt(gravity.acceleration / gait.ride_height)


@kernel
def load(creature: Creature, i: int, phase: float) -> float:
    """How much of the weight a leg takes in a phase of the cycle, 0 to 1, before it is shared out.

    It takes the weight over while the one before it still stands, and gives it on likewise.
    """
    gait, foot = creature.gait, creature.feet[i]
    if foot.phase == LOST:
        return 0.0
    duty = gait.duty_factor
    own = (phase + foot.phase_offset) % 1.0
    ramp = max(HANDOVER, min(duty - 0.5, 0.5 * duty))
    return max(0.0, min(1.0, min(own, duty - own) / ramp))


@kernel
def pressed_at(creature: Creature, phase: float) -> tuple[float, float, bool]:
    """Where a gait presses on the ground in a phase of its cycle: the mean of homes by their load.

    Returns:
        x and y against where the body is without its shift [m, head], and whether any foot stands.
    """
    x = y = whole = 0.0
    for i in range(creature.legs.shape[0]):
        share = load(creature, i, phase)
        hx, hy, _ = home_of(creature.gait, creature.legs[i])
        x += share * hx
        y += share * hy
        whole += share
    if whole <= 0.0:
        return 0.0, 0.0, False
    return x / whole + creature.gait.shift[0], y / whole + creature.gait.shift[1], True


@kernel
def resting(creature: Creature) -> tuple[float, float]:
    """The middle of the homes, x and y against where the body is without its shift [m, head]."""
    x = y = 0.0
    count = max(1, creature.legs.shape[0] - creature.gait.lost_count)
    for i in range(creature.legs.shape[0]):
        if creature.feet[i].phase != LOST:
            hx, hy, _ = home_of(creature.gait, creature.legs[i])
            x += (hx + creature.gait.shift[0]) / count
            y += (hy + creature.gait.shift[1]) / count
    return x, y


@kernel
def swayed(creature: Creature, rate: float, phase: float) -> tuple[float, float]:
    """Where an inverted pendulum is in a phase of the cycle, if it falls the same way in each.

    The only solution of x'' = w^2 (x - p) that stays bounded is the mean of p, where the feet
    press, over past and future, weighted by (w / 2) exp(-w |t|); a cycle of T seconds folds that to
    cosh(w T (1/2 - d)), with d the distance to a phase in cycles.

    Args:
        creature: whose gait it is.
        rate: w [1/s].
        phase: of the cycle.

    Returns:
        x and y against where the body is without its shift [m, head].
    """
    gait = creature.gait
    length = gait.stroke + gait.swing_length
    cycle = LONGEST_CYCLE
    if gait.pace * LONGEST_CYCLE > rate * length:
        cycle = rate * length / gait.pace
    x = y = whole = 0.0
    for k in range(SAMPLES):
        d = (k + 0.5) / SAMPLES
        px, py, is_there = pressed_at(creature, (phase + d) % 1.0)
        if is_there:
            weight = exp(-cycle * d) + exp(-cycle * (1.0 - d))
            x += weight * px
            y += weight * py
            whole += weight
    return x / max(whole, 1e-12), y / max(whole, 1e-12)

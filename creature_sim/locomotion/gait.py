"""How a creature walks just now: its cycle by speed, its stroke by direction, its legs' order."""

from math import inf

from creature_sim.components import (
    FLIES,
    LOST,
    PHASE,
    STANDING,
    BodyRecord,
    CycleRecord,
    FootholdRecord,
    FootRecord,
    GaitRecord,
    GravityRecord,
    LegRecord,
    PlanRecord,
    Records,
    RecordTable,
)
from creature_sim.locomotion.balance import stand_count
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import levelness
from creature_sim.locomotion.hips import swings, twists
from creature_sim.locomotion.prediction import FEW, ground_velocity, home_of, stride_of
from creature_sim.locomotion.running import look_out
from creature_sim.locomotion.setting_out import prepares
from creature_sim.locomotion.strokes import stroke_apart
from creature_sim.locomotion.swing import is_told_to_run
from creature_sim.locomotion.tempi import own_of
from creature_sim.locomotion.two_legs import is_pushed_off, steps_inwards
from creature_sim.locomotion.workspace import longest_stroke, room_to_step
from creature_sim.maths import Floats, clamp, norm, quat, sub, unrotate, vec
from creature_sim.maths.jit import kernel

HYSTERESIS = 0.7
"""A cycle is left again below this fraction of the Froude number from which on it is used."""
REORDER = 0.5
"""Phase offsets of legs change by at most this much in one cycle..."""
REORDER_RUNNING = 0.25
"""...and by this much in one with flights, of feet in the air..."""
WAITS = 1.5
"""...which wait for others in this multiple of that."""
SHORTEST_STROKE = 0.3
"""However little room its legs have, a stroke is at least this fraction of what the plan asks."""
WIDEST = 1.0
"""A body turns no farther than this while a foot stands [rad]."""
TWISTS = 0.5
"""Nor than this fraction of what a foot whose hip is a ball may turn to both sides."""
MIN_SWING = 0.02
"""However slow it goes, the body moves at least this fraction of a stroke during a swing."""
SETTING_OUT = 0.15
"""Below this fraction of the full speed the cycle begins where it fits how the feet stand."""
SLOWED, LOST_STEP = 0.75, 0.1
"""So it does if the body is slower than this fraction of what is asked for, all feet stand, and
they are this far from where they should be in their phase, in cycles (root mean square)."""
ALIKE = 2e-4
"""Phases whose misfits differ by less are alike [cycles squared]."""
PHASES = 24
"""Phases that are tried for that."""
CROSSES = 1e-3
"""Of phases that fit, one in which a leg steps towards another first is worth this less..."""
SOON = 0.75
"""...or will after this fraction of its stance."""
WAVES = -0.2
"""Who climbs walks a wave where the ground hangs over more than this: from 102 degrees on."""


@kernel
def choose(
    plan: Records[PlanRecord],
    legs: Records[LegRecord],
    bodies: RecordTable[BodyRecord],
    gaits: Records[GaitRecord],
    feet: RecordTable[FootRecord],
    footholds: RecordTable[FootholdRecord],
    gravity: Records[GravityRecord],
    cycles: Records[CycleRecord],
    offsets: Floats,
    dt: float,
) -> None:
    """Set the numbers of this tick's gait.

    1. Phase gaits: the cycle by the Froude number v^2 / (g L) (Alexander 1989), with hysteresis.
    2. On fewer legs than it has a creature walks a wave: one leg at a time, from behind.
    3. A stroke is as long as the plan says, or as the leg with least room in its direction allows;
       each creature's a little shorter than those of others, so that a herd falls out of step.
    4. Where the ground hangs over, who climbs walks a wave too, but with two feet in the air.
    5. No foot of a phase gait hangs in the air for longer than the plan's swing time: the slower a
       creature goes, the greater the fraction of the cycle for which its feet stand.

    Args:
        plan: (1,).
        legs: (L,).
        bodies: (N, S).
        gaits: (N,); written.
        feet: (N, L); their phase offsets are written.
        footholds: (N, L).
        gravity: (1,).
        cycles: (C,).
        offsets: (C, L) of the legs in each cycle.
        dt: length of a tick [s].
    """
    for n in range(bodies.shape[0]):
        creature = Creature(plan[0], legs, bodies[n], gaits[n], feet[n], footholds[n])
        gait = gaits[n]
        gait.lost_count = -gait.raised_count
        for i in range(legs.shape[0]):
            gait.lost_count += feet[n, i].phase == LOST
        asked = longest_stroke(cycles)
        if plan[0].gait_kind == PHASE:
            look_out(creature, gravity[0], dt)
            change_cycle(plan[0], gravity[0], cycles, gait)
            cycle = cycles[gait.cycle]
            level = levelness(plan[0], gravity[0], bodies[n, gait.leader])
            hangs = level < WAVES and legs.shape[0] - gait.lost_count > FEW
            choose_duty_factor(creature, cycle, hangs)
            reorder(creature, cycle, offsets[gait.cycle], hangs, dt)
            asked = cycle.duty_factor * cycle.stride_length
        settle_balance(creature, cycles[gait.cycle])
        gait.stroke = clamp(longest_stance(creature, asked), SHORTEST_STROKE * asked, asked)
        gait.stroke = gait.tempo * min(gait.stroke, longest_turn(creature))
        duty = gait.duty_factor
        gait.swing_length = gait.stroke * (1.0 - duty) / duty
        if plan[0].gait_kind == PHASE:
            shorten_swings(creature, cycles[gait.cycle])


@kernel
def settle_balance(creature: Creature, cycle: CycleRecord) -> None:
    """Stand on three feet or more in a cycle that does, once others have landed.

    At rest few legs settle as those that fall from foot to foot.
    """
    gait = creature.gait
    rests = creature.legs.shape[0] <= FEW and gait.pace < 1e-3
    if not cycle.is_static or rests:
        gait.is_static = 0
    elif stand_count(creature) >= 3:
        gait.is_static = 1


@kernel
def change_cycle(
    plan: PlanRecord, gravity: GravityRecord, cycles: Records[CycleRecord], gait: GaitRecord
) -> None:
    """Shift up or down through the plan's cycles, as the Froude number asks.

    That is taken of the commanded speed if that is higher: a creature that sets out fast does not
    crawl first. A cycle with a flight needs more: the creature must be told to run, be that fast by
    itself, and have ground to run on. In a curve the outer feet of a walker are as fast.
    """
    if gait.run == FLIES:
        return
    unit, speed = gravity.acceleration * plan.reach, max(gait.pace, gait.commanded_pace)
    froude, own = speed * speed / unit, gait.pace * gait.pace / unit
    while gait.cycle + 1 < cycles.shape[0]:
        faster = cycles[gait.cycle + 1]
        is_pushed = norm(vec(gait.thrown)) > 0.0
        if faster.flies and (not is_told_to_run(plan, gait) or gait.rough > 0.0 or is_pushed):
            break
        if (own if faster.flies else froude) < faster.froude:
            break
        gait.cycle += 1
    while gait.cycle > 0:
        cycle = cycles[gait.cycle]
        is_fit = (own if cycle.flies else froude) >= HYSTERESIS * cycle.froude
        if is_fit and not (cycle.flies and gait.rough > 0.0):
            break
        gait.cycle -= 1


@kernel
def choose_duty_factor(creature: Creature, cycle: CycleRecord, hangs: bool) -> None:
    """Take the cycle's duty factor, or that of a wave over the legs that are left.

    Who hangs lifts no more than two feet at a time.
    """
    gait = creature.gait
    gait.duty_factor = cycle.duty_factor
    if gait.lost_count > 0:
        left = max(2, creature.legs.shape[0] - gait.lost_count)
        gait.duty_factor = max(gait.duty_factor, 1.0 - 1.0 / left)
    elif hangs:
        gait.duty_factor = max(gait.duty_factor, 1.0 - 2.0 / creature.legs.shape[0])


@kernel
def reorder(
    creature: Creature, cycle: CycleRecord, offsets: Floats, hangs: bool, dt: float
) -> None:
    """Move the legs' phase offsets towards those (L,) of the cycle, or of a wave, smoothly."""
    gait, feet = creature.gait, creature.feet
    share = REORDER_RUNNING if cycle.flies else REORDER
    farthest = share * gait.pace * dt / cycle.stride_length
    if gait.pace < SETTING_OUT * creature.plan.speed:
        farthest = 0.5
    for i in range(creature.legs.shape[0]):
        wanted = offsets[i]
        if gait.lost_count > 0 or hangs:
            wanted = wave_offset(creature, i)
        if cycle.flies and feet[i].phase == STANDING:
            continue  # it would stand longer than its leg reaches
        gap = in_cycle(wanted - feet[i].phase_offset)
        wait = WAITS * farthest if cycle.flies else farthest
        feet[i].phase_offset = (feet[i].phase_offset + clamp(gap, -wait, farthest)) % 1.0


@kernel
def shorten_swings(creature: Creature, cycle: CycleRecord) -> None:
    """Let no swing take longer than the plan's, and begin the cycle where it fits the feet."""
    plan, gait = creature.plan, creature.gait
    going = gait.pace if cycle.flies else max(gait.pace, gait.commanded_pace)
    longest = max(going * plan.swing_time, MIN_SWING * gait.stroke)
    gait.swing_length = min(gait.swing_length, longest)
    gait.duty_factor = gait.stroke / (gait.stroke + gait.swing_length)
    if creature.legs.shape[0] <= FEW:
        is_new = stride_of(plan, gait) < 1.0 or is_pushed_off(creature)
    else:
        is_new = gait.pace < SETTING_OUT * plan.speed or has_lost_step(creature)
    if gait.pace > 0.0 and (is_new or prepares(creature)):
        gait.phase = fitting_phase(creature)
        for i in range(creature.legs.shape[0]):
            creature.feet[i].has_stepped = 0


@kernel
def in_cycle(difference: float) -> float:
    """A difference between two phases, the shorter one round: -0.5 to 0.5."""
    return float((difference + 0.5) % 1.0 - 0.5)


@kernel
def fitting_phase(creature: Creature) -> float:
    """The phase in which feet would be nearest to where they are.

    Of several that are, the first one from a phase of the creature's own.
    """
    best, least = 0.0, inf
    first = int(PHASES * own_of(creature.gait))
    for k in range(PHASES):
        phase = (first + k) % PHASES / PHASES
        off = misfits(creature, phase)
        if off < least - ALIKE:
            best, least = phase, off
    return float(best)


@kernel
def misfits(creature: Creature, phase: float) -> float:
    """The squares of how far feet are from where they would be in a phase, in cycles, summed up."""
    off = 0.0
    for i in range(creature.legs.shape[0]):
        if creature.feet[i].phase != LOST:
            gap = misfit(creature, i, phase)
            off += gap * gap
            if would_cross(creature, i, phase):
                off += CROSSES
    return off


@kernel
def would_cross(creature: Creature, i: int, phase: float) -> bool:
    """Whether a leg that steps towards the other one would lift before that does."""
    own = (phase + creature.feet[i].phase_offset) % 1.0
    return own > SOON * creature.gait.duty_factor and steps_inwards(creature, i)


@kernel
def has_lost_step(creature: Creature) -> bool:
    """Whether the feet of a body that was slowed down all stand where they should not in its phase.

    So they do where it turned back, or waited for a foot: those that are due just stood down.
    """
    gait, left = creature.gait, creature.legs.shape[0] - creature.gait.lost_count
    if gait.pace >= SLOWED * gait.commanded_pace or stand_count(creature) < left:
        return False
    return bool(misfits(creature, gait.phase) > LOST_STEP * LOST_STEP * left)


@kernel
def misfit(creature: Creature, i: int, phase: float) -> float:
    """How far a foot is from where it would be in a phase of the cycle, in cycles.

    A foot that stands may be in its stance, from half of its stroke ahead of home to half behind
    it, or about to make up for the rest of a swing.
    """
    gait, foot, leg = creature.gait, creature.feet[i], creature.legs[i]
    own, duty = (phase + foot.phase_offset) % 1.0, gait.duty_factor
    if foot.phase != STANDING:
        return abs(in_cycle(own - duty - (1.0 - duty) * foot.elapsed))
    body = creature.trunk[leg.segment]
    x, y, speed = ground_velocity(body, leg)
    if speed < 1e-9:
        return 0.0
    stand = unrotate(quat(body.orientation), sub(vec(foot.position), vec(body.position)))
    fx, fy, _ = sub(stand, home_of(gait, leg))
    ahead = clamp((fx * x + fy * y) / (speed * gait.stroke), -0.5, 0.5)
    standing = abs(in_cycle(own - duty * (0.5 - ahead)))
    lifting = abs(in_cycle(own - duty - (1.0 - duty) * (0.5 + ahead)))
    return min(standing, lifting)


@kernel
def wave_offset(creature: Creature, i: int) -> float:
    """Phase offset of a leg in a wave over those that are left: one after another."""
    gait, legs = creature.gait, creature.legs
    before = 0
    for other in range(legs.shape[0]):
        if creature.feet[other].phase != LOST and legs[other].rank < legs[i].rank:
            before += 1
    left = max(1, legs.shape[0] - gait.lost_count)
    return float((gait.duty_factor - before / left) % 1.0)


@kernel
def longest_stance(creature: Creature, asked: float) -> float:
    """Longest displacement of the fastest home in a stance for which every leg has room [m].

    Nor does the body turn farther than WIDEST meanwhile, nor do legs come too near one another.

    Args:
        creature: whose legs they are.
        asked: longest that is of use [m].
    """
    legs, trunk, height = creature.legs, creature.trunk, creature.gait.ride_height
    fastest = 0.0
    for i in range(legs.shape[0]):
        _, _, speed = ground_velocity(trunk[legs[i].segment], legs[i])
        fastest = max(fastest, speed)
    turning = abs(trunk[creature.gait.leader].yaw_rate)
    longest = WIDEST * fastest / max(turning, 1e-9)
    for i in range(legs.shape[0]):
        x, y, speed = ground_velocity(trunk[legs[i].segment], legs[i])
        if speed > 0.05 * fastest:
            room = room_to_step(legs[i], height, x / speed, y / speed)
            longest = min(longest, 2.0 * room * fastest / speed)
            if legs.shape[0] <= FEW:  # feet of a pair do not cross
                aside = max(creature.plan.pad, abs(legs[i].home[1]) - creature.plan.pad)
                longest = min(longest, 2.0 * aside * fastest / max(abs(y), 1e-9))
    return float(stroke_apart(creature, min(longest, asked), fastest))


@kernel
def longest_turn(creature: Creature) -> float:
    """Displacement of the fastest home in which a body turns as far as its hips twist [m]."""
    fastest, widest = 0.0, inf
    for i in range(creature.legs.shape[0]):
        leg = creature.legs[i]
        _, _, speed = ground_velocity(creature.trunk[leg.segment], leg)
        fastest = max(fastest, speed)
        if swings(leg):
            right, left = twists(leg)
            widest = min(widest, TWISTS * (right + left))
    turning = abs(creature.trunk[creature.gait.leader].yaw_rate)
    if widest == inf or turning < 1e-9 or fastest < 1e-9:
        return inf
    return float(widest * fastest / turning)

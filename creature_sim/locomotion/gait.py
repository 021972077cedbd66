"""How a creature goes just now: its cycle by speed, its stride by direction, its legs' order."""

from math import inf

from creature_sim.components import GRAVITY, PHASE, Record, Records
from creature_sim.locomotion.prediction import ground_velocity, home_of
from creature_sim.locomotion.trunk import leader_of
from creature_sim.locomotion.workspace import longest_stance, room
from creature_sim.maths import Floats, clamp, quat, sub, unrotate, vec
from creature_sim.maths.jit import kernel

HYSTERESIS = 0.7
"""A cycle is left again below this share of the Froude number from which on it is used."""


REORDER = 0.5
"""Legs change their place in the cycle by at most this much in one cycle."""


SHORTEST_STANCE = 0.3
"""However little room its legs have, a stance is at least this share of what the plan asks for."""


WIDEST = 1.0
"""A body turns no farther than this while a foot stands [rad]."""


SHORTEST_SWING = 0.02
"""However slow it goes, the way of a swing is at least this share of that of a stance."""


SETTING_OUT = 0.15
"""Below this share of the full speed the cycle begins where it fits how the feet stand."""


PHASES = 24
"""Places in the cycle that are tried for that."""


@kernel
def choose(
    plan: Records,
    legs: Records,
    cycles: Records,
    offsets: Floats,
    bodies: Records,
    gaits: Records,
    feet: Records,
    dt: float,
) -> None:
    """Set the numbers of this tick's gait.

    1. Phase gaits: the cycle by the Froude number v^2 / (g L) (Alexander 1989), with hysteresis.
    2. On fewer legs than it has a creature walks a wave: one leg at a time, from behind.
    3. A stance is as long as the plan says, or as the leg with least room in its direction allows.
    4. No foot of a phase gait hangs in the air for longer than the plan's swing time: the slower a
       creature goes, the greater the share of the cycle for which its feet stand.
    """
    limits = plan[0]
    for n in range(bodies.shape[0]):
        gait, trunk = gaits[n], bodies[n]
        gait.lost_count = 0
        for i in range(legs.shape[0]):
            gait.lost_count += feet[n, i].is_lost
        if limits.gait == PHASE:
            change_cycle(limits, cycles, gait)
            gait.duty_factor = cycles[gait.cycle].duty_factor
            if gait.lost_count > 0:
                left = max(2, legs.shape[0] - gait.lost_count)
                gait.duty_factor = max(gait.duty_factor, 1.0 - 1.0 / left)
            most = REORDER * gait.pace * dt / cycles[gait.cycle].stride_length
            if gait.pace < SETTING_OUT * limits.speed:
                most = 0.5
            for i in range(legs.shape[0]):
                wanted = offsets[gait.cycle, i]
                if gait.lost_count > 0:
                    wanted = wave_offset(gait, legs, feet[n], i)
                gap = in_cycle(wanted - feet[n, i].offset)
                feet[n, i].offset = (feet[n, i].offset + clamp(gap, -most, most)) % 1.0
            cycle = cycles[gait.cycle]
            asked = cycle.duty_factor * cycle.stride_length
        else:
            asked = longest_stance(limits, cycles)
        gait.stance_length = clamp(stance_room(legs, trunk, gait), SHORTEST_STANCE * asked, asked)
        duty = gait.duty_factor
        gait.swing_length = gait.stance_length * (1.0 - duty) / duty
        if limits.gait == PHASE:
            going = max(gait.pace, gait.asked)
            longest = max(going * limits.swing_time, SHORTEST_SWING * gait.stance_length)
            gait.swing_length = min(gait.swing_length, longest)
            gait.duty_factor = gait.stance_length / (gait.stance_length + gait.swing_length)
            if 0.0 < gait.pace < SETTING_OUT * limits.speed:
                gait.phase = fitting_phase(legs, trunk, gait, feet[n])


@kernel
def in_cycle(way: float) -> float:
    """A way between two places in the cycle, the shorter one round: -0.5 to 0.5."""
    return float((way + 0.5) % 1.0 - 0.5)


@kernel
def fitting_phase(legs: Records, trunk: Records, gait: Record, feet: Records) -> float:
    """The place in the cycle in which feet would be nearest to where they are."""
    best, least = 0.0, inf
    for k in range(PHASES):
        phase, off = k / PHASES, 0.0
        for i in range(legs.shape[0]):
            if not feet[i].is_lost:
                gap = misfit(legs[i], trunk[legs[i].segment], gait, feet[i], phase)
                off += gap * gap
        if off < least - 1e-9:
            best, least = phase, off
    return float(best)


@kernel
def misfit(leg: Record, body: Record, gait: Record, foot: Record, phase: float) -> float:
    """How far a foot is from where it would be in a phase of the cycle, in cycles.

    A foot that stands may be in its stance, from half of its way ahead of home to half behind it,
    or about to make up for the rest of a swing.
    """
    place, duty = (phase + foot.offset) % 1.0, gait.duty_factor
    if foot.is_swinging:
        return abs(in_cycle(place - duty - (1.0 - duty) * foot.progress))
    x, y, speed = ground_velocity(body, leg)
    if speed < 1e-9:
        return 0.0
    home = home_of(gait, leg)
    fx, fy, _ = sub(
        unrotate(quat(body.orientation), sub(vec(foot.position), vec(body.position))), home
    )
    ahead = clamp((fx * x + fy * y) / (speed * gait.stance_length), -0.5, 0.5)
    standing = abs(in_cycle(place - duty * (0.5 - ahead)))
    lifting = abs(in_cycle(place - duty - (1.0 - duty) * (0.5 + ahead)))
    return min(standing, lifting)


@kernel
def change_cycle(plan: Record, cycles: Records, gait: Record) -> None:
    """Up and down the plan's cycles, one at a time, by the Froude number.

    Of the speed that is asked for, if that is more: who sets out to run does not walk first.
    """
    speed = max(gait.pace, gait.asked)
    froude = speed * speed / (GRAVITY * plan.reach)
    if gait.cycle + 1 < cycles.shape[0] and froude >= cycles[gait.cycle + 1].froude:
        gait.cycle += 1
    elif gait.cycle > 0 and froude < HYSTERESIS * cycles[gait.cycle].froude:
        gait.cycle -= 1


@kernel
def wave_offset(gait: Record, legs: Records, feet: Records, i: int) -> float:
    """Place in the cycle of a leg in a wave over those that are left: one after another."""
    before = 0
    for other in range(legs.shape[0]):
        if not feet[other].is_lost and legs[other].rank < legs[i].rank:
            before += 1
    left = max(1, legs.shape[0] - gait.lost_count)
    return float((gait.duty_factor - before / left) % 1.0)


@kernel
def stance_room(legs: Records, trunk: Records, gait: Record) -> float:
    """Longest way of the fastest home in one stance for which every leg has room [m].

    Nor does the body turn farther than WIDEST meanwhile.
    """
    fastest = 0.0
    for i in range(legs.shape[0]):
        _, _, speed = ground_velocity(trunk[legs[i].segment], legs[i])
        fastest = max(fastest, speed)
    turning = abs(trunk[leader_of(trunk)].yaw_rate)
    way = WIDEST * fastest / max(turning, 1e-9)
    for i in range(legs.shape[0]):
        x, y, speed = ground_velocity(trunk[legs[i].segment], legs[i])
        if speed > 0.05 * fastest:
            way = min(way, 2.0 * room(legs[i], gait.height, x / speed, y / speed) * fastest / speed)
    return float(way)

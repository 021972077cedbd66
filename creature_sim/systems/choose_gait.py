"""How a creature goes just now: its cycle by speed, its stride by direction, its legs' order."""

import esper

from creature_sim.components import PHASE, Body, Feet, Plan, Record, Records
from creature_sim.jit import kernel
from creature_sim.maths import Floats, clamp
from creature_sim.systems.prediction import ground_velocity
from creature_sim.systems.workspace import longest_stance, room

GRAVITY = 9.81
"""[m/s^2]"""
HYSTERESIS = 0.7
"""A cycle is left again below this share of the Froude number from which on it is used."""
REORDER = 0.5
"""Legs change their place in the cycle by at most this much in one cycle."""
SHORTEST_STANCE = 0.3
"""However little room its legs have, a stance is at least this share of what the plan asks for."""


class ChooseGait(esper.Processor):
    """Pick cycle, stride and offsets of every creature."""

    def process(self, dt: float) -> None:
        """Look at how fast, which way, and on how many legs it goes."""
        for _, (plan, body, feet) in esper.get_components(Plan, Body, Feet):
            choose(
                plan.body,
                plan.legs,
                plan.cycles,
                plan.offsets,
                body.records,
                body.gaits,
                feet.records,
                dt,
            )


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
            for i in range(legs.shape[0]):
                wanted = offsets[gait.cycle, i]
                if gait.lost_count > 0:
                    wanted = wave_offset(gait, legs, feet[n], i)
                gap = (wanted - feet[n, i].offset + 0.5) % 1.0 - 0.5
                feet[n, i].offset = (feet[n, i].offset + clamp(gap, -most, most)) % 1.0
            cycle = cycles[gait.cycle]
            asked = cycle.duty_factor * cycle.stride_length
        else:
            asked = longest_stance(limits, cycles)
        gait.stance_length = clamp(stance_room(legs, trunk, gait), SHORTEST_STANCE * asked, asked)
        duty = gait.duty_factor
        gait.swing_length = gait.stance_length * (1.0 - duty) / duty


@kernel
def change_cycle(plan: Record, cycles: Records, gait: Record) -> None:
    """Up and down the plan's cycles, one at a time, by the Froude number."""
    froude = gait.pace * gait.pace / (GRAVITY * plan.reach)
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
    """Longest way of the fastest home in one stance for which every leg has room [m]."""
    fastest = 0.0
    for i in range(legs.shape[0]):
        _, _, speed = ground_velocity(trunk[legs[i].segment], legs[i])
        fastest = max(fastest, speed)
    way = 1e9
    for i in range(legs.shape[0]):
        x, y, speed = ground_velocity(trunk[legs[i].segment], legs[i])
        if speed > 0.05 * fastest:
            way = min(way, 2.0 * room(legs[i], gait.height, x / speed, y / speed) * fastest / speed)
    return way

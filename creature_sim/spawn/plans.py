"""Numbers of a body plan: what the kernels need of a definition."""

from math import fsum, inf, sqrt

import numpy as np

from creature_sim.components import (
    GRAVITY,
    OPPOSITE,
    PHASE,
    REACTIVE,
    SIDE,
    CycleRecord,
    LegRecord,
    Plan,
    PlanRecord,
    Records,
    SegmentRecord,
    zeros,
)
from creature_sim.definitions import CreatureDef, FasterDef, PhaseGaitDef
from creature_sim.ik.hinges import Hinges
from creature_sim.locomotion.timing import shortest_swing
from creature_sim.locomotion.workspace import longest_stroke
from creature_sim.maths import TAU, Floats, cos, put, sin, sin_cos, unit
from creature_sim.spawn.joints import write_joints, write_pitch
from creature_sim.spawn.meetings import write_meetings

LONGEST_SWING = 0.4
"""A foot of a phase gait is in the air no longer than this, however slow the body [s]."""
STRAFE = 0.6
"""Speed sideways over that forward, where a creature does not say."""
FOOT_SPEED = 1.26
"""A foot in the air is meant to go at this many times the root of g and its reach at most."""
CLIMBS = 1.2
"""Of who climbs it may go faster by this factor: round corners it has a longer way."""
REACHES = 5.3
"""Nor faster than so many times its reach in a second: joints of short legs turn too fast."""
FOOT_ACCELERATION = 7.0
"""It is meant to speed up by this many g at most."""
EFFORT = 0.15
"""Over a high arc it takes less time by this fraction, where bodies stand on more than two legs."""
SLIPPERY = 0.4
"""Ground with less friction than this is slippery: where there is none,"""
LOWER, FLATTER = 0.15, 0.4
"""a body rides lower by this fraction of its height, and lifts its feet less by this fraction."""
LOWEST, HIGHEST = 0.6, 1.4
"""A body crouches and rises to these fractions of its ride height, if its parts allow."""
LEVELLED = 1e-3
"""Ground as steep as feet hold on may be so much steeper, as the cosine: walls are never exact."""
LEAP_SPEED = 2.0
"""A leap takes off at this many times the root of g and the reach at most: tree frogs (Marsh and
John-Alder 1994) and jumping spiders (Nabawy et al. 2018) get to 1.5 to 2.6."""
TALLEST = 0.9
"""Standing tall, a leg is stretched to this fraction of its soft reach: it must still step."""


def plan_of(definition: CreatureDef, friction: float | None = None) -> Plan:
    """The numbers that the kernels need of a creature; `friction` as worlds have it."""
    written = definition.all_legs
    joint_count = 1 + max(len(leg.bones) for leg in written)
    legs = zeros(LegRecord, len(written))
    lengths = np.zeros((len(written), joint_count - 1))
    limits, arcs, rest = (
        np.zeros((*lengths.shape, 2)),
        np.zeros((*lengths.shape, 7)),
        lengths.copy(),
    )
    joints = definition.leg_joints
    lower = _lower(definition, friction)
    in_a_wave = sorted(
        range(len(written)), key=lambda i: (written[i].side == "right", -written[i].pair)
    )
    for index, (leg, source) in enumerate(zip(legs, written, strict=True)):
        leg.mount[:] = source.mount
        leg.home[:] = (*source.home, lower - definition.body.ride_height)
        put(leg.pole, unit(source.pole, (0.0, 0.0, 1.0)))
        leg.reach, leg.soft_reach = source.reach, source.comfort
        leg.bone_count = len(source.bones)
        leg.pair, leg.segment = source.pair, source.segment
        leg.side = 1 if source.side == "left" else -1
        leg.rank = in_a_wave.index(index)
        lengths[index, : len(source.bones)] = source.bones
        hinges = Hinges(lengths[index], limits[index], arcs[index])
        write_joints(leg, source, joints[index], hinges, rest[index])
    radii = np.array(
        [
            [*leg.radii(definition.body.size[2]), *[leg.radii(0.0)[-1]] * spare]
            for leg in written
            for spare in [joint_count - 1 - len(leg.bones)]
        ]
    )
    cycles, offsets = _cycles(definition, len(written))
    segments = _segments(definition, legs)
    write_meetings(definition, legs, radii)
    if definition.climb:
        for i, leg in enumerate(legs):
            write_pitch(leg, limits[i, 0])
    return Plan(
        _numbers(definition, legs, cycles, friction),
        segments,
        legs,
        lengths,
        limits,
        arcs,
        rest,
        radii,
        cycles,
        offsets,
    )


def _cycles(definition: CreatureDef, leg_count: int) -> tuple[Records[CycleRecord], Floats]:
    """The cycles (C,) of a creature and the (C, L) offsets of its legs in them.

    A gait that reacts has one too: it only says how long a stance is.
    """
    gait = definition.gait
    if not isinstance(gait, PhaseGaitDef):
        cycles = zeros(CycleRecord, 1)
        cycles[0].duty_factor, cycles[0].stride_length = 0.5, 2.0 * gait.trigger_distance
        cycles[0].is_static = definition.is_static()
        return cycles, np.zeros((1, leg_count))
    cycles = zeros(CycleRecord, len(gait.cycles))
    offsets = np.zeros((len(cycles), leg_count))
    for number, (cycle, written) in enumerate(zip(cycles, gait.cycles, strict=True)):
        offsets[number], cycle.duty_factor = definition.cycle(number)
        cycle.stride_length = written.stride_length
        cycle.is_static = definition.is_static(number)
        cycle.flies = definition.flies(number)
        cycle.froude = written.froude if isinstance(written, FasterDef) else 0.0
    return cycles, offsets


def _segments(definition: CreatureDef, legs: Records[LegRecord]) -> Records[SegmentRecord]:
    """The segments (S,) of a creature: joints half-way between two, where their ends meet."""
    segments = zeros(SegmentRecord, len(definition.trunk))
    for s, (segment, written) in enumerate(zip(segments, definition.trunk, strict=True)):
        segment.front, segment.rear = 0.5 * written.size[0], -0.5 * written.size[0]
        segment.side = 0.5 * written.size[1]
        segment.top = 0.5 * written.size[2]
        segment.bend = cos(written.bend)
        near = np.flatnonzero(abs(legs["segment"] - s) <= 1)
        if len(near):
            segment.first_near, segment.last_near = near[0], near[-1] + 1
    return segments


def _numbers(
    definition: CreatureDef,
    legs: Records[LegRecord],
    cycles: Records[CycleRecord],
    friction: float | None,
) -> Records[PlanRecord]:
    """The numbers (1,) of a creature.

    Feet push no harder along the ground than its friction holds them (Coulomb): that bounds the
    acceleration, in curves too, and the slope. What pushes a load as well moves it less.
    """
    numbers = zeros(PlanRecord, 1)
    plan, gait, body, motion = numbers[0], definition.gait, definition.body, definition.motion
    loaded = 1.0 + motion.load
    plan.ride_height = body.ride_height - _lower(definition, friction)
    plan.clearance = max(0.5 * body.size[2], 0.5 * body.ride_height)
    plan.min_ride_height = min(plan.ride_height, max(plan.clearance, LOWEST * body.ride_height))
    plan.max_ride_height = _highest(legs, body.ride_height)
    plan.speed, plan.turn_rate = motion.speed, motion.turn_rate
    plan.run_speed = max(motion.run_speed or 0.0, motion.speed) if definition.can_run else 0.0
    plan.turn_radius = max(
        (0.5 * part.size[0] / sin(0.5 * part.bend) for part in definition.trunk[1:]), default=0.0
    )
    plan.strafe_speed = motion.strafe_speed or STRAFE * motion.speed
    plan.curve, plan.steepest = inf, -1.0
    if friction is not None:
        plan.curve, plan.steepest = friction * GRAVITY, 1.0 / sqrt(1.0 + friction * friction)
    climb = definition.climb
    if climb:
        plan.climbs, plan.curve, plan.steepest = 1, inf, cos(climb.overhang) - LEVELLED
        plan.grip, plan.hold, plan.weight_keeps = climb.grip, climb.hold, climb.weight_keeps
    plan.acceleration = min(motion.acceleration / loaded, plan.curve)
    plan.turn_acceleration = motion.turn_acceleration / loaded
    sine, cosine = sin_cos(motion.heading)
    put(plan.ahead, (cosine, sine, 0.0))
    plan.lean, plan.bob, plan.sway = motion.lean, motion.bob, motion.sway
    plan.weight, plan.damping = motion.weight, motion.damping
    plan.frequency, plan.load = _frequency(definition) / sqrt(loaded), motion.load
    plan.idle = motion.idle
    put(plan.neck, (0.5 * body.size[0], 0.0, 0.0))
    if definition.head:
        put(plan.neck, definition.head.mount)
        plan.neck_yaw, plan.neck_pitch = definition.head.yaw, definition.head.pitch
    plan.reach = fsum(legs["reach"]) / len(legs)
    fastest = motion.leap_speed or LEAP_SPEED * sqrt(GRAVITY * plan.reach)
    plan.leap_speed = fastest / sqrt(loaded)  # legs do the same work
    plan.leaps = motion.leaps
    plan.step_height = gait.step_height * (1.0 - FLATTER * _slipperiness(friction))
    plan.foot_speed = min(FOOT_SPEED * sqrt(GRAVITY * plan.reach), REACHES * plan.reach)
    plan.foot_acceleration = FOOT_ACCELERATION * GRAVITY
    plan.effort = EFFORT if len(legs) > 2 else 0.0
    plan.pad = min(leg.pad for leg in definition.all_legs)
    if isinstance(gait, PhaseGaitDef):
        plan.gait_kind, plan.swing_time = PHASE, LONGEST_SWING
    else:
        plan.gait_kind = REACTIVE
        plan.alternation = SIDE if gait.alternation == "side" else OPPOSITE
        step = 2.0 * gait.trigger_distance
        plan.swing_time = max(gait.step_duration, shortest_swing(plan, step, plan.step_height))
        # While a foot stands for its stroke, all that must wait for it take their turns.
        turns = max(np.bincount(legs["side"] + 1)) if plan.alternation == SIDE else 2
        plan.waits = max(1, int(turns) - 1) if turns > 1 else 0
    if climb:  # a swing's time is that of level ground
        plan.foot_speed *= CLIMBS
    plan.border_margin = (
        0.5
        + 0.5 * longest_stroke(cycles)
        + max(sqrt(leg.home[0] * leg.home[0] + leg.home[1] * leg.home[1]) for leg in legs)
    )
    return numbers


def _frequency(definition: CreatureDef) -> float:
    """At which a creature without a load oscillates on its legs [1/s]."""
    return definition.motion.frequency or sqrt(GRAVITY / definition.body.ride_height)


def _lower(definition: CreatureDef, friction: float | None) -> float:
    """How far a body rides lower: the springs of its legs give under a load, and it is careful [m].

    Who stands lower needs less force along the ground to keep its weight over its feet.
    """
    rate = TAU * _frequency(definition)
    sag = definition.motion.load * GRAVITY / (rate * rate)
    return sag + LOWER * _slipperiness(friction) * definition.body.ride_height


def _slipperiness(friction: float | None) -> float:
    """How slippery ground is, from where feet hold as well as a walk asks, 0, to 1."""
    return 0.0 if friction is None else max(0.0, 1.0 - friction / SLIPPERY)


def _highest(legs: Records[LegRecord], ride_height: float) -> float:
    """Ride height at which the first leg, at home, is stretched as far as standing tall goes."""
    highest = inf
    for leg in legs:
        x, y = leg.home[0] - leg.mount[0], leg.home[1] - leg.mount[1]
        length, ahead = TALLEST * leg.soft_reach * leg.arm, sqrt(x * x + y * y) - leg.coxa
        drop = sqrt(max(0.0, length * length - ahead * ahead)) + leg.ankle
        highest = min(highest, drop - leg.mount[2])
    return max(ride_height, min(highest, HIGHEST * ride_height))

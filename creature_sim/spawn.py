"""The only place that creates entities, with `spawn_rigs`: definitions and ground become herds."""

from math import fsum, inf, sqrt

import esper
import numpy as np

from creature_sim.components import (
    BODY,
    COMMAND,
    CYCLE,
    FOOT,
    GAIT,
    HIT,
    LEG,
    OPPOSITE,
    PHASE,
    PLAN,
    REACTIVE,
    SEGMENT,
    SIDE,
    Body,
    Clock,
    Command,
    Feet,
    Ground,
    Herd,
    Inbox,
    LegChain,
    Part,
    Plan,
    Probes,
    Record,
    Records,
    Sensed,
    Spawned,
)
from creature_sim.definitions import (
    CreatureDef,
    FasterDef,
    PhaseGaitDef,
    PlacementDef,
    TerrainDef,
    WorldDef,
)
from creature_sim.dynamics import Dynamics
from creature_sim.errors import DefinitionError, TerrainError
from creature_sim.ik.leg import solve_leg
from creature_sim.inputs import Input
from creature_sim.maths import (
    Floats,
    Vec,
    add,
    along,
    cos,
    cross,
    distance,
    dot,
    mix,
    put,
    put_quat,
    quat,
    quat_from_axes,
    reject,
    rotate,
    scale,
    sin,
    sin_cos,
    sub,
    unit,
    vec,
)
from creature_sim.physics import Physics
from creature_sim.props import GROUND, cast, find_props
from creature_sim.spawn_props import spawn_props, spawn_roofs
from creature_sim.spawn_rigs import spawn_rigs
from creature_sim.systems.balance import is_upright
from creature_sim.systems.choose_footholds import STEEPEST
from creature_sim.systems.plan_probes import downhill, slot_count
from creature_sim.systems.pushers import pushers_of
from creature_sim.systems.reach_guard import FULL_STRETCH, hip_of
from creature_sim.systems.solve_legs import solve_legs
from creature_sim.systems.trunk import hang
from creature_sim.systems.weight import down_at
from creature_sim.systems.workspace import longest_stance
from creature_sim.terrain.overhangs import lowest_roof, planet_of, roof_over

LONGEST_SWING = 0.4
"""A foot of a phase gait is in the air no longer than this, however slow the body [s]."""
STRAFE = 0.6
"""Speed sideways over that forward, where a creature does not say."""
LOWEST, HIGHEST = 0.6, 1.4
"""A body crouches and rises to these shares of its ride height, if its parts allow."""
TALLEST = 0.9
"""Standing tall, a leg is stretched to this share of its comfort: it must still step."""
NEAREST = 0.3
"""No foot is planted nearer to its hip than this share of its reach."""
X = (1.0, 0.0, 0.0)
Z = (0.0, 0.0, 1.0)
HALF_WORLD = 500.0
"""Ground lies between this depth and this height, of endless ground from its level there [m]."""
ROOM = 0.9
"""Rays begin within this share of the height of a roof."""


def spawn_world(world: WorldDef, physics: Physics, half_size: float) -> None:
    """Create every entity of a resolved world in esper's current context."""
    esper.create_entity(Clock(0), Inbox(Input(())), Ground(physics, half_size))
    spawn_props(world, physics)
    spawn_roofs(world.terrain)
    for name, members in world.herds.items():
        if name not in world.plans:
            raise DefinitionError(
                f"plans: expected a creature {name!r}, found {sorted(world.plans)}; "
                "a world gets its creatures from load_world"
            )
        _spawn_herd(world.plans[name], members, world, physics, half_size)
    spawn_rigs(world)


def _spawn_herd(
    definition: CreatureDef,
    members: list[int],
    world: WorldDef,
    physics: Physics,
    half_size: float,
) -> None:
    plan = plan_of(definition)
    _check_room(definition, plan, world.terrain)
    planet = planet_of(world.terrain)
    if planet is not None:
        plan.body["is_on_planet"] = 1
        plan.body["planet"] = planet
    count, leg_count, segment_count = len(members), len(plan.legs), len(plan.segments)
    joint_count, slots = plan.lengths.shape[1] + 1, slot_count(segment_count, leg_count)
    body = Body(np.zeros((count, segment_count), BODY), np.zeros(count, GAIT))
    feet = Feet(np.zeros((count, leg_count), FOOT))
    chain = LegChain(
        np.zeros((count, leg_count, joint_count, 3)),
        np.zeros((count, leg_count, joint_count - 1, 4)),
        np.zeros((count, leg_count, 4)),
    )
    probes = Probes(
        np.zeros((count, slots, 3)),
        np.zeros((count, slots, 3)),
        np.zeros((count, slots), np.int64),
    )
    sensed = Sensed(np.zeros((count, slots), HIT))
    sensed.records["prop"] = GROUND
    body.gaits["height"] = definition.body.ride_height
    body.gaits["duty_factor"] = plan.cycles[0].duty_factor
    feet.records["offset"] = plan.offsets[0]
    border = half_size - plan.body[0].margin
    for row, member in enumerate(members):
        where = world.creatures[member]
        roof = roof_over(world.terrain, *where.position)
        if max(abs(where.position[0]), abs(where.position[1])) > border:
            raise DefinitionError(
                f"creatures[{member}].position: expected x and y between {-border:.2f} and "
                f"{border:.2f} m, so that {definition.name} stands on ground; found "
                f"{list(where.position)}"
            )
        trunk = body.records[row]
        top = min(HALF_WORLD, ROOM * roof)
        _stand(where, member, plan, trunk, body.gaits[row], physics, top)
        for index, foot in enumerate(feet.records[row]):
            leg = plan.legs[index]
            above = min(2.0 * leg.reach, ROOM * roof)
            near = trunk[leg.segment]
            _plant(foot, plan.body[0], leg, index, near, body.gaits[row], physics, member, above)
    solve_legs(
        plan.legs,
        plan.lengths,
        body.records,
        feet.records,
        chain.joints,
        chain.rotations,
        chain.foot_rotation,
    )
    parts: list[Part] = [Command(np.zeros(count, COMMAND)), body, feet, sensed, chain]
    saved = {
        type(part): {name: array.copy() for name, array in part.arrays().items()} for part in parts
    }
    herd = Herd(definition, np.array(members))
    entity = esper.create_entity(herd, plan, probes, *parts, Spawned(saved))
    for _, dynamics in esper.get_component(Dynamics):
        pushers = pushers_of(definition, plan, count)
        dynamics.add_pushers(pushers.halves, pushers.capsules, count)
        esper.add_component(entity, pushers)


def _check_room(definition: CreatureDef, plan: Plan, terrain: TerrainDef) -> None:
    """Refuse a roof that a creature at its ride height, its knees too, would stick in."""
    top = definition.body.ride_height + 0.5 * max(part.size[2] for part in definition.trunk)
    needed = max(top + definition.motion.bob, float(plan.legs["shin"][:, 2].max())) / ROOM
    if lowest_roof(terrain) < needed:
        raise TerrainError(
            f"terrain.height: expected at least {needed + 0.005:.2f} m, so that a "
            f"{definition.name} finds the ground below it, found {lowest_roof(terrain):g}"
        )


def _ray(physics: Physics, start: Vec, end: Vec) -> tuple[Vec, Vec, int] | None:
    """Point and normal of what one ray finds, and which prop that is (GROUND: none)."""
    fractions, normals, props = cast(physics, find_props(), np.array([start]), np.array([end]))
    if fractions[0] >= 1.0:
        return None
    return mix(start, end, float(fractions[0])), vec(normals[0]), int(props[0])


def _stand(
    where: PlacementDef,
    member: int,
    plan: Plan,
    trunk: Records,
    gait: Record,
    physics: Physics,
    top: float,
) -> None:
    """Put a trunk above the ground at a place, aligned with its normal, its segments in a row.

    Two legs carry theirs upright.

    The ground is looked for from the height `top` [m] down.
    """
    x, y = where.position
    sine, cosine = sin_cos(where.heading)
    heading = (cosine, sine, 0.0)
    position, orientation = np.empty((len(trunk), 3)), np.empty((len(trunk), 4))
    height, level = float(plan.body[0].ride_height), physics.level(x, y)
    for s, segment in enumerate(plan.segments):
        start, end = (x, y, level + top), (x, y, level - HALF_WORLD)
        if s:  # below where it would be in one line with the one before it
            before = quat(orientation[s - 1])
            arm = plan.segments[s - 1].rear - segment.front
            place, down = along(vec(position[s - 1]), rotate(before, X), arm), rotate(before, Z)
            start, end = along(place, down, height), along(place, down, -HALF_WORLD)
        found = _ray(physics, start, end)
        if found is None:
            raise TerrainError(
                f"creatures[{member}].position: expected ground below all of the body, "
                f"found none below segment {s}"
            )
        point, normal, _ = found
        up = scale(down_at(plan.body[0], point), -1.0) if is_upright(plan.legs, gait) else normal
        ahead = unit(reject(heading, up), (1.0, 0.0, 0.0))
        put(position[s], along(point, up, height))
        put_quat(orientation[s], quat_from_axes(ahead, cross(up, ahead), up))
        if s:
            hang(plan.segments, s, s - 1, position, orientation)
    for s, body in enumerate(trunk):
        put(body.position, vec(position[s]))
        put_quat(body.orientation, quat(orientation[s]))


def _plant(
    foot: Record,
    plan: Record,
    leg: Record,
    index: int,
    body: Record,
    gait: Record,
    physics: Physics,
    member: int,
    above: float,
) -> None:
    """Put a foot on the ground at its home, or nearer to the hip where that is out of reach."""
    position, orientation = vec(body.position), quat(body.orientation)
    up = rotate(orientation, Z)
    home, hip = add(vec(leg.home), downhill(plan, gait, body)), hip_of(position, orientation, leg)
    below_hip = (leg.mount[0], leg.mount[1], leg.home[2])
    for share in (1.0, 0.75, 0.5, 0.25, 1.25, 1.5):
        aim = add(position, rotate(orientation, mix(below_hip, home, share)))
        found = _ray(physics, along(aim, up, above), along(aim, up, -leg.reach))
        if (
            found
            and dot(found[1], up) >= STEEPEST
            and leg.inner <= distance(hip, found[0]) <= FULL_STRETCH * leg.reach
        ):
            break
    else:
        raise TerrainError(
            f"creatures[{member}].position: expected ground in reach of every leg, "
            f"found none for leg {index}"
        )
    for field in (foot.position, foot.track, foot.goal, foot.foothold, foot.aim):
        put(field, found[0])
    put(foot.normal, found[1])
    put(foot.sole, found[1])
    put(foot.toe, rotate(orientation, X))
    put(foot.foothold_normal, found[1])
    foot.prop = foot.foothold_prop = found[2]


def plan_of(definition: CreatureDef) -> Plan:
    """The numbers that the kernels need of a creature."""
    written = definition.all_legs
    joint_count = 1 + max(len(leg.bones) for leg in written)
    legs = np.zeros(len(written), LEG)
    lengths = np.zeros((len(written), joint_count - 1))
    in_a_wave = sorted(
        range(len(written)), key=lambda i: (written[i].side == "right", -written[i].pair)
    )
    for index, (leg, source) in enumerate(zip(legs, written, strict=True)):
        leg.mount[:] = source.mount
        leg.home[:] = (*source.home, -definition.body.ride_height)
        put(leg.pole, unit(source.pole, (0.0, 0.0, 1.0)))
        leg.reach, leg.comfort = source.reach, source.comfort
        leg.inner = max(1.05 * source.hole, NEAREST * source.reach)
        leg.bone_count = len(source.bones)
        leg.pair, leg.segment = source.pair, source.segment
        leg.side = 1 if source.side == "left" else -1
        leg.rank = in_a_wave.index(index)
        lengths[index, : len(source.bones)] = source.bones
        put(leg.shin, shin_of(leg, lengths[index, : len(source.bones)]))
    cycles, offsets = _cycles(definition, len(written))
    segments = _segments(definition, legs)
    return Plan(_numbers(definition, legs, cycles), segments, legs, lengths, cycles, offsets)


def shin_of(leg: Record, lengths: Floats) -> Vec:
    """From a foot at home on level ground to the joint above it [m, segment]."""
    joints = np.zeros((len(lengths) + 1, 3))
    solve_leg(joints, lengths, vec(leg.mount), vec(leg.home), vec(leg.pole))
    return sub(vec(joints[-2]), vec(joints[-1]))


def _cycles(definition: CreatureDef, leg_count: int) -> tuple[Records, Floats]:
    """The (C,) CYCLE of a creature and the (C, L) offsets of its legs in them.

    A gait that reacts has one too: it only says how long a stance is.
    """
    gait = definition.gait
    if not isinstance(gait, PhaseGaitDef):
        cycles = np.zeros(1, CYCLE)
        cycles[0].duty_factor, cycles[0].stride_length = 0.5, 2.0 * gait.trigger_distance
        return cycles, np.zeros((1, leg_count))
    cycles = np.zeros(len(gait.cycles), CYCLE)
    offsets = np.zeros((len(cycles), leg_count))
    for number, (cycle, written) in enumerate(zip(cycles, gait.cycles, strict=True)):
        offsets[number], cycle.duty_factor = definition.cycle(number)
        cycle.stride_length = written.stride_length
        cycle.froude = written.froude if isinstance(written, FasterDef) else 0.0
    return cycles, offsets


def _segments(definition: CreatureDef, legs: Records) -> Records:
    """The (S,) SEGMENT of a creature: joints half-way between two, where their ends meet."""
    segments = np.zeros(len(definition.trunk), SEGMENT)
    for s, (segment, written) in enumerate(zip(segments, definition.trunk, strict=True)):
        segment.front, segment.rear = 0.5 * written.size[0], -0.5 * written.size[0]
        segment.bend = cos(written.bend)
        near = np.flatnonzero(abs(legs["segment"] - s) <= 1)
        if len(near):
            segment.first_near, segment.last_near = near[0], near[-1] + 1
    return segments


def _numbers(definition: CreatureDef, legs: Records, cycles: Records) -> Records:
    """The (1,) PLAN of a creature."""
    numbers = np.zeros(1, PLAN)
    plan, gait, body, motion = numbers[0], definition.gait, definition.body, definition.motion
    plan.ride_height = body.ride_height
    plan.clearance = max(0.5 * body.size[2], 0.5 * body.ride_height)
    plan.lowest = min(body.ride_height, max(plan.clearance, LOWEST * body.ride_height))
    plan.highest = _highest(legs, body.ride_height)
    plan.speed, plan.turn_rate = motion.speed, motion.turn_rate
    plan.turn_radius = max(
        (0.5 * part.size[0] / sin(0.5 * part.bend) for part in definition.trunk[1:]), default=0.0
    )
    plan.strafe_speed = motion.strafe_speed or STRAFE * motion.speed
    plan.acceleration, plan.turn_acceleration = motion.acceleration, motion.turn_acceleration
    sine, cosine = sin_cos(motion.heading)
    put(plan.ahead, (cosine, sine, 0.0))
    plan.lean, plan.bob, plan.sway = motion.lean, motion.bob, motion.sway
    plan.reach = fsum(legs["reach"]) / len(legs)
    plan.step_height = gait.step_height
    plan.is_static = not definition.imbalance
    if isinstance(gait, PhaseGaitDef):
        plan.gait, plan.swing_time = PHASE, LONGEST_SWING
    else:
        plan.gait = REACTIVE
        plan.alternation = SIDE if gait.alternation == "side" else OPPOSITE
        plan.swing_time = gait.step_duration
        # While a foot stands for its way, all that must wait for it take their turns.
        turns = max(np.bincount(legs["side"] + 1)) if plan.alternation == SIDE else 2
        plan.waits = max(1, int(turns) - 1) if turns > 1 else 0
    plan.margin = (
        0.5
        + 0.5 * longest_stance(plan, cycles)
        + max(sqrt(leg.home[0] * leg.home[0] + leg.home[1] * leg.home[1]) for leg in legs)
    )
    return numbers


def _highest(legs: Records, ride_height: float) -> float:
    """Ride height at which the first leg, at home, is stretched as far as standing tall goes."""
    highest = inf
    for leg in legs:
        x, y = leg.home[0] - leg.mount[0], leg.home[1] - leg.mount[1]
        length = TALLEST * leg.comfort * leg.reach
        highest = min(highest, sqrt(max(0.0, length * length - x * x - y * y)) - leg.mount[2])
    return max(ride_height, min(highest, HIGHEST * ride_height))

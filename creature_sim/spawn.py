"""The only place that creates entities, with `spawn_rigs`: definitions and ground become herds."""

from collections.abc import Iterator
from math import inf, sqrt

import esper
import numpy as np

from creature_sim.components import (
    BODY,
    COMMAND,
    FOOT,
    HIT,
    LEG,
    OPPOSITE,
    PHASE,
    PLAN,
    REACTIVE,
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
    Records,
    Sensed,
    Spawned,
)
from creature_sim.definitions import CreatureDef, PhaseGaitDef, PlacementDef, WorldDef
from creature_sim.errors import DefinitionError, TerrainError
from creature_sim.inputs import Input
from creature_sim.maths import (
    Quat,
    Vec,
    add,
    along,
    cross,
    distance,
    mix,
    put,
    quat_from_axes,
    reject,
    rotate,
    sin_cos,
    unit,
    vec,
)
from creature_sim.physics import Physics
from creature_sim.spawn_rigs import spawn_rigs
from creature_sim.systems.plan_probes import downhill, slot_count
from creature_sim.systems.reach_guard import FULL_STRETCH, hip_of
from creature_sim.systems.solve_legs import solve_legs

LONGEST_SWING = 0.4
"""A foot of a phase gait is in the air no longer than this, however slow the body [s]."""
SHORTEST_SWING = 0.12
"""A phase gait that would swing faster than this slows the body down [s]."""
NEAREST = 0.3
"""No foot is planted nearer to its hip than this share of its reach."""
HALF_WORLD = 500.0
"""Ground lies between this depth and this height [m]."""


def spawn_world(world: WorldDef, physics: Physics, half_size: float) -> None:
    """Create every entity of a resolved world in esper's current context."""
    esper.create_entity(Clock(0), Inbox(Input(())), Ground(physics, half_size))
    for name, members in _herds(world):
        if name not in world.plans:
            raise DefinitionError(
                f"plans: expected a creature {name!r}, found {sorted(world.plans)}; "
                "a world gets its creatures from load_world"
            )
        _spawn_herd(world.plans[name], members, world.creatures, physics, half_size)
    spawn_rigs(world)


def _herds(world: WorldDef) -> Iterator[tuple[str, list[int]]]:
    """Body plans in order of first appearance, with the creatures that share them."""
    members: dict[str, list[int]] = {}
    for index, placement in enumerate(world.creatures):
        members.setdefault(placement.creature, []).append(index)
    yield from members.items()


def _spawn_herd(
    definition: CreatureDef,
    members: list[int],
    placements: tuple[PlacementDef, ...],
    physics: Physics,
    half_size: float,
) -> None:
    plan = plan_of(definition)
    count, leg_count = len(members), len(plan.legs)
    joint_count, slots = plan.lengths.shape[1] + 1, slot_count(leg_count)
    body, feet = Body(np.zeros(count, BODY)), Feet(np.zeros((count, leg_count), FOOT))
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
    border = half_size - plan.body[0].margin
    for row, member in enumerate(members):
        where = placements[member]
        if max(abs(where.position[0]), abs(where.position[1])) > border:
            raise DefinitionError(
                f"creatures[{member}].position: expected x and y between {-border:.2f} and "
                f"{border:.2f} m, so that {definition.name} stands on ground; found "
                f"{list(where.position)}"
            )
        position, orientation = _stand(where, plan, physics)
        put(body.records[row].position, position)
        body.records[row].orientation[:] = orientation
        lean = downhill(plan.body[0], body.records[row])
        _plant(feet.records[row], plan, position, orientation, lean, physics, member)
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
    esper.create_entity(herd, plan, probes, *parts, Spawned(saved))


def _ray(physics: Physics, start: Vec, end: Vec) -> tuple[Vec, Vec] | None:
    """Point and normal of the ground that one ray finds."""
    fractions, normals = physics.cast(np.array([start]), np.array([end]))
    if fractions[0] >= 1.0:
        return None
    return mix(start, end, float(fractions[0])), vec(normals[0])


def _stand(where: PlacementDef, plan: Plan, physics: Physics) -> tuple[Vec, Quat]:
    """Pose of a body that stands at a place: above the ground, aligned with its normal."""
    x, y = where.position
    found = _ray(physics, (x, y, HALF_WORLD), (x, y, -HALF_WORLD))
    if found is None:
        raise TerrainError(f"expected ground at {list(where.position)}, found none")
    point, up = found
    sine, cosine = sin_cos(where.heading)
    ahead = unit(reject((cosine, sine, 0.0), up), (1.0, 0.0, 0.0))
    orientation = quat_from_axes(ahead, cross(up, ahead), up)
    return along(point, up, float(plan.body[0].ride_height)), orientation


def _plant(
    feet: Records,
    plan: Plan,
    position: Vec,
    orientation: Quat,
    lean: Vec,
    physics: Physics,
    member: int,
) -> None:
    """Put every foot on the ground at its home, or nearer to the hip where that is out of reach."""
    up = rotate(orientation, (0.0, 0.0, 1.0))
    for index, (foot, leg) in enumerate(zip(feet, plan.legs, strict=True)):
        home, hip = add(vec(leg.home), lean), hip_of(position, orientation, leg)
        below_hip = (leg.mount[0], leg.mount[1], leg.home[2])
        for share in (1.0, 0.75, 0.5, 0.25):
            aim = add(position, rotate(orientation, mix(below_hip, home, share)))
            found = _ray(physics, along(aim, up, 2.0 * leg.reach), along(aim, up, -leg.reach))
            if found and leg.inner <= distance(hip, found[0]) <= FULL_STRETCH * leg.reach:
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
        put(foot.foothold_normal, found[1])


def plan_of(definition: CreatureDef) -> Plan:
    """The numbers that the kernels need of a creature."""
    written = definition.all_legs
    joint_count = 1 + max(len(leg.bones) for leg in written)
    legs = np.zeros(len(written), LEG)
    lengths = np.zeros((len(written), joint_count - 1))
    for index, (leg, source) in enumerate(zip(legs, written, strict=True)):
        leg.mount[:] = source.mount
        leg.home[:] = (*source.home, -definition.body.ride_height)
        put(leg.pole, unit(source.pole, (0.0, 0.0, 1.0)))
        leg.reach = source.reach
        leg.inner = max(1.05 * source.hole, NEAREST * source.reach)
        leg.bone_count = len(source.bones)
        leg.pair = source.pair
        leg.side = 1 if source.side == "left" else -1
        if isinstance(definition.gait, PhaseGaitDef):
            leg.offset = definition.cycle[0][index]
        lengths[index, : len(source.bones)] = source.bones
    return Plan(_numbers(definition, legs), legs, lengths)


def _numbers(definition: CreatureDef, legs: Records) -> Records:
    """The (1,) PLAN of a creature."""
    numbers = np.zeros(1, PLAN)
    plan, gait, body, motion = numbers[0], definition.gait, definition.body, definition.motion
    plan.ride_height = body.ride_height
    plan.clearance = max(0.5 * body.size[2], 0.5 * body.ride_height)
    plan.speed, plan.turn_rate = motion.speed, motion.turn_rate
    plan.acceleration, plan.turn_acceleration = motion.acceleration, motion.turn_acceleration
    plan.step_height = gait.step_height
    if isinstance(gait, PhaseGaitDef):
        plan.gait = PHASE
        plan.duty_factor, plan.stride_length = definition.cycle[1], gait.stride_length
        plan.stance_length = plan.duty_factor * gait.stride_length
        plan.swing_length = gait.stride_length - plan.stance_length
        plan.swing_time = LONGEST_SWING
        plan.foot_speed = plan.swing_length / SHORTEST_SWING
    else:
        plan.gait = REACTIVE
        plan.alternation = SIDE if gait.alternation == "side" else OPPOSITE
        plan.stance_length = gait.trigger_distance
        plan.swing_time = gait.step_duration
        # While a foot stands for its way, all that must wait for it take their turns.
        turns = max(np.bincount(legs["side"] + 1)) if plan.alternation == SIDE else 2
        waits = max(1, int(turns) - 1) * gait.step_duration
        plan.foot_speed = 0.9 * gait.trigger_distance / waits if turns > 1 else inf
    sway = 0.5 * plan.stance_length
    plan.margin = (
        0.5
        + sway
        + max(sqrt(leg.home[0] * leg.home[0] + leg.home[1] * leg.home[1]) for leg in legs)
    )
    return numbers

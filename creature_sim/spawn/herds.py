"""The only place that creates entities, with `spawn_rigs`: definitions and ground become herds."""

import esper
import numpy as np

from creature_sim.components import (
    BODY,
    COMMAND,
    FOOT,
    GAIT,
    GROUND,
    HIT,
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
from creature_sim.components.queries import find_props
from creature_sim.definitions import CreatureDef, PlacementDef, TerrainDef, WorldDef
from creature_sim.errors import DefinitionError, TerrainError
from creature_sim.ground.rays import Physics
from creature_sim.inputs import Input
from creature_sim.locomotion.balance import is_upright
from creature_sim.locomotion.gravity import down_at
from creature_sim.locomotion.legs import solve_legs
from creature_sim.locomotion.reach import FULL_STRETCH, hip_of
from creature_sim.locomotion.slots import downhill, slot_count
from creature_sim.locomotion.trunk import hang
from creature_sim.locomotion.walls import STEEPEST
from creature_sim.maths import (
    Vec,
    X,
    Z,
    add,
    along,
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
    sin_cos,
    unit,
    vec,
)
from creature_sim.props.dynamics import Dynamics
from creature_sim.props.pushers import pushers_of
from creature_sim.props.rays import cast
from creature_sim.spawn.plans import plan_of
from creature_sim.spawn.props import spawn_props, spawn_roofs
from creature_sim.spawn.rigs import spawn_rigs
from creature_sim.terrain.traits import lowest_roof, planet_of, roof_over

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
        if name not in world.species:
            raise DefinitionError(
                f"species: expected a creature {name!r}, found {sorted(world.species)}; "
                "a world gets its creatures from load_world"
            )
        _spawn_herd(world.species[name], members, world, physics, half_size)
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

"""Herds become entities, grow and shrink."""

from collections.abc import Iterable
from typing import NamedTuple

import esper
import numpy as np

from creature_sim.components import (
    FOLDS,
    GROUND,
    Body,
    BodyPose,
    BodyPoseRecord,
    BodyRecord,
    Clock,
    Command,
    CommandRecord,
    Crowd,
    Flight,
    FlightFootRecord,
    FlightRecord,
    Foothold,
    FootholdRecord,
    FootRecord,
    FootTarget,
    Gait,
    GaitRecord,
    Gravity,
    Ground,
    Head,
    HeadRecord,
    Herd,
    HitRecord,
    Inbox,
    LegChain,
    LegTarget,
    LegTargetRecord,
    MotionRecord,
    Motions,
    Plan,
    Probes,
    Sensed,
    Spawned,
    Suspension,
    SuspensionRecord,
    lay_together,
    no_others,
    nobody_near,
    room_for_patches,
    zeros,
)
from creature_sim.components.arrays import Arrays
from creature_sim.definitions import CreatureDef, PlacementDef, WorldDef
from creature_sim.errors import CreatureSimError, DefinitionError, TerrainError
from creature_sim.ground.rays import Physics
from creature_sim.inputs import Input
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.gravity import gravity_of
from creature_sim.locomotion.legs import bend_legs
from creature_sim.locomotion.slots import PATCH_RAYS, slot_count
from creature_sim.locomotion.tempi import tempo_of
from creature_sim.motions import MOTIONS
from creature_sim.props.dynamics import Dynamics
from creature_sim.props.pushers import pushers_of
from creature_sim.spawn.entities import saved_of
from creature_sim.spawn.placing import check_room, place
from creature_sim.spawn.plans import plan_of
from creature_sim.spawn.props import spawn_props, spawn_roofs
from creature_sim.spawn.rigs import spawn_rigs
from creature_sim.spawn.sites import Pose, Site
from creature_sim.spawn.twins import add_twins, spawn_stage, stage_here
from creature_sim.systems.rest_bodies import Rest
from creature_sim.terrain import Terrain
from creature_sim.twin.caring import hasten

SETTLING = 1.0
"""Time that legs take to settle into their first pose, before any tick [s]."""


def spawn_world(world: WorldDef, physics: Physics, terrain: Terrain) -> None:
    """Create every entity of a resolved world in esper's current context."""
    gravity = gravity_of(world.terrain)
    esper.create_entity(
        Clock(0),
        Inbox(Input(())),
        Ground(physics, terrain.half_size),
        Gravity(gravity),
        Crowd(no_others()),
    )
    spawn_props(world, physics)
    spawn_stage(world, physics)
    spawn_roofs(world.terrain)
    site = Site.of(world, physics, terrain, gravity)
    for _, members in world.herds:
        placements = [world.creatures[member] for member in members]
        species = world.species_of(placements[0])
        for member in members:
            if world.creatures[member].climb:
                raise DefinitionError(
                    f"creatures[{member}].climb: expected a world as load_world gives it, where "
                    "those that are told to climb are a species of their own, found another"
                )
        spawn_herd(species, members, placements, site)
    spawn_rigs(world)


def spawn_herd(
    definition: CreatureDef,
    members: Iterable[int],
    placements: Iterable[PlacementDef],
    site: Site,
    *,
    has_pushers: bool = True,
) -> int:
    """Create the entity of creatures that share a body plan, where they start.

    Args:
        definition: their body plan.
        members: number of each.
        placements: where each starts.
        site: the ground.
        has_pushers: whether it gets bodies that push props, where there are any.

    Raises:
        DefinitionError: one starts too near to the border.
        TerrainError: there is no ground for it.
    """
    members, placements = list(members), list(placements)
    is_physical = any(placement.physical for placement in placements)
    plan = plan_of(definition, site.friction)
    if is_physical:  # forces show its weight, and would tip it over the ends of soles that roll
        stage_here()  # refuses a world without one, before anything is created
        hasten(plan)
        plan.body["weight"] = 0.0
        plan.legs["heel"] = plan.legs["toe"] = 0.0
    check_room(definition, plan, site.terrain)
    parts, probes = _parts_of(plan, definition, len(members))
    body, gait, feet, holds = parts.body, parts.gait, parts.feet, parts.footholds
    for row, (member, placement) in enumerate(zip(members, placements, strict=True)):
        pose = Pose(body.records[row], gait.records[row], feet.records[row], holds.records[row])
        try:
            place(definition, plan, placement, site, pose)
        except CreatureSimError as error:
            raise type(error)(f"creatures[{member}].{error}") from None
        if placement.folded or placement.overturned:
            creature = Creature(
                plan.body[0],
                plan.legs,
                body.records[row],
                gait.records[row],
                feet.records[row],
                holds.records[row],
            )
            flight, suspension = parts.flight, parts.suspension.records[row]
            own = flight.records[row], flight.feet[row], suspension
            rest = Rest(creature, plan, *own, parts.chain.joints[row])
            if not rest.fold_at_once():
                raise TerrainError(
                    f"creatures[{member}].position: expected ground to lie on below it, found less"
                )
            if placement.overturned:
                bend_legs(plan, body, gait, feet, parts.targets, probes, parts.chain, SETTLING)
                rest.overturn_at_once()
                gait.records[row].rest = FOLDS if placement.folded else 0
    seeds = [seed_of(placement) for placement in placements]
    gait.records["tempo"] = [tempo_of(seed) for seed in seeds]
    begin_motions(parts.motions, seeds)
    for field in ("position", "orientation"):
        parts.suspension.records[field] = body.records[field]
    feet.records["load"] = 1.0
    bend_legs(plan, body, gait, feet, parts.targets, probes, parts.chain, SETTLING)
    parts.chain.rates[:] = 0.0
    lay_together(parts)
    entity: int = esper.create_entity(
        Herd(definition, np.array(members), any(placement.alone for placement in placements)),
        plan,
        probes,
        nobody_near(body.records.size, feet.records.size),
        *parts,
        Spawned({type(part): saved_of(part) for part in parts}),
    )
    esper.add_component(entity, Arrays(entity))
    if is_physical:
        add_twins(entity, site.friction)
        return entity
    for _, dynamics in esper.get_component(Dynamics) if has_pushers else ():
        pushers = pushers_of(definition, plan, len(members))
        dynamics.add_pushers(pushers.halves, pushers.capsules, len(members))
        esper.add_component(entity, pushers)
    return entity


class _Parts(NamedTuple):
    """The state of a herd, in the order in which snapshots have it."""

    command: Command
    body: Body
    gait: Gait
    feet: FootTarget
    footholds: Foothold
    sensed: Sensed
    chain: LegChain
    targets: LegTarget
    suspension: Suspension
    pose: BodyPose
    head: Head
    motions: Motions
    flight: Flight


def _parts_of(plan: Plan, definition: CreatureDef, count: int) -> tuple[_Parts, Probes]:
    """The state of so many creatures that stand nowhere yet, and their rays."""
    leg_count, segment_count = len(plan.legs), len(plan.segments)
    joint_count, slots = (
        plan.lengths.shape[1] + 1,
        slot_count(segment_count, leg_count, int(plan.body[0].climbs)),
    )
    body = Body(zeros(BodyRecord, count, segment_count))
    gait, feet = Gait(zeros(GaitRecord, count)), FootTarget(zeros(FootRecord, count, leg_count))
    body.records["share"] = definition.shares
    gait.records["ride_height"] = plan.body[0].ride_height
    gait.records["duty_factor"] = plan.cycles[0].duty_factor
    gait.records["is_static"] = plan.cycles[0].is_static
    feet.records["phase_offset"] = plan.offsets[0]
    angles = np.zeros((count, leg_count, joint_count - 1, 3))
    for i, leg in enumerate(plan.legs):
        angles[:, i, leg.first : leg.first + leg.bend_count, 0] = plan.rest[i, : leg.bend_count]
    sensed = Sensed(zeros(HitRecord, count, slots))
    sensed.records["prop"] = GROUND
    parts = _Parts(
        Command(zeros(CommandRecord, count)),
        body,
        gait,
        feet,
        Foothold(zeros(FootholdRecord, count, leg_count)),
        sensed,
        LegChain(
            np.zeros((count, leg_count, joint_count, 3)),
            np.zeros((count, leg_count, joint_count - 1, 4)),
            np.zeros((count, leg_count, 4)),
            angles,
            np.zeros((count, leg_count, joint_count - 1)),
            np.zeros((count, leg_count), np.int64),
            np.zeros((count, leg_count), np.int64),
        ),
        LegTarget(zeros(LegTargetRecord, count, leg_count)),
        Suspension(zeros(SuspensionRecord, count, segment_count)),
        BodyPose(zeros(BodyPoseRecord, count)),
        Head(zeros(HeadRecord, count)),
        Motions(zeros(MotionRecord, count, len(MOTIONS))),
        Flight(zeros(FlightRecord, count), zeros(FlightFootRecord, count, leg_count)),
    )
    probes = Probes(
        np.zeros((count, slots, 3)),
        np.zeros((count, slots, 3)),
        np.zeros((count, slots), np.int8),
        np.full((count, segment_count), np.inf),
        room_for_patches(count, leg_count, PATCH_RAYS),
    )
    return parts, probes


def seed_of(placement: PlacementDef) -> int:
    """What a creature does by chance depends on where it starts, to the millimetre."""
    x, y = (round(1e3 * part) for part in placement.position)
    return 1_000_003 * x + y


def begin_motions(motions: Motions, seeds: Iterable[int]) -> None:
    """Say of what nobody does anything yet, and whose it is."""
    motions.records["other"] = motions.records["leg"] = -1
    for row, seed in enumerate(seeds):
        motions.records["seed"][row] = seed

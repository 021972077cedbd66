"""Creatures that forces move get bodies that obey them."""

import esper
import numpy as np

from creature_sim.components import (
    Body,
    Gravity,
    Head,
    Herd,
    LegChain,
    Plan,
    Spawned,
    Twin,
    TwinRecord,
    zeros,
)
from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.ground.rays import Physics
from creature_sim.props.dynamics import Dynamics
from creature_sim.spawn.entities import saved_of
from creature_sim.terrain import build_terrain
from creature_sim.twin.building import machine_of
from creature_sim.twin.easing import ramp_of
from creature_sim.twin.goals import find_goals
from creature_sim.twin.multibody import Multibody
from creature_sim.twin.stage import Stage
from creature_sim.twin.twins import Twins


def spawn_stage(world: WorldDef, physics: Physics) -> None:
    """Create where twins live, in a world that has any.

    Raises:
        DefinitionError: gravity does not point down there.
    """
    physical = [number for number, one in enumerate(world.creatures) if one.physical]
    if not physical:
        return
    ((_, gravity),) = esper.get_component(Gravity)
    if gravity.records[0].is_central:
        raise DefinitionError(
            f"creatures[{physical[0]}].physical: expected ground on which down is the same "
            "everywhere, found a planet"
        )
    dynamics = [dynamics for _, dynamics in esper.get_component(Dynamics)]
    is_own = physics.is_endless and not dynamics
    if is_own:  # what of it lies where depends on nothing but the twins: so do results
        physics = Physics(build_terrain(world.terrain, world.seed), len(physical))
    acceleration = gravity.records[0].acceleration
    dt = 1.0 / world.tick_rate
    esper.create_entity(Stage(physics, dynamics[0] if dynamics else None, acceleration, dt, is_own))


def stage_here() -> Stage:
    """Where twins live; DefinitionError where the world began without any."""
    for _, stage in esper.get_component(Stage):
        return stage
    raise DefinitionError(
        "physical: expected a world that begins with such a creature, found one without"
    )


def add_twins(entity: int, friction: float | None) -> None:
    """Give a herd that stands bodies in the stage.

    Args:
        entity: its.
        friction: of feet on the ground; None: as usual.
    """
    stage = stage_here()
    herd = esper.component_for_entity(entity, Herd)
    body, head, chain = (
        esper.component_for_entity(entity, Body),
        esper.component_for_entity(entity, Head),
        esper.component_for_entity(entity, LegChain),
    )
    machine = machine_of(herd.definition, friction)
    count, legs = chain.joints.shape[:2]
    bodies = [Multibody(machine.robot, stage.client, machine.gains.friction) for _ in range(count)]
    ramp = ramp_of(esper.component_for_entity(entity, Plan))
    twins = Twins(machine, bodies, ramp)
    records = zeros(TwinRecord, count)
    for field in ("position", "orientation"):
        records[field] = records[f"goal_{field}"] = body.records[field][:, 0]
    records["centre"] = records["position"]
    goals = np.array([[joint.rest for joint in machine.robot.joints]] * count)
    find_goals(machine.links, body.records, head.records, chain.rotations, goals)
    twin = Twin(
        records,
        goals.copy(),
        np.zeros_like(goals),
        goals,
        np.zeros_like(goals),
        np.zeros_like(goals),
        np.zeros_like(goals),
        np.zeros_like(goals),
        np.zeros((count, legs, 3)),
        chain.joints[:, :, -1].copy(),
        np.zeros((count, legs), np.int64),
        chain.joints.copy(),
        chain.rotations.copy(),
    )
    esper.component_for_entity(entity, Spawned).parts[Twin] = saved_of(twin)
    esper.add_component(entity, twin)
    esper.add_component(entity, twins)

"""Events and commands enter the world here."""

from math import sqrt

import esper

from creature_sim.components import (
    Body,
    Command,
    Feet,
    Herd,
    Inbox,
    Part,
    Plan,
    Props,
    Record,
    Records,
    Rig,
    Solids,
    Spawned,
    Targets,
)
from creature_sim.inputs import FULL, Event
from creature_sim.maths import add, clamp, distance, put, quat, unrotate, vec
from creature_sim.maths.jit import kernel
from creature_sim.props.dynamics import Dynamics
from creature_sim.systems.carry_feet import carry_from_start
from creature_sim.systems.choose_footholds import PRESSING
from creature_sim.systems.reach_guard import hip_of
from creature_sim.systems.trunk import leader_of
from creature_sim.systems.workspace import pace_of, ride_height, wanted_twist

CROUCH_RATE = 1.5
"""A body rises and crouches by this many ride heights a second."""


class ApplyInputs(esper.Processor):
    """Apply the tick's events, then turn commands into velocity, yaw rate and ride height."""

    def process(self, dt: float) -> None:
        """Take what lies in the inbox."""
        ((_, inbox),) = esper.get_component(Inbox)
        given = inbox.input
        if any(event.kind == "reset_props" for event in given.events):
            _reset_props()
        for entity, (herd, plan, command, body) in esper.get_components(Herd, Plan, Command, Body):
            for event in given.events:
                if event.chain is None and event.creature in herd.members:
                    row = int((herd.members == event.creature).argmax())
                    _happen(event, entity, row)
            records = command.records
            for row, member in enumerate(herd.members.tolist()):
                records[row] = given.commands[member]
            steer(
                plan.body,
                plan.cycles,
                plan.legs,
                records,
                body.records,
                body.gaits,
                esper.component_for_entity(entity, Feet).records,
                dt,
            )
        for entity, (rig, targets) in esper.get_components(Rig, Targets):
            for event in given.events:
                _apply(event, entity, rig, targets)


def _happen(event: Event, entity: int, row: int) -> None:
    """Do to a creature what an event asks."""
    if event.kind == "reset":
        _reset(entity, row)
        carry_from_start(entity, row)
    elif event.kind == "disable_leg":
        foot = esper.component_for_entity(entity, Feet).records[row, event.leg]
        foot["is_lost"] = foot["is_swinging"] = 1
        foot["has_foothold"] = 0
    elif event.kind == "push":
        assert event.velocity is not None
        x, y, z = event.velocity
        push(esper.component_for_entity(entity, Body).records[row], float(x), float(y), float(z))


@kernel
def push(trunk: Records, x: float, y: float, z: float) -> None:
    """Add to the velocity of every segment what of (x, y, z) [m/s, world] is along its surface."""
    for s in range(trunk.shape[0]):
        dx, dy, _ = unrotate(quat(trunk[s].orientation), (x, y, z))
        put(trunk[s].velocity, add(vec(trunk[s].velocity), (dx, dy, 0.0)))


def _reset(entity: int, row: int) -> None:
    """Put a creature of this herd, or the only chain of this entity, back to how it started."""
    for kind, saved in esper.component_for_entity(entity, Spawned).parts.items():
        part: Part = esper.component_for_entity(entity, kind)
        for name, array in part.arrays().items():
            array[row] = saved[name][row]


def _reset_props() -> None:
    """Put dynamic props back to how they started; the paths of others know only the tick."""
    for entity, (solids, props) in esper.get_components(Solids, Props):
        saved = esper.component_for_entity(entity, Spawned).parts[Props]["records"]
        props.records[solids.is_dynamic] = saved[solids.is_dynamic]
        dynamics = esper.try_component(entity, Dynamics)
        if dynamics:
            dynamics.reset(props.records)


def _apply(event: Event, entity: int, rig: Rig, targets: Targets) -> None:
    """Do to a chain what an event asks of it, or of the creature that carries it."""
    if event.kind == "set_target" and event.chain == rig.index:
        assert event.point is not None
        x, y, z = event.point
        put(targets.records[0, event.target]["point"], (float(x), float(y), float(z)))
    elif event.kind == "reset":
        is_carried = event.chain is None and event.creature == rig.definition.creature
        if is_carried or event.chain == rig.index:
            _reset(entity, 0)


@kernel
def steer(
    plan: Records,
    cycles: Records,
    legs: Records,
    commands: Records,
    bodies: Records,
    gaits: Records,
    feet: Records,
    dt: float,
) -> None:
    """Move velocity, yaw rate and height towards the command, as fast as the plan allows.

    Of a trunk with several segments the one that leads is steered; what is asked for is remembered
    as the acceleration that the body leans into: its own, and the curve's.
    """
    limits = plan[0]
    for n in range(bodies.shape[0]):
        trunk, leader = bodies[n], leader_of(bodies[n])
        body, command, gait = trunk[leader], commands[n], gaits[n]
        height = command.height / FULL
        x, y, yaw_rate = wanted_twist(
            limits,
            cycles,
            legs,
            command.forward / FULL,
            command.turn / FULL,
            command.strafe / FULL,
            height,
        )
        if gait.lost_count == legs.shape[0]:  # nothing left to walk on
            x, y, yaw_rate = 0.0, 0.0, 0.0
        gait.asked = pace_of(legs, x, y, yaw_rate)
        x -= body.velocity[0]
        y -= body.velocity[1]
        gap, most = sqrt(x * x + y * y), limits.acceleration * dt
        share = most / gap if gap > most else 1.0
        x, y = x * share, y * share
        put(body.velocity, add(vec(body.velocity), (x, y, 0.0)))
        most = limits.turn_acceleration * dt
        body.yaw_rate += clamp(yaw_rate - body.yaw_rate, -most, most)
        if limits.turn_radius > 0.0:
            most = abs(body.velocity[0]) / limits.turn_radius
            body.yaw_rate = clamp(body.yaw_rate, -most, most)
        if (body.velocity[0] < 0.0) != (leader > 0):
            for s in range(trunk.shape[0]):  # the other end leads now, from the same motion
                put(trunk[s].velocity, vec(body.velocity))
                trunk[s].yaw_rate = body.yaw_rate
        put(
            gait.acceleration,
            (
                x / dt - body.yaw_rate * body.velocity[1],
                y / dt + body.yaw_rate * body.velocity[0],
                0.0,
            ),
        )
        most = CROUCH_RATE * limits.ride_height * dt
        wished = height_to_reach(limits, legs, trunk, gait, feet[n], ride_height(limits, height))
        gait.height += clamp(wished - gait.height, -most, most)


@kernel
def height_to_reach(
    plan: Record, legs: Records, trunk: Records, gait: Record, feet: Records, wished: float
) -> float:
    """Ride height to go to [m]: low where a foot that must step finds nothing in reach.

    Nor does the body rise while a leg is stretched beyond its comfort.
    """
    for i in range(legs.shape[0]):
        leg, foot = legs[i], feet[i]
        if foot.is_lost:
            continue
        if not foot.is_swinging and foot.has_foothold == 0 and foot.need > PRESSING:
            return float(min(wished, plan.lowest))
        body = trunk[leg.segment]
        hip = hip_of(vec(body.position), quat(body.orientation), leg)
        if distance(hip, vec(foot.goal)) > leg.comfort * leg.reach:
            wished = min(wished, gait.height)
    return float(wished)

"""Events and commands enter the world here."""

from math import sqrt

import esper

from creature_sim.components import Body, Command, Herd, Inbox, Part, Plan, Record, Records, Spawned
from creature_sim.inputs import FULL, Event
from creature_sim.jit import kernel
from creature_sim.maths import clamp, put
from creature_sim.rigs import Rig, Targets


class ApplyInputs(esper.Processor):
    """Apply the tick's events, then turn commands into speed and yaw rate."""

    def process(self, dt: float) -> None:
        """Take what lies in the inbox."""
        ((_, inbox),) = esper.get_component(Inbox)
        given = inbox.input
        for entity, (herd, plan, command, body) in esper.get_components(Herd, Plan, Command, Body):
            for event in given.events:
                if event.kind == "reset" and event.chain is None:
                    for row in (herd.members == event.creature).nonzero()[0]:
                        _reset(entity, int(row))
            records = command.records
            for row, member in enumerate(herd.members.tolist()):
                records[row] = given.commands[member]
            steer(plan.body, plan.legs, records, body.records, dt)
        for entity, (rig, targets) in esper.get_components(Rig, Targets):
            for event in given.events:
                _apply(event, entity, rig, targets)


def _reset(entity: int, row: int) -> None:
    """Put a creature of this herd, or the only chain of this entity, back to how it started."""
    for kind, saved in esper.component_for_entity(entity, Spawned).parts.items():
        part: Part = esper.component_for_entity(entity, kind)
        for name, array in part.arrays().items():
            array[row] = saved[name][row]


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
def wanted_twist(plan: Record, legs: Records, forward: float, turn: float) -> tuple[float, float]:
    """Speed [m/s] and yaw rate [rad/s] for axes in [-1, 1].

    Where a foot would have to move faster against the body than its gait can follow, both are
    scaled down together, which keeps the curve that was asked for.
    """
    speed = forward * plan.speed
    yaw_rate = turn * plan.turn_rate
    fastest = 0.0
    for leg in range(legs.shape[0]):
        x = speed - yaw_rate * legs[leg].home[1]
        y = yaw_rate * legs[leg].home[0]
        fastest = max(fastest, sqrt(x * x + y * y))
    share = min(1.0, plan.foot_speed / fastest) if fastest > 0.0 else 1.0
    return (speed * share, yaw_rate * share)


@kernel
def steer(plan: Records, legs: Records, commands: Records, bodies: Records, dt: float) -> None:
    """Move speed and yaw rate towards the command, as fast as the plan's accelerations allow."""
    limits = plan[0]
    for n in range(bodies.shape[0]):
        body, command = bodies[n], commands[n]
        speed, yaw_rate = wanted_twist(limits, legs, command.forward / FULL, command.turn / FULL)
        change = limits.acceleration * dt
        body.speed += clamp(speed - body.speed, -change, change)
        change = limits.turn_acceleration * dt
        body.yaw_rate += clamp(yaw_rate - body.yaw_rate, -change, change)

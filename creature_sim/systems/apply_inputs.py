"""Events and commands enter the world here."""

from math import sqrt

import esper

from creature_sim.components import Body, Command, Herd, Inbox, Part, Plan, Record, Records, Spawned
from creature_sim.inputs import FULL, Event
from creature_sim.jit import kernel
from creature_sim.maths import clamp


class ApplyInputs(esper.Processor):
    """Apply the tick's events, then turn commands into speed and yaw rate."""

    def process(self, dt: float) -> None:
        """Take what lies in the inbox."""
        ((_, inbox),) = esper.get_component(Inbox)
        given = inbox.input
        for entity, (herd, plan, command, body) in esper.get_components(Herd, Plan, Command, Body):
            for event in given.events:
                _apply(event, entity, herd)
            records = command.records
            for row, member in enumerate(herd.members.tolist()):
                records[row] = given.commands[member]
            steer(plan.body, plan.legs, records, body.records, dt)


def _apply(event: Event, entity: int, herd: Herd) -> None:
    """Put a creature of this herd back to where and how it started."""
    for row in (herd.members == event.creature).nonzero()[0]:
        for kind, saved in esper.component_for_entity(entity, Spawned).parts.items():
            part: Part = esper.component_for_entity(entity, kind)
            for name, array in part.arrays().items():
                array[row] = saved[name][row]


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

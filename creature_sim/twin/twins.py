"""The twins of a herd: a tick of them, from what their walks want to where they are."""

from dataclasses import dataclass, field
from typing import NamedTuple

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.components import (
    BESIDE_WALK,
    BY_ANGLES,
    BY_WALK,
    ROLLS_OVER,
    STANDING,
    UPRIGHT,
    Body,
    CommandRecord,
    FootTarget,
    Gait,
    Head,
    LegChain,
    Records,
    Twin,
    TwinRecord,
)
from creature_sim.inputs import FULL
from creature_sim.maths import Floats, Quat, Vec, Z, dot, norm, scale, unit
from creature_sim.twin.building import Machine
from creature_sim.twin.catching import reach_out
from creature_sim.twin.driving import Step, drive
from creature_sim.twin.easing import ease
from creature_sim.twin.following import take_goal
from creature_sim.twin.goals import find_goals
from creature_sim.twin.links import Feet, Gains, Hinges
from creature_sim.twin.motion import Motion, motion_for, move_twin, note_centre
from creature_sim.twin.multibody import Multibody
from creature_sim.twin.righting import move_on, roll_over
from creature_sim.twin.showing import show_links

LEAST_LOAD = 0.02
"""A foot that stands carries at least so much."""
ROUND = 2.0
"""A ball of so many reaches of its legs holds a creature."""
FARTHEST = 4.0
"""No command is farther from another one than this many full ones: running, back and forth."""
FEELS = 0.1
"""One that stands and touches nothing presses with this fraction, until it does."""


class Ride(NamedTuple):
    """One twin in a tick: views of its state, and what its walk wanted a tick ago.

    Attributes:
        body: in pybullet.
        gains: how hard it is held.
        base: of it.
        old_position: where its base should be at the end of the last tick [m, world].
        old_orientation: the same.
        hinges: of it.
        feet: of it.
    """

    body: Multibody
    gains: Gains
    base: TwinRecord
    old_position: Vec
    old_orientation: Quat
    hinges: Hinges
    feet: Feet


@dataclass
class Twins:
    """What moves the N twins of a herd. A component; all state is in `Twin`.

    Attributes:
        machine: what they are made of.
        bodies: in pybullet.
        ramp: fraction of a full command by which theirs may change in a second.
    """

    machine: Machine
    bodies: list[Multibody]
    ramp: float
    _motion: Motion = field(init=False)
    _wanted: Motion = field(init=False)
    _rides: list[Ride] = field(init=False)

    def __post_init__(self) -> None:
        """Make room for one of them."""
        count = len(self.machine.robot.links)
        self._motion, self._wanted = motion_for(count), motion_for(count)

    def ease(self, twin: Twin, gait: Gait, commands: Records[CommandRecord], dt: float) -> None:
        """Bring commands (N,) to those that these twins can follow in a tick."""
        step = round(min(self.ramp * dt, FARTHEST) * FULL)
        ease(commands, twin.records, gait.records, max(1, step))

    def begin(
        self,
        twin: Twin,
        body: Body,
        head: Head,
        chain: LegChain,
        feet: FootTarget,
        down: Vec,
        dt: float,
    ) -> None:
        """Take what is wanted at the end of the tick, and put the bodies where they are.

        Where gravity goes down [m/s^2, world], and a tick is so long [s].
        """
        loads = np.maximum(feet.records["load"], LEAST_LOAD)
        loads = np.where(twin.contacts != 0, loads, FEELS * loads)
        loads = np.where(feet.records["phase"] == STANDING, loads, 0.0)
        is_upright = twin.records["stage"] == UPRIGHT
        is_beside = is_upright & (twin.records["led"] == BESIDE_WALK)
        is_held = is_upright & (twin.records["led"] == BY_ANGLES)
        loads[is_held] = 0.0  # its springs alone carry it
        owner = self.machine.links.owner
        normals = np.ascontiguousarray(feet.records["goal_normal"][:, owner])
        old = twin.goals.copy()
        bases = list(twin.records)
        self._rides = [
            Ride(
                self.bodies[row],
                self.machine.stiff if is_held[row] else self.machine.gains,
                base,
                *take_goal(base, trunk[0], dt),
                Hinges(twin.angles[row], twin.rates[row], old[row], twin.goals[row], torques),
                Feet(normals[row], loads[row, owner], np.zeros((len(owner), 3))),
            )
            for row, (base, trunk, torques) in enumerate(
                zip(bases, body.records, twin.torques, strict=True)
            )
        ]
        twin.joints[:], twin.rotations[:] = chain.joints, chain.rotations
        self.find_goals(body, head, chain, twin.goals)
        up = unit(scale(down, -1.0), Z)
        twin.goals[is_beside] += twin.asked[is_beside]
        twin.goals[is_held] = twin.asked[is_held]
        for row in np.flatnonzero(~is_upright | is_beside | is_held).tolist():
            if bases[row].stage == ROLLS_OVER:
                roll_over(self.machine.links, bases[row], up, twin.goals[row], dt)
            move_on(old[row], twin.goals[row], dt)
        if len(owner) > len(self.machine.links.foot):  # it has soles
            self._level_soles(twin, feet, is_upright & (twin.records["led"] == BY_WALK), dt)
        for ride in self._rides:
            ride.body.place(ride.base, ride.hinges.angles, ride.hinges.rates)

    def _level_soles(
        self, twin: Twin, feet: FootTarget, walks: NDArray[np.bool_], dt: float
    ) -> None:
        """Bring soles of the twins that walk (N,) where they should be on bodies as they are."""
        for row in np.flatnonzero(walks).tolist():
            reach_out(
                self.machine.links,
                self._motion,
                twin.records[row],
                feet.records[row],
                twin.contacts[row],
                twin.joints[row],
                twin.rotations[row],
                twin.corrections[row],
                twin.goals[row],
                dt,
            )

    def find_goals(self, body: Body, head: Head, chain: LegChain, angles: Floats) -> None:
        """Write the angles (N, A) that bodies, heads and legs have, next to those before [rad]."""
        turns = np.ascontiguousarray(body.records["orientation"])
        for row, its in enumerate(head.records):
            bones = chain.rotations[row]
            find_goals(self.machine.links, turns[row], bones, its.yaw, its.pitch, angles[row])

    def drive(self, step: Step) -> None:
        """Give all hinges their torques for a step."""
        for body, gains, base, position, orientation, hinges, feet in self._rides:
            drive(
                self.machine.links,
                gains,
                self._motion,
                self._wanted,
                base,
                position,
                orientation,
                hinges,
                feet,
                step,
            )
            body.turn(hinges.torques)

    def read(self) -> None:
        """Write where the bodies are after a step."""
        for ride in self._rides:
            ride.body.read(ride.base, ride.hinges.angles, ride.hinges.rates)

    def end(self, twin: Twin, body: Body, chain: LegChain, down: Vec) -> None:
        """Write what can be seen of the bodies after a tick, and what their feet touch.

        Gravity goes down so [m/s^2, world].
        """
        links, weight = self.machine.links, self.machine.gains.mass * norm(down)
        up = unit(scale(down, -1.0), Z)
        foot, segments = links.foot.tolist(), links.segment.tolist()
        for row, (mine, base) in enumerate(zip(self.bodies, twin.records, strict=True)):
            push = mine.touch(foot, twin.forces[row], twin.contacts[row], segments)
            base.borne = dot(push, up) / weight
            shown = body.records[row], chain.joints[row], chain.rotations[row], twin.tips[row]
            move_twin(self._motion, links, base, twin.angles[row], twin.rates[row])
            note_centre(self._motion, links, base)
            show_links(links, self._motion, *shown)


def balls_of_twins() -> Floats:
    """Where all twins of esper's current context are, and the radius of a ball that holds each.

    (T, 4) [m, world]
    """
    found = [np.empty((0, 4))]
    for _, (twin, twins) in esper.get_components(Twin, Twins):
        places = twin.records["position"]
        radius = np.full((len(places), 1), ROUND * twins.machine.gains.reach)
        found.append(np.concatenate((places, radius), axis=1))
    return np.concatenate(found)

"""The twins of a herd: a tick of them, from what their walks want to where they are."""

from dataclasses import dataclass, field

import esper
import numpy as np

from creature_sim.components import (
    STANDING,
    Body,
    FootTarget,
    GravityRecord,
    Head,
    LegChain,
    Twin,
)
from creature_sim.locomotion.gravity import down_at
from creature_sim.maths import Floats, quat, scale, vec
from creature_sim.twin.building import Machine
from creature_sim.twin.driving import Step, drive
from creature_sim.twin.goals import find_goals
from creature_sim.twin.links import Feet, Hinges
from creature_sim.twin.motion import Motion, motion_for, move_base, move_links
from creature_sim.twin.multibody import Multibody
from creature_sim.twin.showing import show_links

LEAST_LOAD = 0.02
"""A foot that stands carries at least so much."""
ROUND = 2.0
"""A ball of so many reaches of its legs holds a creature."""
FEELS = 0.1
"""One that stands and touches nothing presses with this fraction, until it does."""


@dataclass
class Twins:
    """What moves the N twins of a herd. A component; all state is in `Twin`.

    Attributes:
        machine: what they are made of.
        bodies: in pybullet.
    """

    machine: Machine
    bodies: list[Multibody]
    _motion: Motion = field(init=False)
    _wanted: Motion = field(init=False)
    _before: tuple[Floats, Floats, Floats] = field(init=False)  # goals of the last tick
    _loads: Floats = field(init=False)
    _normals: Floats = field(init=False)

    def __post_init__(self) -> None:
        """Make room for one of them."""
        count = len(self.machine.robot.links)
        self._motion, self._wanted = motion_for(count), motion_for(count)

    def begin(self, twin: Twin, body: Body, head: Head, chain: LegChain, feet: FootTarget) -> None:
        """Take what the walk wants at the end of the tick, and put the bodies where they are."""
        base = twin.records
        self._before = (
            base["goal_position"].copy(),
            base["goal_orientation"].copy(),
            twin.goals.copy(),
        )
        twin.joints[:], twin.rotations[:] = chain.joints, chain.rotations
        base["goal_position"] = body.records["position"][:, 0]
        base["goal_orientation"] = body.records["orientation"][:, 0]
        self.find_goals(body, head, chain, twin.goals)
        base["velocity"] += base["blow"]
        base["blow"] = base["work"] = twin.strain[:] = 0.0
        loads = np.maximum(feet.records["load"], LEAST_LOAD)
        loads = np.where(twin.contacts != 0, loads, FEELS * loads)
        self._loads = np.where(feet.records["phase"] == STANDING, loads, 0.0)
        self._normals = np.ascontiguousarray(feet.records["goal_normal"])
        for row, mine in enumerate(self.bodies):
            mine.place(base[row], twin.angles[row], twin.rates[row])

    def find_goals(self, body: Body, head: Head, chain: LegChain, angles: Floats) -> None:
        """Write the angles (N, A) that bodies, heads and legs have, next to those before [rad]."""
        turns = np.ascontiguousarray(body.records["orientation"])
        for row, its in enumerate(head.records):
            bones = chain.rotations[row]
            find_goals(self.machine.links, turns[row], bones, its.yaw, its.pitch, angles[row])

    def drive(
        self, twin: Twin, gravity: GravityRecord, part: float, dt: float, length: float
    ) -> None:
        """Give all hinges their torques for a step [s] that ends at a part of the tick."""
        places, turns, goals = self._before
        links, gains = self.machine.links, self.machine.gains
        for row, mine in enumerate(self.bodies):
            base = twin.records[row]
            down = scale(down_at(gravity, vec(base.position)), gravity.acceleration)
            hinges = Hinges(
                twin.angles[row], twin.rates[row], goals[row], twin.goals[row], twin.torques[row]
            )
            strain = drive(
                links,
                gains,
                self._motion,
                self._wanted,
                base,
                vec(places[row]),
                quat(turns[row]),
                hinges,
                Feet(self._normals[row], self._loads[row], twin.forces[row]),
                Step(part, dt, length, down),
            )
            twin.strain[row] = max(twin.strain[row], strain)
            mine.turn(twin.torques[row])

    def read(self, twin: Twin) -> None:
        """Write where the bodies are after a step."""
        for row, mine in enumerate(self.bodies):
            mine.read(twin.records[row], twin.angles[row], twin.rates[row])

    def end(self, twin: Twin, body: Body, chain: LegChain) -> None:
        """Write what can be seen of the bodies after a tick, and what their feet touch."""
        links = self.machine.links
        for row, mine in enumerate(self.bodies):
            base = twin.records[row]
            place, turn = vec(base.position), quat(base.orientation)
            move_base(self._motion, links, place, turn, vec(base.velocity), vec(base.spin))
            move_links(self._motion, links, twin.angles[row], twin.rates[row])
            mine.touch(links.foot.tolist(), twin.forces[row], twin.contacts[row])
            shown = body.records[row], chain.joints[row], chain.rotations[row], twin.tips[row]
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

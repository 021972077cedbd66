"""Creatures that forces move, by motors at their joints: twins."""

import numpy as np

from creature_sim.components import UPRIGHT
from creature_sim.envs.field import Field, Flags
from creature_sim.envs.task import Task
from creature_sim.errors import DefinitionError
from creature_sim.inputs import Event
from creature_sim.locomotion.gravity import gravity_of
from creature_sim.maths import Floats
from creature_sim.snapshots.snapshot import HerdState
from creature_sim.twin.building import machine_of

JOINTS, OFFSETS = "joints", "offsets"
SWING = {JOINTS: 0.6, OFFSETS: 0.2}
"""How far an action takes a hinge from rest, or from where the walk wants it [rad]."""
QUICK = 10.0
"""Rates of hinges are seen as multiples of this [rad/s]."""
COST, STRAIN = 0.05, 0.02
"""What a cost of transport of 1 at top speed (M38) takes from the reward of a step, and all ticks
in which a motor is asked for more than it has (M39)."""


class Machines(Field):
    """Creatures whose hinges go to angles."""

    kinds = JOINTS, OFFSETS
    is_physical = True

    def __init__(self, task: Task, count: int) -> None:
        """Read the files; errors are those of `Field`, and that of a planet."""
        super().__init__(task, count)
        gravity = gravity_of(self.world.terrain)[0]
        if gravity.is_central:
            raise DefinitionError(
                f"world: expected ground on which down is the same everywhere, found the planet "
                f"{self.world.name!r}"
            )
        machine = machine_of(self.creature, self.world.friction)
        joints = machine.robot.joints
        self._lo, self._hi = machine.links.lo, machine.links.hi
        # Energy that a cost of transport of 1 takes in a step [J].
        weight = machine.gains.mass * float(gravity.acceleration)
        self._energy = weight * self.creature.motion.speed * self.seconds
        self._rest = np.array([joint.rest for joint in joints])
        self._measure(len(joints), 6 + 3 * len(joints) + len(self.reaches))

    def _inputs(self, wanted: Floats) -> tuple[Floats, list[Event]]:
        if self.actions == OFFSETS:
            kind, axes, angles = "shift_joints", self._led(), SWING[OFFSETS] * wanted
        else:
            kind, axes = "set_joints", np.zeros((self.count, 4))
            angles = np.clip(self._rest + SWING[JOINTS] * wanted, self._lo, self._hi)
        return axes, [
            Event(kind, number, angles=tuple(row)) for number, row in enumerate(angles.tolist())
        ]

    def _goes(self, herd: HerdState, frames: Floats) -> tuple[Floats, ...]:
        base, motion = herd.parts["twin"].of("records"), self.creature.motion
        velocity = np.einsum("nji,nj->ni", frames, base["velocity"]) / motion.speed
        return velocity, np.einsum("nji,nj->ni", frames, base["spin"]) / motion.turn_rate

    def _limbs(self, herd: HerdState, frames: Floats) -> tuple[Floats, ...]:
        """Angles, rates and goals of hinges, angles counted from rest; whether feet touch."""
        del frames
        twin = herd.parts["twin"]
        angles, goals = twin["angles"] - self._rest, twin["goals"] - self._rest
        return angles, twin["rates"] / QUICK, goals, twin["contacts"]

    def _costs_of_tick(self) -> Floats:
        """What motors did (M38), and how many were at their limits (M39)."""
        base = self._herd().parts["twin"].of("records")
        found: Floats = COST * base["work"] / self._energy
        found += STRAIN / self.task.ticks * (base["strain"] > 1.0)
        return found

    def _fell(self, herd: HerdState) -> Flags:
        base = herd.parts["twin"].of("records")
        found: Flags = super()._fell(herd) | (base["stage"] != UPRIGHT)
        return found

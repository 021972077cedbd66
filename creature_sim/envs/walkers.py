"""Creatures that walk by themselves, and are steered."""

import numpy as np

from creature_sim.components import STANDING
from creature_sim.definitions.drive import AXES
from creature_sim.envs.field import Field, bodies
from creature_sim.envs.task import Task
from creature_sim.inputs import FARTHEST_SHIFT, Event
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.snapshots.snapshot import HerdState

COMMANDS, OFFSETS = "commands", "offsets"
LEAN = 0.2
"""Largest roll, pitch and yaw of an action [rad]."""
SHIFT = 0.15
"""Largest shift of a body by an action, as a multiple of the reach."""
BODY = 6
"""Numbers that say how a body is held."""
STRETCHED, STRETCH, TILT = 0.98, 0.1, 0.5
"""Legs longer than this fraction of their bones are stretched, as in M6; what all of them cost in a
step, and what the square of the sine of the tilt costs."""


class Walkers(Field):
    """Creatures on a gait of their own."""

    kinds = COMMANDS, OFFSETS

    def __init__(self, task: Task, count: int) -> None:
        """Read the files; errors are those of `Field`."""
        super().__init__(task, count)
        legs = len(self.reaches)
        offsets = 0 if self.actions == COMMANDS else BODY + 2 * legs
        self._measure(len(AXES) + offsets, 3 + 1 + 4 * legs)

    def _inputs(self, wanted: Floats) -> tuple[Floats, list[Event]]:
        if self.actions == COMMANDS:
            return wanted.copy(), []
        commands, held, steps = np.split(wanted, (len(AXES), len(AXES) + BODY), axis=1)
        turns, shifts = (LEAN * held[:, :3]).tolist(), (SHIFT * self.reach * held[:, 3:]).tolist()
        offsets = (FARTHEST_SHIFT * np.repeat(self.reaches, 2) * steps).tolist()
        events = []
        for number in range(self.count):
            turn, shift = tuple(turns[number]), tuple(shifts[number])
            events.append(Event("pose", number, turn=turn, shift=shift))
            events.append(Event("shift_footholds", number, offsets=tuple(offsets[number])))
        return np.clip(self._led() + commands, -1.0, 1.0), events

    def _goes(self, herd: HerdState, frames: Floats) -> tuple[Floats, ...]:
        del frames
        body, motion = bodies(herd), self.creature.motion
        return body["velocity"] / motion.speed, body["yaw_rate"][:, None] / motion.turn_rate

    def _limbs(self, herd: HerdState, frames: Floats) -> tuple[Floats, ...]:
        """Of each foot its place (3), and whether it stands."""
        feet = herd.parts["leg_chain"]["joints"][:, :, -1] - bodies(herd)["position"][:, None]
        phases = herd.parts["foot_target"].of("records")["phase"]
        places = np.einsum("nji,nlj->nli", frames, feet).reshape(self.count, -1) / self.reach
        return places, phases == STANDING

    def _costs(self, herd: HerdState) -> Floats:
        """What the score would count: stretched legs (M6), and bodies beside their feet (M14)."""
        joints = herd.parts["leg_chain"]["joints"]
        spans = joints[:, :, -1] - joints[:, :, 0]
        lengths = np.sqrt((spans * spans).sum(axis=2))
        stretched = (lengths > STRETCHED * self.reaches).mean(axis=1)
        found: Floats = STRETCH * stretched
        if len(self.reaches) > 2:
            found += TILT * self._tilts(herd)
        return found

    def _tilts(self, herd: HerdState) -> Floats:
        """Squares of the sines between up of bodies and of planes through their footholds, (N,).

        A foot in the air counts where it will stand.
        """
        goals = herd.parts["foot_target"].of("records")["goal"]
        x, y, z = np.moveaxis(goals - goals.mean(axis=1, keepdims=True), 2, 0)
        xx, xy, yy = (x * x).sum(axis=1), (x * y).sum(axis=1), (y * y).sum(axis=1)
        xz, yz = (x * z).sum(axis=1), (y * z).sum(axis=1)
        size = np.maximum(xx * yy - xy * xy, 1e-9 * self.reach**4)
        normals = np.stack(
            ((xy * yz - yy * xz) / size, (xy * xz - xx * yz) / size, np.ones(self.count)), axis=1
        )
        normals /= np.sqrt((normals * normals).sum(axis=1, keepdims=True))
        ups = rotation_matrices(bodies(herd)["orientation"])[:, :, 2]
        cosines = (ups * normals).sum(axis=1)
        found: Floats = 1.0 - cosines * cosines
        return found

"""The creatures of a run without forces, beside those that forces move."""

from creature_sim.definitions import WorldDef
from creature_sim.inputs import Input
from creature_sim.library.variants import without_twins
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Pose, blend, pose_of
from creature_sim.view.shows.show import Ghost


class Companion:
    """The same world, in which no force moves anybody; it gets the same input at each tick."""

    def __init__(self, world: WorldDef) -> None:
        """Begin as a run of a world does."""
        self._simulation = Simulation(without_twins(world))
        self._last = self._now = pose_of(self._simulation.snapshot)

    def write(self, given: Input) -> None:
        """Take the input of a tick."""
        self._simulation.step(given)
        self._last, self._now = self._now, pose_of(self._simulation.snapshot)

    def ghost(self, fraction: float) -> Ghost:
        """What to draw at a fraction of the time between the last two ticks."""
        pose: Pose = blend(self._last, self._now, fraction)
        return Ghost(self._simulation.world, pose, True)

    def close(self) -> None:
        """Close its simulation."""
        self._simulation.close()

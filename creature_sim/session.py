"""The loop that ties a run together: driver -> simulation -> any set of sinks."""

from collections.abc import Sequence
from typing import Protocol

from creature_sim.drivers import Driver
from creature_sim.inputs import Input
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot


class Sink(Protocol):
    """Something that takes what every tick did: a recorder, a score, nothing."""

    def write(self, given: Input, snapshot: Snapshot) -> None:
        """Take the input of a tick and the state after it."""


class Session:
    """A simulation, who drives it, and who watches."""

    def __init__(self, simulation: Simulation, driver: Driver, sinks: Sequence[Sink] = ()) -> None:
        """Tie the three together; each is opened and closed by whoever made it."""
        self.simulation = simulation
        self.driver = driver
        self.sinks = tuple(sinks)

    def advance(self) -> Snapshot:
        """Compute one tick and show it to every sink."""
        given = self.driver(self.simulation.snapshot)
        self.simulation.step(given)
        snapshot = self.simulation.snapshot
        for sink in self.sinks:
            sink.write(self.simulation.input, snapshot)
        return snapshot

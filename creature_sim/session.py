"""The loop of a run: driver -> simulation -> any number of sinks."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from creature_sim.definitions import WorldDef
from creature_sim.drivers import Driver
from creature_sim.inputs import Input
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot


class Sink(Protocol):
    """Something that sees every tick: a recorder, a score."""

    def write(self, given: Input, snapshot: Snapshot) -> None:
        """Take the input of a tick and the state after it."""


class End(NamedTuple):
    """How a run ended: in which world, and in what state."""

    world: WorldDef
    snapshot: Snapshot


class Session:
    """A simulation with its driver and its sinks."""

    def __init__(self, simulation: Simulation, driver: Driver, sinks: Sequence[Sink] = ()) -> None:
        """Connect the three; whoever made them closes them."""
        self.simulation = simulation
        self.driver = driver
        self.sinks = tuple(sinks)

    def advance(self) -> Snapshot:
        """Compute one tick and pass it to every sink."""
        given = self.driver(self.simulation.snapshot)
        self.simulation.step(given)
        snapshot = self.simulation.snapshot
        for sink in self.sinks:
            sink.write(self.simulation.input, snapshot)
        return snapshot

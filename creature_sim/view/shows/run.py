"""A simulation in real time: the same ticks at every frame rate."""

from collections.abc import Callable, Sequence
from time import perf_counter

import numpy as np

from creature_sim.drivers import Driver
from creature_sim.session import Session, Sink
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Pose, blend, pose_of
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.view.shows.ticks import RateMeter, TickClock

JUMP = 0.5
"""A body that moves farther than this in one tick was put there: no pose lies between [m]."""
TICK_BUDGET = 0.1
"""The ticks of one frame may take this long; the rest of them is dropped [s]."""


class Run:
    """A session whose ticks follow the clock, and the pose between the last two of them."""

    def __init__(
        self,
        simulation: Simulation,
        driver: Driver,
        sinks: Sequence[Sink] = (),
        max_ticks: int | None = None,
    ) -> None:
        """Continue a simulation that may have run already.

        Args:
            simulation: what runs.
            driver: steers it.
            sinks: see every tick.
            max_ticks: the run is over after this many; None: never.
        """
        self._driver = driver
        self._ticks_left = max_ticks
        self._meter = RateMeter()
        self._start(simulation, sinks)

    def _start(self, simulation: Simulation, sinks: Sequence[Sink]) -> None:
        self._session = Session(simulation, self._driver, sinks)
        self._clock = TickClock(simulation.world.tick_rate)
        self._last = self._now = pose_of(simulation.snapshot)
        self._is_new = False

    def replace(self, simulation: Simulation) -> None:
        """Continue with another simulation; the time that it took to build does not count."""
        self._start(simulation, self._session.sinks)
        self._is_new = True

    @property
    def simulation(self) -> Simulation:
        """What runs now."""
        return self._session.simulation

    @property
    def is_over(self) -> bool:
        """Whether all ticks that were asked for have run."""
        return self._ticks_left is not None and self._ticks_left <= 0

    @property
    def rate(self) -> float:
        """Ticks per second of real time."""
        return self._meter.rate

    @property
    def fraction(self) -> float:
        """How much of the time between the last two ticks has passed."""
        return self._clock.fraction

    @property
    def pose(self) -> Pose:
        """The pose at the present, between the last two ticks."""
        return blend(self._last, self._now, self.fraction)

    def advance(self, seconds: float, watch: Callable[[Snapshot], None]) -> float:
        """Run the ticks that are due after `seconds` more; returns the time that was dropped [s].

        Args:
            seconds: since the last call.
            watch: called with the state after each tick.
        """
        if self._is_new:
            self._is_new, seconds = False, 0.0
        due, dropped = self._clock.advance(seconds)
        done = self.tick(due, watch)
        self._meter.add(done, seconds)
        return dropped + (due - done) / self.simulation.world.tick_rate

    def tick(self, count: int, watch: Callable[[Snapshot], None]) -> int:
        """Run up to `count` ticks; returns how many the budget allowed."""
        end = perf_counter() + TICK_BUDGET
        for done in range(count):
            if self.is_over or (done and perf_counter() > end):
                return done
            if self._ticks_left is not None:
                self._ticks_left -= 1
            snapshot = self._session.advance()
            watch(snapshot)
            before, self._now = self._now, pose_of(snapshot)
            self._last = self._now if _has_jumped(before, self._now) else before
        return count


def _has_jumped(a: Pose, b: Pose) -> bool:
    """Whether a creature was put elsewhere, among those that both poses have."""
    both = min(a.creature_count, b.creature_count)
    return bool((np.abs(a.positions[:both] - b.positions[:both]) > JUMP).any())

"""A simulation in a window, steered by the arrow keys."""

from collections.abc import Mapping, Sequence
from math import hypot
from time import perf_counter
from typing import NamedTuple

import numpy as np

from creature_sim.components import LOST
from creature_sim.definitions import WorldDef
from creature_sim.definitions.drive import Axes
from creature_sim.drivers import Driver
from creature_sim.errors import CreatureSimError, DefinitionError
from creature_sim.figures.insight import Insight, insight_of
from creature_sim.figures.subjects import gap_of, subject_name
from creature_sim.maths import Vec
from creature_sim.score import Metric
from creature_sim.session import Session, Sink
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Pose, blend, pose_of
from creature_sim.view.shows.controls import Mode
from creature_sim.view.shows.gauges import Gauges
from creature_sim.view.shows.keyboard import AXES_OF, Keyboard
from creature_sim.view.shows.show import Ghost
from creature_sim.view.shows.source import Source, moved_on
from creature_sim.view.shows.ticks import RateMeter, TickClock
from creature_sim.view.shows.tuning import Tuning

JUMP = 0.5
"""A body that moved farther than this in one tick was put there: nothing to draw between [m]."""
TICK_BUDGET = 0.1
"""Ticks of one frame may take this long; what is left over is dropped [s]."""
NOTICE_SECONDS = 2.0
ERROR_SECONDS = 10.0
"""What is wrong with a file is shown so long."""
LIVE_ACTIONS = ("fast", "stop", "reset", "lose", "pause", "next", "target", "send", "steer")


class Ended(NamedTuple):
    """How a run ended."""

    world: WorldDef
    tick: int
    digest: str
    pose: Pose


class LiveShow:
    """A session that advances in real time; the same ticks at every frame rate."""

    mode: Mode = "live"

    def __init__(
        self,
        simulation: Simulation,
        driver: Driver | None = None,
        sinks: Sequence[Sink] = (),
        max_ticks: int | None = None,
        source: Source | None = None,
    ) -> None:
        """Tie keys, driver and sinks to a simulation that may have run already."""
        self.world = self._written = simulation.world
        self.terrain = simulation.terrain
        self._source = source
        self._own: Simulation | None = None  # that a changed file asked for
        self._is_late = False
        self.keyboard = Keyboard(len(self.world.creatures), driver, len(self.world.rigs))
        self.is_paused = False
        self.notice = ""
        self._session = Session(simulation, self.keyboard, sinks)
        self._clock = TickClock(self.world.tick_rate)
        self._meter = RateMeter()
        self._ticks_left = max_ticks
        self._notice_left = 0.0
        self._last = self._now = pose_of(simulation.snapshot)
        self._gauges: Gauges | None = None
        self._tunings: dict[str, Tuning] = {}  # by the plan's key

    @property
    def selected(self) -> int:
        """Creature that the keys steer."""
        return self.keyboard.selected

    @property
    def actions(self) -> frozenset[str]:
        """What it understands, of keys by `press`."""
        return frozenset({*AXES_OF, *LIVE_ACTIONS})

    @property
    def is_over(self) -> bool:
        """Whether all ticks that were asked for have run."""
        return self._ticks_left is not None and self._ticks_left <= 0

    @property
    def timeline(self) -> float | None:
        """A simulation has no end."""
        return None

    @property
    def status(self) -> str:
        """One line about the selected creature or chain and the run."""
        snapshot = self._session.simulation.snapshot
        count = len(snapshot.creatures)
        if self.selected < count:
            x, y, _ = snapshot.creatures[self.selected].body["velocity"].tolist()
            state = f"{hypot(x, y):.2f} m/s"
        else:
            chain = snapshot.chains[self.selected - count]
            state = f"{gap_of(chain.tips, chain.targets):.3f} m from its target"
        parts = [
            subject_name(self.world, self.selected),
            state,
            f"tick {snapshot.tick}",
            "paused" if self.is_paused else f"{self._meter.rate:.0f} ticks/s",
        ]
        return "   ".join(parts)

    def press(self, action: str, is_shifted: bool) -> None:
        """Take a key that went down."""
        if action == "pause":
            self.is_paused = not self.is_paused
        elif action == "reset":
            self.keyboard.reset(any(prop.motion == "dynamic" for prop in self.world.props))
        elif action == "lose":
            self._lose_leg()
        elif action == "next":
            self.keyboard.select(-1 if is_shifted else 1)
        else:
            self.keyboard.press(action)

    def _lose_leg(self) -> None:
        """Take the first leg that the selected creature has left, but for its last two."""
        creatures = self._session.simulation.snapshot.creatures
        if self.selected < len(creatures):
            left = np.flatnonzero(creatures[self.selected].feet["phase"] != LOST).tolist()
            if len(left) > 2:
                self.keyboard.lose_leg(left[0])

    def release(self, action: str) -> None:
        """Take a key that came up."""
        self.keyboard.release(action)

    def release_all(self) -> None:
        """Let go of every key."""
        self.keyboard.release_all()

    @property
    def handles(self) -> tuple[tuple[int, int], ...]:
        """Targets of the mouse and of commands."""
        return tuple(
            (chain, target)
            for chain, targets in enumerate(self.world.settable_targets)
            for target, is_settable in enumerate(targets)
            if is_settable
        )

    def set_target(self, chain: int, target: int, point: tuple[float, float, float]) -> None:
        """Send a target to a point [m, world] with the next tick."""
        self.keyboard.set_target(chain, target, point)

    @property
    def goal(self) -> Vec | None:
        """Where the selected creature was sent and is not yet [m, world]."""
        return self.keyboard.goal

    def send(self, place: Vec) -> None:
        """Send the selected creature to a place [m, world]."""
        self.keyboard.send(place)

    def steer(self, axes: Axes) -> None:
        """Take forward, turn, strafe and height in [-1, 1] from sticks."""
        self.keyboard.steer(axes)

    @property
    def ghosts(self) -> Sequence[Ghost]:
        """None: the present is enough."""
        return ()

    @property
    def beside(self) -> None:
        """None, as above."""
        return None

    @property
    def step_shares(self) -> Sequence[float]:
        """None: there is no whole."""
        return ()

    @property
    def insight(self) -> Insight | None:
        """What is known of the selected creature beyond its pose."""
        creatures = self._session.simulation.snapshot.creatures
        return insight_of(creatures[self.selected]) if self.selected < len(creatures) else None

    @property
    def readings(self) -> Mapping[str, Metric]:
        """Metrics of the selected creature, measured from when they are asked for first."""
        if self.selected >= len(self.world.creatures):
            return {}
        if self._gauges is None or self._gauges.creature != self.selected:
            self._gauges = Gauges(self.selected, self.world.tick_rate)
        return self._gauges.readings

    @property
    def _selected_key(self) -> str | None:
        """Key of the selected creature's plan."""
        if self.selected >= len(self.world.creatures):
            return None
        return self.world.creatures[self.selected].creature

    @property
    def tuning(self) -> Tuning | None:
        """The selected creature's file with its numbers, where there is one."""
        key = self._selected_key
        if key is None or self._source is None:
            return None
        if key not in self._tunings:
            try:
                self._tunings[key] = Tuning(self._source.plans()[key])
            except (CreatureSimError, KeyError):
                return None
        return self._tunings[key]

    def retune(self) -> None:
        """Go on with the selected creature as its numbers are now."""
        key, tuning = self._selected_key, self.tuning
        if key is None or tuning is None:
            return
        if self._source is not None and self._source.is_recorded:
            del self._tunings[key]
            self.notify("a run that is recorded stays as it began: start one without --record")
            return
        try:
            plan = tuning.plan()
        except DefinitionError as error:
            self.notify(f"not taken over: {error}", ERROR_SECONDS)
            return
        plans = {**self._written.plans, key: plan}
        self._go_on(self._written.model_copy(update={"plans": plans}), self.keyboard.script)

    def save_tuning(self) -> None:
        """Write them to its file."""
        tuning = self.tuning
        if tuning is None:
            return
        try:
            tuning.save()
        except CreatureSimError as error:
            self.notify(str(error), ERROR_SECONDS)
            return
        if self._source is not None:
            self._source.look()  # it runs already as it was written
        self.notify(f"saved: {tuning.path}")

    def undo_tuning(self) -> None:
        """Go on with the selected creature as its file is."""
        key = self._selected_key
        if key is not None and self._tunings.pop(key, None) is not None:
            self.retune()

    def past(self, _seconds: float) -> Sequence[Pose]:
        """None: who watches keeps what it wants."""
        return ()

    def scrub(self, share: float) -> None:
        """Do nothing: what has not happened cannot be visited."""

    def begin(self) -> None:
        """Run the first tick before time counts: it may have to compile the kernels."""
        self._run(1)

    def advance(self, seconds: float) -> Pose:
        """Run the ticks that are due, and give the pose at the present moment."""
        self._notice_left -= seconds
        if self._notice_left <= 0.0:
            self.notice = ""
        if self._is_late:  # a world was built in the last frame: nothing is skipped
            self._is_late, seconds = False, 0.0
        if self._source is not None and self._source.has_changed(seconds):
            self._reload(self._source)
        if self.is_paused:
            return blend(self._last, self._now, self._clock.share)
        due, dropped = self._clock.advance(seconds)
        done = self._run(due)
        dropped += (due - done) / self.world.tick_rate
        if dropped > 0.0 and not self.is_over:
            self.notify(f"too slow for real time: {dropped:.2f} s skipped")
        self._meter.add(done, seconds)
        return blend(self._last, self._now, self._clock.share)

    @property
    def simulation(self) -> Simulation:
        """What runs now."""
        return self._session.simulation

    def close(self) -> None:
        """Close the simulation that a changed file asked for, if there is one."""
        if self._own is not None:
            self._own.close()

    def _reload(self, source: Source) -> None:
        """Go on in the world as its files are now; where they are wrong, as before, and say so."""
        if source.is_recorded:
            self.notify("a file was changed: not taken over while this run is recorded")
            return
        try:
            written, driver = source.load()
        except CreatureSimError as error:
            self._refuse(error)
            return
        if self._go_on(written, driver):
            self._tunings.clear()
            self.notify("taken over from the file")

    def _refuse(self, error: CreatureSimError) -> None:
        self.notify(f"not taken over: {str(error).splitlines()[0]}", ERROR_SECONDS)

    def _go_on(self, written: WorldDef, driver: Driver | None) -> bool:
        """Go on in another world, where everything is now; False, and as before, if it is wrong."""
        try:
            world = moved_on(written, self._written, self.simulation.snapshot)
            simulation = Simulation(world)
        except CreatureSimError as error:
            self._refuse(error)
            return False
        self.close()
        self._own, self._written = simulation, written
        self.world, self.terrain = world, simulation.terrain
        self.keyboard.script = driver
        self._session = Session(simulation, self.keyboard, self._session.sinks)
        self._clock = TickClock(world.tick_rate)
        self._last = self._now = pose_of(simulation.snapshot)
        self._is_late = True
        self._gauges = None
        return True

    def notify(self, text: str, seconds: float = NOTICE_SECONDS) -> None:
        """Show a line for a while."""
        self.notice, self._notice_left = text, seconds

    def _run(self, count: int) -> int:
        """Run up to `count` ticks; returns how many fitted."""
        end = perf_counter() + TICK_BUDGET
        for done in range(count):
            if self.is_over or (done and perf_counter() > end):
                return done
            if self._ticks_left is not None:
                self._ticks_left -= 1
            snapshot = self._session.advance()
            if self._gauges is not None:
                self._gauges.add(snapshot)
            before, self._now = self._now, pose_of(snapshot)
            self._last = self._now if _has_jumped(before, self._now) else before
        return count


def _has_jumped(a: Pose, b: Pose) -> bool:
    return bool((np.abs(a.positions - b.positions) > JUMP).any())

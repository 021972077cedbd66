"""A simulation in a window, steered by the arrow keys."""

from collections.abc import Mapping, Sequence

import numpy as np

from creature_sim.components import LOST
from creature_sim.definitions import WorldDef
from creature_sim.definitions.drive import Axes
from creature_sim.drivers import Driver
from creature_sim.errors import CreatureSimError, DefinitionError
from creature_sim.figures.insight import Insight, insight_of
from creature_sim.figures.subjects import subject_name
from creature_sim.guides import Guide
from creature_sim.maths import Vec
from creature_sim.motions.refusals import refusals_in
from creature_sim.score import Metric
from creature_sim.session import Sink
from creature_sim.simulation import Simulation
from creature_sim.snapshots.falls import falls_in
from creature_sim.snapshots.poses import Pose
from creature_sim.snapshots.snapshot import CreatureState, Snapshot
from creature_sim.view.shows.companion import Companion
from creature_sim.view.shows.controls import Mode
from creature_sim.view.shows.gauges import Gauges
from creature_sim.view.shows.keyboard import AXES_OF, Keyboard
from creature_sim.view.shows.run import Run
from creature_sim.view.shows.show import Ghost, Show
from creature_sim.view.shows.source import Source, moved_on
from creature_sim.view.shows.telling import chain_state, creature_state, told_of_legs
from creature_sim.view.shows.tuning import Tuning

NOTICE_SECONDS = 2.0
ERROR_SECONDS = 10.0
"""A message about a faulty file is shown this long."""
SLOW = "too slow for real time"
SEARCHING = "looking for a way there"
LIVE_ACTIONS = (
    *("fast", "stop", "reset", "lose", "pause", "next", "target", "lead", "send", "steer"),
    *("look", "pose", "leap", "reach", "strike", "sit", "fold"),
)


CLICKS = {
    "leap": "click the ground: it leaps there",
    "strike": "click what it shall strike",
}
"""What waits for a click on the ground, or on a prop, and what the window says then."""
FOLLOWS = {
    "look": "it looks where the mouse is; V: ahead again",
    "reach": "a foot goes where the mouse is; T: it walks again",
}
"""What follows the mouse."""


class LiveShow(Show):
    """A run in real time, steered by keys, mouse and gamepads; its files may change meanwhile."""

    mode: Mode = "live"

    def __init__(
        self,
        simulation: Simulation,
        driver: Driver | None = None,
        sinks: Sequence[Sink] = (),
        max_ticks: int | None = None,
        source: Source | None = None,
        *,
        has_companion: bool = False,
    ) -> None:
        """Show a simulation that may have run already.

        Args:
            simulation: what runs first.
            driver: steers every creature that no key has taken over; None: they stand.
            sinks: see every tick.
            max_ticks: the window closes by itself after this many.
            source: files of the world, watched for changes.
            has_companion: whether the same creatures walk there translucent, moved by no force;
                the simulation has not run then.
        """
        self._written = simulation.world
        self._companion = Companion(simulation.world) if has_companion else None
        self.terrain = simulation.terrain
        self._source = source
        self._own: Simulation | None = None  # built after a change of a file
        written = self._written
        self.keyboard = Keyboard(
            len(written.creatures), driver, len(written.rigs), Guide(written, self.terrain)
        )
        self.keyboard.attend(simulation.snapshot)
        self.is_paused = False
        self.notice = ""
        self._run = Run(simulation, self.keyboard, sinks, max_ticks)
        self._notice_left = 0.0
        self._about_to = ""  # do where the next click is
        self._sent: Vec | None = None  # where the last click sent a creature [m, world]
        self._gauges: Gauges | None = None
        self._tunings: dict[str, Tuning] = {}  # by the plan's key

    @property
    def world(self) -> WorldDef:
        """The world, with all creatures that have joined it."""
        return self.simulation.world

    @property
    def selected(self) -> int:
        """Creature that the keys steer."""
        return self.keyboard.selected

    @property
    def actions(self) -> frozenset[str]:
        """The actions that it understands."""
        return frozenset({*AXES_OF, *LIVE_ACTIONS})

    @property
    def is_over(self) -> bool:
        """Whether all ticks that were asked for have run."""
        return self._run.is_over

    @property
    def status(self) -> str:
        """One line about the selected creature or chain and the run."""
        snapshot = self.simulation.snapshot
        parts = [
            subject_name(self.world, self.selected),
            *self._state(snapshot),
            f"tick {snapshot.tick}",
            "paused" if self.is_paused else f"{self._run.rate:.0f} ticks/s",
        ]
        return "   ".join(parts)

    def _state(self, snapshot: Snapshot) -> list[str]:
        """How the selected creature or chain is doing."""
        if self.selected >= snapshot.creature_count:
            return [chain_state(snapshot.chains[self.selected - snapshot.creature_count])]
        return ["gone"] if self._creature is None else creature_state(self._creature)

    @property
    def _creature(self) -> CreatureState | None:
        """The selected creature; None where it has gone, or a chain is selected."""
        try:
            return self.simulation.snapshot.creature(self.selected)
        except KeyError:
            return None

    def press(self, action: str, is_shifted: bool) -> None:
        """Take a key that went down."""
        if action == "pause":
            self.is_paused = not self.is_paused
        elif action == "reset":
            self.keyboard.reset(any(prop.motion == "dynamic" for prop in self.world.props))
        elif action == "lose":
            self._lose_leg()
        elif action == "pose" and self._creature is not None:
            self.keyboard.pose()
            is_held = self.keyboard.is_posing
            self.notify("keys hold the body; B: walk again" if is_held else "keys walk")
        elif action in CLICKS and self._creature is not None:
            self._about_to = action
            self.notify(CLICKS[action])
        elif action in FOLLOWS:
            self._toggle(action)
        elif action in ("sit", "fold") and self._creature is not None:
            self.keyboard.rest(action, is_resting=self._creature.gait.rest != 0)
        elif action == "next":
            self.keyboard.select(-1 if is_shifted else 1)
        else:
            self.keyboard.press(action)

    def _toggle(self, motion: str) -> None:
        """Let the selected creature look, or reach, where the mouse goes, or end that."""
        if motion in self.keyboard.following:
            self.keyboard.follow(motion, None)
        elif self._creature is not None:
            self.keyboard.following.add(motion)
            self.notify(FOLLOWS[motion])

    @property
    def follows_mouse(self) -> bool:
        """Whether the selected creature looks or reaches where the mouse is."""
        return bool(self.keyboard.following)

    def follow(self, point: Vec) -> None:
        """Let it look or reach at a point [m, world]."""
        for motion in sorted(self.keyboard.following):
            self.keyboard.follow(motion, point)

    def _lose_leg(self) -> None:
        """Take the first leg that the selected creature still has; the last two stay."""
        creature = self._creature
        if creature is not None:
            left = np.flatnonzero(creature.feet["phase"] != LOST).tolist()
            if len(left) > 2:
                self.keyboard.lose_leg(left[0])
            else:
                self.notify("the last two legs stay; R gives all legs back")

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
    def leads_legs(self) -> bool:
        """Whether the mouse may lead feet and knees: of creatures."""
        return True

    def lead(self, kind: str, leg: int, point: Vec | None) -> None:
        """Lead a leg of the selected creature with the next tick."""
        self.keyboard.lead(kind, leg, point)

    @property
    def goal(self) -> Vec | None:
        """Where the selected creature is going by itself [m, world]; None: nowhere."""
        return self.keyboard.goal

    def send(self, goal: Vec) -> None:
        """Send the selected creature to a goal [m, world], on foot or in a leap; or it strikes."""
        if self._about_to:
            self.keyboard.begin(self._about_to, goal)
            self._about_to = ""
        else:
            self.keyboard.send(goal)
            self._sent = goal
            creature = self._creature
            if self.keyboard.guide and creature and creature.plan.body[0]["climbs"]:
                self.keyboard.guide.prepare(creature, goal)

    def steer(self, axes: Axes) -> None:
        """Take forward, turn, strafe and height in [-1, 1] from sticks."""
        self.keyboard.steer(axes)

    @property
    def insight(self) -> Insight | None:
        """What is known of the selected creature beyond its pose."""
        creature = self._creature
        return None if creature is None else insight_of(creature)

    @property
    def readings(self) -> Mapping[str, Metric]:
        """Metrics of the selected creature by key.

        They are measured since they were first asked for, or since it was put back to its start.
        """
        if self._creature is None:
            return {}
        if self._gauges is None or self._gauges.creature != self.selected:
            self._gauges = Gauges(self.selected, self.world.tick_rate)
        return self._gauges.readings

    @property
    def _selected_key(self) -> str | None:
        """Name under which the world has the selected creature's plan."""
        if self._creature is None:
            return None
        return self.world.creatures[self.selected].creature

    @property
    def tuning(self) -> Tuning | None:
        """The file of the selected creature, with its numbers; None where there is none."""
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
        """Continue with the selected creature as its numbers are now."""
        key, tuning = self._selected_key, self.tuning
        if key is None or tuning is None:
            return
        if self._source is not None and self._source.is_recorded:
            del self._tunings[key]
            self.notify("this run is recorded, so it stays as it began; start one without --record")
            return
        try:
            plan = tuning.plan()
        except DefinitionError as error:
            self.notify(f"not applied: {error}", ERROR_SECONDS)
            return
        before = self._written.species[key]
        if plan.model and before.model and before.model.data:  # its file is not read again
            model = plan.model.with_data(before.model.data)
            plan = plan.model_copy(update={"model": model})
        if before.climb:  # it may have been told to
            plan = plan.climbing
        plans = {**self._written.species, key: plan}
        self._go_on(self._written.model_copy(update={"species": plans}), self.keyboard.script)

    def save_tuning(self) -> None:
        """Write its numbers to its file."""
        tuning = self.tuning
        if tuning is None:
            return
        try:
            tuning.save()
        except CreatureSimError as error:
            self.notify(str(error), ERROR_SECONDS)
            return
        if self._source is not None:
            self._source.look()  # what was written runs already
        self.notify(f"saved: {tuning.path}")

    def undo_tuning(self) -> None:
        """Continue with the selected creature as its file says."""
        key = self._selected_key
        if key is not None and self._tunings.pop(key, None) is not None:
            self.retune()

    def begin(self) -> None:
        """Run the first tick before time counts: it may have to compile the kernels."""
        self._run.tick(1, self._watch)

    def advance(self, seconds: float) -> Pose:
        """Run the ticks that are due; returns the pose at the present."""
        self._notice_left -= seconds
        if self._notice_left <= 0.0:
            self.notice = ""
        if self._source is not None and self._source.has_changed(seconds):
            self._reload(self._source)
        was_waiting = self.notice == SEARCHING
        if self.keyboard.is_waiting:  # the same ticks follow, however long it takes
            self.notify(SEARCHING)
        elif not self.is_paused:
            if was_waiting:
                self.notice, seconds = "", 0.0
            dropped = self._run.advance(seconds, self._watch)
            # Each frame may be slow: what else is said would never be read.
            is_free = not self.notice or self.notice.startswith(SLOW)
            if dropped > 0.0 and is_free and not self.is_over:
                self.notify(f"{SLOW}: {dropped:.2f} s skipped")
        return self._run.pose

    def _watch(self, snapshot: Snapshot) -> None:
        """See the state after a tick, and say what happened in it that is easily missed."""
        self.keyboard.attend(snapshot)
        if self._companion is not None:
            self._companion.write(self.simulation.input)
        lost = []
        for event in self.simulation.input.events:
            if event.kind == "disable_leg":
                lost.append(event)
            elif event.kind == "reset" and event.creature == self.selected:
                self._gauges = None  # its metrics start anew
        for refusal in refusals_in(snapshot):
            if refusal.creature == self.selected:
                self.notify(f"it does not {refusal.motion}: {refusal.reason}")
        for fall in falls_in(snapshot):
            if fall.creature == self.selected:
                self.notify(f"{fall.reason}, and gets up")
        guide = self.keyboard.guide
        if guide and self._sent and guide.finds_none(self.selected, self._sent):
            self.notify("no way leads there")
            self._sent = None
        if lost:
            self.notify(told_of_legs(lost, snapshot))
        if self._gauges is not None and self._creature is not None:
            self._gauges.add(snapshot)

    @property
    def simulation(self) -> Simulation:
        """What runs now."""
        return self._run.simulation

    @property
    def ghosts(self) -> Sequence[Ghost]:
        """The creatures that no force moves."""
        return [self._companion.ghost(self._run.fraction)] if self._companion else []

    def close(self) -> None:
        """Close what it has built: after a change of a file, and the creatures without forces."""
        if self._own is not None:
            self._own.close()
        if self._companion is not None:
            self._companion.close()

    def _reload(self, source: Source) -> None:
        """Continue in the world as its files are now; where they are not valid, as before."""
        if source.is_recorded:
            self.notify("a file has changed: not applied while this run is recorded")
            return
        try:
            written, driver = source.load()
        except CreatureSimError as error:
            self._refuse(error)
            return
        self.notify("applied the changed file")
        if self._go_on(written, driver):
            self._tunings.clear()

    def _refuse(self, error: CreatureSimError) -> None:
        self.notify(f"not applied: {str(error).splitlines()[0]}", ERROR_SECONDS)

    def _go_on(self, written: WorldDef, driver: Driver | None) -> bool:
        """Continue in another world with everything where it is now; False if it is not valid."""
        has_newcomers = len(self.world.creatures) > len(self._written.creatures)
        try:
            world = moved_on(written, self._written, self.simulation.snapshot)
            simulation = Simulation(world)
        except CreatureSimError as error:
            self._refuse(error)
            return False
        self.close()
        if self._companion is not None:
            self._companion = Companion(world)
        self._own, self._written = simulation, written
        self.terrain = simulation.terrain
        self.keyboard.guide = Guide(written, self.terrain)
        self.keyboard.script = driver
        self._run.replace(simulation)
        self.keyboard.attend(simulation.snapshot)
        self._gauges = None
        if has_newcomers:
            self.notify("applied; creatures that came during the run do not go on", ERROR_SECONDS)
        return True

    def notify(self, text: str, seconds: float = NOTICE_SECONDS) -> None:
        """Show a line for some time [s]."""
        self.notice, self._notice_left = text, seconds

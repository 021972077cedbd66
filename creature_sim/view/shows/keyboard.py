"""The user at keys, sticks and mouse, as a driver."""

from creature_sim.definitions.drive import Axes
from creature_sim.drivers import Driver, go_to
from creature_sim.guides import Guide
from creature_sim.inputs import RUN, Event, Input, leavers_of, quantised
from creature_sim.maths import Vec
from creature_sim.snapshots.snapshot import Snapshot

AXES_OF = {
    "forward": (1, 0, 0, 0),
    "back": (-1, 0, 0, 0),
    "left": (0, 1, 0, 0),
    "right": (0, -1, 0, 0),
    "strafe left": (0, 0, 1, 0),
    "strafe right": (0, 0, -1, 0),
    "crouch": (0, 0, 0, -1),
    "rise": (0, 0, 0, 1),
}
"""What each steering action adds to (forward, turn, strafe, height)."""
LEAN = 0.25
"""Roll, pitch or yaw in which full deflection holds a body [rad]."""
WALK = 0.6
"""Fraction of full speed that a key asks for; with "fast" held, a key asks for all of it."""


class Keyboard:
    """Steers the selected creature by held keys; a script, if there is one, steers the others.

    The script steers the selected creature too, until the first steering key or stop takes it over.
    All others follow the script, stand, or go where they were sent.
    """

    def __init__(
        self,
        creature_count: int,
        script: Driver | None = None,
        chain_count: int = 0,
        guide: Guide | None = None,
    ) -> None:
        """Start with the first creature selected, or the first chain, and no key held.

        Who climbs is led by the guide to where it is sent.
        """
        self.guide = guide
        self.creature_count = creature_count
        self.chain_count = chain_count
        self.selected = 0
        self.script = script
        self._there = creature_count  # how many creatures have come and not gone
        self._gone: frozenset[int] = frozenset()
        self._held: set[str] = set()
        self._tapped: set[str] = set()  # pressed since the last tick: a short tap counts for one
        self._taken: set[int] = set() if script else set(range(creature_count))
        self._events: list[Event] = []
        self._asked: dict[tuple[object, ...], Event] = {}  # since the last tick: the last of each
        self.is_posing = False
        self._posed: Event | None = None  # the last event of keys that hold a body
        self.following: set[str] = set()  # motions that go where the mouse is
        self._is_fast = False
        self._stick: Axes = (0.0, 0.0, 0.0, 0.0)
        self._goals: dict[int, Vec] = {}  # where creatures were sent [m, world]

    def attend(self, snapshot: Snapshot) -> None:
        """See who is there after a tick: creatures come and go."""
        there = sum(len(herd.members) for herd in snapshot.herds)
        if (snapshot.creature_count, there) == (self.creature_count, self._there):
            return
        before, self.creature_count = self.creature_count, snapshot.creature_count
        if self.selected >= before:  # chains are counted after all creatures
            self.selected += self.creature_count - before
        self._there = there
        self._gone = frozenset(range(self.creature_count)) - {
            number for herd in snapshot.herds for number in herd.members.tolist()
        }
        if self.script is None:
            self._taken |= set(range(self.creature_count))
        self._goals = {
            index: goal
            for index, goal in self._goals.items()
            if index < self.creature_count and index not in self._gone
        }
        if self.selected in self._gone or self.selected >= self._subject_count:
            self.select(1)

    @property
    def _subject_count(self) -> int:
        return self.creature_count + self.chain_count

    def press(self, action: str) -> None:
        """Take a key that went down: one of `AXES_OF`, "fast", or "stop"."""
        if action == "fast":
            self._is_fast = True
            return
        self._take()
        if action == "stop":
            self._let_go()
        else:
            self._held.add(action)
            self._tapped.add(action)

    def release(self, action: str) -> None:
        """Take a key that came up."""
        if action == "fast":
            self._is_fast = False
        self._held.discard(action)

    def release_all(self) -> None:
        """Let go of every key."""
        self._is_fast = False
        self._let_go()

    def steer(self, axes: Axes) -> None:
        """Take how far sticks are deflected now: forward, turn, strafe, height in [-1, 1]."""
        self._stick = axes
        if any(axes):
            self._take()

    def send(self, goal: Vec) -> None:
        """Send the selected creature to a goal [m, world], until it arrives or is steered."""
        self._take()
        self._let_go()
        if self.selected < self.creature_count and self.selected not in self._gone:
            self._goals[self.selected] = goal

    @property
    def goal(self) -> Vec | None:
        """Where the selected creature is going by itself [m, world]; None: nowhere."""
        return self._goals.get(self.selected)

    @property
    def is_waiting(self) -> bool:
        """Whether somebody was sent to a goal, and the guide does not know the ground yet."""
        return bool(self._goals) and self.guide is not None and self.guide.is_preparing

    def _take(self) -> None:
        """Take the selected creature over from the script or from the goal it was sent to."""
        self._taken.add(self.selected)
        self._goals.pop(self.selected, None)

    def _let_go(self) -> None:
        self._held.clear()
        self._tapped.clear()

    def select(self, step: int) -> None:
        """Select another creature or chain that is there; held keys do not steer it.

        Args:
            step: 1: the next one; -1: the one before.
        """
        for offset in range(1, self._subject_count + 1):
            found = (self.selected + step * offset) % self._subject_count
            if found not in self._gone:
                self.selected = found
                break
        self._let_go()
        self.is_posing = False
        self.following.clear()

    def reset(self, has_props: bool = False) -> None:
        """Put all creatures, chains and dynamic props back to their start with the next tick."""
        self._goals.clear()
        self._events = [Event("reset_props")] if has_props else []
        self._events += [
            Event("reset", index) for index in range(self.creature_count) if index not in self._gone
        ]
        self._events += [Event("reset", chain=index) for index in range(self.chain_count)]

    def lose_leg(self, leg: int) -> None:
        """Take a leg of the selected creature with the next tick."""
        self._events.append(Event("disable_leg", self.selected, leg=leg))

    def set_target(self, chain: int, target: int, point: tuple[float, float, float]) -> None:
        """Send a chain's target to a point [m, world] with the next tick, to the micrometre."""
        event = Event("set_target", chain=chain, target=target, point=_rounded(point))
        self._asked["target", chain, target] = event

    def lead(self, kind: str, leg: int, point: Vec | None) -> None:
        """Lead a foot or a knee of the selected creature with the next tick, to the micrometre.

        Args:
            kind: "set_foot" or "set_pole".
            leg: which.
            point: for the foot [m, world], for the knee [m, segment]; None: let it go.
        """
        place = None if point is None else _rounded(point)
        on = "body" if kind == "set_pole" else "world"
        event = Event(kind, self.selected, leg=leg, point=place, on=on)
        self._asked[kind, self.selected, leg] = event

    def pose(self) -> None:
        """Let keys hold the selected body from now on, or let it go and walk again."""
        self._take()
        self.is_posing = not self.is_posing
        self._posed = None
        if not self.is_posing:
            self._asked["pose", self.selected] = Event("pose", self.selected)

    def begin(self, motion: str, point: Vec) -> None:
        """Let the selected creature leap to a point [m, world], or strike there."""
        self._take()
        self._let_go()
        self._asked[motion, self.selected] = Event(motion, self.selected, point=_rounded(point))

    def rest(self, how: str, *, is_resting: bool) -> None:
        """Let the selected creature sit or fold its legs with the next tick, or stand up."""
        self._take()
        self._let_go()
        kind = "stand" if is_resting else how
        self._asked["rest", self.selected] = Event(kind, self.selected)

    def follow(self, motion: str, point: Vec | None) -> None:
        """Let the selected creature look or reach at a point [m, world], or neither any more."""
        if point is None:
            self.following.discard(motion)
        place = None if point is None else _rounded(point)
        self._asked[motion, self.selected] = Event(motion, self.selected, point=place)

    def _pose_event(self) -> Event:
        """How keys hold the selected body."""
        forward, turn, strafe, _ = self.axes
        turns = (-LEAN * turn, LEAN * forward, LEAN * strafe)
        return Event("pose", self.selected, turn=turns)

    @property
    def axes(self) -> Axes:
        """Forward, turn, strafe, height that keys and sticks ask for.

        More than 1 counts as 1; forward it is a run.
        """
        asked = [AXES_OF[action] for action in self._held | self._tapped]
        forward, turn, strafe, height = (
            sum(axis) for axis in zip((0, 0, 0, 0), *asked, strict=True)
        )
        pace = 1.0 if self._is_fast else WALK
        if self._is_fast and forward > 0:
            forward *= RUN
        keys = (pace * forward, pace * turn, pace * strafe, height)
        most = RUN if self._is_fast else 1.0
        return tuple(min(most, key + stick) for key, stick in zip(keys, self._stick, strict=True))

    def __call__(self, snapshot: Snapshot) -> Input:
        """What drives the next tick."""
        if self.script is None:
            commands, events = [quantised()] * snapshot.creature_count, []
        else:
            given = self.script(snapshot)
            commands, events = list(given.commands), list(given.events)
        leavers = leavers_of(events)
        if self.selected in self._taken and self.selected < self.creature_count:
            commands[self.selected] = quantised(*self.axes)
            if self.is_posing:
                commands[self.selected] = quantised(0.0, 0.0, 0.0, self.axes[3])
                if self._posed != (posed := self._pose_event()):
                    self._asked["pose", self.selected] = self._posed = posed
        for leaver in leavers & self._goals.keys():
            del self._goals[leaver]
        for index, axes in go_to(snapshot, self._goals, self.guide).items():
            commands[index] = quantised(*(axes or ()))
            if axes is None:
                del self._goals[index]
        own = (*self._events, *self._asked.values())
        events += [event for event in own if event.creature not in leavers]
        self._events, self._asked = [], {}
        self._tapped.clear()
        return Input(tuple(commands), tuple(events))


def _rounded(point: Vec) -> Vec:
    """A point [m] to the micrometre."""
    x, y, z = (round(part, 6) for part in point)
    return x, y, z

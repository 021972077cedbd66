"""The hand on the arrow keys and on the mouse, as a driver."""

from creature_sim.drivers import Driver
from creature_sim.inputs import Event, Input, quantised
from creature_sim.snapshot import Snapshot

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


class Keyboard:
    """Steers the selected creature by held keys; a script, if there is one, steers the others.

    The script has the selected creature too until the first steering key or stop takes it over.
    Whoever is not selected follows the script, or stands.
    """

    def __init__(
        self, creature_count: int, script: Driver | None = None, chain_count: int = 0
    ) -> None:
        """Start with the first creature selected, or the first chain, and no key held."""
        self.creature_count = creature_count
        self.chain_count = chain_count
        self.selected = 0
        self._script = script
        self._held: set[str] = set()
        self._tapped: set[str] = set()  # pressed since the last tick: a short tap counts for one
        self._taken: set[int] = set() if script else set(range(creature_count))
        self._events: list[Event] = []
        self._targets: dict[tuple[int, int], Event] = {}  # set since the last tick

    def press(self, action: str) -> None:
        """Take a key that went down: one of `AXES_OF`, or "stop"."""
        self._taken.add(self.selected)
        if action == "stop":
            self.release_all()
        else:
            self._held.add(action)
            self._tapped.add(action)

    def release(self, action: str) -> None:
        """Take a key that came up."""
        self._held.discard(action)

    def release_all(self) -> None:
        """Let go of every key."""
        self._held.clear()
        self._tapped.clear()

    def select(self, step: int) -> None:
        """Select the creature or chain `step` places on; held keys do not move over to it."""
        self.selected = (self.selected + step) % (self.creature_count + self.chain_count)
        self.release_all()

    def reset(self) -> None:
        """Put every creature and every chain back to its start with the next tick."""
        self._events = [Event("reset", index) for index in range(self.creature_count)]
        self._events += [Event("reset", chain=index) for index in range(self.chain_count)]

    def lose_leg(self, leg: int) -> None:
        """Take a leg of the selected creature with the next tick."""
        self._events.append(Event("disable_leg", self.selected, leg=leg))

    def set_target(self, chain: int, target: int, point: tuple[float, float, float]) -> None:
        """Send a chain's target to a point [m, world] with the next tick, to the micrometre."""
        x, y, z = (round(part, 6) for part in point)
        self._targets[chain, target] = Event(
            "set_target", chain=chain, target=target, point=(x, y, z)
        )

    @property
    def axes(self) -> tuple[int, ...]:
        """Forward, turn, strafe and height that the keys ask for, each -1, 0 or 1."""
        asked = [AXES_OF[action] for action in self._held | self._tapped]
        return tuple(sum(axis) for axis in zip((0, 0, 0, 0), *asked, strict=True))

    def __call__(self, snapshot: Snapshot) -> Input:
        """What drives the next tick."""
        if self._script is None:
            commands, events = [quantised()] * self.creature_count, []
        else:
            given = self._script(snapshot)
            commands, events = list(given.commands), list(given.events)
        if self.selected in self._taken and self.selected < self.creature_count:
            commands[self.selected] = quantised(*self.axes)
        events += [*self._events, *self._targets.values()]
        self._events = []
        self._targets = {}
        self._tapped.clear()
        return Input(tuple(commands), tuple(events))

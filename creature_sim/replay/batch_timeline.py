"""The timeline of files since format 5: inputs only where they change, digests of several ticks."""

from collections.abc import Sequence

from creature_sim.definitions import WorldDef
from creature_sim.inputs import Input
from creature_sim.replay.container import Found
from creature_sim.replay.digests import MAX_TICKS, OWNERS, decode
from creature_sim.replay.pose_codec import tick_of
from creature_sim.replay.schemas import is_batched
from creature_sim.replay.timeline import Change, Timeline


class BatchTimeline(Timeline):
    """An unbroken run of ticks: of each batch come its inputs, its digests, and then all else.

    Attributes:
        firsts: the first tick of each batch; their messages are in the track of digests. That of
            inputs has one for every tick, also where it is repeated.
    """

    def __init__(self, start: WorldDef, before: Sequence[Change] = ()) -> None:
        """Begin with a world as it was before its first tick, and who came and went since."""
        super().__init__(start, before)
        self.firsts: list[int] = []
        self._given: dict[int, tuple[Found, Input]] = {}  # of the batch whose digests come next
        self._repeated: Found | None = None
        self._last = -1

    @property
    def last(self) -> int:
        """The last tick whose state is there; -1 where none is."""
        return self._last

    def _tick_of(self, found: Found) -> int:
        if found.topic == "/pose":
            try:
                return tick_of(found.data)
            except IndexError:
                raise ValueError("a pose without a tick") from None
        return super()._tick_of(found)

    def _take_input(self, tick: int, found: Found) -> None:
        if tick <= max(self._given, default=self.last) or len(self._given) >= MAX_TICKS:
            raise ValueError(f"expected a tick after {max(self._given, default=self.last)}")
        self._given[tick] = found, self._read_input(tick, found.data)

    def _take_digest(self, tick: int, found: Found) -> None:
        batch = decode(found.data)
        is_first = self.first is None
        if not is_first and tick != self.last + 1:
            raise ValueError(f"expected tick {self.last + 1}")
        counts = dict(zip(OWNERS, map(len, batch.owners), strict=True))
        if counts != self._counts:
            raise ValueError("it does not fit the world")
        end = tick + batch.count
        if any(not tick + is_first <= at < end for at in self._given):
            raise ValueError("expected the inputs of its own ticks before it")
        if any(change.tick > tick for change in self.changes[-MAX_TICKS:]):
            raise ValueError("expected that nobody comes or goes but in its first tick")
        for at in range(tick + is_first, end):
            given = self._given.get(at)
            if given is not None:
                self._repeated = None if given[1].events else given[0]
            shown = given[0] if given is not None else self._repeated
            if shown is None:
                raise ValueError(f"expected an input of tick {at}")
            self.tracks["/input"].add(shown, at)
        if is_first:
            self.first = tick
        self.firsts.append(tick)
        self._given.clear()
        self._last = end - 1
        self.tracks["/digest"].add(found, tick)

    def _take_other(self, topic: str, tick: int) -> None:
        """A pose, a step or a keyframe: of a tick of the batch that has just been read."""
        ticks = self.tracks[topic].ticks
        if not self.firsts or not self.firsts[-1] <= tick <= self.last or ticks[-1:] > [tick]:
            raise ValueError(f"expected a tick up to {self.last}")
        self._check_count(topic, tick)


def timeline_of(version: str, start: WorldDef, before: Sequence[Change]) -> Timeline:
    """The timeline of a file of a format."""
    return (BatchTimeline if is_batched(version) else Timeline)(start, before)

"""A recording that has been read: what it holds, and how to see it again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from operator import index
from pathlib import Path
from typing import Any

import esper

from creature_sim.definitions import WorldDef
from creature_sim.inputs import Input, leavers_of
from creature_sim.replay.codec import models_missing
from creature_sim.replay.schemes import Scheme, scheme_of
from creature_sim.replay.seek import Seeker, simulate
from creature_sim.replay.timeline import Change, Messages
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Happening, Pose
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.systems import SYSTEMS


@dataclass(frozen=True)
class Replay:
    """A recording whose file has been read and checked; `verify` proves what it says.

    Attributes:
        path: of the file.
        start: what was simulated, as it was before tick 1.
        world: the same with all creatures that came later.
        world_bytes: `start` as the file has it.
        metadata: where and by what it was recorded.
        first: tick of its first state: 0, but where it is a part of a recording.
        inputs: of the ticks after that, read one at a time.
        digests: of the first tick and of all others: the hash chain, and hashes by part of each
            creature, chain and prop, as `scheme` makes them.
        poses: for display, by ascending tick.
        events: steps of all feet, motions that were refused, and falls, by ascending tick.
        keyframes: messages with all state after some ticks; `state_at` decodes them.
        changes: creatures that came and went, before the first tick too.
        digest: of the last state; empty where the file does not tell it, since it is cut off or
            a part of another.
        cut: why the recording has no end; empty where it is whole.
        missing: kinds of ground that no package here has; such a file can be shown, on flat
            ground, and cannot be simulated. Empty where all are there.
    """

    path: Path
    start: WorldDef
    world: WorldDef
    world_bytes: bytes
    metadata: dict[str, str]
    first: int
    inputs: Messages[Input]
    digests: Sequence[dict[str, Any]]
    poses: Messages[Pose]
    events: Messages[Happening]
    keyframes: Messages[bytes]
    changes: tuple[Change, ...]
    digest: str
    cut: str = ""
    missing: str = ""

    def __repr__(self) -> str:
        """Return what a user wants to see first."""
        ends = f"first={self.first}, last={self.last}"
        return f"Replay(path={str(self.path)!r}, world={self.world.name!r}, {ends})"

    @property
    def ticks(self) -> int:
        """Number of ticks recorded."""
        return len(self.inputs)

    def scheme(self, link: str = "") -> Scheme:
        """How its digests are made: of ticks from the first on, or after a link of the chain."""
        return scheme_of(self.metadata["format"])(self.world_bytes, link)

    @property
    def last(self) -> int:
        """The last tick."""
        return self.first + self.ticks

    @property
    def tick_rate(self) -> int:
        """Ticks per second."""
        return self.world.tick_rate

    def numbers_at(self, tick: int) -> list[int]:
        """Numbers of the creatures that are there after a tick."""
        events = [change.event for change in self.changes if change.tick <= tick]
        gone = leavers_of(events)
        count = len(self.start.creatures) + sum(event.kind == "spawn" for event in events)
        return [number for number in range(count) if number not in gone]

    @property
    def notice(self) -> str:
        """What a user should know before it is used; empty where nothing is wrong with it."""
        texts = []
        if self.cut:
            seconds = self.last / self.tick_rate
            texts.append(f"breaks off after tick {self.last} ({seconds:.1f} s): {self.cut}")
        if self.missing:
            texts.append(f"without {self.missing}: shown on flat ground")
        models = models_missing(self.world)
        if models:
            named = ", ".join(models)
            texts.append(f"without the model {named}: its creatures are drawn as plain bodies")
        return f"{self.path}: {'; '.join(texts)}" if texts else ""

    def simulation(self, systems: Sequence[type[esper.Processor]] = SYSTEMS) -> Simulation:
        """A simulation in the first state: take the inputs of this replay to see it again.

        Raises:
            PluginMissing: it needs a kind of ground that is not installed here.
        """
        return simulate(self, self.first, systems)

    def rerun(self, systems: Sequence[type[esper.Processor]] = SYSTEMS) -> Iterator[Snapshot]:
        """Simulate it again: exact snapshots of its first tick and of all others."""
        with self.simulation(systems) as simulation:
            yield simulation.snapshot
            for given in self.inputs:
                simulation.step(given)
                yield simulation.snapshot

    def state_at(self, tick: int) -> Snapshot:
        """All state after a tick, exactly as it was, from the keyframe before it.

        The first call builds the world; each other one takes milliseconds.

        Raises:
            ReplayCorrupt: the file says another state than its own inputs lead to.
        """
        return self._seeker.state_at(index(tick))

    @cached_property
    def _seeker(self) -> Seeker:
        return Seeker(self)

    def close(self) -> None:
        """Free what `state_at` keeps."""
        seeker: Seeker | None = self.__dict__.pop("_seeker", None)
        if seeker is not None:
            seeker.close()

    def __enter__(self) -> "Replay":
        """Enter a block that frees at its end what `state_at` keeps."""
        return self

    def __exit__(self, *error: object) -> None:
        """Free it."""
        self.close()

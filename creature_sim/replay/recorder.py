"""Writes a run into a replay file while it happens."""

import contextlib
import errno
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import IO

import esper

from creature_sim.definitions import WorldDef
from creature_sim.drivers import Driver, make_driver
from creature_sim.errors import OutputError
from creature_sim.files.output import check_output, finish, open_part, part_of
from creature_sim.inputs import Input
from creature_sim.replay.batches import encode_all_events
from creature_sim.replay.codec import encode_input, encode_world
from creature_sim.replay.digests import DigestWriter
from creature_sim.replay.keyframes import encode_keyframe, parts_of
from creature_sim.replay.message_writer import MessageWriter
from creature_sim.replay.pose_arrays import pose_ticks
from creature_sim.replay.pose_codec import encode_poses, per_metre
from creature_sim.replay.provenance import describe
from creature_sim.replay.run_writer import Message, RunWriter
from creature_sim.replay.schemas import KEYFRAME
from creature_sim.replay.sizes import LARGEST_KEYFRAME, LARGEST_WORLD, check_items
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots.hashes import hashes_of
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.snapshots.stacks import herd_stacks, runs
from creature_sim.systems import SYSTEMS

KEYFRAME_SECONDS = 10
"""From one keyframe to the next, of few creatures: what lies between is simulated in a moment."""
KEYFRAME_RATE = 8 << 20
"""Keyframes are rarer than one a second where that would be more than so much [bytes/s]."""
LONGEST_BATCH = 120
"""Ticks that are written together, at most."""


class Recorder:
    """A sink that writes a replay file.

    It writes once a second, to a file beside the one asked for (with the number of the process and
    `.part` at the end of its name), and renames that file when it is closed: a recording that was
    cut off never looks complete, and does not destroy an older one. What was written stays and can
    be read, whatever ends the run: a signal, a full disk, an error.
    """

    def __init__(self, path: str | Path, simulation: Simulation, *, force: bool = False) -> None:
        """Open the file and write the start of the run.

        Args:
            path: of the recording when it is complete.
            simulation: before its first tick.
            force: whether an older file there may be replaced.

        Raises:
            OutputError: the file exists or cannot be written.
        """
        self.path = Path(path)
        check_output(self.path, force)
        self._part = part_of(self.path)
        self._force = force
        if simulation.tick:
            raise ValueError(
                f"expected a simulation before its first tick, found {simulation.tick}"
            )
        if simulation.has_changed:
            raise ValueError("expected nobody to come or go before the recording, found a change")
        self._stream: IO[bytes] = open_part(self.path)
        self._rate = simulation.world.tick_rate
        self._pose_ticks = pose_ticks(self._rate)
        batch = self._rate // max(1, len(simulation.world.creatures))
        self._batch = min(max(1, batch), LONGEST_BATCH)
        self._pending: list[tuple[Input, Snapshot]] = []
        self._tick = 0  # the last that was taken
        self._worker = ThreadPoolExecutor(1, "recorder")
        self._job: Future[None] | None = None
        self._keyframe_ticks = _keyframe_ticks(simulation)
        self._written = 0
        world = encode_world(simulation.world)
        try:
            check_items("a world", world, LARGEST_WORLD)
        except ValueError as error:
            self.discard()
            raise OutputError(f"{self.path}: too large for a replay: {error}") from None
        self._digests = DigestWriter(world)
        self._scale = per_metre(simulation.world)
        metadata = describe(simulation.terrain.digest, simulation.systems, simulation.world)
        self._writer = MessageWriter(self._stream, simulation.world, world, metadata)
        self._runs = RunWriter(self._writer)
        self._write_run([None], [simulation.snapshot])
        with self._disk():
            self._flush()

    def write(self, given: Input, snapshot: Snapshot) -> None:
        """Take one tick; OutputError where the disk is full.

        Ticks are encoded and written about a second at a time, in a thread: hashing, compressing
        and writing, most of the work, leave the processor of the next ticks alone.
        """
        if snapshot.tick != self._tick + 1:
            raise ValueError(f"expected tick {self._tick + 1}, found {snapshot.tick}")
        if self._job is not None and self._job.done():
            self._wait()
        self._tick = snapshot.tick
        self._pending.append((given, snapshot))
        is_full = len(self._pending) >= self._batch
        if is_full or self._has_keyframe(snapshot.tick + 1):  # with it the next chunk begins
            self._wait()
            self._job = self._worker.submit(self._write_ticks, self._pending)
            self._pending = []

    def _wait(self) -> None:
        """Wait until all that the thread was given is written; OutputError where it cannot be."""
        job = self._job
        if job is not None:
            wait([job])  # who is interrupted here waits again when the recording is closed
            self._job = None
            job.result()

    def _write_ticks(self, ticks: Sequence[tuple[Input, Snapshot]]) -> None:
        """Write ticks, those together after which the same creatures are there."""
        given = iter([given for given, _ in ticks])
        with self._disk():
            for run in runs([snapshot for _, snapshot in ticks]):
                self._write_run(list(islice(given, len(run))), run)
            self._flush()

    def _write_run(self, inputs: Sequence[Input | None], run: Sequence[Snapshot]) -> None:
        """Write ticks with what drove them, their digests and, now and then, their poses."""
        stacks, ticks = herd_stacks(run), [snapshot.tick for snapshot in run]
        encoded = [
            encode_input(tick, given) if given is not None else b""
            for tick, given in zip(ticks, inputs, strict=True)
        ]
        digest = self._digests.message(encoded, run, hashes_of(run, stacks))
        shown = [snapshot for snapshot in run if snapshot.tick % self._pose_ticks == 0]
        poses = iter(encode_poses(shown, self._scale))
        others: list[Message] = []
        for snapshot, told in zip(run, encode_all_events(run, stacks), strict=True):
            tick = snapshot.tick
            others += [(tick, "/event", event) for event in told]
            if tick % self._pose_ticks == 0:
                others.append((tick, "/pose", next(poses)))
            if self._has_keyframe(tick):
                others.append((tick, KEYFRAME, encode_keyframe(snapshot)))
        self._runs.write(ticks, inputs, digest, others)
        self._last = run[-1]

    def _flush(self) -> None:
        """Hand all that was encoded to the system, and remember where whole data end."""
        self._writer.flush()
        self._stream.flush()
        self._written = self._stream.tell()
        self._safe = self._last.tick

    @contextlib.contextmanager
    def _disk(self) -> Iterator[None]:
        """A block that ends the recording if it cannot write: what was written before stays."""
        try:
            yield
        except OSError as error:
            with contextlib.suppress(OSError):  # what is buffered cannot be written either
                self._stream.close()
            if not self._written:
                self.discard()
                raise OutputError(f"{self.path}: {_trouble(error)}; nothing was recorded") from None
            with contextlib.suppress(OSError):
                os.truncate(self._part, self._written)
            raise OutputError(
                f"{self.path}: {_trouble(error)} after {self._safe / self._rate:.1f} s; "
                f"{self._part} has what was recorded until then (`creature-sim recover`)"
            ) from None

    def _has_keyframe(self, tick: int) -> bool:
        """Whether all state after a tick is written."""
        return tick > 0 and self._keyframe_ticks > 0 and tick % self._keyframe_ticks == 0

    def close(self) -> None:
        """Write the end mark and give the file its name; a second call does nothing."""
        self._end(name_it=True)

    def _end(self, *, name_it: bool) -> None:
        self._wait()
        if self._stream.closed:
            return
        self._worker.shutdown()
        self._write_ticks(self._pending)
        with self._disk():
            self._writer.finish(self._last.tick, self._last.digest)
            self._stream.close()
            if name_it:
                finish(self.path, self._force)

    def discard(self) -> None:
        """Abandon the recording; nothing of it remains."""
        self._worker.shutdown()
        with contextlib.suppress(OSError):
            self._stream.close()
        with contextlib.suppress(OSError):
            self._part.unlink()

    def __enter__(self) -> "Recorder":
        """Enter a block that finishes the recording at its end."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Finish the recording, also if the user stops the run.

        After an error it is finished too, but keeps the name of its part, which the error tells.
        """
        if kind is None or issubclass(kind, KeyboardInterrupt):
            self.close()
        elif self._tick == 0:
            self.discard()
        elif not self._stream.closed:
            self._end(name_it=False)
            if error is not None:
                error.add_note(f"{self._part} has the recording of the ticks before")


def _keyframe_ticks(simulation: Simulation) -> int:
    """Ticks between keyframes: longer for few creatures or much state; 0: none are written."""
    size = sum(part.size for _, _, part in parts_of(simulation.snapshot))
    if simulation.world.exactness == "machine" or size > LARGEST_KEYFRAME // 2:
        return 0
    few = KEYFRAME_SECONDS // (1 + len(simulation.world.creatures) // KEYFRAME_SECONDS)
    return simulation.world.tick_rate * max(few, 1 + size // KEYFRAME_RATE)


def _trouble(error: OSError) -> str:
    """Why nothing can be written."""
    if error.errno == errno.ENOSPC:
        return "disk full"
    return f"cannot be written ({error.strerror})"


def record(
    world: WorldDef,
    path: str | Path,
    ticks: int,
    *,
    driver: Driver | None = None,
    systems: Sequence[type[esper.Processor]] = SYSTEMS,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
    seen: Callable[[Snapshot], object] | None = None,
) -> Snapshot:
    """Simulate a world headless and record it.

    Args:
        world: resolved, as `load_world` returns it.
        path: of the replay file.
        ticks: how many to run.
        driver: steers it; None: the world's own driver.
        systems: of the tick, in order; `verify` needs the same.
        force: whether an older file may be replaced.
        progress: called with the number of ticks done, after each.
        seen: called with each state, that before the first tick too.

    Returns:
        The last snapshot.
    """
    if ticks < 0:
        raise ValueError(f"ticks: expected 0 or more, found {ticks}")
    with (
        Simulation(world, systems=systems) as simulation,
        Recorder(path, simulation, force=force) as recorder,
    ):
        session = Session(simulation, driver or make_driver(world), (recorder,))
        if seen:
            seen(simulation.snapshot)
        for _ in range(ticks):
            snapshot = session.advance()
            if seen:
                seen(snapshot)
            if progress:
                progress(simulation.tick)
        return simulation.snapshot

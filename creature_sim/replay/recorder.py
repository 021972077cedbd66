"""Writes a run into a replay file while it happens."""

import contextlib
import errno
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
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
from creature_sim.replay.codec import InputEncoder, encode_world
from creature_sim.replay.events import encode_all_events
from creature_sim.replay.keyframes import encode_keyframe, keyframe_ticks
from creature_sim.replay.message_writer import MessageWriter
from creature_sim.replay.pending import Pending
from creature_sim.replay.pose_arrays import pose_ticks
from creature_sim.replay.pose_codec import encode_poses, per_metre
from creature_sim.replay.provenance import describe
from creature_sim.replay.run_writer import RunWriter
from creature_sim.replay.schemas import KEYFRAME
from creature_sim.replay.schemes import DigestWriter
from creature_sim.replay.sizes import LARGEST_WORLD, check_items
from creature_sim.replay.worker import Worker
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.snapshots.tapes import Reel, Tape
from creature_sim.systems import SYSTEMS

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
        self._worker = Worker("recorder")
        try:
            self._start(simulation)
        except BaseException:
            self.discard()
            raise

    def _start(self, simulation: Simulation) -> None:
        """Write what comes before the first tick, and its state."""
        self._rate = simulation.world.tick_rate
        self._pose_ticks = pose_ticks(self._rate)
        self._last = simulation.snapshot  # that was taken
        self._keyframe_ticks = keyframe_ticks(simulation.world, simulation.snapshot)
        self._keyframe_tick = -1  # where the running ticks begin with one
        self._written = 0
        world = encode_world(simulation.world)
        try:
            check_items("a world", world, LARGEST_WORLD)
        except ValueError as error:
            raise OutputError(f"{self.path}: too large for a replay: {error}") from None
        encode = InputEncoder()
        self._digests = DigestWriter(world, encode)
        self._scale = per_metre(simulation.world)
        metadata = describe(simulation.terrain.digest, simulation.systems, simulation.world)
        with self._disk():
            self._writer = MessageWriter(self._stream, simulation.world, world, metadata)
        self._runs = RunWriter(self._writer, encode)
        self._pending = Pending(Reel(self._last), due=0)
        self._pending.add(None, self._last)
        self._write_pending(self._pending)
        self._begin()

    def write(self, given: Input, snapshot: Snapshot) -> None:
        """Take one tick; OutputError where the disk is full.

        What is needed of it is taken at once. It is encoded, compressed and written about a second
        at a time, in a thread.
        """
        tick = snapshot.tick
        if tick != self._last.tick + 1:
            raise ValueError(f"expected tick {self._last.tick + 1}, found {tick}")
        if self._worker.has_failed:
            self._worker.wait()
        pending = self._pending
        pending.add(given, snapshot)
        self._last = snapshot
        if tick == self._keyframe_tick:
            pending.keyframe = snapshot
        if tick == pending.due:
            self._worker.begin(partial(self._write_pending, pending))
            self._begin()

    def _begin(self) -> None:
        """Begin to take ticks that will be written together: those of a second, at most."""
        tick, step = self._last.tick, self._keyframe_ticks
        due = tick + min(self._rate, LONGEST_BATCH)
        if step:  # with one the next chunk begins
            due = min(due, tick + step - (tick + 1) % step)
            self._keyframe_tick = tick + 1 if (tick + 1) % step == 0 else -1
        self._pending = Pending(self._pending.reel, due)

    def _write_pending(self, pending: Pending) -> None:
        """Write ticks, and end a chunk."""
        inputs = iter(pending.inputs)
        with self._disk():
            for tape in pending.tapes:
                self._write_tape(tape, list(islice(inputs, tape.count)), pending.keyframe)
            size = self._writer.flush()
            self._stream.flush()
        if pending.tapes:  # whole data end here
            self._written, self._safe = size, pending.tapes[-1].ticks[-1]

    def _write_tape(
        self, tape: Tape, inputs: Sequence[Input | None], keyframe: Snapshot | None
    ) -> None:
        """Write ticks with what drove them, their digests and, now and then, their poses."""
        digest = self._digests.message(inputs, tape.first, tape.hashes())
        shown = range(-tape.first % self._pose_ticks, tape.count, self._pose_ticks)
        poses = encode_poses(tape, shown, self._scale)
        keyframes: list[tuple[int, bytes]] = []
        if keyframe is not None and keyframe.tick in tape.ticks:
            keyframes.append((keyframe.tick, encode_keyframe(keyframe)))
        others = {
            "/event": encode_all_events(tape),
            "/pose": [(tape.first + at, pose) for at, pose in zip(shown, poses, strict=True)],
            KEYFRAME: keyframes,
        }
        self._runs.write(tape.ticks, inputs, digest, others)

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

    def close(self) -> None:
        """Write the end mark and give the file its name; a second call does nothing."""
        self._end(name_it=True)

    def _end(self, *, name_it: bool) -> None:
        self._worker.wait()
        if self._stream.closed:
            return
        self._worker.close()
        self._write_pending(self._pending)
        with self._disk():
            self._writer.finish(self._last.tick, self._last.digest)
            self._stream.close()
            if name_it:
                finish(self.path, self._force)

    def discard(self) -> None:
        """Abandon the recording; nothing of it remains."""
        self._worker.close()
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

        After an error it is finished too, but keeps the name of its part, which a note of the
        error tells.
        """
        if kind is None or issubclass(kind, KeyboardInterrupt):
            self.close()
        elif self._last.tick == 0:
            self.discard()
        elif not self._stream.closed:
            self._end(name_it=False)
            if error is not None:
                error.add_note(f"{self._part} has the recording of the ticks before")


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

"""Writes a run into a replay file while it happens."""

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import orjson
from mcap.writer import Writer

from creature_sim.definitions import WorldDef, imports_of
from creature_sim.drivers import Driver, make_driver
from creature_sim.errors import OutputError
from creature_sim.files.output import check_output, finish, open_part, part_of
from creature_sim.inputs import Input
from creature_sim.replay.codec import (
    POSE_RATE,
    data_name,
    encode_data,
    encode_input,
    encode_pose,
    encode_steps,
    encode_world,
)
from creature_sim.replay.hash_chain import Chain
from creature_sim.replay.provenance import describe
from creature_sim.replay.schemas import METADATA_NAME, SCHEMAS, WORLD_NAME
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.snapshots.snapshot import Snapshot


class Recorder:
    """A sink that writes a replay file.

    It writes beside the file it was asked for, under another name (with the number of the process
    and `.part` behind), once a second, and renames it when it is closed: a recording that was cut
    off never looks whole, nor does it destroy an older one.
    """

    def __init__(self, path: str | Path, simulation: Simulation, *, force: bool = False) -> None:
        """Open the file and write what the run starts from.

        Args:
            path: where the recording is when it is done.
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
        self._pose_ticks = max(1, round(self._rate / POSE_RATE))
        self._batch = max(1, self._rate // max(1, len(simulation.world.creatures)))
        self._pending: list[tuple[Input, Snapshot]] = []
        world = encode_world(simulation.world)
        self._chain = Chain(world)
        self._writer = Writer(self._stream, enable_data_crcs=True)
        self._writer.start(library="creature_sim")
        self._channels = {
            topic: self._writer.register_channel(
                topic,
                "json",
                self._writer.register_schema(f"creature_sim{topic}", "jsonschema", schema),
            )
            for topic, schema in SCHEMAS.items()
        }
        self._writer.add_attachment(0, 0, WORLD_NAME, "application/json", world)
        grounds = {data_name(ground): ground for _, ground in imports_of(simulation.world.terrain)}
        for name, ground in grounds.items():  # of the same data, one
            self._writer.add_attachment(0, 0, name, "application/zstd", encode_data(ground))
        metadata = describe(
            simulation.terrain.digest, simulation.systems, simulation.world.exactness
        )
        self._writer.add_metadata(METADATA_NAME, metadata)
        self._write_state(b"", simulation.snapshot)

    def write(self, given: Input, snapshot: Snapshot) -> None:
        """Take one tick; OutputError where the disk does not take it.

        Ticks are encoded and written together, about a second at a time: that costs half of what
        it costs one by one, in between the ticks of a simulation.
        """
        expected = self._last.tick + len(self._pending) + 1
        if snapshot.tick != expected:
            raise ValueError(f"expected tick {expected}, found {snapshot.tick}")
        self._pending.append((given, snapshot))
        if len(self._pending) >= self._batch:
            self._write_pending()
            with self._disk():
                self._writer.flush()

    def _write_pending(self) -> None:
        for given, snapshot in self._pending:
            encoded = encode_input(snapshot.tick, given)
            self._add("/input", snapshot.tick, encoded)
            self._write_state(encoded, snapshot)
        self._pending.clear()

    @contextlib.contextmanager
    def _disk(self) -> Iterator[None]:
        """A block whose failure to write gives the recording up."""
        try:
            yield
        except OSError as error:
            self.discard()
            raise OutputError(
                f"{self.path}: expected room to write, found none ({error.strerror})"
            ) from None

    def _write_state(self, given: bytes, snapshot: Snapshot) -> None:
        """Write a tick's digest and, now and then, its pose."""
        self._last = snapshot
        tick, creatures, chains = snapshot.tick, snapshot.digests, snapshot.chain_digests
        props = snapshot.prop_digests
        chain = self._chain.add(given, (*creatures, *chains, *props))
        message: dict[str, Any] = {"tick": tick, "chain": chain, "creatures": creatures}
        if chains:
            message["chains"] = chains
        if props:
            message["props"] = props
        self._add("/digest", tick, orjson.dumps(message))
        for step in encode_steps(snapshot):
            self._add("/event", tick, step)
        if tick % self._pose_ticks == 0:
            self._add("/pose", tick, encode_pose(pose_of(snapshot)))

    def _add(self, topic: str, tick: int, data: bytes) -> None:
        time = tick * 10**9 // self._rate
        self._writer.add_message(self._channels[topic], time, data, time, tick)

    def close(self) -> None:
        """Write the end mark and give the file its name; doing so twice does nothing."""
        if self._stream.closed:
            return
        self._write_pending()
        end = {"tick": self._last.tick, "digest": self._last.digest}
        self._add("/end", self._last.tick, orjson.dumps(end))
        with self._disk():
            self._writer.finish()
            self._stream.close()
            finish(self.path, self._force)

    def discard(self) -> None:
        """Give the recording up: leave nothing behind."""
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
        """Finish the recording, also when the user has stopped the run; give it up on an error."""
        if kind is None or issubclass(kind, KeyboardInterrupt):
            self.close()
        else:
            self.discard()


def record(
    world: WorldDef,
    path: str | Path,
    ticks: int,
    *,
    driver: Driver | None = None,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Snapshot:
    """Simulate a world headless and record it.

    Args:
        world: resolved, as `load_world` returns it.
        path: of the replay file.
        ticks: how many to run.
        driver: who steers; None: the world's own driver.
        force: whether an older file may be replaced.
        progress: called with the number of ticks done, after each.

    Returns:
        The last snapshot.
    """
    if ticks < 0:
        raise ValueError(f"ticks: expected 0 or more, found {ticks}")
    with Simulation(world) as simulation, Recorder(path, simulation, force=force) as recorder:
        session = Session(simulation, driver or make_driver(world), (recorder,))
        for _ in range(ticks):
            session.advance()
            if progress:
                progress(simulation.tick)
        return simulation.snapshot

"""Processes of this machine, each with one job at a time."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import active_children, get_context, parent_process, resource_tracker
from multiprocessing.process import BaseProcess
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

from creature_sim.workers.loop import WorkerDiedError

Job = TypeVar("Job")
Result = TypeVar("Result")

MOST_MEMORY = 1 << 30
"""A process that has more is replaced after its job: pybullet keeps some of each ground [B]."""


class Processes:
    """As many processes as may work at once; they start when they are needed."""

    def __init__(self, count: int) -> None:
        """Start nothing yet."""
        self._scratch = TemporaryDirectory(prefix="creature_sim-")
        self._free = [Lane(self._scratch.name) for _ in range(count)]
        self._lanes = tuple(self._free)
        self._count = count

    @property
    def room(self) -> int:
        """How many jobs may be given to them at the same time."""
        return self._count

    def start(self, call: Callable[[Job], Result], job: Job) -> "Future[Result]":
        """Give a job to a process that has none."""
        lane = self._free.pop()
        promise: Future[Result] = Future()

        def end(future: "Future[tuple[Result, int]]") -> None:
            try:
                result, memory = future.result()
            except BrokenProcessPool:
                error: BaseException = WorkerDiedError()
                lane.is_worn = True
            except BaseException as raised:
                error = raised
            else:
                lane.is_worn = memory > MOST_MEMORY
                self._free.append(lane)
                promise.set_result(result)
                return
            self._free.append(lane)
            promise.set_exception(error)

        lane.start(call, job).add_done_callback(end)
        return promise

    def close(self) -> None:
        """Wait for the processes to end."""
        for lane in self._lanes:
            lane.close()
        self._scratch.cleanup()

    def kill(self) -> None:
        """End them at once; what they have written is removed."""
        for lane in self._lanes:
            lane.kill()
        with suppress(OSError):
            self._scratch.cleanup()


class Lane:
    """One process at a time.

    A pool that replaces its processes itself (`max_tasks_per_child`) hangs in Python 3.11 to 3.14
    when a process ends while tasks are queued (CPython issue 115634).

    Attributes:
        is_worn: whether the process is to be replaced before the next job.
    """

    def __init__(self, scratch: str) -> None:
        """Start nothing yet; `scratch` is the folder for the temporary files of the processes."""
        self.is_worn = False
        self._scratch = scratch
        self._pool: ProcessPoolExecutor | None = None
        self._processes: set[BaseProcess] = set()

    def start(self, call: Callable[[Job], Result], job: Job) -> "Future[tuple[Result, int]]":
        """Begin a job; the one before it must be over."""
        if self._pool is None or self.is_worn:
            self.close()
            # Spawned, not forked: numba and pybullet have threads and handles of their own.
            self._pool = ProcessPoolExecutor(
                1, get_context("spawn"), initializer=_begin, initargs=(self._scratch,)
            )
            self.is_worn = False
        others = set(active_children())
        try:
            with signals_held():
                return self._pool.submit(_weighed, call, job)
        except BrokenProcessPool as error:  # it died between two jobs
            failed: Future[tuple[Result, int]] = Future()
            failed.set_exception(error)
            return failed
        finally:
            self._processes |= set(active_children()) - others

    def close(self) -> None:
        """Wait for the job to end, and end the process."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool, self._processes = None, set()

    def kill(self) -> None:
        """End the process at once."""
        for process in self._processes:
            process.kill()
            process.join()
        self.close()


def _weighed(call: Callable[[Job], Result], job: Job) -> tuple[Result, int]:
    """What a call returns, and the memory of this process [B]; 0: unknown."""
    found = call(job)
    pages = Path("/proc/self/statm")
    if not pages.exists():
        return found, 0
    return found, int(pages.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _begin(scratch: str) -> None:
    """Begin a process: it ends with the one that started it, and keeps its files in a folder."""
    import tempfile

    tempfile.tempdir = scratch
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)  # nobody will ask it for anything

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def signals_held() -> Iterator[None]:
    """A block whose new processes ignore SIGINT and SIGTERM.

    A terminal sends Ctrl-C, and `timeout` its SIGTERM, to all processes; the one that started them
    ends them.
    """
    resource_tracker.ensure_running()  # starting it later would let signals in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)

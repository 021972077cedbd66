"""Many trials in several processes, with the same outcomes for any number of them."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process, resource_tracker
from multiprocessing.process import BaseProcess
from pathlib import Path

from creature_sim.definitions import CreatureDef
from creature_sim.errors import TrialError
from creature_sim.lab.course import Course, Trial
from creature_sim.lab.run import Outcome, run_trial
from creature_sim.simulation import Simulation

RUNS_PER_PROCESS = 8
"""A process ends after this many runs: pybullet keeps up to 50 MB of each ground of boxes."""


class _Lane:
    """One process at a time, a new one after RUNS_PER_PROCESS runs.

    A pool that does so itself (`max_tasks_per_child`) hangs in Python 3.11 to 3.14 when a process
    ends while tasks are queued (CPython issue 115634).
    """

    def __init__(self) -> None:
        """Start nothing yet."""
        self._pool: ProcessPoolExecutor | None = None
        self._processes: set[BaseProcess] = set()
        self._runs = 0

    def start(
        self, creature: CreatureDef, trial: Trial, failures: Path | None, force: bool
    ) -> "Future[Outcome]":
        """Begin a run; the previous one must be over. TrialError if the process is dead."""
        if self._pool is None or self._runs == RUNS_PER_PROCESS:
            self.close()
            # Spawned, not forked: numba and pybullet have threads and handles of their own.
            self._pool = ProcessPoolExecutor(
                1, mp_context=get_context("spawn"), initializer=_end_with_parent
            )
            self._runs = 0
        self._runs += 1
        others = set(active_children())
        try:
            with _signals_held():
                return self._pool.submit(run_trial, creature, trial, failures, force=force)
        except BrokenProcessPool:
            raise _death(trial) from None
        finally:
            self._processes |= set(active_children()) - others

    def close(self) -> None:
        """Wait for the run to end, and end the process."""
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool, self._processes = None, set()

    def kill(self, failures: Path | None) -> None:
        """End the process at once; what it was writing is removed."""
        for process in self._processes:
            process.kill()
            process.join()
            for part in failures.glob(f"*.{process.pid}.part") if failures else ():
                part.unlink(missing_ok=True)
        self.close()


def _end_with_parent() -> None:
    """End this process when the one that started it is gone: nobody will ask it for anything."""
    parent = parent_process()
    assert parent is not None

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _signals_held() -> Iterator[None]:
    """A block whose new processes ignore SIGINT and SIGTERM.

    A terminal sends Ctrl-C, and `timeout` its SIGTERM, to all processes; this one ends the sweep.
    """
    resource_tracker.ensure_running()  # starting it later would let signals in again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def sweep(
    creature: CreatureDef,
    trials: Sequence[Trial],
    *,
    jobs: int = 1,
    failures: Path | None = None,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
    seen: Callable[[Outcome], None] | None = None,
) -> list[Outcome]:
    """Run trials, `jobs` at a time; outcomes in the order of the trials.

    Args:
        creature: who walks.
        trials: to run.
        jobs: number of processes.
        failures: folder for the replays of failed runs.
        force: whether older replays there may be replaced.
        progress: called with the number of trials done, after each.
        seen: called with every outcome as soon as it is known, in any order.

    Raises:
        TrialError: a process died.
        KeyboardInterrupt: as elsewhere; the processes are ended at once, and the replays of runs
            that were not over are removed.
    """
    if not trials:
        return []
    # First a tick here: who cannot walk is found at once, and kernels are compiled only once.
    with Simulation(Course.of(creature).world(creature, trials[0])) as simulation:
        simulation.step()
    waiting = list(range(len(trials)))[::-1]
    found: dict[int, Outcome] = {}
    busy: dict[Future[Outcome], tuple[_Lane, int]] = {}
    lanes = [_Lane() for _ in range(min(jobs, len(trials)))]

    def go_on(lane: _Lane) -> None:
        if waiting:
            index = waiting.pop()
            busy[lane.start(creature, trials[index], failures, force)] = lane, index

    try:
        for lane in lanes:
            go_on(lane)
        while busy:
            done, _ = wait(busy, return_when=FIRST_COMPLETED)
            for future in done:
                lane, index = busy.pop(future)
                found[index] = _result(future, trials[index])
                if seen:
                    seen(found[index])
                if progress:
                    progress(len(found))
                go_on(lane)
    except KeyboardInterrupt:
        for lane in lanes:
            lane.kill(failures)
        raise
    finally:
        for lane in lanes:
            lane.close()
    return [found[index] for index in range(len(trials))]


def _result(future: "Future[Outcome]", trial: Trial) -> Outcome:
    """The outcome of a run; TrialError if its process died."""
    try:
        return future.result()
    except BrokenProcessPool:
        raise _death(trial) from None


def _death(trial: Trial) -> TrialError:
    """The error for a process that died."""
    return TrialError(
        f"{trial.name}: expected an outcome, found that the process of this trial died "
        "(killed, or out of memory)"
    )

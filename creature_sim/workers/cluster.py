"""Clusters of Dask: its scheduler hands jobs to workers on any number of machines.

Needs the extra `cluster`.
"""

import logging
import re
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, suppress
from functools import cache
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any, TypeVar

from creature_sim.errors import ClusterError
from creature_sim.maths.sources import name_of, source_files
from creature_sim.workers.loop import PATIENCE, WorkerDiedError
from creature_sim.workers.processes import signals_held

Job = TypeVar("Job")
Result = TypeVar("Result")

CONNECT = 10.0
"""A scheduler has to answer, and to have a worker, within this time [s]."""
AHEAD = 2
"""So many jobs are given away for each thread of the workers: none waits for its next one."""
MOST = 256
"""Largest number of processes of a cluster on this machine."""


def check_address(address: str) -> int:
    """Number of processes of the cluster here that an address means; 0: it is elsewhere.

    Raises:
        ClusterError: no cluster has such an address.
    """
    local = re.fullmatch(r"local:(\d{1,6})", address)
    if local and 1 <= int(local[1]) <= MOST:
        return int(local[1])
    if not re.fullmatch(r"tcp://[^\s:/]+:\d{1,5}", address):
        raise ClusterError(
            f"--cluster: expected tcp://HOST:PORT or local:N with N from 1 to {MOST}, "
            f"found {address!r}"
        )
    return 0


def open_cluster(address: str) -> "Cluster":
    """Connect to the cluster that an address means; see `open_workers`.

    Raises:
        ClusterError: there is none, or its workers have another creature_sim.
    """
    count = check_address(address)
    try:
        import distributed
    except ImportError:
        raise ClusterError(
            "--cluster: expected the package distributed, found none; "
            "pip install 'creature-sim[cluster]'"
        ) from None
    for name in [name for name in logging.root.manager.loggerDict if name[:11] == "distributed"]:
        logging.getLogger(name).setLevel(logging.CRITICAL)  # its news are in our results
    with ExitStack() as stack:
        where: Any = address
        if count:
            where = stack.enter_context(_local_cluster(distributed, count, stack))
        try:
            client = distributed.Client(where, timeout=CONNECT, set_as_default=False)
        except (OSError, ValueError) as error:  # TimeoutError is an OSError
            raise ClusterError(
                f"--cluster: expected a scheduler at {address}, found none ({_cause(error)})"
            ) from None
        stack.callback(_disconnect, client)
        try:
            client.wait_for_workers(1, timeout=CONNECT)
        except TimeoutError:
            raise ClusterError(
                f"--cluster: expected workers at {address}, found none after {CONNECT:g} s; "
                f"'dask worker {address} --nthreads 1' starts one"
            ) from None
        _check_workers(client, address)
        return Cluster(client, address, stack.pop_all())


def _local_cluster(distributed: Any, count: int, stack: ExitStack) -> Any:  # noqa: ANN401
    """So many processes with one thread each, and a scheduler, here."""
    import dask

    scratch = stack.enter_context(TemporaryDirectory(prefix="creature_sim-"))
    # Every death is told of; the loop of results finds out who kills.
    stack.enter_context(dask.config.set({"distributed.scheduler.allowed-failures": 0}))
    with signals_held():
        return distributed.LocalCluster(
            n_workers=count,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # any port: another cluster may have the usual one
            memory_limit=0,
            local_directory=scratch,
            silence_logs=logging.CRITICAL,
            env={"TMPDIR": scratch},
        )


class Cluster:
    """The workers of a scheduler."""

    def __init__(self, client: Any, address: str, stack: ExitStack) -> None:  # noqa: ANN401
        """Take a connected client, and what is to be closed with it."""
        self._client, self._address, self._stack = client, address, stack
        self._given: set[Any] = set()
        self._threads, self._asked = 0, -PATIENCE

    @property
    def room(self) -> int:
        """How many jobs may be given away now; workers may come and go."""
        if monotonic() - self._asked >= PATIENCE:
            self._check()
            try:
                self._threads = sum(self._client.nthreads().values())
            except OSError:  # it went away since, or as it was asked
                raise self._gone() from None
            self._asked = monotonic()
        return max(1, AHEAD * self._threads)

    def start(self, call: Callable[[Job], Result], job: Job) -> "Future[Result]":
        """Give a job to whoever is free."""
        self._check()
        promise: Future[Result] = Future()

        def end(given: Any) -> None:  # noqa: ANN401 - as above
            from distributed import KilledWorker

            self._given.discard(given)
            try:
                promise.set_result(given.result())
            except (KilledWorker, CancelledError):
                promise.set_exception(WorkerDiedError())
            except Exception as error:
                promise.set_exception(_explained(error, self._address))

        given = self._client.submit(_checked, _sources(), call, job, pure=False)
        self._given.add(given)
        given.add_done_callback(end)
        return promise

    def _check(self) -> None:
        if self._client.status != "running":
            raise self._gone()

    def _gone(self) -> ClusterError:
        return ClusterError(
            f"--cluster: expected the scheduler at {self._address} to go on, found it gone"
        )

    def close(self) -> None:
        """Leave the cluster, and end what was started for it."""
        self._stack.close()

    def kill(self) -> None:
        """Leave the cluster at once; jobs that nobody has begun are forgotten."""
        with suppress(Exception):  # what the cluster is like now does not matter any more
            self._client.cancel(list(self._given))
        self.close()


def _disconnect(client: Any) -> None:  # noqa: ANN401 - distributed has no types here
    with suppress(Exception):  # a scheduler that is gone
        client.close(timeout=2.0)


def _check_workers(client: Any, address: str) -> None:  # noqa: ANN401 - as above
    """Refuse workers that lack this package, or have another version of it."""
    try:
        found = client.run(_sources)
    except Exception as error:
        raise _explained(error, address) from None
    for worker, sources in found.items():
        if sources != _sources():
            raise _other_sources(worker)


@cache
def _sources() -> str:
    """A digest of all sources of this package."""
    return name_of(list(source_files()))


def _checked(sources: str, call: Callable[[Job], Result], job: Job) -> Result:
    """Make a call, on a worker; refuse it where the sources are others."""
    if sources != _sources():
        from distributed import get_worker

        raise _other_sources(get_worker().address)
    return call(job)


def _other_sources(worker: str) -> ClusterError:
    return ClusterError(
        f"--cluster: expected the same version of creature_sim on all workers, found another one "
        f"at {worker}"
    )


def _explained(error: BaseException, address: str) -> BaseException:
    """An error of a worker; that it lacks this package is said so."""
    if isinstance(error, ImportError):
        return ClusterError(
            f"--cluster: expected creature_sim to be installed on the workers of {address}, "
            f"found: {_cause(error)}"
        )
    return error


def _cause(error: BaseException) -> str:
    """The first line of an error."""
    return (str(error).splitlines() or [type(error).__name__])[0]

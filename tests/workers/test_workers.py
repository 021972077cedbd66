"""Workers: every job has its result, whoever dies, and whatever workers they are."""

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from creature_sim.errors import ClusterError
from creature_sim.workers import Died, open_workers, results
from creature_sim.workers.loop import TRIES, WorkerDiedError
from tests.workers.calls import Job, deaths, refuse, square
from tests.workers.inline import Inline

ENGINES: dict[str, dict[str, Any]] = {
    "processes": {"jobs": 2},
    "cluster": {"cluster": "local:2"},
}


class Mortal(Inline):
    """Workers that die of a job so many times."""

    def __init__(self, times: dict[int, int]) -> None:
        """Take the number of deaths of each job."""
        super().__init__()
        self.times, self.asked = dict(times), list[int]()

    def start(self, call: Callable[[Any], Any], job: Any) -> "Future[Any]":
        """Make a call, or die."""
        self.asked.append(job)
        if self.times.get(job, 0):
            self.times[job] -= 1
            dead: Future[Any] = Future()
            dead.set_exception(WorkerDiedError())
            return dead
        return super().start(call, job)


def test_a_job_is_tried_again_and_who_kills_every_time_has_died() -> None:
    workers = Mortal({1: 1, 2: TRIES})
    found = dict(results(workers, str, [0, 1, 2, 3]))
    assert found == {0: "0", 1: "1", 2: Died(TRIES), 3: "3"}
    assert workers.asked.count(1) == 2
    assert workers.asked.count(2) == TRIES
    assert workers.asked[-1] == 2  # the last time alone: nobody else can be the one that kills
    assert "3 processes died" in str(Died(TRIES))


def test_jobs_are_made_when_somebody_has_time_for_them() -> None:
    made: list[int] = []

    def jobs() -> Iterator[int]:
        for number in range(100):
            made.append(number)
            yield number

    for index, _ in results(Inline(), str, jobs()):
        assert len(made) <= index + 2
    assert dict(results(Inline(), str, [])) == {}


def test_an_error_of_a_call_ends_the_loop_and_the_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Inline()
    monkeypatch.setattr("creature_sim.workers.processes.Processes", lambda count: made)
    with pytest.raises(ValueError, match="no 3"), open_workers() as workers:
        list(results(workers, refuse, [Job(3, "")]))
    assert made.is_closed


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_nothing_is_lost_when_workers_are_killed(engine: str, tmp_path: Path) -> None:
    deaths(tmp_path, 2, 1)
    deaths(tmp_path, 5, 99)
    jobs = [Job(number, str(tmp_path)) for number in range(12)]
    with open_workers(**ENGINES[engine]) as workers:
        found = dict(results(workers, square, jobs))
    assert found.pop(5) == Died(TRIES)
    squares = {index: result[0] for index, result in found.items() if not isinstance(result, Died)}
    assert squares == {number: number**2 for number in range(12) if number != 5}
    folders = {Path(result[2]) for result in found.values() if not isinstance(result, Died)}
    assert not any(folder.exists() for folder in folders)  # theirs alone, and gone with them
    assert (tmp_path / "5").stat().st_size == 99 - TRIES


@pytest.mark.slow
def test_another_cluster_may_have_the_usual_port(tmp_path: Path) -> None:
    with socket.socket() as other:
        with suppress(OSError):  # somebody has it already
            other.bind(("127.0.0.1", 8787))
            other.listen()
        with open_workers(**ENGINES["cluster"]) as workers:
            assert next(results(workers, square, [Job(3, str(tmp_path))]))[1][0] == 9


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
def test_errors_of_calls_come_back(engine: str) -> None:
    with pytest.raises(ValueError, match="no 3"), open_workers(**ENGINES[engine]) as workers:
        list(results(workers, refuse, [Job(3, "")]))


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("local:0", "found 'local:0'"),
        ("local:9999", "found 'local:9999'"),
        ("somewhere", "expected tcp://HOST:PORT or local:N"),
        ("tcp://127.0.0.1", "found 'tcp://127.0.0.1'"),
        ("tcp://127.0.0.1:1", "expected a scheduler at tcp://127.0.0.1:1, found none"),
    ],
)
def test_clusters_that_there_are_not(
    address: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("creature_sim.workers.cluster.CONNECT", 0.2)
    with pytest.raises(ClusterError, match=expected), open_workers(cluster=address):
        pass

"""The loop that feeds workers and takes what they return, the same for every kind of them."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from dataclasses import dataclass
from typing import NamedTuple, Protocol, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")

TRIES = 3
"""A job is given to so many workers; who kills all of them has no result."""
PATIENCE = 1.0
"""The loop looks for new workers this often [s]."""


class Died(NamedTuple):
    """What stands for the result of a job whose workers died, each of them.

    Attributes:
        tries: number of workers.
    """

    tries: int

    def __str__(self) -> str:
        """In words."""
        return (
            f"expected a result, found that {self.tries} processes died of it one after the other "
            "(killed, or out of memory)"
        )


class WorkerDiedError(Exception):
    """What a future raises whose worker died."""


class Workers(Protocol):
    """Processes that take jobs."""

    @property
    def room(self) -> int:
        """How many jobs may be given to them at the same time, now."""

    def start(self, call: Callable[[Job], Result], job: Job) -> "Future[Result]":
        """Give away a job; the future raises WorkerDiedError if the worker dies of it."""

    def close(self) -> None:
        """End the workers that were started here; none has a job."""

    def kill(self) -> None:
        """End them at once, whatever they do."""


@dataclass
class _Task:
    """A job that was given away.

    Attributes:
        index: of the job.
        job: for another try.
        tries: how often it was given away.
    """

    index: int
    job: object
    tries: int = 0


def results(
    workers: Workers, call: Callable[[Job], Result], jobs: Iterable[Job]
) -> Iterator[tuple[int, Result | Died]]:
    """What a call returns for every job, with the index of the job, as soon as it is known.

    Args:
        workers: who make the calls.
        call: a function that pickles: one of a module. What it raises, ends the loop.
        jobs: taken one by one, when somebody has time for it.
    """
    busy: dict[Future[Result], _Task] = {}
    suspects: list[_Task] = []

    def give(task: _Task) -> None:
        task.tries += 1
        busy[workers.start(call, task.job)] = task  # type: ignore[arg-type]

    waiting = (_Task(index, job) for index, job in enumerate(jobs))
    ahead = next(waiting, None)  # made while the workers are busy
    while ahead is not None or busy or suspects:
        while ahead is not None and len(busy) < workers.room:
            give(ahead)
            ahead = next(waiting, None)
        if not busy:  # a worker may have had other jobs when it died: alone, it is clear who kills
            give(suspects.pop(0))
        done, _ = wait(busy, PATIENCE, return_when=FIRST_COMPLETED)
        for future in done:
            task = busy.pop(future)
            try:
                found = future.result()
            except (WorkerDiedError, CancelledError):
                if task.tries == TRIES:
                    yield task.index, Died(TRIES)
                elif task.tries == TRIES - 1:
                    suspects.append(task)
                else:
                    give(task)
                continue
            yield task.index, found

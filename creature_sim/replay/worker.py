"""A thread that does one thing after another.

`ThreadPoolExecutor` takes 80 us of both threads for a call, this 20.
"""

import weakref
from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

Job = Callable[[], None]


class Worker:
    """A thread that does what it is given, while its owner does something else.

    Attributes:
        has_failed: whether what it was given raised an error; `wait` tells which.
    """

    def __init__(self, name: str) -> None:
        """Start a thread of this name."""
        self.has_failed = False
        self._is_busy = False
        self._jobs: SimpleQueue[Job | None] = SimpleQueue()
        self._ends: SimpleQueue[BaseException | None] = SimpleQueue()
        self._thread = Thread(target=_work, args=(self._jobs, self._ends), name=name, daemon=True)
        self._thread.start()
        weakref.finalize(self, self._jobs.put, None)  # also of an owner who never closed it

    def begin(self, job: Job) -> None:
        """Give it a job, after all those before."""
        self.wait()

        def watched() -> None:
            try:
                job()
            except BaseException:
                self.has_failed = True
                raise

        self._is_busy = True
        self._jobs.put(watched)

    def wait(self) -> None:
        """Wait until it has done its job; raises what that raised.

        Whoever is interrupted here can wait again.
        """
        if not self._is_busy:
            return
        error = self._ends.get()
        self._is_busy = self.has_failed = False
        if error is not None:
            raise error

    def close(self) -> None:
        """End the thread, after its job."""
        self._jobs.put(None)
        self._thread.join()


def _work(jobs: "SimpleQueue[Job | None]", ends: "SimpleQueue[BaseException | None]") -> None:
    while True:
        job = jobs.get()
        if job is None:
            return
        error: BaseException | None = None
        try:
            job()
        except BaseException as raised:
            error = raised
        del job  # nothing of it stays until the next one
        ends.put(error)

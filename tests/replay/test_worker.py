"""The thread of a recorder does what it is told, and says what went wrong."""

import gc
import threading
import time
from functools import partial

import pytest

from creature_sim.replay.worker import Worker


def test_jobs_are_done_one_after_the_other_in_another_thread() -> None:
    worker = Worker("test")
    done: list[tuple[int, str]] = []

    def note(number: int) -> None:
        done.append((number, threading.current_thread().name))

    for number in range(20):
        worker.begin(partial(note, number))
    worker.wait()
    assert done == [(number, "test") for number in range(20)]
    worker.wait()  # nothing is left to wait for
    worker.close()


def test_an_error_of_a_job_is_raised_once_by_whoever_waits() -> None:
    worker = Worker("test")

    def fail() -> None:
        raise OSError("full")

    worker.begin(fail)
    while not worker.has_failed:
        time.sleep(0.001)
    with pytest.raises(OSError, match="full"):
        worker.wait()
    assert not worker.has_failed
    worker.wait()
    worker.begin(fail)
    with pytest.raises(OSError, match="full"):  # before it begins the next one
        worker.begin(lambda: None)
    worker.close()


def test_its_thread_ends_with_it() -> None:
    worker = Worker("closed")
    worker.close()
    dropped = Worker("dropped")
    dropped.begin(lambda: None)
    dropped.wait()
    del dropped
    gc.collect()
    for thread in threading.enumerate():
        if thread.name in ("closed", "dropped"):
            thread.join(10.0)
            assert not thread.is_alive()

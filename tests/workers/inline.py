"""Workers that are none: what is given to them is done at once, here."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any


class Inline:
    """Takes one job at a time."""

    room = 1

    def __init__(self, count: int = 1) -> None:
        """Start nothing, whatever was asked for."""
        self.is_closed = False

    def start(self, call: Callable[[Any], Any], job: Any) -> "Future[Any]":
        """Make a call."""
        done: Future[Any] = Future()
        try:
            done.set_result(call(job))
        except BaseException as error:
            done.set_exception(error)
        return done

    def close(self) -> None:
        """Take note."""
        self.is_closed = True

    kill = close

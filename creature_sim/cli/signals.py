"""SIGINT (Ctrl-C) and SIGTERM (docker stop, timeout): both end a command tidily, and once."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Stopped(KeyboardInterrupt):
    """A signal ended the command.

    Attributes:
        code: exit code of the command: 130 after SIGINT, 143 after SIGTERM.
        done: what had been done by then, for the line "stopped ..."; who knows more replaces it.
    """

    def __init__(self, number: int) -> None:
        """Stop because of a signal."""
        super().__init__()
        self.code = 128 + number
        self.done = ""


class _Handler:
    """What signals do while a command runs."""

    def __init__(self) -> None:
        self.is_held = False
        self.is_stopping = False
        self.waiting: int | None = None

    def take(self, number: int, frame: FrameType | None) -> None:
        """Stop the command, unless it is stopping already or must not be interrupted now."""
        del frame
        if self.is_stopping:
            return
        if self.is_held:
            self.waiting = number
            return
        self.is_stopping = True
        raise Stopped(number)


_handler = _Handler()


@contextmanager
def stoppable() -> Iterator[None]:
    """A block that a signal ends with `Stopped`.

    A signal that was ignored before stays so (nohup, a job of a shell in the background). Those
    that come while the block is ending do nothing.
    """
    global _handler
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say what signals do
        return
    outer, _handler = _handler, _Handler()
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, action in before.items():
        if action != signal.SIG_IGN:
            signal.signal(number, _handler.take)
    try:
        yield
    finally:
        for number, action in before.items():
            if action is not None:  # None: not set from Python
                signal.signal(number, action)
        _handler = outer


@contextmanager
def held() -> Iterator[None]:
    """A block that no signal interrupts: one that comes meanwhile stops the command at its end."""
    if _handler.is_held:
        yield
        return
    _handler.is_held = True
    try:
        yield
    finally:
        _handler.is_held = False
    if _handler.waiting is not None and not _handler.is_stopping:
        _handler.take(_handler.waiting, None)

"""SIGINT (Ctrl-C) and SIGTERM (docker stop, timeout): both end a command tidily, and once."""

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM)
AGAIN: signal.Signals | None = getattr(signal, "SIGALRM", None)
"""Reminds of a signal; None where there are no timers."""
PATIENCE = 0.2
"""Time until the reminder [s]."""


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
        self.waiting: int | None = None

    def take(self, number: int, frame: FrameType | None) -> None:
        """Stop the command, unless it is stopping already or must not be interrupted now.

        What is raised inside a destructor is lost, so it is raised again a little later until the
        command is stopping. What is raised while LLVM asks for the code of a kernel is lost, too,
        and LLVM goes on without code: the kernel then crashes the process.
        """
        if number != AGAIN:
            self.waiting = number
        if self.waiting is None or self.is_held or _is_stopping():
            return
        if AGAIN is not None:
            signal.setitimer(signal.ITIMER_REAL, PATIENCE)
            if _is_in_llvm(frame):
                return
        raise Stopped(self.waiting)


def _is_stopping() -> bool:
    """Whether what a signal raised is on its way, or has been caught and is being dealt with."""
    error = sys.exc_info()[1]
    while error is not None:
        if isinstance(error, Stopped):
            return True
        error = error.__context__
    return False


_handler = _Handler()


def _is_in_llvm(frame: FrameType | None) -> bool:
    """Whether LLVM is at work, which takes moments: it has called what a signal interrupts."""
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("llvmlite."):
            return True
        frame = frame.f_back
    return False


@contextmanager
def stoppable() -> Iterator[None]:
    """A block that a signal ends with `Stopped`.

    A signal that was ignored before stays so (nohup, a job of a shell in the background). Those
    that come while the block is ending do nothing. An error that comes of a signal is a stop as
    well: pydantic makes one of its own of what is raised while it loads.
    """
    global _handler
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread may say what signals do
        return
    outer, _handler = _handler, _Handler()
    tell = sys.unraisablehook
    sys.unraisablehook = lambda lost: None if lost.exc_type is Stopped else tell(lost)
    numbers = SIGNALS if AGAIN is None else (*SIGNALS, AGAIN)
    before = {number: signal.getsignal(number) for number in numbers}
    for number, action in before.items():
        if action != signal.SIG_IGN:
            signal.signal(number, _handler.take)
    try:
        yield
    except Exception:
        if _handler.waiting is None or _is_stopping():
            raise
        raise Stopped(_handler.waiting) from None
    finally:
        if AGAIN is not None:
            signal.setitimer(signal.ITIMER_REAL, 0.0)
        for number, action in before.items():
            if action is not None:  # None: not set from Python
                signal.signal(number, action)
        sys.unraisablehook = tell
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
    if _handler.waiting is not None:
        _handler.take(_handler.waiting, None)

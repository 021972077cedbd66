"""The command `creature-sim`; a Ctrl-C ends it without a traceback from its first moment on."""

import gc
import os
import signal
from contextlib import suppress
from types import FrameType

WHILE_LOADING, GARBAGE = 250_000, 20_000
"""Objects made before the garbage collector looks for circles among them, the first time and then:
what a command loads stays, and to look through it took a tenth of the time to the first tick."""


def main() -> None:
    """Run the command.

    While it loads, a Ctrl-C leaves at once: nothing has been done, and an exception could be lost
    in a destructor or taken for a module that is missing. Commands end themselves tidily
    (`signals.stoppable`). After them there is nothing to tidy. Who ignores the signal (nohup) goes
    on ignoring it.
    """
    if signal.getsignal(signal.SIGINT) != signal.default_int_handler:
        _run()
        return
    signal.signal(signal.SIGINT, _leave)
    try:
        _run()
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


def _run() -> None:
    """Run it; nobody looks for garbage while it loads, nor at its end, when all goes."""
    gc.callbacks.append(_loaded)
    gc.set_threshold(WHILE_LOADING)
    try:
        from creature_sim.cli.commands import main

        main()
    finally:
        gc.freeze()


def _loaded(phase: str, info: dict[str, int]) -> None:
    """Look for garbage more often from the first time on."""
    del phase, info
    gc.callbacks.remove(_loaded)
    gc.set_threshold(GARBAGE)


def _leave(number: int, frame: FrameType | None) -> None:
    """End the process at once, with the line and the code of a command that was stopped."""
    del frame
    with suppress(OSError):  # standard error may be closed
        os.write(2, b"\nstopped\n" if os.isatty(2) else b"stopped\n")
    os._exit(128 + number)

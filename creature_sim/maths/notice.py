"""One line for whoever waits while kernels are compiled."""

import sys
import time
from multiprocessing import parent_process

PATIENCE = 1.0
"""Nothing is said about compiling that takes less than this [s]."""
LINE = "creature_sim: compiling kernels, once for this version; it can take two minutes ..."


class Notice:
    """Tells on standard error that kernels are being compiled, once in a process.

    Processes that this one has started say nothing.

    Attributes:
        is_told: whether it has been said; nothing more is.
    """

    def __init__(self) -> None:
        """Nothing is compiled yet."""
        self._begin: float | None = None
        self.is_told = parent_process() is not None

    def compiling(self) -> None:
        """Take note that a kernel that is not in the cache is about to be compiled."""
        if self.is_told:
            return
        now = time.perf_counter()
        if self._begin is None:
            self._begin = now
        elif now - self._begin > PATIENCE:
            self.is_told = True
            if sys.stderr is not None:
                print(LINE, file=sys.stderr, flush=True)


notice = Notice()
"""Of this process."""

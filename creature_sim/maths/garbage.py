"""A pause of Python's garbage collector, for work that makes none, or frees it at once."""

import gc
from threading import Lock


class _Pause:
    """Blocks in which it rests; those of several threads may overlap.

    Without the count one thread would take another's pause for the user's wish, and leave it off.
    """

    def __init__(self) -> None:
        self._lock, self._count, self._was_enabled = Lock(), 0, False

    def __enter__(self) -> None:
        with self._lock:
            if self._count == 0:
                self._was_enabled = gc.isenabled()
                gc.disable()
            self._count += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._count -= 1
            if self._count == 0 and self._was_enabled:
                gc.enable()


no_garbage = _Pause()

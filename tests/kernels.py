"""Two processes that need the same kernel compile it once: the second waits and reads it."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba.core.compiler_lock import global_compiler_lock

from creature_sim.maths.compiler import Dispatcher
from creature_sim.maths.jit import cache_root


def compile_once() -> None:
    """From now on each kernel is compiled under a lock of its own, which all processes share."""
    folder = cache_root()
    if folder is None:
        return
    compile_now = Dispatcher.compile

    def compile_alone(self: Any, signature: Any) -> Any:
        function = self.py_func
        name = f"{function.__module__}.{function.__qualname__}.lock".replace("<locals>", "in")
        # What a kernel calls is compiled with it, without a lock: no two wait for each other.
        with global_compiler_lock, _locked(folder / name):
            return compile_now(self, signature)

    setattr(Dispatcher, "compile", compile_alone)  # noqa: B010 - types know of no such change


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield

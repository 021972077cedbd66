"""The one way to compile a kernel, and where compiled kernels are kept.

No fastmath and no parallel: both change bits between machines and between runs.
"""

import contextlib
import os
import shutil
import time
from collections.abc import Callable
from functools import cache, partial, update_wrapper
from pathlib import Path
from typing import TypeVar, cast

import numba
import platformdirs

from creature_sim.maths.sources import name_of, source_files

Function = TypeVar("Function", bound=Callable[..., object])

KEPT_DAYS = 30
KNOWN = ("0.66.", "0.67.", "0.68.")
"""Versions of numba that `compiler` was tried with; with others the first run takes longer."""
NO_KERNELS = (
    *("advice", "cli", "envs", "export", "figures", "lab", "replay", "robots", "view", "workers"),
)
"""Rooms without kernels, from which no kernel may import: edits there leave the cache as it is."""


@cache
def cache_root() -> Path | None:
    """Folder of all compiled kernels, in folders named by their sources; None where none can be.

    Two installations of the same sources share what they compile.
    """
    root = platformdirs.user_cache_path("creature_sim") / "kernels"
    _forget_old(root)
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return root if os.access(root, os.W_OK) else None


@cache
def cache_folder() -> Path | None:
    """Folder of users' own kernels, which may call any of ours; None where none can be written."""
    root = cache_root()
    rooms = {module: module.split(".")[1] for module in source_files()}
    return (
        root / name_of([name for name in rooms if rooms[name] not in NO_KERNELS]) if root else None
    )


def _forget_old(root: Path) -> None:
    """Remove the kernels of sources that nobody has compiled for a month."""
    oldest = time.time() - KEPT_DAYS * 86_400
    with contextlib.suppress(OSError):
        for folder in root.iterdir():
            if folder.stat().st_mtime < oldest:
                shutil.rmtree(folder, ignore_errors=True)


def kernel(function: Function) -> Function:
    """Compile `function` at its first call with each set of types; keep the result on disk.

    It may call other kernels, and kernels of users' own may call it.
    """
    if numba.config.DISABLE_JIT:
        return function
    folder = cache_folder()
    if numba.__version__.startswith(KNOWN):  # by the quick compiler, which is made for these
        from creature_sim.maths.compiler import Kernel

        return cast(Function, Kernel(function, folder))
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or "")  # read once, when the function's cache is made
    try:
        is_cached = folder is not None
        njit = numba.njit(cache=is_cached, error_model="numpy", forceinline=True)
        return cast(Function, njit(function))
    finally:
        numba.config.CACHE_DIR = before


def unchecked(function: Function) -> Function:
    """A kernel for a caller that gives it arguments of the same types in every call.

    numba looks up the type of every argument in every call, of arrays of records slowly: of a lone
    hexapod's tick that took a quarter. Here the types of the first call hold for all. Of later
    ones numba still sees what is no array, and records of another size; other arrays are misread.
    """
    if not numba.__version__.startswith(KNOWN):
        return function  # of a version whose inner parts nobody here has seen
    from creature_sim.maths.compiler import Kernel

    if not isinstance(function, Kernel):
        return function  # plain Python

    def first(*arguments: object) -> object:
        types = tuple(function.typeof_pyval(argument) for argument in arguments)
        function.compile(types)
        entry: Callable[..., object] = function.overloads[types].entry_point
        # From now on `call` is the entry itself, without a function of Python between.
        call.__setstate__((entry, (), {}, vars(call)))  # type: ignore[attr-defined]
        return entry(*arguments)

    call = partial(first)
    return cast(Function, update_wrapper(call, function))

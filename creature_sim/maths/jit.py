"""The one way to compile a kernel, and where compiled kernels are kept.

No fastmath and no parallel: both change bits between machines and between runs.
"""

import contextlib
import hashlib
import os
import shutil
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import TypeVar, cast

import numba
import platformdirs

Function = TypeVar("Function", bound=Callable[..., object])

PACKAGE = Path(__file__).parent.parent
KEPT_DAYS = 30
KNOWN = ("0.66.", "0.67.", "0.68.")
"""Versions of numba that `compiler` was tried with; with others the first run takes longer."""
NO_KERNELS = ("advice", "cli", "export", "figures", "lab", "replay", "view")
"""Rooms without kernels, from which no kernel may import: edits there leave the cache as it is."""


@cache
def cache_folder() -> Path | None:
    """Folder of the kernels compiled from exactly these sources; None where none can be written.

    numba's own cache looks at one file at a time and misses an edit in a kernel that is imported
    from another; a folder named by a hash of all sources that kernels can depend on cannot. Two
    installations of the same sources share it.
    """
    sources = hashlib.blake2b(digest_size=8)
    sources.update(numba.__version__.encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE)
        if name.parts[0] not in NO_KERNELS:
            sources.update(name.as_posix().encode() + b"\0" + path.read_bytes())
    root = platformdirs.user_cache_path("creature_sim") / "kernels"
    folder = root / sources.hexdigest()
    if not folder.exists():
        _forget_old(root)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


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
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or "")  # read once, when the function's cache is made
    try:
        return cast(Function, _compiled(function, is_cached=folder is not None))
    finally:
        numba.config.CACHE_DIR = before


def _compiled(function: Callable[..., object], *, is_cached: bool) -> object:
    """The function, by the quick compiler where numba is one that it is made for."""
    if numba.__version__.startswith(KNOWN):
        from creature_sim.maths.compiler import Kernel

        return Kernel(function, is_cached)
    return numba.njit(cache=is_cached, error_model="numpy", forceinline=True)(function)

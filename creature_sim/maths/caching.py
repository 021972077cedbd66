"""Where compiled kernels are kept, and how they are read back quickly."""

from contextlib import suppress
from pathlib import Path
from types import FunctionType
from typing import Any, TypeAlias

import numba
from numba.core import caching
from numba.core.compiler import CompileResult
from numba.core.cpu import CPUContext
from numba.core.runtime.nrt import rtsys
from numba.core.types import Type

from creature_sim.maths.sources import PACKAGE, name_of_sources

Types: TypeAlias = tuple[Type, ...]


class _Place(caching._CacheLocator):  # type: ignore[misc]
    """A place in our folder by the place in the package, wherever that is installed.

    numba's own places hold the path and the time of the source, so that each clone and each
    checkout would compile anew.
    """

    def __init__(self, function: FunctionType, path: Path) -> None:
        """The place of a function in a file of the package."""
        self._line = function.__code__.co_firstlineno
        root = Path(numba.config.CACHE_DIR).parent
        self._folder = root / name_of_sources(function.__module__) / path

    def get_cache_path(self) -> str:
        """Folder of the kernels of one file."""
        return str(self._folder)

    def get_source_stamp(self) -> str:
        """Nothing: another source has another folder."""
        return ""

    def get_disambiguator(self) -> str:
        """Line of the function."""
        return str(self._line)

    @classmethod
    def from_function(cls, function: FunctionType, file: str) -> "_Place | None":
        """Place of a function of ours; None for that of a user."""
        path = Path(file)
        return cls(function, path.relative_to(PACKAGE)) if path.is_relative_to(PACKAGE) else None


class _Results(caching.CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = (_Place, *caching.CompileResultCacheImpl._locator_classes)

    def reduce(self, result: CompileResult) -> tuple[Any, ...]:
        """What is kept of a kernel: without the environments that hold nothing.

        Each function that was taken into it has one, and to load one imports numba's own module of
        that function. They hold what compiled code asks Python for, mostly nothing.
        """
        *kept, environments = super().reduce(result)
        return *kept, tuple(each for each in environments if each.consts)


class KernelCache(caching.FunctionCache):  # type: ignore[misc]
    """The compiled forms of one kernel, one for each signature."""

    _impl_class = _Results

    def load_overload(self, signature: Types, context: CPUContext) -> CompileResult | None:
        """A kernel that was kept, without numba's compiler, which takes longer to load than it."""
        rtsys.initialize(context)
        with self._guard_against_spurious_io_errors():
            return self._load_overload(signature, context)
        return None  # nothing is kept, or it cannot be read

    def save_overload(self, signature: Types, result: CompileResult) -> None:
        """Keep a kernel; where the disk is full it is not kept, and the next run compiles it."""
        with suppress(OSError):
            super().save_overload(signature, result)


def cache_in(folder: Path, function: FunctionType) -> KernelCache:
    """The cache of a function: numba asks its settings for the folder when it makes one."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        return KernelCache(function)
    finally:
        numba.config.CACHE_DIR = before

"""Plain FABRIK in C, the yardstick of the benchmarks, compiled where it is asked for."""

import ctypes
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

SOURCE = Path(__file__).parent / "fabrik.c"


class MissingError(Exception):
    """Something to compare with is not installed, and why."""


@cache
def plain_c(flags: tuple[str, ...] = ("-O3",)) -> ctypes.CDLL:
    """The solvers of fabrik.c; scalar code as -O3 makes it, no fast-math.

    Raises:
        MissingError: there is no C compiler, or it fails.
    """
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise MissingError("no C compiler")
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder) / "fabrik.so"
        command = [compiler, *flags, "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise MissingError(f"{compiler} fails: {done.stderr.strip().splitlines()[-1:]}")
        return ctypes.CDLL(str(library))  # what is loaded stays when its file goes


def pointer(array: NDArray[Any]) -> ctypes.c_void_p:
    """Address of an array's data."""
    return array.ctypes.data_as(ctypes.c_void_p)

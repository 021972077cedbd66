"""Keeps what libraries print off standard output."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress


@contextmanager
def silence() -> Iterator[None]:
    """A block in which what C code prints goes nowhere."""
    libc = ctypes.CDLL(None)
    saved = {}
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    for descriptor in (1, 2):
        with suppress(OSError):  # a closed stream needs no silence
            saved[descriptor] = os.dup(descriptor)
            os.dup2(nowhere, descriptor)
    try:
        yield
    finally:
        libc.fflush(None)
        for descriptor, copy in saved.items():
            os.dup2(copy, descriptor)
            os.close(copy)
        os.close(nowhere)

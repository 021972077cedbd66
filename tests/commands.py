"""The command `creature-sim`: in this process, and in one of its own."""

import io
import os
import sys
from collections.abc import Callable
from contextlib import chdir, redirect_stderr, redirect_stdout
from pathlib import Path
from subprocess import CompletedProcess
from typing import NoReturn
from unittest import mock

from creature_sim.cli.commands import main
from creature_sim.maths.notice import LINE
from tests.forks import start

Command = Callable[..., CompletedProcess[str]]
COMMAND = (sys.executable, "-m", "creature_sim.cli")
"""As a user starts it: seconds go by before it does anything."""


def process(*words: str, cwd: Path | None = None) -> CompletedProcess[str]:
    """The command in a process of its own.

    At least one test of each command uses this, the others `sim`. That kernels are being compiled
    is left out of what it says.
    """
    begun = start(*words, cwd=cwd)
    try:
        output, errors = begun.communicate()
    finally:
        begun.kill()
    return CompletedProcess(words, begun.wait(), output, errors.replace(f"{LINE}\n", ""))


def sim(*words: str, cwd: Path | None = None) -> CompletedProcess[str]:
    """The same command in this process. What a user would see as a traceback is raised."""
    output, errors = io.StringIO(), io.StringIO()
    with (
        chdir(cwd or Path.cwd()),
        redirect_stdout(output),
        redirect_stderr(errors),
        mock.patch.object(sys, "argv", ["creature-sim", *words]),
        mock.patch.object(os, "_exit", _leave),  # it would take the tests with it
    ):
        try:
            main()
            code = 0
        except SystemExit as end:
            code = int(end.code or 0)
    return CompletedProcess(words, code, output.getvalue(), errors.getvalue())


def _leave(code: int) -> NoReturn:
    raise SystemExit(code)

"""Whoever waits for a cold compile is told so: once, on standard error, and only then."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from creature_sim.maths import notice
from creature_sim.maths.notice import LINE, Notice


def test_one_line_after_a_second(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(notice, "time", SimpleNamespace(perf_counter=lambda: now))
    told = Notice()
    for step, expected in ((0.0, ""), (0.9, ""), (0.2, f"{LINE}\n"), (20.0, "")):
        now += step
        told.compiling()
        assert capsys.readouterr().err == expected
    assert "\n" not in LINE


PROGRAM = """
import sys
from creature_sim.maths import notice
from creature_sim.maths.jit import kernel
notice.PATIENCE = 0.0

@kernel
def one(x):
    return x + 1.0

@kernel
def two(x):
    return one(x) * 2.0

assert two(1.0) == 4.0
"""


@pytest.mark.slow
def test_only_a_cold_compile_is_announced(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    for expected in (f"{LINE}\n", ""):  # the second run finds everything in the cache
        done = subprocess.run(
            [sys.executable, str(program)], capture_output=True, text=True, env=environment
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == ""
        assert done.stderr == expected

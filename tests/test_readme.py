"""What README.md says is run as it stands."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

README = (Path(__file__).parent.parent / "README.md").read_text()
PROGRAMS = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("index", range(len(PROGRAMS)))
def test_programs_run(index: int, tmp_path: Path) -> None:
    program = PROGRAMS[index]
    if "matplotlib" in program:
        pytest.importorskip("matplotlib", reason="the program plots with matplotlib")
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "agg"},
    )
    assert done.returncode == 0, done.stderr
    if "savefig" in program:
        assert (tmp_path / "foot_heights.png").stat().st_size > 5000


def test_both_commands_are_one_line_each_and_near_the_top() -> None:
    lines = README.splitlines()
    commands = [n for n, line in enumerate(lines) if line.startswith("python3.11 -m venv")]
    assert len(commands) == 2
    assert commands[-1] < 25


def test_every_control_is_listed() -> None:
    from creature_sim.view.shows.controls import CONTROLS

    table = README.split("| key |")[1].split("\n\n")[0].lower()
    for control in CONTROLS:
        for word in re.findall(r"[a-z0-9+]+", control.label.lower()):
            if word not in ("the", "bar", "drag"):
                assert word in table, control.label

"""`creature-sim trial` as a user meets it: documents, tables, processes that die, bad input."""

import json
import os
import re
import signal
import time
from collections.abc import Callable
from concurrent.futures import Future
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from typer.testing import CliRunner

from creature_sim import lab
from creature_sim.cli.commands import app
from creature_sim.lab import Outcome, plan, run_trial, sweep
from creature_sim.library.loader import load_creature
from creature_sim.replay import open_replay
from creature_sim.workers.loop import WorkerDiedError
from tests.commands import sim
from tests.forks import Process, start
from tests.lab.test_lab import outcomes
from tests.marks import THOROUGH
from tests.workers.inline import Inline

SMALL = ("trial", "hexapod", "--terrain", "slope,gap", "--difficulty", "0:1:1", "--seeds", "1")


@pytest.mark.slow
def test_any_number_of_processes_gives_the_same_document(tmp_path: Path) -> None:
    words = (*SMALL, "--jobs", "2", "--json", "--failures", "left", "--force")
    found = [sim(*words, cwd=tmp_path)]
    with mock.patch("creature_sim.workers.processes.Processes", Inline):  # none but this one
        found.append(sim(*words, cwd=tmp_path))
    for done in found:
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
    assert found[0].stdout == found[1].stdout
    document = json.loads(found[0].stdout)
    assert list(document) == ["creature", "reach", "course", "kinds", "runs", "metrics"]
    gap = document["kinds"]["gap"]
    assert [level["success"] for level in gap["difficulties"]] == [1.0, 0.0]
    assert gap["half"] == 0.5
    verdicts = [run["verdict"] for run in document["runs"]]
    assert verdicts[:3] == ["success"] * 3
    assert verdicts[3] in ("fall", "stuck")
    assert document["metrics"]["M16"]["value"] == 1.0
    assert [path.name for path in (tmp_path / "left").iterdir()] == ["gap-1-0.mcap"]
    assert sim("verify", "left/gap-1-0.mcap", cwd=tmp_path).returncode == 0
    assert open_replay(tmp_path / "left" / "gap-1-0.mcap").world.terrain.kind == "gap"


@pytest.mark.slow
def test_the_table_the_picture_and_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("matplotlib", reason="the picture needs matplotlib")
    made = outcomes("pit", {0.0: "ss", 0.5: "st", 1.0: "ft"}) + outcomes(
        "gap", {0.0: "ss", 0.5: "ss", 1.0: "ff"}
    )
    monkeypatch.setattr(lab, "sweep", lambda *words, **options: made)
    picture = tmp_path / "map.png"
    words = ["trial", "hexapod", "--fail-under", "0.95", "--plot", str(picture)]
    done = CliRunner(env={"COLUMNS": "120"}).invoke(app, words)
    assert done.exit_code == 1
    lines = done.stdout.splitlines()
    assert lines[0].startswith("hexapod: courses of 10.4 m in 23 s, fraction crossed by difficulty")
    assert lines[1].split() == ["ground", "0", "0.5", "1", "half", "at", "why", "runs", "failed"]
    assert lines[2].split("  ")[-1] == "2 stuck: why; 1 fall: why"
    assert lines[2].split()[:8] == ["pit", "100", "%", "50", "%", "0", "%", "0.50"]
    assert lines[3].split()[:8] == ["gap", "100", "%", "100", "%", "0", "%", "0.75"]
    assert "M16 0.75 fail" in done.stdout
    assert lines[-1] == "below 0.95: pit"
    assert picture.read_bytes().startswith(b"\x89PNG")
    lax = CliRunner().invoke(app, ["trial", "hexapod", "--fail-under", "0.7"])
    assert lax.exit_code == 0
    assert "below" not in lax.stdout


BAD = {
    "unknown creature": (["hexpod"], ["did you mean hexapod"]),
    "unknown kind": (["hexapod", "--terrain", "gap,lava"], ["--terrain", "'lava'", "stairs"]),
    "no kind": (["hexapod", "--terrain", ""], ["--terrain", "''"]),
    "difficulty words": (["hexapod", "--difficulty", "easy"], ["--difficulty", "'easy'"]),
    "difficulty beyond 1": (["hexapod", "--difficulty", "0:2:0.5"], ["--difficulty", "'0:2:0.5'"]),
    "difficulty backwards": (["hexapod", "--difficulty", "1:0:0.5"], ["--difficulty"]),
    "difficulty without step": (["hexapod", "--difficulty", "0:1"], ["--difficulty"]),
    "difficulty step 0": (["hexapod", "--difficulty", "0:1:0"], ["--difficulty"]),
    "difficulty nan": (["hexapod", "--difficulty", "nan"], ["--difficulty", "'nan'"]),
    "difficulty endless": (["hexapod", "--difficulty", "0:1:1e-9"], ["--difficulty"]),
    "jobs 0": (["hexapod", "--jobs", "0"], ["--jobs: expected at least 1", "found '0'"]),
    "seeds 0": (["hexapod", "--seeds", "0"], ["--seeds: expected a number from 1", "found 0"]),
    "limit": (["hexapod", "--fail-under", "95"], ["--fail-under: expected a fraction", "95"]),
    "limit for nothing": (
        ["hexapod", "--difficulty", "0.9", "--fail-under", "0.9"],
        ["--fail-under", "found none"],
    ),
    "failures under a file": (["hexapod", "--failures", "file/left"], ["file/left"]),
    "failures is a file": (["hexapod", "--failures", "file"], ["file: expected a folder"]),
    "failures nowhere": (["hexapod", "--failures", "no/left"], ["no/left: expected a folder"]),
    "failures in /proc": (["hexapod", "--failures", "/proc/left"], ["/proc/left"]),
    "older replay": (
        ["hexapod", "--failures", "old", "--terrain", "gap", "--difficulty", "1", "--seeds", "1"],
        ["old/gap-1-0.mcap", "--force"],
    ),
    "picture nowhere": (["hexapod", "--plot", "no/a.png"], ["no/a.png"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", BAD)
def test_bad_input_gives_one_message(case: str, tmp_path: Path) -> None:
    words, expected = BAD[case]
    (tmp_path / "file").write_text("mine")
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "gap-1-0.mcap").write_text("mine")
    before = sorted(tmp_path.rglob("*"))
    done = sim("trial", *words, cwd=tmp_path)
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    for part in expected:
        assert part in done.stderr
    assert sorted(tmp_path.rglob("*")) == before
    assert (tmp_path / "old" / "gap-1-0.mcap").read_text() == "mine"


def children_of(process: int) -> list[int]:
    """Processes that run trials for this one."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rsplit(")", 1)[1].split()[1])
            command = (folder / "cmdline").read_text()
        except (OSError, IndexError):
            continue
        if parent == process and "spawn_main" in command:
            found.append(int(folder.name))
    return found


def started(tmp_path: Path) -> Process:
    """A long sweep whose first process has begun to run trials."""
    words = ("trial", "hexapod", "--terrain", "gap", "--difficulty", "0.9:1:0.002")
    more = ("--seeds", "9", "--jobs", "1", "--failures", "left")
    process = start(*words, *more, cwd=tmp_path)
    left = tmp_path / "left"
    while not (left.is_dir() and any(left.iterdir())):
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    return process


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_a_process_that_dies_loses_nothing() -> None:
    spider, trials = load_creature("spider4"), plan(["gap"], [1.0], seeds=2)
    killed: list[int] = []

    def kill(outcome: Outcome) -> None:
        if not killed:
            killed.extend(children_of(os.getpid()))
            os.kill(killed[0], signal.SIGKILL)

    assert sweep(spider, trials, jobs=1, seen=kill) == [
        run_trial(spider, trial) for trial in trials
    ]
    assert len(killed) == 1


def test_a_trial_that_kills_every_process_is_one_message(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = outcomes("gap", {1.0: "sss"})
    module = import_module("creature_sim.lab.sweep")  # the package has a function of that name
    monkeypatch.setattr(module, "_run", lambda job: (made[job.trial.seed], None))

    class Deadly(Inline):
        def start(self, call: Callable[..., object], job: Any) -> "Future[Any]":
            if job.trial.seed != 1:
                return super().start(call, job)
            dead: Future[Any] = Future()
            dead.set_exception(WorkerDiedError())
            return dead

    monkeypatch.setattr("creature_sim.workers.processes.Processes", Deadly)
    words = ("trial", "hexapod", "--terrain", "gap", "--difficulty", "1", "--seeds", "3")
    done = sim(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: gap-1-1: expected a result, found that 3 processes died")
    assert len(done.stderr.splitlines()) == 1
    assert done.stdout.splitlines()[2].split()[:3] == ["gap", "100", "%"]  # of the others


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
@pytest.mark.parametrize(
    ("number", "code", "kill"),
    [
        (signal.SIGINT, 130, os.killpg),  # as a terminal does
        pytest.param(signal.SIGTERM, 143, os.killpg, marks=THOROUGH),  # as `timeout` does
        (signal.SIGTERM, 143, os.kill),  # as docker does
    ],
)
def test_a_signal_ends_all_processes_and_what_is_done_is_printed(
    number: int, code: int, kill: Callable[[int, int], None], tmp_path: Path
) -> None:
    process = started(tmp_path)
    left = tmp_path / "left"
    while len(list(left.glob("*.mcap"))) < 2:  # the first run is over and counted
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    workers = children_of(process.pid)
    kill(process.pid, number)
    stdout, stderr = process.communicate(timeout=60)
    assert process.returncode == code
    assert "Traceback" not in stderr
    assert workers
    assert not any(Path(f"/proc/{worker}").exists() for worker in workers)
    files = list(left.iterdir())
    assert all(path.suffix == ".mcap" for path in files)
    found = re.fullmatch(
        r"stopped while running trials of hexapod: (\d+) of 459 runs done\n", stderr
    )
    assert found
    assert len(files) - int(found[1]) in (0, 1)  # the replay is there before the outcome
    assert stdout.splitlines()[2].startswith("gap ")
    assert f"{found[1]} replays of failed runs are in left" in stdout


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc")
def test_processes_do_not_outlive_a_sweep_that_is_killed(tmp_path: Path) -> None:
    process = started(tmp_path)
    (worker,) = children_of(process.pid)
    process.kill()
    process.communicate(timeout=60)
    give_up = time.monotonic() + 60.0
    while Path(f"/proc/{worker}").exists():
        assert time.monotonic() < give_up
        time.sleep(0.02)


def test_old_names_of_kinds_lead_to_the_new_ones() -> None:
    for old, new in (("boxes", "steps"), ("tilted", "tilted_grid")):
        done = sim("trial", "hexapod", "--terrain", old)
        assert done.returncode == 2
        assert "--terrain: expected one of canyon, " in done.stderr
        assert done.stderr.rstrip().endswith(f"found '{old}'; {old} is called {new}")

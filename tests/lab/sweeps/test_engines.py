"""Sweeps by real processes: the same rows whoever runs them, and nothing lost whoever is killed."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from unittest import mock

import pytest

from creature_sim.lab.sweeps import open_results, read_plan, run_sweep
from creature_sim.lab.sweeps.tables import CSV
from tests.commands import sim
from tests.forks import Process, start
from tests.lab.sweeps.files import SMALL, rows_of, written
from tests.lab.test_trial_command import children_of
from tests.marks import THOROUGH
from tests.workers.inline import Inline

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for processes in /proc"),
]
LONG = SMALL.replace("seeds = 2", "seeds = 4").replace("0.5", "2.0")
"""Sixteen runs of 120 ticks."""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a sweep."""
    return written(tmp_path_factory.mktemp("source"), LONG)


@pytest.fixture(scope="module")
def expected(source: Path) -> Path:
    """Its results by this process."""
    plan = read_plan(source)
    with open_results(source.parent / "expected", plan, source) as kept:
        assert len(list(run_sweep(plan, kept, Inline()))) == 16
        kept.write_tables()
    return source.parent / "expected"


@contextmanager
def started(*words: str, cwd: Path) -> Iterator[Process]:
    """A command that goes on while a block does something; it is killed at its end."""
    process = start(*words, cwd=cwd)
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def wait_for(process: Process, rows: int, folder: Path) -> None:
    """Wait until so many rows are kept."""
    wait_until(process, lambda: journal(folder).count(b"\n") >= rows)


def wait_until(process: Process, when: Callable[[], object]) -> None:
    give_up = time.monotonic() + 100.0
    while not when():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < give_up
        time.sleep(0.02)


def journal(folder: Path) -> bytes:
    path = folder / "rows.jsonl"
    return path.read_bytes() if path.exists() else b""


def same(folder: Path, expected: Path) -> bool:
    """Whether rows, replays and table are those that were expected."""
    replays = {path.name: path.read_bytes() for path in (folder / "replays").iterdir()}
    assert rows_of(folder) == rows_of(expected)
    assert replays == {path.name: path.read_bytes() for path in (expected / "replays").iterdir()}
    lines = [(path / CSV).read_text().splitlines() for path in (folder, expected)]
    return [line.split(",")[:9] for line in lines[0]] == [line.split(",")[:9] for line in lines[1]]


@pytest.mark.parametrize(
    "words",
    [["--jobs", "2"], pytest.param(["--cluster", "local:2"], marks=THOROUGH)],
    ids=lambda words: words[0],
)
def test_a_killed_worker_loses_nothing(
    words: list[str], source: Path, expected: Path, tmp_path: Path
) -> None:
    with started("sweep", str(source), "-o", "r", *words, cwd=tmp_path) as process:
        wait_for(process, 3, tmp_path / "r")
        os.kill(children_of(process.pid)[0], signal.SIGKILL)
        stdout, stderr = process.communicate(timeout=100)
    assert process.returncode == 0, stderr
    assert stderr == ""
    assert stdout.startswith("16 runs in ")
    assert same(tmp_path / "r", expected)


@pytest.mark.parametrize(
    "words",
    [["--jobs", "2"], pytest.param(["--cluster", "local:2"], marks=THOROUGH)],
    ids=lambda words: words[0],
)
def test_ctrl_c_keeps_what_is_done_and_resume_goes_on(
    words: list[str], source: Path, expected: Path, tmp_path: Path
) -> None:
    with started("sweep", str(source), "-o", "r", *words, cwd=tmp_path) as process:
        wait_for(process, 3, tmp_path / "r")
        workers = children_of(process.pid)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, stderr = process.communicate(timeout=100)
    assert process.returncode == 130
    found = re.fullmatch(
        r"stopped while sweeping sweep.toml: (\d+) of 16 runs done; they are in r, "
        r"--resume goes on\n",
        stderr,
    )
    assert found, stderr
    assert workers
    wait_until_gone(workers)
    done = len(rows_of(tmp_path / "r"))
    assert done in (int(found[1]), int(found[1]) + 1)  # a row is kept before it is counted
    assert len((tmp_path / "r" / CSV).read_text().splitlines()) == 1 + done
    with mock.patch("creature_sim.workers.processes.Processes", Inline):
        resumed = sim("sweep", str(source), "-o", "r", "--resume", "--json", cwd=tmp_path)
    assert resumed.returncode == 0, resumed.stderr
    assert json.loads(resumed.stdout)["ran"] == 16 - done
    assert same(tmp_path / "r", expected)


def wait_until_gone(processes: list[int]) -> None:
    give_up = time.monotonic() + 20.0
    while any(Path(f"/proc/{process}").exists() for process in processes):
        assert time.monotonic() < give_up
        time.sleep(0.02)


@contextmanager
def node(name: str, folder: Path, *words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Dask that has nothing but a folder of its own."""
    home = folder / name
    home.mkdir()
    program = "from dask.__main__ import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", program, *words],
        cwd=home,
        env={**os.environ, "TMPDIR": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.thorough
def test_two_nodes_that_share_nothing_and_one_of_which_dies(
    source: Path, expected: Path, tmp_path: Path
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    worker = ("worker", address, "--nthreads", "1", "--no-dashboard")
    with ExitStack() as stack:
        stack.enter_context(
            node("scheduler", tmp_path, "scheduler", "--port", str(port), "--no-dashboard")
        )
        first = stack.enter_context(node("one", tmp_path, *worker))
        stack.enter_context(node("two", tmp_path, *worker))
        words = ("sweep", str(source), "-o", "r", "--cluster", address)
        process = stack.enter_context(started(*words, cwd=tmp_path))
        wait_for(process, 5, tmp_path / "r")
        os.killpg(first.pid, signal.SIGKILL)  # the whole node
        _, stderr = process.communicate(timeout=100)
        assert process.returncode == 0, stderr
        assert same(tmp_path / "r", expected)
        replay = str(next((tmp_path / "r" / "replays").iterdir()))
        done = sim("verify", replay, replay, "--cluster", address, cwd=tmp_path)
        assert done.stdout.count("verified: ") == 2
        done = sim("score", replay, "--cluster", address, cwd=tmp_path)
        assert done.stdout.startswith("hexapod, ") or done.stdout.startswith("spider4, ")
    assert not list((tmp_path / "two").rglob("*.mcap"))


def test_a_scheduler_that_goes_away_is_one_message(source: Path, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    with ExitStack() as stack:
        scheduler = stack.enter_context(
            node("scheduler", tmp_path, "scheduler", "--port", str(port), "--no-dashboard")
        )
        stack.enter_context(node("one", tmp_path, "worker", address, "--nthreads", "1"))
        words = ("sweep", str(source), "-o", "r", "--cluster", address)
        process = stack.enter_context(started(*words, cwd=tmp_path))
        wait_for(process, 2, tmp_path / "r")
        os.killpg(scheduler.pid, signal.SIGKILL)
        _, stderr = process.communicate(timeout=100)
    assert process.returncode == 2, stderr
    assert f"expected the scheduler at {address} to go on, found it gone" in stderr
    assert "Traceback" not in stderr
    assert rows_of(tmp_path / "r")
    assert (tmp_path / "r" / CSV).exists()

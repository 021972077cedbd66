"""Ctrl-C and SIGTERM end a command tidily: real processes, real signals."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from creature_sim.cli.signals import Stopped, held, stoppable
from creature_sim.errors import OutputError
from tests.commands import sim
from tests.forks import Process, start
from tests.marks import THOROUGH
from tests.windows import Screen

INTERRUPTED, ENDED = (signal.SIGINT, 130), (signal.SIGTERM, 143)
BOTH = (INTERRUPTED, ENDED)


@pytest.fixture(autouse=True)
def heard() -> Iterator[None]:
    """Ctrl-C is heard, also where these tests run in the background of a shell: that ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_a_signal_stops_and_its_number_is_the_exit_code() -> None:
    for number, code in BOTH:
        with pytest.raises(Stopped) as caught, stoppable():
            signal.raise_signal(number)
        assert caught.value.code == code


def test_a_second_signal_does_not_disturb_the_end() -> None:
    ends = []
    with pytest.raises(Stopped) as caught, stoppable():  # noqa: PT012 - what is tried
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGTERM)
            ends.append("whole")
    assert ends == ["whole"]
    assert caught.value.code == 130


def test_what_is_held_is_whole_before_the_signal_counts() -> None:
    done = []
    with pytest.raises(Stopped) as caught, stoppable():  # noqa: PT012 - what is tried
        with held(), held():
            signal.raise_signal(signal.SIGTERM)
            done.append("whole")
        done.append("more")
    assert done == ["whole"]
    assert caught.value.code == 143


def test_a_kernel_has_its_code_before_a_signal_counts() -> None:
    """LLVM calls Python for code that it has cached, and loses what is raised there."""
    from llvmlite import binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    target = llvm.Target.from_default_triple()

    def engine_of(text: str) -> llvm.ExecutionEngine:
        machine = target.create_target_machine(jit=True)
        return llvm.create_mcjit_compiler(llvm.parse_assembly(text), machine)

    compiled = []
    first = engine_of("define i32 @seven() { ret i32 7 }")
    first.set_object_cache(lambda module, code: compiled.append(code))
    first.finalize_object()

    def cached(module: llvm.ModuleRef) -> bytes:
        del module
        os.kill(os.getpid(), signal.SIGINT)
        return bytes(compiled[0])

    cache = engine_of("")
    cache.set_object_cache(None, cached)
    addresses = []

    def work() -> None:
        with stoppable():
            cache.finalize_object()
            addresses.append(cache.get_function_address("seven"))
            time.sleep(5.0)

    with pytest.raises(Stopped):
        work()
    assert addresses[0]


def test_what_a_signal_is_turned_into_is_a_stop() -> None:
    def work() -> None:
        with stoppable():
            with suppress(Stopped):
                signal.raise_signal(signal.SIGTERM)
            raise ValueError  # as pydantic does, which loads in code that is not Python

    with pytest.raises(Stopped) as stopped:
        work()
    assert stopped.value.code == 143


def test_an_error_of_a_tidy_end_is_told() -> None:
    def work() -> None:
        with stoppable():
            try:
                signal.raise_signal(signal.SIGINT)
            finally:
                raise OutputError("disk full")

    with pytest.raises(OutputError, match="disk full"):
        work()


def test_what_was_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with stoppable():
            signal.raise_signal(signal.SIGINT)  # as after nohup
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def started(*words: str, cwd: Path, display: str | None = None) -> Process:
    """A command that may be interrupted."""
    return start(*words, cwd=cwd, env={**os.environ, **({"DISPLAY": display} if display else {})})


def stop(process: Process, number: int, when: Callable[[], bool]) -> tuple[int, str, str]:
    """Send a signal as soon as something is so; exit code, output and errors of the process."""
    try:
        while not when():
            assert process.poll() is None, process.communicate()
            time.sleep(0.02)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=60)
    finally:
        process.kill()
    assert "Traceback" not in stderr, stderr
    return process.wait(), stdout, stderr


def part_is(folder: Path, size: int) -> Callable[[], bool]:
    """Whether something in a folder is being written and has a size already [B]."""
    return lambda: any(path.stat().st_size >= size for path in folder.glob("*.part"))


def listens(process: Process) -> Callable[[], bool]:
    """Whether a process has taken SIGTERM into its own hands."""

    def does() -> bool:
        status = Path(f"/proc/{process.pid}/status").read_text()
        caught = int(status.split("SigCgt:")[1].split()[0], 16)
        return bool(caught >> (signal.SIGTERM - 1) & 1)

    return does


def assert_recorded(folder: Path, name: str, stderr: str) -> None:
    """The file is whole, as long as was said, and nothing else was left."""
    found = re.search(
        rf"^stopped at (\d+\.\d) s; recorded in {name}, ([\d,]+) ticks, can be verified$",
        stderr,
        re.MULTILINE,
    )
    assert found, stderr
    ticks = int(found[2].replace(",", ""))
    assert float(found[1]) == round(ticks / 60, 1)
    assert [path.name for path in folder.iterdir()] == [name]
    done = sim("verify", name, cwd=folder)
    assert done.stdout == f"verified: {name}: {ticks} ticks, every digest is equal\n"


EARLY = """
import importlib.abc, signal, sys

class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name == sys.argv[0]:
            signal.raise_signal(signal.SIGINT)

sys.argv = sys.argv[1:]
sys.meta_path.insert(0, Finder())
from creature_sim.cli import main
main()
"""
"""Ctrl-C comes as the command loads the module of this name, given before its words."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("creature_sim.cli.commands", ["--help"]),
        ("typer", ["--help"]),
        ("typer.rich_utils", ["run", "--help"]),
        ("creature_sim.cli.doctor", ["run", "--headless"]),
        ("creature_sim.simulation", ["run", "--headless"]),
        ("creature_sim.replay.verify", ["verify", "none.mcap"]),
    ],
)
def test_a_command_that_still_loads_stops_without_a_traceback(
    module: str, words: list[str]
) -> None:
    line = [sys.executable, "-c", EARLY, module, *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")


@pytest.mark.slow
def test_who_ignores_ctrl_c_goes_on_ignoring_it_while_a_command_loads() -> None:
    ignoring = f"import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\n{EARLY}"
    line = [sys.executable, "-c", ignoring, "typer", "--version"]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("creature-sim ")


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [pytest.param(*INTERRUPTED, marks=THOROUGH), ENDED])
def test_a_headless_recording_is_finished(number: int, code: int, tmp_path: Path) -> None:
    process = started(
        "run", "hills", "--headless", "--seconds", "80000", "--record", "a.mcap", cwd=tmp_path
    )
    found, stdout, stderr = stop(process, number, part_is(tmp_path, 40_000))
    assert found == code
    assert stdout.startswith("hexapod walked ")
    assert_recorded(tmp_path, "a.mcap", stderr)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "code"), [INTERRUPTED, pytest.param(*ENDED, marks=THOROUGH)])
def test_the_recording_of_a_window_is_finished(
    number: int, code: int, screen: Screen, tmp_path: Path
) -> None:
    process = started("run", "--record", "a.mcap", cwd=tmp_path, display=screen.display)
    found, stdout, stderr = stop(process, number, part_is(tmp_path, 10_000))
    assert found == code
    assert "hexapod" in stdout
    assert_recorded(tmp_path, "a.mcap", stderr)


@pytest.mark.slow
def test_what_was_run_is_summarised_in_json_too(tmp_path: Path) -> None:
    process = started(
        "run", "hills", "--headless", "--json", "--seconds", "80000", "--record", "a.mcap",
        cwd=tmp_path,
    )  # fmt: skip
    code, stdout, stderr = stop(process, signal.SIGTERM, part_is(tmp_path, 40_000))
    assert code == 143
    found = json.loads(stdout)
    assert found["replay"] == "a.mcap"
    assert f"{found['ticks']:,} ticks" in stderr
    assert_recorded(tmp_path, "a.mcap", stderr)


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A replay that takes long to read."""
    folder = tmp_path_factory.mktemp("long")
    words = ("run", "--headless", "--ticks", "4000", "--record", "long.mcap")
    assert sim(*words, cwd=folder).returncode == 0
    return folder / "long.mcap"


@pytest.mark.slow
@pytest.mark.parametrize("is_json", [pytest.param(False, marks=THOROUGH), True])
def test_scores_of_whole_replays_are_printed(is_json: bool, long: Path, tmp_path: Path) -> None:
    sim("run", "--headless", "--ticks", "30", "--record", "short.mcap", cwd=tmp_path)
    words = ["score", "short.mcap", *[str(long)] * 20, "--plot", "plot.png"]
    process = started(*words, *(["--json"] if is_json else []), cwd=tmp_path)
    code, stdout, stderr = stop(process, signal.SIGINT, (tmp_path / "plot.png").exists)
    assert code == 130
    assert stderr.startswith("stopped")
    if is_json:
        files = [one["file"] for one in json.loads(stdout)]
        assert files[:1] in ([], ["short.mcap"])
        assert len(files) < 21
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "words",
    [["render", "--to", "15", "-o", "film.webp"], ["score"], ["verify"]],
    ids=lambda words: words[0],
)
def test_how_far_it_came_is_said_and_nothing_half_written_is_left(
    words: list[str], long: Path, tmp_path: Path
) -> None:
    files = [str(long)] * (1 if words[0] == "render" else 20)
    process = started(words[0], *files, *words[1:], cwd=tmp_path)
    is_busy = part_is(tmp_path, 0) if words[0] == "render" else listens(process)
    code, _, stderr = stop(process, signal.SIGTERM, is_busy)
    assert code == 143
    assert stderr.startswith("stopped")
    assert words[0] != "render" or stderr.endswith("; nothing was written\n")
    assert not list(tmp_path.iterdir())

"""`pytest --creature-replays`: replays as tests, with a picture where one fails."""

import os
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from tests.commands import sim
from tests.forks import start_script
from tests.replay.messages import with_field
from tests.replay.test_replay import rewritten


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A replay."""
    folder = tmp_path_factory.mktemp("walk")
    words = ("run", "meadow", "--headless", "--ticks", "40", "--record", "walk.mcap")
    assert sim(*words, cwd=folder).returncode == 0
    return folder / "walk.mcap"


def judged(folder: Path, *words: str) -> CompletedProcess[str]:
    """What pytest says of the replays of a folder."""
    process = start_script(
        "import sys, pytest; sys.exit(pytest.main(sys.argv[1:]))",
        *("-p", "creature_sim.pytest_plugin", "-p", "no:cacheprovider", "--rootdir", "."),
        *("--creature-replays", *(words or ("replays",))),
        cwd=folder,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )
    output, errors = process.communicate()
    return CompletedProcess(words, process.wait(), output, errors)


@pytest.mark.slow
def test_replays_are_tests_and_what_fails_has_a_picture(walk: Path, tmp_path: Path) -> None:
    good, poor = tmp_path / "replays", tmp_path / "replays" / "poor"
    poor.mkdir(parents=True)
    (tmp_path / "test_own.py").write_text("def test_own() -> None: ...\n")
    shutil.copy(walk, good / "good.mcap")
    (good / "walk.toml").write_text('M1 = "pass"\n')
    shutil.copy(walk, poor / "low.mcap")
    (poor / "walk.toml").write_text("M11 = 99.0\n")

    def change(message: dict[str, Any]) -> None:
        message["creatures"][0].update({"body": "00"})

    edit: Callable[[dict[str, Any]], None] = change
    rewritten(walk, poor / "other.mcap", with_field("/digest", 3, edit))
    done = judged(tmp_path)
    assert done.returncode == 1
    assert "2 failed, 2 passed" in done.stdout
    assert re.search(r"low\.mcap: hexapod: below the limit: M11", done.stdout)
    assert "other.mcap: differs: first at tick 3, body" in done.stdout
    assert "Traceback" not in done.stdout
    for name, tick in (("low", 40), ("other", 3)):
        picture = tmp_path / ".creature-replays" / f"{name}.png"
        assert f"picture of tick {tick}: {picture}" in done.stdout
        assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.slow
def test_a_file_that_is_no_replay_is_named_once(tmp_path: Path) -> None:
    (tmp_path / "replays").mkdir()
    (tmp_path / "replays" / "a.mcap").write_text("no replay")
    done = judged(tmp_path)
    assert done.returncode == 1
    assert "\nreplays/a.mcap: expected a replay (MCAP), found" in done.stdout


@pytest.mark.slow
def test_a_folder_without_replays_is_a_mistake(tmp_path: Path) -> None:
    done = judged(tmp_path, "nowhere")
    assert done.returncode == 4
    assert "expected a folder with replays (.mcap), found none in nowhere" in done.stderr

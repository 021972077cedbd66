"""What the doctor says of machines that lack something."""

import importlib.util
import json
import os
import re
import subprocess
from importlib import metadata
from pathlib import Path

import pytest

from creature_sim.cli import checkup
from creature_sim.maths.notice import LINE
from tests.commands import COMMAND
from tests.forks import start


def _without_display() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "DISPLAY"}


def doctor(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = _without_display()
    begun = start("doctor", *words, env={**kept, **environment})
    stdout, stderr = begun.communicate()
    return subprocess.CompletedProcess(words, begun.wait(), stdout, stderr)


@pytest.mark.slow
def test_what_is_said_and_what_the_exit_code_is_are_the_same() -> None:
    done = doctor("--json")
    assert done.stderr == ""
    found = json.loads(done.stdout)
    checks = {check["name"]: check for check in found["checks"]}
    lacking = [
        name for name in checks if checks[name]["is_needed"] and not checks[name]["is_there"]
    ]
    assert found["ok"] == (not lacking)
    assert done.returncode == (1 if lacking else 0)
    assert checks["numpy"]["found"] == metadata.version("numpy")
    assert checks["test tick"]["is_there"]
    assert not checks["window"]["is_needed"]
    assert checks["test frame"]["is_there"] == checks["OpenGL without a screen"]["is_there"]
    if checks["test frame"]["is_there"]:
        assert "320x180" in checks["test frame"]["found"]


@pytest.mark.slow
def test_a_driver_that_is_not_there_is_named_with_its_package() -> None:
    done = doctor(__EGL_VENDOR_LIBRARY_FILENAMES=os.devnull)
    if done.returncode == 0:
        pytest.skip("this EGL cannot be made to find nothing")
    assert done.returncode == 1
    assert done.stderr == ""
    assert "missing: OpenGL without a screen, test frame" in done.stdout
    assert done.stdout.endswith("  apt-get install libgl1-mesa-dri\n")


@pytest.mark.slow
@pytest.mark.skipif(not Path("/etc/debian_version").exists(), reason="names of Debian's loader")
def test_a_library_that_does_not_load_is_named_with_its_package(tmp_path: Path) -> None:
    for name in ("libEGL.so.1", "libfreetype.so.6"):
        (tmp_path / name).write_bytes(b"")
    done = subprocess.run(
        [*COMMAND, "doctor"], capture_output=True, text=True, timeout=120,
        env={**_without_display(), "LD_LIBRARY_PATH": str(tmp_path)},
    )  # fmt: skip
    done.stderr = done.stderr.replace(f"{LINE}\n", "")  # kernels may be compiled meanwhile
    assert done.returncode == 1
    assert done.stderr == ""
    assert "  apt-get install libegl1\n" in done.stdout
    said = {line.split("  ")[0]: line for line in done.stdout.splitlines() if "FreeType" in line}
    assert list(said) == ["-"]  # only windows need it, and there is no screen
    assert "libfreetype6" in said["-"]


@pytest.mark.slow
def test_a_display_that_does_not_answer_is_a_finding() -> None:
    done = doctor("--json", DISPLAY=":987")
    assert done.returncode == 1
    window = json.loads(done.stdout)["checks"][-1]
    assert window["name"] == "window"
    assert not window["is_there"]
    assert window["is_needed"]


def test_packages_that_are_not_there_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    known = metadata.version

    def version(name: str) -> str:
        if name in ("mcap", "av"):
            raise metadata.PackageNotFoundError(name)
        return known(name)

    monkeypatch.setattr(metadata, "version", version)
    found = {check.name: check for check in checkup._packages()}
    assert not found["mcap"].is_there
    assert found["mcap"].is_needed
    assert found["mcap"].remedy == "pip install mcap"
    assert found["pybullet"].is_there
    for extra in ("video", "test", "bench"):  # the latter two have it by way of the first
        check = found[f"extra {extra}"]
        assert not check.is_there
        assert not check.is_needed
        assert re.match(r"not installed: (.*, )?av(, |$)", check.found)
        assert check.remedy == f"pip install 'creature-sim[{extra}]'"


def test_every_extra_of_the_project_is_listed() -> None:
    extras = metadata.metadata("creature-sim").get_all("Provides-Extra")
    assert extras
    found = {check.name: check for check in checkup._packages()}
    assert {name for name in found if name.startswith("extra ")} == {f"extra {e}" for e in extras}
    trimesh = found["extra mesh"]
    assert trimesh.is_there == (importlib.util.find_spec("trimesh") is not None)
    assert not trimesh.is_there or trimesh.found == f"trimesh {metadata.version('trimesh')}"

"""What is in the package that users install."""

import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from creature_sim.library.loader import builtin_models, builtin_names

ROOT = Path(__file__).parent.parent


def test_type_checkers_are_told_that_the_package_has_types() -> None:
    assert (ROOT / "creature_sim" / "py.typed").read_bytes() == b""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert "Typing :: Typed" in project["classifiers"]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel and the archive of sources."""
    pytest.importorskip("hatchling", reason="hatchling builds the package")
    folder = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.slow
def test_the_wheel_holds_all_that_is_needed_and_no_more(built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = {path.relative_to(ROOT).as_posix() for path in (ROOT / "creature_sim").rglob("*.py")}
    assert sources <= names
    assert "creature_sim/py.typed" in names
    for world in builtin_names("world"):
        assert f"creature_sim/library/worlds/{world}.toml" in names
    for model in builtin_models():
        assert f"creature_sim/library/models/{model}.glb" in names
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"creature_sim"}


@pytest.mark.slow
def test_the_sources_hold_the_tests_and_the_replays(built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        names = {name.split("/", 1)[1] for name in opened.getnames() if "/" in name}
    for name in ("tests/test_package.py", "pyproject.toml", "creature_sim/py.typed", "LICENSE"):
        assert name in names
    assert any(name.startswith("replays/") for name in names)

"""The end of a name chooses what `export` writes."""

import sys
from pathlib import Path
from shutil import copy

import pytest

from creature_sim.errors import OutputError
from creature_sim.export.formats import FORMATS, format_of
from tests.commands import sim

ARM = Path(__file__).parents[2] / "replays" / "arm.mcap"


@pytest.mark.parametrize("name", ["arm.html", "arm.HTM", "arm.mcap", "arm.CSV", "arm.parquet"])
def test_every_end_is_written(name: str, tmp_path: Path) -> None:
    done = sim("export", str(ARM), "-o", name, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert f"wrote {name}: " in done.stdout


@pytest.mark.parametrize("name", ["arm.xlsx", "arm", "csv", "arm.csv.gz"])
def test_another_end_is_refused_with_those_there_are(name: str, tmp_path: Path) -> None:
    done = sim("export", str(ARM), "-o", name, cwd=tmp_path)
    ends = ".html, .htm, .mcap, .csv, .parquet"
    expected = f"error: -o: expected a name that ends in {ends}, found '{name}'\n"
    assert (done.returncode, done.stderr) == (2, expected)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [
        ("arm.mcap", "foxglove_schemas_protobuf", "scene"),
        ("arm.mcap", "mcap_protobuf", "scene"),
        ("arm.parquet", "pyarrow", "tables"),
    ],
)
def test_a_missing_module_names_its_extra(
    name: str, module: str, extra: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    done = sim("export", str(ARM), "-o", name, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr == (
        f"error: {name}: expected the module {module} to write it with, found none; "
        f"pip install 'creature-sim[{extra}]'\n"
    )
    assert not list(tmp_path.iterdir())
    # All others are written without it.
    for other in FORMATS:
        if FORMATS[other].extra != extra:
            assert format_of(Path(f"arm{other}"))
        else:
            with pytest.raises(OutputError, match="pip install"):
                format_of(Path(f"arm{other}"))


@pytest.mark.parametrize("words", [[], ["--force"]])
def test_the_recording_itself_is_never_replaced(words: list[str], tmp_path: Path) -> None:
    copy(ARM, tmp_path / "arm.mcap")
    done = sim("export", "arm.mcap", "-o", "./arm.mcap", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith("error: -o: expected another file than the recording")
    assert (tmp_path / "arm.mcap").read_bytes() == ARM.read_bytes()


def test_another_file_is_replaced_only_by_force(tmp_path: Path) -> None:
    (tmp_path / "arm.csv").write_text("mine")
    done = sim("export", str(ARM), "-o", "arm.csv", cwd=tmp_path)
    assert done.returncode == 2
    assert "--force replaces it" in done.stderr
    assert (tmp_path / "arm.csv").read_text() == "mine"
    assert sim("export", str(ARM), "-o", "arm.csv", "--force", cwd=tmp_path).returncode == 0
    assert (tmp_path / "arm.csv").read_text().startswith("time,tick,kind")

"""The end of a name chooses what `export` writes."""

import csv
import json
import sys
from pathlib import Path
from shutil import copy

import pytest
from mcap.reader import make_reader
from pyarrow import parquet

from creature_sim.drivers import make_driver
from creature_sim.errors import OutputError
from creature_sim.export.formats import FORMATS, format_of
from creature_sim.replay import open_replay, record, trim
from tests.commands import sim
from tests.replay.test_replay import rewritten
from tests.scenes import scene
from tests.tools import goldens

ARM = Path(__file__).parents[2] / "replays" / "arm.mcap"


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    ["arm.html", "arm.HTM", "arm.mcap", "arm.CSV", "arm.parquet", "arm.glb", "arm.bvh", "arm.USDA"],
)
def test_every_end_is_written(name: str, tmp_path: Path) -> None:
    done = sim("export", str(ARM), "-o", name, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert f"wrote {name}: " in done.stdout


@pytest.mark.parametrize("name", ["arm.xlsx", "arm", "csv", "arm.csv.gz"])
def test_another_end_is_refused_with_those_there_are(name: str, tmp_path: Path) -> None:
    done = sim("export", str(ARM), "-o", name, cwd=tmp_path)
    ends = ".html, .htm, .mcap, .glb, .bvh, .usda, .csv, .parquet, .xml, .urdf"
    expected = f"error: -o: expected a name that ends in {ends}, found '{name}'\n"
    assert (done.returncode, done.stderr) == (2, expected)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "module", "extra"),
    [
        ("arm.mcap", "foxglove_schemas_protobuf", "scene"),
        ("arm.mcap", "mcap_protobuf", "scene"),
        ("arm.parquet", "pyarrow", "tables"),
        ("arm.usda", "pxr", "usd"),
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
    if words:  # without, it is one of the files that are there
        assert done.stderr.startswith("error: -o: expected another file than the recording")
    assert (tmp_path / "arm.mcap").read_bytes() == ARM.read_bytes()


@pytest.mark.slow
def test_a_proof_is_in_the_metadata(tmp_path: Path) -> None:
    for name in ("arm.mcap", "arm.parquet"):
        assert sim("export", str(ARM), "-o", name, "--verify", cwd=tmp_path).returncode == 0
    with (tmp_path / "arm.mcap").open("rb") as stream:
        (about,) = [entry.metadata for entry in make_reader(stream).iter_metadata()]
    assert about["proof"] == f"verified: {goldens.RIG_TICKS} ticks"
    schema = parquet.read_schema(tmp_path / "arm.parquet")
    assert (
        json.loads(schema.metadata[b"creature_sim"])["proof"]
        == f"verified: {goldens.RIG_TICKS} ticks"
    )


@pytest.mark.parametrize("end", [".mcap", ".usda"])
def test_the_name_of_a_recording_may_be_no_text(end: str, tmp_path: Path) -> None:
    copy(ARM, tmp_path / "\udcff.mcap")
    done = sim("export", "\udcff.mcap", "-o", f"arm{end}", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert b"udcff.mcap" in (tmp_path / f"arm{end}").read_bytes()


def test_another_file_is_replaced_only_by_force(tmp_path: Path) -> None:
    (tmp_path / "arm.csv").write_text("mine")
    done = sim("export", str(ARM), "-o", "arm.csv", cwd=tmp_path)
    assert done.returncode == 2
    assert "--force replaces it" in done.stderr
    assert (tmp_path / "arm.csv").read_text() == "mine"
    assert sim("export", str(ARM), "-o", "arm.csv", "--force", cwd=tmp_path).returncode == 0
    assert (tmp_path / "arm.csv").read_text().startswith("time,tick,kind")


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("formats") / "walk.mcap"
    world = scene("hills", "hexapod")
    record(world, path, 150, driver=make_driver(world))
    return path


def ticks_of(path: Path) -> list[int]:
    """Of every row of a table; times and ticks say the same."""
    with path.open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert all(float(row["time"]) == int(row["tick"]) / 60 for row in rows)
    return sorted({int(row["tick"]) for row in rows})


def times_of(path: Path) -> dict[str, set[int]]:
    """Times of the messages of a scene by topic [ns]."""
    found: dict[str, set[int]] = {}
    with path.open("rb") as stream:
        for _, channel, message in make_reader(stream).iter_messages():
            found.setdefault(channel.topic, set()).add(message.log_time)
    return found


@pytest.mark.slow
def test_a_part_of_a_recording_keeps_its_times(walk: Path, tmp_path: Path) -> None:
    trim(open_replay(walk), tmp_path / "part.mcap", 60, 90)
    for name in ("out.csv", "out.parquet", "out.html", "scene.mcap"):
        done = sim("export", "part.mcap", "-o", name, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
    assert ticks_of(tmp_path / "out.csv") == list(range(60, 91))
    times = times_of(tmp_path / "scene.mcap")
    assert min(times["/tf"]) == 10**9
    assert {topic: found for topic, found in times.items() if topic != "/tf"} == {
        "/ground": {10**9},
        "/creatures": {10**9},
        "/labels": {10**9},
    }
    # The same rows as in the whole.
    sim("export", str(walk), "-o", "whole.csv", cwd=tmp_path)
    whole = (tmp_path / "whole.csv").read_text().splitlines()
    part = (tmp_path / "out.csv").read_text().splitlines()
    assert part[1:] == [line for line in whole[1:] if 60 <= int(line.split(",")[1]) <= 90]


@pytest.mark.slow
def test_a_recording_that_breaks_off_is_exported_up_to_there(walk: Path, tmp_path: Path) -> None:
    data = walk.read_bytes()
    (tmp_path / "cut.mcap").write_bytes(data[: int(0.8 * len(data))])
    last = open_replay(tmp_path / "cut.mcap").last
    assert 0 < last < 150
    for name in ("out.csv", "out.parquet", "out.html", "scene.mcap"):
        done = sim("export", "cut.mcap", "-o", name, cwd=tmp_path)
        assert done.returncode == 0
        (notice,) = done.stderr.splitlines()
        assert f"breaks off after tick {last}" in notice
    assert ticks_of(tmp_path / "out.csv") == list(range(last + 1))
    about = json.loads(parquet.read_schema(tmp_path / "out.parquet").metadata[b"creature_sim"])
    assert about["source"] == "simulated"
    assert f"breaks off after tick {last}" in about["notice"]


@pytest.mark.slow
def test_a_recording_of_unknown_ground_gives_its_poses(walk: Path, tmp_path: Path) -> None:
    def on_the_moon(found: str, data: bytes) -> bytes:
        if found == "world.json":
            world = json.loads(data)
            return json.dumps({**world, "terrain": {"kind": "moon"}}).encode()
        return data

    rewritten(walk, tmp_path / "moon.mcap", on_the_moon)
    for name in ("out.csv", "out.parquet", "out.html", "scene.mcap"):
        done = sim("export", "moon.mcap", "-o", name, cwd=tmp_path)
        assert done.returncode == 0
        notices = done.stderr.splitlines()
        assert all(line.startswith("notice: ") and "ground moon" in line for line in notices)
        assert len(notices) == (2 if name in ("out.csv", "out.parquet") else 1)
    assert ticks_of(tmp_path / "out.csv") == list(range(0, 151, 2))
    about = json.loads(parquet.read_schema(tmp_path / "out.parquet").metadata[b"creature_sim"])
    assert about["source"] == "pose"
    assert "moon" in about["reason"]

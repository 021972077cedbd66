"""Rows are kept as they come, whatever ends the sweep, and tables say what they say."""

import csv
import errno
import io
import json
from pathlib import Path
from typing import Any

import pytest

from creature_sim.errors import OutputError
from creature_sim.lab.sweeps import open_results, read_plan, read_rows, run_sweep
from creature_sim.lab.sweeps import row as rows
from creature_sim.lab.sweeps.ranking import grouped, ranked
from creature_sim.lab.sweeps.row import worst_of
from creature_sim.library.loader import load_world
from creature_sim.replay import verify
from creature_sim.score import Metric, metric_specs
from creature_sim.simulation import Simulation
from tests.commands import sim
from tests.lab.sweeps.files import SMALL, rows_of, written
from tests.workers.inline import Inline

QUICK = SMALL.replace('["hexapod", "spider4"]', '["hexapod"]').replace("0.5", "0.1")


@pytest.fixture(autouse=True)
def _inline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("creature_sim.workers.processes.Processes", Inline)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The results of a small sweep."""
    folder = tmp_path_factory.mktemp("done")
    source = written(folder, QUICK)
    plan = read_plan(source)
    with open_results(folder / "results", plan, source) as kept:
        assert len(list(run_sweep(plan, kept, Inline()))) == 4
        kept.write_tables()
    return folder / "results"


@pytest.mark.slow
def test_a_row_is_the_run_that_its_columns_describe(done: Path) -> None:
    row = read_rows(done)[-1]
    assert (row["run"], row["world"], row["seed"], row["drive"]) == (3, "meadow", 1, "forward 1")
    plan = read_plan(done / "sweep.toml")
    assert plan.keys[3] == row["key"]
    with Simulation(plan.world(plan.points[3])) as simulation:
        for _ in range(6):
            simulation.step()
        assert row["digest"] == simulation.digest
    assert row["ticks"] == 6
    assert {f"{key}_verdict" for key in metric_specs()} <= row.keys()
    replay = verify(done / row["replay"])
    assert replay.ok
    assert replay.digest == row["digest"]


@pytest.mark.slow
def test_tables_have_every_row_in_the_order_of_the_plan(done: Path) -> None:
    expected = read_rows(done)
    found = list(csv.DictReader(io.StringIO((done / "table.csv").read_text())))
    assert [int(row["run"]) for row in found] == [0, 1, 2, 3]
    for row, text in zip(expected, found, strict=True):
        assert text["digest"] == row["digest"]
        assert float(text["creature.gait.step_height"]) == row["creature.gait.step_height"]
        assert text["M1_verdict"] == row["M1_verdict"]
        assert (text["M9"] == "") == (row["M9"] is None)
    parquet = pytest.importorskip("pyarrow.parquet", reason="the table needs pyarrow")
    table = parquet.read_table(done / "table.parquet").to_pylist()
    assert [list(row) for row in table] == [list(found[0])] * 4
    for row, same in zip(expected, table, strict=True):
        assert all(same[name] == value for name, value in row.items())
    assert [*found[0]][:7] == [
        *("run", "creature", "world", "seed", "drive", "seconds", "creature.gait.step_height")
    ]


@pytest.mark.slow
def test_what_is_there_is_not_run_again(done: Path, tmp_path: Path) -> None:
    source = written(tmp_path, QUICK)
    more = written(tmp_path, QUICK.replace("seeds = 2", "seeds = [1, 5]"), "more.toml")
    words = ("sweep", str(source), "-o", str(tmp_path / "r"))
    first = sim(*words, "--json")
    assert first.returncode == 0, first.stderr
    assert json.loads(first.stdout)["ran"] == 4
    before = rows_of(tmp_path / "r")
    assert before == rows_of(done)
    again = sim(*words)
    assert again.returncode == 2
    assert "expected no results there, found some; --resume goes on with them" in again.stderr
    resumed = sim(*words, "--resume")
    assert resumed.stdout.startswith("0 runs in 0.0 s; 4 were there before")
    other = sim("sweep", str(more), "-o", str(tmp_path / "r"), "--resume", "--json")
    document = json.loads(other.stdout)
    assert (document["ran"], document["runs"]) == (2, 4)
    assert [row["seed"] for row in read_rows(tmp_path / "r")] == [1, 1, 5, 5]
    assert len(rows_of(tmp_path / "r")) == 6
    anew = sim(*words, "--force", "--json")
    assert json.loads(anew.stdout)["ran"] == 4
    assert rows_of(tmp_path / "r") == before


@pytest.mark.slow
def test_half_a_line_is_no_row(tmp_path: Path) -> None:
    source = written(tmp_path, QUICK)
    words = ("sweep", str(source), "-o", str(tmp_path / "r"))
    assert sim(*words).returncode == 0
    journal = tmp_path / "r" / "rows.jsonl"
    before, whole = rows_of(tmp_path / "r"), journal.read_bytes()
    journal.write_bytes(whole[:-40])
    shown = sim("results", str(tmp_path / "r"))
    assert shown.returncode == 0
    assert shown.stdout.startswith(f"{tmp_path / 'r'}: 3 runs, ranked by")
    assert "1 of 4 runs have no row; `sweep --resume` runs them" in shown.stderr
    done = sim(*words, "--resume", "--json")
    assert json.loads(done.stdout)["ran"] == 1
    assert rows_of(tmp_path / "r") == before
    assert len(journal.read_bytes().splitlines()) == 4


class Full(io.BytesIO):
    """A journal on a disk that has room for one row."""

    def __init__(self, stream: Any) -> None:
        super().__init__()
        self.inner, self.rows = stream, 0

    def write(self, data: Any) -> int:
        self.rows += 1
        if self.rows > 1:
            self.inner.write(data[:20])
            self.inner.flush()
            raise OSError(errno.ENOSPC, "No space left on device")
        return int(self.inner.write(data))

    def flush(self) -> None:
        self.inner.flush()

    def truncate(self, size: int | None = None) -> int:
        return int(self.inner.truncate(size))

    def close(self) -> None:
        self.inner.close()


@pytest.mark.slow
def test_a_full_disk_is_one_message_and_the_rows_before_it_are_whole(tmp_path: Path) -> None:
    source = written(tmp_path, QUICK)
    plan = read_plan(source)
    with open_results(tmp_path / "r", plan, source) as kept:
        kept._journal._stream = Full(kept._journal._stream)  # type: ignore[assignment]
        with pytest.raises(OutputError, match=r"found none .*; 1 rows are kept, --resume goes on"):
            list(run_sweep(plan, kept, Inline()))
    assert len(rows_of(tmp_path / "r")) == 1
    with open_results(tmp_path / "r", plan, source, resume=True) as kept:
        assert len(list(run_sweep(plan, kept, Inline()))) == 3


@pytest.mark.slow
def test_a_run_that_cannot_be_is_a_row_that_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = QUICK.replace("seeds = 2", "seeds = 1").replace("step_height", "stride_length")
    source = written(
        tmp_path, text.replace("[0.05, 0.09]", "[0.2, 0.4]") + "creature.motion.speed = [0.3, 3]"
    )
    real = rows._run

    def run(job: Any, path: Any) -> Any:
        if job.world.species["hexapod"].motion.speed == 3:
            raise ZeroDivisionError("a defect")
        return real(job, path)

    monkeypatch.setattr(rows, "_run", run)
    done = sim("sweep", str(source), "-o", str(tmp_path / "r"))
    assert done.returncode == 1
    assert "run 1: ZeroDivisionError: a defect" in done.stdout
    assert [row["status"] for row in read_rows(tmp_path / "r")] == ["ok", "error"] * 2
    shown = sim("results", str(tmp_path / "r"))
    assert shown.stdout.startswith(f"{tmp_path / 'r'}: 4 runs, 2 without a result, ranked by")


def test_results_of_chains_have_digests_and_no_metrics(tmp_path: Path) -> None:
    assert not load_world("arm").creatures
    source = written(tmp_path, 'worlds = ["arm"]\nseconds = 0.1')
    done = sim("sweep", str(source), "-o", str(tmp_path / "r"))
    assert done.returncode == 0, done.stderr
    (row,) = read_rows(tmp_path / "r")
    assert (row["status"], row["ticks"], len(row["digest"])) == ("ok", 6, 32)
    assert "M1" not in row


def test_of_several_creatures_a_row_has_the_worst() -> None:
    good, bad = Metric(0.5, "pass", ""), Metric(0.9, "pass", "")
    none, failed = Metric(None, "n/a", ""), Metric(0.1, "fail", "")
    assert metric_specs()["M7"].larger_is_better
    assert not metric_specs()["M1"].larger_is_better

    def worst(key: str, *metrics: Metric) -> Metric:
        return worst_of([dict.fromkeys(metric_specs(), metric) for metric in metrics])[key]

    assert worst("M1", good, bad, none) == bad
    assert worst("M7", good, bad, none) == good
    assert worst("M1", good, failed) == failed
    assert worst_of([]) == {}


def test_results_rank_and_group(done: Path) -> None:
    shown = read_rows(done)
    order = [row["run"] for row in ranked(shown, "distance")]
    assert order == sorted(range(4), key=lambda run: (-shown[run]["distance"], run))
    groups = grouped(shown, "creature.gait.step_height", "distance")
    assert [group.value for group in groups] == [0.05, 0.09]
    assert groups[0].mean == pytest.approx((shown[0]["distance"] + shown[2]["distance"]) / 2)
    done_text = sim("results", str(done), "--metric", "distance", "--by", "seed")
    assert done_text.returncode == 0, done_text.stderr
    lines = done_text.stdout.splitlines()
    assert lines[1].split() == [*("seed", "runs", "mean", "least", "most", "nothing", "failed")]
    assert [line.split()[:2] for line in lines[2:4]] == [["0", "2"], ["1", "2"]]
    document = json.loads(sim("results", str(done), "--by", "seed", "--best", "1", "--json").stdout)
    assert list(document) == [
        *("results", "runs", "missing", "without_result", "metric", "best", "worst", "by", "groups")
    ]
    assert len(document["best"]) == 1
    assert document["worst"][0]["replay"].startswith("replays/")


@pytest.mark.slow
def test_results_are_drawn(done: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the picture needs matplotlib")
    for key in ("seed", "drive", None):
        words = ["--by", key] if key else []
        picture = tmp_path / f"{key}.png"
        made = sim("results", str(done), "--metric", "M1", *words, "--plot", str(picture))
        assert made.returncode == 0, made.stderr
        assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_replay_of_a_row_is_opened(done: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Any] = []
    monkeypatch.setattr("creature_sim.view.open.show_replay", opened.append)
    assert sim("results", str(done), "--replay", "2").returncode == 0
    assert opened[0].digest == read_rows(done)[2]["digest"]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--metric", "M99"], "--metric: expected one of the columns, found 'M99'"),
        (["--by", "sed"], "did you mean seed?"),
        (["--replay", "99"], "expected the number of a run of"),
        (["--plot", "no/a.png"], "no/a.png"),
    ],
)
def test_bad_questions_have_one_answer(words: list[str], expected: str, done: Path) -> None:
    answer = sim("results", str(done), *words)
    assert answer.returncode == 2
    assert expected in answer.stderr
    assert answer.stdout == ""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (b"hello\n", "'hello'"),
        (b"[1]\n", "'[1]'"),
        (b'{"key": "a"}\n', "{"),
        (b"\xff\xfe\n", "found"),
        (None, "(Is a directory)"),
    ],
)
def test_rows_that_are_none_are_refused_and_kept(
    text: bytes | None, found: str, tmp_path: Path
) -> None:
    source, folder = written(tmp_path, QUICK), tmp_path / "r"
    folder.mkdir()
    rows = folder / "rows.jsonl"
    if text is None:
        rows.mkdir()
    else:
        rows.write_bytes(text)
        (folder / "plan.txt").write_text("a")
    for words in (("sweep", str(source), "-o", str(folder), "--resume"), ("results", str(folder))):
        done = sim(*words, "--json")
        assert (done.returncode, done.stdout) == (2, "")
        if text is not None:
            assert f"{rows}:1: expected a row of a sweep, found " in done.stderr
        if words[0] == "sweep":
            assert str(rows) in done.stderr
            assert found in done.stderr
    assert rows.is_dir() if text is None else rows.read_bytes() == text


def test_folders_that_are_no_results(tmp_path: Path) -> None:
    source = written(tmp_path, QUICK)
    for folder, expected in (
        ("nowhere/r", "found none, and none can be made"),
        ("sweep.toml", "found none, and none can be made"),
        (".", "expected an empty folder or results of a sweep, found other files"),
    ):
        done = sim("sweep", str(source), "-o", str(tmp_path / folder))
        assert done.returncode == 2
        assert expected in done.stderr
    assert sim("results", str(tmp_path)).returncode == 2
    both = sim(
        "sweep", str(source), "-o", str(tmp_path / "r"), "--jobs", "1", "--cluster", "local:1"
    )
    assert "--jobs: expected only one of --jobs and --cluster" in both.stderr
    for words, told in (
        (("--resume", "--force"), "--resume: expected only one of --resume and --force"),
        (("--cluster", "tcp://"), "--cluster: expected tcp://HOST:PORT or local:N"),
    ):
        done = sim("sweep", str(source), "-o", str(tmp_path / "r"), *words)
        assert (done.returncode, done.stdout) == (2, "")
        assert told in done.stderr
    assert not (tmp_path / "r").exists()

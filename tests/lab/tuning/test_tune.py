"""Creatures are tuned: the same way whoever evaluates, and nothing is lost."""

import errno
import io
import json
import tomllib
from pathlib import Path
from typing import Any

import pytest

from creature_sim.errors import OutputError
from creature_sim.lab.tuning import (
    Evaluator,
    Journal,
    Tuned,
    changes_of,
    find_elites,
    load_objective,
    text_with,
    tune,
)
from creature_sim.lab.tuning.objective import BROKEN
from creature_sim.lab.tuning.run import Run
from creature_sim.library.loader import builtin_folder, load_creature
from creature_sim.workers import Workers, open_workers
from tests.commands import sim
from tests.lab.tuning.files import OVER, QUICK, quick_task, written
from tests.workers.inline import Inline


def tuned(folder: Path, workers: Workers, **options: Any) -> Tuned:
    folder.mkdir(exist_ok=True)
    with Journal(folder / "j.jsonl", resume=True) as journal:
        return tune(quick_task(folder, **options), Evaluator(workers, journal))


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Tuned:
    """A creature that six evaluations have tuned."""
    return tuned(tmp_path_factory.mktemp("once"), Inline())


@pytest.mark.slow
def test_what_is_found_is_not_worse_and_is_what_was_tried(once: Tuned) -> None:
    assert once.evaluations == 6
    assert once.after.score > once.before.score
    assert len(once.before.runs) == len(once.after.runs) == 1 + 2  # meadow and slope, another seed
    assert once.is_better == (once.after.held_out > once.before.held_out)
    for knob, value in zip(once.task.knobs, once.values, strict=True):
        assert knob.low <= value <= knob.high
        assert float(f"{value:.4g}") == value


@pytest.mark.slow
@pytest.mark.thorough
def test_two_processes_find_the_same(once: Tuned, tmp_path: Path) -> None:
    with open_workers(jobs=2) as workers:
        other = tuned(tmp_path, workers)
    assert (other.values, other.before, other.after) == (once.values, once.before, once.after)


@pytest.mark.slow
def test_what_is_kept_is_not_run_again_and_leads_to_the_same(once: Tuned, tmp_path: Path) -> None:
    with Journal(tmp_path / "j.jsonl") as journal:
        tune(quick_task(tmp_path, budget=3), Evaluator(Inline(), journal))
        count = journal.count
    path = tmp_path / "j.jsonl"
    path.write_bytes(path.read_bytes()[:-30])  # killed while it wrote
    with Journal(path, resume=True) as journal:
        assert journal.count == count - 1
        evaluate = Evaluator(Inline(), journal)
        found = tune(quick_task(tmp_path), evaluate)
        assert evaluate.ran < 6 + 2
    assert (found.values, found.before, found.after) == (once.values, once.before, once.after)
    for line in path.read_text().splitlines():
        assert json.loads(line)["runs"]


@pytest.mark.slow
def test_another_seed_finds_something_else(once: Tuned, tmp_path: Path) -> None:
    assert tuned(tmp_path, Inline(), seed=1).values != once.values


class Full(io.BytesIO):
    """A journal on a disk that is full."""

    def write(self, data: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_is_one_message(tmp_path: Path) -> None:
    with Journal(tmp_path / "j.jsonl") as journal:
        journal._lines._stream.close()
        journal._lines._stream = Full()  # type: ignore[assignment]
        with pytest.raises(OutputError, match=r"found none .*; 0 evaluations are kept, --resume"):
            tune(quick_task(tmp_path), Evaluator(Inline(), journal))


def test_a_score_is_its_terms_less_what_failed(tmp_path: Path) -> None:
    objective = load_objective(str(written(tmp_path)))
    good = Run({"progress": 0.5, "M7": 0.1}, (), 0.5)
    assert objective.score([good]) == pytest.approx((0.5 + 2.0 * 0.5) / 3.0)
    assert objective.score([good._replace(numbers={"progress": 9.0, "M7": None})]) == pytest.approx(
        1.0 / 3.0
    )
    walled = good._replace(failed=("M1", "M2"))  # only M1 is a wall
    assert objective.score([good, walled]) == pytest.approx(0.5 - 1.0)
    assert objective.failed([good, walled]) == ["M1"]
    assert objective.score([good, good._replace(error="it broke")]) == BROKEN


def test_who_hardly_moves_fails_all_walls_and_is_drawn_to_move(tmp_path: Path) -> None:
    text = QUICK.replace('walls = ["M1"]', 'walls = ["M2", "M1"]\nmin_progress = 0.3')
    objective = load_objective(str(written(tmp_path, text)))
    poor = Run({"progress": 0.31, "M7": 0.0}, ("M1", "M3"), 0.5)
    slow = Run({"progress": 0.2, "M7": 0.1}, ("M1",), 0.5)
    still = Run({"progress": None, "M7": 0.1}, (), 1.0)
    assert objective.failed([poor, still]) == ["M1", "M1", "M2"]
    assert objective.failed([slow]) == ["M1", "M2"]
    assert objective.score([poor]) > objective.score([slow]) > objective.score([still])


def test_the_built_in_objectives_can_be_read_and_name_metrics() -> None:
    assert "M1" in load_objective("walk").walls
    assert load_objective("body").definition.min_progress > 0.0
    assert set(load_objective("speed").definition.terms) == {"speed"}


def test_files_keep_their_comments_and_have_the_new_values(tmp_path: Path) -> None:
    changes = [(("gait", "step_height"), 0.1), (("leg_pairs", "1", "home", "1"), 0.5)]
    changes.append((("motion", "lean"), 0.3))  # a key that the file does not write
    path = tmp_path / "own.toml"
    path.write_text(text_with("hexapod", changes, ["Why. " * 30, "on a\nb\udcff.toml"], path))
    found, base = load_creature(path), load_creature("hexapod")
    assert found.gait.step_height == 0.1
    assert found.leg_pairs[1].home == (0.0, 0.5)
    assert found.motion.lean == 0.3
    assert found.leg_pairs[2] == base.leg_pairs[2]
    source = (builtin_folder("creature") / "hexapod.toml").read_text()
    comments = [line.partition("#")[2] for line in source.splitlines()[1:] if "# " in line]
    assert all(comment in path.read_text() for comment in comments)
    assert all(len(line) <= 110 for line in path.read_text().splitlines())
    assert path.read_text().startswith("# Why. Why.")
    again = tmp_path / "again.toml"
    again.write_text(text_with(str(path), [], [], again))
    assert again.read_text() == path.read_text()


@pytest.mark.slow
def test_the_command_writes_what_it_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("creature_sim.workers.processes.Processes", Inline)
    written(tmp_path)
    words = ["tune", "hexapod", "--over", OVER, "--worlds", "meadow", "--objective", "quick.toml"]
    words += ["--budget", "4", "-o", "better.toml"]
    done = sim(*words, "--json", cwd=tmp_path)
    assert done.stderr == ""
    document = json.loads(done.stdout)
    assert done.returncode == (0 if document["is_better"] else 1)
    assert (document["evaluations"], document["output"]) == (4, "better.toml")
    found = load_creature(tmp_path / "better.toml")
    values = {one["key"]: one["to"] for one in document["values"]}
    assert values["gait.step_height"] == found.gait.step_height
    assert values["gait.stride_length"] == found.gait.stride_length
    assert "Tuned by creature-sim tune: 4 evaluations" in (tmp_path / "better.toml").read_text()
    again = sim(*words, cwd=tmp_path)
    assert again.returncode == 2
    assert "better.toml: expected no file there, found one" in again.stderr
    (tmp_path / "better.toml").unlink()
    again = sim(*words, cwd=tmp_path)
    assert "--resume goes on with them, --force replaces them" in again.stderr
    resumed = sim(*words, "--resume", cwd=tmp_path)
    assert resumed.stdout.startswith("4 evaluations in ")
    assert ", 0.0 s of processor time" in resumed.stdout
    assert tomllib.loads((tmp_path / "better.toml").read_text())["name"] == "hexapod"


@pytest.mark.slow
def test_an_archive_has_the_best_for_each_lost_leg(tmp_path: Path) -> None:
    objective = written(tmp_path, QUICK.replace("0.5\n", "1.0\n", 1))
    assert load_objective(str(objective)).definition.seconds == 1.0
    task = quick_task(tmp_path, budget=8)
    with Journal(tmp_path / "j.jsonl") as journal:
        archive = find_elites(task, "legs", Evaluator(Inline(), journal))
    assert [elite.kind for elite in archive.elites] == [(float(leg),) for leg in range(6)]
    assert (archive.kinds, archive.evaluations) == (6, 8)
    start = tuple(knob.start for knob in task.knobs)
    assert all(elite.values == start for elite in archive.elites[2:])  # one try each
    with Journal(tmp_path / "j.jsonl", resume=True) as journal:
        evaluate = Evaluator(Inline(), journal)
        assert find_elites(task, "legs", evaluate) == archive
        assert evaluate.ran == 0
    made = task.make(changes_of(task.knobs, archive.elites[0].values))
    assert made.gait.step_height == archive.elites[0].values[0]


@pytest.mark.slow
def test_an_archive_of_gaits_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("creature_sim.workers.processes.Processes", Inline)
    written(tmp_path)
    words = ["tune", "hexapod", "--archive", "gaits", "--worlds", "meadow"]
    words += ["--over", "motion.speed=0.2:0.7,gait.duty_factor", "--objective", "quick.toml"]
    words += ["--budget", "5", "-o", "gaits"]
    done = sim(*words, "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert document["kinds"] == 100
    assert document["elites"]
    for elite in document["elites"]:
        found = load_creature(tmp_path / elite["file"])
        assert elite["values"]["motion.speed"] == found.motion.speed
        assert 0.2 < elite["duty_factor"] < 1.0
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "a.txt").write_text("a")
    refused = sim(*words[:-1], "other", cwd=tmp_path)
    assert "other: expected an empty folder or an archive, found other files" in refused.stderr


@pytest.mark.slow
def test_an_archive_of_legs_says_who_is_not_faster(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("creature_sim.workers.processes.Processes", Inline)
    written(tmp_path)
    words = ["tune", "hexapod", "--archive", "legs", "--worlds", "meadow", "-o", "legs"]
    words += ["--over", "gait.stride_length=0.42:0.6", "--objective", "quick.toml", "--budget"]
    as_it_is = sim(*words, "6", "--json", cwd=tmp_path)  # one try each: the creature as it is
    assert as_it_is.returncode == 1, as_it_is.stderr
    assert not any(one["is_better"] for one in json.loads(as_it_is.stdout)["elites"])
    done = sim(*words, "24", "--json", "--resume", cwd=tmp_path)
    found = json.loads(done.stdout)["elites"]
    assert any(one["is_better"] for one in found)
    for one in found:
        is_faster = one["speed"] > one["speed_before"]
        is_faster &= one["speed_held_out"] > one["speed_before_held_out"]
        assert one["is_better"] == is_faster
        said = "NOT faster" in (tmp_path / one["file"]).read_text()
        assert said is not one["is_better"]
    assert done.returncode == (0 if all(one["is_better"] for one in found) else 1)

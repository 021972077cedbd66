"""Bodies evolve from random ones, and those that come with the package walk well."""

import json
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from creature_sim.definitions import CreatureDef
from creature_sim.errors import DefinitionError
from creature_sim.lab.evolution import Evolved, Member, child_of, drawn, evolve, text_of
from creature_sim.lab.evolution.genome import BODY, BONES, LEG, MAX_STRETCH, PAIRS
from creature_sim.lab.evolution.strategy import SOUND, _valid
from creature_sim.lab.tuning import Evaluator, Ground, Journal, load_objective
from creature_sim.lab.tuning.run import Run
from creature_sim.library.loader import builtin_names, evolved_folder, evolved_names, load_creature
from creature_sim.library.variants import with_creature, with_seed
from creature_sim.score import score_run
from creature_sim.simulation import Simulation
from creature_sim.workers import Workers, open_workers
from tests.commands import sim
from tests.lab.tuning.files import written
from tests.scenes import scene
from tests.workers.inline import Inline


def evolved(folder: Path, workers: Workers, seed: int = 2) -> Evolved:
    """What a few evaluations of half a second lead to."""
    objective = load_objective(str(written(folder)))
    here = Ground("--worlds", ["meadow"], (0,), objective)
    there = Ground("--worlds", ["slope"], (1,), objective)
    with Journal(folder / "j.jsonl") as journal:
        return evolve(
            "bug", here, there, objective, Evaluator(workers, journal), budget=9, seed=seed
        )


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("creature_sim.lab.evolution.strategy.FIRST", 4)
    monkeypatch.setattr("creature_sim.lab.evolution.strategy.CHILDREN", 3)


def test_who_stands_still_is_no_walker() -> None:
    numbers: dict[str, float | None] = {**dict.fromkeys(SOUND, 0.0), "progress": 0.9}
    run = Run(numbers, (), 0.6)
    genome = drawn(np.random.default_rng(0))
    assert Member(genome, 0.9, (run, run)).unsound == []
    still = run._replace(numbers={**numbers, "progress": 0.1})
    no_swing = run._replace(numbers={**numbers, "M7": None}, failed=("M3", "M15"))
    assert Member(genome, 0.9, (still, no_swing)).unsound == ["progress", "M3", "M7"]


def test_genomes_stay_within_their_ranges() -> None:
    random = np.random.default_rng(0)
    genome = drawn(random)
    counts = set()
    for _ in range(300):
        genome = child_of(genome, random)
        counts.add(len(genome.legs))
        assert PAIRS[0] <= len(genome.legs) <= PAIRS[1]
        assert all(gene.low <= genome.numbers[name] <= gene.high for name, gene in BODY.items())
        for leg in genome.legs:
            assert all(gene.low <= leg.numbers[name] <= gene.high for name, gene in LEG.items())
            assert BONES[0] <= len(leg.bones) <= BONES[1]
    assert len(counts) == PAIRS[1] - PAIRS[0] + 1  # all numbers of legs come up


def test_the_file_of_a_genome_is_its_creature(tmp_path: Path) -> None:
    random = np.random.default_rng(3)
    while (creature := (genome := drawn(random)).creature("bug")) is None:
        pass
    path = tmp_path / "bug.toml"
    path.write_text(text_of(genome, "bug", ["why", "on a\nb\udcff.toml"]))
    assert load_creature(path) == creature
    along = [pair.mount[0] for pair in creature.leg_pairs]
    assert all(front >= rear for front, rear in pairwise(along))


def test_legs_that_are_stretched_at_rest_are_drawn_again() -> None:
    random = np.random.default_rng(4)
    while (creature := (genome := drawn(random)).creature("bug")) is None:
        pass
    height = creature.body.ride_height
    stretch = max(leg.stretch(height) / leg.reach for leg in creature.leg_pairs)
    assert stretch <= MAX_STRETCH
    shorter = stretch / (MAX_STRETCH + 0.05)
    legs = [leg._replace(bones=tuple(shorter * b for b in leg.bones)) for leg in genome.legs]
    numbers = {**genome.numbers, "stride_length": 0.1}
    tight = replace(genome, legs=tuple(legs), numbers=numbers)
    assert CreatureDef.model_validate(tight.table("bug"))  # it stands where the ground is even
    assert tight.creature("bug") is None


@pytest.mark.slow
@pytest.mark.usefixtures("_small")
def test_the_best_is_no_worse_than_the_first_and_the_seed_decides(tmp_path: Path) -> None:
    first = evolved(tmp_path, Inline())
    assert first.evaluations == 9
    assert first.best.score >= first.first
    (tmp_path / "j.jsonl").unlink()
    assert evolved(tmp_path, Inline()) == first
    (tmp_path / "j.jsonl").unlink()
    assert evolved(tmp_path, Inline(), seed=3).best.genome != first.best.genome


@pytest.mark.slow
@pytest.mark.usefixtures("_small")
def test_two_processes_evolve_the_same(tmp_path: Path) -> None:
    first = evolved(tmp_path, Inline())
    (tmp_path / "j.jsonl").unlink()
    with open_workers(jobs=2) as workers:
        assert evolved(tmp_path, workers) == first


@pytest.mark.slow
@pytest.mark.usefixtures("_small")
def test_the_command_writes_a_creature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("creature_sim.workers.processes.Processes", Inline)
    written(tmp_path)
    words = ("evolve", "-o", "bug.toml", "--objective", "quick.toml", "--budget", "5")
    done = sim(*words, "--worlds", "meadow", "--json", cwd=tmp_path)
    document = json.loads(done.stdout)
    assert done.returncode == (1 if document["unsound"] else 0)
    creature = load_creature(tmp_path / "bug.toml")
    assert (creature.name, len(creature.all_legs)) == ("bug", document["legs"])
    assert f"--budget 5 --seed {document['seed']}." in (tmp_path / "bug.toml").read_text()
    again = sim(*words, cwd=tmp_path)
    assert "bug.toml: expected no file there, found one" in again.stderr


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["--budget", "0"], "--budget: expected a number from 1"),
        (["--seed", "-1"], "--seed: expected a number from 0"),
        (["--worlds", "medow"], "--worlds: expected a built-in world"),
        (["--objective", "wlk"], "did you mean walk?"),
        (["-o", "bug"], "-o: expected a file that ends with .toml"),
        (["-o", "grüß dich.toml"], "expected a name of letters, digits, '_', '.' and '-', found"),
        (["-o", f"{65 * 'a'}.toml"], "expected text of a length of at most 64, found 'aaa"),
        (["--cluster", "nowhere"], "--cluster: expected tcp://HOST:PORT"),
    ],
)
def test_bad_words_are_one_message(words: list[str], expected: str, tmp_path: Path) -> None:
    done = sim("evolve", "-o", "bug.toml", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert expected in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_bodies_that_cannot_be_are_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("creature_sim.lab.evolution.strategy.TRIES", 3)
    monkeypatch.setattr("creature_sim.lab.evolution.genome.Genome.creature", lambda *_: None)
    with pytest.raises(DefinitionError, match="expected random bodies that can stand"):
        _valid("bug", None, np.random.default_rng(0))


def test_creatures_that_have_evolved_have_names() -> None:
    assert evolved_names()
    assert not set(evolved_names()) & set(builtin_names("creature"))
    for name in evolved_names():
        assert load_creature(name) == load_creature(evolved_folder() / f"{name}.toml")
    shown = json.loads(sim("list", "--json").stdout)["evolved"]
    assert [one["name"] for one in shown] == evolved_names()
    assert all("--seed" in one["summary"] for one in shown)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 3])  # 0: where they have evolved
@pytest.mark.parametrize("name", evolved_names())
def test_those_that_have_evolved_pass_m1_to_m8(name: str, seed: int) -> None:
    world = with_seed(scene("hills", "hexapod", driver="forward 4"), seed)
    world = with_creature(world, load_creature(name))
    with Simulation(world) as simulation:
        from creature_sim.drivers import make_driver

        driver = make_driver(world)
        ((track, metrics),) = score_run(
            simulation, (driver(simulation.snapshot) for _ in range(240))
        )
    assert np.linalg.norm(track.position[-1] - track.position[0]) > 1.0  # of 2.4 m
    failed = [f"M{number}" for number in range(1, 9) if metrics[f"M{number}"].verdict == "fail"]
    assert not failed
    assert all(metrics[f"M{number}"].value is not None for number in range(1, 9))

"""What `creature-sim bench tick` reports."""

import ctypes
import json

import numpy as np
import pytest
from typer.testing import CliRunner

from creature_sim.cli.commands import app
from creature_sim.lab import bench
from creature_sim.lab.bench import MissingError, bench_tick, plain_c, pointer, tick
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation
from creature_sim.systems import SYSTEMS
from tests.commands import sim

SYSTEM_NAMES = {system.__name__ for system in SYSTEMS}


@pytest.fixture
def _few_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "COUNTS", (1, 3))
    monkeypatch.setattr(tick, "TICKS", (2, 5))
    monkeypatch.setattr(tick, "CREATURE_TICKS", 9)
    plain_c.cache_clear()


@pytest.fixture
def _compiler() -> None:
    try:
        plain_c()
    except MissingError as error:
        pytest.skip(str(error))


@pytest.mark.slow
@pytest.mark.usefixtures("_few_ticks", "_compiler")
def test_times_are_what_the_clock_says(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = iter(range(10**9))
    monkeypatch.setattr(tick, "perf_counter", lambda: 1e-3 * next(asked))
    done: list[int] = []
    found = bench_tick(load_world("meadow"), (1, 3), done.append)
    assert (found["world"], found["creature"], found["missing"]) == ("meadow", "hexapod", None)
    assert done == [1, 2]
    for herd, count, ticks in zip(found["herds"], (1, 3), (5, 3), strict=True):
        assert (herd["creatures"], herd["ticks"]) == (count, ticks)
        assert [herd[key] for key in ("mean_ms", "median_ms", "p99_ms")] == [1.0, 1.0, 1.0]
        each = pytest.approx(1000.0 / count, abs=0.01)
        assert herd["us_per_creature"] == each
        assert set(herd["systems"]) == {*SYSTEM_NAMES, "outside"}
        # Between two looks at the clock there is one of its steps: two a system, and one more.
        outside = (len(SYSTEMS) + 1) * 1000.0 / count
        assert herd["systems"].pop("outside") == pytest.approx(outside, abs=0.01)
        assert all(spent == each for spent in herd["systems"].values())
        assert herd["floor_rays"] == herd["floor_legs"] == each  # one batch, legs of one length
        assert herd["ratio"] == 0.5


def test_the_rays_are_those_of_the_ticks(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    step = Simulation.step

    def counting(simulation: Simulation, *given: object) -> None:
        step(simulation, *given)  # type: ignore[arg-type]
        counted.append(simulation.physics.ray_count)

    monkeypatch.setattr(Simulation, "step", counting)
    monkeypatch.setattr(tick, "TICKS", (20, 20))
    ((herd),) = bench_tick(load_world("hills"), (2,))["herds"]
    first = tick.WARM_TICKS - 1
    assert herd["rays"] == pytest.approx((counted[first + 20] - counted[first]) / 40, abs=0.01)
    # Bare batches are not counted: they are no rays of the walk.
    assert counted[-1] - counted[-2] < 2 * counted[-1] / len(counted)


@pytest.mark.usefixtures("_compiler")
def test_plain_c_reaches_its_targets() -> None:
    numbers = np.random.default_rng(1)
    lengths = np.tile([0.2, 0.3, 0.5], (50, 1))
    joints = np.zeros((50, 4, 3))
    joints[:, 1:, 0] = np.cumsum(lengths, axis=1)
    joints[:, 2, 2] = 0.1
    targets = numbers.normal(size=(50, 3))
    targets *= numbers.uniform(0.2, 0.9, (50, 1)) / np.linalg.norm(targets, axis=1, keepdims=True)
    plain_c().solve_all(
        pointer(joints), pointer(lengths), 3, pointer(targets), 50, ctypes.c_double(1e-6), 1000
    )
    assert np.linalg.norm(joints[:, -1] - targets, axis=1).max() < 1e-6
    assert np.allclose(np.linalg.norm(np.diff(joints, axis=1), axis=2), lengths)


@pytest.mark.slow
@pytest.mark.usefixtures("_few_ticks")
def test_without_a_compiler_the_floor_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    try:
        done = CliRunner().invoke(app, ["bench", "tick", "meadow"])
        assert done.exit_code == 0, done.output
        lines = done.stdout.splitlines()
        assert lines[0] == "hexapod, meadow; microseconds a creature and tick"
        assert lines[1].split() == ["1", "3"]
        rows = {line[:20].strip(): line[20:].split() for line in lines[2:-1]}
        assert rows["floor: legs in C"] == rows["tick / floor"] == ["-", "-"]
        assert {*SYSTEM_NAMES, "outside"} < set(rows)
        assert lines[-1] == "no floor for legs: no C compiler"
        found = json.loads(CliRunner().invoke(app, ["bench", "tick", "meadow", "--json"]).stdout)
        assert found["missing"] == "no C compiler"
        assert found["herds"][0]["ratio"] is None
        assert found["herds"][0]["floor_rays"] > 0.0
    finally:
        plain_c.cache_clear()


@pytest.mark.slow
def test_a_world_without_creatures_is_one_message() -> None:
    done = sim("bench", "tick", "arm")
    assert done.returncode == 2
    assert done.stderr == "error: arm: expected a world with creatures, found none\n"

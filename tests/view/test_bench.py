"""What `creature-sim bench view` reports."""

import json

import numpy as np
import pytest
from typer.testing import CliRunner

from creature_sim.cli.commands import app
from creature_sim.definitions.crowds import crowd_of
from creature_sim.errors import DisplayUnavailable
from creature_sim.library.loader import load_world
from creature_sim.view import bench
from creature_sim.view.gl.display import open_offscreen
from tests.commands import sim


@pytest.fixture
def _few_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        open_offscreen().close()
    except DisplayUnavailable as error:
        pytest.skip(str(error))
    monkeypatch.setattr(bench, "COUNTS", (1, 5))
    monkeypatch.setattr(bench, "WARM_TICKS", 5)
    monkeypatch.setattr(bench, "FRAMES", 3)
    monkeypatch.setattr(bench, "HERD_FRAMES", 2)


class Slowing:
    """A clock whose n-th frame takes n milliseconds: it is asked before and after a frame."""

    def __init__(self) -> None:
        self.asked, self.now = 0, 0.0

    def __call__(self) -> float:
        self.asked += 1
        if self.asked % 2 == 0:
            self.now += 1e-3 * (self.asked // 2)
        return self.now


@pytest.mark.slow
@pytest.mark.usefixtures("_few_frames")
def test_a_frame_takes_what_the_clock_says_and_the_first_does_not_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(bench, "perf_counter", Slowing())
    done: list[int] = []
    found = bench.bench_view(load_world("meadow"), (1, 3), done.append)
    # Of 1 + 3 frames the first is left out; the clock slows down on and on.
    assert found["one"]["plain"] == {"fps": 333.3, "min_ms": 2.0, "median_ms": 3.0}
    assert found["one"]["shadows"] == {"fps": 142.9, "min_ms": 6.0, "median_ms": 7.0}
    assert found["herd"] == [
        {"creatures": 1, "min_ms": 10.0, "median_ms": 10.5},
        {"creatures": 3, "min_ms": 13.0, "median_ms": 13.5},
    ]
    assert done == [1, 2, 3, 4]


@pytest.mark.slow
@pytest.mark.usefixtures("_few_frames")
def test_bench_view_reports_frames_and_the_cost_of_herds() -> None:
    done = CliRunner().invoke(app, ["bench", "view", "meadow", "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["world"], found["size"]) == ("meadow", [1280, 720])
    assert found["renderer"]
    for name in ("plain", "shadows"):
        assert 0.0 < found["one"][name]["min_ms"] <= found["one"][name]["median_ms"]
    assert [row["creatures"] for row in found["herd"]] == [1, 5]
    assert all(0.0 < row["min_ms"] <= row["median_ms"] for row in found["herd"])


@pytest.mark.slow
@pytest.mark.usefixtures("_few_frames")
def test_bench_view_prints_a_table() -> None:
    done = CliRunner().invoke(app, ["bench", "view"])
    assert done.exit_code == 0, done.output
    lines = done.stdout.splitlines()
    assert lines[0].startswith("1280 x 720, ")
    assert [line[:18].strip() for line in lines[2:]] == [
        "one, no shadows",
        "one, with shadows",
        "herd of 1",
        "herd of 5",
    ]


@pytest.mark.slow
def test_bench_view_of_a_world_without_creatures_is_one_message() -> None:
    done = sim("bench", "view", "arm")
    assert done.returncode == 2
    assert done.stderr == "error: arm: expected a world with creatures, found none\n"


@pytest.mark.slow
@pytest.mark.parametrize("count", [1, 2, 10, 100, 1000, 2500])
def test_a_herd_fits_on_the_ground(count: int) -> None:
    herd = crowd_of(load_world("hills"), count)
    places = np.array([placement.position for placement in herd.creatures])
    assert len(places) == count
    assert abs(places).max() <= 30.0
    gaps = np.linalg.norm(places[:, None] - places, axis=-1) + 99.0 * np.eye(count)
    assert gaps.min() >= (1.79 if count <= 1000 else 1.15)  # no two stand in each other

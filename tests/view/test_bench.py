"""What `creature-sim bench view` reports."""

import json

import pytest
from typer.testing import CliRunner

from creature_sim.cli import app
from creature_sim.errors import DisplayUnavailable
from creature_sim.view import bench
from creature_sim.view.gl.display import open_offscreen
from tests.commands import process


@pytest.fixture
def _few_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        open_offscreen().close()
    except DisplayUnavailable as error:
        pytest.skip(str(error))
    monkeypatch.setattr(bench, "COUNTS", (1, 5))
    monkeypatch.setattr(bench, "FRAMES", 3)
    monkeypatch.setattr(bench, "HERD_FRAMES", 2)


@pytest.mark.slow
@pytest.mark.usefixtures("_few_frames")
def test_bench_view_reports_fps_and_the_cost_of_herds() -> None:
    done = CliRunner().invoke(app, ["bench", "view", "meadow", "--json"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["world"], found["size"]) == ("meadow", [1280, 720])
    assert found["renderer"]
    for name in ("plain", "shadows"):
        row = found["one"][name]
        assert 0.0 < row["min_ms"] <= row["median_ms"]
        assert row["fps"] == pytest.approx(1000.0 / row["median_ms"], rel=0.05)
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
    done = process("bench", "view", "arm")
    assert done.returncode == 2
    assert done.stderr == "error: arm: expected a world with creatures, found none\n"


@pytest.mark.parametrize("count", [1, 2, 10, 100, 1000])
def test_a_herd_fits_on_the_ground(count: int) -> None:
    from creature_sim.library.loader import load_world

    herd = bench.herd_of(load_world("hills"), count)
    places = [placement.position for placement in herd.creatures]
    assert len(set(places)) == count
    assert max(abs(part) for place in places for part in place) <= 30.0

"""Files that are edited while their world runs."""

import json
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from creature_sim.definitions import WorldDef
from creature_sim.drivers import Driver
from creature_sim.inputs import Input
from creature_sim.library.loader import builtin_folder, files_of, load_world
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.terrain.traits import planet_in
from creature_sim.view.shows.live import LiveShow
from creature_sim.view.shows.source import Source, moved_on
from tests.scenes import heading_of
from tests.windows import App, Screen, wait

WORLD = """
name = "own"
seed = 3
[terrain]
kind = "flat"
[[creatures]]
creature = "bug.toml"
position = [1.0, -2.0]
heading = 0.5
"""
BUG = (builtin_folder("creature") / "hexapod.toml").read_text()
SLOW = BUG.replace('name = "hexapod"', 'name = "snail"')


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "bug.toml").write_text(BUG)
    (tmp_path / "own.toml").write_text(WORLD)
    return tmp_path / "own.toml"


def _load(file: Path) -> Callable[[], tuple[WorldDef, Driver | None]]:
    return lambda: (load_world(file), None)


def _walking(simulation: Simulation, source: Source) -> LiveShow:
    show = LiveShow(simulation, source=source)
    show.press("forward", False)
    show.press("left", False)
    for _ in range(90):
        show.advance(1 / 60)
    return show


def _until(show: LiveShow, is_done: Callable[[], bool]) -> None:
    for _ in range(60):
        show.advance(1 / 60)
        if is_done():
            return
    raise AssertionError(f"waited in vain: {show.notice}")


def test_only_files_of_the_users_own_are_watched(file: Path) -> None:
    assert files_of("world", "hills") == []
    assert files_of("creature", "hexapod") == []
    assert files_of("world", str(file)) == [file, file.parent / "bug.toml"]


@pytest.mark.slow
def test_an_edited_creature_goes_on_where_it_is(file: Path) -> None:
    with Simulation(load_world(file)) as simulation:
        source = Source(files_of("world", str(file)), _load(file))
        show = _walking(simulation, source)
        before = simulation.snapshot.creatures[0]
        (file.parent / "bug.toml").write_text(SLOW)
        _until(show, lambda: show.simulation is not simulation)
        after = show.simulation.snapshot.creatures[0]
        assert after.definition.name == "snail"
        assert after.position[:2] == pytest.approx(before.position[:2], abs=0.25)
        assert heading_of(after.orientation) == pytest.approx(
            heading_of(before.orientation), abs=0.4
        )
        assert "applied" in show.notice
        for _ in range(60):  # and the held keys still lead it
            show.advance(1 / 60)
        assert show.simulation.tick >= 55
        moved = show.simulation.snapshot.creatures[0].position - after.position
        assert np.hypot(*moved[:2]) > 0.1
        show.close()


class _Log:
    """What drove the ticks since the last first one."""

    def __init__(self) -> None:
        self.inputs: list[Input] = []

    def write(self, given: Input, snapshot: Snapshot) -> None:
        self.inputs = [*self.inputs[: snapshot.tick - 1], given]


@pytest.mark.slow
def test_what_runs_after_a_change_can_be_repeated_to_the_bit(file: Path) -> None:
    log = _Log()
    with Simulation(load_world(file)) as simulation:
        show = LiveShow(simulation, sinks=[log], source=Source([file], _load(file)))
        show.press("forward", False)
        for _ in range(60):
            show.advance(1 / 60)
        file.write_text(WORLD + "\n# saved again\n")
        _until(show, lambda: show.simulation is not simulation)
        for _ in range(60):
            show.advance(1 / 60)
        with Simulation(show.world) as again:
            for given in log.inputs:
                again.step(given)
            assert again.tick == show.simulation.tick > 50
            assert again.digest == show.simulation.digest
        show.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (WORLD.replace("[terrain]", "[terrain"), "expected TOML"),
        (WORLD.replace('"flat"', '"lava"'), "kind"),
        (WORLD + '[[creatures]]\ncreature = "bug.toml"\nposition = [4.0, 4.0]\n', "again"),
    ],
)
def test_a_wrong_file_is_told_and_the_old_one_walks_on(file: Path, text: str, said: str) -> None:
    with Simulation(load_world(file)) as simulation:
        show = _walking(simulation, Source([file], _load(file)))
        file.write_text(text)
        tick = simulation.tick
        _until(show, lambda: show.notice.startswith("not applied"))
        assert said in show.notice
        for _ in range(30):
            show.advance(1 / 60)
        assert show.simulation is simulation
        assert simulation.tick > tick + 20
        file.write_text(WORLD + "\n# right again\n")
        _until(show, lambda: show.simulation is not simulation)
        show.close()


@pytest.mark.slow
def test_a_start_that_was_edited_is_where_it_goes(file: Path) -> None:
    with Simulation(load_world(file)) as simulation:
        show = _walking(simulation, Source([file], _load(file)))
        file.write_text(WORLD.replace("[1.0, -2.0]", "[5.0, 6.0]"))
        _until(show, lambda: show.simulation is not simulation)
        assert show.world.creatures[0].position == (5.0, 6.0)
        show.close()


@pytest.mark.slow
def test_what_goes_on_from_the_rim_of_a_planet_is_still_on_it() -> None:
    world = load_world("planet")
    planet = planet_in(world.terrain)
    assert planet is not None
    with Simulation(world) as simulation:
        for _ in range(60 * 10):
            simulation.step()
        before = simulation.snapshot.creatures[0].position
        assert before[0] > planet.radius  # body and all, it reaches out farther
        moved = moved_on(world, world, simulation.snapshot)
    with Simulation(moved) as simulation:
        for _ in range(60):
            simulation.step()
        tips = simulation.snapshot.creatures[0].tips
        out = np.linalg.norm(tips - np.array(planet.centre), axis=1)
        assert out == pytest.approx(np.full(len(out), planet.radius), abs=0.1)


def test_a_run_that_is_recorded_stays_one_world(file: Path) -> None:
    with Simulation(load_world(file)) as simulation:
        show = _walking(simulation, Source([file], _load(file), is_recorded=True))
        file.write_text(WORLD + "\n# saved again\n")
        _until(show, lambda: "recorded" in show.notice)
        assert show.simulation is simulation


RUN = "from creature_sim.cli import main; main()"


def is_changed(screen: Any, before: Any) -> bool:
    return bool((screen.picture() != before).mean() > 1e-4)


@pytest.mark.slow
def test_a_window_shows_what_an_editor_saves(screen: Screen, file: Path) -> None:
    app = App(screen, RUN, "run", str(file), "--json")
    try:
        screen.do("key", "p")
        app.still()
        for text in (BUG.replace("size = [0.56", "size = [0.86"), "broken ["):
            before = screen.picture()
            (file.parent / "bug.toml").write_text(text)
            wait(partial(is_changed, screen, before))
            app.still()
        screen.do("key", "Escape")
        summary = json.loads(app.finish())
    finally:
        app.kill()
    assert summary["world"] == "own"
    assert summary["creatures"][0]["end"][:2] == pytest.approx([1.0, -2.0], abs=0.2)

"""Sliders for the numbers of a creature's file, and metrics while it walks."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import tomlkit

from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError, OutputError
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import (
    builtin_folder,
    builtin_names,
    files_of,
    load_creature,
    load_world,
    written_creature,
    written_species,
)
from creature_sim.replay import Recorder, verify
from creature_sim.score import Metric, score_run
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.view.shows.gauges import SECONDS, Gauges
from creature_sim.view.shows.live import LiveShow
from creature_sim.view.shows.source import Source
from creature_sim.view.shows.tuning import Knob, Tuning
from tests.windows import App, Screen, lines_of, wait

BUG = (builtin_folder("creature") / "hexapod.toml").read_text()
WORLD = """
name = "own"
seed = 3
[terrain]
kind = "flat"
[[creatures]]
creature = "bug.toml"
"""
INLINE = """
name = "inline"
seed = 3
[terrain]
kind = "flat"
[[creatures]]
creature = "own-bug"
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "bug.toml").write_text(BUG)
    (tmp_path / "own.toml").write_text(WORLD)
    return tmp_path / "own.toml"


def _knob(tuning: Tuning, label: str) -> Knob:
    (found,) = [knob for knob in tuning.knobs if knob.label == label]
    return found


def _source(file: Path, is_recorded: bool = False) -> Source:
    return Source(
        files_of("world", str(file)),
        lambda: (load_world(file), None),
        is_recorded=is_recorded,
        plans=lambda: written_species(file),
    )


# --- the file ---------------------------------------------------------------------------------


def _count(found: object) -> int:
    if isinstance(found, dict):
        return sum(map(_count, found.values()))
    if isinstance(found, list):
        return sum(map(_count, found))
    return isinstance(found, int | float) and not isinstance(found, bool)


@pytest.mark.parametrize("name", builtin_names("creature"))
def test_every_number_of_a_file_is_on_a_slider_that_holds_it(name: str) -> None:
    written = written_creature(name)
    tuning = Tuning(written)
    assert len(tuning.knobs) == _count(tomlkit.parse(written.path.read_text()).unwrap())
    assert len({knob.label for knob in tuning.knobs}) == len(tuning.knobs)
    for knob in tuning.knobs:
        assert knob.low <= tuning.value(knob) <= knob.high
        assert knob.low < knob.high
    assert tuning.plan() == load_creature(name)
    assert not tuning.is_changed


def test_a_note_beside_a_number_is_shown_with_it(file: Path) -> None:
    tuning = Tuning(written_creature(file.parent / "bug.toml"))
    assert _knob(tuning, "body.ride_height").note == "centre of the body above the ground [m]"
    assert _knob(tuning, "body.size[1]").note == "length, width, height [m]"
    assert _knob(tuning, "leg_pairs[0].bones[2]").note == "coxa, femur, tibia"


def test_what_is_saved_differs_in_the_number_alone(file: Path) -> None:
    path = file.parent / "bug.toml"
    tuning = Tuning(written_creature(path))
    tuning.set(_knob(tuning, "body.ride_height"), 0.31)
    tuning.set(_knob(tuning, "leg_pairs[2].home[0]"), -0.38)
    tuning.save()
    assert not tuning.is_changed
    wanted = BUG.replace("ride_height = 0.26 ", "ride_height = 0.31 ")
    wanted = wanted.replace("home = [-0.40, 0.38]", "home = [-0.38, 0.38]")
    assert path.read_text() == wanted
    assert load_creature(path) == tuning.plan()
    assert sorted(each.name for each in file.parent.iterdir()) == ["bug.toml", "own.toml"]


def test_numbers_that_make_no_creature_are_told_and_not_saved(file: Path) -> None:
    path = file.parent / "bug.toml"
    tuning = Tuning(written_creature(path))
    tuning.set(_knob(tuning, "body.ride_height"), 0.9)  # beyond the legs
    with pytest.raises(DefinitionError, match="of the reach of leg_pairs"):
        tuning.save()
    assert "of the reach of leg_pairs" in tuning.problem
    assert path.read_text() == BUG
    tuning.set(_knob(tuning, "body.ride_height"), 0.3)
    tuning.save()
    assert tuning.problem == ""


def test_a_built_in_creature_becomes_a_file_of_ones_own_but_replaces_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    before = (builtin_folder("creature") / "hexapod.toml").read_text()
    tuning = Tuning(written_creature("hexapod"))
    tuning.set(_knob(tuning, "motion.speed"), 0.5)
    tuning.save()
    tuning.set(_knob(tuning, "motion.speed"), 0.6)
    tuning.save()  # its own by now
    assert load_creature("./hexapod.toml").motion.speed == 0.6
    assert (builtin_folder("creature") / "hexapod.toml").read_text() == before
    other = Tuning(written_creature("hexapod"))
    other.set(_knob(other, "motion.speed"), 0.1)
    with pytest.raises(OutputError, match="found one"):
        other.save()
    assert load_creature("./hexapod.toml").motion.speed == 0.6


def test_a_plan_in_a_worlds_own_file_is_changed_there(tmp_path: Path) -> None:
    table = tomlkit.parse(BUG)
    text = tomlkit.parse(INLINE)
    text["species"] = {"own-bug": table.unwrap()}
    path = tmp_path / "inline.toml"
    path.write_text("# mine\n" + text.as_string())
    tuning = Tuning(written_species(path)["own-bug"])
    tuning.set(_knob(tuning, "motion.speed"), 0.44)
    tuning.save()
    assert load_world(path).species["own-bug"].motion.speed == 0.44
    assert path.read_text().startswith("# mine\n")


# --- a world that runs ------------------------------------------------------------------------


class _Log:
    """What drove the ticks since the last first one."""

    def __init__(self) -> None:
        self.inputs: list[Input] = []

    def write(self, given: Input, snapshot: Snapshot) -> None:
        self.inputs = [*self.inputs[: snapshot.tick - 1], given]


def _proven(world: WorldDef, inputs: list[Input], path: Path) -> str:
    """Digest of a run that was recorded and verified."""
    with Simulation(world) as simulation, Recorder(path, simulation) as recorder:
        for given in inputs:
            simulation.step(given)
            recorder.write(given, simulation.snapshot)
        digest = simulation.digest
    result = verify(path)
    assert result.ok is True
    assert result.digest == digest
    return digest


@pytest.mark.slow
def test_a_changed_number_goes_on_where_it_is_and_what_follows_verifies(
    file: Path, tmp_path: Path
) -> None:
    log = _Log()
    with Simulation(load_world(file)) as simulation:
        show = LiveShow(simulation, sinks=[log], source=_source(file))
        show.press("forward", False)
        for _ in range(60):
            show.advance(1 / 60)
        before = simulation.snapshot.creatures[0].position
        tuning = show.tuning
        assert tuning is not None
        tuning.set(_knob(tuning, "body.size[0]"), 0.7)
        show.retune()
        assert show.simulation is not simulation
        assert show.tuning is tuning  # what is not saved yet stays on the sliders
        assert show.world.species_of(show.world.creatures[0]).body.size[0] == 0.7
        after = show.simulation.snapshot.creatures[0].position
        assert after[:2] == pytest.approx(before[:2], abs=1e-9)
        for _ in range(60):
            show.advance(1 / 60)
        assert _proven(show.world, log.inputs, tmp_path / "run.mcap") == show.simulation.digest
        show.save_tuning()
        running = show.simulation
        for _ in range(60):
            show.advance(1 / 60)
        assert show.simulation is running  # what was saved runs already
        assert load_creature(file.parent / "bug.toml").body.size[0] == 0.7
        show.close()


def test_numbers_that_make_no_creature_are_told_and_the_old_one_walks_on(file: Path) -> None:
    with Simulation(load_world(file)) as simulation:
        show = LiveShow(simulation, source=_source(file))
        tuning = show.tuning
        assert tuning is not None
        tuning.set(_knob(tuning, "body.ride_height"), 0.9)
        show.retune()
        show.save_tuning()
        show.advance(1 / 60)
        assert "of the reach of leg_pairs" in show.notice
        assert show.simulation is simulation
        show.undo_tuning()
        assert show.simulation.world.species == simulation.world.species
        assert show.tuning is not None
        assert show.tuning.problem == ""
        show.close()


def test_a_run_that_is_recorded_keeps_its_numbers(file: Path) -> None:
    with Simulation(load_world(file)) as simulation:
        show = LiveShow(simulation, source=_source(file, is_recorded=True))
        tuning = show.tuning
        assert tuning is not None
        tuning.set(_knob(tuning, "motion.speed"), 0.2)
        show.retune()
        assert "recorded" in show.notice
        assert show.simulation is simulation
        assert show.tuning is not None
        assert show.tuning.value(_knob(tuning, "motion.speed")) == 0.7


# --- metrics ----------------------------------------------------------------------------------


@cache
def gauged() -> tuple[Gauges, dict[str, Metric]]:
    """Gauges after a walk, and the score of the same one, which they left alone."""
    world = load_world("hills")
    inputs = [Input.of([(1.0, 0.0)])] * 300
    gauges = Gauges(0, world.tick_rate)
    with Simulation(world) as simulation:
        for given in inputs:
            simulation.step(given)
            gauges.add(simulation.snapshot)
            if simulation.tick < 60:
                assert gauges.readings == {}
        digest = simulation.digest
    with Simulation(world) as simulation:
        ((_, scores),) = score_run(simulation, inputs)
        assert simulation.digest == digest
    assert len(inputs) == SECONDS * world.tick_rate
    return gauges, scores


@pytest.mark.slow
def test_gauges_agree_with_the_score_and_leave_the_walk_alone() -> None:
    gauges, scores = gauged()
    assert gauges.readings.keys() <= scores.keys()
    for number, reading in gauges.readings.items():
        assert reading.verdict == scores[number].verdict


@pytest.mark.slow
@pytest.mark.parametrize("number", ["M9", "M11", "M20"])
def test_gauges_read_what_the_score_measures(number: str) -> None:
    gauges, scores = gauged()
    assert gauges.readings[number].value == pytest.approx(scores[number].value, abs=0.02)


# --- a real window ----------------------------------------------------------------------------

LIVE = """
import json, sys
from creature_sim.library.loader import files_of, load_world, written_species
from creature_sim.simulation import Simulation
from creature_sim.view.open import show_simulation
from creature_sim.view.shows.source import Source

class Log:
    def __init__(self, file):
        self.file = file
    def write(self, given, snapshot):
        events = [(event.kind, event.creature) for event in given.events]
        line = {"tick": snapshot.tick, "commands": given.commands, "events": events,
                "length": snapshot.creatures[0].definition.body.size[0]}
        print(json.dumps(line), file=self.file, flush=True)

path = sys.argv[1]
source = Source(files_of("world", path), lambda: (load_world(path), None),
                plans=lambda: written_species(path))
with open(sys.argv[2], "w") as file, Simulation(load_world(path)) as simulation:
    last = show_simulation(simulation, None, [Log(file)], source=source)
    print(json.dumps({"world": last.world.model_dump_json(), "digest": last.snapshot.digest}))
"""
GRAB = (61, 133, 224)
"""Colour of what is dragged on a slider."""


def _first_grab(screen: Screen) -> tuple[int, int]:
    """Where the handle of the first slider is on the screen [px]."""
    shown = screen.picture()[..., ::-1].astype(int)
    rows, columns = np.nonzero((np.abs(shown - np.array(GRAB)) < 6).all(axis=-1))
    assert len(rows)
    first = rows < rows.min() + 8
    return int(columns[first].mean()), int(rows[first].mean())


@pytest.mark.slow
def test_a_slider_is_dragged_and_saved_with_the_mouse(
    screen: Screen, file: Path, tmp_path: Path
) -> None:
    pytest.importorskip("imgui_bundle", reason="the panel is an extra")
    log = tmp_path / "log"
    app = App(screen, LIVE, file, log)
    try:
        screen.do("windowsize", "--sync", app.window, 640, 400)
        screen.do("windowmove", app.window, 0, 0)
        screen.do("key", "F9")
        wait(lambda: bool((np.abs(screen.picture()[..., ::-1] - np.array(GRAB)) < 6).all(-1).any()))
        x, y = _first_grab(screen)
        screen.do("mousemove", x, y, "sleep", 0.2, "mousedown", 1, "sleep", 0.2)
        screen.do("mousemove_relative", "--sync", 12, 0, "sleep", 0.2)
        assert lines_of(log)[-1]["length"] == 0.56  # not before the mouse lets go
        screen.do("mouseup", 1)
        wait(lambda: lines_of(log)[-1]["length"] != 0.56, 30.0)
        length = lines_of(log)[-1]["length"]
        assert 0.56 < length < 1.4
        wait(lambda: len(lines_of(log)) > 0 and lines_of(log)[-1]["tick"] > 30)
        assert (file.parent / "bug.toml").read_text() == BUG
        left = 640 - 380 - 12
        screen.do("mousemove", left + 26, y - 102, "sleep", 0.2, "click", 1)
        wait(lambda: (file.parent / "bug.toml").read_text() != BUG)
        screen.do("key", "Escape")
        ended = json.loads(app.finish())
    finally:
        app.kill()
    saved = (file.parent / "bug.toml").read_text()
    assert saved == BUG.replace("size = [0.56,", f"size = [{length},")
    lines = lines_of(log)
    start = max(place for place, line in enumerate(lines) if line["tick"] == 1)
    inputs = [
        Input(tuple(map(tuple, line["commands"])), tuple(Event(*each) for each in line["events"]))
        for line in lines[start:]
    ]
    world = WorldDef.model_validate_json(ended["world"])
    assert _proven(world, inputs, tmp_path / "run.mcap") == ended["digest"]


WITHOUT = """
import sys
sys.modules["imgui_bundle"] = None
from creature_sim.cli import main
main()
"""


@pytest.mark.slow
def test_without_the_extra_the_window_says_so(screen: Screen, file: Path) -> None:
    app = App(screen, WITHOUT, "run", str(file), "--json")
    try:
        screen.do("key", "p")
        app.still()
        app.changes("key", "F9")  # a line appears
        screen.do("key", "Escape")
        summary = json.loads(app.finish())
    finally:
        app.kill()
    assert summary["world"] == "own"

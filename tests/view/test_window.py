"""The window under real keys, and what it says where there can be none."""

import time
from functools import partial
from math import cos, pi, sin
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from creature_sim.inputs import FULL, RUN, Event, Input
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation
from tests.scenes import heading_of
from tests.shows import WALKING
from tests.windows import App, Screen, ask_to_close, last_of, lines_of, own_screen, wait

pytestmark = pytest.mark.slow

WORLD = """
name = "two"
seed = 11
driver = "wander"
[terrain]
kind = "hills"
amplitude = 0.3
wavelength = 9.0
octaves = 3
gain = 0.4
[[creatures]]
creature = "hexapod"
[[creatures]]
creature = "spider4"
position = [0.0, 2.0]
"""

LIVE = """
import json, sys
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation
from creature_sim.view.open import show_simulation

class Log:
    def __init__(self, file):
        self.file = file
    def write(self, given, snapshot):
        bodies = [(*c.position.tolist(), *c.orientation.tolist()) for c in snapshot.creatures]
        events = [(event.kind, event.creature) for event in given.events]
        line = {"tick": snapshot.tick, "commands": given.commands, "events": events,
                "bodies": bodies}
        print(json.dumps(line), file=self.file, flush=True)

with open(sys.argv[2], "w") as file, Simulation(load_world(sys.argv[1])) as simulation:
    show_simulation(simulation, None, [Log(file)])
    print(simulation.digest)
"""

REPLAY = """
import sys
from types import SimpleNamespace
from creature_sim.drivers import make_driver
from creature_sim.library.loader import load_world
from creature_sim.snapshots.poses import pose_of
from creature_sim.simulation import Simulation
from creature_sim.view.open import show_replay

world = load_world(sys.argv[1])
drive = make_driver(world, "forward 60")
poses = []
with Simulation(world) as simulation:
    for tick in range(600):
        if tick % 6 == 0:
            poses.append(pose_of(simulation.snapshot))
        simulation.step(drive(simulation.snapshot))
first, other = (
    SimpleNamespace(world=world, tick_rate=60, poses=part, events=())
    for part in (poses, poses[30:])
)
show_replay(first, other)
"""


def test_the_window_obeys_real_keys_and_what_it_did_can_be_repeated(
    screen: Screen, tmp_path: Path
) -> None:
    file, log = tmp_path / "two.toml", tmp_path / "log"
    file.write_text(WORLD)
    app = App(screen, LIVE, file, log)
    try:
        _drive(screen, app, log)
        screen.do("key", "Escape")
        digest = app.finish()
    finally:
        app.kill()
    with Simulation(load_world(file)) as simulation:  # the same ticks without a window
        for line in lines_of(log):
            commands = tuple(tuple(command) for command in line["commands"])
            events = tuple(Event(kind, creature) for kind, creature in line["events"])
            simulation.step(Input(commands, events))
        assert simulation.digest == digest


def _drive(screen: Screen, app: App, log: Path) -> None:
    wait(lambda: len(lines_of(log)) > 5)
    start = lines_of(log)[0]["bodies"]
    standing = screen.picture()

    screen.do("keydown", "Up")  # walk
    wait(lambda: _ahead(start[0], last_of(log)["bodies"][0]) > 0.35)
    screen.do("keyup", "Up")
    assert (screen.picture() != standing).mean() > 0.01

    heading = heading_of(last_of(log)["bodies"][0][3:])  # turn
    screen.do("keydown", "Left")
    wait(lambda: 0.25 < (heading_of(last_of(log)["bodies"][0][3:]) - heading) % (2 * pi) < pi)
    screen.do("keyup", "Left")
    assert last_of(log)["bodies"][1][:2] == pytest.approx(start[1][:2], abs=0.02)

    screen.do("keydown", "Up")  # stop, although a key is held
    wait(lambda: last_of(log)["commands"][0] == [WALKING, 0, 0, 0])
    screen.do("keydown", "Shift_L")  # as fast as it can
    wait(lambda: last_of(log)["commands"][0] == [round(RUN * FULL), 0, 0, 0])
    screen.do("keyup", "Shift_L")
    screen.do("key", "space")
    wait(lambda: last_of(log)["commands"][0] == [0, 0, 0, 0])
    screen.do("keyup", "Up")

    screen.do("key", "Tab")  # the other creature
    screen.do("keydown", "Down")
    wait(lambda: last_of(log)["commands"] == [[0, 0, 0, 0], [-WALKING, 0, 0, 0]])
    root = screen.do("search", "--maxdepth", 0, "--name", ".*") or "0"
    screen.do("windowfocus", root.splitlines()[0])  # keys go elsewhere: they count as released
    wait(lambda: last_of(log)["commands"] == [[0, 0, 0, 0], [0, 0, 0, 0]])
    screen.do("keyup", "Down")
    screen.do("windowfocus", app.window)

    screen.do("key", "Tab")
    screen.do("click", 1)  # where the mouse is, on the ground: go there, until a key says otherwise
    wait(lambda: last_of(log)["commands"][0] != [0, 0, 0, 0])
    assert last_of(log)["commands"][1] == [0, 0, 0, 0]
    screen.do("key", "space")
    wait(lambda: last_of(log)["commands"][0] == [0, 0, 0, 0])

    screen.do("key", "r")  # back to the start
    wait(lambda: any(line["events"] == [["reset", 0], ["reset", 1]] for line in lines_of(log)))
    wait(lambda: np.allclose(last_of(log)["bodies"], start, atol=0.02))

    screen.do("key", "p")  # nothing moves any more
    app.still()
    ticks = len(lines_of(log))
    app.changes("key", "F1")
    app.changes("key", "F1")
    app.changes("key", "c", "key", "c")  # over orbit, which starts where it is, to the side
    app.changes("key", "c")  # the top
    app.changes("key", "c")  # behind it again
    app.changes("key", "o")
    app.changes("key", "o")
    app.changes("click", "--repeat", 3, 4)
    app.changes("mousedown", 1, "mousemove_relative", "--sync", 90, 40, "mouseup", 1)
    app.changes("windowsize", app.window, 400, 300)
    app.changes("key", "o")  # now all of the window is on the screen
    for name in ("F2", "F3", "F4", "F5", "F6", "F7"):
        app.changes("key", name)
    app.changes("key", "o")
    screen.do("windowunmap", app.window)  # what minimising does to a window
    time.sleep(0.3)
    screen.do("windowmap", app.window, "windowfocus", app.window)
    time.sleep(0.3)
    assert len(lines_of(log)) == ticks
    screen.do("key", "p")
    wait(lambda: len(lines_of(log)) > ticks + 10)


def test_a_replay_is_scrubbed_with_real_keys_and_closed_by_the_window_manager(
    screen: Screen, tmp_path: Path
) -> None:
    file = tmp_path / "two.toml"
    file.write_text(WORLD)
    app = App(screen, REPLAY, file)
    try:
        screen.do("key", "space")
        app.still()
        app.changes("key", "End")
        app.changes("key", "Home")
        app.changes("key", "shift+Right")
        app.changes("key", "g")
        app.changes("key", "g")
        app.changes("key", "Tab")
        size = screen.do("getwindowgeometry", "--shell", app.window)
        height = int(dict(line.split("=") for line in size.splitlines())["HEIGHT"])
        app.changes(
            *("mousemove", "--window", app.window, 300, height - 16),
            *("mousedown", 1, "mousemove_relative", "--sync", 200, 0, "mouseup", 1),
        )
        app.changes("windowsize", app.window, 400, 300)
        app.still()
        for is_split in (True, False):  # a line between two halves, and none
            screen.do("key", "b")
            wait(partial(has_line, screen, is_split))
            app.still()
        app.changes("key", "plus", "key", "space")
        ask_to_close(screen.display, int(app.window))
        app.finish()
    finally:
        app.kill()


def test_a_window_whose_display_goes_away_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text(WORLD)
    with own_screen(tmp_path) as own:
        app = App(own, LIVE, file, tmp_path / "log")
        try:
            own.server.terminate()
            _, errors = app.process.communicate(timeout=20)
        finally:
            app.kill()
    assert app.process.returncode == 2
    assert len(errors.splitlines()) == 1
    assert "the window is lost" in errors


def test_text_is_twice_as_large_where_there_are_twice_as_many_dots(tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text(WORLD)
    heights = {}
    for dpi in (96, 192):
        with own_screen(tmp_path, dpi) as own:
            app = App(own, LIVE, file, tmp_path / "log")
            try:
                size = own.do("getwindowgeometry", "--shell", app.window)
                picture = own.picture()[: 34 * dpi // 96, :300].max(axis=2)
                own.do("key", "Escape")
                app.finish()
            finally:
                app.kill()
        assert f"WIDTH={1280 * dpi // 96}" in size
        rows = np.flatnonzero((picture > 225).any(axis=1))  # of the line of text at the top
        heights[dpi] = int(rows.max() - rows.min()) + 1
    assert heights[96] >= 9
    assert 1.7 < heights[192] / heights[96] < 2.5


def _ahead(start: list[float], now: list[float]) -> float:
    """Way along where the creature faced at the start [m]."""
    heading = heading_of(start[3:])
    return (now[0] - start[0]) * cos(heading) + (now[1] - start[1]) * sin(heading)


def has_line(screen: Any, is_there: bool) -> bool:
    """Whether there is a dark line across the picture, or none."""
    return bool((screen.picture()[60:240, 199:201].max() < 40) == is_there)

"""Creatures that come and go while a window shows them."""

import json
from pathlib import Path

import numpy as np
import pytest

from creature_sim.definitions import PlacementDef, WorldDef
from creature_sim.drivers import Driver
from creature_sim.export.display_list import DisplayList
from creature_sim.export.page import page_of
from creature_sim.figures.creatures import Figures
from creature_sim.figures.shapes import LEVELS
from creature_sim.figures.subjects import is_there
from creature_sim.figures.trail import Trail
from creature_sim.inputs import Event, Input, quantised
from creature_sim.library.loader import load_creature, load_world
from creature_sim.replay import Recorder, Replay, open_replay
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.view.shows.keyboard import Keyboard
from creature_sim.view.shows.live import LiveShow
from creature_sim.view.shows.player import ReplayShow
from tests.scenes import herd
from tests.windows import App, Screen, last_of, lines_of, wait

FRAME = 1 / 60


def spawning(number: int, name: str, y: float, *, alone: bool = False) -> Event:
    """A creature comes to the world's left."""
    placement = PlacementDef(creature=name, position=(0.0, y), alone=alone)
    return Event("spawn", number, definition=load_creature(name), placement=placement)


def by_tick(events: dict[int, list[Event]], forward: float = 0.5) -> Driver:
    """All walk forward, and things happen."""

    def drive(snapshot: Snapshot) -> Input:
        mine = tuple(events.get(snapshot.tick, ()))
        count = snapshot.creature_count + sum(event.kind == "spawn" for event in mine)
        return Input((quantised(forward),) * count, mine)

    return drive


COMINGS = {
    10: [spawning(1, "spider4", 1.5)],
    20: [spawning(2, "hexapod", -1.5)],
    40: [Event("remove", 0)],
    50: [spawning(3, "spider4", 3.0, alone=True)],
    60: [Event("remove", 2)],
}


@pytest.fixture(scope="module")
def comings(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    """A recording of all of them."""
    path = tmp_path_factory.mktemp("comings") / "comings.mcap"
    with Simulation(load_world("meadow")) as simulation, Recorder(path, simulation) as recorder:
        session = Session(simulation, by_tick(COMINGS), [recorder])
        for _ in range(90):
            session.advance()
    return open_replay(path)


# --- live -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_driver_may_let_creatures_come_and_go_in_a_window() -> None:
    with Simulation(load_world("meadow")) as simulation:
        show = LiveShow(simulation, by_tick(COMINGS))
        trail, seen = Trail(show.world), set()
        for _ in range(120):
            pose = show.advance(FRAME)
            trail.populate(show.world)
            trail.add(pose)
            seen.add(show.selected)
            assert is_there(pose, show.selected) or abs(pose.tick - 40) < 2
            figures = Figures(show.world)
            levels = np.zeros(len(show.world.creatures), np.int64)
            solids = figures.solids(pose, levels[: pose.creature_count])[0]
            trunks = sum(len(herd.members) for herd in pose.herds)  # each of one segment
            assert len(solids.hulls) == 2 * trunks  # and a head
            assert show.insight is not None
            assert "m/s" in show.status
            show.readings  # noqa: B018 - to ask for them is what may fail
        assert simulation.tick > 100
        assert seen == {0, 1}  # the next one took over where the first had gone
        assert sorted(creature.number for creature in simulation.snapshot.creatures) == [1, 3]


@pytest.mark.slow
def test_tab_finds_who_is_there_and_a_key_steers_whoever_came() -> None:
    with Simulation(load_world("meadow")) as simulation:
        show = LiveShow(simulation, by_tick(COMINGS))
        for _ in range(100):
            show.advance(FRAME)
        found = []
        for _ in range(4):
            show.press("next", False)
            found.append(show.selected)
        assert found == [3, 1, 3, 1]
        show.press("next", True)
        assert show.selected == 3
        before = simulation.snapshot.creature(3).position[1]
        show.press("strafe left", False)
        for _ in range(60):
            show.advance(FRAME)
        assert simulation.snapshot.creature(3).position[1] > before + 0.1
        show.press("lose", False)
        show.advance(3 * FRAME)
        assert "3 of 4 legs" in show.status
        show.press("reset", False)  # of those that are there, and of nobody else
        show.advance(3 * FRAME)
        assert simulation.snapshot.creature(3).position[1] == pytest.approx(3.0, abs=0.05)
        assert "of 4 legs" not in show.status


def test_an_empty_world_is_shown_too() -> None:
    with Simulation(load_world("meadow")) as simulation:
        show = LiveShow(simulation, by_tick({5: [Event("remove", 0)]}))
        for _ in range(30):
            pose = show.advance(FRAME)
        assert "gone" in show.status
        assert show.insight is None
        assert show.readings == {}
        assert show.tuning is None
        for action in ("next", "lose", "forward", "reset", "stop"):
            show.press(action, False)
        show.send((1.0, 0.0, 0.0))
        show.advance(3 * FRAME)
        levels = np.full(1, LEVELS)
        assert not len(Figures(show.world).solids(pose, levels)[0].hulls)


def test_a_chain_stays_selected_while_creatures_come() -> None:
    world = load_world("tentacle")
    with Simulation(world) as simulation:
        events = {3: [spawning(len(world.creatures), "hexapod", 6.0)]}
        show = LiveShow(simulation, by_tick(events))
        show.keyboard.selected = len(world.creatures)
        name = world.rigs[0].name
        assert name in show.status
        for _ in range(10):
            show.advance(FRAME)
        assert name in show.status
        assert show.selected == len(world.creatures) + 1


def test_what_the_user_asks_of_one_that_leaves_in_the_same_tick_is_dropped() -> None:
    leaver = by_tick({0: [Event("remove", 0)]})
    with Simulation(herd("meadow", "spider4", [(0.0, 0.0), (0.0, 3.0)])) as simulation:
        keyboard = Keyboard(2, leaver)
        keyboard.lose_leg(1)
        keyboard.reset()
        keyboard.send((4.0, 0.0, 0.0))
        given = keyboard(simulation.snapshot)
        assert [(event.kind, event.creature) for event in given.events] == [
            ("remove", 0),
            ("reset", 1),
        ]
        simulation.step(given)
        keyboard.attend(simulation.snapshot)
        assert keyboard.selected == 1
        assert keyboard.goal is None


@pytest.mark.slow
def test_footprints_are_those_of_feet_that_flew() -> None:
    with Simulation(load_world("meadow")) as simulation:
        trail, landed = Trail(simulation.world), 0
        drive = by_tick(COMINGS)
        before: dict[tuple[int, int], bool] = {}
        trail.add(pose_of(simulation.snapshot))
        for _ in range(90):
            simulation.step(drive(simulation.snapshot))
            pose = pose_of(simulation.snapshot)
            trail.populate(simulation.world)
            trail.add(pose)
            now = {
                (number, leg): bool(swings)
                for herd in pose.herds
                for number, feet in zip(herd.members.tolist(), herd.is_swinging, strict=True)
                for leg, swings in enumerate(feet)
            }
            landed += sum(before.get(foot, False) and not swings for foot, swings in now.items())
            before = now
        assert len(trail.marks()) == landed > 5


# --- replays ----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_player_shows_those_that_are_there(comings: Replay) -> None:
    show = ReplayShow(comings)
    show.press("pause", False)
    counts = {}
    for tick in (5, 15, 30, 45, 80):
        show.scrub(tick / 90)
        pose = show.advance(0.0)
        solids = Figures(show.world).solids(pose, np.zeros(4, np.int64))[0]
        counts[tick] = len(solids.hulls)
        assert solids.hulls[:, 11].min() > -1.0  # nobody waits below the ground
    assert counts == {5: 2, 15: 4, 30: 6, 45: 4, 80: 4}  # a body and a head each
    assert "not here now" in show.status  # the first one, which was selected, has gone
    assert show.insight is None
    found = []
    for _ in range(3):
        show.press("next", False)
        found.append(show.selected)
    assert found == [1, 3, 1]
    assert "m/s" in show.status


@pytest.mark.slow
def test_a_page_has_no_standing_feet_of_those_that_are_not_there(comings: Replay) -> None:
    shapes = DisplayList(comings.world)
    for pose in comings.poses:
        swings = shapes.swings(pose)
        start = 0
        for number, placement in enumerate(comings.world.creatures):
            legs = len(comings.world.species_of(placement).all_legs)
            if not is_there(pose, number):
                assert swings[start : start + legs].all()
            start += legs
    assert "hexapod" in page_of(comings, "comings")


# --- in a window ------------------------------------------------------------------------------

SCRIPT = """
import json, sys
from tests.view.test_comings import by_tick, spawning
from creature_sim.inputs import Event
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation
from creature_sim.view.open import show_simulation

class Log:
    def __init__(self, file):
        self.file = file
    def write(self, given, snapshot):
        there = [creature.number for creature in snapshot.creatures]
        line = {"tick": snapshot.tick, "there": there, "commands": given.commands}
        print(json.dumps(line), file=self.file, flush=True)

events = {30: [spawning(1, "spider4", 1.5)], 60: [spawning(2, "millipede", -1.5)],
          90: [Event("remove", 0)], 200: [Event("remove", 1), Event("remove", 2)]}
with open(sys.argv[1], "w") as file, Simulation(load_world("meadow")) as simulation:
    show_simulation(simulation, by_tick(events), [Log(file)])
"""


@pytest.mark.slow
def test_a_real_window_goes_on_while_creatures_come_and_go(screen: Screen, tmp_path: Path) -> None:
    log = tmp_path / "log"
    app = App(screen, SCRIPT, log)
    try:
        screen.do("key", "o", "key", "F6", "key", "F8")
        wait(lambda: len(lines_of(log)) > 0 and last_of(log)["there"] == [0, 1, 2], 30.0)
        screen.do("key", "Tab")
        wait(lambda: last_of(log)["there"] == [1, 2], 30.0)
        screen.do("keydown", "Down")
        wait(lambda: any(min(command) < 0 for command in last_of(log)["commands"]), 30.0)
        screen.do("keyup", "Down")
        wait(lambda: last_of(log)["there"] == [], 30.0)
        tick = last_of(log)["tick"]
        wait(lambda: last_of(log)["tick"] > tick + 30, 30.0)
        screen.do("key", "Escape")
        app.finish()
    finally:
        app.kill()
    assert json.loads(log.read_text().splitlines()[0])["there"] == [0]


def test_a_world_that_was_joined_keeps_its_ground() -> None:
    with Simulation(load_world("meadow")) as simulation:
        show = LiveShow(simulation, by_tick({1: [spawning(1, "spider4", 1.5)]}))
        worlds: list[WorldDef] = [show.world]
        terrain = show.terrain
        for _ in range(10):
            show.advance(FRAME)
        assert show.world is not worlds[0]
        assert show.terrain is terrain  # so that a window need not upload it again

"""Chains in the window: dragged with a real mouse, selected, drawn."""

from pathlib import Path

import numpy as np
import pytest

from creature_sim.errors import DisplayUnavailable
from creature_sim.figures.creatures import Figures
from creature_sim.figures.ground import Ground
from creature_sim.figures.picking import Grip, dragged, nearest
from creature_sim.figures.subjects import subject_camera, subject_count, subject_frame, subject_name
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.terrain import build_terrain
from creature_sim.view.offscreen import Studio
from creature_sim.view.shows.keyboard import Keyboard
from creature_sim.view.shows.live import LiveShow
from creature_sim.view.shows.player import ReplayShow
from tests.scenes import RIGS
from tests.shows import WALKING, Recorded, no_snapshot
from tests.systems.test_chains import tailed, world_of
from tests.windows import App, last_of, lines_of, wait

SIZE = (1280, 720)


def test_a_dragged_target_is_an_event_of_the_next_tick() -> None:
    keyboard = Keyboard(1, None, 2)
    keyboard.set_target(1, 0, (0.1, 0.2, 0.3))
    keyboard.set_target(1, 0, (0.12345678, 0.2, 0.3))  # of one tick, the last counts
    expected = Event("set_target", chain=1, point=(0.123457, 0.2, 0.3))
    assert keyboard(no_snapshot()).events == (expected,)
    assert keyboard(no_snapshot()).events == ()
    keyboard.reset()
    resets = (Event("reset", 0), Event("reset", chain=0), Event("reset", chain=1))
    assert keyboard(no_snapshot()).events == resets
    keyboard.select(1)  # a chain: keys steer nobody
    keyboard.press("forward")
    assert keyboard(no_snapshot()).commands == ((0, 0, 0, 0),)
    keyboard.select(2)
    keyboard.press("forward")
    assert keyboard(no_snapshot()).commands == ((WALKING, 0, 0, 0),)


@pytest.mark.slow
def test_what_is_dragged_stays_under_the_mouse() -> None:
    world = load_world("playground")
    ground = Ground.of(build_terrain(world.terrain, world.seed))
    camera = subject_camera(world, 0)
    with Simulation(world) as simulation:
        pose = pose_of(simulation.snapshot)
    camera.follow(*subject_frame(world, pose, 0), 0.0)
    optics = camera.optics(ground, SIZE)
    (place,) = pose.chains[0].targets
    (pixel,) = optics.pixels(place[None])
    assert nearest(place[None], (pixel[0] + 9, pixel[1]), optics) == 0
    assert nearest(place[None], (pixel[0] + 40, pixel[1]), optics) == -1
    assert nearest(np.empty((0, 3)), (0.0, 0.0), optics) == -1
    for normal in ((0.0, 0.0, 1.0), optics.sight((640.0, 360.0))):
        grip = Grip(place, np.array(normal), 0, 0)
        for step in ((0.0, 0.0), (130.0, -80.0), (-400.0, 60.0)):
            found = dragged(grip, tuple(pixel + step), optics)
            assert found is not None
            assert optics.pixels(found[None])[0] == pytest.approx(pixel + step, abs=1e-6)
            assert (found - place) @ grip.normal == pytest.approx(0.0, abs=1e-9)
    sky = dragged(Grip(place, np.array([0.0, 0.0, 1.0]), 0, 0), (640.0, 719.0), optics)
    assert sky is None or np.abs(sky).max() <= 101.0


def test_creatures_and_chains_are_looked_at_in_turn() -> None:
    world = tailed()
    assert subject_count(world) == 4
    names = [subject_name(world, subject) for subject in range(4)]
    assert names == ["hexapod (1/4)", "first (2/4)", "second (3/4)", "tail (4/4)"]
    with Simulation(world) as simulation:
        show = LiveShow(simulation)
        pose = show.advance(1 / 60)
        assert show.handles == ()
        for name in [*names, names[0]]:
            assert show.status.startswith(name)
            place, _ = subject_frame(world, pose, show.selected)
            assert np.isfinite(place).all()
            show.press("next", False)
        player = ReplayShow(Recorded(world, 60, [pose, pose]))
        for name in [*names, names[0]]:
            assert player.status.startswith(name)
            player.press("next", False)
        player.set_target(0, 0, (0.0, 0.0, 0.0))
        assert player.handles == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", RIGS)
def test_every_bone_joint_and_target_is_drawn(name: str) -> None:
    world = load_world(name)
    with Simulation(world) as simulation:
        pose = pose_of(simulation.snapshot)
        solids = Figures(world).solids(pose, np.empty(0, int))[0]
        (chain,) = pose.chains
        assert len(solids.limbs) == len(chain.joints) - 1 + world.rigs[0].stand
        joints = 0 if name == "tentacle" else len(chain.joints)  # its bones are short and thick
        assert len(solids.spheres) == joints + len(chain.targets)
        for rows in (solids.limbs, solids.spheres):
            assert np.isfinite(rows).all()
        try:
            with Studio(world, simulation.terrain, (320, 180)) as studio:
                first = studio.render(pose, subject_camera(world, 0))
                assert (studio.render(pose, is_overlaid=True) == studio.render(pose)).all()
                for _ in range(40):
                    simulation.step()
                later = studio.render(pose_of(simulation.snapshot), subject_camera(world, 0))
        except DisplayUnavailable as error:
            pytest.skip(str(error))
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 500
    assert (first != later).any() == (name != "playground")


LIVE = """
import json, sys
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation
from creature_sim.view.open import show_simulation

class Log:
    def __init__(self, file):
        self.file = file
    def write(self, given, snapshot):
        chain = snapshot.chains[0]
        line = {"tip": chain.tips[0].tolist(), "target": chain.targets[0].tolist(),
                "points": [event.point for event in given.events if event.point],
                "resets": [event.chain for event in given.events if event.kind == "reset"]}
        print(json.dumps(line), file=self.file, flush=True)

with open(sys.argv[2], "w") as file, Simulation(load_world(sys.argv[1])) as simulation:
    show_simulation(simulation, None, [Log(file)])
    print(simulation.digest)
"""


@pytest.mark.slow
def test_dragging_the_target_with_a_real_mouse_leads_the_tip(
    screen: object, tmp_path: Path
) -> None:
    world = load_world("playground")
    log = tmp_path / "log"
    app = App(screen, LIVE, "playground", log)  # type: ignore[arg-type]
    try:
        wait(lambda: len(lines_of(log)) > 5)
        start = last_of(log)
        shell = app.screen.do("getwindowgeometry", "--shell", app.window)
        geometry = dict(line.split("=") for line in shell.splitlines())
        size = (int(geometry["WIDTH"]), int(geometry["HEIGHT"]))
        ground = Ground.of(build_terrain(world.terrain, world.seed))
        camera = subject_camera(world, 0)
        with Simulation(world) as simulation:
            pose = pose_of(simulation.snapshot)
        camera.follow(*subject_frame(world, pose, 0), 0.0)
        (pixel,) = camera.optics(ground, size).pixels(pose.chains[0].targets)
        x, y = round(pixel[0]), round(size[1] - pixel[1])
        screen_do = app.screen.do

        screen_do("mousemove", "--window", app.window, x, y)
        screen_do("mousedown", 1)
        screen_do("mousemove_relative", "--sync", "--", -30, 25)
        screen_do("mouseup", 1)
        wait(lambda: last_of(log)["target"] != start["target"])
        moved = last_of(log)
        assert np.linalg.norm(np.subtract(moved["target"], start["target"])) > 0.05
        assert moved["tip"] == pytest.approx(moved["target"], abs=1e-3)
        assert moved["target"][2] == pytest.approx(0.06, abs=1e-6)

        screen_do("mousemove_relative", "--sync", "--", 120, -60)  # let go: it stays
        screen_do("mousedown", 1)
        screen_do("mousemove_relative", "--sync", "--", 40, 10)
        screen_do("mouseup", 1)
        count = len(lines_of(log))
        wait(lambda: len(lines_of(log)) > count + 5)
        assert last_of(log)["target"] == moved["target"]  # elsewhere, the camera is turned

        screen_do("key", "r")
        wait(lambda: last_of(log)["target"] == pytest.approx(start["target"]))
        screen_do("key", "Escape")
        digest = app.finish()
    finally:
        app.kill()
    with Simulation(world) as simulation:  # the same ticks without a window
        for line in lines_of(log):
            events = [Event("reset", chain=chain) for chain in line["resets"]]
            events += [Event("set_target", chain=0, point=tuple(point)) for point in line["points"]]
            simulation.step(Input((), tuple(events)))
        assert simulation.digest == digest


def test_a_mouse_target_far_away_breaks_nothing() -> None:
    with Simulation(load_world("playground")) as simulation:
        show = LiveShow(simulation)
        for point in ((1e3, 0.0, 0.06), (-100.0, 100.0, 100.0), (0.0, 0.0, 0.06)):
            show.set_target(0, 0, point)
            show.advance(0.02)
            assert np.isfinite(simulation.snapshot.chains[0].joints).all()


def test_worlds_of_commands_have_handles() -> None:
    chain = {
        "name": "a",
        "root": (0.0, 0.0, 1.0),
        "bones": (0.3, 0.3),
        "target": {"kind": "command", "start": (0.2, 0.0, 1.2)},
    }
    with Simulation(world_of(chain, {**chain, "name": "b"})) as simulation:
        assert LiveShow(simulation).handles == ((0, 0), (1, 0))

"""The window under real keys, pictures without a screen, and what decides what they show."""

import json
import os
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from ctypes import byref
from dataclasses import dataclass
from math import atan2, cos, pi, sin
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from creature_sim.definitions import WorldDef
from creature_sim.drivers import make_driver
from creature_sim.errors import DefinitionError, DisplayUnavailable
from creature_sim.inputs import FULL, Event, Input
from creature_sim.loader import builtin_names, load_creature, load_world, with_creature
from creature_sim.poses import Pose, Step, blend, pose_of
from creature_sim.simulation import Simulation
from creature_sim.snapshot import Snapshot
from creature_sim.terrain import build_terrain
from creature_sim.view.camera import Camera, look_at, perspective
from creature_sim.view.controls import CONTROLS, actions_by_key, controls_of
from creature_sim.view.figures import Figures
from creature_sim.view.ground import Ground
from creature_sim.view.keyboard import WALK, Keyboard
from creature_sim.view.live import LiveShow
from creature_sim.view.offscreen import Studio, render
from creature_sim.view.overlay import hull as outline
from creature_sim.view.player import ReplayShow
from creature_sim.view.png import save_png
from creature_sim.view.shapes import LEVELS, hull, limb, sphere
from creature_sim.view.ticks import LONGEST_FRAME, TickClock

STILL = (0, 0, 0, 0)
"""Nobody steers."""
WALKING = round(WALK * FULL)
"""What a key gives without Shift."""
OF_THE_WINDOW = {
    "camera",
    "feet",
    "support",
    "zones",
    "rays",
    "reasons",
    "gait",
    "overlay",
    "shadows",
    "help",
    "close",
    "zoom",
    "orbit",
}

# --- keys, clock, shows -----------------------------------------------------------------------


def test_every_action_is_listed_and_every_listed_action_is_understood() -> None:
    with Simulation(load_world("meadow")) as simulation:
        live = LiveShow(simulation)
    for show in (live, _replay_show(2)):
        listed = {control.action for control in controls_of(show.mode)}
        assert listed == OF_THE_WINDOW - (set() if show is live else {"rays"}) | show.actions


def test_no_key_means_two_things_and_every_control_is_explained() -> None:
    for mode in ("live", "replay"):
        keys = [key for control in controls_of(mode) for key in control.keys]
        assert len(keys) == len(set(keys)) == len(actions_by_key(mode))
    assert all(control.label and control.meaning for control in CONTROLS)


def test_held_keys_become_axes_and_opposite_ones_cancel() -> None:
    keyboard = Keyboard(2)
    snapshot = _no_snapshot()
    keyboard.press("forward")
    keyboard.press("left")
    assert keyboard(snapshot).commands == ((WALKING, WALKING, 0, 0), STILL)
    keyboard.press("right")
    assert keyboard(snapshot).commands[0] == (WALKING, 0, 0, 0)
    keyboard.release("forward")
    keyboard.release("right")
    assert keyboard(snapshot).commands[0] == (0, WALKING, 0, 0)
    keyboard.press("stop")
    assert keyboard(snapshot).commands[0] == STILL


def test_a_tap_between_two_ticks_counts_for_one() -> None:
    keyboard = Keyboard(1)
    keyboard.press("back")
    keyboard.release("back")
    assert keyboard(_no_snapshot()).commands == ((-WALKING, 0, 0, 0),)
    assert keyboard(_no_snapshot()).commands == (STILL,)


def test_a_script_drives_until_a_key_takes_the_selected_creature() -> None:
    keyboard = Keyboard(2, lambda _: Input.of([(1.0, 0.0), (0.5, 0.0)]))
    given = keyboard(_no_snapshot()).commands
    assert given == Input.of([(1.0, 0.0), (0.5, 0.0)]).commands
    keyboard.press("stop")
    assert keyboard(_no_snapshot()).commands == (STILL, given[1])
    keyboard.select(1)
    assert keyboard(_no_snapshot()).commands == given  # nobody's keys: all follow the script
    keyboard.press("left")
    assert keyboard(_no_snapshot()).commands == (given[0], (0, WALKING, 0, 0))
    keyboard.select(-1)
    assert keyboard(_no_snapshot()).commands == (STILL, given[1])


def test_reset_is_one_event_per_creature_once() -> None:
    keyboard = Keyboard(2)
    keyboard.reset()
    assert keyboard(_no_snapshot()).events == (Event("reset", 0), Event("reset", 1))
    assert keyboard(_no_snapshot()).events == ()


@pytest.mark.parametrize("frame_rate", [7.0, 60.0, 144.0, 59.94])
def test_ticks_keep_up_with_time_at_any_frame_rate(frame_rate: float) -> None:
    clock = TickClock(60)
    ticks = 0
    for _ in range(round(10 * frame_rate)):
        due, dropped = clock.advance(1.0 / frame_rate)
        ticks += due
        assert dropped == 0.0
        assert 0.0 <= clock.share <= 1.0
    assert abs(ticks - 600 * round(10 * frame_rate) / (10 * frame_rate)) <= 1


def test_a_long_frame_is_cut_short_and_what_is_cut_is_told() -> None:
    clock = TickClock(60)
    due, dropped = clock.advance(3.0)
    assert due == round(LONGEST_FRAME * 60)
    assert dropped == pytest.approx(3.0 - LONGEST_FRAME)


def test_the_frame_rate_does_not_reach_the_digest() -> None:
    digests = set()
    for seconds in (1 / 144, 1 / 60, 0.043, 0.2):
        world = load_world("hills")
        with Simulation(world) as simulation:
            show = LiveShow(simulation, make_driver(world), max_ticks=90)
            while not show.is_over:
                show.advance(seconds)
            assert simulation.tick == 90
            digests.add(simulation.digest)
    assert len(digests) == 1


def test_frames_of_any_length_and_slow_ticks_do_not_reach_the_digest(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = load_world("hills")
    with Simulation(world) as simulation:
        for _ in range(120):
            simulation.step(make_driver(world)(simulation.snapshot))
        wanted = simulation.digest
    generator = np.random.default_rng(8)
    with Simulation(world) as simulation:
        show = LiveShow(simulation, make_driver(world), max_ticks=120)
        clock = iter(np.arange(0.0, 1e6, 0.04))  # a computer that takes 40 ms for each tick
        monkeypatch.setattr("creature_sim.view.live.perf_counter", lambda: next(clock))
        notices, frames = set(), 0
        while not show.is_over:
            before = simulation.tick
            show.advance(float(generator.choice([1e-4, 0.004, 0.017, 0.3, 5.0])))
            assert simulation.tick - before <= 4  # never more than fit into a frame: no spiral
            notices.add(show.notice)
            frames += 1
        assert simulation.digest == wanted
    assert frames > 30
    assert any("too slow for real time" in notice for notice in notices)


def test_a_pause_holds_the_moment_between_two_ticks() -> None:
    world = load_world("meadow")
    with Simulation(world) as simulation:
        show = LiveShow(simulation, make_driver(world, "forward 60"))
        for _ in range(90):
            shown = show.advance(0.7 / 60)
        show.press("pause", False)
        held = [show.advance(0.01) for _ in range(20)]
        assert {pose.tick for pose in held} == {shown.tick}
        show.press("pause", False)
        assert 0.0 < show.advance(0.5 / 60).tick - shown.tick < 1.0  # and time did not pass


def test_drawn_poses_lie_between_ticks_and_a_reset_is_not_drawn_as_a_flight() -> None:
    world = load_world("meadow")
    with Simulation(world) as simulation:
        show = LiveShow(simulation, make_driver(world, "forward 60"))
        for _ in range(200):
            show.advance(1 / 60)
        pose = show.advance(0.5 / 60)
        assert simulation.tick - 1 < pose.tick < simulation.tick
        assert pose.creatures[0].position[0] > 1.0
        show.press("reset", False)
        pose = show.advance(1 / 60)
        assert abs(float(pose.creatures[0].position[0])) < 0.1


def test_replay_plays_pauses_changes_speed_and_scrubs() -> None:
    show = _replay_show(61, step=6)  # 6 s, ten poses a second
    assert show.advance(0.05).tick == pytest.approx(3.0)
    x = [float(show.advance(1 / 60).creatures[0].position[0]) for _ in range(30)]
    assert np.diff(x) == pytest.approx(np.full(29, 0.01))  # smooth between the recorded poses
    show.press("pause", False)
    tick = show.tick
    show.advance(1.0)
    assert show.tick == tick
    show.press("skip", True)
    show.release("skip")
    assert show.tick == pytest.approx(tick + 300.0)
    show.press("rewind", False)
    assert show.tick == pytest.approx(tick + 240.0)
    show.advance(0.5)  # held: it repeats
    assert show.tick == pytest.approx(tick + 180.0)
    show.release("rewind")
    for action, speed in [("faster", 8.0), ("slower", 0.1)]:
        for _ in range(10):
            show.press(action, False)
        assert show.speed == speed
    show.scrub(0.5)
    assert show.tick == 180.0
    assert show.timeline == 0.5
    show.press("last", False)
    assert show.timeline == 1.0
    show.press("pause", False)  # from the end: from the start again
    assert show.tick == 0.0


def test_replay_jumps_where_the_creature_was_put_elsewhere() -> None:
    poses = [_moved(tick, 0.01 * tick if tick < 60 else 0.01 * (tick - 60)) for tick in range(120)]
    poses = [
        _moved(t, p.creatures[0].position[0] + (9.0 if t < 60 else 0.0))
        for t, p in enumerate(poses)
    ]
    show = ReplayShow(_Replay(load_world("meadow"), 60, poses))
    show.tick = 59.5
    assert float(show.pose.creatures[0].position[0]) == pytest.approx(9.59)


def test_a_loop_starts_again_and_ghosts_follow() -> None:
    show = _replay_show(61, step=6)
    show.press("loop", False)
    show.press("ghosts", False)
    show.scrub(0.5)
    assert [ghost.pose.tick for ghost in show.ghosts] == pytest.approx([156, 132, 108, 84, 60])
    show.scrub(0.99)
    show.advance(0.1)
    assert not show.is_paused
    assert show.tick == 0.0
    assert list(show.ghosts) == []


def test_two_replays_run_side_by_side_on_one_ground_only() -> None:
    poses = [_moved(6 * i, 0.06 * i) for i in range(61)]
    faster = [_moved(6 * i, 0.09 * i) for i in range(61)]
    show = ReplayShow(
        _Replay(load_world("meadow"), 60, poses), _Replay(load_world("meadow"), 60, faster)
    )
    show.scrub(0.5)
    (ghost,) = show.ghosts
    assert ghost.pose.tick == show.tick
    assert "the other is 0.90 m away" in show.status
    with pytest.raises(DefinitionError, match="same ground"):
        ReplayShow(
            _Replay(load_world("meadow"), 60, poses), _Replay(load_world("hills"), 60, poses)
        )


def test_steps_are_ticks_on_the_bar() -> None:
    steps = (Step(30, 0, 1, "phase", 0.9), Step(45, 0, 2, "phase", 0.9), Step(45, 0, 0, "", 0.9))
    poses = [_moved(i, 0.0) for i in range(61)]
    show = ReplayShow(_Replay(load_world("meadow"), 60, poses, steps))
    assert show.step_shares == [0.5, 0.75]
    assert show.step_shares is show.step_shares


def test_a_replay_of_one_pose_is_shown() -> None:
    show = _replay_show(1)
    assert show.advance(1.0).tick == 0.0
    assert show.timeline == 1.0
    assert "hexapod" in show.status


# --- camera, ground, solids -------------------------------------------------------------------


def test_the_target_is_in_the_middle_of_the_picture_and_up_is_up() -> None:
    eye, target = np.array([3.0, -4.0, 2.0]), np.array([0.5, 0.2, 0.3])
    matrix = perspective(16 / 9) @ look_at(eye, target)
    middle, above, left = (
        _project(matrix, target + np.array(step))
        for step in ((0, 0, 0), (0, 0, 0.1), (-0.1, -0.05, 0))
    )
    assert middle[:2] == pytest.approx((0.0, 0.0), abs=1e-12)
    assert above[1] > 0.0
    assert left[0] < 0.0
    assert -1.0 < middle[2] < 1.0


@pytest.mark.parametrize("name", builtin_names("world"))
def test_the_camera_is_never_in_the_ground(name: str) -> None:
    world = load_world(name)
    ground = Ground.of(build_terrain(world.terrain, world.seed))
    generator = np.random.default_rng(4)
    for x, y, yaw, pitch, distance in generator.uniform(
        (-31, -31, -pi, -0.3, 0.5), (31, 31, pi, 1.5, 30.0), (60, 5)
    ):
        camera = Camera(yaw, pitch, distance)
        z = float(ground.heights(np.array([[x, y]]))[0]) + 0.2
        camera.follow(np.array([x, y, z]), np.array([0.0, 0.0, 0.0, 1.0]), 0.0)
        eye = camera.eye(ground)
        assert eye[2] > ground.heights(eye[None, :2])[0]


@pytest.mark.parametrize("name", builtin_names("world"))
def test_heights_for_the_camera_are_never_below_a_vertex(name: str) -> None:
    world = load_world(name)
    ground = Ground.of(build_terrain(world.terrain, world.seed))
    vertices = ground.vertices.astype(np.float64)
    assert (ground.heights(vertices[:, :2]) >= vertices[:, 2] - 1e-6).all()
    assert np.linalg.norm(vertices[:, 3:], axis=1) == pytest.approx(np.ones(len(vertices)))
    assert ground.first[-1] == len(ground.triangles)


def test_the_camera_follows_smoothly_and_jumps_to_another_creature() -> None:
    camera = Camera()
    level = np.array([0.0, 0.0, 0.0, 1.0])
    camera.follow(np.zeros(3), level, 0.0)
    camera.follow(np.array([1.0, 0.0, 0.0]), level, 0.1)
    assert 0.1 < camera.target[0] < 0.9
    camera.follow(np.array([20.0, 0.0, 0.0]), level, 0.0)
    assert camera.target[0] == 20.0
    for _ in range(200):
        camera.zoom(1.0)
        camera.orbit(0.5, -0.5)
    assert camera.distance == 0.5
    assert camera.pitch == 1.5
    assert abs(camera.yaw) <= pi


@pytest.mark.parametrize("level", range(LEVELS))
@pytest.mark.parametrize("make", [sphere, hull])
def test_solids_are_closed_and_face_outward(
    make: Callable[[int], tuple[Any, Any]], level: int
) -> None:
    vertices, triangles = make(level)
    a, b, c = (vertices[triangles[:, corner], :3] for corner in range(3))
    faces = np.cross(b - a, c - a)
    outward = np.einsum("ij,ij->i", faces, a + b + c)
    assert (outward > -1e-9).all()
    assert np.abs(faces.sum(axis=0)).max() < 1e-5  # closed: all faces together face nowhere
    shares = np.einsum("ij,ij->i", faces, vertices[triangles[:, 0], 3:])
    assert (shares > -1e-6).all()  # normals lie on the outer side of their faces
    volume = np.einsum("ij,ij->i", np.cross(a, b), c).sum() / 6.0
    assert volume > (3.0, 2.6, 2.0, 1.3)[level]
    assert np.abs(vertices[:, :3]).max() == pytest.approx(1.0)
    assert len(limb(level)[0]) % 2 == 0


def test_every_part_of_a_creature_becomes_a_finite_row() -> None:
    for name in builtin_names("creature"):
        world = with_creature(load_world("meadow"), load_creature(name))
        plan = load_creature(name)
        with Simulation(world) as simulation:
            levels = np.array([0])
            solids = Figures(world).solids(pose_of(simulation.snapshot), levels)[0]
        bones = sum(len(leg.bones) for leg in plan.all_legs)
        assert len(solids.hulls) == len(plan.trunk)
        assert len(solids.limbs) == bones
        assert len(solids.spheres) == bones + len(plan.all_legs) + 2
        for rows in (solids.hulls, solids.limbs, solids.spheres):
            assert np.isfinite(rows).all()


def test_hull_is_the_outline() -> None:
    points = np.array([[0, 0], [2, 0], [2, 2], [0, 2], [1, 1], [1, 0]], dtype=float)
    assert outline(points) == [0, 1, 2, 3]


def test_a_png_holds_the_pixels(tmp_path: Path) -> None:
    picture = np.arange(5 * 7 * 3, dtype=np.uint8).reshape(5, 7, 3)
    save_png(picture, tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as image:
        assert image.format == "PNG"
        assert (np.asarray(image) == picture).all()


# --- without a screen -------------------------------------------------------------------------


@pytest.mark.parametrize("name", builtin_names("creature"))
def test_pictures_without_a_screen_are_not_empty_and_repeat_exactly(name: str) -> None:
    world = with_creature(load_world("hills"), load_creature(name))
    with Simulation(world) as simulation:
        for _ in range(30):
            simulation.step()
        pose, terrain = pose_of(simulation.snapshot), simulation.terrain
    try:
        first = render(world, pose, terrain, (320, 180))
    except DisplayUnavailable as error:
        pytest.skip(str(error))
    assert first.shape == (180, 320, 3)
    assert len(np.unique(first.reshape(-1, 3), axis=0)) > 500
    assert (render(world, pose, terrain, (320, 180)) == first).all()
    with Studio(world, terrain, (320, 180)) as studio:
        assert (studio.render(pose) == first).all()
        assert (studio.render(pose, is_overlaid=True) != first).any()
        assert (studio.render(pose, Camera(yaw=2.0)) != first).any()


WITHOUT = """
from creature_sim.errors import DisplayUnavailable
from creature_sim.loader import load_world
from creature_sim.simulation import Simulation
from creature_sim.view.live import show_simulation
with Simulation(load_world("meadow")) as simulation:
    try:
        show_simulation(simulation, max_ticks=1)
    except DisplayUnavailable as error:
        print(error)
"""


@pytest.mark.parametrize("display", [None, ":9471"])
def test_no_display_is_one_sentence_that_says_what_to_do(display: str | None) -> None:
    text = _without({"DISPLAY": display})
    assert "no display" in text
    assert "--headless" in text
    assert "DISPLAY" in text


def _without(changes: dict[str, str | None]) -> str:
    """The one line that a process says which asks for a window in a changed environment."""
    environment = {**os.environ, **changes}
    run = subprocess.run(
        [sys.executable, "-c", WITHOUT],
        env={key: value for key, value in environment.items() if value is not None},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert run.stderr == ""
    lines = [line for line in run.stdout.splitlines() if not line.startswith("pybullet")]
    assert len(lines) <= 1
    return lines[0] if lines else ""


# --- a real window, real keys -----------------------------------------------------------------

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
from creature_sim.loader import load_world
from creature_sim.simulation import Simulation
from creature_sim.view.live import show_simulation

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
from creature_sim.loader import load_world
from creature_sim.poses import pose_of
from creature_sim.simulation import Simulation
from creature_sim.view.player import show_replay

world = load_world(sys.argv[1])
drive = make_driver(world, "forward 60")
poses = []
with Simulation(world) as simulation:
    for tick in range(900):
        if tick % 6 == 0:
            poses.append(pose_of(simulation.snapshot))
        simulation.step(drive(simulation.snapshot))
show_replay(SimpleNamespace(world=world, tick_rate=60, poses=poses, steps=()))
"""


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Screen"]:
    """An X server of our own."""
    with _own_screen(tmp_path_factory.mktemp("screen")) as found:
        yield found


@contextmanager
def _own_screen(folder: Path, dpi: int = 96) -> Iterator["Screen"]:
    """An X server whose user has a screen of so many dots an inch."""
    for program in ("Xvfb", "xdotool", *(("xprop",) if dpi != 96 else ())):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed")
    read, write = os.pipe()
    server = subprocess.Popen(
        [
            *("Xvfb", "-displayfd", str(write), "-noreset"),
            *("-screen", "0", "640x400x24", "-fbdir", str(folder)),
        ],
        pass_fds=[write],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        os.close(write)
        with os.fdopen(read) as pipe:
            number = pipe.readline().strip()
        if not number:
            pytest.skip("Xvfb does not start here")
        if dpi != 96:
            name = "RESOURCE_MANAGER"
            subprocess.run(
                ["xprop", "-root", "-f", name, "8s", "-set", name, f"Xft.dpi:\t{dpi}\n"],
                env={**os.environ, "DISPLAY": f":{number}"},
                check=True,
            )
        yield Screen(f":{number}", folder / "Xvfb_screen0", server)
    finally:
        server.terminate()
        server.wait(10)


@dataclass
class Screen:
    """A virtual screen.

    `frame` is the server's framebuffer as a file in XWD format.
    """

    display: str
    frame: Path
    server: "subprocess.Popen[bytes]"

    def do(self, *words: object) -> str:
        run = subprocess.run(
            ["xdotool", *map(str, words)],
            env={**os.environ, "DISPLAY": self.display},
            capture_output=True,
            text=True,
            timeout=20,
            check=True,
        )
        return run.stdout.strip()

    def picture(self) -> Any:
        data = self.frame.read_bytes()
        header = struct.unpack(">25I", data[:100])
        size, width, height, line, colours = (header[i] for i in (0, 4, 5, 12, 19))
        pixels = np.frombuffer(data, np.uint8, height * line, size + 12 * colours)
        return pixels.reshape(height, line)[:, : 4 * width].reshape(height, width, 4)[..., :3]


class App:
    """A process with a window on the screen."""

    def __init__(self, screen: Screen, script: str, *arguments: object) -> None:
        self.screen = screen
        self.process = subprocess.Popen(
            [sys.executable, "-c", script, *map(str, arguments)],
            env={**os.environ, "DISPLAY": screen.display},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            _wait(lambda: self._search() != "" or self.process.poll() is not None, 60.0)
            assert self.process.poll() is None, self.process.communicate()[1]
            self.window = self._search().splitlines()[-1]
            screen.do("windowfocus", self.window)
            screen.do("mousemove", "--window", self.window, 200, 200)
            _wait(lambda: len(np.unique(self.screen.picture().reshape(-1, 3), axis=0)) > 100, 60.0)
        except BaseException:
            self.kill()
            raise

    def kill(self) -> None:
        """End it, if it has not ended by itself."""
        self.process.kill()
        with self.process:  # closes its pipes
            pass

    def _search(self) -> str:
        try:
            return self.screen.do("search", "--onlyvisible", "--name", "creature_sim")
        except subprocess.CalledProcessError:  # none yet
            return ""

    def changes(self, *words: object) -> None:
        """Do something that must be seen where nothing moves."""
        before = self.still()
        self.screen.do(*words)
        _wait(lambda: (self.screen.picture() != before).mean() > 1e-4)

    def still(self) -> Any:
        """The picture once it has come to rest."""
        found: list[Any] = [self.screen.picture()]

        def is_still() -> bool:
            time.sleep(0.15)
            found.append(self.screen.picture())
            return bool((found[-1] == found[-2]).all())

        _wait(is_still)
        return found[-1]

    def finish(self) -> str:
        """Wait for a clean end; returns what it printed last."""
        output, errors = self.process.communicate(timeout=20)
        assert errors == ""
        assert self.process.returncode == 0
        return output.strip().splitlines()[-1] if output.strip() else ""


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
        for line in _lines(log):
            commands = tuple(tuple(command) for command in line["commands"])
            events = tuple(Event(kind, creature) for kind, creature in line["events"])
            simulation.step(Input(commands, events))
        assert simulation.digest == digest


def _drive(screen: Screen, app: App, log: Path) -> None:
    _wait(lambda: len(_lines(log)) > 5)
    start = _lines(log)[0]["bodies"]
    standing = screen.picture()

    screen.do("keydown", "Up")  # walk
    _wait(lambda: _ahead(start[0], _last(log)["bodies"][0]) > 0.35)
    screen.do("keyup", "Up")
    assert (screen.picture() != standing).mean() > 0.01

    heading = _heading(_last(log)["bodies"][0])  # turn
    screen.do("keydown", "Left")
    _wait(lambda: 0.25 < (_heading(_last(log)["bodies"][0]) - heading) % (2 * pi) < pi)
    screen.do("keyup", "Left")
    assert _last(log)["bodies"][1][:2] == pytest.approx(start[1][:2], abs=0.01)

    screen.do("keydown", "Up")  # stop, although a key is held
    _wait(lambda: _last(log)["commands"][0] == [WALKING, 0, 0, 0])
    screen.do("keydown", "Shift_L")  # as fast as it can
    _wait(lambda: _last(log)["commands"][0] == [FULL, 0, 0, 0])
    screen.do("keyup", "Shift_L")
    screen.do("key", "space")
    _wait(lambda: _last(log)["commands"][0] == [0, 0, 0, 0])
    screen.do("keyup", "Up")

    screen.do("key", "Tab")  # the other creature
    screen.do("keydown", "Down")
    _wait(lambda: _last(log)["commands"] == [[0, 0, 0, 0], [-WALKING, 0, 0, 0]])
    root = screen.do("search", "--maxdepth", 0, "--name", ".*") or "0"
    screen.do("windowfocus", root.splitlines()[0])  # keys go elsewhere: they count as released
    _wait(lambda: _last(log)["commands"] == [[0, 0, 0, 0], [0, 0, 0, 0]])
    screen.do("keyup", "Down")
    screen.do("windowfocus", app.window)

    screen.do("key", "Tab")
    screen.do("click", 1)  # where the mouse is, on the ground: go there, until a key says otherwise
    _wait(lambda: _last(log)["commands"][0] != [0, 0, 0, 0])
    assert _last(log)["commands"][1] == [0, 0, 0, 0]
    screen.do("key", "space")
    _wait(lambda: _last(log)["commands"][0] == [0, 0, 0, 0])

    screen.do("key", "r")  # back to the start
    _wait(lambda: any(line["events"] == [["reset", 0], ["reset", 1]] for line in _lines(log)))
    _wait(lambda: np.allclose(_last(log)["bodies"], start, atol=0.02))

    screen.do("key", "p")  # nothing moves any more
    app.still()
    ticks = len(_lines(log))
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
    assert len(_lines(log)) == ticks
    screen.do("key", "p")
    _wait(lambda: len(_lines(log)) > ticks + 10)


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
        app.changes("key", "plus", "key", "space")
        _ask_to_close(screen.display, int(app.window))
        app.finish()
    finally:
        app.kill()


def test_a_window_without_opengl_33_is_one_sentence(screen: Screen) -> None:
    text = _without({"DISPLAY": screen.display, "MESA_GL_VERSION_OVERRIDE": "2.1"})
    if not text:
        pytest.skip("this OpenGL cannot be made to look old")
    assert "OpenGL 3.3" in text
    assert "--headless" in text


def test_a_window_without_fonts_is_one_sentence(screen: Screen, tmp_path: Path) -> None:
    (tmp_path / "fonts.conf").write_text("<fontconfig></fontconfig>")
    text = _without({"DISPLAY": screen.display, "FONTCONFIG_FILE": str(tmp_path / "fonts.conf")})
    assert "no font" in text
    assert "--headless" in text


def test_a_window_whose_display_goes_away_is_one_sentence(tmp_path: Path) -> None:
    file = tmp_path / "two.toml"
    file.write_text(WORLD)
    with _own_screen(tmp_path) as own:
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
        with _own_screen(tmp_path, dpi) as own:
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


def test_importing_what_shows_loads_no_pyglet() -> None:
    script = (
        "import sys, creature_sim.view.live, creature_sim.view.player, creature_sim.view.offscreen"
        "; assert not [name for name in sys.modules if name.startswith('pyglet')]"
    )
    subprocess.run([sys.executable, "-c", script], timeout=60, check=True)


# --- helpers ----------------------------------------------------------------------------------


@dataclass
class _Replay:
    world: WorldDef
    tick_rate: int
    poses: list[Pose]
    steps: tuple[Step, ...] = ()


def _no_snapshot() -> Snapshot:
    return Snapshot(0, ())


def _moved(tick: int, x: float) -> Pose:
    """The meadow's creature at x."""
    global _standing
    if _standing is None:
        with Simulation(load_world("meadow")) as simulation:
            _standing = pose_of(simulation.snapshot)
    pose = blend(_standing, _standing, 0.0)
    pose.herds[0].positions[:] = (x, 0.0, 0.3)
    return Pose(tick, pose.herds)


_standing: Pose | None = None


def _replay_show(count: int, step: int = 1) -> ReplayShow:
    """A creature that moves along X at 0.6 m/s."""
    poses = [_moved(step * i, 0.01 * step * i) for i in range(count)]
    return ReplayShow(_Replay(load_world("meadow"), 60, poses))


def _project(matrix: Any, point: Any) -> Any:
    clip = matrix @ np.append(point, 1.0)
    return clip[:3] / clip[3]


def _lines(log: Path) -> list[Any]:
    if not log.exists():
        return []
    text = log.read_text()
    return [json.loads(line) for line in text[: text.rfind("\n") + 1].splitlines()]


def _last(log: Path) -> Any:
    return _lines(log)[-1]


def _heading(body: list[float]) -> float:
    x, y, z, w = body[3:]
    return atan2(2.0 * (x * y + w * z), 1.0 - 2.0 * (y * y + z * z))


def _ahead(start: list[float], now: list[float]) -> float:
    """Way along where the creature faced at the start [m]."""
    heading = _heading(start)
    return (now[0] - start[0]) * cos(heading) + (now[1] - start[1]) * sin(heading)


def _wait(is_done: Callable[[], bool], seconds: float = 10.0) -> None:
    end = time.monotonic() + seconds
    while not is_done():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


def _ask_to_close(display: str, window: int) -> None:
    """What a window manager sends when its close button is pressed."""
    from pyglet.libs.x11 import xlib

    connection = xlib.XOpenDisplay(display.encode())
    event = xlib.XEvent()
    event.xclient.type = xlib.ClientMessage
    event.xclient.window = window
    event.xclient.message_type = xlib.XInternAtom(connection, b"WM_PROTOCOLS", False)
    event.xclient.format = 32
    event.xclient.data.l[0] = xlib.XInternAtom(connection, b"WM_DELETE_WINDOW", False)
    xlib.XSendEvent(connection, window, False, 0, byref(event))
    xlib.XCloseDisplay(connection)

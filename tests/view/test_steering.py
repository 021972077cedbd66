"""Hands on creatures: fast and slow keys, sticks, places to go to; and where the camera stands."""

from math import pi
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from creature_sim.drivers import ARRIVED
from creature_sim.figures.camera import Camera
from creature_sim.figures.subjects import CAMERAS, UNTURNED, subject_viewpoint
from creature_sim.inputs import FULL, Input
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation
from creature_sim.view.shows.gamepad import DEAD, Gamepads, open_gamepads
from creature_sim.view.shows.keyboard import WALK, Keyboard
from creature_sim.view.shows.live import LiveShow
from tests.shows import no_snapshot

NOTHING = no_snapshot()
SIZE = (1280, 720)


def test_shift_is_full_speed_and_takes_nobody_over_by_itself() -> None:
    keyboard = Keyboard(1, lambda _: Input.of([(0.25,)]))
    keyboard.press("fast")
    assert keyboard(NOTHING).commands == Input.of([(0.25,)]).commands
    keyboard.press("forward")
    keyboard.press("crouch")
    assert keyboard(NOTHING).commands == ((2 * FULL, 0, 0, -FULL),)
    keyboard.release("fast")
    assert keyboard(NOTHING).commands == ((round(WALK * FULL), 0, 0, -FULL),)  # crouching is whole


def test_sticks_add_to_keys_and_take_over_only_when_moved() -> None:
    keyboard = Keyboard(1, lambda _: Input.of([(0.25,)]))
    keyboard.steer((0.0, 0.0, 0.0, 0.0))
    assert keyboard(NOTHING).commands == Input.of([(0.25,)]).commands
    keyboard.steer((0.5, -0.25, 0.0, 0.0))
    assert keyboard(NOTHING).commands == Input.of([(0.5, -0.25)]).commands
    keyboard.press("forward")
    assert keyboard(NOTHING).commands == Input.of([(1.0, -0.25)]).commands


class _Pad(SimpleNamespace):
    """A controller as pyglet has them."""

    def __init__(self, error: Exception | None = None, **axes: float) -> None:
        names = ("leftx", "lefty", "rightx", "righty", "lefttrigger", "righttrigger")
        super().__init__(**{**dict.fromkeys(names, 0.0), **axes})
        self.error = error
        self.listeners: list[Any] = []

    def open(self) -> None:
        if self.error:
            raise self.error

    def push_handlers(self, listener: Any) -> None:
        self.listeners.append(listener)


class _Manager:
    """A manager as pyglet has it."""

    def __init__(self, *pads: _Pad) -> None:
        self.pads = list(pads)
        self.listeners: list[Any] = []

    def push_handlers(self, listener: Any) -> None:
        self.listeners.append(listener)

    def get_controllers(self) -> list[_Pad]:
        return self.pads


def test_gamepads_come_and_go() -> None:
    pressed: list[str] = []
    first, second = _Pad(lefty=-1.0, leftx=0.5 * DEAD), _Pad(rightx=1.0, lefttrigger=1.0)
    manager = _Manager(first)
    pads = Gamepads(manager, pressed.append)
    assert pads.axes == (1.0, 0.0, 0.0, 0.0)  # up is negative; what is nearly at rest is at rest
    first.lefty = -0.5 * (1.0 + DEAD)
    assert pads.axes[0] == pytest.approx(0.5)
    (listener,) = manager.listeners
    listener.on_connect(second)
    first.lefty = 0.0
    assert pads.axes == (0.0, 0.0, -1.0, -1.0)
    second.listeners[0].on_button_press(second, "a")
    second.listeners[0].on_button_press(second, "guide")
    assert pressed == ["stop"]
    listener.on_disconnect(second)  # with its stick still deflected
    assert pads.axes == (0.0, 0.0, 0.0, 0.0)


def test_a_machine_without_gamepads_and_one_that_cannot_be_opened_are_no_error() -> None:
    at_rest = (0.0, 0.0, 0.0, 0.0)
    assert open_gamepads(lambda _: None).axes == at_rest
    broken = _Pad(OSError("in use"), lefty=-1.0)
    assert Gamepads(_Manager(broken), lambda _: None).axes == at_rest


@pytest.mark.slow
def test_a_creature_that_is_sent_arrives_and_a_key_calls_it_off() -> None:
    with Simulation(load_world("hills")) as simulation:
        show = LiveShow(simulation)
        show.send((1.2, 0.8, 0.0))
        assert show.goal == (1.2, 0.8, 0.0)
        for _ in range(900):
            show.advance(1 / 60)
            if show.goal is None:
                break
        place = simulation.snapshot.creatures[0].position
        assert np.hypot(place[0] - 1.2, place[1] - 0.8) <= ARRIVED + 0.05
        show.send((-3.0, 0.0, 0.0))
        show.press("left", False)
        assert show.goal is None
        assert show.keyboard(simulation.snapshot).commands == Input.of([(0.0, WALK)]).commands


def test_cameras_glide_to_their_places_the_short_way_round() -> None:
    world = load_world("hills")
    camera = Camera(yaw=3.0)
    camera.follow(np.zeros(3), UNTURNED, 0.0)
    for name in CAMERAS:
        wanted = subject_viewpoint(world, 0, name)
        camera.go(wanted)
        yaws = [camera.yaw]
        for _ in range(200):
            camera.follow(np.zeros(3), UNTURNED, 1 / 60)
            yaws.append(camera.yaw)
        assert (camera.yaw, camera.pitch, camera.distance) == wanted
        turns = (np.diff(yaws) + pi) % (2.0 * pi) - pi
        assert abs(turns.sum()) <= pi
        assert np.abs(turns).max() < 0.4
    camera.go(subject_viewpoint(world, 0, "top"))
    camera.orbit(0.1, 0.0)  # a hand on the mouse is obeyed at once
    before = camera.pitch
    camera.follow(np.zeros(3), UNTURNED, 1.0)
    assert camera.pitch == before


def test_a_camera_that_orbits_does_not_turn_with_its_creature() -> None:
    camera = Camera()
    camera.follow(np.zeros(3), UNTURNED, 0.0)
    aside = np.array([0.0, 0.0, np.sqrt(0.5), np.sqrt(0.5)])
    camera.follow(np.zeros(3), None, 1.0)
    assert camera.heading == pytest.approx([1.0, 0.0])
    camera.follow(np.zeros(3), aside, 100.0)
    assert camera.heading == pytest.approx([0.0, 1.0])

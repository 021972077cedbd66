"""Feet and knees in the window: the mouse leads them."""

import sys
from typing import Any, cast

import numpy as np
import pyglet
import pytest

from creature_sim.figures.camera import Camera
from creature_sim.figures.ground import Ground
from creature_sim.figures.picking import leg_handles
from creature_sim.figures.subjects import subject_camera, subject_frame
from creature_sim.inputs import Event
from creature_sim.simulation import Simulation
from creature_sim.terrain import build_terrain
from creature_sim.view.shows.live import LiveShow
from tests.scenes import scene

SIZE = (1280, 720)
HUD = cast(Any, None)
RIGHT = 4


def pointer_of(show: LiveShow, camera: Camera) -> Any:
    """The mouse over a picture; pyglet's names of buttons need a display, or none at all."""
    if "pyglet.window" not in sys.modules:
        pyglet.options.headless = True
    from creature_sim.view.pointer import Pointer

    return Pointer(show, camera)


def test_feet_of_all_legs_and_knees_of_ball_hips_can_be_caught() -> None:
    for name, knees in (("hexapod", 0), ("biped", 2)):
        world = scene("meadow", name)
        with Simulation(world) as simulation:
            pose = LiveShow(simulation).advance(1 / 60)
        handles = leg_handles(world, pose, 0)
        legs = world.species_of(world.creatures[0]).all_legs
        assert sum(handle.is_knee for handle in handles) == knees
        assert len(handles) == len(legs) + knees
        for handle in handles:
            joint = 1 if handle.is_knee else len(legs[handle.leg].bones)
            assert (handle.position == pose.creatures[0].joints[handle.leg, joint]).all()


@pytest.mark.slow
@pytest.mark.parametrize("is_knee", [False, True])
def test_what_is_dragged_is_led_and_a_click_lets_it_go(is_knee: bool) -> None:
    world = scene("meadow", "biped")
    ground = Ground.of(build_terrain(world.terrain, world.seed))
    with Simulation(world) as simulation:
        show = LiveShow(simulation)
        pose = show.advance(1 / 60)
        camera = subject_camera(world, 0)
        camera.follow(*subject_frame(world, pose, 0), 0.0)
        optics = camera.optics(ground, SIZE)
        handle = next(one for one in leg_handles(world, pose, 0) if one.is_knee == is_knee)
        x, y = optics.pixels(handle.position[None])[0].tolist()
        pointer = pointer_of(show, camera)
        pointer.press((x, y), HUD, optics, pose, leads=True)
        pointer.drag((x + 30.0, y + 40.0), (30.0, 40.0), RIGHT, HUD, optics, pose)
        pointer.drag((x + 60.0, y + 80.0), (30.0, 40.0), RIGHT, HUD, optics, pose)
        (event,) = show.keyboard(simulation.snapshot).events  # of one tick, the last counts
        kind = "set_pole" if is_knee else "set_foot"
        assert (event.kind, event.creature, event.leg) == (kind, 0, handle.leg)
        assert event.on == ("body" if is_knee else "world")
        point = np.array(event.point)
        if is_knee:
            assert np.abs(point).max() < 2.0
        else:
            assert optics.pixels(point[None])[0] == pytest.approx((x + 60.0, y + 80.0), abs=0.01)
        pointer.release((x + 60.0, y + 80.0), RIGHT, optics, ground, pose)
        assert show.keyboard(simulation.snapshot).events == ()
        pointer.press((x, y), HUD, optics, pose, leads=True)
        pointer.release((x, y), RIGHT, optics, ground, pose)
        on = "body" if is_knee else "world"
        expected = Event(kind, 0, leg=handle.leg, on=on)
        assert show.keyboard(simulation.snapshot).events == (expected,)


@pytest.mark.slow
def test_without_the_right_button_a_foot_is_not_caught() -> None:
    world = scene("meadow", "biped")
    ground = Ground.of(build_terrain(world.terrain, world.seed))
    with Simulation(world) as simulation:
        show = LiveShow(simulation)
        pose = show.advance(1 / 60)
        camera = subject_camera(world, 0)
        camera.follow(*subject_frame(world, pose, 0), 0.0)
        optics = camera.optics(ground, SIZE)
        x, y = optics.pixels(leg_handles(world, pose, 0)[0].position[None])[0].tolist()
        pointer = pointer_of(show, camera)
        pointer.press((x, y), HUD, optics, pose)
        pointer.drag((x + 60.0, y), (60.0, 0.0), RIGHT, HUD, optics, pose)
        assert show.keyboard(simulation.snapshot).events == ()

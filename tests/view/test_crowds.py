"""A crowd in a window: few calls of OpenGL and few triangles, however many creatures there are."""

import ctypes
from typing import Any

import numpy as np
import pytest

from creature_sim.definitions.crowds import crowd_of
from creature_sim.figures.camera import Camera
from creature_sim.figures.subjects import subject_frame
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.view.frame import Frame
from creature_sim.view.gl.display import open_offscreen
from tests.view.studios import studio_of

pytestmark = pytest.mark.slow

CALLS = {
    "ground": ("glMultiDrawElements",),
    "movers": ("glMultiDrawElementsIndirect",),
    "rest": (
        "glDrawElements",
        "glDrawArrays",
        "glDrawElementsInstanced",
        "glDrawElementsInstancedBaseVertex",
    ),
}
SIZE = (1280, 720)
DUST_AND_PROPS = 2
MAX_TRIANGLES = {"movers": 95_000, "ground": 26_000}
"""Of 1,000 creatures, of which 417 are in view."""


def test_a_thousand_creatures_are_drawn_in_at_most_twelve_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    context = open_offscreen()
    from pyglet import gl  # which opens a screen unless the context is there

    from creature_sim.view.gl.canvas import Canvas
    from creature_sim.view.scene import Scene

    calls: list[str] = []
    triangles = dict.fromkeys(MAX_TRIANGLES, 0)

    def counted(name: str) -> None:
        call = getattr(gl, name)

        def draw(*words: Any) -> None:
            calls.append(name)
            if name == "glMultiDrawElementsIndirect":
                commands = np.zeros((words[3], 5), np.uint32)
                target = commands.ctypes.data_as(ctypes.c_void_p)
                gl.glGetBufferSubData(gl.GL_DRAW_INDIRECT_BUFFER, 0, commands.nbytes, target)
                triangles["movers"] += int((commands[:, 0] // 3 * commands[:, 1]).sum())
            if name == "glMultiDrawElements":
                triangles["ground"] += sum(words[1]) // 3
            call(*words)

        monkeypatch.setattr(gl, name, draw)

    for names in CALLS.values():
        for name in names:
            counted(name)
    found = []
    try:
        for count in (60, 1000):
            world = crowd_of(load_world("hills"), count)
            with Simulation(world) as simulation:
                scene, canvas = Scene(world, simulation.terrain), Canvas(SIZE, 0)
                calls.clear()
                triangles |= dict.fromkeys(triangles, 0)
                with canvas:
                    pose, camera = pose_of(simulation.snapshot), Camera(distance=12.0)
                    camera.follow(*subject_frame(world, pose, count // 2), 0.0)
                    scene.draw(Frame(pose, has_shadows=False), camera, SIZE)
                found.append({kind: sum(map(calls.count, names)) for kind, names in CALLS.items()})
                canvas.delete()
                scene.delete()
    finally:
        context.close()
    for calls_of in found:
        assert 4 <= calls_of["movers"] <= 6  # solids, limbs, these as small ones, legs; marks
        assert 1 <= calls_of["ground"] <= 2  # with marks, and without
        assert calls_of["rest"] == 1  # the sky
        assert sum(calls_of.values()) + DUST_AND_PROPS <= 12
    assert found[-1]["ground"] == 1  # there is shade nearly everywhere
    assert all(triangles[kind] < most for kind, most in MAX_TRIANGLES.items())


@pytest.mark.parametrize("distance", [2.0, 7.0])
def test_ground_that_is_drawn_once_or_twice_looks_the_same(
    monkeypatch: pytest.MonkeyPatch, distance: float
) -> None:
    world = crowd_of(load_world("hills"), 30)
    with Simulation(world) as simulation:
        pose = pose_of(simulation.snapshot)
        camera = Camera(distance=distance)
        camera.follow(pose.creatures[15].position, pose.creatures[15].orientation, 0.0)
        pictures = []
        for most in (0.0, 2.0):
            with studio_of(world, simulation.terrain, (320, 200)) as studio:
                monkeypatch.setattr("creature_sim.view.gl.plots.MAX_TWICE", most)
                pictures.append(studio.render(pose, camera, has_shadows=False))
    assert (pictures[0] == pictures[1]).all()


def test_an_older_opengl_draws_the_same_picture_in_more_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = crowd_of(load_world("hills"), 90)
    with Simulation(world) as simulation:
        pose, camera = pose_of(simulation.snapshot), Camera(distance=4.0)
        camera.follow(*subject_frame(world, pose, 45), 0.0)
        with studio_of(world, simulation.terrain, (320, 200)) as studio:
            newer = studio.render(pose, camera)
            from pyglet import gl

            monkeypatch.setattr(gl.gl_info, "have_version", lambda *version: version <= (3, 3))
            monkeypatch.delattr(gl, "glMultiDrawElementsIndirect")
            older = studio.render(pose, camera)
    assert (newer == older).all()

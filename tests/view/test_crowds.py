"""A crowd in a window: few calls of OpenGL, however many creatures there are."""

from typing import Any

import pytest

from creature_sim.definitions.crowds import crowd_of
from creature_sim.figures.camera import Camera
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import pose_of
from creature_sim.view.frame import Frame
from creature_sim.view.gl.display import open_offscreen

pytestmark = pytest.mark.slow

CALLS = {
    "ground": ("glMultiDrawElements",),
    "movers": ("glDrawElementsInstanced",),
    "rest": ("glDrawElements", "glDrawArrays"),
}
SIZE = (1280, 720)


def test_a_thousand_creatures_are_drawn_in_twelve_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    context = open_offscreen()
    from pyglet import gl  # which opens a screen unless the context is there

    from creature_sim.view.gl.canvas import Canvas
    from creature_sim.view.scene import Scene

    calls: list[str] = []

    def counted(name: str) -> None:
        call = getattr(gl, name)

        def draw(*words: Any) -> None:
            calls.append(name)
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
                with canvas:
                    frame = Frame(pose_of(simulation.snapshot), has_shadows=False)
                    scene.draw(frame, Camera(distance=12.0), SIZE)
                found.append({kind: sum(map(calls.count, names)) for kind, names in CALLS.items()})
                canvas.delete()
                scene.delete()
    finally:
        context.close()
    for calls_of in found:
        assert 8 <= calls_of["movers"] <= 13  # three solids in four levels of detail, and marks
        assert 1 <= calls_of["ground"] <= 2  # with marks, and without
        assert calls_of["rest"] == 1

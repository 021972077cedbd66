"""How long a frame takes, without a screen: the numbers of `creature-sim bench view`."""

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Any

from creature_sim.definitions import WorldDef
from creature_sim.definitions.crowds import crowd_of
from creature_sim.drivers import make_driver
from creature_sim.figures.camera import Camera
from creature_sim.figures.subjects import subject_frame
from creature_sim.figures.trail import Trail
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Pose, blend, pose_of
from creature_sim.view.frame import Frame
from creature_sim.view.gl.display import is_software, open_offscreen

SIZE = (1280, 720)
FRAMES = 120
HERD_FRAMES = 20
COUNTS = (1, 10, 100, 1000)
WARM_TICKS = 200
"""Before frames are measured: a herd that walks has left prints, and dust is in the air."""
HERD_DISTANCE = 12.0
"""From the camera to the middle of a herd [m]."""


def bench_view(
    world: WorldDef,
    counts: Sequence[int],
    progress: Callable[[int], None] = lambda _: None,
) -> dict[str, Any]:
    """Frames of one creature with and without shadows, and of herds of `counts`.

    A frame is what a window draws between two ticks: a blend of the last two poses, footprints and
    dust, up to the last pixel, of creatures that have walked for a while. The simulation is not
    counted.

    Args:
        world: its first creature, multiplied, on its ground.
        counts: how many creatures a herd has.
        progress: called with the number of measurements done, of 2 + len(counts).

    Raises:
        DisplayUnavailable: there is no OpenGL 3.3.
    """
    context = open_offscreen()
    from pyglet import gl

    try:
        found: dict[str, Any] = {
            "size": list(SIZE),
            "renderer": gl.gl_info.get_renderer(),
            "samples": _samples(),
            "one": {},
            "herd": [],
        }
        for done, (name, has_shadows) in enumerate((("plain", False), ("shadows", True))):
            times = _frames(crowd_of(world, 1), FRAMES, has_shadows, Camera())
            found["one"][name] = {"fps": round(1000.0 / median(times), 1), **_spread(times)}
            progress(done + 1)
        for done, count in enumerate(counts):
            camera = Camera(distance=HERD_DISTANCE)
            times = _frames(crowd_of(world, count), HERD_FRAMES, not is_software(), camera)
            found["herd"].append({"creatures": count, **_spread(times)})
            progress(done + 3)
        return found
    finally:
        context.close()


def _frames(world: WorldDef, count: int, has_shadows: bool, camera: Camera) -> list[float]:
    """Milliseconds of frames while all creatures walk, as they have for `WARM_TICKS`."""
    from pyglet import gl

    from creature_sim.view.gl.canvas import Canvas  # these use OpenGL, which exists only now
    from creature_sim.view.scene import Scene

    times = []
    with Simulation(world) as simulation:
        drive = make_driver(world, "forward 600")
        scene, canvas = Scene(world, simulation.terrain), Canvas(SIZE, _samples())
        trail = Trail(world)
        try:
            before = pose_of(simulation.snapshot)
            middle = before.creature_count // 2

            def look() -> Pose:
                nonlocal before
                now = pose_of(simulation.snapshot)
                pose, before = blend(before, now, 0.5), now
                trail.add(pose)
                camera.follow(*subject_frame(world, pose, middle), 1.0 / world.tick_rate)
                return pose

            for _ in range(WARM_TICKS):
                simulation.step(drive(simulation.snapshot))
                look()
            for _ in range(count + 1):
                simulation.step(drive(simulation.snapshot))
                begin = perf_counter()
                pose = look()
                with canvas:
                    frame = Frame(pose, has_shadows=has_shadows, trail=trail)
                    scene.draw(frame, camera, SIZE)
                    gl.glFinish()
                times.append(1000.0 * (perf_counter() - begin))
        finally:
            canvas.delete()
            scene.delete()
    return times[1:]  # the first one compiles shaders


def _samples() -> int:
    """Samples per pixel that a window would have here."""
    return 0 if is_software() else 4


def _spread(times: list[float]) -> dict[str, float]:
    return {"min_ms": round(min(times), 2), "median_ms": round(median(times), 2)}

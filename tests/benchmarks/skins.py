"""What models of creatures cost a frame: `python -m tests.benchmarks.skins`. Asserts nothing."""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from creature_sim.definitions import CreatureDef
from creature_sim.figures.skins import SkinFigure
from creature_sim.library.loader import load_world
from creature_sim.library.variants import with_creature
from creature_sim.maths import Floats
from creature_sim.models.binding import binding_of
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Pose, pose_of
from creature_sim.view.gl.display import open_offscreen
from tests.models.rigs import write_rig

FRAMES = 300
SIZES = ((11, 16), (45, 54))
"""Rings and sides of the tubes and balls: about 1,500 and 20,000 vertices."""


def timed(call: Callable[[], object], count: int = FRAMES) -> list[float]:
    """Milliseconds of every call but the first few."""
    times = []
    for _ in range(count + 3):
        begin = time.perf_counter()
        call()
        times.append(1e3 * (time.perf_counter() - begin))
    return times[3:]


def row(name: str, times: list[float], without: list[float] | None = None) -> None:
    """One line of the table; what the same takes without the model is taken off."""
    best, usual = min(times), statistics.median(times)
    if without:
        best, usual = best - min(without), usual - statistics.median(without)
    print(f"| {name} | {best:.2f} ms | {usual:.2f} ms |")


def drawing(plan: CreatureDef, pose: Pose) -> None:
    """Bones, and shadows and colours of all vertices, into a picture of few pixels.

    Both pictures have a sky: what it costs to begin and end a picture is not the model's.
    """
    from pyglet import gl

    from creature_sim.view.gl.mesh import Mesh
    from creature_sim.view.gl.shaders import Programs, columns
    from creature_sim.view.gl.skins import Skins
    from creature_sim.view.gl.texture import Texture

    binding = binding_of(plan)
    assert binding is not None
    figure, programs = SkinFigure(plan, binding), Programs()
    skins = Skins(programs)
    sky = Mesh(np.empty((0, 6), np.float32), np.empty((0, 3), np.uint32))
    shade, picture = Texture(16, is_depth=True), Texture(16, is_depth=False)
    programs.set(view_projection=columns(np.eye(4)), eye=(0.0, 0.0, 0.0), sun=(0.0, 0.0, 1.0))
    programs.set(to_world=columns(np.eye(4)))
    herd = pose.herds[0]

    def bones() -> Floats:
        return figure.matrices(herd, np.array([0]))

    def frame(*, has_model: bool = True) -> None:
        if has_model:
            skins.fill({plan.name: bones()}, {plan.name: binding})
        for texture, variant in ((shade, "_depth"), (picture, "")):
            with texture:
                if has_model:
                    skins.draw(variant=variant)
                programs.use("sky")
                sky.draw_bare(3)
        gl.glFinish()

    count = len(binding.vertices)
    row(f"{count:,} vertices: bones", timed(bones))
    row(
        f"{count:,} vertices: bones, shadows, colours",
        timed(frame),
        timed(lambda: frame(has_model=False)),
    )


def main() -> None:
    """Print the table."""
    context = open_offscreen()
    print("| of a hexapod with | min | median |")
    print("| --- | --- | --- |")
    for rings, sides in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            plan = write_rig("hexapod", Path(folder) / "model.glb", rings=rings, sides=sides)
        with Simulation(with_creature(load_world("hills"), plan)) as simulation:
            for _ in range(30):
                simulation.step()
            drawing(plan, pose_of(simulation.snapshot))
    context.close()


if __name__ == "__main__":
    main()

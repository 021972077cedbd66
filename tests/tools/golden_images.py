"""Pictures that the view must go on making.

`python -m tests.tools.golden_images` makes them anew.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from creature_sim.definitions import WorldDef
from creature_sim.definitions.crowds import crowd_of
from creature_sim.figures.camera import Camera
from creature_sim.figures.subjects import subject_frame
from creature_sim.figures.trail import Trail
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import Pose, pose_of
from creature_sim.terrain import Terrain
from creature_sim.view.offscreen import Studio
from tests.scenes import scene

FOLDER = Path(__file__).parents[1] / "golden_images"
SIZE = (320, 200)
BLUR = 5
"""Side of the square that differences are averaged over [px]: edges may fall a pixel aside."""
SEEN = 10.0
"""A difference of so many of 255 is seen."""
MOST_SEEN = 0.004
"""Share of a picture that may be seen to differ."""


class Shot(NamedTuple):
    """A world, how long it runs, and how it is looked at."""

    world: Callable[[], WorldDef]
    ticks: int
    camera: Callable[[], Camera]
    options: Mapping[str, Any] = MappingProxyType({})


SHOTS = {
    "hexapod-hills": Shot(
        lambda: scene("hills", "hexapod", driver="forward 9"), 260, lambda: Camera(0.9, 0.3, 1.7)
    ),
    "hexapod-hills-front": Shot(
        lambda: scene("hills", "hexapod", driver="forward 9"), 260, lambda: Camera(2.6, 0.25, 1.5)
    ),
    "hexapod-hills-plain": Shot(
        lambda: scene("hills", "hexapod", driver="forward 9"),
        260,
        lambda: Camera(0.9, 0.3, 1.7),
        {"has_shadows": False},
    ),
    "spider8-stairs": Shot(
        lambda: scene("stairs", "spider8", driver="forward 9"), 330, lambda: Camera(0.9, 0.35, 1.9)
    ),
    "spider4-steps-overlay": Shot(
        lambda: scene("steps", "spider4", driver="forward 9"),
        300,
        lambda: Camera(0.7, 0.5, 1.8),
        {"is_overlaid": True},
    ),
    "hexapod-slope-above": Shot(
        lambda: scene("slope", "hexapod", driver="forward left 9"),
        200,
        lambda: Camera(0.2, 1.2, 2.4),
    ),
    "herd-meadow": Shot(
        lambda: crowd_of(scene("meadow", "spider4", driver="forward 9"), 49),
        60,
        lambda: Camera(0.5, 0.35, 7.0),
        {"selected": 24},
    ),
    "tentacle": Shot(lambda: load_world("tentacle"), 120, lambda: Camera(0.9, 0.3, 2.2)),
    "humanoid": Shot(lambda: load_world("humanoid"), 120, lambda: Camera(2.4, 0.2, 2.9)),
}


class Stage:
    """A shot's world after its last tick."""

    def __init__(self, shot: Shot) -> None:
        self.shot = shot
        self.world = shot.world()
        self.trail = Trail(self.world)
        with Simulation(self.world) as simulation:
            self.terrain: Terrain = simulation.terrain
            for _ in range(shot.ticks):
                simulation.step()
                self.pose: Pose = pose_of(simulation.snapshot)
                self.trail.add(self.pose)

    def picture(
        self, pose: Pose | None = None, world: WorldDef | None = None, **options: Any
    ) -> Any:
        """The shot; or from the same place another pose, other colours, other options."""
        options = {**self.shot.options, **options}
        camera = self.shot.camera()
        camera.follow(*subject_frame(self.world, self.pose, options.get("selected", 0)), 0.0)
        with Studio(world or self.world, self.terrain, SIZE) as studio:
            return studio.render(pose or self.pose, camera, trail=self.trail, **options)


def seen_difference(a: Any, b: Any) -> float:
    """Share of two (H, W, 3) pictures that an eye sees to differ.

    Differences are averaged over squares of `BLUR` pixels, with their sign: grain and edges that
    lie a fraction of a pixel aside vanish, a thing that is elsewhere or of another colour stays.
    """
    gaps = a.astype(np.float64) - b.astype(np.float64)
    sums = np.pad(gaps, ((1, 0), (1, 0), (0, 0))).cumsum(axis=0).cumsum(axis=1)
    squares = sums[BLUR:, BLUR:] - sums[:-BLUR, BLUR:] - sums[BLUR:, :-BLUR] + sums[:-BLUR, :-BLUR]
    return float((np.abs(squares / BLUR**2).max(axis=2) > SEEN).mean())


def golden(name: str) -> Any:
    """The picture in the repository, (H, W, 3)."""
    with Image.open(FOLDER / f"{name}.png") as image:
        return np.array(image.convert("RGB"))


def main() -> None:
    """Make all of them."""
    FOLDER.mkdir(exist_ok=True)
    for name, shot in SHOTS.items():
        Image.fromarray(Stage(shot).picture()).save(FOLDER / f"{name}.png", optimize=True)


if __name__ == "__main__":
    main()

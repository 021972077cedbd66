"""The pictures in README.md: `python -m tests.pictures` draws them anew."""

from pathlib import Path

from creature_sim.poses import pose_of
from creature_sim.simulation import Simulation
from creature_sim.view.camera import Camera
from creature_sim.view.offscreen import Studio
from creature_sim.view.png import save_png
from creature_sim.view.trail import Trail
from tests.scenes import scene

FOLDER = Path(__file__).parent.parent / "docs"
SCENES = {
    "hexapod-hills": (420, Camera(yaw=2.35, pitch=0.24, distance=1.75)),
    "spider8-stairs": (330, Camera(yaw=0.75, pitch=0.36, distance=1.9)),
    "spider4-steps": (300, Camera(yaw=0.9, pitch=0.35, distance=1.8)),
}
"""Ticks, and where to look from."""


def main() -> None:
    """Draw every scene after so many ticks."""
    for name, (ticks, camera) in SCENES.items():
        creature, world = name.split("-")
        made = scene(world, creature, driver="forward 12")
        trail = Trail(made)
        with Simulation(made) as simulation:
            for _ in range(ticks):
                simulation.step()
                pose = pose_of(simulation.snapshot)
                trail.add(pose)
            with Studio(made, simulation.terrain, (640, 360)) as studio:
                picture = studio.render(pose, camera, trail=trail)
        save_png(picture, FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()

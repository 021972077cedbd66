"""The pictures in README.md: `python -m tests.pictures` draws them anew."""

from pathlib import Path

from creature_sim.poses import pose_of
from creature_sim.simulation import Simulation
from creature_sim.view.camera import Camera
from creature_sim.view.offscreen import Studio
from creature_sim.view.png import save_png
from tests.scenes import scene

FOLDER = Path(__file__).parent.parent / "docs"
SCENES = {"hexapod-hills": 420, "spider8-stairs": 330, "spider4-steps": 300}


def main() -> None:
    """Draw every scene after so many ticks."""
    for name, ticks in SCENES.items():
        creature, world = name.split("-")
        made = scene(world, creature, driver="forward 12")
        with Simulation(made) as simulation:
            for _ in range(ticks):
                simulation.step()
            studio = Studio(made, simulation.terrain, (640, 360))
            picture = studio.render(
                pose_of(simulation.snapshot), Camera(yaw=0.9, pitch=0.3, distance=1.9)
            )
        save_png(picture, FOLDER / f"{name}.png")


if __name__ == "__main__":
    main()

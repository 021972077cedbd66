"""The pictures of the README and the pages: `python -m tests.tools.pictures` draws them anew."""

import tempfile
from pathlib import Path

from creature_sim.export.render import Rendering, Shot
from creature_sim.replay import open_replay, record
from tests.climbers import climber, in_room
from tests.scenes import scene

FOLDER = Path(__file__).parents[2] / "docs"
SCENES = {
    "hexapod-stairs.webp": Shot("side", (400, 225), fps=15.0, start=1.6, end=6.0),
    "spider8-room.webp": Shot("side", (400, 225), fps=7.0, start=4.0, end=32.0),
    "hexapod-hills.png": Shot(size=(640, 360), at=7.0),
    "spider8-stairs.png": Shot(size=(640, 360), at=5.5),
}


def main() -> None:
    """Record every scene and draw it as `creature-sim render` does."""
    with tempfile.TemporaryDirectory() as folder:
        for name, shot in SCENES.items():
            creature, world = Path(name).stem.split("-")
            replay = Path(folder) / f"{creature}-{world}.mcap"
            if world == "room":
                made = in_room(climber(creature), 2.2, position=(0.5, 0.0))
                record(made.model_copy(update={"driver": "forward 30"}), replay, 1980)
            elif not replay.exists():
                record(scene(world, creature, driver="forward 12"), replay, 540)
            Rendering(open_replay(replay), FOLDER / name, shot, force=True).write()


if __name__ == "__main__":
    main()

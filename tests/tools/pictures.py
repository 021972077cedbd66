"""The pictures of the README and the pages: `python -m tests.tools.pictures` draws them anew."""

import tempfile
from pathlib import Path

from PIL import Image

from creature_sim.export.render import Rendering, Shot
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.replay import open_replay, record
from tests.climbers import climber, in_room
from tests.commands import sim
from tests.scenes import scene

FOLDER = Path(__file__).parents[2] / "docs"
SCENES = {
    "hexapod-stairs.webp": Shot("side", (400, 225), fps=15.0, start=1.6, end=6.0),
    "spider8-room.webp": Shot("side", (400, 225), fps=7.0, start=4.0, end=32.0),
    "hexapod-hills.png": Shot(size=(640, 360), at=7.0),
    "spider8-stairs.png": Shot(size=(640, 360), at=5.5),
}
MODELS = ("spider", "beetle", "crab", "dog", "bird", "humanoid")
TILE = Shot("side", (480, 360), at=4.2)


def main() -> None:
    """Record every scene and draw it as `creature-sim render` does."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _scenes(folder)
        _models(folder)


def _scenes(folder: Path) -> None:
    for name, shot in SCENES.items():
        creature, world = Path(name).stem.split("-")
        replay = folder / f"{creature}-{world}.mcap"
        if world == "room":
            made = in_room(climber(creature), 2.2, position=(0.5, 0.0))
            record(made.model_copy(update={"driver": "forward 30"}), replay, 1980)
        elif not replay.exists():
            record(scene(world, creature, driver="forward 12"), replay, 540)
        Rendering(open_replay(replay), FOLDER / name, shot, force=True).write()


def _models(folder: Path) -> None:
    """Creatures found in the models of the library, on stairs, in one picture."""
    sheet = Image.new("RGB", (3 * TILE.size[0], 2 * TILE.size[1]))
    for index, name in enumerate(MODELS):
        sim("new", "creature", f"my_{name}", "--from", name, cwd=folder)
        made = with_creature(load_world("stairs"), load_creature(folder / f"my_{name}.toml"))
        replay, picture = folder / f"{name}.mcap", folder / f"{name}.png"
        record(made.model_copy(update={"driver": "forward 12"}), replay, 360)
        Rendering(open_replay(replay), picture, TILE).write()
        with Image.open(picture) as tile:
            sheet.paste(tile, (index % 3 * TILE.size[0], index // 3 * TILE.size[1]))
    sheet.save(FOLDER / "models.webp", quality=85)


if __name__ == "__main__":
    main()

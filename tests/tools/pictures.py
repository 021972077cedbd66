"""The pictures of the README and the pages: `python -m tests.tools.pictures` draws them anew."""

import tempfile
from pathlib import Path

from PIL import Image

from creature_sim.definitions import WorldDef
from creature_sim.export.render import Rendering, Shot
from creature_sim.lab.course import Course, Trial
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.replay import open_replay, record
from creature_sim.score import Surface, tracks
from creature_sim.score.plot import plot
from tests.climbers import climber, in_room
from tests.commands import sim
from tests.rays import rays_on
from tests.scenes import scene, walk
from tests.tools.sticks import sticks

FOLDER = Path(__file__).parents[2] / "docs"
SCENES = {
    "hexapod-stairs.webp": Shot("side", (400, 225), fps=15.0, start=1.6, end=6.0),
    "spider8-room.webp": Shot("side", (400, 225), fps=7.0, start=4.0, end=32.0),
    "hexapod-hills.png": Shot(size=(640, 360), at=7.0),
    "spider8-stairs.png": Shot(size=(640, 360), at=5.5),
}
GAP = {"kind": "gap", "width": 0.7, "depth": 1.3, "spacing": 2.0, "clearing": 0.9}
MODELS = ("spider", "beetle", "crab", "dog", "bird", "humanoid")
TILE = Shot("side", (480, 360), at=4.2)


def main() -> None:
    """Record every scene and draw it as `creature-sim render` does."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _scenes(folder)
        _leap(folder)
        _hop(folder)
        _edge(folder)
        _walk(folder)
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


def _leap(folder: Path) -> None:
    """A leap over a gap, every tenth of a second."""
    world = WorldDef.model_validate(
        {"name": "gap", "seed": 1, "terrain": GAP, "creatures": [{"creature": "hexapod"}]}
    )
    made, replay = with_creature(world, load_creature("hexapod")), folder / "leap.mcap"
    record(made.model_copy(update={"driver": "stop 0.5; leap 2,0,0; stop 2"}), replay, 150)
    picture = folder / "leap.png"
    shot = Shot("side", (1280, 720), start=0.7, end=1.8, sheet=(4, 3))
    Rendering(open_replay(replay), picture, shot).write()
    _small(picture, "hexapod-leap.webp")


def _hop(folder: Path) -> None:
    """A cornered spider hops back from a gap, under random sticks, every eighth of a second."""
    creature, replay, picture = load_creature("spider4"), folder / "hop.mcap", folder / "hop.png"
    made, given = Course.of(creature).world(creature, Trial("gap", 0.7, 10)), sticks("held", 10)
    flights: list[int] = []
    record(
        made,
        replay,
        75 * made.tick_rate,
        driver=lambda _: next(given),
        seen=lambda snapshot: flights.append(snapshot.creatures[0].flight.leap_count),
    )
    last = flights.index(flights[-1]) / made.tick_rate
    shot = Shot("side", (1280, 720), start=last - 0.4, end=last + 0.725, sheet=(5, 2))
    Rendering(open_replay(replay), picture, shot).write()
    _small(picture, "spider4-hop.webp")


def _edge(folder: Path) -> None:
    """A centipede that climbs round the edge of a table, every .5 s."""
    centipede = load_creature("centipede").climbing
    made = Course.of(centipede).world(centipede, Trial("outer_edge", 0.5, 0))
    replay, picture = folder / "edge.mcap", folder / "edge.png"
    record(made.model_copy(update={"driver": "forward 12"}), replay, 660)
    shot = Shot("side", (1280, 720), start=4.0, end=9.5, sheet=(4, 3))
    Rendering(open_replay(replay), picture, shot).write()
    _small(picture, "centipede-edge.webp")


def _walk(folder: Path) -> None:
    """Height, roll, pitch and speed of a walk on flat ground, and of two of its strides."""
    made = scene("meadow", "hexapod", driver="stop 1; forward 5; stop 2")
    flat = made.terrain.model_copy(update={"amplitude": 0.0})
    made, picture = made.model_copy(update={"terrain": flat}), folder / "walk.png"
    (track,) = tracks(walk(made, 480), made.tick_rate)
    plot(track, Surface(rays_on(made.terrain, made.seed)), picture, "hexapod")
    _small(picture, "hexapod-walk.webp")


def _small(picture: Path, name: str) -> None:
    """Keep a picture as a small file of the pages."""
    with Image.open(picture) as drawn:
        drawn.convert("RGB").resize((1200, 1200 * drawn.height // drawn.width)).save(
            FOLDER / name, quality=80, method=6
        )


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

"""The pictures of the page about Blender: `python -m tests.tools.blender_pictures` draws them anew.

The first is drawn by the scripts of the page, the second is the same second of one file here, in
Blender and in three.js. Needs what `tests/tools/peers.sh` installs.
"""

import subprocess
import tempfile
from pathlib import Path

from PIL import Image

from creature_sim.export.formats import write_export
from creature_sim.figures.optics import FIELD_OF_VIEW
from creature_sim.figures.subjects import camera_up, subject_camera, subject_frame
from creature_sim.figures.surroundings import Surroundings
from creature_sim.library.loader import load_world
from creature_sim.replay import open_replay, record
from creature_sim.replay.playback import Playback
from creature_sim.terrain import build_terrain
from creature_sim.view.offscreen import render
from tests.commands import sim
from tests.docs.pages import ROOT, page
from tests.export.peers import BLENDER, in_blender, in_three

FOLDER = ROOT / "docs"
SECONDS, SECOND, SIZE = 20, 11.0, (960, 540)
SHOWN, LARGE = (420, 270), (640, 360)


def main() -> None:
    """Do what the page says, and draw."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for block in page("docs/blender.md").blocks:
            if block.title:
                (folder / block.title).write_text(block.text)
        _blender(folder, "level.py")
        words = ("--seconds", str(SECONDS), "--creature", "0", "-o", "level-walk.glb")
        done = sim("export", "level.toml", *words, cwd=folder)
        assert done.returncode == 0, done.stderr
        _blender(folder, "film.py")
        film = Image.open(folder / "film.png").convert("RGB")
        film.resize(LARGE).save(FOLDER / "blender-level.webp", quality=80)
        _three_programs(folder).save(FOLDER / "three-programs.webp", quality=80)


def _blender(folder: Path, script: str) -> None:
    subprocess.run([str(BLENDER), script], cwd=folder, check=True)


def _three_programs(folder: Path) -> Image.Image:
    """A second of the walk on the level, beside each other."""
    path = folder / "walk.glb"
    record(load_world(folder / "level.toml"), folder / "walk.mcap", 60 * SECONDS)
    replay = open_replay(folder / "walk.mcap")
    write_export(replay, path, force=True, progress=lambda done: None)
    pose = Playback(replay).at(SECOND)
    terrain = build_terrain(replay.world.terrain, replay.world.seed)
    camera = subject_camera(replay.world, 0, "side")
    position, turn = subject_frame(replay.world, pose, 0)
    camera.follow(position, turn, 0.0, camera_up(replay.world, position))
    eye = camera.eye(Surroundings(terrain).ground)
    seen = {"eye": eye.tolist(), "target": camera.target.tolist(), "view": FIELD_OF_VIEW}
    in_blender(path, [SECOND], path=str(folder / "blender.png"), **seen)
    with in_three(path) as shown:
        show = "seen => window.show(seen.time, seen.eye, seen.target, seen.view)"
        shown.evaluate(show, {**seen, "time": SECOND})
        shown.screenshot(path=str(folder / "three.png"))
    pictures = [
        Image.fromarray(render(replay.world, pose, terrain, SIZE, camera)),
        *(Image.open(folder / f"{name}.png").convert("RGB") for name in ("blender", "three")),
    ]
    found = Image.new("RGB", (len(pictures) * SHOWN[0], SHOWN[1]))
    for index, picture in enumerate(pictures):
        width, height = round(SIZE[0] * SHOWN[1] / SIZE[1]), SHOWN[1]
        left = (width - SHOWN[0]) // 2
        part = picture.resize((width, height)).crop((left, 0, left + SHOWN[0], height))
        found.paste(part, (index * SHOWN[0], 0))
    return found


if __name__ == "__main__":
    main()

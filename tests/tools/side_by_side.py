"""The same moment here, in Blender and in three.js: `python -m tests.tools.side_by_side`."""

import tempfile
from pathlib import Path

from PIL import Image

from creature_sim.export.formats import write_export
from creature_sim.figures.optics import FIELD_OF_VIEW
from creature_sim.figures.subjects import camera_up, subject_camera, subject_frame
from creature_sim.figures.surroundings import Surroundings
from creature_sim.replay import open_replay, record
from creature_sim.replay.playback import Playback
from creature_sim.terrain import build_terrain
from creature_sim.view.offscreen import render
from tests.export.peers import in_blender, in_three
from tests.scenes import scene

PICTURE = Path(__file__).parents[2] / "docs" / "three-programs.webp"
SECOND, SIZE = 4.0, (960, 540)
SHOWN = (480, 270)


def main() -> None:
    """Record a walk, export it, and draw it three times."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "walk.glb"
        record(scene("stairs", "hexapod", driver="forward 12"), path.with_suffix(".mcap"), 300)
        replay = open_replay(path.with_suffix(".mcap"))
        write_export(replay, path, force=True, progress=lambda done: None)
        pose = Playback(replay).at(SECOND)
        terrain = build_terrain(replay.world.terrain, replay.world.seed)
        camera = subject_camera(replay.world, 0, "side")
        position, turn = subject_frame(replay.world, pose, 0)
        camera.follow(position, turn, 0.0, camera_up(replay.world, position))
        eye = camera.eye(Surroundings(terrain).ground)
        seen = {"eye": eye.tolist(), "target": camera.target.tolist(), "view": FIELD_OF_VIEW}
        pictures = [Image.fromarray(render(replay.world, pose, terrain, SIZE, camera))]
        in_blender(path, [SECOND], path=f"{folder}/blender.png", **seen)
        pictures.append(Image.open(f"{folder}/blender.png").convert("RGB"))
        with in_three(path) as page:
            show = "seen => window.show(seen.time, seen.eye, seen.target, seen.view)"
            page.evaluate(show, {**seen, "time": SECOND})
            page.screenshot(path=f"{folder}/three.png")
        pictures.append(Image.open(f"{folder}/three.png").convert("RGB"))
        found = Image.new("RGB", (SHOWN[0], 3 * SHOWN[1]))
        for index, picture in enumerate(pictures):
            found.paste(picture.resize(SHOWN), (0, index * SHOWN[1]))
        found.save(PICTURE, quality=80)


if __name__ == "__main__":
    main()

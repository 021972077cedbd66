"""A replay as one self-contained page that plays it in any browser with WebGL 2.

`web/page.html`, its style and its scripts, put together here with the recording and the window's
own shaders in them; nothing is loaded from anywhere. The page holds the poses as they were
recorded, some 30 a second, rounded: points to 0.1 mm (off by at most 0.05 mm along each axis),
orientations and normals to 0.0001 (their numbers, off by at most 0.00005), the ground's corners to
1 mm. A recording of more than `MOST_NUMBERS` keeps every second pose, or every third, and so on.
"""

import html
import json
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from creature_sim.export.cast import Cast
from creature_sim.export.packing import Table, pack
from creature_sim.figures.palette import EDGED, ROLLING
from creature_sim.figures.patch import Patch, patch_along
from creature_sim.figures.shapes import BACK, HULL_POWER, NOSE
from creature_sim.figures.solids import EYE, HULL, PLAIN
from creature_sim.figures.sun import SUN
from creature_sim.files.output import write_output
from creature_sim.replay.playback import Playable, is_jump
from creature_sim.snapshots.poses import Pose
from creature_sim.terrain import build_terrain
from creature_sim.view.glsl import source_of

POINT_STEP, TURN_STEP, GROUND_STEP = 1e-4, 1e-4, 1e-3
MOST_NUMBERS = 12_000_000
SCRIPTS = ("recording", "vectors", "shapes", "programs", "painter", "diagram", "player", "controls")
"""Parts of one script, in this order."""
SHADERS = ("light.glsl", "ground.glsl", "ground.vert", "ground.frag", "solid.frag", "sky.frag")
"""Of the window, that the page draws with as well."""


def write_page(replay: Playable, path: Path, title: str, *, force: bool = False) -> None:
    """Write the page of a replay.

    Raises:
        OutputError: the file exists or cannot be written.
    """
    write_output(path, page_of(replay, title).encode(), force)


def page_of(replay: Playable, title: str) -> str:
    """The text of the page."""
    cast = Cast(replay.world)
    poses = _thinned(cast, replay)
    points = np.array([cast.points(pose) for pose in poses])
    terrain = build_terrain(replay.world.terrain, replay.world.seed)
    patch = patch_along(terrain, points[..., :2].reshape(-1, 2))
    tables, data = pack(
        {
            "ticks": Table(np.array([[pose.tick] for pose in poses]), 1.0),
            "jumps": Table(_jumps(poses, replay.tick_rate), 1.0),
            "points": Table(points.reshape(len(poses), -1), POINT_STEP),
            "turns": Table(_turns(cast, poses), TURN_STEP),
            "normals": Table(_rows([cast.normals(pose) for pose in poses]), TURN_STEP),
            "swings": Table(_rows([cast.swings(pose) for pose in poses]), 1.0),
            "vertices": Table(patch.vertices, GROUND_STEP),
            "triangles": Table(patch.triangles, 1.0),
        }
    )
    header = {
        "title": title,
        "rate": replay.tick_rate,
        "subjects": cast.subjects,
        "parts": cast.parts,
        "colours": cast.colours,
        "ground": _ground(patch),
        "sun": SUN.round(6).tolist(),
        "hull": [HULL_POWER, NOSE, BACK],
        "materials": {"plain": PLAIN, "hull": HULL, "eye": EYE},
        "shaders": {name: source_of(name) for name in SHADERS},
        "tables": tables,
    }
    return _assembled(title, header, data)


def _thinned(cast: Cast, replay: Playable) -> list[Pose]:
    """The poses, or so many of them, evenly, that a browser can hold them."""
    count = cast.points(replay.poses[0]).size + cast.turns(replay.poses[0]).size
    every = -(-len(replay.poses) * count // MOST_NUMBERS)
    return [replay.poses[place] for place in range(0, len(replay.poses), every)]


def _rows(arrays: list[Any]) -> Any:
    """One row of numbers per pose."""
    return np.array(arrays).reshape(len(arrays), -1)


def _jumps(poses: list[Pose], rate: int) -> Any:
    """(F, 1): 1 where something was put elsewhere since the pose before."""
    return np.array([[0], *([int(is_jump(a, b, rate))] for a, b in pairwise(poses))])


def _turns(cast: Cast, poses: list[Pose]) -> Any:
    """Orientations, (F, 4 B), each in the hemisphere of the one before: what is near looks near."""
    turns = np.array([cast.turns(pose) for pose in poses])
    nearness = (turns[1:] * turns[:-1]).sum(axis=-1)
    turns[1:] *= np.cumprod(np.where(nearness < 0.0, -1.0, 1.0), axis=0)[..., None]
    return turns.reshape(len(poses), -1)


def _ground(patch: Patch) -> dict[str, Any]:
    heights = patch.vertices[:, 2]
    return {
        "area": patch.area,
        "heights": [float(heights.min()), float(heights.max())],
        "is_edged": patch.is_edged,
        "colours": EDGED if patch.is_edged else ROLLING,
    }


def _assembled(title: str, header: dict[str, Any], data: str) -> str:
    folder = files("creature_sim.export") / "web"

    def text(name: str) -> str:
        return (folder / name).read_text("utf-8")

    parts = {
        "title": html.escape(title),
        "style": text("page.css"),
        "script": "\n".join(text(f"{name}.js") for name in SCRIPTS),
        "header": json.dumps(header, separators=(",", ":")).replace("<", "\\u003c"),
        "data": data,
    }
    before, *rest = text("page.html").split("{{")
    found = [before]
    for piece in rest:
        name, after = piece.split("}}", 1)
        found += [parts[name], after]
    return "".join(found)

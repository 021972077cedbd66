"""A replay as one self-contained page that plays it in any browser with WebGL 2.

`web/page.html` is put together here with its style, its scripts, the recording and the shaders of
the window; the page loads nothing. It holds the poses as they were recorded, about 30 a second,
rounded: points to 0.1 mm, as bodies and feet already are in the recording (so these are off by at
most 0.05 mm along each axis, and joints by 0.2 mm), the numbers of orientations and normals to
0.0001, the corners of the ground to 1 mm. A recording of more than `MAX_NUMBERS` keeps every second
pose, or every third, and so on. Where something is much smaller than usual, points and corners are
finer.
"""

import html
import json
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.export.display_list import DisplayList
from creature_sim.export.model_tables import model_headers, model_tables
from creature_sim.export.packing import Table, pack
from creature_sim.figures.creatures import BODY_BALL, CONTACT, FOOT_BALL, SHADE
from creature_sim.figures.labels import printable
from creature_sim.figures.nearness import MOST, REACH
from creature_sim.figures.palette import EDGED, ROLLING
from creature_sim.figures.patch import Patch, patch_along
from creature_sim.figures.shapes import BACK, HULL_POWER, NOSE
from creature_sim.figures.sizes import square_beside
from creature_sim.figures.solids import DRUM, EYE, HULL, PLAIN, PROP
from creature_sim.figures.sun import SUN
from creature_sim.files.output import write_output
from creature_sim.maths import Floats
from creature_sim.replay.playback import Playable, is_jump
from creature_sim.snapshots.poses import Pose
from creature_sim.terrain import build_terrain
from creature_sim.view.glsl import source_of

POINT_STEP, TURN_STEP, GROUND_STEP = 1e-4, 1e-4, 1e-3
MAX_NUMBERS = 12_000_000
SCRIPTS = (
    "recording",
    "vectors",
    "shapes",
    "programs",
    "marks",
    "skins",
    "painter",
    "diagram",
    "player",
    "controls",
)
"""The parts of the script, in this order."""
SHADERS = (
    "light.glsl",
    "ground.glsl",
    "ground.vert",
    "ground.frag",
    "solid.glsl",
    "solid.frag",
    "skin.vert",
    "skin.frag",
    "sky.frag",
    "mark.frag",
)
"""The shaders of the window that the page uses too."""


def write_page(
    replay: Playable, path: Path, title: str, *, proof: str = "", force: bool = False
) -> None:
    """Write the page of a replay.

    Args:
        replay: what it plays.
        path: of the page.
        title: of the page.
        proof: what it says of how the replay was verified; "": nothing.
        force: overwrite an older file.

    Raises:
        OutputError: the file exists or cannot be written.
    """
    write_output(path, page_of(replay, title, proof).encode(), force)


def page_of(replay: Playable, title: str, proof: str = "") -> str:
    """The text of the page; arguments as of `write_page`."""
    title = printable(title)
    shapes = DisplayList(replay.world)
    poses = _thinned(shapes, replay)
    points = np.array([shapes.points(pose) for pose in poses])
    terrain = build_terrain(replay.world.terrain, replay.world.seed)
    scales = [subject["scale"] for subject in shapes.subjects]
    patch = patch_along(terrain, points[..., :2].reshape(-1, 2), max(scales))
    fineness = min(1.0, square_beside(min(scales)))
    tables, data = pack(
        {
            "ticks": Table(np.array([[pose.tick] for pose in poses]), 1.0),
            "jumps": Table(_jumps(poses, replay.tick_rate), 1.0),
            "points": Table(points.reshape(len(poses), -1), POINT_STEP * fineness),
            "turns": Table(_turns(shapes, poses), TURN_STEP),
            "normals": Table(_rows([shapes.normals(pose) for pose in poses]), TURN_STEP),
            "swings": Table(_rows([shapes.swings(pose) for pose in poses]), 1.0),
            "vertices": Table(patch.vertices, GROUND_STEP * fineness),
            "triangles": Table(patch.triangles, 1.0),
            **model_tables(shapes.models),
        }
    )
    header = {
        "title": title,
        "rate": replay.tick_rate,
        "subjects": shapes.subjects,
        "parts": shapes.parts,
        "colours": shapes.colours,
        "models": model_headers(shapes.models),
        "ground": _ground(patch),
        "sun": SUN.round(6).tolist(),
        "hull": [HULL_POWER, NOSE, BACK],
        "materials": {"plain": PLAIN, "hull": HULL, "eye": EYE, "prop": PROP, "drum": DRUM},
        "contact": {"body": SHADE, "foot": CONTACT},
        "nearness": {"body": BODY_BALL, "foot": FOOT_BALL, "most": MOST, "reach": REACH},
        "shaders": {name: source_of(name) for name in SHADERS},
        "tables": tables,
    }
    return _assembled(title, proof, header, data)


def _thinned(shapes: DisplayList, replay: Playable) -> list[Pose]:
    """The poses; of a long recording only every second or third, so that a browser holds them."""
    count = shapes.points(replay.poses[0]).size + shapes.turns(replay.poses[0]).size
    every = -(-len(replay.poses) * count // MAX_NUMBERS)
    return [replay.poses[index] for index in range(0, len(replay.poses), every)]


def _rows(arrays: list[Floats]) -> Floats:
    """One row of numbers per pose."""
    return np.array(arrays).reshape(len(arrays), -1)


def _jumps(poses: list[Pose], rate: int) -> NDArray[np.int64]:
    """(F, 1): 1 where something was moved elsewhere since the pose before."""
    found = [is_jump(a, b, rate) or _who(a) != _who(b) for a, b in pairwise(poses)]
    return np.array([[0], *([int(each)] for each in found)])


def _who(pose: Pose) -> list[list[bool]]:
    """Which creatures of every herd are there."""
    return [herd.is_there.tolist() for herd in pose.herds]


def _turns(shapes: DisplayList, poses: list[Pose]) -> Floats:
    """Orientations, (F, 4 B), each in the hemisphere of the one before: numbers change little."""
    turns = np.array([shapes.turns(pose) for pose in poses])
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


def _assembled(title: str, proof: str, header: dict[str, Any], data: str) -> str:
    folder = files("creature_sim.export") / "web"

    def text(name: str) -> str:
        return (folder / name).read_text("utf-8")

    parts = {
        "title": html.escape(title),
        "proof": f'<p id="proof">{html.escape(printable(proof))}</p>' if proof else "",
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

"""A map of a world: hill shading, contour lines, a scale bar, starts."""

from io import BytesIO
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from creature_sim.figures.palette import PROP_COLOURS
from creature_sim.figures.solids import rgb
from creature_sim.files.output import check_name, write_output
from creature_sim.maths import Floats, quat, rotate, spline_point, vec
from creature_sim.maths.geometry import convex_hull
from creature_sim.props.shapes import hulls_of
from creature_sim.score.starts import OVERHANGING
from creature_sim.score.survey import Survey
from creature_sim.spawn.props import props_of
from creature_sim.terrain import is_endless

PIXELS = 2
"""Side of a sample in the picture [px]."""
SUN = np.array([-0.5, 0.5, 0.7071])
"""Direction towards the light: from the upper left of the map, as is usual."""
LOW = np.array((112.0, 150.0, 110.0))
MIDDLE = np.array((206.0, 200.0, 150.0))
HIGH = np.array((170.0, 122.0, 92.0))
HOLE = (40, 40, 48)
PAPER = (248, 247, 243)
INTERVALS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)
"""Intervals of contour lines; the first that makes at most MAX_LINES of them is used [m]."""
MAX_LINES = 14
MARGIN = 44
"""Height of the legend below the map [px]."""
LENGTHS = (10.0, 5.0, 2.0, 1.0, 0.5, 0.2, 0.1)
"""Lengths of scale bars; the first that is at most MAX_BAR long is used [m]."""
MAX_BAR = 160
"""[px]."""
INK = (30, 34, 40)
START = (214, 40, 40)


def write_map(found: Survey, path: Path, force: bool = False) -> float:
    """Draw a survey as a PNG; north is Y, east is X.

    What is seen from below is drawn as in a mirror on the floor, so X and Y are where they are on
    the map of that floor.

    Returns:
        the interval of the contour lines [m].

    Raises:
        OutputError: the name is not that of a PNG, or the file cannot be written.
    """
    check_name("-o", path, [".png"])
    interval = next(
        (one for one in INTERVALS if found.highest - found.lowest <= MAX_LINES * one),
        INTERVALS[-1],
    )
    # [x, y] with y up, to rows from the top.
    ground = np.flip(_colours(found, interval).swapaxes(0, 1), axis=0)
    ground = ground.repeat(PIXELS, axis=0).repeat(PIXELS, axis=1)
    side = ground.shape[0]
    picture = Image.new("RGB", (side, side + MARGIN), PAPER)
    picture.paste(Image.fromarray(ground), (0, 0))
    draw = ImageDraw.Draw(picture)
    _draw_props(draw, found, side)
    _draw_starts(draw, found, side)
    _draw_legend(draw, found, interval, side)
    stream = BytesIO()
    picture.save(stream, "PNG", optimize=True)
    write_output(path, stream.getvalue(), force)
    return interval


def _colours(found: Survey, interval: float) -> NDArray[np.uint8]:
    """Colours by height, shaded, with contours, (N, N, 3)."""
    heights = np.where(np.isfinite(found.heights), found.heights, found.lowest)
    fraction = ((heights - found.lowest) / max(found.highest - found.lowest, 1e-9))[..., None]
    colours = np.where(
        fraction < 0.5,
        LOW + 2.0 * fraction * (MIDDLE - LOW),
        MIDDLE + (2.0 * fraction - 1.0) * (HIGH - MIDDLE),
    )
    light = SUN * (1.0, 1.0, found.side_seen)
    shade = 0.45 + 0.55 * np.clip(found.normals @ light, 0.0, None) / SUN[2]
    colours *= np.minimum(shade, 1.15)[..., None]
    # Lines lie a little less than half an interval off round heights: level ground, which is often
    # at a round height or half-way between two, has none.
    bands = np.floor(heights / interval + 0.47)
    colours[_borders(bands)] *= 0.62
    colours[_borders(np.floor(bands / 5.0))] *= 0.62  # every fifth line is darker
    colours[np.isnan(found.heights)] = HOLE
    colours[np.isinf(found.heights)] = PAPER
    picture: NDArray[np.uint8] = colours.clip(0, 255).astype(np.uint8)
    return picture


def _borders(bands: Floats) -> NDArray[np.bool_]:
    """Which samples lie in another band than the next one along X or Y, (N, N)."""
    is_line = np.zeros(bands.shape, dtype=bool)
    is_line[:-1] |= bands[:-1] != bands[1:]
    is_line[:, :-1] |= bands[:, :-1] != bands[:, 1:]
    return is_line


def _draw_props(draw: ImageDraw.ImageDraw, found: Survey, side: int) -> None:
    """Outlines of props on the side that is seen, nearest last, and paths of those that move."""
    scale = PIXELS / found.spacing

    def pixels(points: Floats) -> list[tuple[float, float]]:
        east, north = ((points[:, k] - found.centre[k] + 0.5 * found.side) * scale for k in (0, 1))
        return list(zip(east.tolist(), (side - north).tolist(), strict=True))

    written = found.world.props
    if not written:
        return
    solids, props = props_of(written)
    hulls = []
    for hull, record in zip(hulls_of(written), props.records, strict=True):
        turn = quat(record["orientation"])
        hulls.append(np.array([rotate(turn, vec(corner)) for corner in hull]).reshape(-1, 3))

    def nearness(index: int) -> float:
        sizes = found.side_seen * hulls[index][:, 2]
        reach = float(sizes.max()) if len(sizes) else solids.records[index]["radius"]
        return float(found.side_seen * props.records[index]["position"][2] + reach)

    for index in sorted(range(len(written)), key=nearness):
        prop, solid, keys = written[index], solids.records[index], solids.keys[index]
        middle = props.records[index]["position"]
        if (middle[2] > found.view.cut) != found.view.from_below:
            continue
        colour = tuple(round(255 * part) for part in rgb(PROP_COLOURS[prop.motion]))
        if prop.waypoints:
            spans = np.linspace(0.0, solid["key_count"], 20 * len(prop.waypoints) + 1)
            path = [spline_point(keys[: solid["key_count"]], True, float(t)) for t in spans]
            draw.line(pixels(np.array(path)), fill=colour, width=2)
        if prop.shape == "ball":
            ((x, y),) = pixels(middle[None])
            reach = solid["radius"] * scale
            draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill=colour, outline=INK)
        else:
            corners = hulls[index] + middle
            draw.polygon(pixels(corners[convex_hull(corners[:, :2]), :2]), fill=colour, outline=INK)


def _draw_starts(draw: ImageDraw.ImageDraw, found: Survey, side: int) -> None:
    """Wedges that point ahead, thin end first, so on walls too; of who is out of sight hollow."""
    scale = PIXELS / found.spacing
    for start in found.creatures:
        is_seen = start.up[2] * found.side_seen > OVERHANGING
        is_seen &= (start.point[2] > found.view.cut) == found.view.from_below
        middle = np.subtract(start.point[:2], found.centre) * scale
        ahead, thick = 13.0 * np.array(start.ahead), 8.0 * np.array(start.up)
        beside = np.cross(thick, start.ahead)
        ends = [beside - 9.0 / 13.0 * ahead, -beside - 9.0 / 13.0 * ahead]
        corners = np.array([ahead, *ends, *(end + thick for end in ends)])
        corners = corners[convex_hull(corners[:, :2]), :2] + middle
        places = [(0.5 * side + x, 0.5 * side - y) for x, y in corners.tolist()]
        if is_seen:
            draw.polygon(places, fill=START, outline="white")
        else:
            draw.polygon(places, outline=START, width=2)


def _draw_legend(draw: ImageDraw.ImageDraw, found: Survey, interval: float, side: int) -> None:
    font = ImageFont.load_default(18)
    scale = PIXELS / found.spacing
    metres = next((one for one in LENGTHS if one * scale <= MAX_BAR), LENGTHS[-1])
    length = metres * scale
    y = side + MARGIN // 2
    is_part = is_endless(found.world.terrain) or not found.is_whole
    where = " about {:g}, {:g}".format(*found.centre) if is_part else ""
    draw.line([(16, y), (16 + length, y)], fill=INK, width=3)
    for x in (16, 16 + length / 2, 16 + length):
        draw.line([(x, y - 6), (x, y + 6)], fill=INK, width=2)
    draw.text((16 + length + 10, y), f"{metres:g} m", fill=INK, font=font, anchor="lm")
    seen = "seen from below, mirrored: " if found.view.from_below else ""
    draw.text(
        (side - 16, y),
        f"{found.world.name}{where}: {found.lowest:.2f} to {found.highest:.2f} m, "
        f"contours every {interval:g} m; {seen}X right, Y up",
        fill=INK,
        font=font,
        anchor="rm",
    )

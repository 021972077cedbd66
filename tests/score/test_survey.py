"""A world looked at before anybody walks on it: slopes, roughness, ways, a map."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from creature_sim.definitions import WorldDef
from creature_sim.export.map import HOLE, INK, PAPER, PIXELS, START, write_map
from creature_sim.figures.palette import PROP_COLOURS
from creature_sim.figures.solids import rgb
from creature_sim.library.loader import load_creature, load_world
from creature_sim.score.survey import CLIMB, SPACING, STRIDE, Survey, survey
from tests.commands import process, sim


def look(terrain: dict[str, Any], **changes: object) -> Survey:
    table = {"name": "seen", "terrain": terrain, "creatures": [{"creature": "hexapod"}]}
    return survey(WorldDef.model_validate(table | changes))


def opened(path: Path) -> np.ndarray:
    with Image.open(path) as picture:
        return np.asarray(picture)


HEXAPOD = load_creature("hexapod")
REACH = min(leg.reach for leg in HEXAPOD.all_legs)


@pytest.mark.slow
def test_a_slope_has_one_slope_and_no_roughness() -> None:
    found = look({"kind": "slope", "grade": 0.3, "heading": 0.7})
    assert np.nanmin(found.slopes) == pytest.approx(np.degrees(np.arctan(0.3)), abs=0.01)
    assert found.histogram[3] == 1.0  # 15 to 20 degrees
    assert found.roughness < 1e-5
    assert found.highest == -found.lowest
    assert found.highest == pytest.approx(0.3 * 32.0 * (np.cos(0.7) + np.sin(0.7)), abs=1e-4)


@pytest.mark.slow
def test_roughness_of_a_checkerboard_of_boxes_is_its_deviation() -> None:
    boxes = look({"kind": "steps", "cell": 0.5, "height": 0.2}, seed=3)
    heights = boxes.heights
    assert heights.std() == pytest.approx(0.2 / np.sqrt(12), rel=0.05)
    # A plane takes 3 of the 4 degrees of freedom of the four boxes of a square metre, less its
    # misfit to boxes: what is left of the variance lies between a quarter and all of it.
    assert 0.25 < (boxes.roughness / heights.std()) ** 2 < 1.0
    assert sum(boxes.histogram) == pytest.approx(1.0)
    assert boxes.histogram[0] == 1.0


@pytest.mark.slow
def test_samples_are_the_ground() -> None:
    world = load_world("hills")
    found = survey(world)
    assert found.heights.shape == (512, 512)
    assert found.lowest <= found.heights.min() < found.heights.max() <= found.highest
    rise = np.gradient(found.heights, SPACING, axis=0)
    grade = -found.normals[..., 0] / found.normals[..., 2]
    assert np.median(abs(rise - grade)) < 0.02
    assert sum(found.histogram) == pytest.approx(1.0)


@pytest.mark.slow
def test_ground_too_steep_is_no_footing() -> None:
    for grade, share in ((0.9, 1.0), (1.2, 0.0)):
        ground = look({"kind": "slope", "grade": grade}).walkable(HEXAPOD)
        assert ground.is_footing.mean() == share
        assert ground.is_reached.mean() == share


@pytest.mark.slow
@pytest.mark.parametrize(
    ("terrain", "is_passable"),
    [
        ({"kind": "gap", "width": 0.6 * STRIDE * REACH, "depth": 2.0}, True),
        ({"kind": "gap", "width": 1.5 * STRIDE * REACH, "depth": 2.0}, False),
        ({"kind": "gap", "width": 3.0, "depth": 0.8 * CLIMB * REACH}, True),
        ({"kind": "gap", "width": 3.0, "depth": 1.2 * CLIMB * REACH}, False),
        ({"kind": "rails", "thickness": 0.14, "height": 0.8 * CLIMB * REACH}, True),
        ({"kind": "rails", "thickness": 0.14, "height": 1.2 * CLIMB * REACH}, False),
    ],
)
def test_what_lies_behind_too_wide_or_too_high_is_not_reached(
    terrain: dict[str, Any], is_passable: bool
) -> None:
    found = look(terrain | {"spacing": 2.0, "clearing": 2.0})
    ground = found.walkable(HEXAPOD)
    assert ground.is_footing.all()
    level = abs(found.heights) < 1e-5
    if is_passable:
        assert ground.is_reached[level].all()
    else:
        assert ground.is_reached.mean() == pytest.approx(4.0 / 64.0)
        assert ground.is_reached[abs(found.offsets) < 2.0].all()


@pytest.mark.slow
def test_stairs_are_climbed_up_to_the_highest_step() -> None:
    for share, reached in ((0.9, 1.0), (1.1, (2.0 / 64.0) ** 2)):
        riser = share * CLIMB * REACH
        stairs = {"kind": "pyramid", "riser": riser, "tread": 0.5, "count": 4, "landing": 2.0}
        assert look(stairs).walkable(HEXAPOD).is_reached.mean() == pytest.approx(reached)


@pytest.mark.slow
def test_longer_legs_reach_more() -> None:
    found = look({"kind": "steps", "cell": 0.8, "height": 0.5, "clearing": 1.0}, seed=4)
    small, large = (
        found.walkable(load_creature(name)).is_reached.mean() for name in ("ant", "hexapod")
    )
    assert load_creature("ant").all_legs[0].reach < REACH
    assert small < large


@pytest.mark.slow
def test_a_map_shows_starts_and_a_scale_bar(tmp_path: Path) -> None:
    starts = [{"creature": "hexapod", "position": [10.0, -20.0], "heading": 1.0}]
    found = look({"kind": "flat"}, creatures=starts)
    write_map(found, tmp_path / "map.png")
    picture = opened(tmp_path / "map.png")
    is_start = (picture == START).all(axis=-1)
    row, column = (float(axis.mean()) for axis in np.nonzero(is_start))
    scale = PIXELS / SPACING
    assert column == pytest.approx((32.0 + 10.0) * scale, abs=4)
    assert row == pytest.approx((32.0 + 20.0) * scale, abs=4)
    bar = (picture[1024 + 22, :300] == INK).all(axis=-1)
    longest = np.flatnonzero(bar)
    assert longest[np.diff(longest, prepend=-9) != 1][0] == pytest.approx(16, abs=2)
    assert bar[16 : 16 + int(10 * scale)].all()
    assert np.ptp(picture[:1000, :500].reshape(-1, 3), axis=0).tolist() == [0, 0, 0]


@pytest.mark.slow
def test_a_map_shows_props_where_they_start_and_their_ways(tmp_path: Path) -> None:
    props = [
        {"shape": "box", "size": [4.0, 2.0, 1.0], "position": [10.0, 5.0, 0.5]},
        {"shape": "ball", "radius": 1.0, "position": [-8.0, 0.0, 1.0], "motion": "dynamic",
         "mass": 1.0},
        {"shape": "ramp", "size": [2.0, 2.0, 1.0], "motion": "kinematic", "period": 9.0,
         "waypoints": [[0.0, 9.0, 0.5], [0.0, 16.0, 0.5]], "rotation": [0.0, 0.0, 0.8]},
    ]  # fmt: skip
    seen = look({"kind": "flat"}, props=props)
    write_map(seen, tmp_path / "map.png")
    picture, scale = opened(tmp_path / "map.png"), PIXELS / seen.spacing
    west, north = seen.centre[0] - 0.5 * seen.side, seen.centre[1] + 0.5 * seen.side
    found = []
    for motion in ("static", "dynamic", "kinematic"):
        colour = np.rint(255.0 * np.array(rgb(PROP_COLOURS[motion])))
        rows, columns = np.nonzero((picture == colour).all(axis=-1))
        found.append((west + columns / scale, north - rows / scale))
    (x, y), (u, v), (a, b) = found
    assert (x.min(), x.max(), y.min(), y.max()) == pytest.approx((8.0, 12.0, 4.0, 6.0), abs=0.15)
    assert (u.min(), u.max(), v.min(), v.max()) == pytest.approx((-9, -7, -1.0, 1.0), abs=0.15)
    assert a.max() == pytest.approx(2.0**0.5, abs=0.15)  # it is turned
    assert b.max() == pytest.approx(16.0, abs=0.2)  # where its way ends


@pytest.mark.slow
@pytest.mark.parametrize("first", [0, 1])
def test_a_map_shows_the_highest_of_props(first: int, tmp_path: Path) -> None:
    wheel = {"shape": "cylinder", "radius": 1.5, "length": 2.0, "position": [0.0, 0.0, 1.5]}
    wheel |= {"motion": "kinematic", "spin": [0.0, 0.1, 0.0], "rotation": [0.5 * np.pi, 0.0, 0.0]}
    axle = {"shape": "box", "size": [0.5, 4.0, 0.5], "position": [0.0, 0.0, 1.5]}
    seen = look({"kind": "flat"}, props=[(wheel, axle)[first], (axle, wheel)[first]])
    write_map(seen, tmp_path / "map.png")
    picture = opened(tmp_path / "map.png")[:1024]
    axle_seen = (picture == np.rint(255.0 * np.array(rgb(PROP_COLOURS["static"])))).all(axis=-1)
    _, y = np.nonzero(axle_seen.T)
    north = seen.centre[1] + 0.5 * seen.side - y * seen.spacing / PIXELS
    assert abs(north).min() == pytest.approx(1.0, abs=0.1)  # where it comes out of the wheel
    assert abs(north).max() == pytest.approx(2.0, abs=0.1)


BALL = {"shape": "ball", "radius": 0.5, "position": [-6.0, 2.0, 0.5]}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("terrain", "props", "low", "high"),
    [
        ({"kind": "solids", "solids": [{"shape": "box", "size": [1.0, 3.0, 1.0],
          "position": [5.0, 0.0, 0.5]}]}, [], (0.0, -1.5), (5.5, 1.5)),
        ({"kind": "sphere", "radius": 4.0}, [], (-4.0, -4.0), (4.0, 4.0)),
        ({"kind": "flat"}, [BALL], (-6.5, 0.0), (0.0, 2.5)),
        ({"kind": "room", "length": 0.6, "width": 0.5, "height": 0.3, "thickness": 0.05},
         [], (-0.35, -0.3), (0.35, 0.3)),
    ],
)  # fmt: skip
def test_of_a_level_floor_the_part_is_looked_at_on_which_something_stands(
    terrain: dict[str, Any],
    props: list[dict[str, Any]],
    low: tuple[float, float],
    high: tuple[float, float],
    tmp_path: Path,
) -> None:
    found = look(terrain, props=props)
    size = max(np.subtract(high, low))
    assert found.heights.shape == (512, 512)
    assert 1.1 * size < found.side < 1.4 * size + 0.5
    assert found.centre == pytest.approx(np.add(low, high) / 2.0, abs=0.07)
    document = found.document(None)
    assert document["extent"]["x"] == [-32.0, 32.0]
    between = terrain["width"] if terrain["kind"] == "room" else found.side
    assert np.ptp(document["part"]["y"]) == between
    write_map(found, tmp_path / "map.png")
    assert opened(tmp_path / "map.png").shape == (1068, 1024, 3)


@pytest.mark.slow
def test_bars_thinner_than_the_samples_of_a_whole_ground_are_seen() -> None:
    bars = {"shape": "cylinder", "radius": 0.015, "length": 1.0, "count": 12}
    bars |= {"position": [2.0, -1.0, 0.5], "step": [0.0, 0.2, 0.0]}
    found = look({"kind": "solids", "solids": [bars]})
    for bar in range(12):
        near = abs(found.centre[1] + found.offsets + 1.0 - 0.2 * bar) < 0.02
        assert found.heights[:, near].max() == pytest.approx(1.0)


LOFT = {
    "kind": "room", "length": 6.0, "width": 4.0, "height": 2.0, "thickness": 0.2,
    "solids": [
        {"shape": "box", "size": [1.0, 0.5, 0.4], "position": [2.0, 1.0, 1.8]},  # below the ceiling
        {"shape": "box", "size": [1.0, 1.0, 0.1], "position": [-2.0, -1.0, 0.5]},  # a table
        {"shape": "box", "size": [0.4, 0.4, 2.0], "position": [-2.0, 1.0, 1.0]},  # a pillar
    ],
}  # fmt: skip


def clinging(up: list[float], height: float, **changes: object) -> dict[str, object]:
    start = {"creature": "hexapod", "climb": True, "up": up, "height": height}
    return start | changes


def pixel(picture: np.ndarray, seen: Survey, x: float, y: float) -> list[int]:
    scale = PIXELS / seen.spacing
    east, north = (
        at - middle + 0.5 * seen.side for at, middle in zip((x, y), seen.centre, strict=True)
    )
    row, column = 1024 - int(north * scale), int(east * scale)
    return [int(part) for part in picture[row, column]]


def test_who_hangs_is_shown_the_ceiling(tmp_path: Path) -> None:
    below = clinging([0.0, 0.0, -1.0], 1.0, position=[0.5, 0.0])
    table = clinging([0.0, 0.0, -1.0], 0.2, position=[-2.0, -1.0])
    seen = look(LOFT, creatures=[below, table, {"creature": "hexapod", "position": [1.0, -1.0]}])
    assert seen.view.from_below
    assert seen.view.cut == pytest.approx(1.0, abs=1e-3)
    for at, height in {(0.0, 0.0): 2.0, (2.0, 1.0): 1.6, (-2.0, -1.0): 2.0}.items():
        assert seen.heights[seen.cell_of(at)] == pytest.approx(height)
        assert seen.normals[seen.cell_of(at)].tolist() == [0.0, 0.0, -1.0]
    for wall in ((3.1, 0.0), (-2.0, 1.0)):
        assert np.isnan(seen.heights[seen.cell_of(wall)])
    assert seen.heights[seen.cell_of((3.5, 0.0))] == np.inf
    assert seen.histogram[0] == 1.0
    assert seen.roughness < 0.2
    walkable = seen.walkable(HEXAPOD).is_reached
    assert walkable[seen.cell_of((-2.0, -1.0))]
    assert not walkable[seen.cell_of((2.0, 1.0))]
    write_map(seen, tmp_path / "map.png")
    picture = opened(tmp_path / "map.png")
    ceiling, box, pillar, outside = (
        pixel(picture, seen, *at) for at in ((0.0, 1.5), (2.0, 1.0), (-2.0, 1.0), (3.5, 0.0))
    )
    assert ceiling != box  # which is to the right, and up
    assert ceiling == pixel(picture, seen, -2.0, -0.6)
    assert pillar == list(HOLE)
    assert outside == list(PAPER)
    assert pixel(picture, seen, 0.5, 0.0) == list(START)
    for hidden in ((-2.0, -1.0), (1.0, -1.0)):  # hollow
        assert pixel(picture, seen, *hidden) == ceiling


def test_on_a_wall_a_start_is_shown_where_it_clings(tmp_path: Path) -> None:
    seen = look(LOFT, creatures=[clinging([1.0, 0.0, 0.0], 1.2, position=[-1.0, 0.0])])
    assert seen.creatures[0].point == pytest.approx((-3.0, 0.0, 1.2))
    assert not seen.view.from_below
    assert seen.view.cut == pytest.approx(1.6)
    write_map(seen, tmp_path / "map.png")
    is_start = (opened(tmp_path / "map.png") == START).all(axis=-1)
    rows, columns = np.nonzero(is_start)
    wall = (-3.0 - seen.centre[0] + 0.5 * seen.side) * PIXELS / seen.spacing
    assert wall - 1.0 <= columns.min() < columns.max() < wall + 10.0
    assert np.ptp(rows) > 10


def test_who_starts_within_a_pipe_is_shown_its_floor() -> None:
    pipe = {"shape": "cylinder", "radius": 1.25, "bore": 1.15, "length": 8.0}
    pipe |= {"rotation": [0.0, 1.5708, 0.0], "position": [6.0, 0.0, 1.5]}
    ground = {"kind": "solids", "solids": [pipe]}
    within = look(ground, creatures=[clinging([0.0, 0.0, 1.0], 1.0, position=[5.0, 0.0])])
    assert within.heights[within.cell_of((5.0, 0.0))] == pytest.approx(0.35, abs=0.02)
    outside = look(ground)
    assert outside.heights[outside.cell_of((5.0, 0.0))] == pytest.approx(2.75, abs=0.02)


def test_nobody_walks_through_the_thin_wall_of_a_room() -> None:
    room = {"kind": "room", "length": 6.0, "width": 4.0, "height": 1.0, "thickness": 0.05}
    found = look(room)
    assert STRIDE * REACH > 0.05
    inside = found.walkable(HEXAPOD).is_reached
    assert inside.mean() * found.side**2 == pytest.approx(6.0 * 4.0, rel=0.02)


def test_in_a_room_what_is_between_its_walls_is_counted() -> None:
    room = {"kind": "room", "length": 6.0, "width": 4.0, "height": 1.0, "doorway": [1.0, 0.8]}
    block = {"shape": "box", "size": [2.0, 4.0, 0.8], "position": [-2.0, 0.0, 0.4]}
    inside = look(room | {"solids": [block]}).document(HEXAPOD)
    assert inside["part"] == {"x": [-3.0, 3.0], "y": [-2.0, 2.0]}
    assert inside["creature"]["walkable"] == pytest.approx(2.0 / 3.0, abs=0.02)
    assert sum(row["share"] for row in inside["slopes"]) == pytest.approx(1.0)
    start = [{"creature": "hexapod", "position": [8.0, 0.0]}]
    outside = look(room, creatures=start).document(HEXAPOD)
    assert np.ptp(outside["part"]["x"]) > 10.0
    assert outside["creature"]["walkable"] > 0.5


@pytest.mark.slow
def test_contour_lines_of_a_slope_are_evenly_spaced(tmp_path: Path) -> None:
    interval = write_map(look({"kind": "slope", "grade": 0.1}), tmp_path / "map.png")
    assert interval == 0.5
    line = opened(tmp_path / "map.png")[201, :1024:PIXELS].astype(int).sum(axis=1)
    is_dark = line[1:-1] < 0.85 * np.maximum(line[:-2], line[2:])
    pitch = 0.5 / 0.1 / SPACING
    assert np.diff(np.flatnonzero(is_dark)) == pytest.approx(pitch, abs=1)
    assert is_dark.sum() == int(64.0 / SPACING / pitch)


@pytest.mark.slow
def test_a_map_is_lit_from_the_upper_left(tmp_path: Path) -> None:
    brightness = {}
    for heading in (0.0, np.pi):  # rises to the right: faces the light; to the left: does not
        write_map(
            look({"kind": "slope", "grade": 0.5, "heading": heading}), tmp_path / "m.png", True
        )
        picture = np.asarray(Image.open(tmp_path / "m.png"))[:1024].astype(float)
        brightness[heading] = picture.mean()
    assert brightness[0.0] > 1.2 * brightness[np.pi]


@pytest.mark.slow
def test_the_commands(tmp_path: Path) -> None:
    done = process("world", "map", "stairs", "-o", "map.png", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert opened(tmp_path / "map.png").shape == (1068, 1024, 3)
    again = sim("world", "map", "stairs", "-o", "map.png", cwd=tmp_path)
    assert again.returncode == 2
    assert "expected no file there, found one; --force replaces it" in again.stderr
    first = (tmp_path / "map.png").read_bytes()
    forced = sim("world", "map", "stairs", "-o", "map.png", "--force", cwd=tmp_path)
    assert forced.returncode == 0
    assert (tmp_path / "map.png").read_bytes() == first

    told = sim("world", "info", "stairs", "--creature", "spider4", "--json", cwd=tmp_path)
    document = json.loads(told.stdout)
    assert document["world"] == "stairs"
    assert document["creature"]["name"] == "spider4"
    assert document["extent"]["x"] == [-32.0, 32.0]
    assert sum(row["share"] for row in document["slopes"]) == pytest.approx(1.0)
    shown = sim("world", "info", "arm").stdout  # no creature: nobody's ground
    assert "flat, seed 0" in shown
    assert "feet accept" not in shown


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["map", "stairs", "-o", "map.jpg"], "-o: expected a name that ends in .png, found"),
        (["map", "stairs", "-o", "none/map.png"], "expected a folder to write into, found none"),
        (["map", "atlantis", "-o", "map.png"], "expected a built-in world or the path"),
        (["info", "stairs", "--creature", "unicorn"], "expected a built-in creature or the path"),
        (["info", "stairs", "--seed", "-1"], "seed: expected a number from 0 to"),
    ],
)
def test_what_cannot_be_looked_at_is_one_message(
    tmp_path: Path, words: list[str], expected: str
) -> None:
    done = sim("world", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert expected in done.stderr
    assert not list(tmp_path.iterdir())

"""The page that plays a replay: what is in it, and what a browser shows of it."""

import base64
import json
import re
import shutil
import zlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from creature_sim.errors import DisplayUnavailable
from creature_sim.export.packing import Table, pack
from creature_sim.export.page import POINT_STEP, TURN_STEP, page_of
from creature_sim.figures.camera import Camera
from creature_sim.figures.nearness import MOST
from creature_sim.figures.patch import MAX_NODES, patch_around
from creature_sim.figures.subjects import subject_viewpoint
from creature_sim.library.loader import load_creature
from creature_sim.replay import Replay, open_replay, record
from creature_sim.simulation import Simulation
from creature_sim.terrain import build_terrain
from creature_sim.view.offscreen import render
from tests.climbers import in_room
from tests.commands import process, sim
from tests.marks import THOROUGH
from tests.replay.messages import with_field
from tests.replay.test_replay import rewritten
from tests.scenes import scene
from tests.tools.goldens import TICKS

if TYPE_CHECKING:
    from playwright.sync_api import Browser

REPLAYS = Path(__file__).parents[2] / "replays"
LENGTH = TICKS / 60
"""Of goldens of creatures [s]."""
GOLDENS = sorted(path.stem for path in REPLAYS.glob("*.mcap"))


# --- what is in it ----------------------------------------------------------------------------


def unpacked(page: str) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Header and tables of a page, read as packing.py says, by a way of our own."""
    header = json.loads(re.search(r'id="header">(.*?)</script>', page)[1])  # type: ignore[index]
    text = re.search(r'id="data">(.*?)</script>', page)[1]  # type: ignore[index]
    return header, tables_of(header["tables"], text)


def tables_of(places: dict[str, Any], text: str) -> dict[str, np.ndarray]:
    data = zlib.decompress(base64.b64decode(text))
    tables = {}
    for name, place in places.items():
        count = place["rows"] * place["columns"]
        planes = np.frombuffer(data, np.uint8, 4 * count, place["start"]).reshape(4, count)
        numbers = planes.T.astype(np.int64) @ (1, 1 << 8, 1 << 16, 1 << 24)
        steps = np.where(numbers % 2, -(numbers + 1) // 2, numbers // 2)
        columns = steps.reshape(place["columns"], place["rows"])
        tables[name] = np.cumsum(columns, axis=1).T * place["step"]
    return tables


@pytest.mark.slow
@given(st.integers(1, 6), st.integers(0, 4), st.sampled_from([1e-4, 1e-3, 1.0]), st.data())
def test_tables_come_back_within_half_a_step(
    rows: int, columns: int, step: float, data: st.DataObject
) -> None:
    number = st.floats(-5e8 * step, 5e8 * step)
    listed = data.draw(st.lists(number, min_size=rows * columns, max_size=rows * columns))
    numbers = np.array(listed, dtype=float).reshape(rows, columns)
    places, text = pack({"a": Table(numbers, step), "b": Table(-numbers, step)})
    found = tables_of(places, text)
    assert found["a"].shape == numbers.shape
    assert np.abs(found["a"] - numbers).max(initial=0.0) <= 0.5000001 * step
    assert np.abs(found["b"] + numbers).max(initial=0.0) <= 0.5000001 * step


@pytest.mark.parametrize("number", [np.nan, np.inf, 6e8])
def test_numbers_that_do_not_fit_are_refused(number: float) -> None:
    with pytest.raises(ValueError, match="expected numbers"):
        pack({"a": Table(np.array([[number]]), 1.0)})


@pytest.mark.slow
@pytest.mark.parametrize("name", GOLDENS)
def test_a_page_holds_the_poses_of_its_replay(name: str) -> None:
    replay = open_replay(REPLAYS / f"{name}.mcap")
    _, tables = unpacked(page_of(replay, name))
    assert tables["ticks"].ravel().tolist() == [pose.tick for pose in replay.poses]
    assert not tables["jumps"].any()
    for row, pose in enumerate(replay.poses):
        points = tables["points"][row].reshape(-1, 3)
        turns = tables["turns"][row].reshape(-1, 4)
        wanted = []
        for creature, placement in zip(pose.creatures, replay.world.creatures, strict=True):
            wanted.append(creature.positions)
            for leg, joints in zip(
                replay.world.species_of(placement).all_legs, creature.joints, strict=True
            ):
                wanted.append(joints[: len(leg.bones) + 1])
        for chain in pose.chains:
            wanted += [chain.joints, chain.targets]
        assert np.abs(points - np.concatenate(wanted)).max() <= 0.51 * POINT_STEP
        boxes = [turn for creature in pose.creatures for turn in creature.orientations]
        for turn, orientation in zip(turns, boxes, strict=True):
            sign = np.sign(turn @ orientation)
            assert np.abs(sign * turn - orientation).max() <= 0.51 * TURN_STEP
        if pose.creatures:
            normals = np.concatenate([creature.normals for creature in pose.creatures])
            assert np.abs(tables["normals"][row].reshape(-1, 3) - normals).max() <= 0.51 * TURN_STEP
            swings = np.concatenate([creature.is_swinging for creature in pose.creatures])
            assert (tables["swings"][row] == swings).all()
    turns = tables["turns"].reshape(len(tables["turns"]), -1, 4)
    assert ((turns[1:] * turns[:-1]).sum(axis=-1) > 0.9).all()  # never the long way round


@pytest.mark.slow
def test_parts_hang_on_what_is_there() -> None:
    for name in GOLDENS:
        replay = open_replay(REPLAYS / f"{name}.mcap")
        header, tables = unpacked(page_of(replay, name))
        parts, points = header["parts"], tables["points"].shape[1] // 3
        ends = [end for limb in parts["limbs"] for end in limb[:2]]
        assert max(ends) < points
        first = tables["points"][0].reshape(-1, 3)
        lengths = [
            float(np.sqrt(((first[a] - first[b]) ** 2).sum())) for a, b, *_ in parts["limbs"]
        ]
        bones = [
            bone
            for placement in replay.world.creatures
            for leg in replay.world.species_of(placement).all_legs
            for bone in leg.bones
        ]
        assert lengths[: len(bones)] == pytest.approx(bones, abs=3e-3)
        colours = len(header["colours"])
        for kind, rows in parts.items():
            assert all(row[-1] < colours for row in rows), kind
        assert max(
            leg["swing"] for s in header["subjects"] for leg in s["legs"] or [{"swing": -1}]
        ) == (tables["swings"].shape[1] - 1)


@pytest.mark.parametrize("world", ["hills", "slope", "stairs", "steps"])
def test_the_ground_of_a_page_is_the_ground(world: str) -> None:
    terrain = build_terrain(scene(world, "hexapod").terrain, 7)
    low, high = np.array([-2.0, 1.0]), np.array([3.0, 2.5])
    patch = patch_around(terrain, low, high)
    assert (np.array(patch.area[:2]) <= low - 6.0).all()
    assert (np.array(patch.area[2:]) >= high + 6.0).all()
    real = {tuple(vertex) for tile in terrain.tiles for vertex in tile.mesh()[0].round(6)}
    assert {tuple(vertex) for vertex in patch.vertices.round(6)} <= real
    corners = patch.vertices[patch.triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    assert patch.triangles.max() == len(patch.vertices) - 1
    if not patch.is_edged:
        covered = 0.5 * across[:, 2].sum()  # seen from above, no gap and no overlap
        x0, y0, x1, y1 = patch.area
        assert covered == pytest.approx((x1 - x0) * (y1 - y0))


def test_far_walks_see_coarser_ground() -> None:
    terrain = build_terrain(scene("hills", "hexapod").terrain, 7)
    patch = patch_around(terrain, np.array([-31.0, -31.0]), np.array([31.0, 31.0]))
    assert len(patch.vertices) <= 1.1 * MAX_NODES
    assert patch.area == (-32.0, -32.0, 32.0, 32.0)


@pytest.fixture(scope="module")
def minute(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    path = tmp_path_factory.mktemp("minute") / "minute.mcap"
    record(scene("hills", "hexapod"), path, 3600)
    return open_replay(path)


@pytest.mark.slow
def test_a_minute_of_a_hexapod_is_small(minute: Replay) -> None:
    assert len(page_of(minute, "a minute").encode()) < 1_000_000


@pytest.mark.slow
def test_a_reset_is_a_jump_and_not_a_flight(tmp_path: Path) -> None:
    from creature_sim.inputs import Event, Input
    from creature_sim.replay import Recorder

    path = tmp_path / "reset.mcap"
    with Simulation(scene("meadow", "hexapod")) as simulation, Recorder(path, simulation) as sink:
        for tick in range(240):
            events = (Event("reset", 0),) if tick == 200 else ()
            given = Input(Input.of([(1.0, 0.0)]).commands, events)
            simulation.step(given)
            sink.write(given, simulation.snapshot)
    _, tables = unpacked(page_of(open_replay(path), "reset"))
    (jumped,) = np.flatnonzero(tables["jumps"])
    assert tables["ticks"][jumped] == pytest.approx(201, abs=2)


def test_a_page_loads_nothing_and_a_title_cannot_break_out() -> None:
    replay = open_replay(REPLAYS / "arm.mcap")
    page = page_of(replay, "</title><script>alert(1)</script>{{data}}")
    assert "<script>alert" not in page
    assert page.count("</script>") == 3
    assert page == page_of(replay, "</title><script>alert(1)</script>{{data}}")  # always the same
    assert not re.search(r"https?://|//[a-z]+\.|\bfetch\(|\bimport\b|XMLHttpRequest", page)
    assert "default-src 'none'" in page
    assert "{{style}}" not in page


@pytest.mark.slow
def test_export_writes_a_page_or_says_why_not(tmp_path: Path) -> None:
    replay = str(REPLAYS / "arm.mcap")
    done = process("export", replay, "-o", "arm.html", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "wrote arm.html" in done.stdout
    for words, told in [
        ([replay, "-o", "arm.html"], "--force"),
        ([replay, "-o", "arm.pdf"], ".html"),
        ([replay, "-o", "none/arm.html"], "none"),
        (["arm.html", "-o", "a.html"], "replay"),
    ]:
        done = sim("export", *words, cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert told in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["arm.html"]


BAD = "a\x1b[2J\x9b\u202e<img src=x>&\u2066"


def test_names_and_titles_hold_no_control_characters_and_no_markup() -> None:
    opened = open_replay(REPLAYS / "hexapod-hills.mcap")
    ((key, plan),) = opened.world.species.items()
    species = {key: plan.model_copy(update={"name": BAD})}  # no file gets past its check
    opened = replace(opened, world=opened.world.model_copy(update={"species": species}))
    page = page_of(opened, BAD, f"verified: {BAD}")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", page)
    assert "<img" not in page
    header, _ = unpacked(page)
    for text in (header["title"], header["subjects"][0]["name"]):
        assert text.isprintable()
        assert text.startswith("a\\x1b[2J\\x9b\\u202e<img")


@pytest.mark.slow
def test_a_page_says_that_it_was_proven_and_refuses_what_differs(tmp_path: Path) -> None:
    replay = str(REPLAYS / "arm.mcap")
    done = sim("export", replay, "-o", "arm.html", "--verify", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    ticks = open_replay(replay).ticks
    assert f'<p id="proof">verified: {ticks} ticks</p>' in (tmp_path / "arm.html").read_text()
    assert 'id="proof"' not in page_of(open_replay(replay), "arm")
    forged = forgery(tmp_path)
    done = sim("export", str(forged), "-o", "b.html", "--verify", cwd=tmp_path)
    assert done.returncode == 1
    assert "differs" in done.stdout
    assert not (tmp_path / "b.html").exists()
    assert sim("export", str(forged), "-o", "b.html", cwd=tmp_path).returncode == 0


def forgery(folder: Path) -> Path:
    """A walk with a command that nobody gave; files have inputs where they change, as at tick 1."""

    def flip(message: dict[str, Any]) -> None:
        message["commands"][0][1] ^= 1

    forged = folder / "forged.mcap"
    rewritten(REPLAYS / "hexapod-hills.mcap", forged, with_field("/input", 1, flip))
    return forged


# --- in a browser -----------------------------------------------------------------------------

BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    """A headless Chromium that draws WebGL on the CPU."""
    api = pytest.importorskip("playwright.sync_api", reason="driving a browser needs playwright")
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        pytest.skip(f"no browser: none of {', '.join(BROWSERS)}")
    with api.sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield found
        found.close()


class Visit:
    """A page in a window of the browser, and everything it complains of or asks for."""

    def __init__(self, browser: "Browser", path: Path, script: str = "", **options: Any) -> None:
        # Who wants little motion gets a page that does not play at once: pictures hold still.
        self.context = browser.new_context(**{"reduced_motion": "reduce", **options})
        self.context.add_init_script(script)
        self.page = self.context.new_page()
        self.troubles: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda said: self.troubles.append(f"{said.type}: {said.text}"))
        self.page.on("pageerror", lambda error: self.troubles.append(str(error)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("html[data-state=drawn]", timeout=30_000)

    @property
    def time(self) -> float:
        return float(self.page.input_value("#time"))

    def wait(self, is_done: Callable[[], bool]) -> None:
        """Playwright's own waiting evaluates text in the page, which the page forbids."""
        for _ in range(200):
            if is_done():
                return
            self.page.wait_for_timeout(50)
        raise AssertionError("waited in vain")

    def wait_for_time(self, low: float, high: float) -> None:
        self.wait(lambda: low <= self.time <= high)

    def picture(self, where: str = "#view") -> np.ndarray:
        shot = Image.open(BytesIO(self.page.locator(where).screenshot()))
        return np.asarray(shot.convert("RGB")).astype(int)

    def changed(self, before: np.ndarray, where: str = "#view") -> float:
        """Share of pixels that differ from those before, once two pictures are alike."""
        last = self.picture(where)
        for _ in range(20):
            now = self.picture(where)
            if (now == last).all():
                break
            last = now
        return float((last != before).any(axis=-1).mean())

    def finish(self, path: Path) -> None:
        assert self.troubles == []
        assert self.requests == [path.as_uri()]
        self.context.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    for name in GOLDENS:
        replay = open_replay(REPLAYS / f"{name}.mcap")
        (folder / f"{name}.html").write_text(page_of(replay, name))
    return folder


@pytest.mark.slow
def test_on_a_wall_the_page_looks_from_where_there_is_room(
    browser: "Browser", tmp_path: Path
) -> None:
    """The eye was between the body and the wall behind which it would have been."""
    hexapod, up = load_creature("hexapod").climbing, (0.0, -1.0, 0.0)
    world = in_room(hexapod, position=(0.0, 2.0), up=up, height=1.3)
    record(world, tmp_path / "wall.mcap", 3)
    path = tmp_path / "wall.html"
    path.write_text(page_of(open_replay(tmp_path / "wall.mcap"), "wall"))
    visit = Visit(browser, path, viewport={"width": 900, "height": 640})
    picture = visit.picture()
    visit.finish(path)
    is_orange = picture[..., 0] > picture[..., 2] + 60  # its body
    assert 0.001 < is_orange.mean() < 0.03


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hexapod-hills", "spider4-steps"])
def test_the_page_has_the_light_and_the_ground_of_the_window(
    browser: "Browser", pages: Path, name: str
) -> None:
    path = pages / f"{name}.html"
    visit = Visit(browser, path, viewport={"width": 900, "height": 640})
    shown = visit.picture()
    visit.finish(path)
    replay = open_replay(REPLAYS / f"{name}.mcap")
    terrain = build_terrain(replay.world.terrain, replay.world.seed)
    camera = Camera(*subject_viewpoint(replay.world, 0, "chase"))
    try:
        drawn = render(replay.world, replay.poses[0], terrain, (900, 500), camera).astype(int)
    except DisplayUnavailable as error:
        pytest.skip(str(error))
    gap = shown[-100:].mean(axis=(0, 1)) - drawn[-100:].mean(axis=(0, 1))  # of what is near
    assert np.abs(gap).max() < 12.0


@pytest.mark.slow
def test_what_is_near_to_ground_darkens_it_in_the_page(browser: "Browser", pages: Path) -> None:
    path = pages / "hexapod-hills.html"
    bare = pages / "bare.html"
    text, number = re.subn(rf'"most": ?{MOST}\b', '"most": 0', path.read_text())
    assert number == 1
    bare.write_text(text)
    visits = [Visit(browser, each, viewport={"width": 900, "height": 640}) for each in (path, bare)]
    shown, without = (visit.picture() for visit in visits)
    for visit, each in zip(visits, (path, bare), strict=True):
        visit.finish(each)
    darker = without - shown
    assert darker.min() > -6  # nothing becomes brighter
    assert 0.002 < (darker.max(axis=-1) > 6).mean() < 0.1


@pytest.mark.slow
def test_the_page_plays_scrubs_and_turns(browser: "Browser", pages: Path) -> None:
    path = pages / "hexapod-hills.html"
    visit = Visit(browser, path, viewport={"width": 900, "height": 640})
    page = visit.page
    still, bars = visit.picture(), visit.picture("#diagram")
    assert still.std() > 15.0
    assert visit.time == 0.0

    page.click("#play")
    visit.wait_for_time(0.7, LENGTH)
    page.click("#play")
    stopped = visit.time
    assert visit.changed(still) > 0.02
    assert visit.changed(bars, "#diagram") > 0.001
    page.wait_for_timeout(150)
    assert visit.time == stopped

    before = visit.picture()
    box = page.locator("#time").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 0.8 * box["width"], box["y"] + 0.5 * box["height"])
    visit.wait_for_time(0.75 * LENGTH, 0.85 * LENGTH)
    assert visit.changed(before) > 0.02
    assert page.inner_text("#clock").startswith(f"{visit.time:.1f} of {LENGTH}")

    before = visit.picture()  # orbit with the mouse: the pixels change, the moment does not
    at = visit.time
    page.mouse.move(400, 200)
    page.mouse.down()
    page.mouse.move(520, 240, steps=4)
    page.mouse.up()
    assert visit.changed(before) > 0.2
    assert visit.time == at
    before = visit.picture()
    page.mouse.wheel(0, -300)
    assert visit.changed(before) > 0.1
    before = visit.picture()
    page.click("#reset")
    assert visit.changed(before) > 0.1

    diagram = page.locator("#diagram").bounding_box()
    assert diagram is not None
    page.mouse.click(diagram["x"] + 0.5 * diagram["width"], diagram["y"] + 10)
    visit.wait_for_time(0.46 * LENGTH, 0.69 * LENGTH)
    visit.finish(path)


@pytest.mark.slow
def test_a_band_on_the_slider_is_where_the_diagram_is(browser: "Browser", pages: Path) -> None:
    path = pages / "spider4-steps.html"
    visit = Visit(browser, path, viewport={"width": 260, "height": 568})
    page = visit.page
    page.keyboard.press("ArrowRight")
    visit.wait_for_time(0.9, 1.1)
    shown = visit.picture("#timeline")
    edge = shown[1]  # above the slider
    band = np.flatnonzero((edge != edge[0]).any(axis=-1))
    end = LENGTH * (band.max() + 1 - 8) / (edge.shape[0] - 16)  # half of a thumb is beside it
    assert visit.time < end < 0.95 * LENGTH
    diagram = page.locator("#diagram").bounding_box()
    assert diagram is not None
    page.mouse.click(diagram["x"] + diagram["width"] - 1, diagram["y"] + 10)
    visit.wait_for_time(end - 0.1, end + 0.1)
    visit.finish(path)


@pytest.mark.slow
def test_the_page_obeys_keys(browser: "Browser", pages: Path) -> None:
    path = pages / "spider8-stairs.html"
    visit = Visit(browser, path, viewport={"width": 640, "height": 600})
    keyboard = visit.page.keyboard
    keyboard.press("ArrowRight")
    visit.wait_for_time(1.0, 1.0)
    keyboard.press("Shift+ArrowRight")
    visit.wait_for_time(LENGTH, LENGTH)
    keyboard.press("ArrowLeft")
    visit.wait_for_time(LENGTH - 1.0, LENGTH - 1.0)
    keyboard.press("End")
    visit.wait_for_time(LENGTH, LENGTH)
    keyboard.press("Home")
    visit.wait_for_time(0.0, 0.0)
    keyboard.press("+")
    assert visit.page.input_value("#speed") == "2"
    before = visit.picture()
    for key in "aws":
        keyboard.press(key)
    assert visit.changed(before) > 0.2
    keyboard.press(" ")
    visit.wait_for_time(0.2, LENGTH)
    assert visit.page.get_attribute("#play", "aria-label") == "Pause"
    visit.page.focus("#play")
    keyboard.press(" ")  # a button's own press, once and not twice
    assert visit.page.get_attribute("#play", "aria-label") == "Play"
    visit.finish(path)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "width", "height", "scheme", "scale"),
    [
        ("arm", 320, 568, "dark", 2.0),
        ("humanoid", 700, 400, "light", 1.0),
        ("spider4-steps", 320, 568, "light", 1.0),
        pytest.param("spider4-steps", 1920, 1080, "dark", 1.0, marks=THOROUGH),
        pytest.param("spider4-steps", 3840, 2160, "dark", 1.0, marks=THOROUGH),
    ],
)
def test_the_page_is_whole_at_any_size(
    name: str, width: int, height: int, scheme: str, scale: float, browser: "Browser", pages: Path
) -> None:
    path = pages / f"{name}.html"
    visit = Visit(
        browser,
        path,
        viewport={"width": width, "height": height},
        color_scheme=scheme,
        device_scale_factor=scale,
    )
    assert visit.page.evaluate("document.documentElement.scrollWidth") <= width
    sizes = visit.page.evaluate(
        "['play', 'time', 'clock', 'speed', 'reset', 'view'].map((id) => {"
        "const box = document.getElementById(id).getBoundingClientRect();"
        "return [box.left, box.top, box.right, box.bottom]; })"
    )
    for left, top, right, bottom in sizes:
        assert 0 <= left < right <= width
        assert 0 <= top < bottom <= height
    assert visit.page.evaluate("parseFloat(getComputedStyle(document.body).fontSize)") >= 15
    picture = visit.picture()
    assert picture.std() > 8.0
    paper = visit.picture("body")[2, 2].sum()  # what is around the picture, where it is day
    assert (paper < 200) == (scheme == "dark")
    assert visit.page.is_hidden("#gait") == (name != "spider4-steps")
    visit.finish(path)


@pytest.mark.slow
def test_the_page_follows_one_of_several(browser: "Browser", tmp_path: Path) -> None:
    from tests.scenes import herd

    replay = tmp_path / "two.mcap"
    record(herd("steps", "spider4", [(0.0, 0.0), (1.5, 2.0)]), replay, 60)
    path = tmp_path / "two.html"
    path.write_text(page_of(open_replay(replay), "two"))
    visit = Visit(browser, path, viewport={"width": 640, "height": 600})
    before = visit.picture()
    visit.page.select_option("#subject", "1")
    assert visit.changed(before) > 0.05
    visit.page.focus("#play")
    visit.page.keyboard.press("n")
    assert visit.page.input_value("#subject") == "0"
    assert visit.changed(before) < 0.02
    visit.finish(path)


@pytest.mark.slow
def test_the_page_plays_at_once_with_a_sign_that_is_drawn(browser: "Browser", pages: Path) -> None:
    path = pages / "hexapod-hills.html"
    visit = Visit(browser, path, reduced_motion="no-preference")
    assert visit.page.get_attribute("#play", "aria-label") == "Pause"
    assert visit.page.inner_text("#play") == ""  # no glyph of a font
    pause = visit.page.get_attribute("#glyph", "d")
    visit.wait_for_time(0.2, LENGTH)
    visit.page.click("#play")
    stopped = visit.time
    assert visit.page.get_attribute("#play", "aria-label") == "Play"
    assert visit.page.get_attribute("#glyph", "d") != pause
    visit.page.wait_for_timeout(150)
    assert visit.time == stopped
    visit.finish(path)


CLOCK = """
(() => {
  const real = window.requestAnimationFrame.bind(window);
  let stamp = 0;
  window.requestAnimationFrame = (draw) => real(() => draw(stamp += GAP));
})();
"""
"""A clock by which each picture takes so many milliseconds."""


@pytest.mark.slow
@pytest.mark.parametrize(("gap", "shadows"), [(60, "off"), pytest.param(8, None, marks=THOROUGH)])
def test_shadows_go_where_pictures_come_slowly_and_come_back_by_a_key(
    gap: int, shadows: str | None, browser: "Browser", pages: Path
) -> None:
    path = pages / "hexapod-hills.html"
    script = CLOCK.replace("GAP", str(gap))
    size = {"width": 320, "height": 300}
    visit = Visit(browser, path, script, reduced_motion="no-preference", viewport=size)
    visit.wait_for_time(min(1.5, 30 * gap / 1000), LENGTH)  # more than the pictures it measures
    visit.page.click("#play")
    assert visit.page.get_attribute("html", "data-shadows") == shadows
    before = visit.picture()
    visit.page.keyboard.press("h")
    assert visit.changed(before) > 0.001
    assert visit.page.get_attribute("html", "data-shadows") == ("off" if shadows is None else "on")
    visit.finish(path)


@pytest.mark.slow
def test_without_webgl_the_page_says_so(browser: "Browser", pages: Path) -> None:
    path = pages / "arm.html"
    script = (
        "HTMLCanvasElement.prototype.getContext = (real => function (kind, ...rest) {"
        "return kind === 'webgl2' ? null : real.call(this, kind, ...rest); })"
        "(HTMLCanvasElement.prototype.getContext);"
    )
    visit = Visit(browser, path, script)
    assert visit.page.is_visible("#notice")
    assert "WebGL 2" in visit.page.inner_text("#notice")
    visit.page.click("#play")  # the rest still works
    visit.wait_for_time(0.1, LENGTH)
    visit.finish(path)

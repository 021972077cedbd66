"""Texts over the picture: all of them in sight, at any size, and none that deceives."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from creature_sim.errors import DisplayUnavailable
from creature_sim.library.loader import builtin_names, load_world, written_creature
from creature_sim.view.gl.display import open_offscreen
from creature_sim.view.shows.controls import Mode, controls_of
from creature_sim.view.shows.player import ReplayShow
from creature_sim.view.shows.tuning import Tuning
from creature_sim.view.shows.wording import name_of
from tests.shows import Recorded, moved

SIZES = [(640, 400), (1280, 720), (320, 240), (2000, 300)]


@pytest.fixture(scope="module")
def context() -> Iterator[Any]:
    """Somewhere to lay text out."""
    try:
        found = open_offscreen()
    except DisplayUnavailable as error:
        pytest.skip(str(error))
    yield found
    found.close()


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("mode", ["live", "replay"])
def test_every_key_is_on_one_page_of_the_help_and_in_the_window(
    mode: Mode, size: tuple[int, int], context: Any
) -> None:
    context.switch_to()
    from creature_sim.view.flat.help import Help

    found = Help(mode, 1.0)
    found.turn()
    seen: list[str] = []
    for page in range(1, 100):
        found.draw(size, 72)
        assert found.page == page
        for key, meaning in found._rows:
            if key.visible:
                seen.append(key.text)
                assert key.x >= 0
                assert key.y <= size[1] - 72
                assert key.y - key.content_height >= 0
                if size[0] >= 640:
                    assert meaning.x + meaning.content_width <= size[0]
        found.turn()
        if not found.page:
            break
    assert seen == [control.label for control in controls_of(mode)]
    assert page == found.page_count
    if size == (1280, 720):
        assert page == 1
    if size == (640, 400):
        assert page > 1


@pytest.mark.slow
def test_the_wheel_turns_pages_of_the_help_where_there_are_several(context: Any) -> None:
    context.switch_to()
    from creature_sim.view.flat.help import Help

    found = Help("live", 1.0)
    assert not found.wheel(-1.0)  # closed: it zooms
    found.turn()
    found.draw((640, 400), 72)
    for wanted in (2, 3):
        assert found.wheel(-1.0)
        found.draw((640, 400), 72)
        assert found.page == wanted
    for _ in range(9):
        found.wheel(1.0)
    assert found.page == 1
    found.draw((1280, 720), 72)
    assert not found.wheel(-1.0)  # one page


@pytest.mark.slow
@pytest.mark.parametrize("width", [320, 640, 1280])
def test_a_long_notice_is_broken_into_lines_and_none_hides_a_deceit(
    width: int, context: Any
) -> None:
    context.switch_to()
    from creature_sim.view.flat import panel
    from creature_sim.view.flat.hud import STRIP, Hud, Texts

    hud = Hud("live")
    notice = "not applied: " + "a number is too large, " * 9 + "\x1b[2J\u202everified"
    names = ("left\x07.mcap", "right\u2066.mcap")
    for split in (None, names):
        hud.draw((width, 400), Texts("walks\x9b\n", "58 fps", notice, split), None)
        assert hud._notice_panel.width <= width
        assert hud._notice.content_height > 20
        assert hud._notice_panel.y + hud._notice_panel.height <= 400 - STRIP
    shown = [label.text for label in (hud._status, hud._hint, hud._notice)]
    shown += [label.text for _, label in hud._names]
    assert all(line.isprintable() for text in shown for line in text.split("\n"))
    assert hud._hint.text == "58 fps   F1 keys"
    assert r"\x1b[2J\u202e" in hud._notice.text
    assert panel.TOP >= 2 * STRIP  # below the first line of a notice


@pytest.mark.slow
def test_what_is_wrong_moves_no_slider(context: Any) -> None:
    pytest.importorskip("imgui_bundle", reason="the panel is an extra")
    context.switch_to()
    from creature_sim.view.flat.panel import Panel
    from creature_sim.view.gl.canvas import Canvas
    from tests.view.test_panel import GRAB

    tuning = Tuning(written_creature("hexapod"))

    class Showing:
        def __init__(self) -> None:
            self.tuning = tuning

    panel: Any = Panel(Showing(), 1.0)  # type: ignore[arg-type]
    canvas = Canvas((640, 400), 0)
    grabs = []
    for problem in ("", "body.ride_height: expected less\x1b, found more " * 8, "", "short"):
        tuning.problem = problem
        for _ in range(3):
            with canvas:
                panel.draw((640, 400), (640, 400), 0.02)
                picture = canvas.read().astype(int)
        grabs.append((np.abs(picture - np.array(GRAB)) < 6).all(axis=-1))
    assert grabs[0].any()
    for grab in grabs[1:]:
        assert (grab == grabs[0]).all()
    panel.delete()
    canvas.delete()


@pytest.mark.parametrize("creature", builtin_names("creature"))
def test_sliders_have_names_that_tell_them_apart(creature: str) -> None:
    knobs = Tuning(written_creature(creature)).knobs
    assert len({(knob.section, knob.name) for knob in knobs}) == len(knobs)
    for knob in knobs:
        assert "_" not in knob.name
        assert "[0]" not in knob.name
        assert knob.section[0].isupper()
    sections = [knob.section for knob in knobs]
    assert len(set(sections)) == 1 + sum(a != b for a, b in pairwise(sections))


def test_a_slider_says_what_its_number_is_and_in_which_unit() -> None:
    names = {knob.label: knob.name for knob in Tuning(written_creature("hexapod")).knobs}
    assert names["body.size[1]"] == "width [m]"
    assert names["body.ride_height"] == "ride height [m]"
    assert names["leg_pairs[0].bones[2]"] == "bone 3, tibia [m]"
    assert names["leg_pairs[1].home[0]"] == "foot at rest, forward [m]"
    assert names["gait.offsets[3]"] == "phase of right 2"
    assert name_of(("gait", "offsets", 1)) == "phase of leg 2"


def test_both_halves_are_named_by_their_files() -> None:
    poses = [moved(6 * i, 0.06 * i) for i in range(61)]
    one, two = (Recorded(load_world("meadow"), 60, poses) for _ in range(2))
    show = ReplayShow(one, two, is_beside=True)
    assert show.names == ("meadow (1)", "meadow (2)")
    show.press("beside", False)
    assert show.names is None  # there is one picture
    assert ReplayShow(one).names is None

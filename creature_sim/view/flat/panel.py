"""A panel of sliders: every number of the selected creature's file."""

from imgui_bundle import imgui

from creature_sim.figures.labels import printable
from creature_sim.view.flat.gui import Gui
from creature_sim.view.shows.show import Show
from creature_sim.view.shows.tuning import Knob, Tuning

WIDTH = 380
TOP = 84
"""Distance of the panel from the window's upper edge, below the status line and a notice [px]."""
PROBLEM_LINES = 3
"""Lines that are kept free for what is wrong, so that no slider moves when something is."""
HINT = "Ctrl and a click on a slider types a number. Letting go of it applies it."
DIM = (0.78, 0.83, 0.86, 1.0)
MARGIN = 12
WARNING = (0.90, 0.62, 0.0, 1.0)


class Panel:
    """Sliders at the right edge of the window.

    A change takes effect when the mouse lets go of its slider.
    """

    def __init__(self, show: Show, scale: float) -> None:
        """Prepare it; needs the window's context."""
        self._show = show
        self._gui = Gui(scale)
        self._scale = scale
        self._area = (0.0, 0.0, 0.0, 0.0)  # left, bottom, right, top
        self._is_held = False

    def rescale(self, scale: float) -> None:
        """Draw for a screen with another pixel density."""
        self._scale = scale
        self._gui.rescale(scale)

    def draw(self, size: tuple[int, int], pixels: tuple[int, int], seconds: float) -> None:
        """Draw it over the picture, and apply what was done with its sliders.

        Args:
            size: of the window in its own units.
            pixels: of the framebuffer.
            seconds: since the last frame.
        """
        width = min(WIDTH * self._scale, size[0] - 2 * MARGIN)
        top, margin = TOP * self._scale, MARGIN * self._scale
        left, height = size[0] - width - margin, max(40.0, size[1] - top - 2.0 * margin)
        self._area = (left, size[1] - top - height, left + width, size[1] - top)
        self._gui.begin(size, seconds)
        imgui.set_next_window_pos(imgui.ImVec2(left, top))
        imgui.set_next_window_size(imgui.ImVec2(width, height))
        flags = imgui.WindowFlags_
        fixed = flags.no_resize.value | flags.no_move.value | flags.no_collapse.value
        imgui.begin("Numbers of the creature", None, fixed)
        tuning = self._show.tuning
        if tuning is None:
            imgui.text_wrapped("There is no creature file here to change.")
        else:
            self._draw_tuning(tuning)
        imgui.end()
        self._gui.end(pixels)

    def _draw_tuning(self, tuning: Tuning) -> None:
        imgui.text_wrapped(f"{printable(str(tuning.path))}{' *' if tuning.is_changed else ''}")
        imgui.begin_disabled(not tuning.is_changed)
        if imgui.button("Save"):
            self._show.save_tuning()
        imgui.same_line()
        if imgui.button("Undo all"):
            self._show.undo_tuning()
        imgui.end_disabled()
        self._draw_problem(printable(tuning.problem))
        imgui.begin_child("numbers")
        section = ""
        imgui.push_item_width(0.42 * WIDTH * self._scale)
        for knob in tuning.knobs:
            if knob.section != section:
                section = knob.section
                imgui.separator_text(printable(section))
            self._draw_knob(tuning, knob)
        imgui.pop_item_width()
        imgui.end_child()

    def _draw_problem(self, problem: str) -> None:
        """Say what is wrong in an area of a size of its own, which scrolls; otherwise a hint."""
        height = PROBLEM_LINES * imgui.get_text_line_height_with_spacing()
        imgui.begin_child("problem", imgui.ImVec2(0.0, height))
        colour = WARNING if problem else DIM
        imgui.push_style_color(imgui.Col_.text.value, imgui.ImVec4(*colour))
        imgui.text_wrapped(problem or HINT)
        imgui.pop_style_color()
        imgui.end_child()

    def _draw_knob(self, tuning: Tuning, knob: Knob) -> None:
        value = tuning.value(knob)
        name = f"{printable(knob.name).replace('##', '#')}##{knob.label}"
        is_changed: bool
        changed: float
        if knob.is_whole:
            is_changed, changed = imgui.slider_int(name, int(value), int(knob.low), int(knob.high))
        else:
            is_changed, changed = imgui.slider_float(name, value, knob.low, knob.high, "%.4g")
        if is_changed:
            tuning.set(knob, changed)
        if imgui.is_item_deactivated_after_edit():
            self._show.retune()
        if imgui.is_item_hovered():
            note = printable(knob.note)
            imgui.set_tooltip(f"{knob.label}\n{note}" if note else knob.label)

    @property
    def wants_text(self) -> bool:
        """Whether keys type a number into a slider."""
        return self._gui.wants_text

    def key(self, symbol: int, is_down: bool) -> None:
        """Take a key while `wants_text`."""
        self._gui.key(symbol, is_down)

    def text(self, text: str) -> None:
        """Take what was written."""
        self._gui.text(text)

    def move(self, x: float, y: float) -> None:
        """Take where the mouse is."""
        self._gui.move(x, y)

    def drag(self, x: float, y: float) -> bool:
        """Take where the mouse is while a button is down; True: it went down on the panel."""
        self._gui.move(x, y)
        return self._is_held

    def press(self, x: float, y: float, button: int) -> bool:
        """Take a button that went down; True: on the panel."""
        self._gui.move(x, y)
        self._is_held = self._is_over(x, y)
        self._gui.button(button, True)
        return self._is_held

    def release(self, x: float, y: float, button: int) -> bool:
        """Take a button that came up; True: it went down on the panel."""
        self._gui.move(x, y)
        self._gui.button(button, False)
        was_held, self._is_held = self._is_held, False
        return was_held

    def wheel(self, x: float, y: float, across: float, up: float) -> bool:
        """Take notches of the wheel; True: over the panel."""
        if self._is_over(x, y):
            self._gui.wheel(across, up)
            return True
        return False

    def _is_over(self, x: float, y: float) -> bool:
        left, bottom, right, top = self._area
        return left <= x <= right and bottom <= y <= top

    def delete(self) -> None:
        """Free the memory; the window's context must be current."""
        self._gui.delete()

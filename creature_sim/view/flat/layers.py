"""The layers of the overlay that are drawn flat: gait diagram, texts and metrics."""

from typing import Any

import numpy as np
from pyglet import gl, image
from pyglet.graphics import Batch, Group
from pyglet.sprite import Sprite
from pyglet.text import Label

from creature_sim.definitions import CreatureDef
from creature_sim.figures.insight import Insight
from creature_sim.figures.labels import leg_name, printable
from creature_sim.figures.optics import Optics
from creature_sim.figures.overlay import MAX_LEGS, Layer
from creature_sim.figures.palette import (
    BLUE,
    GREEN,
    ORANGE,
    PAPER,
    PURPLE,
    SHADE,
    SKY_BLUE,
    VERMILLION,
    YELLOW,
)
from creature_sim.figures.solids import rgb
from creature_sim.figures.subjects import is_there
from creature_sim.maths import Floats
from creature_sim.snapshots.poses import Pose
from creature_sim.view.flat.choice import SOLID, Choice
from creature_sim.view.flat.readout import Readout
from creature_sim.view.shows.gait_log import SECONDS, GaitLog
from creature_sim.view.shows.show import Show

WIDTH, HEIGHT = 260, 132
"""Of the gait diagram [px]."""
MARGIN, NAME_WIDTH = 12, 24
TALLEST_ROW = 16
TOP = 84
"""Distance of the table of metrics from the window's upper edge [px]."""
COLOURS = (ORANGE, SKY_BLUE, GREEN, YELLOW, BLUE, VERMILLION, PURPLE)
SWING = (38, 46, 54, 220)
_SIZE = 8


class Layers:
    """Layers of the selected creature: chosen by keys, drawn while the overlay is on.

    Lengths in this file are pixels at 96 to the inch; they are multiplied by `scale`.
    """

    def __init__(self, show: Show, scale: float = 1.0) -> None:
        """Begin switched off; needs the window's context."""
        self.choice = Choice()
        self._show = show
        self._scale = scale
        self._plan: CreatureDef | None = None
        self._gait, self._texts = Batch(), Batch()
        self._labels: list[Any] = []
        self._names: list[Any] = []
        self._sprite: Any = None
        self._readout = Readout(scale)

    def rescale(self, scale: float) -> None:
        """Lay everything out anew for a screen with another pixel density."""
        self._scale = scale
        self._plan = None
        self._readout = Readout(scale)

    @property
    def solid(self) -> tuple[Layer, ...]:
        """The layers that are drawn in the world."""
        return tuple(filter(self.choice.shows, SOLID))

    def draw(self, pose: Pose, optics: Optics, bottom: int) -> None:
        """Draw the flat layers over the picture.

        Args:
            pose: of the picture.
            optics: of the picture; its size is that of the window.
            bottom: upper edge of a replay's bar [px].
        """
        selected, world = self._show.selected, self._show.world
        if not self.choice.is_on or not is_there(pose, selected):
            return
        plan = world.species_of(world.creatures[selected])
        if plan is not self._plan:
            self._lay_out(plan)
        gl.glDisable(gl.GL_DEPTH_TEST)
        if self.choice.shows("gait"):
            if self._log.is_broken(pose, selected):
                self._log.restart(self._show.past(SECONDS), selected)
            self._log.add(pose)
            self._draw_gait(bottom)
        if self.choice.shows("metrics"):
            self._readout.draw(self._show.readings, optics.size, round(TOP * self._scale))
        insight = self._show.insight
        if self.choice.shows("reasons") and insight is not None:
            self._draw_reasons(pose.creature(selected).joints[:, -1], insight, optics)

    def _lay_out(self, plan: CreatureDef) -> None:
        """Prepare rows and texts for the legs of a plan."""
        self._plan = plan
        self._log = GaitLog(self._show.world.tick_rate)
        legs = plan.all_legs
        self._gait, self._texts = Batch(), Batch()
        back, front = Group(order=0), Group(order=1)
        row = max(1, min(TALLEST_ROW, HEIGHT // len(legs)))
        self._row = row
        if self._sprite is not None:
            self._sprite.image.delete()
        texture = image.Texture.create(WIDTH, row * len(legs))
        self._sprite = Sprite(texture, batch=self._gait, group=back)
        self._sprite.scale = self._scale
        self._names = [
            self._label(self._gait, front, leg_name(leg)) for leg in (legs if row >= 10 else ())
        ]
        self._labels = [self._label(self._texts, front, "") for _ in legs[:MAX_LEGS]]

    def _draw_gait(self, bottom: int) -> None:
        """One row per leg, the first on top, the present at the right; colour: the foot stands."""
        stances = self._log.stances(WIDTH)
        colours = np.array([[*(255 * part for part in rgb(c)), 255] for c in COLOURS], np.uint8)
        bars = np.empty((*stances.shape, 4), np.uint8)
        bars[:] = SWING
        bars[stances < 0] = SHADE
        legs, moments = np.nonzero(stances == 1)
        bars[legs, moments] = colours[legs % len(COLOURS)]
        picture = np.repeat(bars[::-1], self._row, axis=0)
        if self._row > 3:
            picture[:: self._row] = SHADE
        data = image.ImageData(WIDTH, len(picture), "RGBA", picture.tobytes())
        self._sprite.image.blit_into(data, 0, 0, 0)
        left = round(self._scale * (MARGIN + (NAME_WIDTH if self._names else 0)))
        low = bottom + round(self._scale * MARGIN)
        self._sprite.position = (left, low, 0)
        for leg, name in enumerate(self._names):
            middle = (len(self._names) - leg - 0.5) * self._row * self._scale
            name.position = (round(self._scale * MARGIN), round(low + middle), 0)
        self._gait.draw()

    def _draw_reasons(self, tips: Floats, insight: Insight, optics: Optics) -> None:
        pixels = optics.pixels(tips[: len(self._labels)])
        for label, pixel, reason, score, solved in zip(
            self._labels, pixels, insight.reasons, insight.scores, insight.solved, strict=False
        ):
            label.visible = bool(np.isfinite(pixel).all())
            if label.visible:
                said = printable(reason)
                number = "" if np.isnan(score) else f"{score:.2f}"
                text = " ".join(part for part in (said, number, solved) if part)
                if label.text != text:
                    label.text = text
                label.position = (round(pixel[0]) + 10, round(pixel[1]), 0)
        self._texts.draw()

    def _label(self, batch: Batch, group: Group, text: str) -> Label:
        return Label(
            text,
            font_size=_SIZE * self._scale,
            weight="bold",
            color=PAPER,
            anchor_y="center",
            batch=batch,
            group=group,
        )

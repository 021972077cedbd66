"""Which layers of the overlay are seen, and those that are flat: gait diagram, texts at feet."""

from typing import Any

import numpy as np
from pyglet import gl, image
from pyglet.graphics import Batch, Group
from pyglet.sprite import Sprite
from pyglet.text import Label

from creature_sim.definitions import CreatureDef
from creature_sim.figures.insight import Insight
from creature_sim.figures.overlay import MOST_LEGS, Layer
from creature_sim.figures.palette import (
    BLUE,
    GREEN,
    ORANGE,
    PAPER,
    PURPLE,
    SKY_BLUE,
    VERMILLION,
    YELLOW,
)
from creature_sim.figures.picking import pixels_of
from creature_sim.figures.solids import rgb
from creature_sim.maths import Floats
from creature_sim.snapshots.poses import Pose
from creature_sim.view.flat.readout import Readout
from creature_sim.view.shows.gait_log import SECONDS, GaitLog
from creature_sim.view.shows.show import Show

SOLID: tuple[Layer, ...] = ("feet", "support", "zones", "rays")
FLAT = ("reasons", "gait", "metrics")
WIDTH, HEIGHT = 260, 132
"""Of the gait diagram [px]."""
MARGIN, NAME_WIDTH = 12, 24
TALLEST_ROW = 16
TOP = 84
"""The table of metrics begins so far below the window's upper edge [px]."""
COLOURS = (ORANGE, SKY_BLUE, GREEN, YELLOW, BLUE, VERMILLION, PURPLE)
SWING, UNKNOWN, BACK = (38, 46, 54, 220), (16, 22, 28, 190), (16, 22, 28, 190)
_SIZE = 8


class Layers:
    """Chosen by keys; drawn while the overlay is on, of the selected creature.

    Lengths in this file are pixels where there are 96 to an inch; else `scale` times as many.
    """

    def __init__(self, show: Show, scale: float = 1.0) -> None:
        """Begin switched off; needs the window's context."""
        self.is_on = False
        self._chosen = {"feet", "support", "gait"}
        self._show = show
        self._scale = scale
        self._plan: CreatureDef | None = None
        self._gait, self._texts = Batch(), Batch()
        self._labels: list[Any] = []
        self._names: list[Any] = []
        self._sprite: Any = None
        self._readout = Readout(scale)

    def press(self, action: str) -> bool:
        """Take a key; False where it is none of these."""
        if action == "overlay":
            self.is_on = not self.is_on
        elif action in (*SOLID, *FLAT):
            self._chosen ^= {action}
            self.is_on = True
        else:
            return False
        return True

    def rescale(self, scale: float) -> None:
        """Lay everything out anew for a screen with finer pixels, or coarser ones."""
        self._scale = scale
        self._plan = None
        self._readout = Readout(scale)

    @property
    def solid(self) -> tuple[Layer, ...]:
        """Those that stand in the world."""
        return tuple(layer for layer in SOLID if self.is_on and layer in self._chosen)

    def draw(self, pose: Pose, matrix: Floats, size: tuple[int, int], bottom: int) -> None:
        """Draw the flat ones over the picture.

        Args:
            pose: that the picture shows.
            matrix: (4, 4) world to clip space.
            size: of the window [px].
            bottom: below this is the bar of a replay [px].
        """
        selected, world = self._show.selected, self._show.world
        if not self.is_on or selected >= pose.creature_count:
            return
        plan = world.species_of(world.creatures[selected])
        if plan is not self._plan:
            self._lay_out(plan)
        gl.glDisable(gl.GL_DEPTH_TEST)
        if "gait" in self._chosen:
            if self._log.is_broken(pose, selected):
                self._log.restart(self._show.past(SECONDS), selected)
            self._log.add(pose)
            self._draw_gait(bottom)
        if "metrics" in self._chosen:
            self._readout.draw(self._show.readings, size, round(TOP * self._scale))
        insight = self._show.insight
        if "reasons" in self._chosen and insight is not None:
            self._draw_reasons(pose.creature(selected).joints[:, -1], insight, matrix, size)

    def _lay_out(self, plan: CreatureDef) -> None:
        """Prepare rows and texts for a plan's legs."""
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
            self._label(self._gait, front, f"{leg.side[0].upper()}{leg.pair + 1}")
            for leg in (legs if row >= 10 else ())
        ]
        self._labels = [self._label(self._texts, front, "") for _ in legs[:MOST_LEGS]]

    def _draw_gait(self, bottom: int) -> None:
        """A row a leg, the first on top, the present at the right; coloured: it stands."""
        stances = self._log.stances(WIDTH)
        colours = np.array([[*(255 * part for part in rgb(c)), 255] for c in COLOURS], np.uint8)
        bars = np.empty((*stances.shape, 4), np.uint8)
        bars[:] = SWING
        bars[stances < 0] = UNKNOWN
        legs, moments = np.nonzero(stances == 1)
        bars[legs, moments] = colours[legs % len(COLOURS)]
        picture = np.repeat(bars[::-1], self._row, axis=0)
        if self._row > 3:
            picture[:: self._row] = BACK
        data = image.ImageData(WIDTH, len(picture), "RGBA", picture.tobytes())
        self._sprite.image.blit_into(data, 0, 0, 0)
        left = round(self._scale * (MARGIN + (NAME_WIDTH if self._names else 0)))
        low = bottom + round(self._scale * MARGIN)
        self._sprite.position = (left, low, 0)
        for leg, name in enumerate(self._names):
            place = (len(self._names) - leg - 0.5) * self._row * self._scale
            name.position = (round(self._scale * MARGIN), round(low + place), 0)
        self._gait.draw()

    def _draw_reasons(
        self, tips: Floats, insight: Insight, matrix: Floats, size: tuple[int, int]
    ) -> None:
        places = pixels_of(tips[: len(self._labels)], matrix, size)
        for label, place, reason, score in zip(
            self._labels, places, insight.reasons, insight.scores, strict=False
        ):
            label.visible = bool(np.isfinite(place).all())
            if label.visible:
                text = reason if np.isnan(score) else f"{reason} {score:.2f}".strip()
                if label.text != text:
                    label.text = text
                label.position = (round(place[0]) + 10, round(place[1]), 0)
        self._texts.draw()

    def _label(self, batch: Any, group: Any, text: str) -> Any:
        return Label(
            text,
            font_size=_SIZE * self._scale,
            weight="bold",
            color=PAPER,
            anchor_y="center",
            batch=batch,
            group=group,
        )

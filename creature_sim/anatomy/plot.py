"""A picture of what was found: the skeleton from its left and from above, legs in colours."""

from pathlib import Path

import numpy as np

from creature_sim.anatomy.anatomy import Anatomy
from creature_sim.score.plot import COLOURS, open_figure, save_figure

VIEWS = ((0, 2, "from its left: X ahead, Z up [m]"), (1, 2, "from behind"), (0, 1, "from above"))
SKIN, BONES = "#d8d2c8", "#8a8a8a"


def plot(anatomy: Anatomy, path: Path) -> None:
    """Write the picture.

    Raises:
        OutputError: matplotlib is not installed, or the file cannot be written.
    """
    figure = open_figure(path, (16.0, 6.0))
    skeleton = anatomy.skeleton
    skin = np.concatenate(skeleton.skins)
    for axes, (across, along, title) in zip(figure.subplots(1, 3), VIEWS, strict=True):
        if len(skin):
            axes.scatter(skin[:, across], skin[:, along], s=3, color=SKIN, linewidths=0)
        for bone, parent in enumerate(skeleton.parents):
            if parent >= 0:
                ends = skeleton.heads[[parent, bone]]
                axes.plot(ends[:, across], ends[:, along], color=BONES, lw=1.0)
        for number, pair in enumerate(anatomy.legs):
            for side, leg in enumerate(pair):
                axes.plot(
                    leg.joints[:, across],
                    leg.joints[:, along],
                    marker="o",
                    markersize=4,
                    color=COLOURS[number % len(COLOURS)],
                    ls=("-", "--")[side],
                    label=f"{'LR'[side]}{number + 1} {skeleton.names[leg.bones[0]]}",
                )
        if anatomy.head is not None:
            head = skeleton.heads[anatomy.head]
            axes.plot(head[across], head[along], marker="*", ms=12, color="black", label="head")
        if along == 2:
            axes.axhline(anatomy.ground, color="black", lw=0.5)
        if across == 1:
            axes.invert_xaxis()
        axes.set_aspect("equal")
        axes.set_title(title)
    figure.axes[0].legend(loc="upper left", fontsize="small")
    save_figure(figure, path)

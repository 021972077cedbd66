"""Draw the pictures of docs/ik.md: `python -m tests.tools.ik_pictures docs/ik`.

Needs matplotlib (extra `plot`).
"""

import sys
from collections.abc import Sequence
from math import radians
from pathlib import Path

import matplotlib as mpl
import numpy as np

from creature_sim.ik import Limit, Solutions, solve, solve_batch, solve_tree
from creature_sim.maths import Floats

mpl.use("agg")
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.image import AxesImage

LEG = np.array([[0.0, 0.0], [0.6, 0.0], [2.0, 0.0], [4.0, 0.0]])
HUMAN = np.array(
    [
        [0.0, 1.0],
        [0.0, 1.25],
        [0.0, 1.5],
        [0.0, 1.65],
        [0.0, 1.8],
        [0.2, 1.5],
        [0.5, 1.5],
        [0.8, 1.5],
        [-0.2, 1.5],
        [-0.5, 1.5],
        [-0.8, 1.5],
        [0.1, 0.95],
        [0.12, 0.5],
        [0.1, 0.0],
        [-0.1, 0.95],
        [-0.12, 0.5],
        [-0.1, 0.0],
    ]
)
HUMAN_PARENTS = [-1, 0, 1, 2, 3, 2, 5, 6, 2, 8, 9, 0, 11, 12, 0, 14, 15]
INK = "#26323f"
WARM = "#c8553d"
COOL = "#2f6690"


def grid(reach: float, count: int = 121) -> Floats:
    """Targets (count * count, 2) over a square around the root."""
    side = np.linspace(-1.02 * reach, 1.02 * reach, count)
    x, y = np.meshgrid(side, side)
    return np.stack([x.ravel(), y.ravel()], axis=1)


def over_grid(
    start: Floats,
    targets: Floats,
    method: str = "fabrik",
    limits: Sequence[Limit | None] | None = None,
) -> Solutions:
    """Cold solves of one start for all targets."""
    starts = np.tile(start, (len(targets), 1, 1))
    return solve_batch(starts, targets, rotations=False, method=method, limits=limits)


def show_map(
    axes: Axes,
    values: Floats,
    title: str,
    ends: tuple[float, float],
    colours: str = "magma",
) -> AxesImage:
    """Draw values over a grid of reach 4 as an image, `ends` the values at its colours' ends."""
    count = int(len(values) ** 0.5)
    edge = 1.02 * 4.0
    image = axes.imshow(
        values.reshape(count, count),
        origin="lower",
        extent=(-edge, edge, -edge, edge),
        vmin=ends[0],
        vmax=ends[1],
        cmap=colours,
    )
    axes.set_title(title, fontsize=9)
    axes.set_xticks([])
    axes.set_yticks([])
    return image


def chain_line(axes: Axes, joints: Floats, colour: str, alpha: float = 1.0) -> None:
    """Draw a chain with its joints."""
    x, y = joints[:, 0], joints[:, 1]
    axes.plot(x, y, "-o", color=colour, markersize=3, linewidth=1.5, alpha=alpha)


def draw_errors(folder: Path) -> None:
    """Tip error over the workspace of a leg, textbook and ours, after 32 iterations."""
    targets = grid(4.0)
    far = np.hypot(targets[:, 0], targets[:, 1])
    figure, panels = plt.subplots(1, 3, figsize=(9.0, 3.2), layout="constrained")
    for axes, method, title in (
        (panels[0], "fabrik-plain", "textbook: tip error"),
        (panels[1], "fabrik", "ours: tip error"),
    ):
        error = over_grid(LEG, targets, method=method).error
        shown = np.where(far <= 4.0, np.log10(np.maximum(error, 1e-3)), np.nan)
        image = show_map(axes, shown, title, (-3.0, 0.0))
    figure.colorbar(image, ax=panels[:2], label="log10 of metres", shrink=0.8)
    iterations = over_grid(LEG, targets).iterations.astype(float)
    iterations[far > 4.0] = np.nan
    image = show_map(panels[2], iterations, "ours: iterations", (0.0, 12.0), "viridis")
    figure.colorbar(image, ax=panels[2], shrink=0.8)
    save(figure, folder / "errors.png")


def draw_poles(folder: Path) -> None:
    """One leg and one tentacle, for poles on either side and targets near and far."""
    figure, panels = plt.subplots(1, 2, figsize=(9.0, 3.2), layout="constrained")
    tentacle = np.stack([np.linspace(0.0, 4.0, 13), np.zeros(13)], axis=1)
    for axes, start, title in (
        (panels[0], LEG, "three bones .6, 1.4, 2"),
        (panels[1], tentacle, "twelve equal bones"),
    ):
        for x in (0.4, 1.2, 2.0, 2.8, 3.6, 3.96):
            for side, colour in ((1.0, COOL), (-1.0, WARM)):
                pose = solve(start, [x, 0.0], pole=[1.0, side]).joints
                chain_line(axes, pose, colour, alpha=0.35 + 0.15 * x)
        axes.plot([1.0], [1.0], "*", color=COOL, markersize=10)
        axes.plot([1.0], [-1.0], "*", color=WARM, markersize=10)
        axes.set_title(title, fontsize=9)
        axes.set_aspect("equal")
        axes.axis("off")
    save(figure, folder / "poles.png")


def draw_limits(folder: Path) -> None:
    """What cones of three sizes leave of a workspace, and nearest poses at their edge."""
    figure, panels = plt.subplots(1, 3, figsize=(9.0, 3.2), layout="constrained")
    start = np.stack([np.linspace(0.0, 4.0, 6), np.zeros(6)], axis=1)
    targets = grid(4.0, 81)
    for axes, cone in zip(panels, (15.0, 30.0, 60.0), strict=True):
        limits = [Limit.ball(radians(cone))] * 5
        error = over_grid(start, targets, limits=limits).error
        title = f"cones of {cone:.0f} degrees: tip error"
        shown = np.log10(np.maximum(error, 1e-3))
        image = show_map(axes, shown, title, (-3.0, 1.0))
        for target in ([-3.0, 2.5], [1.0, 3.0], [3.2, -1.0]):
            solution = solve(start, target, limits=limits, max_iterations=100)
            chain_line(axes, solution.joints, "#9be0d0")
            axes.plot([target[0]], [target[1]], "x", color="white")
    figure.colorbar(image, ax=panels, label="log10 of metres", shrink=0.8)
    save(figure, folder / "limits.png")


def draw_tree(folder: Path) -> None:
    """A human reaching with both hands and feet, and two targets that cannot both be met."""
    figure, panels = plt.subplots(1, 3, figsize=(9.0, 3.2), layout="constrained")
    reachable = {7: [0.55, 1.9], 10: [-0.3, 0.9], 13: [0.45, 0.1], 16: [-0.1, 0.0]}
    apart = {7: [1.5, 1.5], 10: [-1.5, 1.5], 13: [0.1, 0.0], 16: [-0.1, 0.0]}
    for axes, targets, weights, title in (
        (panels[0], reachable, None, "four ends at once"),
        (panels[1], apart, None, "too far apart"),
        (panels[2], apart, {7: 20.0}, "one hand counts 20 times"),
    ):
        pose = solve_tree(HUMAN, HUMAN_PARENTS, targets, weights=weights).joints
        for joints, colour in ((HUMAN, "#d5dae0"), (pose, INK)):
            for k, parent in enumerate(HUMAN_PARENTS):
                if parent >= 0:
                    chain_line(axes, joints[[parent, k]], colour)
        places = np.array(list(targets.values()))
        axes.plot(places[:, 0], places[:, 1], "x", color=WARM)
        axes.set_title(title, fontsize=9)
        axes.set_xlim(-1.7, 1.7)
        axes.set_aspect("equal")
        axes.axis("off")
    save(figure, folder / "tree.png")


def save(figure: Figure, path: Path) -> None:
    """Write a picture without the date and version that would change its bytes."""
    figure.savefig(path, dpi=80, metadata={"Software": None})
    plt.close(figure)


def main(arguments: list[str]) -> None:
    """Draw all pictures into the folder named on the command line."""
    folder = Path(arguments[0] if arguments else "docs/ik")
    folder.mkdir(parents=True, exist_ok=True)
    for draw in (draw_errors, draw_poles, draw_limits, draw_tree):
        draw(folder)


if __name__ == "__main__":
    main(sys.argv[1:])

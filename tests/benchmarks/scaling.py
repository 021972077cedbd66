"""What a creature of a herd costs, by the size of the herd.

`python -m tests.benchmarks.scaling docs/scaling.png` measures, prints a table with the
exponent, and draws it: minutes.
"""

import sys
from pathlib import Path
from time import process_time

import matplotlib as mpl
import numpy as np

from creature_sim.definitions import PlacementDef, WorldDef
from creature_sim.definitions.crowds import SPACING
from creature_sim.drivers import make_driver
from creature_sim.library.loader import load_world
from creature_sim.simulation import Simulation

COUNTS = (100, 300, 1000, 3000, 10_000)
WARM_TICKS = 130
CREATURE_TICKS = 60_000
"""Ticks times creatures that each herd is measured for..."""
TICKS = (24, 120)
"""...within these numbers of ticks: two of the fastest strides at least."""


def spread(count: int) -> WorldDef:
    """So many hexapods in a square on endless hills, always as far from one another."""
    side = int((count - 1) ** 0.5) + 1
    places = [divmod(index, side) for index in range(count)]
    herd = tuple(
        PlacementDef(
            creature="hexapod", position=(SPACING * (x - side / 2), SPACING * (y - side / 2))
        )
        for x, y in places
    )
    return load_world("endless").model_copy(update={"creatures": herd})


def cost(count: int) -> tuple[float, float]:
    """Processor time of a tick [ms], and rays of a creature, of a herd of so many hexapods."""
    world = spread(count)
    ticks = min(max(CREATURE_TICKS // count, TICKS[0]), TICKS[1])
    with Simulation(world) as simulation:
        given = make_driver(world, "forward 600")(simulation.snapshot)
        for _ in range(WARM_TICKS):
            simulation.step(given)
        rays, begin = simulation.physics.ray_count, process_time()
        for _ in range(ticks):
            simulation.step(given)
        spent = process_time() - begin
        rays = simulation.physics.ray_count - rays
    return 1e3 * spent / ticks, rays / ticks / count


def exponent(counts: tuple[int, ...], times: list[float]) -> float:
    """How a tick grows with the herd: the slope of a line through the logarithms of both."""
    return float(np.polyfit(np.log(counts), np.log(times), 1)[0])


def draw(times: list[float], path: Path) -> None:
    """A picture of the times [ms], on axes that are both logarithmic."""
    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(6.4, 3.6), dpi=100)
    axes.loglog(COUNTS, times, "o-", label=f"exponent {exponent(COUNTS, times):.2f}")
    each = times[0] / COUNTS[0]
    axes.loglog(COUNTS, [each * count for count in COUNTS], ":", label="exponent 1")
    axes.set_xlabel("hexapods on endless hills")
    axes.set_ylabel("processor time of a tick [ms]")
    axes.grid(visible=True, which="both", alpha=0.2)
    axes.legend()
    figure.tight_layout()
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, metadata={"Software": None})


def main() -> None:
    """Measure, print and draw."""
    print("| hexapods | tick | a creature | rays a creature |\n|---|---|---|---|", flush=True)
    times = []
    for count in COUNTS:
        spent, rays = cost(count)
        times.append(spent)
        each = 1e3 * spent / count
        print(f"| {count:,} | {spent:.1f} ms | {each:.1f} us | {rays:.1f} |", flush=True)
    print(f"\nexponent {exponent(COUNTS, times):.3f}")
    if len(sys.argv) > 1:
        draw(times, Path(sys.argv[1]))


if __name__ == "__main__":
    main()

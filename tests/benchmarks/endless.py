"""What endless ground costs over 10 km: `python -m tests.benchmarks.endless [KILOMETRES] [WORLD]`.

The world is `hills` or one with edges, `steps` or `stairs`, made endless. Prints a table, asserts
nothing. Ticks are measured in time of this thread, so that what else the machine does counts
little; beside every tenth, one of a walk on ground with a border is measured. Memory is compared
from when every slot for ground is in use and edged ground has moved to a fresh client.
"""

import sys
import time
from array import array
from pathlib import Path

import numpy as np

from creature_sim.drivers import make_driver
from creature_sim.inputs import Input
from creature_sim.maths import Floats
from creature_sim.simulation import Simulation
from tests.scenes import scene

PAGE = 4096
FIRST = 600
"""Ticks that are not counted."""


def memory() -> float:
    """Of this process [MB]."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1e6


def timed(simulation: Simulation, given: Input) -> float:
    """Microseconds of a tick."""
    start = time.thread_time()
    simulation.step(given)
    return 1e6 * (time.thread_time() - start)


def row(name: str, times: "array[float]") -> None:
    """One line of the table."""
    median, p99 = np.percentile(times[FIRST:], [50, 99]).tolist()
    share = 100.0 * (np.array(times[FIRST:]) > 3.0 * median).mean()
    worst = 1e-3 * max(times[FIRST:])
    print(f"| {name} | {median:.0f}, {p99:.0f} us; {share:.2f} %; {worst:.1f} ms |")


def main(kilometres: float, name: str) -> None:
    """Walk, and print the table."""
    bounded = scene(name, "hexapod")
    terrain = bounded.terrain.model_copy(update={"endless": True})
    world = scene(name, "hexapod", terrain=terrain)
    times, others = array("f"), array("f")
    with Simulation(world) as simulation, Simulation(bounded) as other:
        driver, wander = make_driver(world, "goto 60000,20000"), make_driver(bounded)
        used, way = 0.0, 0.0
        last: Floats = simulation.snapshot.creatures[0].position
        while way < 1e3 * kilometres:
            times.append(timed(simulation, driver(simulation.snapshot)))
            if simulation.tick % 10 == 0:
                others.append(timed(other, wander(other.snapshot)))
            if simulation.tick % 60 == 0:
                here = simulation.snapshot.creatures[0].position
                way, last = way + float(np.sqrt(((here - last) ** 2).sum())), here
            if not used and way > 1000.0:
                used = memory()
        print(f"| {way / 1e3:.2f} km, {simulation.tick} ticks | |\n|---|---|")
        row("tick: median, 99 % below; over 3 medians; longest", times)
        row("the same on ground with a border", others)
        print(f"| memory after 1 km, at the end | {used:.1f} MB, {memory():.1f} MB |")
        print(f"| digest | {simulation.digest} |")


if __name__ == "__main__":
    main(*(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0, *(sys.argv[2:] or ["hills"])))

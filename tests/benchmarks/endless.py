"""What endless ground costs over 10 km: `python -m tests.benchmarks.endless [KILOMETRES]`.

Prints a table, asserts nothing. Ticks are measured in time of this thread, so that what else the
machine does is not counted; memory from when every slot for ground is in use.
"""

import sys
import time
from array import array
from pathlib import Path

import numpy as np

from creature_sim.drivers import make_driver
from creature_sim.maths import Floats
from creature_sim.simulation import Simulation
from tests.scenes import scene

PAGE = 4096


def memory() -> float:
    """Of this process [MB]."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * PAGE / 1e6


def main(kilometres: float) -> None:
    """Walk, and print the table."""
    world = scene("endless", "hexapod")
    times = array("f")
    with Simulation(world) as simulation:
        driver = make_driver(world, "goto 60000,20000")
        begin, used, way = time.perf_counter(), 0.0, 0.0
        last: Floats = simulation.snapshot.creatures[0].position
        while way < 1e3 * kilometres:
            given = driver(simulation.snapshot)
            start = time.thread_time()
            simulation.step(given)
            times.append(1e6 * (time.thread_time() - start))
            if simulation.tick % 60 == 0:
                here = simulation.snapshot.creatures[0].position
                way, last = way + float(np.sqrt(((here - last) ** 2).sum())), here
            if not used and way > 300.0:
                used = memory()
        median, p99 = np.percentile(times[600:], [50, 99]).tolist()
        print("| what | |\n|---|---|")
        print(f"| walked | {way / 1e3:.2f} km, {simulation.tick} ticks |")
        print(f"| time | {time.perf_counter() - begin:.0f} s |")
        print(f"| tick median, p99, max | {median:.0f}, {p99:.0f}, {max(times[600:]):.0f} us |")
        print(f"| p99 over median | {p99 / median:.2f} |")
        print(f"| memory after 300 m, at the end | {used:.1f}, {memory():.1f} MB |")
        print(f"| digest | {simulation.digest} |")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 10.0)

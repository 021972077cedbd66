"""What a tick costs: `python -m tests.benchmarks.tick`. Prints a table, asserts nothing."""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from creature_sim.drivers import make_driver
from creature_sim.replay import Recorder
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from tests.scenes import CREATURES, herd, scene

TICKS = 1200


def timed(call: Callable[[], object], count: int = TICKS) -> list[float]:
    """Microseconds of every call."""
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        call()
        times.append(1e6 * (time.perf_counter() - begin))
    return times


def row(name: str, times: list[float], unit: str = "us") -> None:
    """One line of the table."""
    print(f"| {name} | {min(times):.0f} {unit} | {statistics.median(times):.0f} {unit} |")


def ticks(creature: str) -> None:
    """A step of one creature, inputs given."""
    world = scene("hills", creature)
    with Simulation(world) as simulation:
        drive = make_driver(world, "forward 60")
        given = drive(simulation.snapshot)
        row(f"step, one {creature}", timed(lambda: simulation.step(given)))


def recording() -> None:
    """Processor time of a session's tick, in all threads, without and with a recorder in turn.

    A recorder encodes a second of ticks at once, so seconds are compared: those below which a
    tenth of all are, as others share their processor with other programs.
    """
    world = scene("hills", "hexapod")
    found: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        for turn in range(6):
            ticks: list[float] = []
            for is_recorded in (False, True):
                with Simulation(world) as simulation:
                    path = Path(folder) / f"{turn}.mcap"
                    recorders = [Recorder(path, simulation)] if is_recorded else []
                    session = Session(simulation, make_driver(world), recorders)
                    seconds = []
                    for _ in range(TICKS // world.tick_rate):
                        begin = time.process_time()
                        for _ in range(world.tick_rate):
                            session.advance()
                        seconds.append(1e6 * (time.process_time() - begin) / world.tick_rate)
                    ticks.append(statistics.quantiles(seconds[1:], n=10)[0])  # first: none to write
                    for recorder in recorders:
                        recorder.close()
            found.append(ticks[1] - ticks[0])
    row("recording adds to the mean tick, processor time of all threads", found)


def herds() -> None:
    """A step of many creatures, per creature."""
    places = [(x - 15.5, y - 15.5) for x in range(32) for y in range(32)]
    world = herd("hills", "hexapod", places[:1000])
    with Simulation(world) as simulation:
        given = make_driver(world, "forward 60")(simulation.snapshot)
        times = timed(lambda: simulation.step(given), 100)
        row("step, per hexapod in a herd of 1,000", [value / 1000 for value in times])


def starts() -> None:
    """Whole commands, kernels in the cache."""
    for name, words in (
        ("`--help`", ["--help"]),
        ("the command `run`, to its first tick and out", ["run", "--headless", "--ticks", "1"]),
    ):
        command = [sys.executable, "-m", "creature_sim.cli", *words]
        times = timed(lambda: subprocess.run(command, capture_output=True, check=True), 5)  # noqa: B023 - run at once
        row(name, [value / 1000 for value in times], "ms")


def main() -> None:
    """Print the table."""
    print("| what | min | median |\n|---|---|---|")
    for creature in CREATURES:
        ticks(creature)
    recording()
    herds()
    starts()


if __name__ == "__main__":
    main()

"""What a tick costs: `python -m tests.benchmarks.tick`. Prints a table, asserts nothing."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from creature_sim.definitions import WorldDef
from creature_sim.definitions.crowds import SPACING
from creature_sim.drivers import make_driver
from creature_sim.replay import Recorder
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from tests.scenes import CREATURES, herd, scene

TICKS = 1200
TURNS = 60


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
    """What a recorder adds to a session's tick: processor time of all threads, and of its own.

    A recorder encodes a second of ticks at once, so seconds are compared: without and with it in
    turn, those below which a tenth of all are, and the medians.
    """
    world = scene("hills", "hexapod")
    found: list[list[tuple[float, float]]] = [[], []]
    with (
        tempfile.TemporaryDirectory() as folder,
        Simulation(world) as plain,
        Simulation(world) as recorded,
        Recorder(Path(folder) / "walk.mcap", recorded) as recorder,
    ):
        drive = make_driver(world)
        sessions = Session(plain, drive), Session(recorded, make_driver(world), [recorder])
        for _ in range(TURNS):
            for times, session in zip(found, sessions, strict=True):
                times.append(_second(session))
    for kind, name in enumerate(("processor time of all threads", "of the thread that ticks")):
        without, with_it = ([each[kind] for each in times[1:]] for times in found)
        low, middle = (
            statistics.quantiles(with_it, n=10)[at] - statistics.quantiles(without, n=10)[at]
            for at in (0, 4)
        )
        print(f"| recording adds to the mean tick, {name} | {low:.0f} us | {middle:.0f} us |")


def _second(session: Session) -> tuple[float, float]:
    """Processor time of the mean tick of a second, of all threads and of this one [us]."""
    ticks = session.simulation.world.tick_rate
    whole, own = time.process_time(), time.thread_time()
    for _ in range(ticks):
        session.advance()
    own = time.thread_time() - own
    time.sleep(0.02)  # until the recorder's thread has written what is due
    whole = time.process_time() - whole
    return 1e6 * whole / ticks, 1e6 * own / ticks


def herds() -> None:
    """A step of many creatures, and what their drivers take, per creature."""
    for apart, name in ((SPACING, ""), (1.0, ", 1 m apart")):
        world = crowd(1000, apart)
        with Simulation(world) as simulation:
            given = make_driver(world, "forward 60")(simulation.snapshot)
            times = timed(lambda: simulation.step(given), 100)  # noqa: B023 - called at once
            row(f"step, per hexapod in a herd of 1,000{name}", [value / 1000 for value in times])
    world = crowd(1000, SPACING)
    with Simulation(world) as simulation:
        for name, drive in (("wander", "wander"), ("go to a point", "goto 0,0")):
            driver = make_driver(world, drive)
            times = timed(lambda: driver(simulation.snapshot), 20)  # noqa: B023 - called at once
            row(f"driver, per hexapod of 1,000 that {name}", [value / 1000 for value in times])
    world = crowd(200, SPACING)
    alone = [each.model_copy(update={"alone": True}) for each in world.creatures]
    lonely = world.model_copy(update={"creatures": tuple(alone)})
    with Simulation(lonely) as simulation:
        given = make_driver(lonely, "forward 60")(simulation.snapshot)
        times = timed(lambda: simulation.step(given), 100)
        row("step, per hexapod of 200 that are herds of one", [value / 200 for value in times])


def crowd(count: int, apart: float) -> WorldDef:
    """Hexapods in a square on hills, so far apart [m]."""
    side = int((count - 1) ** 0.5) + 1
    places = [divmod(index, side) for index in range(count)]
    middle = 0.5 * (side - 1)
    return herd(
        "hills", "hexapod", [(apart * (x - middle), apart * (y - middle)) for x, y in places]
    )


def starts() -> None:
    """Processor time of whole commands, kernels in the cache."""
    for name, words in (
        ("`--help`", ["--help"]),
        ("the command `run`, to its first tick and out", ["run", "--headless", "--ticks", "1"]),
    ):
        command = [sys.executable, "-m", "creature_sim.cli", *words]
        row(f"{name}, processor time", [_used(command) for _ in range(5)], "ms")


def _used(command: list[str]) -> float:
    """Processor time of a command [ms]."""
    begin = os.times()
    subprocess.run(command, capture_output=True, check=True)
    end = os.times()
    times = end.children_user - begin.children_user, end.children_system - begin.children_system
    return 1e3 * sum(times)


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

"""What a tick costs by system, and what rays and legs of it cost at least."""

import ctypes
from collections.abc import Callable, Sequence
from statistics import fmean, median
from time import perf_counter
from typing import Any

import esper
import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import WorldDef
from creature_sim.definitions.crowds import crowd_of
from creature_sim.drivers import make_driver
from creature_sim.inputs import Input
from creature_sim.lab.bench.plain_c import MissingError, plain_c, pointer
from creature_sim.maths import Floats
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot

COUNTS = (1, 100, 1000)
"""Creatures of the herds that are measured."""
CREATURE_TICKS = 30_000
"""Ticks times creatures that a herd is measured for..."""
TICKS = (40, 1200)
"""...within these numbers of ticks."""
WARM_TICKS = 60
"""Before it is measured: all feet walk, and all that is looked up once is there."""
SAMPLES = 12
"""Ticks whose rays and legs are computed once more."""
TOLERANCE = 1e-4
"""Of plain C, as a fraction of the bones' length; ours is a hundred thousandth of it."""
PASSES = 100
"""Of plain C, at most."""

Batch = tuple[Floats, Floats]
"""Starts and ends of rays."""


def bench_tick(
    world: WorldDef,
    counts: Sequence[int],
    progress: Callable[[int], None] = lambda _: None,
) -> dict[str, Any]:
    """Ticks of herds of `counts` creatures that walk ahead, inputs given.

    The floor is what rays and legs cost by themselves: the rays of a tick in bare batches, whose
    answers nobody reads, and plain FABRIK in C for all legs from one pose to the next, without
    poles and limits.

    Args:
        world: its first creature, multiplied, on its ground.
        counts: how many creatures a herd has.
        progress: called with the number of herds measured.

    Returns:
        for each herd times and the floor; numbers of systems are microseconds a creature.
    """
    try:
        plain_c()
        missing = None
    except MissingError as error:
        missing = str(error)
    found = []
    for done, count in enumerate(counts):
        found.append(_herd(crowd_of(world, count), has_c=missing is None))
        progress(done + 1)
    return {
        "world": world.name,
        "creature": world.creatures[0].creature,
        "missing": missing,
        "herds": found,
    }


def _herd(world: WorldDef, *, has_c: bool) -> dict[str, Any]:
    count = len(world.creatures)
    ticks = min(max(CREATURE_TICKS // count, TICKS[0]), TICKS[1])
    with Simulation(world) as simulation:
        given = make_driver(world, "forward 600")(simulation.snapshot)
        for _ in range(WARM_TICKS):
            simulation.step(given)
        begin_rays = simulation.physics.ray_count
        times = [_timed(lambda: simulation.step(given)) for _ in range(ticks)]
        rays = (simulation.physics.ray_count - begin_rays) / ticks
        systems = _by_system(simulation, given, ticks)
        bare, legs = _floor(simulation, given, has_c=has_c)
    whole = median(times)  # means tell of what else the machine did: one stall trebles some
    return {
        "creatures": count,
        "ticks": ticks,
        "mean_ms": round(1e3 * fmean(times), 4),
        "median_ms": round(1e3 * whole, 4),
        "p99_ms": round(1e3 * float(np.percentile(times, 99)), 4),
        "us_per_creature": round(1e6 * whole / count, 2),
        "rays": round(rays / count, 2),
        "systems": {name: round(1e6 * spent / count, 3) for name, spent in systems.items()},
        "floor_rays": round(1e6 * bare / count, 2),
        "floor_legs": None if legs is None else round(1e6 * legs / count, 2),
        "ratio": None if legs is None else round(whole / (bare + legs), 2),
    }


def _timed(call: Callable[[], object]) -> float:
    begin = perf_counter()
    call()
    return perf_counter() - begin


def _by_system(simulation: Simulation, given: Input, ticks: int) -> dict[str, float]:
    """Median time of each system, the slowest first, and of what is between them [s]."""
    spent: dict[str, list[float]] = {}

    def watch(system: esper.Processor) -> None:
        process = system.process

        def timed(dt: float) -> None:
            spent[name].append(_timed(lambda: process(dt)))

        name = type(system).__name__
        spent[name] = []
        system.process = timed  # type: ignore[method-assign]

    with simulation.context():
        kinds = [esper.get_processor(kind) for kind in simulation.systems]
    systems = [system for system in kinds if system is not None]
    for system in systems:
        watch(system)
    outside = []
    for _ in range(ticks):
        whole = _timed(lambda: simulation.step(given))
        outside.append(whole - sum(times[-1] for times in spent.values()))
    for system in systems:
        del system.process
    found = {name: median(times) for name, times in (*spent.items(), ("outside", outside))}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _floor(simulation: Simulation, given: Input, *, has_c: bool) -> tuple[float, float | None]:
    """Median times of the rays of a tick, and of its legs where there is plain C [s]."""
    physics, cast = simulation.physics, simulation.physics.cast
    batches: list[Batch] = []

    def kept(
        starts: Floats, ends: Floats, is_once: NDArray[np.bool_] | None = None
    ) -> tuple[Floats, Floats]:
        batches.append((starts.copy(), ends.copy()))
        return cast(starts, ends, is_once)

    physics.cast = kept  # type: ignore[method-assign]
    bare, legs = list[float](), list[float]()
    for _ in range(SAMPLES):
        before = simulation.snapshot
        batches.clear()
        simulation.step(given)
        bare.append(sum(_timed(lambda: physics.cast_bare(*batch)) for batch in batches))  # noqa: B023 - run at once
        if has_c:
            legs.append(_legs(before, simulation.snapshot))
    del physics.cast
    return median(bare), median(legs) if has_c else None


def _legs(before: Snapshot, after: Snapshot) -> float:
    """Time in which plain C moves all legs from one pose to the tips of the next [s]."""
    spent = 0.0
    for old, new in zip(before.herds, after.herds, strict=True):
        joints, ahead = (herd.parts["leg_chain"]["joints"] for herd in (old, new))
        bone_counts = old.plan.legs["bone_count"]
        for bones in sorted(set(bone_counts.tolist())):
            mine = bone_counts == bones
            start = joints[:, mine, : bones + 1].reshape(-1, bones + 1, 3)
            end = ahead[:, mine, : bones + 1].reshape(-1, bones + 1, 3)
            start = np.ascontiguousarray(start + (end[:, :1] - start[:, :1]))
            lengths = np.linalg.norm(np.diff(start, axis=1), axis=2)
            targets = np.ascontiguousarray(end[:, -1])
            tolerance = ctypes.c_double(TOLERANCE * float(lengths.sum(axis=1).min()))
            solve = (
                pointer(start), pointer(lengths), bones, pointer(targets), len(start),
                tolerance, PASSES,
            )  # fmt: skip
            spent += _timed(lambda: plain_c().solve_all(*solve))  # noqa: B023 - run at once
    return spent

"""How well climbers do where nobody leads them, as a table in Markdown.

`python -m tests.tools.wanders` lets ant, hexapod and spider8 wander for five minutes in `room`, in
a corridor as high as a body, and in a cage of bars .3 of a leg apart. `--kind sticks` moves them by
random sticks instead. `--creatures`, `--places`, `--seeds`, `--first` and `--seconds` pick others.
Each metric of FAILS that fails is named with its walk.
"""

import argparse
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from math import pi
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np

from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.drivers import make_driver
from creature_sim.lab.difficulty import ground
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.score import Metric
from creature_sim.session import Session
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.spawn.plans import plan_of
from creature_sim.terrain import GroundDef, read_ground
from tests.tools.scoring import measured
from tests.tools.sticks import sticks

PLACES = ("room", "corridor", "cage")
FAILS = ("M1", "M3", "M4", "M5", "M6", "M16", "M22")
SHOWN = ("M35", "M44", "M36", "M33", "M27", "M5")
PITCH = 0.3
"""Between the bars of a cage..."""
SIDE, HEIGHT = 12.0, 4.5
"""...which is so long and wide, and so high; all in reaches of a leg."""
COLUMNS = (
    "",
    "walks",
    "falls",
    "all six surfaces",
    "stops of more than a second",
    "got nowhere for (M44): mean; worst walk",
    "unasked reversals of yaw (M36) [1/s]",
    "fastest turn in a tick",
    "ticks with a bone in the ground (M27)",
    "body in it (M5)",
    "rays per leg and tick",
)


class Walked(NamedTuple):
    """Metrics of a walk, and rays per leg and tick."""

    metrics: dict[str, Metric]
    rays: float


def cage(reach: float) -> GroundDef:
    """A cage on a floor: walls and a roof of bars, along and across."""
    pitch, side, height = PITCH * reach, SIDE * reach, HEIGHT * reach
    half, columns, rows = 0.5 * side, round(SIDE / PITCH), round(HEIGHT / PITCH)
    bar = {"shape": "cylinder", "radius": 0.024 * reach, "sides": 12}
    stand = {**bar, "length": height, "count": columns + 1}
    lie = {**bar, "length": side, "count": rows, "step": (0.0, 0.0, pitch)}
    cover = {**bar, "length": side, "count": columns + 1}
    along_x, along_y = {"rotation": (0.0, 0.5 * pi, 0.0)}, {"rotation": (0.5 * pi, 0.0, 0.0)}
    solids: list[dict[str, object]] = [
        {**cover, **along_x, "position": (0.0, -half, height), "step": (0.0, pitch, 0.0)},
        {**cover, **along_y, "position": (-half, 0.0, height), "step": (pitch, 0.0, 0.0)},
    ]
    for off in (-half, half):
        solids += [
            {**stand, "position": (off, -half, 0.5 * height), "step": (0.0, pitch, 0.0)},
            {**stand, "position": (-half, off, 0.5 * height), "step": (pitch, 0.0, 0.0)},
            {**lie, **along_y, "position": (off, 0.0, pitch)},
            {**lie, **along_x, "position": (0.0, off, pitch)},
        ]
    return read_ground({"kind": "solids", "solids": solids})


def world_of(place: str, creature: CreatureDef, seed: int) -> WorldDef:
    """One of PLACES, or a built-in world, with a climber."""
    reach = float(plan_of(creature).legs["reach"].max())
    made = {
        "corridor": lambda: ground("corridor", 0.5, reach, 1.5, 60.0, climbs=True),
        "cage": lambda: cage(reach),
    }
    world = with_creature(load_world("meadow" if place in made else place), creature)
    start = world.creatures[0]
    if place == "cage":  # on the floor, not on the roof
        start = start.model_copy(update={"up": (0.0, 0.0, 1.0), "height": reach})
    terrain = made[place]() if place in made else world.terrain
    return world.model_copy(update={"terrain": terrain, "seed": seed, "creatures": (start,)})


def walk(place: str, creature: str, kind: str, seed: int, seconds: int) -> Walked:
    """Let a creature climb, as it likes or by random sticks."""
    world = world_of(place, load_creature(creature).climbing, seed)
    ticks, rays = seconds * world.tick_rate, 0

    def states() -> Iterator[Snapshot]:
        nonlocal rays
        with Simulation(world) as simulation:
            yield simulation.snapshot
            if kind == "wander":
                session = Session(simulation, make_driver(world, "wander"))
                for _ in range(ticks):
                    yield session.advance()
            else:
                for given in islice(sticks("held", seed), ticks):
                    simulation.step(given)
                    yield simulation.snapshot
            rays = simulation.physics.ray_count

    metrics, track = measured(world, states())
    return Walked(metrics, rays / (ticks * track.tips.shape[1]))


def row_of(place: str, creature: str, walks: list[Walked]) -> str:
    """The line of a table for some walks."""
    found = [each.metrics for each in walks]
    values = np.array([[metrics[key].value or 0.0 for key in SHOWN] for metrics in found])
    stops, nowhere, yaws, turns, bones, deep = values.T
    cells = (
        f"`{place}`, `{creature}`",
        len(walks),
        sum(metrics["M16"].reason.startswith("fell") for metrics in found),
        sum(metrics["M37"].value == 1.0 for metrics in found) if place == "room" else "",
        f"{(stops > 1.0).sum()}, up to {stops.max():.1f} s",
        f"{nowhere.mean():.1f} s; {nowhere.max():.0f} s",
        f"{yaws.max():.1f}",
        f"{turns.max():.1f} degrees",
        f"{100 * bones.mean():.0f} %",
        f"{100 * deep.mean():.2f} %",
        f"{np.mean([each.rays for each in walks]):.1f}",
    )
    return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--creatures", default="ant,hexapod,spider8")
    parser.add_argument("--places", default=",".join(PLACES))
    parser.add_argument("--kind", default="wander", choices=("wander", "sticks"))
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--workers", type=int)
    asked = parser.parse_args()
    seeds = range(asked.first, asked.first + asked.seeds)
    found = defaultdict(list)
    with ProcessPoolExecutor(asked.workers, mp_context=get_context("spawn")) as pool:
        jobs = {
            (place, name, seed): pool.submit(walk, place, name, asked.kind, seed, asked.seconds)
            for place in asked.places.split(",")
            for name in asked.creatures.split(",")
            for seed in seeds
        }
        for (place, name, seed), job in jobs.items():
            walked = job.result()
            found[place, name].append(walked)
            for key in FAILS:
                if walked.metrics[key].verdict == "fail":
                    reason = walked.metrics[key].reason
                    print(f"{place}, {name}, seed {seed}: {key}, {reason}", flush=True)
    print(f"\n| {' | '.join(COLUMNS)} |\n{'|---' * len(COLUMNS)}|")
    for (place, name), walks in found.items():
        print(row_of(place, name, walks))


if __name__ == "__main__":
    main()

"""How well twins walk, as the table of docs/twins.md: falls, speed, feet that miss and slip.

`python -m tests.tools.twins` wanders with every creature for a minute on each ground and seed, and
writes the table; it takes an hour of one core. `--creatures`, `--grounds` pick some, separated by
commas, `--seeds` says how many and `--seconds` how long: then it only prints.
"""

import argparse
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from creature_sim.components import LOST, STANDING
from creature_sim.definitions import CreatureDef, PlacementDef, WorldDef
from creature_sim.lab.course import Course
from creature_sim.lab.difficulty import ground
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_twins
from creature_sim.maths import Floats
from creature_sim.simulation import Simulation
from tests.tools.robots import made

PAGE = Path(__file__).parents[2] / "docs" / "twins.md"
BEGIN, END = "<!-- twins -->\n", "<!-- end of twins -->\n"
CREATURES = ("hexapod", "ant", "spider8", "crab", "centipede", "spider4", "a1", "biped")
GROUNDS = ("level", "hills", "stairs")
DIFFICULTY, EXTENT = 0.25, 24.0
SECONDS, SEEDS = 60, 3
HEAD = ("", "ground", "falls", "first fall", "speed", "tips", "slip", "slip, 95 %")


class Found(NamedTuple):
    """A walk of a twin.

    Attributes:
        falls: how many.
        first: seconds until the first of them, or until the end.
        speed: way until then over that of the same creature without forces.
        tips: distance of standing tips from where the walk has them, RMS / L.
        slips: (M,) how far each foot slid in each of its stances / L.
    """

    falls: int
    first: float
    speed: float
    tips: float
    slips: Floats


def creature_of(name: str) -> CreatureDef:
    """A built-in creature, or the A1 of pybullet's data."""
    if name != "a1":
        return load_creature(name)
    with TemporaryDirectory() as folder:
        found = made("pybullet_data/a1/a1.urdf", Path(folder))
    assert not isinstance(found, str), found
    return found[1].model_copy(update={"model": None})


def world_of(creature: CreatureDef, kind: str, seed: int) -> WorldDef:
    """A world of one creature that wanders."""
    course = Course.of(creature)
    terrain = (
        load_world("arm").terrain
        if kind == "level"
        else ground(kind, DIFFICULTY, course.reach, course.clearing, EXTENT)
    )
    return WorldDef(
        name=f"{kind}-{seed}",
        seed=seed,
        driver="wander",
        terrain=terrain,
        creatures=(PlacementDef(creature=creature.name),),
        species={creature.name: creature},
    )


def walked(walk: tuple[str, str, int, int]) -> Found:
    """What a creature does on a ground with a seed, for some seconds."""
    name, kind, seed, seconds = walk
    creature = creature_of(name)
    reach = np.array([leg.reach for leg in creature.all_legs])
    world = world_of(creature, kind, seed)
    ticks = seconds * world.tick_rate
    free = np.empty((ticks + 1, 2))
    with Simulation(world) as simulation:
        for tick in range(ticks + 1):
            free[tick] = simulation.snapshot.creatures[0].body.position[:2]
            if tick < ticks:
                simulation.step()
    own = np.empty((ticks + 1, 2))
    errors, slips, sliding = [], [], np.zeros(len(reach))
    first, falls = ticks, 0
    old_tips, old_on = np.zeros((len(reach), 3)), np.zeros(len(reach), np.bool_)
    with Simulation(with_twins(world)) as simulation:
        for tick in range(ticks + 1):
            state = simulation.snapshot.creatures[0]
            own[tick] = state.body.position[:2]
            parts = state.herd.parts
            twin, feet = parts["twin"], parts["foot_target"]["records"][0]
            tips = twin["tips"][0].copy()
            count = int(twin["records"][0]["fall_count"])
            if count > falls:
                first, falls = min(first, tick), count
            is_down = bool(twin["records"][0]["stage"]) or bool(parts["gait"]["records"][0]["rest"])
            stands = (feet["phase"] == STANDING) & (feet["phase"] != LOST)
            on = stands & (np.linalg.norm(twin["forces"][0], axis=1) > 0.0)
            if not is_down:
                away = np.linalg.norm(tips - feet["position"], axis=1) / reach
                errors.extend((away[stands] ** 2).tolist())
                both = on & old_on
                moved, normals = tips - old_tips, feet["goal_normal"]
                moved -= (moved * normals).sum(axis=1)[:, None] * normals
                sliding[both] += np.linalg.norm(moved, axis=1)[both]
                ended = ~stands & (sliding > 0.0)
                slips.extend((sliding / reach)[ended].tolist())
                sliding[~stands] = 0.0
            else:
                sliding[:] = 0.0
            old_tips, old_on = tips, on
            if tick < ticks:
                simulation.step()
    speed = way(own[: first + 1]) / max(way(free[: first + 1]), 1e-9)
    tips_rms = float(np.sqrt(np.mean(errors))) if errors else 0.0
    return Found(falls, first / world.tick_rate, speed, tips_rms, np.array(slips))


def way(places: Floats) -> float:
    """Length of a path (T, 2) [m]."""
    return float(np.linalg.norm(np.diff(places, axis=0), axis=1).sum())


def row(name: str, kind: str, found: Iterable[Found]) -> str:
    """A row of the table: falls add up, the worst of all else."""
    walks = list(found)
    fell = [one.first for one in walks if one.falls]
    slips = np.concatenate([one.slips for one in walks])
    cells = (
        name,
        kind,
        f"{sum(one.falls for one in walks)} in {len(fell)} of {len(walks)}",
        f"{np.mean(fell):.0f} s" if fell else "",
        f"{min(one.speed for one in walks):.2f} to {max(one.speed for one in walks):.2f}",
        f"{100.0 * max(one.tips for one in walks):.1f}",
        f"{100.0 * slips.mean():.1f}" if len(slips) else "",
        f"{100.0 * np.percentile(slips, 95.0):.1f}" if len(slips) else "",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Walk, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--creatures", default=",".join(CREATURES))
    parser.add_argument("--grounds", default=",".join(GROUNDS))
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--seconds", type=int, default=SECONDS)
    parser.add_argument("--workers", type=int)
    asked = parser.parse_args()
    rows = list(product(asked.creatures.split(","), asked.grounds.split(",")))
    walks = [(*one, seed, asked.seconds) for one in rows for seed in range(asked.seeds)]
    lines = [f"| {' | '.join(HEAD)} |", f"|{' --- |' * len(HEAD)}"]
    print(*lines, sep="\n")
    with ProcessPoolExecutor(asked.workers, mp_context=get_context("spawn")) as pool:
        results = pool.map(walked, walks)
        for name, kind in rows:
            found = [next(results) for _ in range(asked.seeds)]
            lines.append(row(name, kind, found))
            print(lines[-1], flush=True)
    whole = [name for name, _ in rows] == [name for name in CREATURES for _ in GROUNDS]
    if whole and (asked.seeds, asked.seconds) == (SEEDS, SECONDS):
        head, rest = PAGE.read_text().split(BEGIN)
        PAGE.write_text(head + BEGIN + "\n".join(lines) + "\n" + END + rest.split(END)[1])


if __name__ == "__main__":
    main()

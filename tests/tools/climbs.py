"""How often courses that leave the floor are crossed, over many seeds, as a table in Markdown.

`python -m tests.tools.climbs` sends ant, hexapod and spider8 over all of them at difficulty 0.5;
`--creatures`, `--courses`, `--seeds`, `--first` and `--difficulty` pick others. A course is crossed
if the trial says so and M1 and M22 do not fail, which trials do not ask for. Besides the table it
prints each trial that was not crossed with its cause, and of each course the means of M34 (corner
speed) and M21 (rays per leg and tick) and the largest M33 (turn of up) and M44 (getting on).
"""

import argparse
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import NamedTuple

import numpy as np

from creature_sim.lab.climbs import CLIMBS
from creature_sim.lab.course import Trial
from creature_sim.lab.run import run_trial
from creature_sim.library.loader import load_creature

ALSO = ("M1", "M22")
"""Metrics that may not fail, beside those that a trial asks for."""
SHOWN = ("M33", "M34", "M21", "M44")


class Crossing(NamedTuple):
    """What came of a trial: why it failed, or nothing, and the values of SHOWN."""

    cause: str
    values: tuple[float, ...]


def cross(creature: str, course: str, difficulty: float, seed: int) -> Crossing:
    """Send a creature that climbs over a course."""
    trial = Trial(course, difficulty, seed)
    outcome = run_trial(load_creature(creature).climbing, trial, also=ALSO)
    failed = [key for key in ALSO if outcome.metrics[key].verdict == "fail"]
    found = (outcome.metrics[key].value for key in SHOWN)
    values = tuple(np.nan if value is None else value for value in found)
    return Crossing(", ".join(filter(None, [outcome.cause, *failed])), values)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--creatures", default="ant,hexapod,spider8")
    parser.add_argument("--courses", default=",".join(CLIMBS))
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--difficulty", type=float, default=0.5)
    parser.add_argument("--workers", type=int)
    asked = parser.parse_args()
    creatures, courses = asked.creatures.split(","), asked.courses.split(",")
    seeds = range(asked.first, asked.first + asked.seeds)
    found = defaultdict(list)
    with ProcessPoolExecutor(asked.workers, mp_context=get_context("spawn")) as pool:
        jobs = {
            (course, creature, seed): pool.submit(cross, creature, course, asked.difficulty, seed)
            for course in courses
            for creature in creatures
            for seed in seeds
        }
        for (course, creature, seed), job in jobs.items():
            crossing = job.result()
            found[course, creature].append(crossing)
            if crossing.cause:
                print(f"{course}, {creature}, seed {seed}: {crossing.cause}", flush=True)
    print("\n| course |" + "".join(f" `{name}` |" for name in creatures))
    print("|---|" + "---|" * len(creatures))
    for course in courses:
        counts = (sum(not each.cause for each in found[course, name]) for name in creatures)
        print(f"| `{course}` |" + "".join(f" {count} of {len(seeds)} |" for count in counts))
    for course in courses:
        for name in creatures:
            turn, speed, rays, time = np.array([each.values for each in found[course, name]]).T
            print(
                f"{course}, {name}: M33 at most {np.nanmax(turn):.2f} degrees, "
                f"M34 {np.nanmean(speed) if np.isfinite(speed).any() else np.nan:.2f}, "
                f"M21 {rays.mean():.2f}, M44 at most {np.nanmax(time):.1f} s"
            )


if __name__ == "__main__":
    main()

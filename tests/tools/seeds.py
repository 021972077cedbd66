"""Metrics of walks over many seeds: whether a change makes walks better, or only other ones.

`python -m tests.tools.seeds OUT.json` walks every built-in creature on four worlds over three
seeds and writes the verdicts of all metrics; `--against BASE.json` prints what fails in one of the
two and not in the other. The ends of walks are chaotic: a change of nothing but the last bits moves
a few metrics of a hundred walks either way, so a single walk says nothing.

`--creatures`, `--worlds` and `--kinds` pick some, separated by commas; kinds are `wander` and the
violent ones of `tests.scenes`.
"""

import argparse
import json
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from pathlib import Path

from creature_sim.library.loader import builtin_names
from tests.tools.scores import scored

Verdicts = dict[str, str]


def verdicts(walk: tuple[str, str, int, str, int]) -> Verdicts:
    """The verdicts of a walk, by metric."""
    return {number: metric.verdict for number, metric in scored(*walk).items()}


def fails(found: Verdicts) -> str:
    """The metrics that fail, as text."""
    return " ".join(number for number, verdict in found.items() if verdict == "fail") or "nothing"


def total(walks: Mapping[str, Verdicts], names: list[str]) -> str:
    """How many metrics of some walks are excellent, pass and fail, as text."""
    counts = Counter(verdict for name in names for verdict in walks[name].values())
    judged = ", ".join(f"{counts[verdict]} {verdict}" for verdict in ("excellent", "pass", "fail"))
    clean = sum(fails(walks[name]) == "nothing" for name in names)
    return f"{clean} of {len(names)} walks fail nothing; metrics: {judged}"


def main() -> None:
    """Walk, and compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--creatures", default=",".join(builtin_names("creature")))
    parser.add_argument("--worlds", default="hills,stairs,steps,proving_ground")
    parser.add_argument("--kinds", default="wander")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--workers", type=int)
    asked = parser.parse_args()
    walks = [
        (world, creature, asked.seconds, kind, seed)
        for world, creature, kind, seed in product(
            asked.worlds.split(","),
            asked.creatures.split(","),
            asked.kinds.split(","),
            range(asked.seeds),
        )
    ]
    with ProcessPoolExecutor(asked.workers, mp_context=get_context("spawn")) as pool:
        names = [" ".join(map(str, walk)) for walk in walks]
        found = dict(zip(names, pool.map(verdicts, walks), strict=True))
    asked.output.write_text(json.dumps(found))
    base = json.loads(asked.against.read_text()) if asked.against else found
    names = [name for name in found if name in base]
    for name in names:
        if asked.against is None and fails(found[name]) != "nothing":
            print(f"{name}: {fails(found[name])}")
        elif fails(found[name]) != fails(base[name]):
            print(f"{name}: {fails(base[name])} -> {fails(found[name])}")
    if asked.against:
        print(f"{asked.against}: {total(base, names)}")
    print(f"{asked.output}: {total(found, names)}")


if __name__ == "__main__":
    main()

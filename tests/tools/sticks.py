"""What fails where sticks are held for seconds, or thrown about at every tick.

`python -m tests.tools.sticks` walks every built-in creature over every built-in world and prints
the metrics that fail, with their reasons:

- `held`: one random position of all sticks for 2 to 6 s, then another one;
- `noise`: another random position of all four axes at every tick.

`--creatures`, `--worlds` and `--kinds` pick some, separated by commas; `--seeds 5` walks each more
often.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice, product
from multiprocessing import get_context

import numpy as np

from creature_sim.inputs import Input
from creature_sim.library.loader import builtin_names
from creature_sim.score import Metric
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from tests.scenes import RIGS, scene
from tests.tools.scoring import measured

KINDS = ("held", "noise")


def sticks(kind: str, seed: int) -> Iterator[Input]:
    """Inputs at 60 Hz, to no end."""
    rng = np.random.default_rng(seed)
    while True:
        # Half of the axes are let go: people seldom push all of them.
        axes = rng.uniform(-1.0, 1.0, 4) * (rng.random(4) < 0.5 if kind == "held" else 1.0)
        for _ in range(int(rng.integers(120, 360)) if kind == "held" else 1):
            yield Input.of([axes.tolist()])


def scored(world: str, creature: str, kind: str, seed: int, seconds: int) -> dict[str, Metric]:
    """Metrics of a walk under such sticks."""
    made = scene(world, creature)

    def states() -> Iterator[Snapshot]:
        with Simulation(made) as simulation:
            yield simulation.snapshot
            for given in islice(sticks(kind, seed), seconds * made.tick_rate):
                simulation.step(given)
                yield simulation.snapshot

    return measured(made, states())[0]


def _scored(case: tuple[str, str, str, int, int]) -> dict[str, Metric]:
    return scored(*case)


def main() -> None:
    """Print what fails, and how often each metric does."""
    parser = argparse.ArgumentParser(description=__doc__)
    worlds = [name for name in builtin_names("world") if name not in RIGS]
    parser.add_argument("--creatures", default=",".join(builtin_names("creature")))
    parser.add_argument("--worlds", default=",".join(worlds))
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--workers", type=int)
    asked = parser.parse_args()
    lists = (asked.worlds.split(","), asked.creatures.split(","), asked.kinds.split(","))
    cases = [(*case, asked.seconds) for case in product(*lists, range(asked.seeds))]
    failed: Counter[tuple[str, str]] = Counter()
    clean = 0
    with ProcessPoolExecutor(asked.workers, mp_context=get_context("spawn")) as pool:
        for case, metrics in zip(cases, pool.map(_scored, cases), strict=True):
            fails = [(key, found) for key, found in metrics.items() if found.verdict == "fail"]
            clean += not fails
            for key, found in fails:
                failed[case[2], key] += 1
                print(*case[:4], key, f"{found.value:.4g}", found.reason, flush=True)
    print(f"{clean} of {len(cases)} walks fail nothing")
    for (kind, key), times in sorted(failed.items()):
        print(f"{kind}: {key} fails in {times}")


if __name__ == "__main__":
    main()

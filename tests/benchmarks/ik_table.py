"""Print the benchmark table of docs/ik.md: `python -m tests.benchmarks.ik_table`.

Everything alternates in one run, and medians are printed: compare within the table only.
"""

import ctypes
from functools import partial
from statistics import median
from time import perf_counter

import numpy as np

from creature_sim.ik import solve_batch, solve_chain, solve_path
from tests.benchmarks.ik_peers import (
    Missing,
    c_path,
    ikpy_path,
    plain_c,
    pointer,
    pybullet_path,
    pyfabrik_path,
)
from tests.ik_scenes import LEG, chain, directions, spline_targets

ROUNDS = 21

VECTORS = (
    "-O3",
    "-march=native",
    "-mprefer-vector-width=512",
    "-fno-math-errno",  # or sqrt is a call
    "-fno-trapping-math",  # or a choice between lanes is a branch
)
"""Flags that let C use the machine's vectors, and still no fast-math."""


def alternated(runs, rounds=ROUNDS):
    """Median seconds of each of some functions, run in turns."""
    for run in runs.values():
        run()
    times: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, run in runs.items():
            begin = perf_counter()
            run()
            times[name].append(perf_counter() - begin)
    return {name: median(taken) for name, taken in times.items()}


def kernel_calls(lengths, rows, tolerance):
    """One kernel call from Python for each target."""

    def run():
        joints = chain(lengths)
        for row in rows:
            solve_chain(joints, lengths, row, tolerance, 100)

    return run


def paths():
    """Chains of 5 to 20 joints along the closed spline of 1000 samples."""
    targets = spline_targets()
    rows = [target.copy() for target in targets]
    step = np.linalg.norm(np.diff(targets, axis=0), axis=1).mean()
    print(f"Closed Catmull-Rom path, 1000 samples, mean step {step:.3f}, reach 10.\n")
    print(
        "| joints | tolerance | iterations mean / max | plain FABRIK mean / max | us `solve_path`"
        " | us plain C | ratio | us one kernel call | thousand solves a second |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for joints in (5, 10, 15, 20):
        lengths = np.full(joints - 1, 10.0 / (joints - 1))
        start = chain(lengths)
        for tolerance in (0.01, 0.001):
            runs = {
                "path": partial(
                    solve_path, start, targets, tolerance=tolerance, max_iterations=100
                ),
                "kernel": kernel_calls(lengths, rows, tolerance),
            }
            try:
                runs["c"] = c_path(lengths, targets, tolerance)
            except Missing as reason:
                print(reason)
            ours = runs["path"]()
            plain = solve_path(
                start, targets, tolerance=tolerance, max_iterations=100, method="fabrik-plain"
            )
            taken = alternated(runs)
            c = taken.get("c", float("nan"))
            print(
                f"| {joints} | {tolerance} | {ours.iterations.mean():.2f} / {ours.iterations.max()}"
                f" | {plain.iterations.mean():.2f} / {plain.iterations.max()}"
                f" | {taken['path'] * 1e3:.3f} | {c * 1e3:.3f} | {taken['path'] / c:.2f}"
                f" | {taken['kernel'] * 1e3:.2f} | {1.0 / taken['path']:,.0f} |"
            )


def legs():
    """8,000 cold three-bone legs with poles, against plain C in lanes."""
    count = 8000
    starts = np.array([chain(LEG, "random", seed) for seed in range(count)])
    shares = np.random.default_rng(3).uniform(0.3, 0.9, count)
    targets = directions(count) * (shares * 4.0)[:, None]
    poles = directions(count, 7) * 4.0
    runs = {"batch": lambda: solve_batch(starts, targets, poles=poles, rotations=False)}
    for name, flags in (
        ("C, this machine's vectors", VECTORS),
        ("C, as compiled by default", ("-O3",)),
    ):
        try:
            library = plain_c(flags)
        except Missing as reason:
            print(reason)
            continue

        def lanes(library=library):
            joints = starts.copy()
            library.solve_legs(
                pointer(joints),
                pointer(LEG),
                pointer(targets),
                pointer(poles),
                count,
                ctypes.c_double(1e-3),
                100,
            )

        runs[name] = lanes
    taken = alternated(runs)
    print("\n8,000 cold three-bone legs with a pole, ns a leg:\n")
    for name, seconds in taken.items():
        print(
            f"- {name}: {seconds / count * 1e9:.0f}, ours is {taken['batch'] / seconds:.2f} x that"
        )


def peers():
    """Peers on a part of the path, 5 joints at 0.001."""
    targets = spline_targets()[:50]
    lengths = np.full(4, 2.5)

    def ours():
        for _ in range(20):
            solution = solve_path(chain(lengths), targets, max_iterations=100)
        return solution.error.max()

    runs = {"creature_sim": ours}
    print("\nPeers, 5 joints at 0.001, the path's first 50 samples:\n")
    for name, make in (
        ("pybullet", pybullet_path),
        ("ikpy", ikpy_path),
        ("pyfabrik", pyfabrik_path),
    ):
        try:
            runs[name] = make(lengths, targets, 0.001)
        except Missing as reason:
            print(f"- {name}: skipped, {reason}")
    worst = {name: run() for name, run in runs.items()}
    for name, seconds in alternated(runs, 3).items():
        one = seconds / 50 / (20 if name == "creature_sim" else 1)
        print(f"- {name}: {one * 1e6:,.1f} us a solve, worst error {worst[name]:.2g}")


if __name__ == "__main__":
    paths()
    legs()
    peers()

"""What a sweep costs besides its runs: `python -m tests.benchmarks.sweeps`. Asserts nothing."""

import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from creature_sim.lab.sweeps import Row, open_results, read_plan, read_rows, run_sweep
from creature_sim.workers import open_workers, results
from tests.lab.sweeps.files import written

RUNS, ROWS, JOBS = 200, 10_000, 2
SWEEP = """
creatures = ["hexapod"]
worlds = ["meadow"]
drives = ["forward 9"]
seconds = 5.0
"""


def nothing(number: int) -> int:
    """A job that is none."""
    return number


def overhead(**engine: Any) -> float:
    """Time of a job that does nothing [ms]."""
    with open_workers(**engine) as workers:
        list(results(workers, nothing, range(2 * JOBS)))  # processes have started
        begin = time.perf_counter()
        list(results(workers, nothing, range(RUNS)))
        return 1000.0 * (time.perf_counter() - begin) / RUNS


def busy(folder: Path, text: str) -> tuple[float, float]:
    """Fraction of the time that the processes ran something, [0, 1], and the time [s]."""
    source = written(folder, text)
    plan = read_plan(source)
    begin = time.perf_counter()
    with open_results(folder / "r", plan, source) as kept, open_workers(JOBS) as workers:
        spent = sum(row["time"] for row in run_sweep(plan, kept, workers))
        kept.write_tables()
    wall = time.perf_counter() - begin
    return spent / (JOBS * wall), wall


def memory(folder: Path) -> tuple[float, float]:
    """What rows take of this process's memory [MB], and time of keeping one [ms]."""
    source = written(folder, SWEEP + f"seeds = {ROWS}\n")
    plan = read_plan(source)
    row = next(_a_row(folder))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begin = time.perf_counter()
    with open_results(folder / "many", plan, source) as kept:
        for number in range(ROWS):
            kept.add(number, row)
        kept.write_tables()
    spent = 1000.0 * (time.perf_counter() - begin) / ROWS
    return (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024.0, spent


def _a_row(folder: Path) -> Iterator[Row]:
    for row in read_rows(folder / "r"):
        keys = ("run", "key", "creature", "world", "seed", "drive", "seconds", "replay")
        yield {name: value for name, value in row.items() if name not in keys}


def main() -> None:
    """Print the table."""
    print("| what | |\n|---|---|")
    print(f"| a job for {JOBS} processes | {overhead(jobs=JOBS):.2f} ms |")
    print(f"| a job for a cluster of {JOBS} here | {overhead(cluster=f'local:{JOBS}'):.2f} ms |")
    with tempfile.TemporaryDirectory() as name:
        part, wall = busy(Path(name), SWEEP + f"seeds = {RUNS}\n")
        print(f"| {RUNS} runs, {JOBS} processes | {wall:.0f} s, {100 * part:.0f} % busy |")
        taken, spent = memory(Path(name))
        print(f"| {ROWS:,} rows and their tables | {taken:.0f} MB, {spent:.2f} ms a row |")


if __name__ == "__main__":
    main()

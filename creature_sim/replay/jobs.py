"""Verifies the stretches between keyframes at the same time, in processes of their own."""

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path

from creature_sim.errors import ReplayError
from creature_sim.replay.reader import open_replay
from creature_sim.replay.replay import Replay
from creature_sim.replay.verify import Verification, verify, why_not

STRETCHES = 4
"""For each process: the last one to end does not keep the others waiting for long."""


def verify_in_parallel(
    replay: Replay,
    jobs: int,
    *,
    first: int | None = None,
    last: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Verification:
    """Verify a replay by so many processes.

    Each begins with the state of a keyframe and has to arrive at that of the next one, so together
    they prove what one process proves. A recording without keyframes is left to one process.

    Args:
        replay: as it was opened.
        jobs: number of processes.
        first: as `verify` takes it.
        last: as `verify` takes it.
        progress: called with the number of ticks done, after each stretch.

    Raises:
        ValueError: the replay has no such ticks.
        ReplayError: a process has died.
    """
    ends = _ends(replay, jobs, first, last)
    if jobs <= 1 or len(ends) <= 2 or why_not(replay):
        return verify(replay, first=first, last=last, progress=progress)
    results: list[Verification] = []
    done = 0
    context = get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(ends) - 1), mp_context=context) as pool:
        futures = [
            pool.submit(_verify_part, replay.path, begin if index else first, end)
            for index, (begin, end) in enumerate(pairwise(ends))
        ]
        try:
            for future in as_completed(futures):
                found = future.result()
                results.append(found)
                done += found.ticks
                if progress:
                    progress(done)
        except BrokenProcessPool:
            raise ReplayError(
                f"{replay.path}: a process that verified it has died; --jobs 1 needs none"
            ) from None
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    results.sort(key=lambda found: found.first)
    for found in results:
        if found.ok is False:
            return replace(found, ticks=found.last - results[0].first, first=results[0].first)
    return replace(results[-1], ticks=sum(found.ticks for found in results), first=results[0].first)


def _ends(replay: Replay, jobs: int, first: int | None, last: int | None) -> list[int]:
    """Where the stretches begin, at keyframes, and where the last one ends."""
    begin = replay.first if first is None else first
    end = replay.last if last is None else last
    between = [tick for tick in replay.keyframes.ticks if begin < tick < end]
    step = max(1, -(-len(between) // (STRETCHES * jobs)))
    return [begin, *between[step - 1 :: step], end]


def _verify_part(path: Path, first: int | None, last: int) -> Verification:
    """One stretch, in a process of its own."""
    return verify(_opened(path), first=first, last=last)


@lru_cache(maxsize=1)
def _opened(path: Path) -> Replay:
    """The replay, which a process reads once for all its stretches."""
    return open_replay(path)

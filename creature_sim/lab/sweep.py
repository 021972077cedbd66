"""Many trials at once, with the same outcomes for any number and kind of workers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from creature_sim.definitions import CreatureDef
from creature_sim.errors import TrialError
from creature_sim.files.output import temporary, write_output
from creature_sim.lab.course import Course, Trial
from creature_sim.lab.run import Outcome, replay_path, run_trial
from creature_sim.simulation import Simulation
from creature_sim.workers import Died, open_workers, results


class _Job(NamedTuple):
    """What a worker needs for a trial, and whether the replay of a failure is asked for."""

    creature: CreatureDef
    trial: Trial
    is_kept: bool


def sweep(
    creature: CreatureDef,
    trials: Sequence[Trial],
    *,
    jobs: int = 1,
    cluster: str | None = None,
    failures: Path | None = None,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
    seen: Callable[[Outcome], None] | None = None,
) -> list[Outcome]:
    """Run trials, `jobs` at a time; outcomes in the order of the trials.

    Args:
        creature: who walks.
        trials: to run.
        jobs: number of processes.
        cluster: of Dask, instead of processes here; see `workers.open_workers`.
        failures: folder for the replays of failed runs.
        force: whether older replays there may be replaced.
        progress: called with the number of trials done, after each.
        seen: called with every outcome as soon as it is known, in any order.

    Raises:
        TrialError: every process that ran some trial died; all others were run.
        ClusterError: there is no such cluster.
        OutputError: a replay cannot be written.
        KeyboardInterrupt: as elsewhere; the processes are ended at once.
    """
    if not trials:
        return []
    # First a tick here: who cannot walk is found at once, and kernels are compiled only once.
    with Simulation(Course.of(creature).world(creature, trials[0])) as simulation:
        simulation.step()
    found: dict[int, Outcome] = {}
    dead: dict[int, Died] = {}
    given = (_Job(creature, trial, failures is not None) for trial in trials)
    with open_workers(min(jobs, len(trials)), cluster) as workers:
        for index, result in results(workers, _run, given):
            if isinstance(result, Died):
                dead[index] = result
                continue
            outcome, replay = result
            if failures and replay is not None:
                path = replay_path(failures, outcome.trial)
                write_output(path, replay, force)
                outcome = replace(outcome, replay=str(path))
            found[index] = outcome
            if seen:
                seen(outcome)
            if progress:
                progress(len(found))
    if dead:
        raise TrialError("\n".join(f"{trials[n].name}: {dead[n]}" for n in sorted(dead)))
    return [found[index] for index in range(len(trials))]


def _run(job: _Job) -> tuple[Outcome, bytes | None]:
    """An outcome, and the bytes of its replay if it failed and that is asked for."""
    if not job.is_kept:
        return run_trial(job.creature, job.trial), None
    with TemporaryDirectory(prefix="creature_sim-") as folder, temporary("the replay of a run"):
        outcome = run_trial(job.creature, job.trial, Path(folder))
        return outcome, Path(outcome.replay).read_bytes() if outcome.replay else None

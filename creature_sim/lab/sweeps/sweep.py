"""Runs what a plan asks for and is not done yet, by any workers."""

from collections.abc import Iterator

from creature_sim.definitions import WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.lab.sweeps.plan import Plan
from creature_sim.lab.sweeps.results import Results
from creature_sim.lab.sweeps.row import Job, Row, run_job
from creature_sim.simulation import Simulation
from creature_sim.workers import Died, Workers, results


def run_sweep(plan: Plan, kept: Results, workers: Workers) -> Iterator[Row]:
    """Every row that was missing, as soon as it is kept, in any order.

    Args:
        plan: the runs.
        kept: where rows are kept; those that it has are not run again.
        workers: who run them.

    Raises:
        OutputError: the disk is full; all rows up to then are kept.
        ClusterError: the cluster is gone; all rows up to then are kept.
    """
    numbers: list[int] = []
    broken: list[tuple[int, str]] = []
    is_compiled = False

    def jobs() -> Iterator[Job]:
        nonlocal is_compiled
        for number in kept.missing:
            try:
                world = plan.world(plan.points[number])
            except DefinitionError as error:
                broken.append((number, str(error)))
                continue
            if not is_compiled:
                is_compiled = compile_for(world)
            numbers.append(number)
            yield Job(world, plan.definition.seconds, plan.definition.replays)

    for index, found in results(workers, run_job, jobs()):
        if isinstance(found, Died):
            yield kept.add(numbers[index], {"status": "died", "error": str(found)})
        else:
            yield kept.add(numbers[index], *found)
    for number, error in broken:
        yield kept.add(number, {"status": "error", "error": error})


def compile_for(world: WorldDef) -> bool:
    """Run a tick, so that every kernel is compiled once and not by all workers."""
    try:
        with Simulation(world) as simulation:
            simulation.step()
    except Exception:  # its row will tell
        return False
    return True

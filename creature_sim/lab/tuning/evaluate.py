"""Scores of creatures in worlds, by any workers; what was evaluated before is not run again."""

import hashlib
from collections.abc import Callable, Sequence

import orjson

from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.files.problems import shown
from creature_sim.lab.sweeps.sweep import compile_for
from creature_sim.lab.tuning.journal import Journal
from creature_sim.lab.tuning.objective import Objective
from creature_sim.lab.tuning.run import Evaluation, Job, Run, run_job
from creature_sim.library.loader import load_world
from creature_sim.library.variants import with_creature, with_seed
from creature_sim.simulation import MATH_PROFILE
from creature_sim.workers import Died, Workers, results


class Ground:
    """Worlds with their seeds, and how a creature is driven there.

    Attributes:
        places: the name and the seed of each of its worlds.
    """

    def __init__(
        self, option: str, names: Sequence[str], seeds: Sequence[int], objective: Objective
    ) -> None:
        """Read the worlds; DefinitionError names the one that cannot be read."""
        self._seconds, drive = objective.definition.seconds, objective.definition.drive
        self.places: list[tuple[str, int]] = []
        self._worlds: list[WorldDef] = []
        for name in dict.fromkeys(names):
            try:
                world = load_world(name)
            except DefinitionError as error:
                raise DefinitionError(f"{option}: {error}") from None
            if not world.creatures:
                raise DefinitionError(
                    f"{option}: expected worlds that a creature can walk in, found {shown(name)}"
                )
            for seed in seeds:
                self.places.append((name, seed))
                self._worlds.append(
                    with_seed(world, seed).model_copy(update={"driver": drive, "species": {}})
                )

    def job(self, creature: CreatureDef, pace: float, drive: str | None = None) -> Job:
        """What a worker needs to evaluate a creature.

        Args:
            creature: who walks.
            pace: the speed that is 1 in `progress` [m/s].
            drive: instead of that of the objective.
        """
        worlds = (with_creature(world, creature) for world in self._worlds)
        if drive is not None:
            worlds = (world.model_copy(update={"driver": drive}) for world in worlds)
        return Job(tuple(worlds), self._seconds, pace)


class Evaluator:
    """Evaluates batches of jobs.

    Attributes:
        ran: how many jobs were run, and not found in the journal.
        seconds: of processor time that those took.
    """

    def __init__(
        self, workers: Workers, journal: Journal, progress: Callable[[int], None] | None = None
    ) -> None:
        """Take who works and what is known; `progress` is called with the number that is done."""
        self._workers, self._journal, self._progress = workers, journal, progress
        self._done, self.ran, self.seconds = 0, 0, 0.0
        self._is_compiled = False

    def __call__(self, jobs: Sequence[Job], values: Sequence[dict[str, float]]) -> list[Evaluation]:
        """The evaluations of jobs in their order, each of which is kept with its values.

        Raises:
            OutputError: the disk is full; all evaluations up to then are kept.
            ClusterError: the cluster is gone; all evaluations up to then are kept.
        """
        keys = [key_of(job) for job in jobs]
        wanted = {key: place for place, key in enumerate(keys) if not self._journal.get(key)}
        new = [jobs[place] for place in wanted.values()]
        if new and not self._is_compiled:
            compile_for(new[0].worlds[0])
            self._is_compiled = True
        self._tell(len(jobs) - len(new))
        places = list(wanted.items())
        for index, found in results(self._workers, run_job, new):
            if isinstance(found, Died):
                died = Run({}, (), 0.0, str(found))
                found = Evaluation((died,) * len(new[index].worlds), 0.0)
            key, place = places[index]
            self._journal.add(key, values[place], found)
            self.ran += 1
            self.seconds += found.seconds
            self._tell(1)
        return [self._journal.get(key) or Evaluation((), 0.0) for key in keys]

    def _tell(self, count: int) -> None:
        self._done += count
        if self._progress:
            self._progress(self._done)


def key_of(job: Job) -> str:
    """A name for a job, equal only where all is equal that its result depends on."""
    worlds = [world.model_dump_json() for world in job.worlds]
    what = orjson.dumps((worlds, job.seconds, job.pace, MATH_PROFILE))
    return hashlib.blake2b(what, digest_size=10).hexdigest()

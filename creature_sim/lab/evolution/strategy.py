"""Bodies and gaits that evolve: the better ones of a population have children that differ a little.

A (mu + lambda) evolution strategy (Rechenberg 1973, Schwefel 1977) on genomes of any length.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from creature_sim.errors import DefinitionError
from creature_sim.lab.evolution.genome import SPEED, Genome, child_of, drawn
from creature_sim.lab.tuning.evaluate import Evaluator, Ground
from creature_sim.lab.tuning.objective import Objective
from creature_sim.lab.tuning.run import Run

FIRST, PARENTS, CHILDREN = 24, 8, 16
"""Creatures of the first generation, those that live on, and children of each generation."""
TRIES = 100_000
"""Genomes are drawn so often until one can stand and step."""
SOUND = tuple(f"M{number}" for number in range(1, 9))
"""Metrics that a walker passes."""

MIN_PROGRESS = 0.5
"""It walks who comes so far, over what is asked for."""


@dataclass(frozen=True)
class Member:
    """A creature of a population.

    Attributes:
        genome: that it has.
        score: of the objective.
        runs: on the ground that it evolves on.
    """

    genome: Genome
    score: float
    runs: tuple[Run, ...]

    @property
    def unsound(self) -> list[str]:
        """Metrics M1 to M8 that failed or could not be measured, run by run.

        And `progress` where it hardly moves: who stands still fails nothing.
        """
        found = []
        for run in self.runs:
            found += [key for key in SOUND if key in run.failed or run.numbers.get(key) is None]
            if (run.numbers.get("progress") or 0.0) < MIN_PROGRESS:
                found.append("progress")
        return found


@dataclass(frozen=True)
class Evolved:
    """What has evolved.

    Attributes:
        best: of the last generation.
        first: the best score of the first generation, whose genomes are random.
        evaluations: how many creatures have walked.
        held_out: runs of the best one on ground that it did not evolve on.
    """

    best: Member
    first: float
    evaluations: int
    held_out: tuple[Run, ...]


def evolve(
    name: str,
    ground: Ground,
    held_out: Ground,
    objective: Objective,
    evaluate: Evaluator,
    *,
    budget: int,
    seed: int,
) -> Evolved:
    """Evolve a creature from random ones. The same seed ends alike, whoever evaluates.

    Args:
        name: of the creature.
        ground: that it evolves on.
        held_out: that the last one is tried on.
        objective: what is better.
        evaluate: who evaluates.
        budget: number of evaluations.
        seed: of random numbers.

    Raises:
        OutputError: the disk is full; all evaluations up to then are kept.
        ClusterError: the cluster is gone; all evaluations up to then are kept.
    """
    random = np.random.default_rng(seed)

    def runs_of(genomes: Sequence[Genome], where: Ground) -> list[tuple[Run, ...]]:
        jobs = []
        for genome in genomes:
            creature = genome.creature(name)
            assert creature is not None
            jobs.append(where.job(creature, SPEED))
        shown = [dict(genome.numbers) for genome in genomes]
        return [found.runs for found in evaluate(jobs, shown)]

    def members(genomes: Sequence[Genome]) -> list[Member]:
        pairs = zip(genomes, runs_of(genomes, ground), strict=True)
        return [Member(genome, objective.score(runs), runs) for genome, runs in pairs]

    count = min(FIRST, budget)
    population = _best(members([_valid(name, None, random) for _ in range(count)]))
    first, done = population[0].score, count
    while done < budget:
        count = min(CHILDREN, budget - done)
        parents = [population[int(random.integers(len(population)))] for _ in range(count)]
        children = [_valid(name, parent.genome, random) for parent in parents]
        population = _best([*population, *members(children)])
        done += count
    best = population[0]
    (other,) = runs_of([best.genome], held_out)
    return Evolved(best, first, done, other)


def _best(members: Sequence[Member]) -> list[Member]:
    """Those that live on, the best first; of equals those that were there before."""
    return sorted(members, key=lambda member: -member.score)[:PARENTS]


def _valid(name: str, parent: Genome | None, random: np.random.Generator) -> Genome:
    """A genome, or the child of one, that can stand and step."""
    for _ in range(TRIES):
        found = drawn(random) if parent is None else child_of(parent, random)
        if found.creature(name) is not None:
            return found
    raise DefinitionError("evolve: expected random bodies that can stand, found none")

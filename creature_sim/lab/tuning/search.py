"""The search itself: CMA-ES (Hansen & Ostermeier 2001), of anything that has a score."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from creature_sim.errors import DefinitionError
from creature_sim.lab.tuning.knobs import Knob, Values, written
from creature_sim.lab.tuning.packages import needed

STEP = 0.2
"""Spread of the first generation, as a fraction of the bounds."""
TRIES = 30
"""Values that are not valid are drawn again so often."""
TOLERANCE = 1e-4
"""Scores that differ by less than this are the same: the search begins anew, more broadly."""

Score = Callable[[Sequence[Values]], Sequence[float]]
"""Scores of a generation, the larger the better, in its order."""
IsValid = Callable[[Values], bool]


class Found(NamedTuple):
    """The best values of a search, their score, and how often scores were asked for."""

    values: Values
    score: float
    evaluations: int


def search(knobs: Sequence[Knob], score: Score, is_valid: IsValid, budget: int, seed: int) -> Found:
    """Look for the values with the best score; the first ones that are tried are the start.

    The same seed finds the same values whoever computes the scores, and in whatever order.

    Args:
        knobs: what is varied.
        score: of the values of a generation.
        is_valid: whether values may be tried at all.
        budget: number of scores that may be asked for.
        seed: of random numbers.

    Raises:
        DefinitionError: the package cma is not installed; nothing is valid between the bounds.
    """
    cma = needed("cma")
    random = np.random.RandomState(seed % 2**32)
    low, high = (np.array([getattr(knob, end) for knob in knobs]) for end in ("low", "high"))

    def values_of(point: Any) -> Values:  # noqa: ANN401 - an array of cma's
        return tuple(written(float(part)) for part in low + np.clip(point, 0.0, 1.0) * (high - low))

    best = _start(knobs, is_valid, lambda: values_of(random.uniform(size=len(knobs))))
    found = Found(best, float(score([best])[0]), 1)
    size = 4 + int(3 * np.log(len(knobs)))
    strategy: Any = None
    while found.evaluations < budget:
        if strategy is None:
            middle = (np.array(found.values) - low) / (high - low)
            options = {
                "bounds": [0.0, 1.0],
                "popsize": size,
                "randn": random.randn,
                "seed": np.nan,  # no other random numbers than those
                "tolfun": TOLERANCE,
                "tolfunhist": TOLERANCE,
                "verbose": -9,
                "verb_log": 0,
            }
            # With one dimension cma wants a second one that does not count.
            strategy = cma.CMAEvolutionStrategy(_padded(middle), STEP, options)
        points, candidates = _generation(strategy, values_of, is_valid, len(knobs))
        candidates = candidates[: budget - found.evaluations]
        scores = list(score(candidates))
        for values, value in zip(candidates, scores, strict=True):
            if value > found.score:
                found = found._replace(values=values, score=value)
        found = found._replace(evaluations=found.evaluations + len(candidates))
        if len(candidates) == len(points):
            strategy.tell(points, [-value for value in scores])
            if strategy.stop():
                strategy, size = None, 2 * size
    return found


def _padded(point: Any) -> Any:  # noqa: ANN401 - an array
    return point if len(point) > 1 else np.append(point, 0.5)


def _start(knobs: Sequence[Knob], is_valid: IsValid, draw: Callable[[], Values]) -> Values:
    """The values of the file if they are valid between the bounds, or any that are."""
    start = tuple(knob.start for knob in knobs)
    for _ in range(100 * TRIES):
        if is_valid(start):
            return start
        start = draw()
    raise DefinitionError(
        "--over: expected bounds between which the creature is valid somewhere, found none"
    )


def _generation(
    strategy: Any,  # noqa: ANN401 - of cma
    values_of: Callable[[Any], Values],
    is_valid: IsValid,
    count: int,
) -> tuple[list[Any], list[Values]]:
    """The points of a generation, each drawn again until its values are valid."""
    points, candidates = [], []
    for point in strategy.ask():
        values = values_of(point[:count])
        for _ in range(TRIES):
            if is_valid(values):
                break
            (point,) = strategy.ask(1)
            values = values_of(point[:count])
        points.append(point)
        candidates.append(values)
    return points, candidates

"""The search, of functions whose best values are known."""

from collections.abc import Sequence

import numpy as np
import pytest

from creature_sim.errors import DefinitionError
from creature_sim.lab.tuning import Knob, search
from creature_sim.lab.tuning.knobs import Values

KNOBS = (
    Knob(("a",), 1.0, 0.0, 4.0),
    Knob(("b",), -1.0, -2.0, 2.0),
    Knob(("c",), 10.0, 5.0, 30.0),
)
BEST = (2.5, 0.5, 20.0)


def bowl(values: Values) -> float:
    """0 at its best, and less everywhere else."""
    parts = zip(values, BEST, KNOBS, strict=True)
    return -sum(((value - best) / (knob.high - knob.low)) ** 2 for value, best, knob in parts)


def scores(generation: Sequence[Values]) -> list[float]:
    return [bowl(values) for values in generation]


def test_the_best_of_a_bowl_is_found() -> None:
    found = search(KNOBS, scores, lambda _: True, 300, 0)
    assert found.evaluations == 300
    assert found.score > -1e-4
    assert found.values == pytest.approx(BEST, rel=0.02)


def test_a_best_that_is_out_of_bounds_is_looked_for_at_the_bound() -> None:
    knobs = (KNOBS[0]._replace(high=2.0), *KNOBS[1:])
    found = search(knobs, scores, lambda _: True, 300, 0)
    assert found.values[0] == pytest.approx(2.0, abs=0.01)
    assert found.values[1:] == pytest.approx(BEST[1:], rel=0.05)


def test_what_is_not_valid_is_not_tried() -> None:
    tried: list[Values] = []

    def kept(generation: Sequence[Values]) -> list[float]:
        tried.extend(generation)
        return scores(generation)

    found = search(KNOBS, kept, lambda values: values[0] + values[1] < 2.0, 200, 1)
    assert all(values[0] + values[1] < 2.0 for values in tried)
    assert sum(found.values[:2]) > 1.9  # the best of what is valid lies beside what is not


def test_one_number_alone_is_tuned() -> None:
    found = search(
        KNOBS[:1],
        lambda generation: [-abs(value - 2.5) for (value,) in generation],
        lambda _: True,
        60,
        0,
    )
    assert found.values == pytest.approx((2.5,), abs=0.05)


def test_the_first_that_is_tried_is_the_start_and_the_budget_is_kept() -> None:
    for budget in (1, 2, 10):
        tried: list[Values] = []

        def kept(generation: Sequence[Values], tried: list[Values] = tried) -> list[float]:
            tried.extend(generation)
            return scores(generation)

        assert search(KNOBS, kept, lambda _: True, budget, 0).evaluations == budget
        assert len(tried) == budget
        assert tried[0] == (1.0, -1.0, 10.0)


def test_the_seed_decides_and_nothing_else_does() -> None:
    first = search(KNOBS, scores, lambda _: True, 40, 5)
    np.random.seed(1)  # noqa: NPY002 - of whoever shares this process
    expected = np.random.RandomState(1).uniform()
    assert search(KNOBS, scores, lambda _: True, 40, 5) == first
    assert np.random.uniform() == expected  # noqa: NPY002
    assert search(KNOBS, scores, lambda _: True, 40, 6) != first


def test_bounds_between_which_nothing_is_valid_are_refused() -> None:
    with pytest.raises(DefinitionError, match="expected bounds between which the creature is"):
        search(KNOBS, scores, lambda _: False, 10, 0)

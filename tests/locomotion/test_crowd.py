"""The grid of neighbours against all pairs."""

import numpy as np
import pytest

from creature_sim.components import Records, ShapeRecord, zeros
from creature_sim.locomotion.crowd import find_near
from creature_sim.maths import Floats


def shapes_at(places: Floats, sights: Floats, numbers: list[int]) -> Records[ShapeRecord]:
    """Segments at places (M, 3) [m]."""
    shapes = zeros(ShapeRecord, len(places))
    shapes["position"], shapes["sight"], shapes["number"] = places, sights, numbers
    shapes["segment"] = [numbers[:index].count(one) for index, one in enumerate(numbers)]
    return shapes


def neighbours(shapes: Records[ShapeRecord]) -> dict[tuple[int, int], list[tuple[int, int]]]:
    """Names of those near to each segment: its creature's number and its own."""
    first, others = find_near(shapes)
    names = [(int(shape.number), int(shape.segment)) for shape in shapes]
    return {
        name: [names[k] for k in others[first[m] : first[m + 1]]] for m, name in enumerate(names)
    }


@pytest.mark.parametrize("size", [3.0, 40.0, 4000.0])
@pytest.mark.parametrize("count", [2, 90])
def test_the_grid_finds_what_a_look_at_all_pairs_finds(count: int, size: float) -> None:
    rng = np.random.default_rng(count)
    places = rng.uniform(-size, size, (count, 3)) * (1.0, 1.0, 0.1)
    sights = rng.uniform(0.1, 1.0 + 0.05 * size, count)
    numbers = rng.integers(0, count // 2 + 1, count).tolist()
    shapes = shapes_at(places, sights, numbers)
    apart = np.linalg.norm(places[:, None] - places[None], axis=2)
    is_near = apart < sights[:, None] + sights
    names = [(int(shape.number), int(shape.segment)) for shape in shapes]
    found = neighbours(shapes)
    for m, name in enumerate(names):
        expected = [names[k] for k in range(count) if is_near[m, k] and numbers[k] != numbers[m]]
        assert found[name] == sorted(expected)


def test_the_order_of_herds_and_who_else_is_there_change_nothing() -> None:
    rng = np.random.default_rng(1)
    places, numbers = rng.uniform(-4.0, 4.0, (30, 3)), list(range(30))
    sights = np.full(30, 1.0)
    here = neighbours(shapes_at(places, sights, numbers))
    order = rng.permutation(30)
    assert neighbours(shapes_at(places[order], sights, order.tolist())) == here
    far = np.concatenate((places, [(1e6, -1e6, 0.0)]))
    wide = np.append(sights, 50.0)  # whose sight makes the cells larger
    assert neighbours(shapes_at(far, wide, list(range(31)))) == {**here, (30, 0): []}

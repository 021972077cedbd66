"""Free flight of a body's centre."""

import numpy as np
import pytest

from creature_sim.components import GravityRecord, Records, zeros
from creature_sim.locomotion.ballistics import flown, least_time, throw

DOWN = zeros(GravityRecord, 1)
DOWN[0].acceleration = 9.81
PLANET = zeros(GravityRecord, 1)
PLANET[0].acceleration, PLANET[0].is_central = 9.81, 1
PLANET[0].centre[:] = (0.0, 0.0, -4.0)


@pytest.mark.parametrize("rate", [30, 60, 120, 240])
def test_free_flight_is_the_parabola_at_any_tick_rate(rate: int) -> None:
    begin, velocity = (0.1, 0.2, 0.3), (1.0, -0.5, 2.0)
    place, last = flown(DOWN[0], begin, velocity, rate, 1.0 / rate)
    assert np.allclose(place, (1.1, -0.3, 0.3 + 2.0 - 0.5 * 9.81), atol=1e-12)
    assert np.allclose(last, (1.0, -0.5, 2.0 - 9.81), atol=1e-12)


@pytest.mark.parametrize("field", [DOWN, PLANET], ids=["down", "planet"])
def test_a_throw_arrives(field: Records[GravityRecord]) -> None:
    begin, end = (0.0, 0.0, 0.2), (1.3, -0.4, 0.1)
    velocity = throw(field[0], begin, end, 30, 1.0 / 60.0)
    assert np.allclose(flown(field[0], begin, velocity, 30, 1.0 / 60.0)[0], end, atol=1e-6)


@pytest.mark.parametrize("way", [(1.0, 0.0, 0.0), (0.6, 0.3, 0.5), (1.0, 0.0, -0.4)])
def test_no_throw_is_slower_than_that_of_least_time(way: tuple[float, float, float]) -> None:
    best = least_time(9.81, way)
    times = best * np.linspace(0.5, 2.0, 301)
    speeds = [
        np.linalg.norm(np.array(way) / time + np.array((0.0, 0.0, 0.5 * 9.81 * time)))
        for time in times
    ]
    assert times[int(np.argmin(speeds))] == pytest.approx(best, rel=0.01)
    rise, far = way[2], float(np.linalg.norm(way))
    assert min(speeds) ** 2 == pytest.approx(9.81 * (rise + far), rel=1e-3)

"""What rays found, as it is written to their slots: in the state no zero is negative."""

import esper
import numpy as np
import pytest

from creature_sim.components import HitRecord, Sensed, zeros
from creature_sim.components.arrays import Arrays
from creature_sim.locomotion.sensing import spread
from creature_sim.simulation import Simulation
from creature_sim.snapshots.layout import find_layout
from creature_sim.snapshots.settling import Settling
from tests.scenes import scene


def test_rays_that_are_cast_write_positive_zeros_and_say_what_is_not_finite() -> None:
    is_active = np.array([[1, 0, 1]], np.int8)
    starts, ends = np.full((2, 3), -0.0), np.full((2, 3), -0.0)
    normals, props = np.array([[-0.0, 0.0, 1.0], [-0.0, -1.0, 0.0]]), np.full(2, -1)
    hits = zeros(HitRecord, 1, 3)
    hits["point"] = 7.0
    rays = is_active, starts, ends, np.array([0.5, 1.0]), normals, props, np.empty(0)
    assert spread(*rays, 0, hits) == (2, True)
    assert hits["is_hit"].tolist() == [[1, 0, 0]]
    assert hits["point"][0, 1].tolist() == [7.0, 7.0, 7.0]
    assert not np.signbit(hits["point"]).any()
    assert np.array_equal(np.signbit(hits["normal"][0]), [[False] * 3] * 2 + [[False, True, False]])
    for wrong in (np.nan, np.inf):
        ends[1, 2] = wrong
        assert spread(*rays, 0, hits) == (2, False)


@pytest.mark.parametrize(
    ("world", "creature"), [("hills", "hexapod"), ("room", "ant"), ("lattice", "hexapod")]
)
def test_what_rays_found_is_settled_as_the_rest_of_the_state_is(world: str, creature: str) -> None:
    """A tick does not look at it again."""
    with Simulation(scene(world, creature)) as simulation:
        for _ in range(90):
            simulation.step()
            before = simulation.digest
            with simulation.context():
                runs = [run for arrays in find_layout().owners for run in arrays.runs]
            assert Settling(runs).settle() is None
            assert simulation._settling.settle() is None
            simulation._snapshot = None
            assert simulation.digest == before


def test_parts_that_are_settled_already_are_not_looked_at() -> None:
    with Simulation(scene("hills", "hexapod")) as simulation:
        with simulation.context():
            runs = [run for arrays in find_layout().owners for run in arrays.runs]
        found = {name: a for run in runs for name, a in zip(run.names, run.arrays, strict=True)}
        found[Sensed.name]["point"][0, 0] = -0.0, np.nan, 1.0
        found["head"]["yaw"] = -0.0
        assert Settling(runs, (Sensed.name,)).settle() is None
        assert np.signbit(found[Sensed.name]["point"][0, 0, 0])
        assert not np.signbit(found["head"]["yaw"]).any()
        assert Settling(runs).settle() == Sensed.name
        assert not np.signbit(found[Sensed.name]["point"][0, 0, 0])


@pytest.mark.parametrize(
    ("world", "creature"), [("lattice", "hexapod"), ("cave", "spider4"), ("hills", "ant")]
)
def test_rays_of_the_tick_before_are_forgotten(world: str, creature: str) -> None:
    """Below what hangs over, places that are not looked at were looked up from, where they were."""
    with (
        Simulation(scene(world, creature, driver="forward 60")) as plain,
        Simulation(scene(world, creature, driver="forward 60")) as spoiled,
    ):
        for _ in range(400):
            with spoiled.context():
                for _, herd in esper.get_component(Arrays):
                    herd.arrays.starts[:] = herd.arrays.ends[:] = np.nan
            plain.step()
            spoiled.step()
            assert spoiled.digest == plain.digest

"""Platforms that come down on creatures, and two that part under one."""

from typing import Any

import numpy as np
import pytest

from creature_sim.ground.rays import Physics
from creature_sim.inputs import Input
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_angles
from creature_sim.score import Metric, Surface, score_track, tracks
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import CreatureState, Snapshot
from creature_sim.terrain import build_terrain
from tests.marks import sample_of
from tests.props.test_props import run, world_of
from tests.scenes import scene, walk
from tests.tools.scores import scored


def press(under: float) -> dict[str, Any]:
    """A platform that comes from the side, and down to a height above the origin, and up again."""
    low = under + 0.1
    return {
        "shape": "box",
        "size": [3.0, 3.0, 0.2],
        "motion": "kinematic",
        "waypoints": [[5.0, 0.0, 1.2], [0.0, 0.0, 1.2], [0.0, 0.0, low], [0.0, 0.0, 1.2]],
        "period": 12.0,
    }


def underside(snapshot: Snapshot) -> float:
    assert snapshot.props is not None
    return float(snapshot.props.records[0].position[2]) - 0.1


def tops(creature: CreatureState) -> Floats:
    """Heights of the tops of all segments [m]."""
    halves = 0.5 * np.array([segment.size[2] for segment in creature.definition.trunk])
    found: Floats = creature.segments["position"][:, 2] + halves
    return found


@pytest.mark.parametrize(
    ("creature", "under"),
    [
        ("hexapod", 0.18),
        pytest.param("hexapod", 0.08, marks=pytest.mark.slow),  # less than the body is high
        pytest.param("ant", 0.18, marks=pytest.mark.slow),
        pytest.param("spider4", 0.2, marks=pytest.mark.slow),
        pytest.param("spider8", 0.2, marks=pytest.mark.slow),
        pytest.param("crab", 0.2, marks=pytest.mark.slow),
        pytest.param("centipede", 0.18, marks=pytest.mark.slow),
        pytest.param("biped", 0.4, marks=pytest.mark.slow),
    ],
)
def test_what_comes_down_presses_a_creature_flat(creature: str, under: float) -> None:
    world = world_of(press(under), creature=creature)
    snapshots = run(world, 720)
    begin, end = snapshots[0].creatures[0], snapshots[-1].creatures[0]
    thickness = 2.0 * (tops(begin)[0] - begin.position[2])
    for snapshot in snapshots:
        found, free = snapshot.creatures[0], underside(snapshot)
        if free > thickness + 0.02:
            assert tops(found).max() < free
        assert found.segments["position"][:, 2].max() < free  # it never comes out on top
        assert found.joints[..., 2].max() < free
    assert end.position == pytest.approx(begin.position, abs=0.03)  # nor is it hurt


def metrics_of(snapshots: list[Snapshot], world: Any) -> dict[str, Metric]:
    (track,) = tracks(snapshots, 60)
    with Physics(build_terrain(world.terrain, world.seed)) as physics:
        return score_track(track, Surface(physics), world)


@pytest.mark.slow
def test_limbs_stay_out_of_what_comes_down() -> None:
    world = world_of(press(0.18))
    found = metrics_of(run(world, 720), world)
    assert found["M5"].verdict == "excellent"
    assert found["M16"].verdict == "excellent"


LANDING: dict[str, Any] = {"shape": "box", "size": [6.0, 2.0, 0.2], "position": [-3.0, 0.0, 0.1]}
LEAVING: dict[str, Any] = {
    "shape": "box",
    "size": [4.0, 2.0, 0.2],
    "motion": "kinematic",
    "waypoints": [[2.0, 0.0, 0.1], [6.0, 3.0, 0.4]],
    "period": 16.0,
}


@pytest.mark.slow
@pytest.mark.parametrize(("creature", "start"), [("centipede", 0.3), ("millipede", 2.2)])
def test_two_things_that_part_do_not_tear_a_trunk(creature: str, start: float) -> None:
    world = world_of(LANDING, LEAVING, creature=creature)
    placement = world.creatures[0].model_copy(update={"position": (start, 0.0)})
    world = world.model_copy(update={"creatures": (placement,)})
    with Simulation(world) as simulation:
        old = simulation.snapshot.creatures[0].segments
        apart = np.linalg.norm(np.diff(old["position"], axis=0), axis=1)
        for _ in range(480):
            simulation.step(Input.of([()]))
            new = simulation.snapshot.creatures[0].segments
            gaps = np.linalg.norm(np.diff(new["position"], axis=0), axis=1)
            assert (abs(gaps - apart) < 0.1 * apart).all()
            turned = np.degrees(rotation_angles(old["orientation"], new["orientation"]))
            assert turned.max() < 5.0
            old = new


def props_below(snapshot: Snapshot) -> set[int]:
    """What the feet of the first creature stand on, or will."""
    return {int(prop) for prop in snapshot.creatures[0].feet["prop"]}


@pytest.mark.parametrize(
    ("creature", "seconds", "ends_on"),
    [
        ("centipede", 2.6, 1),
        ("centipede", 1.9, 0),  # with one foot aboard: off again
        pytest.param("hexapod", 1.5, 1, marks=pytest.mark.slow),
    ],
)
def test_nobody_stops_astride_what_may_leave(creature: str, seconds: float, ends_on: int) -> None:
    leaving = {**LEAVING, "waypoints": [[2.0, 0.0, 0.1], [2.0, 0.0, 0.1]]}
    world = world_of(LANDING, leaving, creature=creature)
    placement = world.creatures[0].model_copy(update={"position": (-0.7, 0.0)})
    world = world.model_copy(update={"creatures": (placement,)})
    ticks = round(seconds * 60)
    with Simulation(world) as simulation:
        for tick in range(ticks + 240):
            simulation.step(Input.of([(1.0,) if tick < ticks else ()]))
            if tick == ticks:
                assert props_below(simulation.snapshot) == {0, 1}
        assert props_below(simulation.snapshot) == {ends_on}
        assert np.linalg.norm(simulation.snapshot.creatures[0].body.velocity) < 1e-6


@pytest.mark.slow
def test_a_millipede_gets_aboard_the_ferry_while_that_waits() -> None:
    made = scene("platforms", "millipede")
    *_, last = walk(made, 72 * made.tick_rate)
    assert props_below(last) == {2}


@pytest.mark.slow
@pytest.mark.parametrize("creature", sample_of(["centipede", "millipede"], "centipede"))
def test_long_trunks_cross_the_platforms(creature: str) -> None:
    found = scored("platforms", creature, 60)
    assert not [number for number, metric in found.items() if metric.verdict == "fail"]

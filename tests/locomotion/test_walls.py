"""Walls: bodies stop before them, go along them, and climb or push what is none."""

from typing import Any

import numpy as np
import pytest

from creature_sim.components import HitRecord, zeros
from creature_sim.components.arrays import herds
from creature_sim.definitions import WorldDef
from creature_sim.drivers import make_driver
from creature_sim.inputs import FULL, Input
from creature_sim.library.loader import load_creature
from creature_sim.locomotion.creature import Creature
from creature_sim.locomotion.walls import AHEAD_RAYS, stop_before_wall
from creature_sim.maths import add, norm, put, vec
from creature_sim.score.run import score_run
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import Snapshot
from tests.marks import quick_of
from tests.props.test_props import CRATE, world_of
from tests.scenes import scene

WALL = {"shape": "box", "size": [0.4, 12.0, 1.6], "position": [2.2, 0.0, 0.8]}
FACE = 2.0


def steer(world: WorldDef, axes: tuple[float, ...], ticks: int) -> list[Snapshot]:
    """Snapshots under one command."""
    with Simulation(world) as simulation:
        found = [simulation.snapshot]
        for _ in range(ticks):
            simulation.step(Input.of([axes]))
            found.append(simulation.snapshot)
        return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "creature",
    quick_of(
        ["hexapod", "biped", "crab", "spider4", "spider8", "ant", "centipede"],
        *("hexapod", "biped", "crab"),
    ),
)
def test_a_body_stops_before_a_wall_and_no_bone_enters_it(creature: str) -> None:
    plan = load_creature(creature)
    heading = -plan.motion.heading  # a crab goes sideways
    world = world_of(
        WALL, creature=creature, creatures=[{"creature": creature, "heading": heading}]
    )
    ticks = 780 if creature == "biped" else 480  # it sways for a while
    ((track, metrics),) = scored(world, (1.0,), ticks)
    assert metrics["M5"].verdict == "excellent"
    assert track.joints[..., 0].max() < FACE + 1e-3
    assert track.position[-1, 0] > 0.9  # and it came there
    assert np.linalg.norm(np.diff(track.position[-60:], axis=0), axis=1).max() < 1e-4
    assert track.is_held_back[-60:].all()
    assert metrics["M15"].verdict != "fail"  # the wall holds it back, not its walk


@pytest.mark.slow
@pytest.mark.parametrize("creature", quick_of(["hexapod", "crab", "ant", "spider8"], "hexapod"))
def test_who_turns_before_a_wall_keeps_its_knees_out_of_it(creature: str) -> None:
    heading = -load_creature(creature).motion.heading
    world = world_of(
        WALL, creature=creature, creatures=[{"creature": creature, "heading": heading}]
    )
    turns = ((0.0, 240), (1.0, 180), (-1.0, 360), (1.0, 180))
    inputs = [Input.of([(1.0, turn)]) for turn, ticks in turns for _ in range(ticks)]
    with Simulation(world) as simulation:
        ((_, metrics),) = score_run(simulation, inputs)
    assert (
        metrics["M27"].value or 0.0
    ) < 0.05  # more than .3, when it stayed where a turn had brought it


def scored(world: WorldDef, axes: tuple[float, ...], ticks: int) -> Any:
    """Tracks and metrics under one command."""
    with Simulation(world) as simulation:
        return score_run(simulation, [Input.of([axes])] * ticks)


@pytest.mark.slow
def test_it_goes_along_a_wall_that_it_meets_askew() -> None:
    world = world_of(WALL, creature="hexapod", creatures=[{"creature": "hexapod", "heading": 0.7}])
    ((track, metrics),) = scored(world, (1.0,), 480)
    assert metrics["M5"].value == pytest.approx(0.0, abs=2e-3)
    at_wall = track.position[300:]
    assert np.ptp(at_wall[:, 0]) < 0.05
    speed = np.diff(at_wall[:, 1]) * 60.0
    assert speed.mean() > 0.4 * 0.7  # the sine of its heading is left


@pytest.mark.slow
def test_a_centipede_does_not_swing_its_tail_through_a_wall_aside() -> None:
    aside = {"shape": "box", "size": [12.0, 0.4, 1.6], "position": [0.0, 1.5, 0.8]}
    ((track, metrics),) = scored(world_of(aside, creature="centipede"), (0.0, 0.0, 1.0), 480)
    assert metrics["M5"].value == pytest.approx(0.0, abs=2e-3)
    assert track.position[-1, 1] > 0.5
    assert track.joints[..., 1].max() < 1.3 + 0.05


@pytest.mark.slow
@pytest.mark.parametrize("height", [0.15, 0.25])
def test_what_it_can_climb_is_no_wall(height: float) -> None:
    kerb = {"shape": "box", "size": [4.0, 12.0, height], "position": [3.0, 0.0, 0.5 * height]}
    last = steer(world_of(kerb, creature="hexapod"), (1.0,), 330)[-1].creatures[0]
    assert 2.5 < last.position[0] < 4.5
    assert (last.feet["position"][:, 2] > 0.9 * height).all()


def test_a_steep_slope_is_no_wall() -> None:
    made = scene("slope", "hexapod")
    world = made.model_copy(update={"terrain": made.terrain.model_copy(update={"grade": 0.5})})
    states = steer(world, (1.0,), 300)
    assert not any(state.creatures[0].gait.is_held for state in states)
    assert states[-1].creatures[0].position[0] > 2.0


@pytest.mark.slow
def test_what_can_be_pushed_stops_nobody() -> None:
    crate = CRATE | {"size": [0.4, 0.4, 0.6], "position": [1.5, 0.0, 0.3], "mass": 1.0}
    states = steer(world_of(crate, creature="hexapod"), (1.0,), 300)
    assert states[-1].creatures[0].position[0] > 2.0
    assert states[-1].props is not None
    assert np.linalg.norm(states[-1].props.records[0]["position"][:2] - (1.5, 0.0)) > 0.3


@pytest.mark.slow
def test_it_walks_on_when_a_wall_goes_away() -> None:
    gate = {
        "shape": "box",
        "size": [0.4, 4.0, 1.6],
        "motion": "kinematic",
        "waypoints": [[2.2, 0.0, 0.8], [2.2, 0.0, 0.8], [2.2, 9.0, 0.8], [2.2, 9.0, 0.8]],
        "period": 40.0,
    }
    states = steer(world_of(gate, creature="hexapod"), (1.0,), 1500)
    waits = [state.creatures[0].gait.is_held for state in states]
    assert sum(waits) > 120
    assert states[-1].creatures[0].position[0] > 4.0


@pytest.mark.slow
def test_the_border_holds_it_back_too() -> None:
    made = scene("meadow", "hexapod")
    places = (made.creatures[0].model_copy(update={"position": (30.0, 0.0)}),)
    ((track, metrics),) = scored(made.model_copy(update={"creatures": places}), (1.0,), 360)
    assert track.is_held_back[-60:].all()
    assert metrics["M15"].verdict != "fail"


def test_rays_ahead_are_few() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation:
        slots = simulation.snapshot.creatures[0].herd.parts["sensed"]["records"]
        assert slots.dtype == HitRecord.dtype
        for _ in range(60):
            simulation.step(Input.of([(1.0,)]))
        before = simulation.snapshot.creatures[0].herd.parts["sensed"]["records"][0]
        simulation.step(Input.of([(1.0,)]))
        after = simulation.snapshot.creatures[0].herd.parts["sensed"]["records"][0]
        ahead = slice(len(before) - AHEAD_RAYS, None)
        assert (before[ahead] != after[ahead]).sum() <= 1  # one of them is cast in each tick


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "spider8"])
def test_it_crouches_to_climb_down_where_a_foot_finds_nothing_in_reach(creature: str) -> None:
    height = 0.6 * min(leg.reach for leg in load_creature(creature).all_legs)
    block = {"shape": "box", "size": [4.0, 6.0, height], "position": [0.0, 0.0, 0.5 * height]}
    states = steer(world_of(block, creature=creature), (1.0,), 900)
    lowest = min(state.creatures[0].gait.ride_height for state in states)
    assert lowest < 0.9 * load_creature(creature).body.ride_height
    last = states[-1].creatures[0]
    assert last.position[0] > 3.0
    assert last.feet["position"][:, 2] == pytest.approx(0.0, abs=0.2)
    assert last.gait.ride_height == pytest.approx(load_creature(creature).body.ride_height)


def test_who_is_too_near_to_a_wall_leaves_it_calmly() -> None:
    """A ray that meets a face from beyond its edge finds the body far behind it."""
    world = scene("meadow", "hexapod")
    with Simulation(world) as simulation, simulation.context():
        simulation.step(Input.of([(0.0, 0.0, 0.0, 0.0)]))
        ((_, plan, (_, legs, bodies, gaits, feet, holds)),) = herds()
        creature = Creature(plan.body[0], legs, bodies[0], gaits[0], feet[0], holds[0])
        hit = zeros(HitRecord, 1)[0]
        hit.is_hit, hit.prop = 1, -1
        put(hit.point, add(vec(bodies[0, 0].position), (1.0, 0.0, 0.0)))
        put(hit.normal, (1.0, 0.0, 0.0))
        assert stop_before_wall(creature, plan.segments, 0, 0, hit)
        speed = norm(vec(bodies[0, 0].velocity))
    assert 0.0 < speed <= 0.5 * float(plan.body[0].speed)


def test_who_wanders_turns_from_where_it_goes_back() -> None:
    world = scene("meadow", "hexapod", driver="wander")
    drive = make_driver(world)
    with Simulation(world) as simulation:
        for _ in range(30):
            simulation.step()
        with simulation.context():
            ((_, _, (_, _, _, gaits, _, _)),) = herds()
            gaits[0].stuck = -30
            simulation.step()
            blocked = drive(simulation.snapshot).commands[0]
            gaits[0].stuck = 0
        simulation.step(Input((blocked,)))
        free = drive(simulation.snapshot).commands[0]
    assert abs(blocked[1]) == FULL
    assert 0 < blocked[0] < free[0]
    assert 0 < abs(free[1]) < FULL  # and turns on for a while
    assert (free[1] > 0) == (blocked[1] > 0)

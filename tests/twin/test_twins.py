"""Creatures that forces move: they walk as they would without forces, and fall where they must."""

import json
import subprocess
import sys
from dataclasses import replace
from math import cos, pi, sin, sqrt
from pathlib import Path
from typing import Any

import esper
import numpy as np
import pytest

from creature_sim.components import STANDING
from creature_sim.definitions import PlacementDef, PropDef, WorldDef
from creature_sim.errors import DefinitionError
from creature_sim.inputs import FULL, Event, Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature, with_twins
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.replay import open_replay, record, verify
from creature_sim.score import score_track, tracks
from creature_sim.score.surface import Surface
from creature_sim.simulation import Simulation
from creature_sim.snapshots.snapshot import CreatureState, Snapshot
from creature_sim.twin.building import machine_of
from creature_sim.twin.stage import Stage
from creature_sim.twin.twins import Twins
from tests.commands import sim
from tests.scenes import scene

STILL, AHEAD = Input.of([()]), Input.of([(FULL, 0, 0)])
LEVEL = load_world("arm").terrain


def physical(world: str = "meadow", creature: str = "hexapod", **keys: Any) -> WorldDef:
    return with_twins(scene(world, creature, **keys))


def run(world: WorldDef, ticks: int, inputs: Input | None = None) -> list[Snapshot]:
    with Simulation(world) as simulation:
        found = [simulation.snapshot]
        for _ in range(ticks):
            simulation.step(inputs)
            found.append(simulation.snapshot)
        return found


def first(snapshot: Snapshot) -> CreatureState:
    return snapshot.creatures[0]


def upright(snapshot: Snapshot) -> float:
    """Cosine of the angle of its body against up."""
    return float(rotation_matrices(first(snapshot).segments["orientation"][0])[2, 2])


def way(found: list[Snapshot]) -> float:
    places = np.array([first(snapshot).body.position for snapshot in found])
    return float(np.linalg.norm(np.diff(places[:, :2], axis=0), axis=1).sum())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("creature", "world"),
    [("hexapod", "stairs"), ("ant", "meadow"), ("crab", "hills"), ("centipede", "meadow")],
)
def test_it_walks_as_far_as_without_forces(creature: str, world: str) -> None:
    scenes = scene(world, creature), physical(world, creature)
    without, found = (run(one, 240) for one in scenes)
    assert 0.9 < way(found) / way(without) < 1.15
    assert min(map(upright, found)) > 0.7
    (track,) = tracks(found, 60)
    with Simulation(scenes[0]) as simulation:
        metrics = score_track(track, Surface(simulation.physics), scenes[1])
    assert metrics["M40"].verdict == "excellent"
    assert metrics["M39"].verdict != "fail"
    assert metrics["M38"].value is not None
    assert 0.05 < metrics["M38"].value < 5.0
    assert metrics["M6"].verdict != "fail"


@pytest.mark.slow
def test_feet_hardly_slip() -> None:
    found = run(physical(), 240)
    parts = [first(snapshot).herd.parts for snapshot in found]
    tips = np.array([part["twin"]["tips"][0] for part in parts])
    stands = np.array([part["foot_target"]["records"]["phase"][0] == STANDING for part in parts])
    touches = np.array([part["twin"]["contacts"][0] == 1 for part in parts])
    both = (stands & touches)[1:] & (stands & touches)[:-1]
    steps = (stands[1:] & ~stands[:-1]).sum()
    slip = np.linalg.norm(np.diff(tips, axis=0), axis=-1)[both].sum()
    assert slip / steps < 0.01 * 0.65


@pytest.mark.slow
def test_it_turns_round_and_round() -> None:
    """Quaternions of one direction have two signs: nothing jumps where they change."""
    found = run(physical(terrain=LEVEL), 480, Input.of([(0, FULL, 0)]))
    ahead = np.array(
        [rotation_matrices(first(one).segments["orientation"][0])[:2, 0] for one in found]
    )
    turns = np.unwrap(np.arctan2(ahead[:, 1], ahead[:, 0]))
    assert turns[-1] > 2.2 * np.pi
    assert np.abs(np.diff(turns)).max() < 0.06
    assert min(map(upright, found)) > 0.98


def test_kinematic_creatures_have_no_costs() -> None:
    (track,) = tracks(run(scene("meadow", "hexapod"), 60), 60)
    with Simulation(scene("meadow", "hexapod")) as simulation:
        metrics = score_track(track, Surface(simulation.physics), scene("meadow", "hexapod"))
    assert {metrics[key].verdict for key in ("M38", "M39", "M40")} == {"n/a"}


@pytest.mark.slow
@pytest.mark.parametrize("side", range(4))
def test_a_push_is_walked_off(side: int) -> None:
    """Of the root of g L over 3: within two strides it goes on as before."""
    size, angle = sqrt(9.81 * 0.65) / 3.0, 0.5 * pi * side
    push = Event("push", 0, velocity=(size * cos(angle), size * sin(angle), 0.0))
    found = []
    with Simulation(physical(terrain=LEVEL)) as simulation:
        for tick in range(240):
            simulation.step(Input.of([(FULL, 0, 0)], [push] if tick == 120 else []))
            base = first(simulation.snapshot).herd.parts["twin"]["records"][0]
            found.append(np.array(base["velocity"][:2]))
        assert upright(simulation.snapshot) > 0.95
    speeds = np.array(found)
    steady = speeds[60:120].mean(axis=0)
    assert np.linalg.norm(speeds[120] - speeds[119]) > 0.4 * size  # it is pushed
    for begin in range(180, 240, 20):
        off = speeds[begin : begin + 20].mean(axis=0) - steady
        assert np.linalg.norm(off) < 0.1 * np.linalg.norm(steady)


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["ant", "spider4", "biped"])
def test_half_its_mass_is_carried(creature: str) -> None:
    """As a box on its back: nobody falls, and it is as fast as without forces."""
    plan = load_creature(creature)
    motion = plan.motion.model_copy(update={"load": 0.5})
    world = with_creature(load_world("meadow"), plan.model_copy(update={"motion": motion}))
    world = world.model_copy(update={"terrain": LEVEL})
    ahead = Input.of([(1.0, 0, 0)])
    without, found = run(world, 480, ahead), run(with_twins(world), 480, ahead)
    base = first(found[-1]).herd.parts["twin"]["records"][0]
    assert base["fall_count"] == 0
    assert min(map(upright, found)) > 0.95
    assert way(found) > (0.85 if creature == "biped" else 0.9) * way(without)  # it sets out slowly
    forces = np.array([first(one).herd.parts["twin"]["forces"][0].sum(axis=0) for one in found])
    assert forces[120:, 2].mean() == pytest.approx(1.5 * plan.body.mass * 9.81, rel=0.1)


@pytest.mark.slow
def test_weight_is_on_the_feet() -> None:
    """At rest the ground carries what it weighs, and motors bear that."""
    found = run(physical(), 120, STILL)
    forces = np.array([first(one).herd.parts["twin"]["forces"][0].sum(axis=0) for one in found])
    weight = 9.81 * load_creature("hexapod").body.mass
    assert np.mean(forces[60:, 2]) == pytest.approx(weight, rel=0.05)
    base = first(found[-1]).herd.parts["twin"]["records"][0]
    assert np.linalg.norm(base["position"] - base["goal_position"]) < 0.005
    assert np.linalg.norm(base["velocity"]) < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("side", range(4))
def test_two_legs_stand_on_their_soles(side: int) -> None:
    push = Event("push", 0, velocity=(0.2 * cos(0.5 * pi * side), 0.2 * sin(0.5 * pi * side), 0.0))
    with Simulation(physical(creature="biped", terrain=LEVEL)) as simulation:
        for tick in range(180):
            simulation.step(Input.of([()], [push] if tick == 60 else []))
        assert upright(simulation.snapshot) > 0.98
        assert np.linalg.norm(first(simulation.snapshot).body.position[:2]) < 0.05


@pytest.mark.slow
def test_who_falls_stays_near_the_ground() -> None:
    """No step of the springs adds energy that no motor has: a fall is no flight."""
    found = []
    with Simulation(physical(creature="biped", terrain=LEVEL)) as simulation:
        for tick in range(240):
            pushes = [Event("push", 0, velocity=(0.0, 2.5, 0.0))] if tick == 90 else []
            simulation.step(Input.of([(1.0, 0, 0)], pushes))
            found.append(simulation.snapshot)
    assert min(map(upright, found)) < 0.5  # it does fall
    assert max(float(first(one).body.position[2]) for one in found) < 0.8


@pytest.mark.slow
def test_a_body_without_motors_falls() -> None:
    world = physical()
    with Simulation(world) as simulation:
        with simulation.context():
            ((_, twins),) = esper.get_component(Twins)
        gains = twins.machine.gains
        for array in (gains.stiffness, gains.damping):
            array[:] = 0.0
        gains.effort[:] = 1e-9
        for _ in range(60):
            simulation.step(STILL)
        height = float(first(simulation.snapshot).body.position[2])
    assert height < run(world, 60, STILL)[-1].creatures[0].body.position[2] - 0.1


@pytest.mark.slow
def test_crates_are_pushed_and_stop_nobody() -> None:
    crate: dict[str, Any] = {"shape": "box", "size": [0.3, 0.6, 0.3], "position": [1.2, 0.0, 0.15]}
    crate |= {"motion": "dynamic", "mass": 0.3}
    found = run(
        physical("meadow", terrain=LEVEL, props=(PropDef.model_validate(crate),)), 240, AHEAD
    )
    assert found[-1].props is not None
    assert found[-1].props.records["position"][0, 0] > 1.5
    assert upright(found[-1]) > 0.9


@pytest.mark.slow
def test_it_stands_on_what_moves() -> None:
    lift: dict[str, Any] = {"shape": "box", "size": [2.0, 2.0, 0.2], "motion": "kinematic"}
    lift |= {"waypoints": [[0.0, 0.0, 0.1], [0.0, 0.0, 0.4], [0.0, 0.0, 0.1]], "period": 4.0}
    found = run(
        physical("meadow", terrain=LEVEL, props=(PropDef.model_validate(lift),)), 120, STILL
    )
    heights = np.array([first(one).body.position[2] for one in found])
    assert heights.max() - heights[0] == pytest.approx(0.3, abs=0.03)
    assert upright(found[-1]) > 0.95


@pytest.mark.slow
def test_those_that_forces_move_are_a_herd_of_their_own() -> None:
    world = scene("meadow", "hexapod", terrain=LEVEL)
    twin = PlacementDef(creature="hexapod", physical=True)
    other = PlacementDef(creature="hexapod", position=(-1.4, 0.0))
    world = world.model_copy(update={"creatures": (twin, other)})
    with Simulation(world) as simulation:
        for _ in range(60):
            simulation.step(Input.of([(), ()]))
        assert len(simulation.snapshot.herds) == 2
        names = [set(herd.parts) for herd in simulation.snapshot.herds]
    assert ["twin" in parts for parts in names] == [True, False]


@pytest.mark.slow
def test_the_same_run_is_the_same_in_another_process_and_after_others() -> None:
    world = physical("hills")
    expected = run(world, 60)[-1].digest
    run(physical("stairs", "spider4"), 30)
    assert run(world, 60)[-1].digest == expected
    code = (
        "from tests.twin.test_twins import physical, run\n"
        "print(run(physical('hills'), 60)[-1].digest)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1] == expected


@pytest.mark.slow
def test_a_reset_begins_again() -> None:
    with Simulation(physical()) as simulation:
        begin = first(simulation.snapshot)
        for _ in range(60):
            simulation.step(AHEAD)
        simulation.step(Input.of([()], [Event("reset", 0)]))
        now = first(simulation.snapshot)
        moved = np.linalg.norm(now.body.position - begin.body.position)
        assert moved < 0.01
        for _ in range(30):
            simulation.step(STILL)
        assert upright(simulation.snapshot) > 0.9


@pytest.mark.slow
def test_a_recording_is_verified_and_says_where(tmp_path: Path) -> None:
    path = tmp_path / "twin.mcap"
    record(physical(), path, ticks=90)
    assert verify(path).ok
    replay = open_replay(path)
    assert replay.metadata["exactness"] == "machine"
    assert replay.world.creatures[0].physical


def test_pushes_of_one_tick_add_up() -> None:
    """Only the last one counted."""
    found = []
    for speeds in ((0.5, 0.25), (0.75,)):
        events = [Event("push", 0, velocity=(0.0, speed, 0.0)) for speed in speeds]
        with Simulation(physical()) as simulation:
            simulation.step(Input.of([()], events))
            found.append(simulation.digest)
    assert found[0] == found[1]


@pytest.mark.slow
def test_creatures_come_and_go_beside_it() -> None:
    with Simulation(physical()) as simulation:
        simulation.step(AHEAD)
        number = simulation.spawn(load_creature("hexapod"), (2.0, 2.0))
        for _ in range(30):
            simulation.step(Input.of([(FULL, 0, 0), ()]))
        simulation.remove(0)
        for _ in range(10):
            simulation.step(Input.of([(), ()]))
        assert [one.number for one in simulation.snapshot.creatures] == [number]
        with simulation.context():
            assert all(not twins.bodies for _, twins in esper.get_component(Twins))


@pytest.mark.slow
def test_one_that_comes_is_told_its_angles_at_once() -> None:
    hexapod = load_creature("hexapod")
    placement = PlacementDef(creature="hexapod", position=(2.0, 2.0), physical=True)
    comes = Event("spawn", 1, definition=hexapod, placement=placement)
    with Simulation(physical()) as simulation:
        count = len(machine_of(hexapod, None).robot.joints)
        wrong = Event("set_joints", 1, angles=(0.1,) * (count + 1))
        with pytest.raises(DefinitionError, match=rf"events\[1\].angles: expected {count} numbers"):
            simulation.step(Input.of([(), ()], (comes, wrong)))
        assert len(simulation.snapshot.creatures) == 1
        simulation.step(Input.of([(), ()], (comes, replace(wrong, angles=(0.1,) * count))))
        assert len(simulation.snapshot.creatures) == 2


@pytest.mark.slow
def test_ground_without_end_carries_it() -> None:
    found = run(with_twins(with_creature(load_world("endless"), "hexapod")), 120, AHEAD)
    assert upright(found[-1]) > 0.8
    assert way(found) > 0.8


@pytest.mark.slow
def test_the_command_line_lets_forces_move_them() -> None:
    done = sim("run", "meadow", "--physical", "--headless", "--ticks", "30", "--json")
    told = json.loads(done.stdout)
    assert told["digest"] == run(with_twins(load_world("meadow")), 30)[-1].digest
    assert told["digest"] != run(load_world("meadow"), 30)[-1].digest


def test_a_planet_is_refused() -> None:
    with pytest.raises(DefinitionError, match=r"creatures\[0\]\.physical: .* found a planet"):
        Simulation(with_twins(load_world("planet")))


def test_a_world_without_twins_has_no_stage() -> None:
    with Simulation(scene("meadow", "hexapod")) as simulation, simulation.context():
        assert not esper.get_component(Stage)

"""Props: feet and bodies that go with what they stand on, things that are pushed, their replays."""

from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from creature_sim.components import GROUND, STANDING, PropRecord, Props, zeros
from creature_sim.definitions import PropDef, WorldDef, explain
from creature_sim.ground.rays import Physics
from creature_sim.inputs import Event, Input
from creature_sim.library.loader import load_creature, load_world
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.props.rays import cast, depths_within
from creature_sim.props.shapes import orientation_of, solids_of
from creature_sim.replay import open_replay, provenance, record, verify
from creature_sim.score.run import score_run
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import blend, pose_of
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.terrain import build_terrain
from tests.marks import THOROUGH, quick_of
from tests.replay.messages import rounding
from tests.scenes import at_rest
from tests.terrain_kinds import KINDS

FERRY: dict[str, Any] = {
    "shape": "box",
    "size": [3.0, 3.0, 0.2],
    "motion": "kinematic",
    "waypoints": [[0.0, 0.0, 0.3], [3.0, 1.0, 0.5], [4.0, -2.0, 0.3], [1.0, -3.0, 0.8]],
    "period": 12.0,
}
CRATE: dict[str, Any] = {
    "shape": "box",
    "size": [0.4, 0.4, 0.4],
    "position": [1.2, 0.1, 0.2],
    "motion": "dynamic",
    "mass": 2.0,
}
BALL: dict[str, Any] = {
    "shape": "ball",
    "radius": 0.12,
    "position": [1.0, 0.05, 0.12],
    "motion": "dynamic",
    "mass": 0.5,
}


def world_of(*props: dict[str, Any], creature: str = "hexapod", **changes: Any) -> WorldDef:
    table = {
        "name": "props",
        "terrain": {"kind": "flat"},
        "driver": "stop 60",
        "creatures": [{"creature": creature}],
        "species": {creature: load_creature(creature).model_dump()},
        "props": props,
    }
    return WorldDef.model_validate(table | changes)


def run(world: WorldDef, ticks: int) -> list[Snapshot]:
    with Simulation(world) as simulation:
        found = [simulation.snapshot]
        for _ in range(ticks):
            simulation.step()
            found.append(simulation.snapshot)
        return found


def prop_of(snapshot: Snapshot, index: int = 0) -> Any:
    assert snapshot.props is not None
    return snapshot.props.records[index]


def local(prop: Any, points: Floats) -> Floats:
    """Points (..., 3) of the world in the frame of a prop."""
    found: Floats = (points - prop["position"]) @ rotation_matrices(prop["orientation"])
    return found


@cache
def plain() -> Physics:
    """Level ground, uploaded once."""
    return Physics(build_terrain(KINDS["flat"], 0))


def hits(props: list[dict[str, Any]], starts: Any, ends: Any) -> tuple[Floats, Floats, Any]:
    """Points, normals and prop numbers that rays find on level ground with props."""
    written = tuple(PropDef.model_validate(prop) for prop in props)
    records = zeros(PropRecord, len(written))
    for placed, prop in zip(records, written, strict=True):
        placed.position[:], placed.orientation[:] = prop.position, orientation_of(prop)
    starts, ends = np.array(starts, float), np.array(ends, float) + 0.0 * np.array(starts)
    fractions, normals, numbers = cast(plain(), (solids_of(written), Props(records)), starts, ends)
    return starts + (ends - starts) * fractions[:, None], normals, numbers


# --- rays ---------------------------------------------------------------------------------------


def test_depths_within_props() -> None:
    written = [
        {"shape": "box", "size": [1.0, 2.0, 4.0], "position": [0.0, 0.0, 2.0]},
        {"shape": "ball", "radius": 0.5, "position": [3.0, 0.0, 0.5]},
    ]
    definitions = tuple(PropDef.model_validate(prop) for prop in written)
    records = zeros(PropRecord, 2)
    for placed, prop in zip(records, definitions, strict=True):
        placed.position[:], placed.orientation[:] = prop.position, orientation_of(prop)
    solids = solids_of(definitions)
    points = np.array(
        [(0.4, 0.0, 1.0), (0.0, 0.7, 3.9), (0.6, 0.0, 1.0), (3.0, 0.1, 0.5), (3.5, 0.4, 0.5)]
    )
    depths = depths_within(solids.records, solids.planes, records, points)
    assert depths == pytest.approx([0.1, 0.1, 0.0, 0.4, 0.0])


def test_rays_tell_which_prop_they_hit() -> None:
    props: list[dict[str, Any]] = [
        {"shape": "box", "size": [1.0, 2.0, 0.4], "position": [0.0, 0.0, 0.2]},
        {"shape": "ball", "radius": 0.5, "position": [3.0, 0.0, 0.5]},
        {"shape": "plank", "size": [2.0, 1.0, 0.1], "position": [0.0, 0.0, 1.0]},
    ]
    starts = np.array([(0.0, 0.9, 5.0), (3.0, 0.0, 5.0), (0.9, 0.0, 5.0), (9.0, 0.0, 5.0)])
    points, normals, numbers = hits(props, starts, starts - np.array([0.0, 0.0, 9.0]))
    assert numbers.tolist() == [0, 1, 2, GROUND]
    assert points[:, 2] == pytest.approx([0.4, 1.0, 1.05, 0.0], abs=1e-12)
    assert normals == pytest.approx(np.array([(0.0, 0.0, 1.0)] * 4))
    points, normals, numbers = hits(props, [(0.0, 0.0, 0.7)], [(0.0, 0.0, 9.0)])
    assert numbers.tolist() == [2]  # from below, its underside
    assert normals[0] == pytest.approx((0.0, 0.0, -1.0))
    assert points[0, 2] == pytest.approx(0.95, abs=1e-12)


def test_a_ball_answers_rays_towards_its_middle_with_its_radius() -> None:
    away = np.random.default_rng(1).normal(size=(1000, 3))
    away /= np.linalg.norm(away, axis=1)[:, None]
    middle = np.array([1.0, -2.0, 4.0])
    ball = {"shape": "ball", "radius": 0.7, "position": middle.tolist()}
    points, normals, numbers = hits([ball], middle + 3.0 * away, middle)
    assert (numbers == 0).all()
    assert points == pytest.approx(middle + 0.7 * away, abs=1e-12)
    assert normals == pytest.approx(away, abs=1e-12)


turns = st.tuples(*(st.floats(-3.0, 3.0) for _ in range(3)))


@pytest.mark.slow
@given(turns, st.sampled_from(("box", "ramp")), st.integers(0, 1000))
def test_turned_props_answer_as_they_do_unturned(
    rotation: tuple[float, float, float], shape: str, seed: int
) -> None:
    middle = np.array([0.3, -0.2, 9.0])
    plain = {"shape": shape, "size": [1.0, 0.6, 0.4], "position": [0.0, 0.0, 9.0]}
    turned = plain | {"position": middle.tolist(), "rotation": list(rotation)}
    rng = np.random.default_rng(seed)
    starts, ends = 2.0 * rng.normal(size=(20, 3)), 0.3 * rng.normal(size=(20, 3))
    turn = rotation_matrices(np.array(orientation_of(PropDef.model_validate(turned))))
    up = np.array([0.0, 0.0, 9.0])
    points, normals, numbers = hits([plain], starts + up, ends + up)
    again = hits([turned], starts @ turn.T + middle, ends @ turn.T + middle)
    assert again[2].tolist() == numbers.tolist()
    assert again[0] == pytest.approx((points - up) @ turn.T + middle, abs=1e-9)
    found = numbers == 0
    assert again[1][found] == pytest.approx(normals[found] @ turn.T, abs=1e-9)


def test_a_ramp_rises_along_its_x() -> None:
    ramp = {"shape": "ramp", "size": [2.0, 1.0, 0.5], "position": [0.0, 0.0, 0.25]}
    x = np.linspace(-0.99, 0.99, 50)
    starts = np.stack((x, 0.3 * x, np.full(50, 5.0)), axis=-1)
    points, normals, numbers = hits([ramp], starts, starts - np.array([0.0, 0.0, 9.0]))
    assert (numbers == 0).all()
    assert points[:, 2] == pytest.approx(0.25 * (x + 1.0), abs=1e-12)
    assert normals[0] == pytest.approx(np.array([-0.25, 0.0, 1.0]) / np.hypot(0.25, 1.0))


# --- riding -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "creature",
    quick_of(["hexapod", "spider4", "biped", "centipede"], "hexapod", "centipede"),
)
def test_a_creature_that_stands_on_a_platform_keeps_still_against_it(creature: str) -> None:
    ferry = FERRY | {"size": [4.0, 3.0, 0.2]}
    snapshots = run(at_rest(world_of(ferry, creature=creature)), 900)
    first = snapshots[60].creatures[0]  # whoever spawns may settle
    begin = prop_of(snapshots[60])
    for snapshot in snapshots[60:]:
        creature_now, prop = snapshot.creatures[0], prop_of(snapshot)
        assert (creature_now.feet["prop"] == 0).all()
        for now, then in (
            (creature_now.feet["position"], first.feet["position"]),
            (creature_now.tips, first.tips),
            (creature_now.segments["position"], first.segments["position"]),
        ):
            assert abs(local(prop, now) - local(begin, then)).max() < 1e-9
    way = np.array([prop_of(snapshot)["position"] for snapshot in snapshots])
    assert np.ptp(way, axis=0).min() > 0.4


@pytest.mark.slow
def test_feet_that_walk_on_a_platform_do_not_slip_over_it() -> None:
    world = world_of(FERRY, driver="left 60")
    snapshots = run(world, 900)
    feet = np.array([snapshot.creatures[0].feet for snapshot in snapshots])
    swung = (feet["phase"] != STANDING).any(axis=0)
    assert swung.all()
    slips = []
    for before, after in pairwise(snapshots):
        a, b = before.creatures[0].feet, after.creatures[0].feet
        stands = (a["phase"] == STANDING) & (b["phase"] == STANDING)
        was, now = local(prop_of(before), a["position"]), local(prop_of(after), b["position"])
        assert (b["prop"][stands] == 0).all()
        slips.append(abs(was - now)[stands].max(initial=0.0))
        assert local(prop_of(after), after.creatures[0].tips)[stands, 2] == pytest.approx(0.1)
    assert max(slips) < 1e-9


@pytest.mark.slow
def test_a_path_goes_through_its_waypoints_and_depends_on_the_tick_alone() -> None:
    snapshots = run(world_of(FERRY | {"phase": 0.25}), 720)
    places = [prop_of(snapshot)["position"] for snapshot in snapshots]
    expected = [*FERRY["waypoints"][1:], *FERRY["waypoints"][:2]]
    for index, waypoint in enumerate(expected):
        assert places[180 * index] == pytest.approx(waypoint, abs=1e-12)
    # Between two of them lies the uniform Catmull-Rom curve of the four around.
    a, b, c, d = (np.array(FERRY["waypoints"][k]) for k in (0, 1, 2, 3))
    for t in (0.25, 0.5, 0.9):
        square, cube = (2 * a - 5 * b + 4 * c - d) * t**2, (3 * b - a - 3 * c + d) * t**3
        curve = 0.5 * (2 * b + (c - a) * t + square + cube)
        assert places[round(180 * t)] == pytest.approx(curve, abs=1e-12)
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=1) * 60.0
    velocities = [np.linalg.norm(prop_of(snapshot)["velocity"]) for snapshot in snapshots[1:]]
    assert velocities == pytest.approx(speeds, abs=1e-9)


@pytest.mark.slow
def test_a_creature_walks_onto_a_moving_platform_and_off_again() -> None:
    whole = load_world("platforms")
    kept = tuple(prop for prop in whole.props if prop.motion != "dynamic")
    world = whole.model_copy(update={"props": kept, "creatures": whole.creatures[:1]})
    snapshots = run(world, 2520)
    walker = [snapshot.creatures[0] for snapshot in snapshots]
    ridden = np.array([(creature.feet["prop"] == 2).all() for creature in walker])
    assert ridden.sum() > 900
    assert (walker[-1].feet["prop"] == GROUND).all()
    assert walker[-1].position[0] > 16.0
    with Simulation(world) as simulation:
        metrics = score_run(simulation, [Input.of([(1.0,)])] * 300)[0][1]
    for number in ("M1", "M2", "M3", "M4", "M5", "M6", "M7"):
        assert metrics[number].verdict == "excellent", number


def test_a_reset_puts_a_rider_back_onto_its_platform() -> None:
    world = world_of(FERRY)
    with Simulation(world) as simulation:
        start = simulation.snapshot
        for _ in range(200):
            simulation.step()
        simulation.step(Input.of([()], [Event("reset", creature=0)]))
        now = simulation.snapshot
        for then_feet, feet in (
            (start.creatures[0].feet["position"], now.creatures[0].feet["position"]),
            (start.creatures[0].position, now.creatures[0].position),
        ):
            assert local(prop_of(now), feet) == pytest.approx(
                local(prop_of(start), then_feet), abs=1e-6
            )


# --- pushing ------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    "prop",
    [
        CRATE,
        BALL,
        CRATE | {"mass": 20.0},
        CRATE | {"size": [0.6, 0.6, 0.6], "position": [1.2, 0.1, 0.3]},
    ],
)
def test_what_is_dynamic_is_pushed_along_and_not_run_through(prop: dict[str, Any]) -> None:
    snapshots = run(world_of(prop, driver="forward 60"), 600)
    start, end = prop_of(snapshots[0]), prop_of(snapshots[-1])
    assert end["position"][0] > start["position"][0] + 0.5
    half = 0.5 * np.array(prop["size"]) if "size" in prop else np.full(3, prop["radius"])
    corners = np.array(np.meshgrid(*[(-1.0, 1.0)] * 3)).reshape(3, -1).T * half
    for snapshot in snapshots:
        record, creature = prop_of(snapshot), snapshot.creatures[0]
        assert np.isfinite([*record["position"], *record["velocity"]]).all()
        lowest = record["position"][2] - half[2]
        if prop["shape"] == "box":
            turned = corners @ rotation_matrices(record["orientation"]).T
            lowest = (turned + record["position"])[:, 2].min()
        assert lowest > -0.06 * 2.0 * half[2]  # in the ground, where it tumbles or is kicked
        inside = abs(local(record, creature.segments["position"])) < half
        assert not inside.all(axis=-1).any()


@pytest.mark.slow
def test_what_nobody_pushes_comes_to_rest_on_the_ground() -> None:
    props = [
        CRATE | {"position": [5.0, 0.0, 1.0], "rotation": [0.3, 0.2, 0.1]},
        BALL | {"position": [5.0, 3.0, 1.0]},
        FERRY | {"waypoints": [[-5.0, 0.0, 0.3], [-7.0, 0.0, 0.3]], "period": 20.0},
        CRATE | {"position": [-5.0, 0.0, 0.7]},
    ]
    last = run(world_of(*props), 360)[-1]
    crate, ball, ferry, rider = (prop_of(last, index) for index in range(4))
    assert crate["position"][2] == pytest.approx(0.2, abs=0.005)
    assert abs(crate["velocity"]).max() < 0.01
    assert ball["position"][2] == pytest.approx(0.12, abs=0.005)
    assert rider["position"][2] == pytest.approx(0.6, abs=0.005)  # friction takes it along
    assert rider["position"][0] == pytest.approx(ferry["position"][0], abs=0.1)


@pytest.mark.slow
def test_feet_stand_on_a_heavy_crate_that_nobody_moves() -> None:
    crate = CRATE | {"size": [3.0, 3.0, 0.3], "position": [0.0, 0.0, 0.15], "mass": 50.0}
    snapshots = run(world_of(crate), 240)
    first, last = snapshots[60], snapshots[-1]
    assert (last.creatures[0].feet["prop"] == 0).all()
    drift = local(prop_of(last), last.creatures[0].tips) - local(
        prop_of(first), first.creatures[0].tips
    )
    assert abs(drift).max() < 1e-9
    assert abs(prop_of(last)["position"] - prop_of(first)["position"]).max() < 1e-3


def see_saw(mass: float) -> list[dict[str, Any]]:
    pivot = {"shape": "ramp", "size": [0.6, 1.8, 0.2]}
    plank = {"shape": "plank", "size": [3.0, 1.6, 0.04], "motion": "dynamic"}
    return [
        plank | {"position": [2.6, 0.0, 0.23], "mass": mass},
        pivot | {"position": [2.3, 0.0, 0.1]},
        pivot | {"position": [2.9, 0.0, 0.1], "rotation": [0.0, 0.0, 3.1415926]},
    ]


def pitch(prop: Any) -> float:
    """How much the X of a prop rises, as a sine."""
    return float(rotation_matrices(prop["orientation"])[2, 0])


@pytest.mark.slow
@pytest.mark.parametrize("mass", [1.0, 6.0])
def test_a_plank_tips_under_whoever_walks_over_it(mass: float) -> None:
    snapshots = run(world_of(*see_saw(mass), driver="forward 60"), 480)
    tilts = np.array([pitch(prop_of(snapshot)) for snapshot in snapshots])
    riders = [(snapshot.creatures[0].feet["prop"] == 0).sum() for snapshot in snapshots]
    places = np.array([snapshot.creatures[0].position[0] for snapshot in snapshots])
    assert max(riders) == 6
    assert abs(tilts[30]) < 0.01  # level, before somebody comes
    assert (tilts[(places > 1.7) & (places < 2.2)] > 0.1).all()  # its near end is down
    assert (tilts[(places > 3.1) & (places < 3.5)] < -0.1).all()
    for snapshot in snapshots[1:]:
        feet = snapshot.creatures[0].feet
        stands = (feet["phase"] == STANDING) & (feet["prop"] == 0)
        own = local(prop_of(snapshot), snapshot.creatures[0].tips)[stands]
        assert own[:, 2] == pytest.approx(0.02, abs=1e-9)


@pytest.mark.slow
def test_who_stands_on_a_plank_that_lies_on_the_ground_presses_it_nowhere() -> None:
    plank = CRATE | {"size": [3.0, 2.0, 0.04], "position": [0.0, 0.0, 0.02], "mass": 0.5}
    last = prop_of(run(world_of(plank, creature="centipede"), 240)[-1])
    assert last["position"][2] == pytest.approx(0.02, abs=0.003)
    assert abs(last["velocity"]).max() < 0.01


@pytest.mark.slow
@pytest.mark.parametrize(
    ("creature", "radius", "mass"),
    [
        ("hexapod", 0.1, 0.3),
        ("hexapod", 0.15, 20.0),
        pytest.param("hexapod", 0.15, 1.0, marks=THOROUGH),
        pytest.param("spider4", 0.15, 20.0, marks=THOROUGH),
        pytest.param("spider4", 0.1, 0.3, marks=THOROUGH),
        pytest.param("spider4", 0.15, 1.0, marks=THOROUGH),
    ],
)
def test_a_field_of_balls_is_crossed(creature: str, radius: float, mass: float) -> None:
    rng = np.random.default_rng(0)
    places: list[Floats] = []
    while len(places) < 25:
        place = rng.uniform((1.0, -0.8), (5.0, 0.8))
        if all(np.linalg.norm(place - other) > 2.1 * radius for other in places):
            places.append(place)
    balls = [
        BALL | {"radius": radius, "mass": mass, "position": [*place.tolist(), radius]}
        for place in places
    ]
    snapshots = run(world_of(*balls, creature=creature, driver="forward 60"), 540)
    trodden = 0
    for snapshot in snapshots:
        creature_now = snapshot.creatures[0]
        feet, tips = creature_now.feet, creature_now.tips
        stands = feet["phase"] == STANDING
        trodden += ((feet["prop"] >= 0) & stands).sum()
        off = abs(tips - feet["position"])
        assert off[stands].max(initial=0.0) < 1e-6  # no leg is drawn out
        assert off.max() < 0.05
        assert tips[:, 2].min() > -1e-6
        assert creature_now.position[2] > 0.1
    assert trodden > 3
    assert snapshots[-1].creatures[0].position[0] > (4.5 if mass < 10.0 else 3.0)


@pytest.mark.slow
def test_a_reset_puts_what_was_pushed_back(tmp_path: Path) -> None:
    def drive(snapshot: Snapshot) -> Input:
        events = [Event("reset_props"), Event("reset", 0)] if snapshot.tick == 200 else []
        return Input.of([(1.0,)], events)

    ferry = FERRY | {"waypoints": [[0.0, 6.0, 0.3], [3.0, 6.0, 0.3]]}
    world = world_of(CRATE, BALL | {"position": [1.0, -0.5, 0.12]}, ferry)
    path = tmp_path / "reset.mcap"
    record(world, path, 210, driver=drive)
    again = open_replay(path)
    assert again.inputs[200].events == (Event("reset_props"), Event("reset", 0))
    assert verify(again).ok is True
    with Simulation(world) as simulation:
        places = [simulation.snapshot.props.records["position"]]
        for _ in range(320):
            simulation.step(drive(simulation.snapshot))
            places.append(simulation.snapshot.props.records["position"])
    found = np.array(places)
    assert np.linalg.norm(found[200, 0] - CRATE["position"]) > 0.3
    # From there it goes as it did at first; what follows a path does not mind.
    assert found[201:261, :2] == pytest.approx(found[1:61, :2], abs=0.02)
    assert np.linalg.norm(np.diff(found[:, 2], axis=0), axis=1).max() < 0.1


# --- exactness and replays ----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("props", [[FERRY], [CRATE, BALL]])
def test_two_runs_are_equal_to_the_bit(props: list[dict[str, Any]]) -> None:
    world = world_of(*props, driver="wander")
    assert [s.digest for s in run(world, 240)] == [s.digest for s in run(world, 240)]


HILLS = {"kind": "hills", "amplitude": 0.2, "wavelength": 12.0, "octaves": 3, "endless": True}


@pytest.mark.slow
def test_things_are_pushed_on_endless_ground_as_on_ground_with_a_border() -> None:
    crate, ball = CRATE | {"position": [1.2, 0.1, 1.0]}, BALL | {"position": [-6.0, 3.0, 1.0]}
    ends = []
    for is_endless in (True, False):
        terrain = HILLS | {"endless": is_endless}
        last = run(world_of(crate, ball, terrain=terrain, driver="forward 60"), 135)[-1]
        ends.append([prop_of(last, index)["position"] for index in range(2)])
    assert np.linalg.norm(ends[0][0] - np.array(crate["position"])) > 0.5
    assert np.array(ends[0]) == pytest.approx(np.array(ends[1]), abs=0.1)


@pytest.mark.slow
def test_things_rest_on_endless_ground_far_from_everybody_and_across_its_chunks() -> None:
    places = [(9_600.0, -8_000.0), (16.0, 16.0), (-15.9, 160.0), (5000.0, 0.0)]
    crates = [CRATE | {"position": [x, y, 0.3]} for x, y in places]
    plank = CRATE | {"size": [40.0, 1.0, 0.1], "position": [-640.0, 640.0, 0.1]}
    last = run(world_of(*crates, plank, terrain={"kind": "flat", "endless": True}), 150)[-1]
    for index, (x, y) in enumerate(places):
        found = prop_of(last, index)
        assert found["position"] == pytest.approx((x, y, 0.2), abs=0.005)
    assert prop_of(last, 4)["position"] == pytest.approx((-640.0, 640.0, 0.05), abs=0.005)


@pytest.mark.slow
def test_who_looks_at_endless_ground_changes_nothing_of_what_is_pushed() -> None:
    world = world_of(CRATE, BALL, terrain=HILLS, driver="forward 60")
    expected = [snapshot.digest for snapshot in run(world, 120)]
    found = []
    with Simulation(world) as simulation:
        found.append(simulation.digest)
        for tick in range(120):
            start = np.array([[200.0 * tick, -100.0 * tick, 50.0]])
            simulation.physics.cast(start, start - np.array([0.0, 0.0, 100.0]))
            simulation.step()
            found.append(simulation.digest)
    assert found == expected


def test_a_prop_that_moves_elsewhere_changes_the_digest() -> None:
    far = FERRY | {"waypoints": [[20.0, 0.0, 0.3], [22.0, 0.0, 0.3]]}
    one, two = (run(world_of(far | {"phase": phase}), 3)[-1] for phase in (0.0, 0.1))
    assert one.digests == two.digests
    assert one.digest != two.digest


@pytest.mark.slow
def test_a_replay_of_props_verifies_from_its_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "platforms.mcap"
    world = load_world("platforms")
    record(world, path, 120)
    opened = open_replay(path)
    assert opened.metadata["exactness"] == "machine"
    assert verify(opened).ok is True
    recorded = opened.poses[-1].props
    assert recorded.positions == pytest.approx(
        pose_of(run(world, 120)[-1]).props.positions, rel=0.0, abs=rounding(world)
    )
    assert len(recorded.orientations) == len(world.props)


@pytest.mark.slow
def test_dynamics_of_another_machine_cannot_be_verified_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved, pushed = tmp_path / "moved.mcap", tmp_path / "pushed.mcap"
    monkeypatch.setattr(provenance, "computer", lambda: "an abacus")
    record(world_of(FERRY), moved, 30)
    record(world_of(CRATE), pushed, 30)
    monkeypatch.undo()
    assert open_replay(moved).metadata["exactness"] == "everywhere"
    assert verify(moved).ok is True
    found = verify(pushed)
    assert found.ok is None
    assert "an abacus" in found.reason
    assert "one machine only" in found.reason


def test_poses_between_two_ticks_have_props_between() -> None:
    a, b = (pose_of(snapshot) for snapshot in run(world_of(FERRY), 1))
    middle = blend(a, b, 0.5)
    assert middle.props.positions == pytest.approx(0.5 * (a.props.positions + b.props.positions))
    assert np.linalg.norm(middle.props.orientations, axis=1) == pytest.approx(1.0)


# --- definitions --------------------------------------------------------------------------------


BAD: list[tuple[dict[str, Any], str]] = [
    ({"shape": "cone"},
     "shape: expected 'box', 'plank', 'ramp', 'ball' or 'cylinder', found 'cone'"),
    ({"size": [1.0, -1.0, 1.0]}, "size[1]: expected at least 0.01, found -1.0"),
    ({"size": None}, "size: expected three lengths where shape is 'box', found none"),
    ({"radius": 1.0}, "radius: expected none where shape is 'box', found 1.0"),
    ({"mass": None}, "mass: expected a mass where motion is 'dynamic', found none"),
    ({"mass": 0.0}, "mass: expected more than 0, found 0.0"),
    ({"friction": -0.1}, "friction: expected at least 0, found -0.1"),
    ({"position": [0.0, float("nan"), 0.0]}, "position[1]: expected a finite number, found nan"),
    ({"position": None}, "position: expected a position where motion is 'dynamic', found none"),
    ({"period": 3.0}, "period: expected none where motion is 'dynamic', found 3.0"),
    ({"motion": "flying"}, "motion: expected 'static', 'kinematic' or 'dynamic', found 'flying'"),
    ({"colour": "red"},
     "colour: expected no such key, found 'red'; there are shape, size, radius, length, "
     "position, rotation, motion, waypoints, period, phase, spin, mass, friction"),
]  # fmt: skip
BAD_FERRY: list[tuple[dict[str, Any], str]] = [
    ({"period": 0.0}, "period: expected at least 0.001, found 0.0"),
    ({"period": 1e-300}, "period: expected at least 0.001, found 1e-300"),
    ({"period": None}, "period: expected a time where motion is 'kinematic', found none"),
    ({"waypoints": [[0.0, 0.0, 0.0]]},
     "waypoints: expected two or more where motion is 'kinematic', found 1"),
    ({"waypoints": [[0.0, 0.0, 0.0], [1.0, 0.0]]},
     "waypoints[1]: expected 3 values, found [1.0, 0.0]"),
    ({"phase": 1.0}, "phase: expected less than 1, found 1.0"),
    ({"position": [0.0, 0.0, 0.0]},
     "position: expected none where there are waypoints, found [0.0, 0.0, 0.0]"),
    ({"mass": 1.0}, "mass: expected none where motion is 'kinematic', found 1.0"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("prop", "message"),
    [(CRATE | change, message) for change, message in BAD]
    + [(FERRY | change, message) for change, message in BAD_FERRY],
)
def test_what_is_wrong_with_a_prop_is_said(prop: dict[str, Any], message: str) -> None:
    with pytest.raises(ValidationError) as caught:
        world_of(BALL, {key: value for key, value in prop.items() if value is not None})
    assert explain(caught.value) == [f"props[1].{message}"]


# --- pictures -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_props_are_seen_where_they_are_and_cast_shadows() -> None:
    from creature_sim.errors import DisplayUnavailable
    from creature_sim.figures.camera import Camera
    from creature_sim.view.offscreen import Studio

    world = world_of(
        *({"shape": shape, "size": [0.6, 0.6, 0.6], "position": [1.8, y, 0.3]}
          for shape, y in (("box", 1.0), ("ramp", -1.0))),
        {"shape": "ball", "radius": 0.3, "position": [2.4, 0.0, 0.3]},
    )  # fmt: skip
    pose = pose_of(run(world, 0)[0])
    terrain = build_terrain(world.terrain, world.seed)
    try:
        studio = Studio(world, terrain, (480, 360))
    except DisplayUnavailable as error:
        pytest.skip(str(error))
    with studio:
        camera = Camera()
        shown = studio.render(pose, camera).astype(int)
        away = replace(pose, props=replace(pose.props, positions=pose.props.positions + 500.0))
        without = studio.render(away, camera).astype(int)
    changed = abs(shown - without).max(axis=-1) > 20
    assert changed.mean() > 0.02
    assert changed[:, :160].any()  # the box on the left, the ramp on the right
    assert changed[:, 320:].any()
    # Ground in the shade is as green as before, but darker.
    green = changed & (shown[..., 1] > shown[..., 0]) & (shown[..., 1] > shown[..., 2])
    assert (shown.sum(axis=-1) < without.sum(axis=-1) - 60)[green].mean() > 0.8
    assert green.mean() > 0.001


@pytest.mark.slow
def test_feet_leave_no_prints_on_props() -> None:
    from creature_sim.figures.trail import Trail

    counts = []
    for props in ([], [{"shape": "box", "size": [60.0, 60.0, 0.2], "position": [0.0, 0.0, 0.1]}]):
        world = world_of(*props, driver="forward 60")
        trail = Trail(world)
        for snapshot in run(world, 120):
            trail.add(pose_of(snapshot))
        counts.append(len(trail.marks()))
    assert counts[0] > 4
    assert counts[1] == 0


def test_a_page_holds_props_and_where_they_are(tmp_path: Path) -> None:
    from creature_sim.export.page import page_of
    from tests.export.test_page import unpacked

    path = tmp_path / "ferry.mcap"
    record(world_of(FERRY, {key: BALL[key] for key in ("shape", "radius", "position")}), path, 30)
    replay = open_replay(path)
    header, tables = unpacked(page_of(replay, "ferry"))
    ((point, turn, *half, colour),) = header["parts"]["blocks"]
    assert half == [1.5, 1.5, 0.1]
    assert header["parts"]["rounds"][-1][1] == 0.12
    assert colour < len(header["colours"])
    places = tables["points"].reshape(len(replay.poses), -1, 3)[:, point]
    expected = [pose.props.positions[0] for pose in replay.poses]
    assert places == pytest.approx(np.array(expected), abs=1e-4)
    assert tables["turns"].reshape(len(places), -1, 4)[:, turn] == pytest.approx(
        np.array([(0.0, 0.0, 0.0, 1.0)] * len(places)), abs=1e-4
    )

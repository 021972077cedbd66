"""Cylinders, and props that turn: where they are after any tick, and who stands on them."""

from dataclasses import replace
from itertools import pairwise
from math import cos, fmod, hypot, pi, sin
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pydantic import ValidationError

from creature_sim.components import GROUND, STANDING
from creature_sim.definitions import PropDef, WorldDef, explain
from creature_sim.library.loader import load_creature
from creature_sim.maths import Floats, quat_about, quat_multiply
from creature_sim.maths.geometry import rotation_angles, rotation_matrices
from creature_sim.props.paths import follow_paths, place_ahead, turned_at
from creature_sim.props.rays import depths_within
from creature_sim.props.shapes import orientation_of, solids_of
from creature_sim.replay import open_replay, record, verify
from creature_sim.score import tracks
from creature_sim.snapshots.poses import pose_of
from creature_sim.snapshots.snapshot import Snapshot
from creature_sim.spawn.props import props_of
from creature_sim.terrain import build_terrain
from tests.arrays import assert_near
from tests.props.test_props import FERRY, hits, local, prop_of, run, world_of
from tests.scenes import at_rest

LYING = [0.5 * pi, 0.0, 0.0]
"""The axis of a cylinder along Y."""
DRUM: dict[str, Any] = {
    "shape": "cylinder",
    "radius": 1.5,
    "length": 3.0,
    "position": [0.0, 0.0, 3.0],
    "rotation": LYING,
}
WHEEL = DRUM | {"motion": "kinematic", "spin": [0.0, 0.1, 0.0]}
CAROUSEL: dict[str, Any] = {
    "shape": "cylinder",
    "radius": 2.5,
    "length": 0.4,
    "position": [0.3, -0.2, 0.2],
    "motion": "kinematic",
    "spin": [0.0, 0.0, 0.3],
}
ON_TOP = {"up": [0.0, 0.0, 1.0], "height": 8.0}


def on_top(*props: dict[str, Any], creature: str = "hexapod", **changes: Any) -> WorldDef:
    """Who climbs, on top of what is in the middle."""
    plan = load_creature(creature).climbing
    placed = {
        "creatures": [{"creature": plan.name, **ON_TOP}],
        "species": {plan.name: plan.model_dump()},
    }
    return world_of(*props, **(placed | changes))


def written(*props: dict[str, Any]) -> tuple[PropDef, ...]:
    return tuple(PropDef.model_validate(prop) for prop in props)


# --- cylinders ----------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_a_cylinder_is_as_round_and_as_long_as_written(axis: int) -> None:
    turn = ([0.0, 0.5 * pi, 0.0], LYING, [0.0, 0.0, 0.0])[axis]
    middle = np.array([1.0, -2.0, 6.0])
    drum = {"shape": "cylinder", "radius": 0.7, "length": 2.0, "rotation": turn}
    drum |= {"position": middle.tolist()}
    angles = np.linspace(0.0, 2.0 * pi, 100)
    across = np.zeros((100, 3))
    across[:, (axis + 1) % 3], across[:, (axis + 2) % 3] = np.cos(angles), np.sin(angles)
    beside = middle + 0.9 * np.eye(3)[axis]
    points, normals, numbers = hits([drum], beside + 3.0 * across, beside - 3.0 * across)
    assert (numbers == 0).all()
    assert_near(points, beside + 0.7 * across, abs=1e-12)
    assert_near(normals, across, abs=1e-12)
    for sign in (1.0, -1.0):
        way = sign * np.eye(3)[axis]
        starts = middle + 0.69 * across + 3.0 * way
        points, normals, numbers = hits([drum], starts, starts - 6.0 * way)
        assert_near(points, middle + 0.69 * across + way, abs=1e-12)
        assert_near(normals, np.broadcast_to(way, (100, 3)), abs=1e-12)
        starts = middle + 0.71 * across + 3.0 * way
        assert (hits([drum], starts, starts - 5.0 * way)[2] != 0).all()


@pytest.mark.slow
@given(st.integers(0, 2**32), st.floats(0.05, 3.0), st.floats(0.05, 3.0))
def test_rays_meet_a_cylinder_where_the_quadratic_and_its_ends_say(
    seed: int, radius: float, length: float
) -> None:
    rng = np.random.default_rng(seed)
    middle = np.array([2.0, -1.0, 9.0])
    drum = {"shape": "cylinder", "radius": radius, "length": length, "position": middle.tolist()}
    drum |= {"rotation": rng.uniform(-3.0, 3.0, 3).tolist()}
    turn = rotation_matrices(np.array(orientation_of(written(drum)[0])))
    away = rng.normal(size=(30, 3))
    first = 6.0 * away / np.linalg.norm(away, axis=1)[:, None]
    ways = 1.2 * (rng.uniform(-2.0, 2.0, (30, 3)) - first)
    points, normals, numbers = hits(
        [drum], middle + first @ turn.T, middle + (first + ways) @ turn.T
    )
    a, b = (ways[:, :2] ** 2).sum(axis=1), (ways[:, :2] * first[:, :2]).sum(axis=1)
    inside = b**2 - a * ((first[:, :2] ** 2).sum(axis=1) - radius**2)
    root = np.sqrt(np.maximum(inside, 0.0))
    flat = np.sort([(end - first[:, 2]) / ways[:, 2] for end in (-0.5 * length, 0.5 * length)], 0)
    enter, leave = np.maximum((-b - root) / a, flat[0]), np.minimum((root - b) / a, flat[1])
    assume((abs(inside) > 1e-9).all() and (abs(enter - leave) > 1e-9).all())
    is_hit = (inside > 0.0) & (enter < leave) & (enter >= 0.0) & (enter <= 1.0)
    outside = (np.hypot(first[:, 0], first[:, 1]) > radius) | (abs(first[:, 2]) > 0.5 * length)
    assert (numbers == 0)[outside].tolist() == is_hit[outside].tolist()
    assert (numbers[~is_hit] == GROUND).all()
    if is_hit.any():
        own = (first + enter[:, None] * ways)[is_hit]
        assert_near(points[is_hit], middle + own @ turn.T, abs=1e-7)
        on_end = (flat[0] > (-b - root) / a)[is_hit]
        facing = np.where(on_end[:, None], [0.0, 0.0, 1.0] * np.sign(own), own * [1.0, 1.0, 0.0])
        facing /= np.linalg.norm(facing, axis=1)[:, None]
        assert_near(normals[is_hit], facing @ turn.T, abs=1e-6)


def test_depths_in_a_cylinder_are_those_below_its_side_or_an_end() -> None:
    definitions = written(DRUM)
    solids, props = props_of(definitions)
    own = np.array([(0.2, 0.1, 1.4), (1.2, 0.0, 0.3), (0.0, -1.49, -1.0), (1.2, 1.2, 0.0)])
    points = own @ rotation_matrices(props.records[0]["orientation"]).T + DRUM["position"]
    depths = depths_within(solids.records, solids.planes, props.records, points)
    assert depths == pytest.approx([0.1, 0.3, 0.01, 0.0])


def test_what_is_pushed_is_round() -> None:
    drum = {"shape": "cylinder", "radius": 0.2, "length": 0.6, "motion": "dynamic", "mass": 2.0}
    slope = {"kind": "slope", "grade": 0.1}
    lying = drum | {"position": [3.0, 3.0, 0.51], "rotation": LYING}
    standing = drum | {"position": [3.0, -3.0, 0.61], "friction": 1.0}
    begin, *_, end = run(world_of(lying, standing, terrain=slope), 120)
    rolled, stood = (prop_of(end, k)["position"] - prop_of(begin, k)["position"] for k in (0, 1))
    assert rolled[0] < -0.5  # down the slope, about its axis
    assert abs(rolled[1]) < 0.05
    assert hypot(*stood[:2]) < 0.1
    turned = rotation_matrices(prop_of(end, 0)["orientation"])
    assert abs(turned[1, 2]) > 0.95


# --- turning ------------------------------------------------------------------------------------


def test_a_prop_that_turns_depends_on_the_tick_alone() -> None:
    spin = np.array([0.3, -0.4, 1.2])
    wheel = DRUM | {"motion": "kinematic", "spin": spin.tolist()}
    rate = float(np.linalg.norm(spin))
    start = orientation_of(written(wheel)[0])
    for tick, snapshot in enumerate(run(world_of(wheel), 200)):
        prop = prop_of(snapshot)
        expected = quat_multiply(quat_about(tuple(spin / rate), rate * tick / 60.0), start)
        assert abs(prop["orientation"] @ np.array(expected)) == pytest.approx(1.0, abs=1e-14)
        assert prop["position"].tolist() == wheel["position"]
        if tick:
            assert prop["spin"] == pytest.approx(spin, abs=1e-15)
            assert not prop["velocity"].any()


@pytest.mark.parametrize("rate", [0.5, -3.0, 20.0])
def test_a_prop_that_turns_for_a_year_drifts_nowhere(rate: float) -> None:
    wheel = DRUM | {"motion": "kinematic", "spin": [0.0, 0.0, rate], "rotation": [0.0, 0.0, 0.0]}
    (solid,) = solids_of(written(wheel)).records
    for tick in (1, 10**6, 60 * 86_400 * 365):
        angle = fmod(rate * tick / 60.0, 4.0 * pi)
        x, y, z, w = turned_at(solid, tick, 1.0 / 60.0)
        assert (x, y) == (0.0, 0.0)
        assert (z, w) == pytest.approx((sin(0.5 * angle), cos(0.5 * angle)), abs=1e-6)
        assert z * z + w * w == pytest.approx(1.0, abs=1e-15)


def test_an_orientation_never_jumps_to_the_other_quaternion_of_its_own() -> None:
    wheel = DRUM | {"motion": "kinematic", "spin": [2.0, 0.5, -3.0]}
    (solid,) = solids_of(written(wheel)).records
    turns = np.array([turned_at(solid, tick, 1.0 / 60.0) for tick in range(600)])
    assert (turns[1:] * turns[:-1]).sum(axis=1) == pytest.approx(cos(hypot(2.0, 0.5, 3.0) / 120.0))


def test_what_follows_a_path_and_turns_does_each_as_if_alone() -> None:
    turning = FERRY | {"spin": [0.0, 0.2, 0.4], "rotation": [0.1, 0.2, 0.3]}
    still = FERRY | {"rotation": [0.1, 0.2, 0.3]}
    there = DRUM | {"motion": "kinematic"} | {key: turning[key] for key in ("spin", "rotation")}
    both, path, turn = (run(world_of(prop), 40) for prop in (turning, still, there))
    for a, b, c in zip(both, path, turn, strict=True):
        for field in ("position", "velocity"):
            assert prop_of(a)[field].tolist() == prop_of(b)[field].tolist()
        for field in ("orientation", "spin"):
            assert prop_of(a)[field].tolist() == prop_of(c)[field].tolist()


def test_what_will_be_is_what_comes() -> None:
    solids, props = props_of(written(FERRY | {"spin": [0.1, 0.0, -0.7]}, WHEEL))
    ahead, now = props.records.copy(), props.records.copy()
    follow_paths(solids.records, solids.keys, now, 77, 1.0 / 60.0)
    place_ahead(solids.records, solids.keys, ahead, 77, 1.0 / 60.0)
    for field in ("position", "orientation"):
        assert ahead[field].tolist() == now[field].tolist()
        assert (now["old_" + field] == props.records[field]).all()
    assert (now["orientation"] != props.records["orientation"]).any(axis=1).all()


@pytest.mark.parametrize("rate", [5e-324, 1e-300])
def test_a_spin_of_all_but_nothing_leaves_a_prop_as_it_is(rate: float) -> None:
    first, *_, last = run(world_of(DRUM | {"motion": "kinematic", "spin": [0.0, rate, 0.0]}), 10)
    assert (prop_of(first) == prop_of(last)).all()


def test_a_crate_rides_on_a_carousel() -> None:
    crate = {"shape": "box", "size": [0.3, 0.3, 0.3], "motion": "dynamic", "mass": 2.0}
    crate |= {"position": [1.3, -0.2, 0.55], "friction": 1.0}
    fast = CAROUSEL | {"spin": [0.0, 0.0, 0.6], "friction": 1.0}
    far = [{"creature": "hexapod", "position": [0.0, 6.0]}]
    *_, end = run(world_of(fast, crate, creatures=far), 300)
    middle = np.array(CAROUSEL["position"])
    out = prop_of(end, 1)["position"] - middle
    assert hypot(*out[:2]) == pytest.approx(1.0, abs=0.1)
    assert np.arctan2(out[1], out[0]) == pytest.approx(0.6 * 5.0, abs=0.15)


# --- who stands there ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "creature",
    [
        "hexapod",
        pytest.param("ant", marks=pytest.mark.slow),
        pytest.param("biped", marks=pytest.mark.slow),
    ],
)
def test_who_stands_on_a_carousel_keeps_still_against_it(creature: str) -> None:
    snapshots = run(at_rest(world_of(CAROUSEL, creature=creature)), 400)
    begin, first = prop_of(snapshots[60]), snapshots[60].creatures[0]
    for snapshot in snapshots[60:]:
        prop, now = prop_of(snapshot), snapshot.creatures[0]
        assert (now.feet["prop"] == 0).all()
        for a, b in (
            (now.feet["position"], first.feet["position"]),
            (now.tips, first.tips),
            (now.segments["position"], first.segments["position"]),
        ):
            assert_near(local(prop, a), local(begin, b), abs=1e-9)
    turned = rotation_angles(prop_of(snapshots[-1])["orientation"], begin["orientation"])
    assert turned == pytest.approx(0.3 * 340 / 60.0)
    assert_near(
        rotation_angles(now.segments["orientation"], first.segments["orientation"]),
        np.full(len(now.segments), turned),
        abs=1e-6,
    )


def slips(snapshots: list[Snapshot]) -> list[float]:
    """How far planted feet and tips slide over the first prop in each tick [m]."""
    found = []
    for before, after in pairwise(snapshots):
        a, b = before.creatures[0], after.creatures[0]
        stands = (a.feet["phase"] == STANDING) & (b.feet["phase"] == STANDING)
        stands &= (a.feet["prop"] == 0) & (b.feet["prop"] == 0)
        for was, now in ((a.feet["position"], b.feet["position"]), (a.tips, b.tips)):
            moved = local(prop_of(after), now) - local(prop_of(before), was)
            found.append(float(abs(moved)[stands].max(initial=0.0)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["spider8", "ant", "hexapod"])
@pytest.mark.parametrize("driver", ["forward 60", "wander"])
def test_who_climbs_stays_on_a_wheel_that_turns(creature: str, driver: str) -> None:
    snapshots = run(on_top(WHEEL, creature=creature, driver=driver), 1800)
    assert max(slips(snapshots)) < 1e-9
    feet = np.array([snapshot.creatures[0].feet for snapshot in snapshots])
    stands = feet["phase"] == STANDING
    assert (feet["prop"][stands] == 0).all()
    assert stands.sum(axis=1).min() >= 2
    own = np.array([local(prop_of(s), s.creatures[0].feet["position"]) for s in snapshots])
    beyond = np.maximum(np.hypot(own[..., 0], own[..., 1]) - 1.5, abs(own[..., 2]) - 1.5)
    assert abs(beyond[stands]).max() < 1e-6
    places = np.array([local(prop_of(s), s.creatures[0].position) for s in snapshots])
    assert np.linalg.norm(np.diff(places, axis=0), axis=1).sum() > 5.0


@pytest.mark.slow
def test_who_climbs_walks_round_the_edge_of_what_moves() -> None:
    ferry = {**FERRY, "size": [3.0, 3.0, 1.0], "period": 60.0, "spin": [0.0, 0.0, 0.05]}
    ferry["waypoints"] = [[0.0, 0.0, 3.0], [1.0, 0.5, 3.5], [1.5, -1.0, 3.0]]
    snapshots = run(on_top(ferry, driver="forward 60"), 1200)
    creatures = [snapshot.creatures[0] for snapshot in snapshots]
    ups = rotation_matrices(np.array([each.orientation for each in creatures]))[:, 2, 2]
    assert ups.min() < 0.1  # down its side
    stands = np.array([each.feet["phase"] == STANDING for each in creatures])
    assert stands.sum(axis=1).min() >= 2
    own = np.array([local(prop_of(s), s.creatures[0].feet["position"]) for s in snapshots])
    beyond = (abs(own) - 0.5 * np.array(ferry["size"])).max(axis=-1)
    assert abs(beyond[stands]).max() < 1e-6
    assert max(slips(snapshots)) < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("creature", ["hexapod", "ant", "spider8"])
def test_a_wheel_carries_nobody_through_the_floor(creature: str) -> None:
    plan = load_creature(creature).climbing
    wheel = WHEEL | {"length": 2.4, "position": [3.5, 0.0, 0.9], "spin": [0.0, 0.2, 0.0]}
    species = {plan.name: plan.model_dump()}
    world = world_of(
        wheel, creatures=[{"creature": plan.name}], species=species, driver="forward 60"
    )
    snapshots = run(world, 1500)
    places = np.array([snapshot.creatures[0].position for snapshot in snapshots])
    assert places[:, 2].max() > 2.5  # over the top...
    assert places[:, 2].min() > 0.0
    assert places[-1, 0] > 5.5  # ...and down the other side


@pytest.mark.slow
def test_who_does_not_climb_is_set_down_by_a_wheel() -> None:
    low = WHEEL | {"radius": 3.0, "position": [0.0, 0.0, -2.6], "spin": [0.0, 0.15, 0.0]}
    snapshots = run(world_of(low, driver="forward 60"), 1200)
    end = snapshots[-1].creatures[0]
    assert end.position[0] > 3.0
    assert (end.feet["prop"] == GROUND).all()
    assert max(slips(snapshots)) < 1e-9


def test_a_replay_of_a_wheel_verifies_and_is_exact_everywhere(tmp_path: Path) -> None:
    path = tmp_path / "wheel.mcap"
    last = record(on_top(WHEEL, driver="wander"), path, 120)
    assert verify(path).ok
    replay = open_replay(path)
    assert replay.poses[-1].props.orientations == pytest.approx(
        pose_of(last).props.orientations, abs=1e-4
    )
    assert rotation_angles(
        replay.poses[0].props.orientations[0], replay.poses[-1].props.orientations[0]
    ) == pytest.approx(0.1 * 2.0, abs=1e-4)


def test_who_is_carried_gets_nowhere_by_that() -> None:
    table = world_of(CAROUSEL, creatures=[{"creature": "hexapod", "position": [1.0, 0.5]}])
    (track,) = tracks(iter(run(at_rest(table), 120)), 60)
    assert np.linalg.norm(np.diff(track.position, axis=0), axis=1).sum() > 0.4
    assert_near(track.ways, 0.0 * track.ways, abs=1e-9)


# --- definitions --------------------------------------------------------------------------------


NO_WAYPOINTS = "where there are no waypoints"
BAD: list[tuple[dict[str, Any], str]] = [
    ({"radius": None}, "radius: expected a length where shape is 'cylinder', found none"),
    ({"length": None}, "length: expected a length where shape is 'cylinder', found none"),
    ({"size": [1.0, 1.0, 1.0]},
     "size: expected none where shape is 'cylinder', found [1.0, 1.0, 1.0]"),
    ({"shape": "ball"}, "length: expected none where shape is 'ball', found 3.0"),
    ({"length": 0.0}, "length: expected at least 0.01, found 0.0"),
    ({"motion": "static"},
     "spin: expected none where motion is 'static', found [0.0, 0.1, 0.0]"),
    ({"motion": "dynamic", "mass": 1.0},
     "spin: expected none where motion is 'dynamic', found [0.0, 0.1, 0.0]"),
    ({"spin": None},
     "waypoints: expected two or more, or a spin, where motion is 'kinematic', found neither"),
    ({"position": None}, f"position: expected a position {NO_WAYPOINTS}, found none"),
    ({"period": 3.0}, f"period: expected none {NO_WAYPOINTS}, found 3.0"),
    ({"phase": 0.5}, f"phase: expected none {NO_WAYPOINTS}, found 0.5"),
    ({"waypoints": [[0.0, 0.0, 0.0]], "position": None, "period": 3.0},
     "waypoints: expected two or more where motion is 'kinematic', found 1"),
    ({"spin": [0.0, 21.0, 0.0]}, "spin[1]: expected at most 20, found 21.0"),
    ({"spin": [0.0, 1.0]}, "spin: expected 3 values, found [0.0, 1.0]"),
    ({"spin": 0.5}, "spin: expected a list, found 0.5"),
    ({"spin": [0.0, 0.0, 0.0]}, "spin: expected one that is not 0, found [0.0, 0.0, 0.0]"),
    ({"spin": [0.0, -0.0, 0.0], "waypoints": [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0]], "position": None,
      "period": 3.0}, "spin: expected one that is not 0, found [0.0, -0.0, 0.0]"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), BAD)
def test_what_is_wrong_with_what_turns_is_said(change: dict[str, Any], message: str) -> None:
    prop = {key: value for key, value in (WHEEL | change).items() if value is not None}
    with pytest.raises(ValidationError) as caught:
        world_of(prop)
    assert explain(caught.value) == [f"props[0].{message}"]


# --- pictures -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_one_sees_a_drum_and_that_it_turns() -> None:
    from creature_sim.errors import DisplayUnavailable
    from creature_sim.figures.camera import Camera
    from creature_sim.view.offscreen import Studio

    small = {"shape": "cylinder", "radius": 0.4, "length": 0.8, "position": [2.0, 0.0, 0.4]}
    world = world_of(small)
    pose = pose_of(run(world, 0)[0])
    try:
        studio = Studio(world, build_terrain(world.terrain, world.seed), (480, 360))
    except DisplayUnavailable as error:
        pytest.skip(str(error))
    turned = np.array([[0.0, 0.0, sin(pi / 12.0), cos(pi / 12.0)]])  # by one sector of twelve
    with studio:
        camera = Camera()
        shown = [
            studio.render(replace(pose, props=props), camera).astype(int)
            for props in (
                pose.props,
                replace(pose.props, orientations=turned),
                replace(pose.props, positions=pose.props.positions + 500.0),
            )
        ]
    seen = abs(shown[0] - shown[2]).max(axis=-1) > 20
    moved = abs(shown[0] - shown[1]).max(axis=-1) > 10
    assert seen.mean() > 0.02
    assert moved.sum() > 0.3 * seen.sum()


def test_a_page_holds_drums(tmp_path: Path) -> None:
    from creature_sim.export.page import page_of
    from tests.export.test_page import unpacked

    path = tmp_path / "wheel.mcap"
    record(on_top(WHEEL), path, 30)
    replay = open_replay(path)
    header, tables = unpacked(page_of(replay, "wheel"))
    ((point, turn, *half, _),) = header["parts"]["drums"]
    assert half == [1.5, 1.5, 1.5]
    count = len(replay.poses)
    assert_near(
        tables["points"].reshape(count, -1, 3)[:, point],
        np.broadcast_to(WHEEL["position"], (count, 3)),
        abs=1e-4,
    )
    found: Floats = tables["turns"].reshape(count, -1, 4)[:, turn]
    expected = np.array([pose.props.orientations[0] for pose in replay.poses])
    assert_near(abs((found * expected).sum(axis=1)), np.ones(count), abs=1e-4)

"""Scores of who climbs: the same on floor, wall and ceiling; M33 to M37, M44, what fails them."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from creature_sim.components import FLYING_FREE
from creature_sim.definitions import PlacementDef, WorldDef
from creature_sim.definitions.climbing import ClimbDef
from creature_sim.library.loader import load_creature
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.score import Metric, Surface, Track, Walk, score_track, tracks
from creature_sim.score.bodies import fall_of
from creature_sim.score.climbs import longest_without_gain, sides_of
from creature_sim.terrain import read_ground
from creature_sim.terrain.build import Terrain
from creature_sim.terrain.tiles.tiles import MeshTile
from tests.grounds import SharedPhysics, shared_physics
from tests.scenes import walk
from tests.score.test_score import BAD_WALKERS, DRIVE, SOME_BAD_WALKERS, failed, mistakes

CEILING = np.array([1.0, 0.0, 0.0, 0.0])
WALL = np.array([0.0, -np.sqrt(0.5), 0.0, np.sqrt(0.5)])
SLANTED = np.array([0.5, 0.1, -0.7, 0.5])
ROOM = {"kind": "room", "length": 4.0, "width": 5.0, "height": 2.4}


def world_of(creature: str, terrain: dict[str, Any], driver: str) -> WorldDef:
    climber = load_creature(creature).model_copy(update={"climb": ClimbDef()})
    return WorldDef(
        name="climb",
        seed=1,
        driver=driver,
        terrain=read_ground(terrain),
        creatures=(PlacementDef(creature=creature),),
        species={creature: climber},
    )


@cache
def walked(creature: str = "hexapod") -> tuple[WorldDef, Track]:
    """A walk on level ground of one that could climb."""
    world = world_of(creature, {"kind": "flat"}, DRIVE)
    return world, tracks(walk(world, 12 * world.tick_rate), world.tick_rate)[0]


@cache
def round_a_room(seconds: int = 12) -> tuple[WorldDef, Track]:
    """A walk from the floor of a room up a wall and on."""
    world = world_of("ant", ROOM, f"forward {seconds}")
    return world, tracks(walk(world, seconds * world.tick_rate), world.tick_rate)[0]


def turned(turn: Floats, track: Track) -> Track:
    """A walk turned about the origin, with the weight as it was."""
    x, y, z, w = turn
    before = np.array([(w, -z, y, x), (z, w, -x, y), (-y, x, w, z), (-x, -y, -z, w)])
    moved: dict[str, Any] = {
        name: getattr(track, name) @ rotation_matrices(turn).T
        for name in ("position", "positions", "centre", "joints", "foot")
    }
    return replace(
        track,
        **moved,
        orientations=track.orientations @ before.T,
        foot_rotation=track.foot_rotation @ before.T,
    )


def scored(track: Track, world: WorldDef, turn: Floats | None = None) -> dict[str, Metric]:
    """Metrics on a level square, turned too."""
    square = 32.0 * np.array([(-1.0, -1.0, 0.0), (1.0, -1.0, 0.0), (-1.0, 1.0, 0.0), (1.0, 1.0, 0)])
    if turn is not None:
        square, track = square @ rotation_matrices(turn).T, turned(turn, track)
    tile = MeshTile(square, np.array([(0, 1, 2), (1, 3, 2)], np.int32))
    with SharedPhysics(Terrain((tile,), f"square {turn}")) as physics:
        return score_track(track, Surface(physics), world)


@pytest.mark.slow
@pytest.mark.parametrize("turn", [CEILING, WALL, SLANTED], ids=["ceiling", "wall", "slanted"])
def test_a_walk_scores_the_same_on_every_side_of_a_room(turn: Floats) -> None:
    world, track = walked()
    on_floor, there = scored(track, world), scored(track, world, turn)
    assert failed(on_floor) == set()
    for key, metric in there.items():
        assert metric.verdict == on_floor[key].verdict, (key, metric, on_floor[key])
        if metric.value is not None:
            assert metric.value == pytest.approx(on_floor[key].value, abs=2e-5), key


@pytest.mark.slow
@pytest.mark.parametrize("fault", SOME_BAD_WALKERS, ids=lambda fault: fault.__name__)
def test_a_bad_walker_fails_the_same_on_floor_and_ceiling(fault: Callable[[Track], Track]) -> None:
    world, track = walked()
    metrics = scored(fault(track), world)
    on_floor = failed(metrics)
    expected = BAD_WALKERS[fault] - {"M43"}  # which is not for who climbs
    assert expected <= on_floor
    assert failed(scored(fault(track), world, CEILING)) == on_floor
    assert mistakes(metrics, on_floor) == on_floor


def in_room(track: Track, world: WorldDef) -> dict[str, Metric]:
    with shared_physics(world.terrain, world.seed) as physics:
        return score_track(track, Surface(physics), world)


@pytest.mark.slow
def test_heights_are_distances_from_what_feet_stand_on() -> None:
    world, track = round_a_room()
    assert sides_of(track).sum() >= 2
    half, middle = np.array([2.0, 2.5, 1.2]), np.array([0.0, 0.0, 1.2])
    with shared_physics(world.terrain, world.seed) as physics:
        seen = Walk(track, Surface(physics), "room")
        inside = (half - np.abs(track.tips - middle)).min(axis=-1)
        stands = ~track.is_swinging
        assert np.abs(seen.heights - inside)[stands].max() < 1e-6
        assert (seen.body_heights > 0.0).all()
        assert fall_of(seen) == ""


@pytest.mark.parametrize(
    ("share", "has_tiles", "is_deep"),
    [(0.3, False, False), (0.7, False, True), (0.7, True, False)],
)
def test_most_ticks_of_a_stance_tell_whether_its_foot_is_in_rock(
    monkeypatch: pytest.MonkeyPatch, share: float, has_tiles: bool, is_deep: bool
) -> None:
    """For three ticks a ray slipped past the edge of a bar, and the foot was .37 of a leg deep.

    Where ground has tiles, these tell: in a corner of bars all rays of a stance counted wrong.
    """
    world = world_of("ant", {**ROOM, "height": 0.9}, "forward 2")  # rock has another side
    (track,) = tracks(walk(world, 2 * world.tick_rate), world.tick_rate)
    leg, first, last = max(track.stances(), key=lambda stance: stance[2] - stance[1])
    wrong, depths = slice(first, first + round(share * (last - first))), Surface.chain_heights

    def slipping(surface: Surface, *chains: Any) -> Floats:
        found = depths(surface, *chains)
        found[wrong, leg] = -0.1
        return found

    monkeypatch.setattr(Surface, "chain_heights", slipping)
    with shared_physics(world.terrain, world.seed) as physics:
        if not has_tiles:  # as endless ground
            physics.tiles = ()
        heights = Walk(track, Surface(physics), "room").heights
    assert (heights[wrong, leg] < -0.1).all() == is_deep


def test_a_foot_on_the_far_face_of_the_floor_is_in_rock() -> None:
    """It stands on a face, as one does whose ray began in rock, but from within."""
    world, track = walked()
    scene = world.model_copy(update={"terrain": read_ground({**ROOM, "thickness": 0.2})})
    leg, first, last = max(track.stances(), key=lambda stance: stance[2] - stance[1])
    joints, tip = track.joints.copy(), track.plan.legs["bone_count"][leg]
    joints[first:last, leg, tip, 2] -= 0.2
    with shared_physics(scene.terrain, scene.seed) as physics:
        heights = Walk(replace(track, joints=joints), Surface(physics), "room").heights
    assert heights[first:last, leg] == pytest.approx(-0.2, abs=1e-3)


@pytest.mark.parametrize("facing", [2, 0], ids=["one_side", "none"])
def test_who_holds_on_to_several_sides_is_tipped_if_it_faces_none(facing: int) -> None:
    """Round the end of a shelf the mean of what its feet stand on says nothing."""
    world, track = walked()
    aside = np.radians(100.0)
    turns = np.zeros_like(track.foot_rotation)
    turns[..., 3] = 1.0
    turns[:, facing:, 0], turns[:, facing:, 3] = np.sin(0.5 * aside), np.cos(0.5 * aside)
    held = replace(track, foot_rotation=turns, is_swinging=np.zeros_like(track.is_swinging))
    with shared_physics(world.terrain, world.seed) as physics:
        fall = fall_of(Walk(held, Surface(physics)))
    assert ("tipped over" in fall) == (facing == 0)


@pytest.mark.parametrize("clamps", [0, 1])
def test_who_is_astride_a_rim_is_not_tipped_over(clamps: int) -> None:
    """It faces away from the rim, and from neither side of it: a foot on each clamps it."""
    world, track = walked()
    turns = np.zeros_like(track.foot_rotation)
    turns[..., 0], turns[..., 3] = np.sin(np.pi / 4), np.cos(np.pi / 4)
    turns[:, :clamps, 0] *= -1.0
    held = replace(track, foot_rotation=turns, is_swinging=np.zeros_like(track.is_swinging))
    with shared_physics(world.terrain, world.seed) as physics:
        fall = fall_of(Walk(held, Surface(physics)))
    assert ("tipped over" in fall) == (clamps == 0)


@pytest.mark.slow
def test_who_goes_through_a_wall_is_below_it() -> None:
    """Beyond the wall feet stand on the far side of it, facing into it."""
    world, track = round_a_room()
    (climbs,) = np.nonzero((track.up[:, 2] < 0.3) & (track.position[:, 2] > 0.5))
    move = np.zeros((len(track.up), 3))
    move[climbs[len(climbs) // 2] :] = -0.6 * track.up[climbs[len(climbs) // 2]]
    beyond = replace(
        track,
        position=track.position + move,
        positions=track.positions + move[:, None],
        joints=track.joints + move[:, None, None],
        foot=track.foot + move[:, None],
    )
    metrics = in_room(beyond, world)
    assert {"M3", "M4", "M5", "M16", "M27"} & failed(metrics) >= {"M4", "M16"}
    assert "below the ground" in metrics["M16"].reason


def sudden(track: Track) -> Track:
    """Its body jerks by 4 degrees."""
    orientations = track.orientations.copy()
    half = np.radians(2.0)
    x, y, z, w = np.moveaxis(orientations[300:], -1, 0)
    s, c = np.sin(half), np.cos(half)
    orientations[300:] = np.stack((c * x + s * w, c * y + s * z, c * z - s * y, c * w - s * x), -1)
    return replace(track, orientations=orientations)


def asked_for_more(track: Track) -> Track:
    """It goes at a third of what it is asked for."""
    return replace(track, wanted=3.0 * track.wanted)


def halting(track: Track) -> Track:
    """It stands for a second, and goes on from where it would have been."""
    position = track.position.copy()
    position[300:360] = position[300]
    return replace(track, position=position)


def trembling(track: Track) -> Track:
    """It does the same, but trembles by some millimetres meanwhile."""
    position = halting(track).position
    position[300:360:2] += (0.003, 0.0, 0.002)
    return replace(track, position=position)


def rocking(track: Track) -> Track:
    """It goes to and fro by a step, in 1.2 s, for four seconds: at no time does it stand."""
    position = track.position.copy()
    steps = np.abs(np.arange(240) % 72 - 36)
    position[300:540] = position[300 + steps]
    return replace(track, position=position)


def wavering(track: Track) -> Track:
    """It swings left and right five times a second."""
    ticks = np.arange(len(track.yaw_rate))
    return replace(track, yaw_rate=np.where(ticks // 6 % 2, 0.5, -0.5))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "key"),
    [
        (sudden, "M33"),
        (asked_for_more, "M34"),
        (halting, "M35"),
        (trembling, "M35"),
        (rocking, "M44"),
        (wavering, "M36"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_a_bad_climber_fails_what_names_its_fault(
    fault: Callable[[Track], Track], key: str
) -> None:
    world, track = round_a_room()
    good, bad = in_room(track, world)[key], in_room(fault(track), world)[key]
    assert bad.verdict == "fail"
    assert good.verdict != "fail" or (bad.value or 0.0) != good.value


@pytest.mark.slow
def test_surfaces_are_what_it_stood_on() -> None:
    world, track = round_a_room()
    assert in_room(track, world)["M37"].verdict == "n/a"  # not long enough
    slow = replace(track, tick_rate=1)
    assert in_room(slow, world)["M37"].verdict == "fail"
    _, level = walked()
    assert sides_of(level).tolist() == [True, False, False, False, False, False]
    assert sides_of(turned(CEILING, level)).tolist() == [False] * 5 + [True]
    assert sides_of(turned(WALL, level)).tolist() == [False, False, True, False, False, False]


@pytest.mark.slow
def test_who_loses_its_hold_fell() -> None:
    world, track = walked()
    flight = track.flight.copy()
    flight[200:260] = FLYING_FREE
    assert "lost its hold" in scored(replace(track, flight=flight), world)["M16"].reason
    places = track.position.copy()
    places[200:260, 2] -= 0.4  # as it rolls in the air any ground may be above it
    through = replace(track, flight=flight, position=places)
    assert "lost its hold" in scored(through, world)["M16"].reason


@pytest.mark.slow
def test_who_does_not_climb_is_not_judged_by_it() -> None:
    world, track = round_a_room()
    plan = replace(track.plan, body=track.plan.body.copy())
    plan.body["climbs"] = 0
    metrics = in_room(replace(track, plan=plan), world)
    assert all(metrics[key].verdict == "n/a" for key in ("M33", "M34", "M35", "M36", "M37", "M44"))


@given(st.lists(st.integers(-3, 3), max_size=25))
def test_the_longest_run_without_gain_is_that_of_all_runs(gains: list[int]) -> None:
    """Of whole numbers, whose sums are exact."""
    totals = np.concatenate(((0,), np.cumsum(np.array(gains, int))))
    runs = [
        last - first
        for first in range(len(totals))
        for last in range(first, len(totals))
        if totals[last] <= totals[first]
    ]
    assert longest_without_gain(np.array(gains, float)) == max(runs)

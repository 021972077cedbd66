"""The overlay's layers, and what they know of a walk, live and in a replay."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from creature_sim.components import FLYING, LIFTING, REASONS, SAMPLED
from creature_sim.definitions.climbing import ClimbDef
from creature_sim.drivers import make_driver
from creature_sim.figures.ground import Ground
from creature_sim.figures.insight import StepLog, insight_of
from creature_sim.figures.overlay import HELD, RAYS, SUPPORT, Layer, goal_path, overlay
from creature_sim.library.loader import load_world
from creature_sim.locomotion.gravity import gravity_of
from creature_sim.maths import quat_about, quat_multiply
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.replay import open_replay, record
from creature_sim.simulation import Simulation
from creature_sim.snapshots.poses import CreaturePose, Step, pose_of
from creature_sim.terrain import build_terrain, read_ground
from creature_sim.terrain.traits import planet_in
from creature_sim.view.shows.gait_log import SECONDS, GaitLog
from creature_sim.view.shows.player import ReplayShow
from tests.scenes import scene, walk

TICKS = 240
ZONES: tuple[Layer, ...] = ("zones",)
SUPPORTS: tuple[Layer, ...] = ("support",)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("overlay") / "walk.mcap"
    world = load_world("hills")
    record(world, path, TICKS, driver=make_driver(world, "forward 60"))
    return path


@pytest.mark.slow
def test_a_replay_knows_why_every_foot_stepped(recorded: Path) -> None:
    replay = open_replay(recorded)
    assert len(replay.events) > 6
    assert [step.tick for step in replay.events] == sorted(step.tick for step in replay.events)
    show = ReplayShow(replay)
    for snapshot in replay.rerun():
        for step in replay.events:
            assert isinstance(step, Step)
            if step.tick == snapshot.tick:
                creature = snapshot.creatures[0]
                foot = creature.feet[step.leg]
                assert foot.phase in (LIFTING, SAMPLED, FLYING)
                assert REASONS[foot.reason] == step.reason
                assert creature.footholds[step.leg].score == pytest.approx(step.score, abs=1e-4)
                show.playhead.tick = step.tick
                assert show.insight is not None
                assert show.insight.reasons[step.leg] == step.reason
    assert set(show.insight.reasons) <= {*REASONS}


def test_the_last_step_up_to_a_moment_counts() -> None:
    log = StepLog([Step(3, 0, 1, "settle", 0.5), Step(9, 0, 1, "distance", 0.9)])
    for tick, reason in ((2.9, ""), (3, "settle"), (8.9, "settle"), (9, "distance")):
        found = log.insight(0, 2, tick)
        assert found.reasons == ("", reason)
        assert np.isnan(found.scores[0])
    assert log.ticks(0) == [3, 9]
    assert log.ticks(1) == []


@pytest.mark.parametrize("name", ["hexapod", "millipede", "biped"])
def test_every_layer_is_finite_and_of_bounded_size(name: str) -> None:
    with Simulation(scene("hills", name)) as simulation:
        for _ in range(40):
            simulation.step()
        creature = simulation.snapshot.creatures[0]
        pose, insight = pose_of(simulation.snapshot).creatures[0], insight_of(creature)
    gravity = simulation.snapshot.gravity[0]
    assert len(insight.hits) > len(pose.goals)
    counts = {}
    layers: tuple[Layer, ...] = ("feet", "support", "zones", "rays")
    for layer in layers:
        solids = overlay(creature.definition, pose, gravity, (layer,), insight)
        counts[layer] = len(solids.spheres) + len(solids.limbs)
        for rows in (solids.spheres, solids.limbs):
            assert np.isfinite(rows).all()
    assert counts["zones"] <= 24 * 24
    assert counts["rays"] == 2 * len(insight.hits)
    assert not len(overlay(creature.definition, pose, gravity, ()).limbs)


def test_zones_end_where_the_legs_do() -> None:
    with Simulation(load_world("meadow")) as simulation:
        simulation.step()
        creature = simulation.snapshot.creatures[0]
        pose = pose_of(simulation.snapshot).creatures[0]
        gravity = simulation.snapshot.gravity[0]
    legs = creature.definition.all_legs
    limbs = overlay(creature.definition, pose, gravity, ZONES).limbs
    starts = limbs[:, [3, 7, 11]].reshape(2, -1, len(legs), 3)
    gaps = np.sqrt(((starts - pose.joints[:, 0]) ** 2).sum(axis=3))
    reaches = np.array([leg.reach for leg in legs])
    comforts = np.array([leg.comfort * leg.reach for leg in legs])
    assert gaps[0] == pytest.approx(np.broadcast_to(reaches, gaps[0].shape), rel=1e-5)
    assert gaps[1] == pytest.approx(np.broadcast_to(comforts, gaps[1].shape), rel=1e-5)


def test_a_trunk_beyond_its_feet_is_vermillion() -> None:
    with Simulation(load_world("meadow")) as simulation:
        plan = simulation.snapshot.creatures[0].definition
        (herd,) = pose_of(simulation.snapshot).herds
        gravity = simulation.snapshot.gravity[0]
    for shift, colour in ((0.0, SUPPORT), (2.0, RAYS)):
        moved = replace(herd, positions=herd.positions + np.array([shift, 0.0, 0.0]))
        (disc,) = overlay(plan, CreaturePose(moved, 0), gravity, SUPPORTS).spheres
        assert disc[12:15] == pytest.approx(colour)


def test_the_disc_is_where_the_weight_is_not_the_head() -> None:
    with Simulation(load_world("meadow")) as simulation:
        gravity = simulation.snapshot.gravity[0]
        herd = pose_of(simulation.snapshot).herds[0]
        plan = simulation.snapshot.creatures[0].definition
    (before,) = overlay(plan, CreaturePose(herd, 0), gravity, SUPPORTS).spheres
    head = herd.positions[:, -1:] + np.array([9.0, 0.0, 0.0])
    longer = replace(herd, positions=np.concatenate((herd.positions[:, :-1], head), axis=1))
    (after,) = overlay(plan, CreaturePose(longer, 0), gravity, SUPPORTS).spheres
    np.testing.assert_array_equal(after, before)


@pytest.mark.slow
def test_below_a_planet_support_is_seen_along_the_weight() -> None:
    world = scene("planet", "hexapod", driver="forward 60")
    planet = planet_in(world.terrain)
    assert planet is not None
    middle = planet.centre
    *_, last = walk(world, 60 * 16)
    gravity = last.gravity[0]
    (herd,) = pose_of(last).herds
    place = herd.positions[0, 0]
    assert place[2] < 1.5 * middle[2]
    aside = 2.0 * np.cross((0.0, 1.0, 0.0), (place - middle) / np.linalg.norm(place - middle))
    plan = last.creatures[0].definition
    for shift, colour in ((0.0, SUPPORT), (1.0, RAYS)):
        moved = replace(herd, positions=herd.positions + shift * aside)
        solids = overlay(plan, CreaturePose(moved, 0), gravity, SUPPORTS)
        assert solids.spheres[0, 12:15] == pytest.approx(colour)
        if not shift:
            below = solids.spheres[0, [3, 7, 11]] - middle
            assert np.linalg.norm(below) == pytest.approx(-middle[2], abs=0.1)


def test_the_way_round_a_planet_lies_on_it() -> None:
    terrain = load_world("planet").terrain
    planet, gravity = planet_in(terrain), gravity_of(terrain)[0]
    assert planet is not None
    middle, radius = np.array(planet.centre), planet.radius
    ground = Ground.of(build_terrain(terrain, 0))
    start, goal = np.array([0.0, 0.0, 0.3]), np.array([0.0, radius, -radius])
    mark = goal_path(start, goal, ground, gravity)
    dots = mark.spheres[:, [3, 7, 11]] - middle
    assert np.linalg.norm(dots, axis=1) == pytest.approx(np.full(len(dots), radius))
    assert dots[0] == pytest.approx(goal - middle, abs=1e-5)
    gaps = np.linalg.norm(np.diff(dots, axis=0), axis=1)
    assert gaps.sum() == pytest.approx(0.5 * np.pi * radius, abs=0.25)
    opposite = goal_path(start, 2.0 * middle, ground, gravity)
    assert np.isfinite(opposite.spheres).all()
    assert len(opposite.spheres) > 1.9 * len(dots)


@pytest.mark.slow
def test_the_gait_diagram_is_what_the_feet_did(recorded: Path) -> None:
    replay = open_replay(recorded)
    show = ReplayShow(replay)
    log = GaitLog(60)
    show.playhead.tick = 200.0
    pose = show.pose
    assert log.is_broken(pose, 0)
    log.restart(show.past(SECONDS), 0)  # a jump: the past comes from the file
    log.add(pose)
    assert not log.is_broken(pose, 0)
    assert log.is_broken(replay.poses[0], 0)  # back in time
    stances = log.stances(round(SECONDS * 30) + 1)
    assert stances.shape == (6, 121)
    assert (stances[:, :20] == -1).all()  # before the recording
    swings = np.array([p.creatures[0].is_swinging for p in replay.poses])
    assert (stances[:, -100:] == 1 - swings[1:101].T).all()


def test_of_who_climbs_support_is_seen_along_its_own_up() -> None:
    """On a wall the disc lies where it does on the floor, and the normal of the ground is drawn."""
    flat = load_world("meadow").model_copy(update={"terrain": read_ground({"kind": "flat"})})
    with Simulation(flat) as simulation:
        walker = simulation.snapshot.creatures[0].definition
        (herd,) = pose_of(simulation.snapshot).herds
        gravity = simulation.snapshot.gravity[0]
    climber = walker.model_copy(update={"climb": ClimbDef()})
    quarter = quat_about((0.0, 1.0, 0.0), 0.5 * np.pi)  # the ground's normal along X
    turn = rotation_matrices(np.array(quarter))
    before = tuple(herd.orientations[0, 0].tolist())
    on_wall = replace(
        herd,
        **{
            name: getattr(herd, name) @ turn.T
            for name in ("positions", "joints", "goals", "footholds", "normals", "headings")
        },
        orientations=np.array([[quat_multiply(quarter, before)]]),
    )
    below = {}
    for plan, pose in ((walker, herd), (climber, herd), (climber, on_wall)):
        found = overlay(plan, CreaturePose(pose, 0), gravity, SUPPORTS)
        assert found.spheres[0, 12:15] == pytest.approx(SUPPORT)
        below[plan is climber, pose is on_wall] = found.spheres[0, [3, 7, 11]]
        arrow = found.limbs[-1]
        assert (arrow[12:15] == pytest.approx(HELD)) == (plan is climber)
        if plan is climber:
            normal = arrow[[0, 4, 8]] / np.linalg.norm(arrow[[0, 4, 8]])
            held = pose.normals[0].mean(axis=0)  # all of its feet stand
            assert normal == pytest.approx(held / np.linalg.norm(held), abs=1e-5)
    assert below[True, False] == pytest.approx(below[False, False])
    assert below[True, True] == pytest.approx(turn @ below[True, False], abs=1e-5)

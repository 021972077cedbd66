"""Angles of a walk: a robot that has them is where the creature was."""

from pathlib import Path

import numpy as np
import pytest
from pyarrow import parquet

from creature_sim.components import STANDING
from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.definitions.names import leg_names
from creature_sim.drivers import make_driver
from creature_sim.export.formats import Choice, write_export
from creature_sim.library.loader import load_creature
from creature_sim.maths import Floats
from creature_sim.replay import Replay, open_replay, record
from creature_sim.robots import Robot
from creature_sim.robots.angles import angles_of
from creature_sim.robots.building import robot_of
from creature_sim.robots.kinematics import frames_of
from creature_sim.snapshots.poses import CreaturePose, pose_of
from tests.commands import sim
from tests.export.recordings import COMES, GOES, with_changes
from tests.marks import sample_of
from tests.robots.robots import CREATURES, limits, placed, rest, robot
from tests.robots.tables import Table
from tests.scenes import herd, scene, walk

TICKS = 240


def recorded(path: Path, world: WorldDef, ticks: int) -> Replay:
    record(world, path, ticks, driver=make_driver(world))
    return open_replay(path)


def written(replay: Replay, path: Path, choice: Choice) -> Table:
    notice = write_export(replay, path, force=False, progress=lambda _: None, choice=choice)
    assert notice == ""
    return Table(path)


def states(replay: Replay, number: int = 0) -> list[CreaturePose]:
    return [pose_of(snapshot).creature(number) for snapshot in replay.rerun()]


def misses(plan: CreatureDef, made: Robot, places: Floats, state: CreaturePose) -> float:
    """How far the robot's joints and tips are from the creature's [m]."""
    links = {link.name: k for k, link in enumerate(made.links)}
    worst = 0.0
    for i, (name, leg) in enumerate(zip(leg_names(plan), plan.all_legs, strict=True)):
        mine = [links[f"{name}_bone_{bone + 1}"] for bone in range(len(leg.bones))]
        mine.append(links[f"{name}_foot"])
        worst = max(worst, abs(places[mine] - state.joints[i, : len(mine)]).max())
    return worst


@pytest.mark.slow
@pytest.mark.parametrize("creature", sample_of(CREATURES, "hexapod", "biped", slow=("millipede",)))
def test_the_robot_is_where_the_creature_was(creature: str, tmp_path: Path) -> None:
    replay = recorded(tmp_path / "a.mcap", scene("stairs", creature, driver="wander"), TICKS)
    table = written(replay, tmp_path / "a.csv", Choice(has_angles=True))
    plan, made = load_creature(creature), robot(creature)
    names = [joint.name for joint in made.joints]
    angles = table.columns(names)
    places, _ = frames_of(made, angles, table.positions, table.orientations)
    found = states(replay)
    assert len(found) == len(angles) == TICKS + 1
    assert max(misses(plan, made, *both) for both in zip(places, found, strict=True)) < 1e-9
    low, high = limits(made)
    assert (angles >= low - 1e-9).all()
    assert (angles <= high + 1e-9).all()
    assert abs(np.diff(angles, axis=0)).max() * 60.0 < 25.0  # nothing jumps [rad/s]


@pytest.mark.slow
def test_velocities_and_contacts_are_those_of_the_walk(tmp_path: Path) -> None:
    replay = recorded(tmp_path / "a.mcap", scene("hills", "ant", driver="forward 9"), TICKS)
    table = written(replay, tmp_path / "a.csv", Choice(has_angles=True))
    names = [joint.name for joint in robot("ant").joints]
    angles = table.columns(names)
    rates = table.columns([f"{name}_velocity" for name in names])
    assert rates[1:-1] == pytest.approx((angles[2:] - angles[:-2]) * 30.0, abs=1e-9)
    legs = leg_names(load_creature("ant"))
    stands = table.columns([f"{leg}_foot_contact" for leg in legs])
    expected = [
        snapshot.herds[0].parts["foot_target"]["records"]["phase"][0] == STANDING
        for snapshot in replay.rerun()
    ]
    assert np.array_equal(stands, np.array(expected))
    assert 0.0 < stands.mean() < 1.0
    assert table.times == pytest.approx(np.arange(TICKS + 1) / 60.0)
    before = ["time", "tick", "x", "y", "z", "qx", "qy", "qz", "qw"]
    assert table.names[: len(before) + len(names)] == before + names


@pytest.mark.slow
def test_parts_of_a_run_and_parquet(tmp_path: Path) -> None:
    replay = recorded(tmp_path / "a.mcap", scene("meadow", "spider4", driver="forward 9"), 60)
    whole = written(replay, tmp_path / "a.csv", Choice(has_angles=True))
    part = written(replay, tmp_path / "b.csv", Choice(0.5, 0.75, 30.0, has_angles=True))
    assert part.columns(["tick"])[:, 0].tolist() == [30, 32, 34, 36, 38, 40, 42, 44]
    joint = ["L1_joint_1_bend"]
    assert part.columns(joint).tolist() == whole.columns(joint)[30:46:2].tolist()
    choice = Choice(has_angles=True)
    write_export(replay, tmp_path / "a.parquet", force=False, progress=print, choice=choice)
    columns = parquet.read_table(tmp_path / "a.parquet").to_pydict()
    assert list(columns) == whole.names
    assert columns[joint[0]] == whole.columns(joint)[:, 0].tolist()


@pytest.mark.slow
def test_a_creature_has_rows_while_it_is_there(tmp_path: Path) -> None:
    replay = open_replay(with_changes(tmp_path / "a.mcap"))
    choice = Choice(creature=1, has_angles=True)
    table = written(replay, tmp_path / "a.csv", choice)
    ticks = table.columns(["tick"])[:, 0].tolist()
    assert ticks == list(range(COMES + 1, GOES + 1))


def legged(**changes: object) -> CreatureDef:
    """Two pairs of legs with derived joints: universal ones, or balls."""
    fields = load_creature("spider4").model_dump()
    for pair in fields["leg_pairs"]:
        pair.update(joints=(), **changes)
    return CreatureDef.model_validate(fields)


@pytest.mark.parametrize(
    "changes",
    [
        {"bones": (0.4, 0.42)},
        {"pole": (0.0, 0.0, -1.0), "home": (0.3, 0.3)},
        {"pole": (1.0, 0.0, 0.0), "bones": (0.4, 0.42)},
        {"pole": (-1.0, 0.0, 0.3)},
        {"foot": {"heel": 0.03, "toe": 0.06}, "bones": (0.2, 0.3, 0.08)},
        {"foot": {"heel": 0.03, "toe": 0.06}, "pole": (-1.0, 0.6, 0.8)},
    ],
    ids=["universal", "knees_down", "ball_of_two", "ball_of_three", "sole", "sole_below_a_ball"],
)
def test_joints_that_no_file_writes(changes: dict[str, object]) -> None:
    plan = legged(**changes)
    made = robot_of(plan)
    feet = placed(made, rest(made))
    for name, leg in zip(leg_names(plan), plan.all_legs, strict=True):
        assert feet[f"{name}_foot"][0] == pytest.approx((*leg.home, -made.height), abs=1e-7)
    world = scene("hills", "spider4", driver="wander")
    world = world.model_copy(update={"species": {"spider4": plan}})
    poses = [pose_of(snapshot).creature(0) for snapshot in walk(world, 90)]
    orientations = np.array([pose.orientations for pose in poses])
    joints = np.array([pose.joints for pose in poses])
    headings = np.array([pose.headings for pose in poses])
    angles = angles_of(plan, orientations, joints, headings)
    positions = np.array([pose.position for pose in poses])
    places, turns = frames_of(made, angles, positions, orientations[:, 0])
    assert max(misses(plan, made, *both) for both in zip(places, poses, strict=True)) < 1e-9
    for i, (foot, written_leg) in enumerate(zip(made.feet, plan.all_legs, strict=True)):
        toes = turns[:, foot, :, 2] * (1.0 if written_leg.pole[0] >= 0.0 else -1.0)
        if written_leg.foot:
            assert abs(toes - headings[:, i]).max() < 1e-6, "its soles point where they do"
    assert abs(np.diff(angles, axis=0)).max() * 60.0 < 40.0


def test_straight_legs_of_balls_keep_their_plane() -> None:
    """A knee that comes straight says nothing of the twist: it stays as it was."""
    plan = legged(pole=(1.0, 0.0, 0.0), bones=(0.4, 0.42))
    made = robot_of(plan)
    names = [joint.name for joint in made.joints]
    angles = np.zeros((3, len(names)))
    knee, twist = names.index("L1_joint_1_bend"), names.index("L1_hip_twist")
    angles[:, knee], angles[:, twist] = (0.5, 0.0, 0.4), (0.2, 0.2, 0.2)
    turn = np.repeat([[0.0, 0.0, 0.0, 1.0]], 3, axis=0)
    places, _ = frames_of(made, angles, np.zeros((3, 3)), turn)
    links = {link.name: k for k, link in enumerate(made.links)}
    joints = np.stack(
        [
            places[:, [links[f"{leg}_{part}"] for part in ("bone_1", "bone_2", "foot")]]
            for leg in leg_names(plan)
        ],
        axis=1,
    )
    headings = np.broadcast_to((1.0, 0.0, 0.0), (*joints.shape[:2], 3))
    found = angles_of(plan, np.repeat(turn[:, None], 2, axis=1), joints, headings)
    assert found[:, [knee, twist]] == pytest.approx(angles[:, [knee, twist]], abs=1e-9)


REFUSED = [
    ("hexapod -o a.glb --angles", "--angles: expected a file .csv, .parquet, found 'a.glb'"),
    ("hexapod -o a.xml --angles", "--angles: expected a file .csv, .parquet, found 'a.xml'"),
    ("hills -o a.csv --angles", "--angles: expected --seconds too, how long the world hills runs"),
    ("arm -o a.csv --angles --seconds 1", "-o: expected a creature to write to a.csv, found none"),
    ("two.mcap -o a.csv --angles", "--creature: expected the number of one creature, 0 to 1"),
    (
        "two.mcap -o a.csv --angles --creature 2",
        "expected the number of a creature, 0 to 1, found 2",
    ),
    (
        "hexapod -o a.csv --angles --loop",
        "--loop: expected a file .glb, .bvh, .usda, found 'a.csv'",
    ),
]


@pytest.mark.parametrize(("words", "expected"), REFUSED, ids=[words for words, _ in REFUSED])
def test_what_does_not_fit_is_refused(words: str, expected: str, tmp_path: Path) -> None:
    if "two" in words:
        recorded(tmp_path / "two.mcap", herd("meadow", "ant", [(0.0, 0.0), (2.0, 0.0)]), 2)
    done = sim("export", *words.split(), cwd=tmp_path)
    assert done.returncode == 2
    assert expected in done.stderr
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.glob("a.*"))

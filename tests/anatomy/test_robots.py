"""`creature-sim new creature --from` a robot: what it finds, and how that walks."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest

from creature_sim.anatomy import Anatomy, creature_text, robot_anatomy
from creature_sim.errors import CreatureSimError
from creature_sim.ground.rays import Physics
from creature_sim.library.loader import load_creature, load_world
from creature_sim.library.variants import with_creature
from creature_sim.locomotion.hips import swing_to
from creature_sim.maths import vec
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.models import open_model
from creature_sim.robots.reading import read_robot
from creature_sim.score import Surface, score_track, tracks
from creature_sim.simulation import Simulation
from creature_sim.terrain import build_terrain
from tests.commands import sim
from tests.marks import sample_of
from tests.robots.files import DATA, DOGS, ROBOTS
from tests.scenes import walk
from tests.tools.robots import BEGIN, END, KINDS, PAGE, made, path_of, shown, told, walked

pytest.importorskip("pybullet_data")

A1 = DATA / "a1/a1.urdf"
SECONDS = 6


def _table() -> dict[str, list[str]]:
    """Cells of the page's table, by robot."""
    table = PAGE.read_text().split(BEGIN)[1].split(END)[0].strip().splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table]
    return {row[0].strip(" `|"): [cell.strip(" |") for cell in row[1:]] for row in rows}


TABLE = _table()


def test_the_page_has_all_robots() -> None:
    assert tuple(TABLE) == ROBOTS


@pytest.mark.slow
@pytest.mark.parametrize("robot", ROBOTS)
def test_the_page_says_what_is_found(robot: str, tmp_path: Path) -> None:
    if path_of(robot) is None:
        pytest.skip("its package is not installed")
    assert shown(told(made(robot, tmp_path))) == TABLE[robot][0]


WALKERS = [robot for robot, cells in TABLE.items() if not cells[0].startswith("refused")]
SLOW = (
    "pybullet_data/quadruped/spirit40.urdf",
    "pybullet_data/mjcf/humanoid_symmetric.xml",  # it walks on hills, and is too slow on stairs
)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("robot", sample_of(WALKERS, slow=SLOW))
def test_the_page_says_how_they_walk(robot: str, kind: str, tmp_path: Path) -> None:
    if path_of(robot) is None:
        pytest.skip("its package is not installed")
    found = made(robot, tmp_path)
    assert not isinstance(found, str)
    says = TABLE[robot][1 + KINDS.index(kind)]
    assert (walked(found[1], kind) == "walks") == (says == "walks")


@pytest.mark.slow
@pytest.mark.parametrize(
    "file",
    sample_of(DOGS, "mini_cheetah/mini_cheetah.urdf", slow=("laikago/laikago_toes_limits.urdf",)),
)
@pytest.mark.parametrize("world", ["hills", "stairs"])
def test_dogs_walk_within_their_limits(file: str, world: str, tmp_path: Path) -> None:
    found = made(f"pybullet_data/{file}", tmp_path)
    assert not isinstance(found, str)
    scene = with_creature(load_world(world), found[1])
    (track,) = tracks(walk(scene, SECONDS * scene.tick_rate), scene.tick_rate)
    with Physics(build_terrain(scene.terrain, scene.seed)) as physics:
        metrics = score_track(track, Surface(physics), scene)
    assert metrics["M26"].verdict == "excellent"
    assert metrics["M6"].verdict != "fail"
    assert metrics["M16"].verdict != "fail"
    path = np.linalg.norm(np.diff(track.position, axis=0), axis=1).sum()
    assert path > 0.5 * track.definition.motion.speed * SECONDS


@pytest.mark.slow
def test_a_walk_stays_within_the_angles_of_the_urdf(tmp_path: Path) -> None:
    """Its hip's two angles and its knee's, of bones as they walk on stairs."""
    found = made("pybullet_data/a1/a1.urdf", tmp_path)
    assert not isinstance(found, str)
    scene = with_creature(load_world("stairs"), found[1])
    (track,) = tracks(walk(scene, SECONDS * scene.tick_rate), scene.tick_rate)
    bones = np.diff(track.joints, axis=2)
    turns = rotation_matrices(track.orientations[:, 0])
    thigh, shin = np.moveaxis(np.einsum("tji,tlbj->tlbi", turns, bones), 2, 0)
    aside = np.arctan2(thigh[..., 1], -thigh[..., 2])
    pitch = np.arctan2(-thigh[..., 0], np.hypot(thigh[..., 1], thigh[..., 2]))
    axis = np.stack([0.0 * aside, np.cos(aside), np.sin(aside)], axis=-1)
    knee = np.arctan2((np.cross(thigh, shin) * axis).sum(-1), (thigh * shin).sum(-1))
    joints = {joint.name: joint for joint in read_robot(A1).robot.joints}
    for name, angles in (("hip", aside), ("upper", pitch), ("lower", knee)):
        joint = joints[f"FL_{name}_joint"]
        assert angles.min() > joint.lo - 1e-6
        assert angles.max() < joint.hi + 1e-6
    across = np.cross(thigh, shin)
    across /= np.linalg.norm(across, axis=-1, keepdims=True)
    assert np.abs((across * axis).sum(-1)).min() > np.cos(0.05)  # the knee turns about its axis


@pytest.mark.slow
def test_the_legs_of_an_a1_fold_as_far_as_its_knees_do(tmp_path: Path) -> None:
    """Its thighs are above level then, which the URDF lets them be."""
    found = made("pybullet_data/a1/a1.urdf", tmp_path)
    assert not isinstance(found, str)
    with Simulation(with_creature(load_world("stairs"), found[1])) as simulation:
        legs = simulation.snapshot.herds[0].plan.legs
        for leg in legs:
            for far in (1.05 * leg.min_reach * leg.arm, 0.12, 0.16):
                assert swing_to(leg, (0.0, 0.0, -far), vec(leg.pole)) < 1.0


def test_the_hips_of_an_a1_swing_as_far_as_its_motors_do() -> None:
    """Walks stay within a cone; twins have what the URDF lets thighs do, up to half a turn away."""
    (left, _), *_ = _anatomy("a1/a1.urdf").legs
    assert left.limits is not None
    hip, _ = left.limits.joints(np.array([0.0, 1.0, 0.0]))
    written = {joint.name: joint for joint in read_robot(A1).robot.joints}["FL_upper_joint"]
    least, most = hip["swing"]
    assert most == pytest.approx(hip["cone"][0], abs=1e-3)
    assert 4.9 < most - least < written.hi - written.lo


def _anatomy(robot: str) -> Anatomy:
    return robot_anatomy(DATA / robot)[0]


@pytest.mark.slow
def test_what_is_found_in_an_a1() -> None:
    anatomy = _anatomy("a1/a1.urdf")
    names = anatomy.skeleton.names
    assert [names[pair[0].bones[0]] for pair in anatomy.legs] == ["FL_upper", "RL_upper"]
    front = anatomy.legs[0][0]
    assert front.joints[0] == pytest.approx((0.183, 0.047 + 0.08505, 0.0))
    assert front.lengths == pytest.approx((0.2, 0.22))  # the ball of its foot reaches .02 m on
    assert front.pole == (-1.0, 0.0, 0.0)
    assert anatomy.robot is not None
    assert anatomy.robot.mass == pytest.approx(12.458)
    ends = [leg.joints[-1][2] for pair in anatomy.legs for leg in pair]
    assert np.ptp(ends) < 1e-3


@pytest.mark.slow
def test_names_and_legs_say_what_is_up_and_ahead() -> None:
    """Three files of one robot, two of them with Y up."""
    for name in ("laikago", "laikago_toes", "laikago_toes_zup"):
        anatomy = _anatomy(f"laikago/{name}.urdf")
        assert anatomy.robot is not None
        frame = anatomy.robot.frame
        assert (frame.up, frame.forward) == (("+Z", "+X") if "zup" in name else ("+Y", "+Z"))
        names = [anatomy.skeleton.names[leg.bones[0]][:2] for pair in anatomy.legs for leg in pair]
        assert names == ["FL", "FR", "RL", "RR"]


@pytest.mark.slow
def test_models_show_every_link_that_moves() -> None:
    anatomy, data = robot_anatomy(A1)
    model = open_model(Path("a1.glb"), data)
    assert set(anatomy.skeleton.names) <= set(model.nodes.names)
    assert len(model.parts) == 1 + 4 + 4 + 4 + 4 + 1  # body, hips, thighs, shins, toes, sensor
    feet = [leg.joints[-1] for pair in anatomy.legs for leg in pair]
    lowest = min(float(part.vertices[:, 1].min()) for part in model.parts)
    assert lowest == pytest.approx(min(foot[2] for foot in feet), abs=0.02)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hexapod", "spider4", "spider8", "ant"])
def test_exported_creatures_come_back(name: str, tmp_path: Path) -> None:
    """Their joints at 0 lie flat, and yet they stand."""
    sim("export", name, "-o", "out.urdf", cwd=tmp_path)
    done = sim("new", "creature", "back", "--from", "out.urdf", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    back, known = load_creature(tmp_path / "back.toml"), load_creature(name)
    assert len(back.all_legs) == len(known.all_legs)
    hips, others = (np.array([leg.mount for leg in one.all_legs]) for one in (back, known))
    assert hips - hips[0] == pytest.approx(others - others[0], abs=1e-4)
    for leg, other in zip(back.all_legs, known.all_legs, strict=True):
        assert leg.bones[:-1] == pytest.approx(other.bones[:-1], abs=1e-4)


@pytest.mark.slow
def test_the_command_writes_a_creature_a_model_and_a_picture(tmp_path: Path) -> None:
    done = sim("new", "creature", "dog", "--from", str(A1), "--plot", "dog.png", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "12 joints, 12.46 kg" in done.stdout
    written = {path.name for path in tmp_path.iterdir()}
    assert written == {"dog.toml", "dog.glb", "dog.png", "creature.schema.json"}
    text = (tmp_path / "dog.toml").read_text()
    assert "# those of FL_hip_joint, FL_upper_joint, FL_lower_joint" in text
    again = sim("new", "creature", "dog", "--from", str(A1), cwd=tmp_path)
    assert again.returncode == 2
    assert "--force replaces it" in again.stderr


@pytest.mark.filterwarnings("error")
def test_a_robot_of_one_point_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "x.urdf"
    file.write_text('<robot name="x"><link name="a"/></robot>')
    with pytest.raises(CreatureSimError, match=r"expected legs .*, found 0 joints"):
        robot_anatomy(file)


def test_a_robot_that_is_not_there_is_refused_in_one_line(tmp_path: Path) -> None:
    done = sim("new", "creature", "dog", "--from", "none.urdf", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


VALUES = ("", "0", "-1", "nan", "1e9", "1 2", "a", "0 0 0", "1e-9", "5", "-5", "trunk", "aux_1")
BREAKABLE = ("quadruped/vision60.urdf", "mjcf/ant.xml", "mjcf/humanoid.xml")


def _mutants(text: str, count: int, seed: int) -> Iterator[str]:
    """Texts with some of their values, tags or ends changed."""
    rng = Random(seed)
    for _ in range(count):
        made = text
        for _ in range(rng.choice((1, 1, 1, 2, 4))):
            parts = made.split('"')
            lines = made.splitlines()
            kind = rng.randrange(4)
            if kind == 0:
                parts[2 * rng.randrange(len(parts) // 2) + 1] = rng.choice(VALUES)
                made = '"'.join(parts)
            elif kind == 1:
                del lines[rng.randrange(len(lines))]
                made = "\n".join(lines)
            elif kind == 2:
                index = rng.randrange(len(lines))
                made = "\n".join([*lines[: index + 1], *lines[index:]])
            else:
                one, other = rng.sample(range(len(parts) // 2), 2)
                parts[2 * one + 1] = parts[2 * other + 1]
                made = '"'.join(parts)
        yield made if rng.random() < 0.9 else made[: rng.randrange(len(made))]


@pytest.mark.slow
@pytest.mark.parametrize(
    "robot", sample_of(BREAKABLE, slow=("quadruped/vision60.urdf", "mjcf/ant.xml"))
)
def test_broken_files_become_one_message(robot: str, tmp_path: Path) -> None:
    text = (DATA / robot).read_text()
    path = tmp_path / Path(robot).name
    said = []
    for mutant in _mutants(text, 60, seed=len(text)):
        path.write_text(mutant)
        try:
            creature_text(robot_anatomy(path)[0], "robot", "robot.glb", "x.json")
        except CreatureSimError as error:
            said.append(str(error))
    assert 10 < len(said) < 60
    assert all(text.startswith(f"{path}: ") and "\n" not in text for text in said)

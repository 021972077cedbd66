"""Runs as binary glTF, read back by a reader of our own and compared with the states of the run."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from creature_sim.definitions import PlacementDef, PropDef
from creature_sim.drivers import make_driver
from creature_sim.export import names
from creature_sim.export.formats import Choice, write_export
from creature_sim.library.loader import builtin_names, load_creature
from creature_sim.replay import Replay, open_replay, record
from creature_sim.snapshots.poses import Pose, pose_of
from tests.climbers import WALL, climber, in_room
from tests.commands import sim
from tests.export.gltfs import Gltf
from tests.export.recordings import COMES, GOES, with_changes
from tests.marks import sample_of
from tests.scenes import scene

REPLAYS = Path(__file__).parents[2] / "replays"
NEAR = 1e-5
"""Joints at keys are as near to those of the run [m]."""
THINNED = 6e-5
"""Joints at frames: .05 mm and what is rounded."""
DRIFT = 1e-3
"""Of a planted foot, over the reach of its leg."""
RATE = 60


def exported(replay: Replay, path: Path, **choice: Any) -> Gltf:
    notice = write_export(
        replay, path, force=False, progress=lambda done: None, choice=Choice(**choice)
    )
    assert notice == ""
    return Gltf(path)


def recorded(path: Path, world: str, creature: str, ticks: int, drive: str = "") -> Replay:
    made = scene(world, creature)
    record(made, path, ticks, driver=make_driver(made, *filter(None, [drive])))
    return open_replay(path)


def poses_of(replay: Replay) -> list[Pose]:
    return [pose_of(state) for state in replay.rerun()]


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    return recorded(tmp_path_factory.mktemp("walk") / "walk.mcap", "hills", "hexapod", 150)


@pytest.fixture(scope="module")
def run(walk: Replay, tmp_path_factory: pytest.TempPathFactory) -> Gltf:
    return exported(walk, tmp_path_factory.mktemp("run") / "walk.glb")


def leg_nodes(file: Gltf, replay: Replay, number: int = 0) -> list[list[int]]:
    """The nodes of every leg of a creature, hip to tip."""
    plan = replay.world.species_of(replay.world.creatures[number])
    below = file.below(f"{number}_{plan.name}")
    legs = zip(names.leg_names(plan), plan.all_legs, strict=True)
    return [
        [below[f"{name}_{joint}"] for joint in names.leg_joint_names(leg)] for name, leg in legs
    ]


# --- a creature -------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_bone_has_a_node_with_its_own_name(run: Gltf) -> None:
    legs = [f"{side}{pair}" for pair in (1, 2, 3) for side in "LR"]
    joints = ("hip", "joint_1", "joint_2", "tip")
    assert set(run.below("0_hexapod")) == {
        *("root", "body", "head"),
        *(f"{leg}_{joint}" for leg in legs for joint in joints),
    }
    parents = {run.names[n]: run.names[p] for n, p in enumerate(run.parents) if p >= 0}
    assert parents["root"] == "0_hexapod"
    assert parents["head"] == parents["R2_hip"] == "body"
    assert [parents[f"L3_{joint}"] for joint in joints[1:]] == [f"L3_{j}" for j in joints[:-1]]
    (animation,) = run.document["animations"]
    assert animation["name"] == "hills"
    assert run.duration == pytest.approx(2.5)


@pytest.mark.slow
def test_joints_at_their_keys_are_those_of_the_run(walk: Replay, run: Gltf) -> None:
    poses = poses_of(walk)
    for leg, nodes in enumerate(leg_nodes(run, walk)):
        for time in run.key_times(nodes[0]):
            tick = round(RATE * time)
            found = run.positions(tick / RATE)[nodes]
            assert np.abs(found - poses[tick].creature(0).joints[leg]).max() < NEAR


@pytest.mark.slow
def test_bodies_and_heads_are_turned_as_in_the_run(walk: Replay, run: Gltf) -> None:
    plan = walk.world.species["hexapod"]
    below = run.below("0_hexapod")
    for tick, pose in list(enumerate(poses_of(walk)))[::10]:
        creature, places = pose.creature(0), run.positions(tick / RATE)
        world = run.matrices(tick / RATE)
        assert np.abs(places[below["body"]] - creature.position).max() < NEAR
        # Its neck carries the head: the middle is ahead of it, along X, which is X in both.
        ahead = world[below["head"]][:3, 0]
        middle = places[below["head"]] + 0.5 * plan.head.size[0] * np.array(
            [ahead[0], -ahead[2], ahead[1]]
        )
        assert np.abs(middle - creature.positions[1]).max() < 3e-5  # 16 bits for each number


def drift_of(file: Gltf, replay: Replay, poses: list[Pose]) -> float:
    """Farthest that a tip is from where it stands in the walk, at 240 Hz, over the reach.

    There it stays where it is, or rises as its sole rolls about its heel or its toe.
    """
    ticks = np.arange(len(poses))
    times = np.arange(4 * (len(poses) - 1) + 1) / 4.0
    places = np.array([file.positions(time / RATE) for time in times])
    found = 0.0
    for leg, nodes in enumerate(leg_nodes(file, replay)):
        reach = replay.world.species_of(replay.world.creatures[0]).all_legs[leg].reach
        stands = np.array([not pose.creature(0).is_swinging[leg] for pose in poses])
        both = stands[np.floor(times).astype(int)] & stands[np.ceil(times).astype(int)]
        tips = np.array([pose.creature(0).joints[leg, len(nodes) - 1] for pose in poses])
        walked = np.stack([np.interp(times, ticks, tips[:, k]) for k in range(3)], axis=-1)
        off = np.sqrt(((places[:, nodes[-1]] - walked) ** 2).sum(axis=-1))
        found = max(found, float(off[both].max(initial=0.0)) / reach)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", sample_of(builtin_names("creature"), "hexapod", "biped", slow=("millipede",))
)
def test_planted_feet_stay_and_all_joints_are_near(name: str, tmp_path: Path) -> None:
    replay = recorded(tmp_path / "walk.mcap", "hills", name, 90)
    poses = poses_of(replay)
    file = exported(replay, tmp_path / "walk.glb")
    assert any(pose.creature(0).is_swinging.any() for pose in poses)
    assert drift_of(file, replay, poses) < DRIFT
    for tick in range(0, 91, 2):
        places = file.positions(tick / RATE)
        for leg, nodes in enumerate(leg_nodes(file, replay)):
            joints = poses[tick].creature(0).joints[leg, : len(nodes)]
            assert np.sqrt(((places[nodes] - joints) ** 2).sum(axis=1)).max() < THINNED


@pytest.mark.slow
def test_feet_on_a_wall_stay_where_they_hold(tmp_path: Path) -> None:
    world = in_room(climber("spider8"), up=WALL, height=1.2, heading=0.6)
    record(world, tmp_path / "walk.mcap", 90, driver=make_driver(world, "forward 2"))
    replay = open_replay(tmp_path / "walk.mcap")
    poses, file = poses_of(replay), exported(replay, tmp_path / "walk.glb")
    assert any(pose.creature(0).is_swinging.any() for pose in poses)
    assert drift_of(file, replay, poses) < DRIFT


@pytest.mark.slow
def test_feet_stay_planted_with_few_frames_too(walk: Replay, tmp_path: Path) -> None:
    file = exported(walk, tmp_path / "walk.glb", fps=8)
    assert drift_of(file, walk, poses_of(walk)) < DRIFT
    assert len(file.key_times(file.names.index("L1_hip"))) < 75


@pytest.mark.slow
def test_who_stands_still_needs_few_keys(tmp_path: Path) -> None:
    replay = recorded(tmp_path / "walk.mcap", "meadow", "hexapod", 240, "stop 10")
    many = exported(replay, tmp_path / "walk.glb")
    assert len(many.key_times(many.names.index("L1_hip"))) < 60


@pytest.mark.slow
@pytest.mark.thorough
def test_a_minute_of_a_hexapod_is_small(tmp_path: Path) -> None:
    replay = recorded(tmp_path / "walk.mcap", "hills", "hexapod", 3600)
    exported(replay, tmp_path / "walk.glb")
    assert (tmp_path / "walk.glb").stat().st_size < 1_200_000


# --- what is seen -----------------------------------------------------------------------------


@pytest.mark.slow
def test_a_skin_holds_the_bones_and_stands_on_the_ground(walk: Replay, run: Gltf) -> None:
    body = run.names.index("0_hexapod_skin")
    assert run.parents[body] == -1
    for tick in (0, 75, 150):
        points = run.skinned(body, tick / RATE)
        creature = poses_of(walk)[tick].creature(0)
        for joint in creature.joints.reshape(-1, 3):
            gap = np.sqrt(((points - joint) ** 2).sum(axis=1)).min()
            assert gap < 0.04  # the radius of a joint
        low, high = points.min(axis=0), points.max(axis=0)
        joints = creature.joints.reshape(-1, 3)
        assert (low > joints.min(axis=0) - 0.06).all()
        assert (high < joints.max(axis=0) + 0.2).all()
        # The pads of the feet that stand have their undersides at the tips.
        for tip in creature.joints[~creature.is_swinging, -1]:
            near = points[np.sqrt(((points - tip) ** 2).sum(axis=1)) < 0.03]
            assert abs(float(near[:, 2].min()) - tip[2]) < 0.03


def test_materials_have_the_colours_of_the_plan(run: Gltf) -> None:
    found = {}
    for material in run.document["materials"]:
        factor = material["pbrMetallicRoughness"].get("baseColorFactor", [1.0] * 4)
        light = np.array(factor[:3])
        screen = np.where(light < 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
        found[material["name"]] = "#" + "".join(f"{round(255 * part):02x}" for part in screen)
    assert found["body"] == "#c8673c"
    assert found["legs"] == "#4a5a6a"
    assert found["feet"] == "#e8d8b8"


def test_normals_and_triangles_face_outward(run: Gltf) -> None:
    for mesh in run.document["meshes"]:
        for primitive in mesh["primitives"]:
            points = run.values(primitive["attributes"]["POSITION"])
            normals = run.values(primitive["attributes"]["NORMAL"])
            corners = run.values(primitive["indices"])[:, 0].astype(int).reshape(-1, 3)
            a, b, c = (points[corners[:, k]] for k in range(3))
            faces = np.cross(b - a, c - a)
            size = np.sqrt((faces**2).sum(axis=1))
            is_flat = size < 1e-9
            agree = (faces * normals[corners].mean(axis=1)).sum(axis=1) > 0.0
            assert (agree | is_flat).mean() > 0.999


def test_the_ground_is_under_the_feet(walk: Replay, run: Gltf) -> None:
    (primitive,) = next(mesh for mesh in run.document["meshes"] if mesh["name"] == "ground")[
        "primitives"
    ]
    y_up = run.values(primitive["attributes"]["POSITION"])
    points = np.stack((y_up[:, 0], -y_up[:, 2], y_up[:, 1]), axis=1)
    assert "COLOR_0" in primitive["attributes"]
    for pose in poses_of(walk)[::50]:
        creature = pose.creature(0)
        for tip in creature.joints[~creature.is_swinging, -1]:
            near = points[np.abs(points[:, :2] - tip[:2]).max(axis=1) < 0.26]
            assert near[:, 2].min() - 0.02 < tip[2] < near[:, 2].max() + 0.02


# --- others -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_several_creatures_that_come_and_go(tmp_path: Path) -> None:
    replay = open_replay(with_changes(tmp_path / "changes.mcap"))
    file = exported(replay, tmp_path / "changes.glb")
    top = {name: file.names.index(name) for name in ("0_hexapod", "1_hexapod", "2_spider4")}
    for tick, name, size in (
        *((0, "1_hexapod", 0.0), (COMES, "1_hexapod", 0.0), (COMES + 1, "1_hexapod", 1.0)),
        *((GOES, "1_hexapod", 1.0), (GOES + 1, "1_hexapod", 0.0), (60, "2_spider4", 1.0)),
        *((0, "0_hexapod", 1.0), (60, "0_hexapod", 1.0)),
    ):
        # Times in the file have 24 bits.
        assert file.sample(top[name], "scale", tick / RATE + 1e-5).tolist() == [size] * 3
    skins = [node for node in file.nodes if "skin" in node]
    assert len(skins) == 3
    assert skins[0]["mesh"] == skins[1]["mesh"] != skins[2]["mesh"]
    (state,) = [pose_of(state) for state in replay.rerun() if state.tick == 30]
    for number in (0, 1, 2):
        for leg, nodes in enumerate(leg_nodes(file, replay, number)):
            joints = state.creature(number).joints[leg, : len(nodes)]
            assert np.abs(file.positions(0.5)[nodes] - joints).max() < THINNED


@pytest.mark.parametrize("name", ["arm", "humanoid"])
def test_chains_and_trees_have_their_joints(name: str, tmp_path: Path) -> None:
    replay = open_replay(REPLAYS / f"{name}.mcap")
    file = exported(replay, tmp_path / f"{name}.glb")
    below = file.below(f"chain_0_{name}")
    joints = [below[joint] for joint in names.rig_joint_names(replay.world.rigs[0])]
    targets = [below[label] for label in below if label.startswith("target_")]
    for state in list(replay.rerun())[::4]:
        places = file.positions(state.tick / RATE)
        assert np.abs(places[joints] - state.chains[0].joints).max() < THINNED
        assert np.abs(places[targets] - state.chains[0].targets).max() < THINNED


@pytest.mark.slow
def test_props_move_and_those_that_do_not_have_no_keys(tmp_path: Path) -> None:
    replay = recorded(tmp_path / "walk.mcap", "platforms", "hexapod", 240)
    file = exported(replay, tmp_path / "walk.glb")
    props = [
        file.names.index(f"prop_{k}_{prop.shape}") for k, prop in enumerate(replay.world.props)
    ]
    seen = []
    for state in list(replay.rerun())[::8]:
        places = file.positions(state.tick / RATE)[props]
        assert np.abs(places - state.props.records["position"]).max() < THINNED
        seen.append(state.props.records["position"])
    moves = np.ptp(np.array(seen), axis=0).max(axis=1) > 1e-6
    assert 0 < moves.sum() < len(props)
    moving = {node for node, _ in file.curves}
    for node, is_moving in zip(props, moves.tolist(), strict=True):
        assert "mesh" in file.nodes[node]
        assert (node in moving) == is_moving


def test_what_turns_does_so_evenly_also_if_quaternions_move_along_lines(tmp_path: Path) -> None:
    table = {"shape": "cylinder", "radius": 3.0, "length": 0.4, "position": (9.0, 0.0, 0.2)}
    table |= {"motion": "kinematic", "spin": (0.0, 0.0, 1.5)}
    world = scene("meadow", "hexapod").model_copy(
        update={"props": (PropDef.model_validate(table),)}
    )
    record(world, tmp_path / "table.mcap", 120)
    file = exported(open_replay(tmp_path / "table.mcap"), tmp_path / "table.glb")
    times, turns, kind = file.curves[file.names.index("prop_0_cylinder"), "rotation"]
    assert kind == "LINEAR"
    shown = np.linspace(0.0, 2.0, 500)  # as Blender plays it
    along = np.stack([np.interp(shown, times, part) for part in turns.T], axis=1)
    angles = 2.0 * np.arctan2(np.linalg.norm(along[:, :3], axis=1), along[:, 3])
    assert np.abs(angles - 1.5 * shown).max() < np.radians(0.03)


@pytest.mark.slow
def test_legs_of_a_long_trunk_hang_on_its_segments(tmp_path: Path) -> None:
    replay = recorded(tmp_path / "walk.mcap", "hills", "centipede", 30)
    file = exported(replay, tmp_path / "walk.glb")
    parents = {file.names[n]: file.names[p] for n, p in enumerate(file.parents) if p >= 0}
    assert parents["L2_hip"] == "segment_1"
    assert parents["segment_1"] == "body"
    assert parents["segment_2"] == "segment_1"
    # Bones are rigid: nothing but the body moves against what it hangs on.
    moved = {file.names[node] for node, path in file.curves if path == "translation"}
    assert moved == {"body"}


# --- parts ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_part_of_a_run_begins_at_zero(walk: Replay, tmp_path: Path) -> None:
    file = exported(walk, tmp_path / "part.glb", start=1.0, end=2.0)
    assert file.duration == pytest.approx(1.0)
    pose = poses_of(walk)[90]
    for leg, nodes in enumerate(leg_nodes(file, walk)):
        assert np.abs(file.positions(0.5)[nodes] - pose.creature(0).joints[leg]).max() < THINNED


@pytest.mark.slow
def test_one_creature_comes_without_ground(tmp_path: Path) -> None:
    replay = open_replay(with_changes(tmp_path / "changes.mcap"))
    file = exported(replay, tmp_path / "one.glb", creature=2)
    assert {file.names[node] for node, parent in enumerate(file.parents) if parent < 0} == {
        "2_spider4",
        "2_spider4_skin",
    }


@pytest.mark.slow
def test_the_same_run_gives_the_same_bytes(walk: Replay, run: Gltf, tmp_path: Path) -> None:
    exported(walk, tmp_path / "again.glb")
    exported(walk, tmp_path / "more.glb")
    assert (tmp_path / "again.glb").read_bytes() == (tmp_path / "more.glb").read_bytes()


@pytest.mark.slow
def test_a_recording_that_cannot_be_simulated_gives_its_poses(tmp_path: Path) -> None:
    walk = recorded(tmp_path / "walk.mcap", "hills", "hexapod", 60)
    other = walk.world.creatures[0].model_copy(update={"heading": 1.0})
    start = walk.start.model_copy(update={"creatures": (PlacementDef(**other.model_dump()),)})
    notice = write_export(
        replace(walk, start=start), tmp_path / "o.glb", force=False, progress=lambda done: None
    )
    assert "it has the recorded poses" in notice
    file = Gltf(tmp_path / "o.glb")
    for pose in walk.poses:
        places = file.positions(pose.tick / RATE)
        for leg, nodes in enumerate(leg_nodes(file, walk)):
            assert np.abs(places[nodes] - pose.creature(0).joints[leg]).max() < 1e-4


@pytest.mark.slow
def test_who_is_not_there_meanwhile_is_refused(tmp_path: Path) -> None:
    with_changes(tmp_path / "changes.mcap")
    words = ("--creature", "1", "--from", "0.8")
    for name in ("out.glb", "out.bvh"):
        done = sim("export", "changes.mcap", "-o", name, *words, cwd=tmp_path)
        assert done.returncode == 2
        assert done.stderr.startswith("error: --creature: expected one that is there")


# --- the command ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "error"),
    [
        (["--from", "9"], "--from: expected seconds from 0 to 2.5, found 9"),
        (["--to", "0"], "--to: expected seconds after 0 and up to 2.5, found 0"),
        (["--fps", "0"], "--fps: expected a number from 0.1 to 240, found 0"),
        (["--creature", "1"], "--creature: expected the number of a creature, 0 to 0, found 1"),
        (["--loop"], "--loop: expected a walk of 0_hexapod that repeats itself"),
    ],
)
def test_a_choice_that_cannot_be_met_is_refused(
    words: list[str], error: str, walk: Replay, tmp_path: Path
) -> None:
    done = sim("export", str(walk.path), "-o", "out.glb", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {error}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("option", ["--loop", "--creature 0", "--fps 10", "--from 1"])
def test_options_that_a_format_does_not_know_are_refused(
    option: str, walk: Replay, tmp_path: Path
) -> None:
    done = sim("export", str(walk.path), "-o", "out.html", *option.split(), cwd=tmp_path)
    assert done.returncode == 2
    assert done.stderr.startswith(f"error: {option.split()[0]}: expected a file .glb, .bvh, .usda")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_tables_take_parts_and_frames(walk: Replay, tmp_path: Path) -> None:
    words = ("--from", "0.5", "--to", "1.5", "--fps", "20")
    done = sim("export", str(walk.path), "-o", "out.csv", *words, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    rows = (tmp_path / "out.csv").read_text().splitlines()[1:]
    assert sorted({int(row.split(",")[1]) for row in rows}) == list(range(30, 91, 3))


@pytest.mark.slow
def test_command_writes_an_animation(walk: Replay, tmp_path: Path) -> None:
    done = sim("export", str(walk.path), "-o", str(tmp_path / "walk.glb"), "--to", "1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "import it into Blender" in done.stdout
    assert Gltf(tmp_path / "walk.glb").duration == pytest.approx(1.0)


@pytest.mark.slow
def test_a_creature_with_an_odd_name_is_written(tmp_path: Path) -> None:
    plan = load_creature("hexapod").model_copy(update={"name": "a.b-c"})
    world = scene("hills", "hexapod")
    world = world.model_copy(
        update={"species": {"odd": plan}, "creatures": (PlacementDef(creature="odd"),)}
    )
    record(world, tmp_path / "odd.mcap", 20, driver=make_driver(world))
    file = exported(open_replay(tmp_path / "odd.mcap"), tmp_path / "odd.glb")
    assert "0_a.b-c" in file.names

"""Scenes for robotics viewers: read back with MCAP's and protobuf's own readers."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from foxglove_schemas_protobuf.FrameTransforms_pb2 import FrameTransforms
from foxglove_schemas_protobuf.SceneUpdate_pb2 import SceneUpdate
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory

from creature_sim.export.frames import X, Z, turns_onto
from creature_sim.export.scene import write_scene
from creature_sim.library.loader import load_world
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.replay import Replay, open_replay, record
from creature_sim.snapshots.pose_bytes import DIRECTION_SCALE
from tests.commands import sim
from tests.export.recordings import TICKS, there_at, with_changes
from tests.figures.test_sizes import scaled
from tests.replay.messages import joint_rounding, rounding
from tests.scenes import scene

REPLAYS = Path(__file__).parents[2] / "replays"
ABOUT = {"recording": "walk.mcap", "world": "hills"}
ROUNDED_NORMAL = 3.0**0.5 * 0.5 / DIRECTION_SCALE
"""How much longer or shorter than 1 a recorded normal is, of three rounded numbers."""


class Read:
    """A scene file, read again."""

    def __init__(self, path: Path) -> None:
        with path.open("rb") as stream:
            reader = make_reader(stream, decoder_factories=[DecoderFactory()])
            self.summary = reader.get_summary()
            self.metadata = {entry.name: entry.metadata for entry in reader.iter_metadata()}
            self.messages = [
                (channel.topic, message.log_time, decoded)
                for _, channel, message, decoded in reader.iter_decoded_messages()
            ]

    def on(self, topic: str) -> list[tuple[int, Any]]:
        """Times [ns] and messages of a topic."""
        return [(time, message) for name, time, message in self.messages if name == topic]

    def transforms(self) -> Iterator[tuple[int, dict[str, Floats]]]:
        """Time [ns], and position and orientation (7,) of every frame, of each message."""
        for time, message in self.on("/tf"):
            yield time, {sent.child_frame_id: _numbers(sent) for sent in message.transforms}


def _numbers(sent: Any) -> Floats:
    p, q = sent.translation, sent.rotation
    return np.array([p.x, p.y, p.z, q.x, q.y, q.z, q.w])


def _point(vector: Any) -> Floats:
    return np.array([vector.x, vector.y, vector.z])


def made(replay: Replay, path: Path) -> Read:
    write_scene(replay, path, ABOUT)
    return Read(path)


@pytest.fixture(scope="module")
def changes(tmp_path_factory: pytest.TempPathFactory) -> Replay:
    return open_replay(with_changes(tmp_path_factory.mktemp("scene") / "changes.mcap"))


@pytest.fixture(scope="module")
def hills() -> Replay:
    return open_replay(REPLAYS / "hexapod-hills.mcap")


@pytest.fixture(scope="module")
def hills_scene(hills: Replay, tmp_path_factory: pytest.TempPathFactory) -> Read:
    return made(hills, tmp_path_factory.mktemp("scene") / "hills.mcap")


# --- the published schemas --------------------------------------------------------------------

DOUBLE, STRING, BOOL, ENUM, MESSAGE, FIXED32 = 1, 9, 8, 14, 11, 7
PUBLISHED = {
    "SceneUpdate": {"deletions": (1, MESSAGE), "entities": (2, MESSAGE)},
    "SceneEntityDeletion": {"timestamp": (1, MESSAGE), "type": (2, ENUM), "id": (3, STRING)},
    "SceneEntity": {
        "timestamp": (1, MESSAGE),
        "frame_id": (2, STRING),
        "id": (3, STRING),
        "frame_locked": (5, BOOL),
        "cubes": (8, MESSAGE),
        "spheres": (9, MESSAGE),
        "cylinders": (10, MESSAGE),
        "triangles": (12, MESSAGE),
        "texts": (13, MESSAGE),
    },
    "CylinderPrimitive": {
        "pose": (1, MESSAGE),
        "size": (2, MESSAGE),
        "bottom_scale": (3, DOUBLE),
        "top_scale": (4, DOUBLE),
        "color": (5, MESSAGE),
    },
    "TriangleListPrimitive": {
        "pose": (1, MESSAGE),
        "points": (2, MESSAGE),
        "color": (3, MESSAGE),
        "colors": (4, MESSAGE),
        "indices": (5, FIXED32),
    },
    "TextPrimitive": {
        "pose": (1, MESSAGE),
        "billboard": (2, BOOL),
        "font_size": (3, DOUBLE),
        "color": (5, MESSAGE),
        "text": (6, STRING),
    },
    "FrameTransforms": {"transforms": (1, MESSAGE)},
    "FrameTransform": {
        "timestamp": (1, MESSAGE),
        "parent_frame_id": (2, STRING),
        "child_frame_id": (3, STRING),
        "translation": (4, MESSAGE),
        "rotation": (5, MESSAGE),
    },
}
"""Number and type of the fields that a scene sets, as the published .proto files have them."""


@pytest.mark.slow
def test_schemas_in_the_file_are_the_published_ones(hills_scene: Read) -> None:
    published: dict[str, Any] = {
        "foxglove.SceneUpdate": SceneUpdate,
        "foxglove.FrameTransforms": FrameTransforms,
    }
    names = set()
    for channel in hills_scene.summary.channels.values():
        schema = hills_scene.summary.schemas[channel.schema_id]
        assert (channel.message_encoding, schema.encoding) == ("protobuf", "protobuf")
        files = {file.name: file for file in FileDescriptorSet.FromString(schema.data).file}
        expected = FileDescriptorProto()
        published[schema.name].DESCRIPTOR.file.CopyToProto(expected)
        assert files[expected.name] == expected
        for file in files.values():
            for message in file.message_type:
                fields = {field.name: (field.number, field.type) for field in message.field}
                assert fields.items() >= PUBLISHED.get(message.name, {}).items(), message.name
                names.add(message.name)
    assert names >= PUBLISHED.keys()


@pytest.mark.slow
def test_every_topic_has_the_schema_that_viewers_look_for(hills_scene: Read) -> None:
    summary = hills_scene.summary
    found = {
        channel.topic: (summary.schemas[channel.schema_id].name, summary.statistics)
        for channel in summary.channels.values()
    }
    assert {topic: name for topic, (name, _) in found.items()} == {
        "/tf": "foxglove.FrameTransforms",
        "/ground": "foxglove.SceneUpdate",
        "/creatures": "foxglove.SceneUpdate",
        "/labels": "foxglove.SceneUpdate",
    }
    assert hills_scene.metadata["creature_sim.scene"] == ABOUT


@pytest.mark.slow
def test_no_part_of_an_entity_is_left_out(
    hills_scene: Read, changes: Replay, tmp_path: Path
) -> None:
    """The published JSON schemas require all of them, those that are zero too."""
    for read in (hills_scene, made(changes, tmp_path / "scene.mcap")):
        for topic, time, message in read.messages:
            parts: list[tuple[Any, tuple[str, ...]]]
            if topic == "/tf":
                needed = ("timestamp", "translation", "rotation")
                parts = [(one, needed) for one in message.transforms]
            else:
                parts = [(one, ("timestamp", "lifetime")) for one in message.entities]
                parts += [(one, ("timestamp",)) for one in message.deletions]
            for part, fields in parts:
                assert all(part.HasField(field) for field in fields)
                assert part.timestamp.seconds * 10**9 + part.timestamp.nanos == time


# --- what moves -------------------------------------------------------------------------------


@pytest.mark.slow
def test_frames_are_where_the_poses_are(hills: Replay, hills_scene: Read) -> None:
    sent = list(hills_scene.transforms())
    assert len(sent) == len(hills.poses)
    plan = hills.world.species_of(hills.world.creatures[0])
    # A bone ends as far from the next joint as both its ends are off: a tip in the world, a joint
    # in the body, by √3 times as much as each coordinate is.
    reach = max(leg.reach for leg in plan.all_legs) + max(plan.body.size)
    off = 3.0**0.5 * (rounding(hills.world) + joint_rounding(hills.world, reach))
    for pose, (time, frames) in zip(hills.poses, sent, strict=True):
        assert time == round(pose.tick * 1e9 / hills.tick_rate)
        creature = pose.creature(0)
        path = "creatures/0_hexapod"
        body = frames[f"{path}/body"]
        assert (body == [*creature.position, *creature.orientation]).all()
        for row, (name, leg) in enumerate(
            zip(("L1", "R1", "L2", "R2", "L3", "R3"), plan.all_legs, strict=True)
        ):
            for k, length in enumerate(leg.bones):
                bone = frames[f"{path}/{name}/bone_{k + 1}"]
                assert (bone[:3] == creature.joints[row, k]).all()
                end = bone[:3] + rotation_matrices(bone[3:])[:, 0] * length
                assert np.abs(end - creature.joints[row, k + 1]).max() < off
            foot = frames[f"{path}/{name}/foot"]
            assert (foot[:3] == creature.joints[row, -1]).all()
            up = rotation_matrices(foot[3:])[:, 2]
            assert np.abs(up - creature.normals[row]).max() < ROUNDED_NORMAL
    for _, message in hills_scene.on("/tf"):
        for one in message.transforms:
            assert one.parent_frame_id == "world"


def test_bones_fill_the_way_between_their_joints(hills: Replay, hills_scene: Read) -> None:
    (_, message), *_ = hills_scene.on("/creatures")
    plan = hills.world.species_of(hills.world.creatures[0])
    lengths = {}
    for entity in message.entities:
        assert entity.frame_locked
        assert entity.id == entity.frame_id
        for cylinder in entity.cylinders:
            q = cylinder.pose.orientation
            axis = rotation_matrices(np.array([q.x, q.y, q.z, q.w]))[:, 2]
            middle, half = _point(cylinder.pose.position), 0.5 * cylinder.size.z
            assert np.abs(middle - half * axis).max() < 1e-12  # from the frame's origin ...
            assert np.abs(axis - X).max() < 1e-12  # ... along its X
            assert cylinder.top_scale < cylinder.bottom_scale == 1.0
            lengths[entity.id] = cylinder.size.z
    path = "creatures/0_hexapod"
    assert [lengths[f"{path}/L2/bone_{k}"] for k in (1, 2, 3)] == list(plan.all_legs[2].bones)
    (body,) = [entity for entity in message.entities if entity.id == f"{path}/body"]
    assert tuple(_point(body.cubes[0].size)) == plan.body.size
    frames = next(hills_scene.transforms())[1]
    assert {entity.frame_id for entity in message.entities} == frames.keys()


@pytest.mark.slow
def test_creatures_come_and_go(changes: Replay, tmp_path: Path) -> None:
    read = made(changes, tmp_path / "scene.mcap")
    shown: dict[str, dict[str, Any]] = {"/creatures": {}, "/labels": {}}
    updates = {topic: dict(read.on(topic)) for topic in shown}
    last: dict[str, Any] = {}
    for time, frames in read.transforms():
        tick = round(time * 60 / 1e9)
        for topic, entities in shown.items():
            if time in updates[topic]:
                last[topic] = updates[topic][time]
                for deletion in last[topic].deletions:
                    assert deletion.type == 0  # one with this name
                    entities.pop(deletion.id, None)
                entities |= {entity.id: entity for entity in last[topic].entities}
            # A viewer that jumps here knows only the last message.
            assert {entity.id for entity in last[topic].entities} == entities.keys()
        there = {int(name.split("/")[1].split("_")[0]) for name in frames}
        assert there == set(there_at(tick))
        assert shown["/creatures"].keys() == frames.keys()
        texts = {entity.texts[0].text for entity in shown["/labels"].values()}
        assert texts == {
            name for n, name in enumerate(("hexapod 0", "hexapod 1", "spider4 2")) if n in there
        }
    assert tick == TICKS
    assert [len(message.deletions) > 0 for _, message in read.on("/creatures")] == [
        False,
        False,
        True,
    ]


@pytest.mark.slow
def test_platforms_move_and_ramps_are_there(tmp_path: Path) -> None:
    world = scene("platforms", "hexapod")
    under_way = [prop.model_copy(update={"phase": 0.4}) for prop in world.props if prop.waypoints]
    still = [prop for prop in world.props if not prop.waypoints]
    world = world.model_copy(update={"props": (*still, *under_way)})
    record(world, tmp_path / "walk.mcap", 60)
    replay = open_replay(tmp_path / "walk.mcap")
    read = made(replay, tmp_path / "scene.mcap")
    ((_, message),) = read.on("/props")
    assert len(message.entities) == len(world.props)
    for index, (prop, entity) in enumerate(zip(world.props, message.entities, strict=True)):
        assert entity.id == f"props/{index}_{prop.shape}"
        if prop.size and prop.shape != "ramp":
            assert tuple(_point(entity.cubes[0].size)) == pytest.approx(prop.size)
        if prop.shape == "ramp":
            corners = np.array([_point(point) for point in entity.triangles[0].points])
            assert np.ptp(corners, axis=0) == pytest.approx(prop.size)
    ways = {index: [] for index in range(len(world.props))}  # type: ignore[var-annotated]
    for pose, (_, frames) in zip(replay.poses, read.transforms(), strict=True):
        for index, prop in enumerate(world.props):
            found = frames[f"props/{index}_{prop.shape}"]
            assert (found[:3] == pose.props.positions[index]).all()
            assert (found[3:] == pose.props.orientations[index]).all()
            ways[index].append(found[:3])
    moved = {index for index, way in ways.items() if np.ptp(way, axis=0).max() > 0.01}
    kinematic = {n for n, prop in enumerate(world.props) if prop.motion == "kinematic"}
    assert moved >= kinematic
    assert kinematic


@pytest.mark.parametrize("world", ["arm", "humanoid"])
def test_chains_and_trees_hang_together(world: str, tmp_path: Path) -> None:
    replay = open_replay(REPLAYS / f"{world}.mcap")
    read = made(replay, tmp_path / "scene.mcap")
    assert not read.on("/creatures")
    ((_, message),) = read.on("/chains")
    rig = load_world(world).rigs[0]
    lengths = {e.id: c.size.z for e in message.entities for c in e.cylinders if "bone_" in e.id}
    path = f"chains/0_{rig.name}"
    off = 2.0 * 3.0**0.5 * rounding(replay.world)  # both ends of a bone are off along three axes
    for pose, (_, frames) in zip(replay.poses, read.transforms(), strict=True):
        chain = pose.chains[0]
        assert (frames[f"{path}/root"][:3] == chain.joints[0]).all()
        for k in range(1, len(chain.joints)):
            bone = frames[f"{path}/bone_{k}"]
            end = bone[:3] + rotation_matrices(bone[3:])[:, 0] * lengths[f"{path}/bone_{k}"]
            assert np.abs(end - chain.joints[k]).max() < off
        for k, target in enumerate(chain.targets, 1):
            assert (frames[f"{path}/target_{k}"][:3] == target).all()
    assert [e.texts[0].text for e in read.on("/labels")[0][1].entities] == [rig.name]


@pytest.mark.parametrize("axis", [X, Z])
def test_turns_take_an_axis_anywhere(axis: Floats) -> None:
    rng = np.random.default_rng(3)
    directions = np.vstack((rng.normal(size=(50, 3)), axis, -axis, -axis + 1e-13, [[0, 0, 0]]))
    turns = turns_onto(axis, directions)
    assert np.abs((turns**2).sum(axis=1) - 1.0).max() < 1e-12
    unit = directions[:-1] / np.sqrt((directions[:-1] ** 2).sum(axis=1, keepdims=True))
    assert np.abs(rotation_matrices(turns[:-1]) @ axis - unit).max() < 1e-5
    assert (turns[-1] == [0.0, 0.0, 0.0, 1.0]).all()


# --- the ground -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hexapod-hills", "spider8-stairs", "hexapod-endless"])
def test_feet_stand_on_the_ground(name: str, tmp_path: Path) -> None:
    replay = open_replay(REPLAYS / f"{name}.mcap")
    ((time, message),) = made(replay, tmp_path / "scene.mcap").on("/ground")
    assert time == 0
    (ground,) = message.entities
    assert (ground.frame_id, ground.id) == ("world", "ground")
    (mesh,) = ground.triangles
    points = np.array([_point(point) for point in mesh.points])
    corners = np.array(mesh.indices).reshape(-1, 3)
    assert corners.max() < len(points) == len(mesh.colors)
    checked = 0
    for pose in replay.poses[::30]:
        creature = pose.creature(0)
        for tip in creature.joints[~creature.is_swinging, -1]:
            heights = _heights_at(points[corners], tip[:2])
            assert len(heights), "no ground below a foot"
            assert np.abs(heights - tip[2]).min() < 0.01
            checked += 1
    assert checked > 15


def _heights_at(triangles: Floats, point: Floats) -> Floats:
    """Heights of triangles (T, 3, 3) above or below x, y."""
    a, b, c = (triangles[:, k] for k in range(3))
    u, v, w = b[:, :2] - a[:, :2], c[:, :2] - a[:, :2], point - a[:, :2]
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        s = (w[:, 0] * v[:, 1] - w[:, 1] * v[:, 0]) / area
        t = (u[:, 0] * w[:, 1] - u[:, 1] * w[:, 0]) / area
        inside = (s >= -1e-6) & (t >= -1e-6) & (s + t <= 1.0 + 1e-6)
        found: Floats = (a[:, 2] + s * (b[:, 2] - a[:, 2]) + t * (c[:, 2] - a[:, 2]))[inside]
    return found


def test_ground_is_coloured_by_height(hills_scene: Read) -> None:
    ((_, message),) = hills_scene.on("/ground")
    mesh = message.entities[0].triangles[0]
    heights = np.array([point.z for point in mesh.points])
    reds = np.array([colour.r for colour in mesh.colors])
    order = np.argsort(heights)
    tenth = len(order) // 10
    assert reds[order[-tenth:]].mean() > reds[order[:tenth]].mean() + 0.05
    assert {colour.a for colour in mesh.colors} == {1.0}


@pytest.mark.slow
def test_ground_reaches_as_far_as_what_walks_there_is_large(tmp_path: Path) -> None:
    spans = []
    for factor in (1.0, 4.0):
        world = scene("hills", "hexapod")
        plan = scaled(world.species["hexapod"], factor)
        path = tmp_path / f"{factor:g}.mcap"
        record(world.model_copy(update={"species": {"hexapod": plan}}), path, 2)
        ((_, message),) = made(open_replay(path), tmp_path / f"scene-{factor:g}").on("/ground")
        points = np.array([_point(point) for point in message.entities[0].triangles[0].points])
        spans.append(float(np.ptp(points[:, 0])))
    assert spans[1] > 2.0 * spans[0]


# --- the file ---------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_replay_gives_the_same_bytes(hills: Replay, tmp_path: Path) -> None:
    for name in ("a", "b"):
        write_scene(hills, tmp_path / name, ABOUT)
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.slow
def test_command_writes_a_scene(tmp_path: Path) -> None:
    done = sim("export", str(REPLAYS / "arm.mcap"), "-o", str(tmp_path / "scene.mcap"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "open it in Foxglove" in done.stdout
    assert Read(tmp_path / "scene.mcap").on("/chains")

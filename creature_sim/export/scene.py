"""A replay as a scene for robotics viewers: Foxglove, Lichtblick and whatever reads their schemas.

The file is MCAP, its messages are protobuf with the schemas that Foxglove publishes:

    /tf         foxglove.FrameTransforms   where all frames are, at each recorded pose
    /ground     foxglove.SceneUpdate       the ground near the walk, once
    /creatures  foxglove.SceneUpdate       the creatures' parts, each in its frame
    /chains, /props, /labels               chains and trees, props, names: likewise

Entities are locked to their frames, so that only transforms are sent at every pose. A viewer that
jumps to a moment reads the last message of each topic before it, so a message on `/creatures` or
`/labels` holds all that is there, and deletes all that has gone; one is written when somebody comes
or goes. Times are those of the ticks. Needs the extra `scene`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import IO

import numpy as np
from foxglove_schemas_protobuf.FrameTransforms_pb2 import FrameTransforms
from foxglove_schemas_protobuf.SceneEntity_pb2 import SceneEntity
from foxglove_schemas_protobuf.SceneEntityDeletion_pb2 import SceneEntityDeletion
from foxglove_schemas_protobuf.SceneUpdate_pb2 import SceneUpdate
from mcap_protobuf.writer import Writer

from creature_sim.definitions import WorldDef
from creature_sim.export import entities, names
from creature_sim.export.frames import Frames, creature_frames
from creature_sim.figures.patch import patch_along
from creature_sim.files.output import writing
from creature_sim.maths import Floats
from creature_sim.replay.playback import Playable
from creature_sim.snapshots.poses import Pose
from creature_sim.terrain import build_terrain

METADATA = "creature_sim.scene"
MAX_PATH = 600
"""The ground is shown around at most this many of the poses."""
SECOND = 10**9
"""[ns]"""


def write_scene(
    replay: Playable,
    path: Path,
    about: Mapping[str, str],
    *,
    force: bool = False,
    progress: Callable[[int], None] | None = None,
) -> None:
    """Write the scene of a replay.

    Args:
        replay: its poses are shown as they were recorded.
        path: of the file.
        about: what the file's metadata say of the recording.
        force: whether another file may be replaced.
        progress: called with the number of ticks done, after every pose.

    Raises:
        OutputError: the file exists or cannot be written.
    """
    first = replay.poses[0].tick
    with writing(path, force) as stream:
        scene = Scene(stream, replay.world, replay.tick_rate)
        scene.add_ground(_path(replay), first)
        for pose in replay.poses:
            scene.add(pose)
            if progress:
                progress(int(pose.tick - first))
        scene.finish(about)


class Scene:
    """A scene that is being written."""

    def __init__(self, stream: IO[bytes], world: WorldDef, tick_rate: int) -> None:
        """Begin a file."""
        self._writer = Writer(stream)
        self._world, self._rate = world, tick_rate
        self._there: list[int] | None = None
        self._gone: list[int] = []
        self._frames: Frames
        self._transforms = FrameTransforms()

    def add_ground(self, points: Floats, tick: float) -> None:
        """Show the ground around points (N, 2) [m, world] from a tick on."""
        terrain = build_terrain(self._world.terrain, self._world.seed)
        ground = entities.ground_entity(patch_along(terrain, points))
        self._send_all("/ground", self._time(tick), [ground])

    def _time(self, tick: float) -> int:
        """When a tick is [ns]."""
        return round(tick * SECOND / self._rate)

    def add(self, pose: Pose) -> None:
        """Add a moment."""
        there = sorted(
            number for herd in pose.herds for number in herd.members[herd.is_there].tolist()
        )
        time = self._time(pose.tick)
        if there != self._there:
            self._name_frames(pose)
            self._show(there, time)
        seconds, nanos = divmod(time, SECOND)
        rows = self._frames.at(pose).tolist()
        for sent, (x, y, z, *turn) in zip(self._transforms.transforms, rows, strict=True):
            sent.timestamp.seconds, sent.timestamp.nanos = seconds, nanos
            position, rotation = sent.translation, sent.rotation
            position.x, position.y, position.z = x, y, z
            rotation.x, rotation.y, rotation.z, rotation.w = turn
        self._send("/tf", time, self._transforms)

    def finish(self, about: Mapping[str, str]) -> None:
        """End the file, and say what it is about."""
        self._writer.add_metadata(METADATA, dict(about))
        self._writer.finish()

    def _name_frames(self, pose: Pose) -> None:
        self._frames = Frames(self._world, pose)
        self._transforms = FrameTransforms()
        for name in self._frames.names:
            self._transforms.transforms.add(parent_frame_id=entities.WORLD, child_frame_id=name)

    def _show(self, there: list[int], time: int) -> None:
        """Send everything that is there, and delete what has gone."""
        world = self._world
        if self._there is None:
            rigs, props = range(len(world.rigs)), enumerate(world.props)
            self._send_all(
                "/chains", time, (part for k in rigs for part in entities.rig_entities(world, k))
            )
            self._send_all(
                "/props",
                time,
                (entities.prop_entity(prop, names.prop_path(world, k)) for k, prop in props),
            )
        self._gone = sorted({*self._gone, *(self._there or ())} - set(there))
        self._there = there
        self._send_all(
            "/creatures",
            time,
            (part for number in there for part in entities.creature_entities(world, number)),
            [frame for number in self._gone for frame in creature_frames(world, number)],
        )
        self._send_all(
            "/labels",
            time,
            (
                *(entities.creature_label(world, number) for number in there),
                *(entities.rig_label(world, k) for k in range(len(world.rigs))),
            ),
            [entities.label_frame(world, number) for number in self._gone],
        )

    def _send_all(
        self,
        topic: str,
        time: int,
        shown: Iterable[SceneEntity],
        gone: Sequence[str] = (),
    ) -> None:
        """Send entities, and the names of those that have gone; nothing if there are none."""
        update = SceneUpdate(entities=shown)
        for name in gone:
            update.deletions.add(type=SceneEntityDeletion.MATCHING_ID, id=name)
        for part in (*update.entities, *update.deletions):
            part.timestamp.seconds, part.timestamp.nanos = divmod(time, SECOND)
        if update.entities or update.deletions:
            self._send(topic, time, update)

    def _send(self, topic: str, time: int, message: SceneUpdate | FrameTransforms) -> None:
        self._writer.write_message(topic, message, log_time=time, publish_time=time)


def _path(replay: Playable) -> Floats:
    """Where everything is at some of the poses, (N, 2) [m, world]."""
    every = -(-len(replay.poses) // MAX_PATH)
    chosen = [*replay.poses[::every], replay.poses[-1]]
    return np.concatenate([points for pose in chosen for points in _points(pose)])


def _points(pose: Pose) -> list[Floats]:
    parts = [
        *(herd.positions[herd.is_there] for herd in pose.herds),
        *(herd.joints[herd.is_there] for herd in pose.herds),
        *(chain.joints for chain in pose.chains),
        pose.props.positions,
    ]
    return [part.reshape(-1, 3)[:, :2] for part in parts]

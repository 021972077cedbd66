"""A stage as binary glTF 2.0, `.glb`: Y up, metres, one animation for the whole run.

Ours is Z up: X stays, Z becomes Y, Y becomes -Z. Bones point along their own Y.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from creature_sim.export.animation.keys import STILL, Track
from creature_sim.export.animation.loops import ROOT
from creature_sim.export.animation.skin import Skin
from creature_sim.export.animation.stage import GroundMesh, Played, Stage, is_prop
from creature_sim.export.animation.turns import inverse, turned
from creature_sim.figures.labels import printable
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.models.glb import ARRAY, ELEMENTS, Glb

Extras = Mapping[str, Any]
LINEAR, STEP = "LINEAR", "STEP"
GENERATOR = "creature_sim"
SHORT = 32767
GROUND = "ground"


def glb_of(stage: Stage, about: Extras) -> bytes:
    """The bytes of a file.

    Args:
        stage: what it shows.
        about: what `asset.extras` say of the recording.
    """
    return _Film(stage).written(about)


def ground_glb(ground: GroundMesh, about: Extras) -> bytes:
    """The bytes of a file with nothing but ground."""
    file = Glb()
    file.add("scenes", name=GROUND, nodes=[_add_ground(file, ground)])
    return file.written(asset=_asset(about), scene=0)


def upright(vectors: Floats) -> Floats:
    """Vectors (..., 3), Y up."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    return np.stack((x, z, -y), axis=-1)


def upright_turns(turns: Floats) -> Floats:
    """Turns (..., 4), Y up."""
    return np.concatenate((upright(turns[..., :3]), turns[..., 3:]), axis=-1)


def _asset(about: Extras) -> dict[str, Any]:
    return {"version": "2.0", "generator": GENERATOR, "extras": dict(about)}


class Channel(NamedTuple):
    """What of which node moves, and how."""

    target: dict[str, Any]
    sampler: dict[str, Any]


class _Film:
    """A file with an animation."""

    def __init__(self, stage: Stage) -> None:
        self._file, self._stage = Glb(), stage
        self._meshes: dict[int, int] = {}  # by skin
        self._materials: dict[tuple[str, tuple[float, ...]], int] = {}
        self._channels: list[Channel] = []
        self._roots: set[int] = set()
        self._root: list[Channel] = []  # those that carry the way of a loop

    def written(self, about: Extras) -> bytes:
        roots = [_add_ground(self._file, self._stage.ground)] if self._stage.ground else []
        for played in self._stage.cast:
            roots += self._add(played)
        self._file.add("scenes", name=self._stage.name, nodes=roots)
        name, extras = self._stage.name, dict(self._stage.extras)
        if self._stage.is_loop:
            # Godot lets those go on in a circle whose names end so.
            self._add_animation(f"{name}_in_place_loop", self._channels, extras)
            channels = [*self._root, *self._channels]
            self._add_animation(f"{name}_with_root_motion_loop", channels, extras)
        else:
            self._add_animation(name, [*self._root, *self._channels], extras)
        return self._file.written(asset=_asset(about), scene=0)

    def _add_animation(self, name: str, channels: list[Channel], extras: dict[str, Any]) -> None:
        """Add an animation, if anything moves in it."""
        if channels:
            self._file.add(
                "animations",
                name=name,
                channels=[
                    {"sampler": index, "target": channel.target}
                    for index, channel in enumerate(channels)
                ],
                samplers=[channel.sampler for channel in channels],
                extras=extras,
            )

    def _add(self, played: Played) -> list[int]:
        """Add an actor; returns its nodes at the root of the scene."""
        actor, skeleton = played.actor, played.actor.skeleton
        first = len(self._file.tables.get("nodes", ()))
        frames = skeleton.locals_of(actor.frames[0])
        children: list[list[int]] = [[] for _ in skeleton.names]
        for bone, parent in enumerate(skeleton.parents):
            if parent >= 0:
                children[parent].append(first + bone)
        mesh = self._mesh(played.skin, is_skinned=not is_prop(actor))
        for bone, name in enumerate(skeleton.names):
            self._file.add(
                "nodes",
                name=printable(name),
                children=children[bone],
                mesh=mesh if is_prop(actor) else None,
                # Blender and Godot read what nodes say of themselves, but not what animations do.
                extras=None if bone else self._stage.extras,
                **_pose(frames[bone]),
            )
        leaves = (
            {bone for bone, mine in enumerate(children) if not mine} if skeleton.feet else set()
        )
        if skeleton.feet:
            self._roots.add(first + ROOT)
        for track in played.tracks:
            self._add_track(track, first, leaves)
        if not actor.is_there.all():
            self._add_presence(actor.is_there, first)
        if is_prop(actor):
            return [first]
        skin = self._file.add(
            "skins",
            name=printable(actor.name),
            joints=list(range(first + 1, first + len(skeleton.names))),
            skeleton=first,
            inverseBindMatrices=self._file.accessor(_bind(actor.rest[1:])),
        )
        body = self._file.add("nodes", name=f"{printable(actor.name)}_skin", mesh=mesh, skin=skin)
        return [first, body]

    def _add_track(self, track: Track, first: int, leaves: set[int]) -> None:
        """Add the channels of a group of bones, whose nodes begin at `first`.

        Turns of leaves move no other bone: 16 bits, 0.004 degrees, are enough for them.
        """
        if len(track.ticks) == 1:
            return
        times = self._stage.times[track.ticks].astype(np.float32)
        key = self._file.accessor(times, has_bounds=True)
        for index, bone in enumerate(track.bones):
            moved, turns = track.frames[:, index, :3], track.frames[:, index, 3:]
            if np.ptp(moved, axis=0).max() > STILL:
                values = upright(moved).astype(np.float32)
                self._add_channel(first + bone, "translation", key, self._file.accessor(values))
            if np.ptp(turns, axis=0).max() > STILL:
                turns = upright_turns(turns)
                if bone in leaves:
                    values = np.rint(turns * SHORT).astype(np.int16)
                    output = self._file.accessor(values, is_normalised=True)
                else:
                    output = self._file.accessor(turns.astype(np.float32))
                self._add_channel(first + bone, "rotation", key, output)

    def _add_presence(self, is_there: np.ndarray[Any, Any], node: int) -> None:
        """Let a creature have no size while it is not there."""
        changes = np.flatnonzero(np.diff(is_there.astype(np.int8), prepend=2))
        times = self._file.accessor(self._stage.times[changes].astype(np.float32), has_bounds=True)
        sizes = np.repeat(is_there[changes].astype(np.float32)[:, None], 3, axis=1)
        self._add_channel(node, "scale", times, self._file.accessor(sizes), STEP)

    def _add_channel(
        self, node: int, path: str, times: int, values: int, kind: str = LINEAR
    ) -> None:
        channels = self._root if node in self._roots else self._channels
        sampler = {"input": times, "output": values, "interpolation": kind}
        channels.append(Channel({"node": node, "path": path}, sampler))

    def _mesh(self, skin: Skin, is_skinned: bool) -> int:
        """The mesh of a skin, added once."""
        if id(skin) in self._meshes:
            return self._meshes[id(skin)]
        file = self._file
        attributes = _vertices(file, skin.vertices, skin.normals)
        if is_skinned:
            self._add_weights(attributes, skin)
        if skin.shades is not None:
            shades = np.full((len(skin.shades), 4), 255, np.uint8)
            shades[:, :3] = np.rint(255.0 * skin.shades)
            attributes["COLOR_0"] = file.accessor(shades, target=ARRAY, is_normalised=True)
        if skin.places is not None:
            attributes["TEXCOORD_0"] = file.accessor(skin.places.astype(np.float32), target=ARRAY)
        primitives = [
            {
                "attributes": attributes,
                "indices": _triangles(file, triangles, len(skin.vertices)),
                "material": self._material(name, skin),
            }
            for name, triangles in skin.parts.items()
        ]
        self._meshes[id(skin)] = file.add("meshes", name=skin.name, primitives=primitives)
        return self._meshes[id(skin)]

    def _add_weights(self, attributes: dict[str, int], skin: Skin) -> None:
        """Add which bones the vertices follow, four at a time."""
        file = self._file
        kind = np.uint8 if skin.bones.max() <= 256 else np.uint16
        for number, first in enumerate(range(0, skin.bones.shape[1], 4)):
            mine = skin.bones[:, first : first + 4]
            joints = np.zeros((len(mine), 4), kind)
            joints[:, : mine.shape[1]] = (mine - 1).clip(0)  # the first node is no joint
            shares = skin.weights[:, first : first + 4]
            joints[:, : mine.shape[1]][shares == 0.0] = 0
            attributes[f"JOINTS_{number}"] = file.accessor(joints, target=ARRAY)
            if skin.weights.shape[1] == 1:
                weights = np.zeros((len(mine), 4), np.uint8)
                weights[:, 0] = 255
                found = file.accessor(weights, target=ARRAY, is_normalised=True)
            else:
                found = file.accessor(shares.astype(np.float32), target=ARRAY)
            attributes[f"WEIGHTS_{number}"] = found

    def _material(self, name: str, skin: Skin) -> int:
        """The material of a part, added once; one with a picture belongs to its skin."""
        colour, picture = skin.colours[name], skin.pictures.get(name)
        linear = [*_linear(np.array(colour)).round(5).tolist(), 1.0]
        if picture is not None or name in skin.thin:
            index = None if picture is None else self._file.picture(picture)
            return _add_material(self._file, name, linear, index, name in skin.thin)
        if (name, colour) not in self._materials:
            self._materials[name, colour] = _add_material(self._file, name, linear)
        return self._materials[name, colour]


def _pose(frame: Floats) -> dict[str, Any]:
    """Translation and rotation of a node, where it has any."""
    moved, turn = upright(frame[:3]), upright_turns(frame[3:])
    found = {}
    if np.abs(moved).max() > 0.0:
        found["translation"] = moved.astype(np.float32).tolist()
    if np.abs(turn[:3]).max() > 0.0:
        found["rotation"] = turn.astype(np.float32).tolist()
    return found


def _bind(rest: Floats) -> np.ndarray[Any, Any]:
    """Inverse bind matrices (B, 16), column by column, of frames (B, 7)."""
    back = inverse(upright_turns(rest[:, 3:]))
    found = np.zeros((len(rest), 4, 4))
    found[:, :3, :3] = rotation_matrices(back)
    found[:, :3, 3] = -turned(back, upright(rest[:, :3]))
    found[:, 3, 3] = 1.0
    return found.transpose(0, 2, 1).reshape(-1, 16).astype(np.float32)


def _vertices(file: Glb, vertices: Floats, normals: Floats) -> dict[str, int]:
    return {
        "POSITION": file.accessor(
            upright(vertices).astype(np.float32), target=ARRAY, has_bounds=True
        ),
        "NORMAL": file.accessor(upright(normals).astype(np.float32), target=ARRAY),
    }


def _triangles(file: Glb, triangles: np.ndarray[Any, Any], count: int) -> int:
    kind = np.uint16 if count < 2**16 else np.uint32
    return file.accessor(triangles.ravel().astype(kind), target=ELEMENTS)


def _linear(colours: Floats) -> Floats:
    """Colours as a screen shows them, 0 to 1, as amounts of light (IEC 61966-2-1)."""
    found: Floats = np.where(
        colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4
    )
    return found


def _add_material(
    file: Glb,
    name: str,
    colour: list[float] | None = None,
    picture: int | None = None,
    is_thin: bool = False,
) -> int:
    return file.add(
        "materials",
        name=name,
        doubleSided=is_thin or None,
        pbrMetallicRoughness={
            **({"baseColorFactor": colour} if colour else {}),
            **({"baseColorTexture": {"index": picture}} if picture is not None else {}),
            "metallicFactor": 0.0,
            "roughnessFactor": 0.8,
        },
    )


def _add_ground(file: Glb, ground: GroundMesh) -> int:
    colours = np.full((len(ground.vertices), 4), 255, np.uint8)
    colours[:, :3] = np.rint(255.0 * _linear(ground.colours).clip(0.0, 1.0))
    attributes = _vertices(file, ground.vertices, ground.normals)
    attributes["COLOR_0"] = file.accessor(colours, target=ARRAY, is_normalised=True)
    primitive = {
        "attributes": attributes,
        "indices": _triangles(file, ground.triangles, len(ground.vertices)),
        "material": _add_material(file, GROUND),
    }
    mesh = file.add("meshes", name=GROUND, primitives=[primitive])
    return file.add("nodes", name=GROUND, mesh=mesh)

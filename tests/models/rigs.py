"""Rigged models of creatures, made for tests: a tube for each leg, an ellipsoid for each box.

Files are Y up, look along Z, and count in centimetres, as many of those that people draw.
"""

from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from creature_sim.definitions import CreatureDef
from creature_sim.library.loader import load_creature
from creature_sim.library.skins import with_model
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.models.glb import ARRAY, ELEMENTS, Glb
from creature_sim.snapshots.poses import CreaturePose, pose_of
from tests.scenes import at_rest, scene, walk

SCALE = 0.01
ARMS, GAIN, ARM = ("arm.L", "arm.R"), 0.6, np.array([0.03, 0.03, 0.15])
UP = 80.0
"""The origin of the file is so far below the middle of the body [cm]."""


@cache
def standing(name: str) -> CreaturePose:
    """A built-in creature that stands."""
    *_, last = walk(at_rest(scene("meadow", name).model_copy(update={"driver": "stop 1"})), 30)
    return pose_of(last).creature(0)


def joints_of(name: str) -> Floats:
    """Joints (L, J, 3) of a built-in creature that stands [m, body]."""
    pose = standing(name)
    found: Floats = (pose.joints - pose.position) @ rotation_matrices(pose.orientation)
    return found


def file_of(points: Floats) -> Floats:
    """Points (..., 3) [m, body] as a file has them [cm, Y up]."""
    x, y, z = np.moveaxis(points, -1, 0)
    found: Floats = np.stack((y, z, x), axis=-1) / SCALE + np.array([0.0, UP, 0.0])
    return found


def node_names(plan: CreatureDef) -> tuple[list[str], list[list[str]]]:
    """Names of the nodes of the boxes, and of each leg, its tip last."""
    boxes = [f"box {index}" for index in range(len(plan.boxes))]
    legs = [
        [*(f"leg {index} bone {bone}" for bone in range(len(leg.bones))), f"leg {index} tip"]
        for index, leg in enumerate(plan.all_legs)
    ]
    return boxes, legs


def model_table(plan: CreatureDef, file: str = "model.glb") -> dict[str, Any]:
    """What a creature's file says of its model."""
    boxes, legs = node_names(plan)
    trunk = boxes[: len(plan.trunk)]
    found = {"file": file, "scale": SCALE, "forward": "+Z", "up": "+Y", "origin": [0.0, UP, 0.0]}
    return {**found, "trunk": trunk, "head": boxes[-1] if plan.head else None, "legs": legs}


def write_rig(
    name: str,
    path: Path,
    *,
    rings: int = 12,
    sides: int = 8,
    is_skinned: bool = True,
    has_arms: bool = False,
) -> CreatureDef:
    """Write a model of a built-in creature; returns it with that model.

    Args:
        name: of the creature.
        path: of the file.
        rings: along each leg.
        sides: around it.
        is_skinned: whether one mesh follows all bones; else each bone has its own.
        has_arms: whether the first two legs have arms that swing against them.
    """
    plan = load_creature(name)
    _Rig(plan, joints_of(name), rings, sides, is_skinned, has_arms).write(path)
    table = model_table(plan, path.name)
    if has_arms:
        table["swings"] = [
            {"node": arm, "leg": 1 - index, "gain": GAIN} for index, arm in enumerate(ARMS)
        ]
    given = CreatureDef.model_validate({**plan.model_dump(), "model": table})
    return with_model(given, path.parent)


class _Rig:
    def __init__(
        self,
        plan: CreatureDef,
        joints: Floats,
        rings: int,
        sides: int,
        is_skinned: bool,
        has_arms: bool,
    ) -> None:
        self.file, self.plan, self.joints = Glb(), plan, joints
        self.rings, self.sides, self.is_skinned = rings, sides, is_skinned
        boxes, legs = node_names(plan)
        self.names = [*boxes, *(name for leg in legs for name in leg)]
        along = np.cumsum([0.0, *(-segment.size[0] for segment in plan.trunk)])
        half = 0.5 * plan.trunk[0].size[0]
        self.places = [
            np.array([start + half - 0.5 * segment.size[0], 0.0, 0.0])
            for start, segment in zip(along, plan.trunk, strict=False)
        ]
        if plan.head:
            self.places.append(
                np.array(plan.head.mount) + np.array([0.5 * plan.head.size[0], 0.0, 0.0])
            )
        self.parents = [-1, *(max(0, index - 1) for index in range(1, len(plan.trunk)))]
        self.parents += [0] if plan.head else []
        for index, leg in enumerate(plan.all_legs):
            for joint in range(len(leg.bones) + 1):
                self.parents.append(leg.segment if joint == 0 else len(self.parents) - 1)
                self.places.append(joints[index, joint])
        self.arms = ARMS if has_arms else ()
        self.names += self.arms
        self.parents += [0] * len(self.arms)
        self.places += [np.array([0.0, side, 0.1]) for side in (0.2, -0.2)][: len(self.arms)]

    def write(self, path: Path) -> None:
        frames = file_of(np.array(self.places))
        children: list[list[int]] = [[] for _ in self.names]
        for node, parent in enumerate(self.parents):
            if parent >= 0:
                children[parent].append(node)
        meshes = list(self._meshes(frames))
        for node, (name, parent) in enumerate(zip(self.names, self.parents, strict=True)):
            at = frames[node] - (frames[parent] if parent >= 0 else 0.0)
            mesh = None if self.is_skinned else dict(meshes).get(node)
            self.file.add(
                "nodes", name=name, children=children[node], translation=at.tolist(), mesh=mesh
            )
        roots = [0]
        if self.is_skinned:
            binds = np.tile(np.eye(4), (len(frames), 1, 1))
            binds[:, :3, 3] = -frames
            matrices = binds.transpose(0, 2, 1).reshape(-1, 16).astype(np.float32)
            self.file.add(
                "skins",
                joints=list(range(len(frames))),
                inverseBindMatrices=self.file.accessor(matrices),
            )
            for _, mesh in meshes:
                roots.append(self.file.add("nodes", name=f"skin {mesh}", mesh=mesh, skin=0))
        self.file.add("scenes", nodes=roots)
        path.write_bytes(self.file.written(asset={"version": "2.0"}, scene=0))

    def _meshes(self, frames: Floats) -> Any:
        """Pairs of a node and its mesh."""
        self.file.add("images", bufferView=self._picture(), mimeType="image/png")
        self.file.add("textures", source=0)
        striped = self.file.add(
            "materials", pbrMetallicRoughness={"baseColorTexture": {"index": 0}}, name="striped"
        )
        plain = self.file.add(
            "materials",
            pbrMetallicRoughness={"baseColorFactor": [0.55, 0.10, 0.05, 1.0]},
            name="plain",
        )
        for index, size in enumerate(self.plan.boxes):
            points, normals, triangles = _ball(self.rings, self.sides)
            found = file_of(self.places[index] + points * 0.5 * np.array(size))
            weights = {index: np.ones(len(points))}
            yield index, self._mesh(index, found, normals, triangles, plain, weights, None)
        node = len(self.plan.boxes)
        for index, leg in enumerate(self.plan.all_legs):
            radii = leg.radii(self.plan.body.size[2])
            for bones in (
                [range(len(leg.bones))]
                if self.is_skinned
                else [range(bone, bone + 1) for bone in range(len(leg.bones))]
            ):
                chain = self.joints[index, bones[0] : bones[-1] + 2]
                points, normals, triangles, at = _tube(
                    chain, radii[bones[0] : bones[-1] + 2], self.rings, self.sides
                )
                weights = {
                    node + bone: np.clip(1.5 - np.abs(at - (rank + 0.5)) * 1.5, 0.0, 1.0)
                    for rank, bone in enumerate(bones)
                }
                places = np.stack((np.arange(len(points)) % self.sides / self.sides, at), axis=1)
                yield (
                    node + bones[0],
                    self._mesh(
                        node + bones[0],
                        file_of(points),
                        normals,
                        triangles,
                        striped,
                        weights,
                        places,
                    ),
                )
            node += len(leg.bones) + 1
        for index in range(node, node + len(self.arms)):
            points, normals, triangles = _ball(self.rings, self.sides)
            found = file_of(self.places[index] + points * ARM - np.array([0.0, 0.0, ARM[2]]))
            weights = {index: np.ones(len(points))}
            yield index, self._mesh(index, found, normals, triangles, plain, weights, None)

    def _mesh(
        self,
        node: int,
        points: Floats,
        normals: Floats,
        triangles: Any,
        material: int,
        weights: dict[int, Floats],
        places: Floats | None,
    ) -> int:
        own = points if self.is_skinned else points - file_of(self.places[node])
        x, y, z = normals.T
        attributes = {
            "POSITION": self.file.accessor(own.astype(np.float32), target=ARRAY, has_bounds=True),
            "NORMAL": self.file.accessor(
                np.stack((y, z, x), axis=1).astype(np.float32), target=ARRAY
            ),
        }
        if places is not None:
            attributes["TEXCOORD_0"] = self.file.accessor(places.astype(np.float32), target=ARRAY)
        else:
            shades = np.repeat((0.6 + 0.4 * z[:, None]).clip(0.0, 1.0), 3, axis=1)
            attributes["COLOR_0"] = self.file.accessor(shades.astype(np.float32), target=ARRAY)
        if self.is_skinned:
            self._add_weights(attributes, weights)
        primitive = {
            "attributes": attributes,
            "indices": self.file.accessor(triangles.ravel().astype(np.uint32), target=ELEMENTS),
            "material": material,
        }
        return self.file.add("meshes", primitives=[primitive])

    def _add_weights(self, attributes: dict[str, int], weights: dict[int, Floats]) -> None:
        """The four largest of them."""
        nodes = np.array(list(weights))
        values = np.stack(list(weights.values()), axis=1)
        order = np.argsort(-values, axis=1, kind="stable")[:, :4]
        joints = np.zeros((len(values), 4), np.uint16)
        shares = np.zeros((len(values), 4))
        joints[:, : order.shape[1]] = nodes[order]
        shares[:, : order.shape[1]] = np.take_along_axis(values, order, axis=1)
        shares /= shares.sum(axis=1, keepdims=True)
        joints[shares == 0.0] = 0
        attributes["JOINTS_0"] = self.file.accessor(joints, target=ARRAY)
        attributes["WEIGHTS_0"] = self.file.accessor(shares.astype(np.float32), target=ARRAY)

    def _picture(self) -> int:
        stripes = np.full((32, 32, 3), (224, 176, 48), np.uint8)
        stripes[:12] = (24, 22, 28)
        return add_picture(self.file, Image.fromarray(stripes))


def add_picture(file: Glb, picture: Image.Image) -> int:
    """Add a picture as PNG; returns its buffer view."""
    data = BytesIO()
    picture.save(data, "PNG")
    values = np.frombuffer(data.getvalue(), np.uint8)
    accessor = file.accessor(values)
    return int(file.tables["accessors"][accessor]["bufferView"])


def _ball(rings: int, sides: int) -> tuple[Floats, Floats, Any]:
    tilt, turn = np.meshgrid(
        np.linspace(0.0, np.pi, rings + 1), np.linspace(0.0, 2.0 * np.pi, sides + 1), indexing="ij"
    )
    points = np.stack(
        (np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)), axis=-1
    ).reshape(-1, 3)
    return points, points, _grid(rings, sides, sides + 1, is_closed=False)


def _tube(chain: Floats, radii: Any, rings: int, sides: int) -> tuple[Floats, Floats, Any, Floats]:
    """Points, normals, triangles, and where along the chain each point is, in bones."""
    count = len(chain) - 1
    at = np.linspace(0.0, count, rings + 1)
    bone = np.minimum(at.astype(int), count - 1)
    part = (at - bone)[:, None]
    middle = chain[bone] * (1.0 - part) + chain[bone + 1] * part
    along = np.gradient(middle, axis=0)
    along /= np.sqrt((along**2).sum(axis=1, keepdims=True))
    side = np.cross(along, np.where(np.abs(along[:, 2:]) > 0.9, [1.0, 0, 0], [0, 0, 1.0]))
    side /= np.sqrt((side**2).sum(axis=1, keepdims=True))
    other = np.cross(along, side)
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)[None, :, None]
    out = np.cos(angle) * side[:, None] + np.sin(angle) * other[:, None]
    width = np.interp(at, np.arange(count + 1), radii)[:, None, None]
    points = (middle[:, None] + width * out).reshape(-1, 3)
    return points, out.reshape(-1, 3), _grid(rings, sides, sides, is_closed=True), at.repeat(sides)


def _grid(rings: int, sides: int, width: int, *, is_closed: bool) -> Any:
    ring, side = np.meshgrid(np.arange(rings), np.arange(sides), indexing="ij")
    following = (side + 1) % sides if is_closed else side + 1
    a, b = ring * width + side, ring * width + following
    c, d = a + width, b + width
    return np.stack((a, c, b, b, c, d), axis=-1).reshape(-1, 3)

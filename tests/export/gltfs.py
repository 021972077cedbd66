"""Reads binary glTF as its specification says, with nothing of the writer's: for tests.

Matrices and loops, where the writer has quaternions and arrays over all ticks.
"""

import json
import struct
from bisect import bisect_right
from math import acos, sin
from pathlib import Path
from typing import Any

import numpy as np

TYPES = {5120: "i1", 5121: "u1", 5122: "i2", 5123: "u2", 5125: "u4", 5126: "f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
Z_UP = np.array([[1.0, 0, 0, 0], [0, 0, -1.0, 0], [0, 1.0, 0, 0], [0, 0, 0, 1.0]])
"""Takes Y up to Z up."""


class Gltf:
    """A file; `names` are those of the nodes."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        assert (magic, version, length) == (b"glTF", 2, len(data))
        chunks, at = {}, 12
        while at < length:
            size, kind = struct.unpack_from("<I4s", data, at)
            chunks[kind] = data[at + 8 : at + 8 + size]
            at += 8 + size
        self.document: dict[str, Any] = json.loads(chunks[b"JSON"])
        self.binary = chunks.get(b"BIN\0", b"")
        self.nodes: list[dict[str, Any]] = self.document["nodes"]
        self.names = [node["name"] for node in self.nodes]
        self.parents = [-1] * len(self.nodes)
        for index, node in enumerate(self.nodes):
            for child in node.get("children", ()):
                assert self.parents[child] == -1
                self.parents[child] = index
        self.curves: dict[tuple[int, str], tuple[list[float], Any, str]] = {}
        for animation in self.document.get("animations", ())[:1]:
            self.play(animation["name"])

    def play(self, name: str) -> None:
        """Let an animation be the one that is played; at first it is the first."""
        (animation,) = (one for one in self.document["animations"] if one["name"] == name)
        self.curves = {}
        for channel in animation["channels"]:
            sampler = animation["samplers"][channel["sampler"]]
            target = channel["target"]["node"], channel["target"]["path"]
            assert target not in self.curves
            times = self.values(sampler["input"])[:, 0].tolist()
            assert times == sorted(set(times))
            values = self.values(sampler["output"])
            assert len(values) == len(times)
            self.curves[target] = times, values, sampler["interpolation"]

    @property
    def duration(self) -> float:
        """Of the animation [s]."""
        return max(times[-1] for times, _, _ in self.curves.values())

    def values(self, index: int) -> Any:
        """An accessor as floats (N, C)."""
        accessor = self.document["accessors"][index]
        view = self.document["bufferViews"][accessor["bufferView"]]
        kind = np.dtype("<" + TYPES[accessor["componentType"]])
        count, width = accessor["count"], WIDTHS[accessor["type"]]
        assert view["byteLength"] == count * width * kind.itemsize
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        found = np.frombuffer(self.binary, kind, count * width, start).reshape(count, width)
        if accessor.get("normalized"):
            return np.maximum(found / np.iinfo(kind).max, -1.0)
        return found.astype(np.float64)

    def key_times(self, node: int) -> list[float]:
        """Of the keys of a node, or of the first of those above it that has any."""
        while (node, "rotation") not in self.curves and node >= 0:
            node = self.parents[node]
        return self.curves[node, "rotation"][0]

    def sample(self, node: int, path: str, time: float) -> Any:
        """What a node's translation, rotation or scale is at a time."""
        usual = {"translation": [0.0] * 3, "rotation": [0.0, 0, 0, 1.0], "scale": [1.0] * 3}
        if (node, path) not in self.curves:
            return np.array(self.nodes[node].get(path, usual[path]))
        times, values, kind = self.curves[node, path]
        after = min(max(bisect_right(times, time), 1), len(times) - 1) if len(times) > 1 else 0
        a, b = values[max(0, after - 1)], values[after]
        if time <= times[0] or len(times) == 1:
            return values[0]
        if time >= times[-1]:
            return values[-1]
        if kind == "STEP":
            return a
        part = (time - times[after - 1]) / (times[after] - times[after - 1])
        if path != "rotation":
            return a + (b - a) * part
        cosine = float(a @ b)
        if cosine < 0.0:
            b, cosine = -b, -cosine
        if cosine > 1.0 - 1e-9:
            found = a + (b - a) * part
        else:
            angle = acos(min(1.0, cosine))
            found = (sin((1 - part) * angle) * a + sin(part * angle) * b) / sin(angle)
        return found / np.linalg.norm(found)

    def local(self, node: int, time: float) -> Any:
        """The matrix (4, 4) of a node against its parent."""
        x, y, z, w = self.sample(node, "rotation", time)
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )
        found = np.eye(4)
        found[:3, :3] = turn * self.sample(node, "scale", time)
        found[:3, 3] = self.sample(node, "translation", time)
        return found

    def matrices(self, time: float) -> list[Any]:
        """The matrix (4, 4) of every node in the world, Y up."""
        found: dict[int, Any] = {-1: np.eye(4)}

        def of(node: int) -> Any:
            if node not in found:
                found[node] = of(self.parents[node]) @ self.local(node, time)
            return found[node]

        return [of(node) for node in range(len(self.nodes))]

    def positions(self, time: float) -> Any:
        """Where every node is, (N, 3) [m], Z up."""
        return np.array([(Z_UP @ matrix)[:3, 3] for matrix in self.matrices(time)])

    def below(self, name: str) -> dict[str, int]:
        """All nodes below one, by name."""
        top = self.names.index(name)
        found = {}
        for node, label in enumerate(self.names):
            above = node
            while above not in (-1, top):
                above = self.parents[above]
            if above == top and node != top:
                assert label not in found
                found[label] = node
        return found

    def skinned(self, node: int, time: float) -> Any:
        """Vertices (V, 3) of a node's mesh as its skin moves them, Z up [m]."""
        mesh = self.document["meshes"][self.nodes[node]["mesh"]]
        skin = self.document["skins"][self.nodes[node]["skin"]]
        attributes = mesh["primitives"][0]["attributes"]
        points = self.values(attributes["POSITION"])
        joints = self.values(attributes["JOINTS_0"]).astype(int)
        weights = self.values(attributes["WEIGHTS_0"])
        assert np.allclose(weights.sum(axis=1), 1.0)
        world = self.matrices(time)
        binds = self.values(skin["inverseBindMatrices"]).reshape(-1, 4, 4).transpose(0, 2, 1)
        bones = np.array(
            [world[joint] @ bind for joint, bind in zip(skin["joints"], binds, strict=True)]
        )
        homogeneous = np.hstack((points, np.ones((len(points), 1))))
        moved = np.einsum("vkij,vj,vk->vi", bones[joints], homogeneous, weights)
        return (moved @ Z_UP.T)[:, :3]

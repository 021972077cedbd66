"""A robot as a .glb: one node for each group of links as it stands, with what is drawn of it.

Y up, Z ahead, metres; a model without a skin: its rigid parts follow the bones they hang from.
"""

import numpy as np

from creature_sim.anatomy.robots.found import FILE, Found
from creature_sim.anatomy.robots.surfaces import Surface
from creature_sim.maths import Floats, quat_from_axes
from creature_sim.models.glb import ARRAY, Glb

GREY = "#9a9ea3"
"""Of what a file gives no colour."""
ROUGH = 0.7


def rigid_glb(found: Found) -> bytes:
    """The bytes of the file."""
    return _Film(found).written()


class _Film:
    def __init__(self, found: Found) -> None:
        self._found = found
        self._file = Glb()
        self._materials: dict[str, int] = {}
        self._meshes: dict[tuple[object, ...], int] = {}
        self._turn = FILE.turn.T  # what takes directions of ours to the file's

    def written(self) -> bytes:
        machine, pose = self._found.machine, self._found.pose
        children: list[list[int]] = [[] for _ in machine.parents]
        nodes = []
        for group in range(len(machine.parents)):
            parts = [self._part(one) for one in self._found.surfaces.groups[group]]
            parent = machine.parents[group]
            before = np.eye(3) if parent < 0 else pose.turns[parent]
            origin = np.zeros(3) if parent < 0 else pose.places[parent]
            turn = before.T @ pose.turns[group]
            place = before.T @ (pose.places[group] - origin)
            if parent < 0:
                turn, place = self._turn @ turn, self._turn @ place
            nodes.append((machine.names[group], turn, place, parts))
        first = len(self._file.tables.get("nodes", []))
        for group, parent in enumerate(machine.parents):
            if parent >= 0:
                children[parent].append(first + group)
        for (name, turn, place, parts), below in zip(nodes, children, strict=True):
            self._node(name, turn, place, children=[*below, *parts])
        self._file.add("scenes", nodes=[first])
        about = {"version": "2.0", "generator": "creature_sim"}
        return self._file.written(asset=about, scene=0)

    def _node(self, name: str, turn: Floats, place: Floats, **more: object) -> int:
        x, y, z = ((float(a), float(b), float(c)) for a, b, c in turn.T)
        return self._file.add(
            "nodes",
            name=name,
            rotation=[float(part) for part in quat_from_axes(x, y, z)],
            translation=[float(part) for part in place],
            **more,
        )

    def _part(self, surface: Surface) -> int:
        """A node with one shape."""
        colour = surface.colour or GREY
        key = (*surface.key, colour)
        if key not in self._meshes:
            corners = surface.corners.reshape(-1, 3)
            flat = np.cross(
                surface.corners[:, 1] - surface.corners[:, 0],
                surface.corners[:, 2] - surface.corners[:, 0],
            )
            sizes = np.linalg.norm(flat, axis=1, keepdims=True)
            normals = np.where(sizes > 1e-15, flat / np.maximum(sizes, 1e-15), [0.0, 0.0, 1.0])
            self._meshes[key] = self._file.add(
                "meshes",
                primitives=[
                    {
                        "attributes": {
                            "POSITION": self._file.accessor(
                                corners.astype(np.float32), target=ARRAY, has_bounds=True
                            ),
                            "NORMAL": self._file.accessor(
                                np.repeat(normals, 3, axis=0).astype(np.float32), target=ARRAY
                            ),
                        },
                        "material": self._material(colour),
                    }
                ],
            )
        return self._node("", surface.turn, surface.place, mesh=self._meshes[key])

    def _material(self, colour: str) -> int:
        if colour not in self._materials:
            parts = [int(colour[at : at + 2], 16) / 255.0 for at in (1, 3, 5)]
            linear = [
                part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
                for part in parts
            ]
            self._materials[colour] = self._file.add(
                "materials",
                pbrMetallicRoughness={
                    "baseColorFactor": [*linear, 1.0],
                    "metallicFactor": 0.0,
                    "roughnessFactor": ROUGH,
                },
            )
        return self._materials[colour]

"""Runs in Blender: writes the metarigs of Rigify, with a skin about each bone, as .glb.

python in_blender.py FOLDER
"""

import sys
from pathlib import Path
from typing import Any

import bpy  # type: ignore[import-not-found]
from mathutils import Vector  # type: ignore[import-not-found]

RIGS = (
    "basic_human", "human", "basic_quadruped", "bird", "cat", "horse", "wolf", "shark",
)  # fmt: skip
ROUND = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))


def skinned(rig: Any) -> None:
    """Put a box about each bone, which follows it."""
    vertices: list[Any] = []
    faces: list[tuple[int, ...]] = []
    owners: list[str] = []
    for bone in rig.data.bones:
        way = bone.tail_local - bone.head_local
        turn, first = way.to_track_quat("Z", "Y"), len(vertices)
        for part in (0.0, 0.5, 1.0):
            for x, y in ROUND:
                beside = turn @ Vector((0.15 * way.length * x, 0.15 * way.length * y, 0.0))
                vertices.append(bone.head_local + way * part + beside)
                owners.append(bone.name)
        for row in (first, first + 4):
            for side in range(4):
                after = (side + 1) % 4
                faces.append((row + side, row + after, row + 4 + after, row + 4 + side))
    mesh = bpy.data.meshes.new("skin")
    mesh.from_pydata(vertices, [], faces)
    skin = bpy.data.objects.new("skin", mesh)
    bpy.context.collection.objects.link(skin)
    for bone in rig.data.bones:
        skin.vertex_groups.new(name=bone.name)
    for index, name in enumerate(owners):
        skin.vertex_groups[name].add([index], 1.0, "REPLACE")
    skin.modifiers.new("armature", "ARMATURE").object = rig
    skin.parent = rig


def main(folder: Path) -> None:
    """Write all of them."""
    import addon_utils  # type: ignore[import-not-found] # it is there once bpy is

    for name in RIGS:
        bpy.ops.wm.read_factory_settings(use_empty=True)
        addon_utils.enable("rigify", default_set=True)
        getattr(bpy.ops.object, f"armature_{name}_metarig_add")()
        skinned(bpy.context.object)
        file = str(folder / f"{name}.glb")
        bpy.ops.export_scene.gltf(filepath=file, export_format="GLB", export_animations=False)


main(Path(sys.argv[1]))

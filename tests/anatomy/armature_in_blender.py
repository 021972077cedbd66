"""Runs in Blender: writes the first armature of a file, and the meshes that follow it, as .glb.

python armature_in_blender.py FILE OUT
"""

import sys

import bpy  # type: ignore[import-not-found]


def main(source: str, out: str) -> None:
    """Write it."""
    bpy.ops.wm.open_mainfile(filepath=source)
    bpy.ops.object.select_all(action="DESELECT")
    armature = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    for thing in bpy.data.objects:
        follows = any(one.type == "ARMATURE" and one.object == armature for one in thing.modifiers)
        thing.select_set(thing == armature or follows)
    bpy.ops.export_scene.gltf(
        filepath=out, export_format="GLB", export_animations=False, use_selection=True
    )


main(*sys.argv[1:])

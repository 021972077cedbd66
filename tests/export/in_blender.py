"""Runs in Blender's Python: imports a file, says where all bones are, draws a picture of it."""

import json
import sys
from math import radians

import bpy  # type: ignore[import-not-found]
from mathutils import Vector  # type: ignore[import-not-found]

RATE = 60


def main(path: str, out: str, times: str, picture: str) -> None:
    bpy.ops.wm.read_factory_settings(use_empty=True)
    scene = bpy.context.scene
    scene.render.fps = RATE
    begin = 0
    if path.endswith(".bvh"):
        bpy.ops.import_anim.bvh(filepath=path, frame_start=0, use_fps_scale=True)
        begin = 1  # it lays the first frame there
    elif path.endswith(".usda"):
        bpy.ops.wm.usd_import(filepath=path)
    else:
        bpy.ops.import_scene.gltf(filepath=path)
    found: dict[str, dict[str, list[float]]] = {}
    for time in json.loads(times):
        frame = begin + time * scene.render.fps
        scene.frame_set(int(frame), subframe=frame - int(frame))
        graph = bpy.context.evaluated_depsgraph_get()
        here = found[str(time)] = {}
        for thing in bpy.data.objects:
            seen = thing.evaluated_get(graph)
            here[thing.name] = list(seen.matrix_world.translation)
            if thing.type == "ARMATURE":
                for bone in seen.pose.bones:
                    here[f"{thing.name}/{bone.name}"] = list(seen.matrix_world @ bone.head)
    report = {
        "places": found,
        "actions": sorted(action.name for action in bpy.data.actions),
        "objects": {thing.name: thing.type for thing in bpy.data.objects},
        "end": scene.frame_end,
    }
    if picture:
        draw(picture)
    with open(out, "w") as stream:
        json.dump(report, stream)


def draw(picture: str) -> None:
    """Draw the present frame with Cycles, from the side and above of the first armature."""
    scene = bpy.context.scene
    body = next(thing for thing in bpy.data.objects if thing.type == "ARMATURE")
    middle = body.matrix_world @ body.pose.bones["body"].head
    eye = bpy.data.objects.new("eye", bpy.data.cameras.new("eye"))
    scene.collection.objects.link(eye)
    eye.location = middle + Vector((-1.2, -2.0, 0.9))
    eye.rotation_euler = (middle - eye.location).to_track_quat("-Z", "Y").to_euler()
    eye.data.angle = radians(45.0)
    scene.camera = eye
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy = 4.0
    sun.rotation_euler = (radians(40.0), radians(15.0), radians(30.0))
    scene.collection.objects.link(sun)
    world = bpy.data.worlds.new("sky")
    world.color = (0.5, 0.6, 0.7)
    scene.world = world
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 16
    scene.render.resolution_x, scene.render.resolution_y = 960, 540
    scene.render.filepath = picture
    bpy.ops.render.render(write_still=True)


main(*sys.argv[1:5])

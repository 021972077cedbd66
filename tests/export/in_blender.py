"""Runs in Blender's Python: imports a file, says where all bones are, draws a picture of it."""

import json
import sys
from math import pi

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
        draw(**json.loads(picture))
    with open(out, "w") as stream:
        json.dump(report, stream)


def draw(path: str, eye: list[float], target: list[float], view: float) -> None:
    """Draw the present frame with Cycles, as an eye sees it in an angle from below to above."""
    scene = bpy.context.scene
    middle, place = Vector(target), Vector(eye)
    camera = bpy.data.objects.new("eye", bpy.data.cameras.new("eye"))
    scene.collection.objects.link(camera)
    camera.location = place
    camera.rotation_euler = (middle - place).to_track_quat("-Z", "Y").to_euler()
    camera.data.sensor_fit = "VERTICAL"
    camera.data.angle = view
    scene.camera = camera
    # The sun and the sky of our own pictures.
    sun = bpy.data.objects.new("sun", bpy.data.lights.new("sun", "SUN"))
    sun.data.energy, sun.data.color = pi, (0.98, 0.88, 0.72)
    sun.rotation_euler = Vector((0.42, 0.56, 0.86)).to_track_quat("Z", "Y").to_euler()
    scene.collection.objects.link(sun)
    world = bpy.data.worlds.new("sky")
    world.use_nodes = True
    world.node_tree.nodes["Background"].inputs[0].default_value = (0.40, 0.46, 0.56, 1.0)
    scene.world = world
    scene.view_settings.view_transform = "Standard"
    scene.render.engine = "CYCLES"
    scene.cycles.samples = 16
    scene.render.resolution_x, scene.render.resolution_y = 480, 270
    scene.render.filepath = path
    bpy.ops.render.render(write_still=True)


main(*sys.argv[1:5])

"""What a scene shows, as `foxglove.SceneEntity`: each in a frame that moves, so it is sent once.

Needs the extra `scene`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from foxglove_schemas_protobuf.Color_pb2 import Color
from foxglove_schemas_protobuf.Pose_pb2 import Pose as PoseMessage
from foxglove_schemas_protobuf.Quaternion_pb2 import Quaternion
from foxglove_schemas_protobuf.SceneEntity_pb2 import SceneEntity
from foxglove_schemas_protobuf.Vector3_pb2 import Vector3
from numpy.typing import NDArray

from creature_sim.definitions import ChainDef, CreatureDef, LegDef, PropDef, RigDef, WorldDef
from creature_sim.definitions.legs import FLATNESS
from creature_sim.export.frames import Z, creature_frames, rig_frames, turns_onto
from creature_sim.figures import creatures as figures
from creature_sim.figures import rigs
from creature_sim.figures.ground_colours import ground_colours
from creature_sim.figures.necks import Neck
from creature_sim.figures.palette import PROP_COLOURS
from creature_sim.figures.patch import Patch
from creature_sim.figures.props import DARKER, drum, half_of, is_dark, ramp
from creature_sim.figures.solids import rgb
from creature_sim.maths import Floats

WORLD = "world"
"""The frame of the world: Z is up."""
EYE_COLOUR = (0.06, 0.06, 0.07)
LABEL_COLOUR = (1.0, 1.0, 1.0)
ALONG_X = PoseMessage(orientation=Quaternion(y=np.sqrt(0.5), w=np.sqrt(0.5)))
"""A cylinder, whose axis is Z, lies along X."""

Colours = Sequence[float]


def creature_entities(world: WorldDef, number: int) -> list[SceneEntity]:
    """A creature: its trunk as boxes, its bones as tapered cylinders, its feet as flat balls."""
    plan = world.species_of(world.creatures[number])
    frames = iter(creature_frames(world, number))
    return [
        *(_segment(plan, index, next(frames)) for index in range(len(plan.boxes))),
        *(
            _bone(
                next(frames),
                length,
                (start, end),
                (rgb(plan.colours.legs), joint_colour),
                figures.KNEE * start,
            )
            for leg in plan.all_legs
            for joint_colour in [figures.joint_colour(rgb(plan.colours.legs))]
            for radii in [leg.radii(plan.body.size[2])]
            for length, start, end in zip(leg.bones, radii[:-1], radii[1:], strict=True)
        ),
        *(_foot(plan, leg, next(frames)) for leg in plan.all_legs),
    ]


def _segment(plan: CreatureDef, index: int, frame: str) -> SceneEntity:
    entity, size = _entity(frame), plan.boxes[index]
    entity.cubes.add(pose=_pose(), size=_vector(size), color=_color(rgb(plan.colours.body)))
    if index == 0 and (neck := Neck.of(plan)):
        _neck(entity, neck, rgb(plan.colours.body))
    if index == plan.face:  # eyes show where the front is
        for position, _, radius in figures.eyes_of(0.5 * np.array(size)):
            _ball(entity, position, (radius,) * 3, EYE_COLOUR)
    return entity


def _neck(entity: SceneEntity, neck: Neck, colour: Colours) -> None:
    pose = _pose(0.5 * (neck.base + neck.end))
    x, y, z, w = turns_onto(Z, neck.end - neck.base).tolist()
    pose.orientation.CopyFrom(Quaternion(x=x, y=y, z=z, w=w))
    _cylinder(entity, pose, neck.length, neck.radii, colour)


def _cylinder(
    entity: SceneEntity,
    pose: PoseMessage,
    length: float,
    radii: tuple[float, float],
    colour: Colours,
) -> None:
    """A tapered bar along Z of a pose, which is its middle."""
    widest = max(radii)
    entity.cylinders.add(
        pose=pose,
        size=Vector3(x=2.0 * widest, y=2.0 * widest, z=length),
        bottom_scale=radii[0] / widest,
        top_scale=radii[1] / widest,
        color=_color(colour),
    )


def _bone(
    frame: str,
    length: float,
    radii: tuple[float, float],
    colours: tuple[Colours, Colours],
    joint_radius: float,
) -> SceneEntity:
    """A bone along X that begins in a ball, its joint."""
    entity = _entity(frame)
    pose = PoseMessage(position=Vector3(x=0.5 * length), orientation=ALONG_X.orientation)
    _cylinder(entity, pose, length, radii, colours[0])
    _ball(entity, (0.0, 0.0, 0.0), (joint_radius,) * 3, colours[1])
    return entity


def _foot(plan: CreatureDef, leg: LegDef, frame: str) -> SceneEntity:
    entity, pad = _entity(frame), leg.pad
    if leg.foot:
        half, ahead = leg.sole
        size = tuple(2.0 * part for part in half)
        pose = _pose((ahead, 0.0, half[2]))
        entity.cubes.add(pose=pose, size=_vector(size), color=_color(rgb(plan.colours.feet)))
        return entity
    thick = FLATNESS * pad
    _ball(entity, (0.0, 0.0, thick), (pad, pad, thick), rgb(plan.colours.feet))
    return entity


def rig_entities(world: WorldDef, index: int) -> list[SceneEntity]:
    """A chain or tree: its bones, and balls where its targets are."""
    rig = world.rigs[index]
    frames = rig_frames(world, index)
    radii = rigs.joint_radii(rig).tolist()
    bones, joints, target = (
        rgb(colour) for colour in (rig.colours.bones, rig.colours.joints, rig.colours.target)
    )
    parents, lengths = rigs.bone_parents(rig), _bone_lengths(rig)
    root = _entity(frames[0])
    if rig.stand:
        width = 1.4 * radii[0]
        root.cylinders.add(
            pose=_pose((0.0, 0.0, -0.5 * rigs.DEPTH)),
            size=_vector((width, width, rigs.DEPTH)),
            bottom_scale=1.0,
            top_scale=1.0,
            color=_color(rigs.STAND_COLOUR),
        )
    found = [root]
    for child, (parent, length) in enumerate(zip(parents, lengths, strict=True), 1):
        ends = (radii[parent], radii[child])
        bone = _bone(frames[child], length, ends, (bones, joints), rigs.BULGE * ends[0])
        tip = rigs.BULGE * ends[1]
        _ball(bone, (length, 0.0, 0.0), (tip,) * 3, joints)
        found.append(bone)
    mark = rigs.mark_radius(rig)
    for frame in frames[1 + len(parents) :]:
        found.append(_entity(frame))
        _ball(found[-1], (0.0, 0.0, 0.0), (mark,) * 3, target)
    return found


def _bone_lengths(rig: RigDef) -> list[float]:
    if isinstance(rig, ChainDef):
        return list(rig.bones)
    return [float(np.sqrt(np.square(joint.offset).sum())) for joint in rig.joints]


def prop_entity(prop: PropDef, frame: str) -> SceneEntity:
    """A prop."""
    entity, half = _entity(frame), half_of(prop)
    colour = rgb(PROP_COLOURS[prop.motion])
    if prop.shape == "ball":
        _ball(entity, (0.0, 0.0, 0.0), half, colour)
    elif prop.shape == "cylinder":
        vertices, triangles = solid = drum()
        darker = np.where(is_dark(solid), DARKER, 1.0)[:, None]
        corners = vertices[triangles.ravel(), :3] * np.array(half)
        colours = np.repeat(darker * np.array([colour]), 3, axis=0)
        _triangles(entity, corners, np.arange(len(corners)), colours)
    elif prop.shape == "ramp":
        vertices, triangles = ramp()
        _triangles(entity, vertices[:, :3] * np.array(half), triangles, np.array([colour]))
    else:
        entity.cubes.add(pose=_pose(), size=_vector([2.0 * x for x in half]), color=_color(colour))
    return entity


def creature_label(world: WorldDef, number: int) -> SceneEntity:
    """The name of a creature, above its body."""
    placement = world.creatures[number]
    plan = world.species_of(placement)
    text = plan.name if len(world.creatures) == 1 else f"{plan.name} {number}"
    size = 0.12 * max(leg.reach for leg in plan.all_legs)
    return _label(label_frame(world, number), text, size, 0.5 * plan.body.size[2] + 2.0 * size)


def label_frame(world: WorldDef, number: int) -> str:
    """The frame that the name of a creature stays in: its body's."""
    return creature_frames(world, number)[0]


def rig_label(world: WorldDef, index: int) -> SceneEntity:
    """The name of a chain or tree, beside its root."""
    rig = world.rigs[index]
    radius = float(rigs.joint_radii(rig)[0])
    return _label(rig_frames(world, index)[0], rig.name, 2.0 * radius, 3.0 * radius)


def ground_entity(patch: Patch) -> SceneEntity:
    """The ground as triangles, coloured by height and slope."""
    entity = _entity("ground")
    entity.frame_id = WORLD
    _triangles(entity, patch.vertices, patch.triangles, ground_colours(patch))
    return entity


def _entity(frame: str) -> SceneEntity:
    """An empty entity that stays in a frame and is named like it."""
    entity = SceneEntity(id=frame, frame_id=frame, frame_locked=True)
    entity.lifetime.SetInParent()  # zero: until it is deleted; the schema asks for it
    return entity


def _ball(
    entity: SceneEntity, position: Sequence[float] | Floats, half: Sequence[float], colour: Colours
) -> None:
    size = _vector([2.0 * x for x in half])
    entity.spheres.add(pose=_pose(position), size=size, color=_color(colour))


def _label(frame: str, text: str, size: float, height: float) -> SceneEntity:
    entity = _entity(frame)
    entity.texts.add(
        pose=_pose((0.0, 0.0, height)),
        billboard=True,
        font_size=size,
        color=_color(LABEL_COLOUR),
        text=text,
    )
    return entity


def _triangles(
    entity: SceneEntity, vertices: Floats, triangles: NDArray[Any], colours: Floats
) -> None:
    """Add triangles with one colour (1, 3), or with one for each vertex (V, 3)."""
    mesh = entity.triangles.add(pose=_pose(), color=_color(colours[0].tolist()))
    for x, y, z in vertices.tolist():
        mesh.points.add(x=x, y=y, z=z)
    if len(colours) > 1:
        for r, g, b in colours.tolist():
            mesh.colors.add(r=r, g=g, b=b, a=1.0)
    mesh.indices.extend(triangles.ravel().tolist())


def _pose(position: Sequence[float] | Floats = (0.0, 0.0, 0.0)) -> PoseMessage:
    return PoseMessage(position=_vector(position), orientation=Quaternion(w=1.0))


def _vector(values: Sequence[float] | Floats) -> Vector3:
    x, y, z = (float(value) for value in values)
    return Vector3(x=x, y=y, z=z)


def _color(parts: Colours) -> Color:
    r, g, b = (float(part) for part in parts)
    return Color(r=r, g=g, b=b, a=1.0)

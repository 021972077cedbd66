"""What creatures, chains, trees and props look like, as one mesh each whose parts follow bones.

The shapes, sizes and colours are those that the window draws. Every vertex follows one bone, but
for those of models.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef, PropDef, RigDef
from creature_sim.definitions.legs import FLATNESS
from creature_sim.export.animation.actors import TRUNK, Actor, pivots, rig_nodes
from creature_sim.export.animation.model_skins import creature_model, rig_model
from creature_sim.export.animation.rig_models import first_joint, rig_figure_of
from creature_sim.export.animation.skin import Colour, Skin, joined
from creature_sim.export.animation.turns import inverse, turned
from creature_sim.export.frames import Z, turns_onto
from creature_sim.figures import creatures, rigs
from creature_sim.figures.necks import Neck
from creature_sim.figures.palette import PROP_COLOURS
from creature_sim.figures.props import DARKER, half_of, is_dark, kind_of, prop_shapes
from creature_sim.figures.shapes import OF_FILES, Solid, hull, limb, sphere
from creature_sim.figures.solids import rgb
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.models.binding import binding_of

MARKS = "targets"
WHITE, PUPIL = (0.88, 0.87, 0.82), (0.03, 0.03, 0.04)
BELLY, BELLY_COLOUR = -0.35, (0.80, 0.74, 0.62)
"""Below this height of a body, over half of its own, it has a lighter colour."""
IRIS, LID = 0.70, 0.15
"""Where an eye of radius 1 that looks along X has its pupil, and where its white begins."""


def skin_of(actor: Actor, depth: float = 0.0) -> Skin:
    """The skin of an actor.

    Args:
        actor: who.
        depth: how far the posts below chains reach down [m].
    """
    shape = _Shape(actor.rest)
    plan = actor.plan
    if isinstance(plan, CreatureDef):
        binding = binding_of(plan)
        if binding is not None:
            return creature_model(actor, binding)
        _add_creature(shape, actor, plan)
    elif isinstance(plan, PropDef):
        _add_prop(shape, plan)
    else:
        figure = rig_figure_of(plan)
        if figure is not None:
            shape.colours = {MARKS: rgb(plan.colours.target)}
            _add_marks(shape, plan, first_joint(figure) + len(figure.joints))
            model = rig_model(actor, figure)
            return joined(model, shape.skin(MARKS)) if shape.count else model
        _add_rig(shape, actor, plan, depth)
    return shape.skin(plan.shape if isinstance(plan, PropDef) else plan.name)


@dataclass
class _Shape:
    """A skin that grows; `rest` are the frames (B, 7) of the bones."""

    rest: Floats
    vertices: list[Floats] = field(default_factory=list)
    normals: list[Floats] = field(default_factory=list)
    bones: list[NDArray[np.int64]] = field(default_factory=list)
    parts: dict[str, list[NDArray[Any]]] = field(default_factory=dict)
    colours: dict[str, Colour] = field(default_factory=dict)
    count: int = 0

    def add(
        self,
        bone: int,
        points: Floats,
        normals: Floats,
        parts: dict[str, NDArray[Any]],
    ) -> None:
        """Add triangles of materials between points (V, 3) in the frame of a bone [m]."""
        frame = self.rest[bone]
        self.vertices.append(frame[:3] + turned(frame[3:], points))
        self.normals.append(turned(frame[3:], normals / lengths(normals)[:, None]))
        self.bones.append(np.full(len(points), bone))
        for material, triangles in parts.items():
            if len(triangles):
                self.parts.setdefault(material, []).append(triangles.astype(np.int64) + self.count)
        self.count += len(points)

    def skin(self, name: str) -> Skin:
        """It, whole."""
        parts = {name: np.concatenate(found) for name, found in self.parts.items()}
        return Skin(
            name,
            np.concatenate(self.vertices),
            np.concatenate(self.normals),
            np.concatenate(self.bones)[:, None],
            parts,
            {name: self.colours[name] for name in parts},
            np.ones((self.count, 1)),
        )

    def add_solid(
        self, bone: int, solid: Solid, half: Floats, middle: Floats, material: str
    ) -> None:
        """Add a solid that fills -1 to 1, scaled by `half` (3,) about `middle` (3,) [m, bone]."""
        points, normals = _split(solid)
        self.add(bone, points * half + middle, normals / half, {material: solid[1]})

    def add_limb(self, bone: int, length: float, ends: tuple[float, float], material: str) -> None:
        """Add a round bar along Z, with radii at its ends [m]."""
        points, around, triangles = _limb(length, ends)
        self.add(bone, points, around, {material: triangles})

    def add_neck(self, neck: Neck) -> None:
        """Add a neck to the body."""
        points, around, triangles = _limb(neck.length, neck.radii)
        turn = turns_onto(Z, neck.end - neck.base)
        points, around = neck.base + turned(turn, points), turned(turn, around)
        self.add(TRUNK, points, around, {"body": triangles})


def _limb(length: float, ends: tuple[float, float]) -> tuple[Floats, Floats, NDArray[np.uint32]]:
    """Points and normals (V, 3) and triangles (T, 3) of a round bar along Z [m]."""
    rows, triangles = limb(OF_FILES)
    directions, far = rows[:, :3].astype(np.float64), rows[:, 3:4].astype(np.float64)
    around = directions[:, [1, 2, 0]]  # X to Z
    points = around * (ends[0] + (ends[1] - ends[0]) * far) + far * np.array([0.0, 0.0, length])
    return points, around, triangles


def _split(solid: Solid) -> tuple[Floats, Floats]:
    rows = solid[0].astype(np.float64)
    return rows[:, :3], rows[:, 3:]


def _add_creature(shape: _Shape, actor: Actor, plan: CreatureDef) -> None:
    body, legs = rgb(plan.colours.body), rgb(plan.colours.legs)
    shape.colours = {
        "body": body,
        "belly": tuple(0.45 * a + 0.55 * b for a, b in zip(body, BELLY_COLOUR, strict=True)),
        "eyes": WHITE,
        "pupils": PUPIL,
        "legs": legs,
        "joints": creatures.joint_colour(legs),
        "feet": rgb(plan.colours.feet),
    }
    for index, (size, pivot) in enumerate(zip(plan.boxes, pivots(plan), strict=True)):
        half, middle = 0.5 * np.array(size), -pivot
        _add_body(shape, TRUNK + index, half, middle)
        if index == plan.face:
            _add_eyes(shape, TRUNK + index, half, middle)
    if neck := Neck.of(plan):
        shape.add_neck(neck)
    skeleton = actor.skeleton
    for leg, foot, bones in zip(plan.all_legs, skeleton.feet, skeleton.groups[1:], strict=True):
        radii = leg.radii(plan.body.size[2])
        # The underside of a pad is at the tip; the leg ends in the middle of it.
        thick = 0.0 if leg.foot else FLATNESS * leg.pad
        for joint, (bone, length) in enumerate(zip(bones[:-1], leg.bones, strict=True)):
            is_last = joint == len(leg.bones) - 1
            drawn = max(0.5 * length, length - thick) if is_last else length
            shape.add_limb(bone, drawn, (radii[joint], radii[joint + 1]), "legs")
            knee = np.full(3, creatures.KNEE * radii[joint])
            shape.add_solid(bone, sphere(OF_FILES), knee, np.zeros(3), "joints")
        if leg.foot:
            half_sole, ahead = leg.sole
            middle = np.array([ahead, 0.0, half_sole[2]])
            shape.add_solid(foot, hull(OF_FILES), np.array(half_sole), middle, "feet")
        else:
            pad = np.array([leg.pad, leg.pad, thick])
            shape.add_solid(foot, sphere(OF_FILES), pad, np.array([0.0, 0.0, thick]), "feet")


def _add_body(shape: _Shape, bone: int, half: Floats, middle: Floats) -> None:
    solid = hull(OF_FILES)
    points, normals = _split(solid)
    triangles = solid[1]
    is_belly = points[triangles][..., 2].mean(axis=1) < BELLY
    parts = {"body": triangles[~is_belly], "belly": triangles[is_belly]}
    shape.add(bone, points * half + middle, normals / half, parts)


def _add_eyes(shape: _Shape, bone: int, half: Floats, middle: Floats) -> None:
    points, _ = _split(sphere(0))
    triangles = sphere(0)[1]
    ahead = points[triangles][..., 0].mean(axis=1)
    parts = {
        "pupils": triangles[ahead > IRIS],
        "eyes": triangles[(ahead <= IRIS) & (ahead > LID)],
        "body": triangles[ahead <= LID],
    }
    for position, look, radius in creatures.eyes_of(half):
        side = np.cross(np.eye(3)[2], look)
        side /= float(lengths(side))
        axes = np.stack((look, side, np.cross(look, side)))
        turned_points = points @ axes
        shape.add(bone, turned_points * radius + position + middle, turned_points, parts)


def _add_prop(shape: _Shape, prop: PropDef) -> None:
    colour = rgb(PROP_COLOURS[prop.motion])
    shape.colours = {prop.motion: colour}
    solid, half = prop_shapes()[kind_of(prop)], np.array(half_of(prop))
    if prop.shape == "cylinder":
        (points, normals), dark = _split(solid), is_dark(solid)
        shape.colours["sectors"] = tuple(DARKER * part for part in colour)
        parts = {prop.motion: solid[1][~dark], "sectors": solid[1][dark]}
        shape.add(0, points * half, normals, parts)
    else:
        shape.add_solid(0, solid, half, np.zeros(3), prop.motion)


def _add_rig(shape: _Shape, actor: Actor, rig: RigDef, depth: float) -> None:
    shape.colours = {
        "bones": rgb(rig.colours.bones),
        "joints": rgb(rig.colours.joints),
        MARKS: rgb(rig.colours.target),
        "stand": rigs.STAND_COLOUR,
    }
    radii = rigs.joint_radii(rig)
    nodes = rig_nodes(rig)
    lies = {node.joint: index for index, node in reversed(list(enumerate(nodes, 1)))}
    for bone, node in enumerate(nodes, 1):
        if node.aim is not None:
            length = float(lengths(actor.rest[lies[node.aim], :3] - actor.rest[bone, :3]))
            shape.add_limb(bone, length, (radii[node.joint], radii[node.aim]), "bones")
    if not rigs.is_smooth(rig):
        for joint, bone in lies.items():
            ball = np.full(3, rigs.BULGE * radii[joint])
            shape.add_solid(bone, sphere(OF_FILES), ball, np.zeros(3), "joints")
    _add_marks(shape, rig, 1 + len(nodes))
    if rig.stand:
        width = 0.7 * radii[0]
        turn = inverse(actor.rest[1, 3:])
        points, normals = _split(sphere(OF_FILES))
        post = points * np.array([width, width, 0.5 * depth]) - np.array([0.0, 0.0, 0.5 * depth])
        shape.add(1, turned(turn, post), turned(turn, normals), {"stand": sphere(OF_FILES)[1]})


def _add_marks(shape: _Shape, rig: RigDef, first: int) -> None:
    """Add balls at the targets, whose nodes are the last ones from `first` on."""
    for bone in range(first, len(shape.rest)):
        mark = np.full(3, rigs.mark_radius(rig))
        shape.add_solid(bone, sphere(OF_FILES), mark, np.zeros(3), MARKS)

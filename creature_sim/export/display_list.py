"""Everything that moves in a world as a list of simple shapes, for the page that plays a replay.

The page knows no creatures: it draws limbs between two points, balls at a point, pads at a point
along a normal, boxes and eyes at a point with a turn. Here body plans become such shapes.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef, LegDef, PropDef, RigDef, WorldDef, targets_of
from creature_sim.definitions.legs import FLATNESS
from creature_sim.export.model_parts import (
    SKINS,
    bone_turns,
    model_parts,
    rig_parts,
    rig_turns,
    swing_places,
)
from creature_sim.figures import creatures as figures
from creature_sim.figures import rigs
from creature_sim.figures.labels import leg_name, printable
from creature_sim.figures.necks import Neck
from creature_sim.figures.palette import PROP_COLOURS
from creature_sim.figures.props import half_of
from creature_sim.figures.sizes import fog_around, rig_middle, square_beside
from creature_sim.figures.skins import RigSkin, SkinFigure
from creature_sim.figures.soles import Soles, turns_of
from creature_sim.figures.solids import rgb
from creature_sim.figures.subjects import subject_scale, subject_viewpoint
from creature_sim.maths import Floats
from creature_sim.maths.geometry import rotation_matrices
from creature_sim.models.binding import Binding, binding_of
from creature_sim.snapshots.poses import Pose

Row = list[Any]
KINDS = (
    *("limbs", "balls", "pads", "hulls", "soles", "eyes", "posts"),
    *("blocks", "ramps", "drums", "rounds"),
    *SKINS,
)


class DisplayList:
    """All creatures, chains, trees and props of a world.

    Attributes:
        subjects: what the camera can follow: name; first and number of the points whose mean it
            follows, or where it looks all the time; distance from there and scale, fog and squares
            of the ground as `figures.sizes` has them; for each leg its name and its column among
            the swings.
        parts: rows by kind. A row holds indices of points, turns, normals and colours, and sizes
            [m]: `limbs` [point, point, radius, radius, colour]; `balls` [point, radius, colour];
            `pads` [point, normal, radius, height, colour], whose point is raised by the height
            along the normal for all shapes at it; `hulls` (bodies) [point, turn, x, y, z, colour];
            `soles` the same and a normal; `eyes` [point, turn, x, y, z, 4 of the
            quaternion that turns X to where the eye looks, radius, colour]; `posts` [point, radius,
            length, colour]; of props `blocks`, `ramps` (which rise along X) and `drums` (cylinders
            about Z) as hulls are, and `rounds` as balls are; `skins`, `shades` and `steps` as
            `model_parts` has them.
        colours: "#rrggbb".
        models: what creatures, chains and trees look like that have no other shapes.
    """

    def __init__(self, world: WorldDef) -> None:
        """Read body plans, rigs and props."""
        self.subjects: list[dict[str, Any]] = []
        self.parts: dict[str, list[Row]] = {kind: [] for kind in KINDS}
        self.colours: list[str] = []
        self.models: list[Binding] = []
        self._figures: list[SkinFigure | None] = []  # of each creature
        self._rig_figures: list[RigSkin | None] = []  # of each chain and tree
        self._known: dict[str, tuple[int, SkinFigure]] = {}  # by species
        self._points = self._turns = self._normals = 0
        self._soles: list[Soles] = []  # of each creature
        self._necks: list[Neck | None] = []  # of each creature
        self._has_joint: list[NDArray[np.bool_]] = []  # of each creature, (L, J)
        self._world = world
        self._trunks: list[int] = []  # first point of each creature
        for placement in world.creatures:
            plan = world.species_of(placement)
            figure = self._figure(placement.creature, plan)
            if figure is None:
                self._figures.append(None)
                self._add_creature(plan)
            else:
                self._figures.append(figure[1])
                self._add_model(plan, *figure)
        for rig in world.rigs:
            self._add_rig(rig)
        for prop in world.props:
            self._add_prop(prop)

    def _colour(self, colour: str) -> int:
        if colour not in self.colours:
            self.colours.append(colour)
        return self.colours.index(colour)

    def _add_subject(self, name: str, **where: object) -> None:
        subject = len(self.subjects)
        scale = subject_scale(self._world, subject)
        distance = subject_viewpoint(self._world, subject, "chase").distance
        light = {"fog": fog_around(scale), "square": square_beside(scale)}
        self.subjects.append(
            {"name": printable(name), "distance": distance, "scale": scale, "legs": []}
            | light
            | where
        )

    def _figure(self, species: str, plan: CreatureDef) -> tuple[int, SkinFigure] | None:
        """The number of the model of a species, and its bones; None where it has none."""
        if species not in self._known:
            binding = binding_of(plan)
            if binding is None:
                return None
            self._known[species] = len(self.models), SkinFigure(plan, binding)
            self.models.append(binding)
        return self._known[species]

    def _add_model(self, plan: CreatureDef, number: int, figure: SkinFigure) -> None:
        """A creature that is a skin, whose bones lie on the points of its boxes and joints."""
        self._add_trunk(plan)
        swings = len(figure.binding.swings.names)
        rows = model_parts(plan, number, (self._points, self._turns, self._normals), swings)
        for kind, mine in rows.items():
            self.parts[kind] += mine
        has_joint = np.arange(figure.binding.joints.shape[1]) <= figure.binding.counts[:, None]
        self._points += len(plan.boxes) + int(has_joint.sum()) + swings
        self._turns += figure.bone_count
        self._normals += len(plan.all_legs)
        self._soles.append(Soles.of(plan))
        self._necks.append(None)
        self._has_joint.append(has_joint)

    def _add_trunk(self, plan: CreatureDef) -> None:
        """Whom the camera follows, whose boxes and legs come next."""
        names = [
            {"name": leg_name(leg), "swing": self._normals + index}
            for index, leg in enumerate(plan.all_legs)
        ]
        self._trunks.append(self._points)
        self._add_subject(plan.name, legs=names, points=[self._points, len(plan.boxes)])

    def _add_creature(self, plan: CreatureDef) -> None:
        """A creature of hulls, limbs and pads."""
        body, foot = self._colour(plan.colours.body), self._colour(plan.colours.feet)
        boxes = [0.5 * np.array(size) for size in plan.boxes]
        self._add_trunk(plan)
        for index, half in enumerate(boxes):
            self.parts["hulls"].append([self._points + index, self._turns + index, *half, body])
        self._add_eyes(plan.face, boxes[plan.face], body)
        self._points += len(boxes)
        self._turns += len(boxes)
        for leg in plan.all_legs:
            self._add_leg(plan, leg, foot)
        soles = Soles.of(plan)
        first = self._normals - len(plan.all_legs)
        for leg, half in zip(soles.legs.tolist(), soles.half.round(5).tolist(), strict=True):
            row = [self._points, self._turns, *half, foot, first + leg]
            self.parts["soles"].append(row)
            self._points += 1
            self._turns += 1
        self._soles.append(soles)
        self._add_neck(Neck.of(plan), body)
        counts = np.array([len(leg.bones) + 1 for leg in plan.all_legs])
        self._has_joint.append(np.arange(counts.max()) < counts[:, None])

    def _add_neck(self, neck: Neck | None, colour: int) -> None:
        self._necks.append(neck)
        if neck:
            radii = [round(radius, 5) for radius in neck.radii]
            self.parts["limbs"].append([self._points, self._points + 1, *radii, colour])
            self._points += 2

    def _add_leg(self, plan: CreatureDef, leg: LegDef, foot: int) -> None:
        """The limbs and joints of a leg, and its pad, if it has no sole, in a colour."""
        colour = self._colour(plan.colours.legs)
        joint_colour = self._colour(_hex(figures.joint_colour(rgb(plan.colours.legs))))
        radii = [round(radius, 5) for radius in leg.radii(plan.body.size[2])]
        for radius, following in pairwise(radii):
            self.parts["limbs"].append([self._points, self._points + 1, radius, following, colour])
            knee = round(figures.KNEE * radius, 5)
            self.parts["balls"].append([self._points, knee, joint_colour])
            self._points += 1
        if leg.foot is None:
            size = round(leg.pad, 5), round(FLATNESS * leg.pad, 5)
            self.parts["pads"].append([self._points, self._normals, *size, foot])
        self._points += 1
        self._normals += 1

    def _add_eyes(self, box: int, half: Floats, lid: int) -> None:
        """Two eyes at the upper front corners of a box: they show where the front is."""
        for position, look, radius in figures.eyes_of(half):
            turn = np.array([0.0, -look[2], look[1], 1.0 + look[0]])  # turns X to it
            turn /= np.sqrt((turn**2).sum())
            row = [*position.round(5).tolist(), *turn.round(5).tolist(), round(radius, 5), lid]
            self.parts["eyes"].append([self._points + box, self._turns + box, *row])

    def _add_rig(self, rig: RigDef) -> None:
        radii = rigs.joint_radii(rig).round(5).tolist()
        bones, joints, marks = (
            self._colour(colour)
            for colour in (rig.colours.bones, rig.colours.joints, rig.colours.target)
        )
        root = self._points
        if rig.creature is None:
            self._add_subject(rig.name, middle=rig_middle(rig).round(5).tolist())
        else:
            self._add_subject(rig.name, points=[self._trunks[rig.creature], 1])
        binding = binding_of(rig)
        self._rig_figures.append(RigSkin(rig, binding) if binding else None)
        figure = self._rig_figures[-1]
        if figure is not None:
            row = rig_parts(figure, len(self.models), root, self._turns)
            self.parts["skins"].append(row)
            self.models.append(figure.binding)
            self._turns += len(figure.limbs.bone_joints)
        else:
            self._add_bones(rig, radii, root, bones, joints)
        self._points += len(radii)
        mark = round(rigs.mark_radius(rig), 5)
        for _ in targets_of(rig):
            self.parts["balls"].append([self._points, mark, marks])
            self._points += 1

    def _add_bones(
        self, rig: RigDef, radii: list[float], root: int, bones: int, joints: int
    ) -> None:
        """A chain or a tree without a model, its root at a point; the last two are colours."""
        for child, parent in enumerate(rigs.bone_parents(rig), 1):
            self.parts["limbs"].append(
                [root + parent, root + child, radii[parent], radii[child], bones]
            )
        for joint, size in enumerate(radii):
            self.parts["balls"].append([root + joint, round(rigs.BULGE * size, 5), joints])
        if rig.stand:
            stand = self._colour(_hex(rigs.STAND_COLOUR))
            self.parts["posts"].append([root, round(0.7 * radii[0], 5), rigs.DEPTH, stand])

    def _add_prop(self, prop: PropDef) -> None:
        colour = self._colour(PROP_COLOURS[prop.motion])
        if prop.shape == "ball":
            self.parts["rounds"].append([self._points, prop.radius, colour])
        else:
            kind = {"ramp": "ramps", "cylinder": "drums"}.get(prop.shape, "blocks")
            self.parts[kind].append([self._points, self._turns, *half_of(prop), colour])
        self._points += 1
        self._turns += 1

    def points(self, pose: Pose) -> Floats:
        """Every point of a pose, (P, 3) [m, world]."""
        return np.concatenate(list(self._point_rows(pose)))

    def _point_rows(self, pose: Pose) -> Iterator[Floats]:
        plans = zip(
            pose.creatures, self._has_joint, self._soles, self._necks, self._figures, strict=True
        )
        for creature, has_joint, soles, neck, figure in plans:
            yield creature.positions
            yield creature.joints[has_joint]
            if figure is not None:
                yield swing_places(figure, creature)
                continue
            tips = creature.joints[:, -1]
            yield soles.middles(tips, creature.normals, creature.headings)
            if neck:
                turn = rotation_matrices(creature.orientations[0])
                yield np.stack(neck.ends(creature.positions[0], turn))
        for chain in pose.chains:
            yield chain.joints
            yield chain.targets
        yield pose.props.positions

    def turns(self, pose: Pose) -> Floats:
        """Every orientation of a pose, (B, 4), xyzw."""
        found = [np.empty((0, 4))]
        plans = zip(pose.creatures, self._soles, self._figures, strict=True)
        for creature, soles, figure in plans:
            found.append(creature.orientations)
            if figure is not None:
                found.append(bone_turns(figure, creature))
                continue
            mine = soles.legs
            found.append(turns_of(creature.headings[mine], creature.normals[mine]))
        shown = zip(self._world.rigs, pose.chains, self._rig_figures, strict=True)
        found += [
            rig_turns(figure, chain.joints, rigs.carrier_turn(rig, pose))
            for rig, chain, figure in shown
            if figure is not None
        ]
        return np.concatenate((*found, pose.props.orientations))

    def normals(self, pose: Pose) -> Floats:
        """Normals of the ground under every foot, (N, 3)."""
        return np.concatenate(
            [np.empty((0, 3)), *(creature.normals for creature in pose.creatures)]
        )

    def swings(self, pose: Pose) -> Floats:
        """Which feet are in the air, (N,), 0 or 1; all feet of creatures that are not there."""
        found = [
            (creature.is_swinging | ~creature.herd.is_there[creature.row]).astype(float)
            for creature in pose.creatures
        ]
        return np.concatenate([np.empty(0), *found])


def _hex(colour: tuple[float, ...]) -> str:
    """A colour with parts from 0 to 1 as "#rrggbb"."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)

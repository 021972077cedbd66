"""Everything that moves in a world as points, turns and normals, and what hangs on them.

The page that plays a replay knows no creatures: it draws limbs between two points, balls on one,
pads on a point and a normal, boxes and eyes on a point and a turn. This is where plans become that.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from creature_sim.definitions import ChainDef, CreatureDef, PropDef, RigDef, WorldDef
from creature_sim.figures import creatures as figures
from creature_sim.figures import props, rigs
from creature_sim.figures.solids import rgb
from creature_sim.maths import Floats
from creature_sim.snapshots.poses import CreaturePose, Pose

Row = list[Any]


class Cast:
    """All creatures and rigs of a world.

    Attributes:
        subjects: what can be looked at: name, point that the camera follows, distance that it
            does so from [m], and for each leg its name and its column among the swings.
        parts: rows by kind, of numbers of points, turns, normals and colours, and of sizes [m]:
            `limbs` [point, point, radius, radius, colour], `balls` [point, radius, colour],
            `pads` [point, normal, radius, height, colour], where the point is lifted by the height
            along the normal for whatever hangs on it, `hulls`, which have the shape of a body,
            `blocks` and `ramps`, which rise along X, [point, turn, x, y, z, colour],
            `eyes` [point, turn, x, y, z, 4 of a turn of X to where it looks, radius, colour],
            `posts` [point, radius, length, colour].
        colours: "#rrggbb".
    """

    def __init__(self, world: WorldDef) -> None:
        """Read plans and rigs."""
        self.subjects: list[dict[str, Any]] = []
        self.parts: dict[str, list[Row]] = {
            kind: []
            for kind in ("limbs", "balls", "pads", "hulls", "blocks", "ramps", "eyes", "posts")
        }
        self.colours: list[str] = []
        self._points = self._turns = self._normals = 0
        self._real: list[Any] = []  # of every creature: which joints its legs have
        for placement in world.creatures:
            self._add_creature(world.species_of(placement))
        for rig in world.rigs:
            self._add_rig(rig)
        for prop in world.props:
            self._add_prop(prop)

    def _colour(self, colour: str) -> int:
        if colour not in self.colours:
            self.colours.append(colour)
        return self.colours.index(colour)

    def _add_creature(self, plan: CreatureDef) -> None:
        legs = plan.all_legs
        body, leg_colour, foot = (
            self._colour(colour)
            for colour in (plan.colours.body, plan.colours.legs, plan.colours.feet)
        )
        joint_colour = self._colour(_hex(figures.joint_colour(rgb(plan.colours.legs))))
        names = [
            {"name": f"{leg.side[0].upper()}{leg.pair + 1}", "swing": self._normals + place}
            for place, leg in enumerate(legs)
        ]
        distance = 4.0 * max(leg.reach for leg in legs)
        self.subjects.append(
            {"name": plan.name, "point": self._points, "distance": distance, "legs": names}
        )
        boxes = body_boxes(plan)
        for place, half in enumerate(boxes):
            self.parts["hulls"].append([self._points + place, self._turns + place, *half, body])
        self._add_eyes(boxes[0], body)
        self._points += len(boxes)
        self._turns += len(boxes)
        real = np.zeros((len(legs), 1 + max(len(leg.bones) for leg in legs)), dtype=bool)
        for index, leg in enumerate(legs):
            real[index, : len(leg.bones) + 1] = True
            radii = figures.leg_radii(plan, leg).round(5).tolist()
            first = self._points
            for joint, radius in enumerate(radii[:-1]):
                self.parts["limbs"].append(
                    [first + joint, first + joint + 1, radius, radii[joint + 1], leg_colour]
                )
                knee = round(figures.KNEE * radius, 5)
                self.parts["balls"].append([first + joint, knee, joint_colour])
            pad = figures.PAD * leg.reach
            self.parts["pads"].append(
                [
                    first + len(radii) - 1,
                    self._normals,
                    round(pad, 5),
                    round(figures.FLATNESS * pad, 5),
                    foot,
                ]
            )
            self._points += len(radii)
            self._normals += 1
        self._real.append(real)

    def _add_eyes(self, half: Floats, lid: int) -> None:
        """Two eyes at the upper front corners: they say where the front is."""
        for place, look, radius in figures.eyes_of(half):
            turn = np.array([0.0, -look[2], look[1], 1.0 + look[0]])  # X onto it, the short way
            turn /= np.sqrt((turn**2).sum())
            row = [*place.round(5).tolist(), *turn.round(5).tolist(), round(radius, 5), lid]
            self.parts["eyes"].append([self._points, self._turns, *row])

    def _add_rig(self, rig: RigDef) -> None:
        if isinstance(rig, ChainDef):
            parents = list(range(len(rig.bones)))
            first, last = rig.radius or (rigs.ROOT * rig.reach, rigs.TIP * rig.reach)
            radii = first + (last - first) * np.cumsum([0.0, *rig.bones]) / rig.reach
            reach, target_count = rig.reach, 1
        else:
            parents = list(rig.parents[1:])
            given = [rig.radius, *(joint.radius for joint in rig.joints)]
            usual = min((radius for radius in given if radius is not None), default=0.03)
            radii = np.array([usual if radius is None else radius for radius in given])
            reach, target_count = _height(rig), len(rig.targets)
        bones, joints, marks = (
            self._colour(colour)
            for colour in (rig.colours.bones, rig.colours.joints, rig.colours.target)
        )
        root = self._points
        self.subjects.append(
            {
                "name": rig.name,
                "point": root,
                "distance": (2.2 if isinstance(rig, ChainDef) else 3.4) * reach,
                "legs": [],
            }
        )
        sizes = radii.round(5).tolist()
        for child, parent in enumerate(parents, 1):
            self.parts["limbs"].append(
                [root + parent, root + child, sizes[parent], sizes[child], bones]
            )
        for joint, size in enumerate(sizes):
            self.parts["balls"].append([root + joint, round(rigs.BULGE * size, 5), joints])
        mark = float(np.clip(rigs.MARK * radii.max(), 0.012, 0.03))
        self._points += len(sizes)
        for target in range(target_count):
            self.parts["balls"].append([self._points + target, round(mark, 5), marks])
        if rig.stand:
            stand = self._colour(_hex(rigs.STAND_COLOUR))
            self.parts["posts"].append([root, round(0.7 * sizes[0], 5), rigs.DEPTH, stand])
        self._points += target_count

    def _add_prop(self, prop: PropDef) -> None:
        colour = self._colour(props.COLOURS[prop.motion])
        if prop.radius is not None:
            self.parts["balls"].append([self._points, prop.radius, colour])
        else:
            assert prop.size is not None
            half = [0.5 * side for side in prop.size]
            kind = "ramps" if prop.shape == "ramp" else "blocks"
            self.parts[kind].append([self._points, self._turns, *half, colour])
        self._points += 1
        self._turns += 1

    def points(self, pose: Pose) -> Floats:
        """Every point of a pose, (P, 3) [m, world]."""
        return np.concatenate(list(self._point_rows(pose)))

    def _point_rows(self, pose: Pose) -> Iterator[Floats]:
        for creature, real in zip(pose.creatures, self._real, strict=True):
            yield np.array([position for position, _ in body_frames(creature)])
            yield creature.joints[real]
        for chain in pose.chains:
            yield chain.joints
            yield chain.targets
        yield pose.props.positions

    def turns(self, pose: Pose) -> Floats:
        """Every orientation of a pose, (B, 4), xyzw."""
        found = [turn for creature in pose.creatures for _, turn in body_frames(creature)]
        return np.concatenate((np.array(found).reshape(-1, 4), pose.props.orientations))

    def normals(self, pose: Pose) -> Floats:
        """Of the ground under every foot, (N, 3)."""
        return np.concatenate(
            [np.empty((0, 3)), *(creature.normals for creature in pose.creatures)]
        )

    def swings(self, pose: Pose) -> Floats:
        """Which feet are in the air, (N,), 0 or 1."""
        found = [creature.is_swinging.astype(float) for creature in pose.creatures]
        return np.concatenate([np.empty(0), *found])


def _hex(colour: tuple[float, ...]) -> str:
    """A colour of parts from 0 to 1 as "#rrggbb"."""
    return "#" + "".join(f"{round(255 * part):02x}" for part in colour)


def body_boxes(plan: CreatureDef) -> list[Floats]:
    """Half of length, width and height of every part of a body, the one with the eyes first [m]."""
    return [0.5 * np.array(segment.size) for segment in plan.trunk]


def body_frames(creature: CreaturePose) -> list[tuple[Floats, Floats]]:
    """Centre (3,) and orientation (4,) of every part of a body, as `body_boxes` counts them."""
    return list(zip(creature.positions, creature.orientations, strict=True))


def _height(rig: RigDef) -> float:
    """Largest distance of a joint of a tree from its root, at the start [m]."""
    assert not isinstance(rig, ChainDef)
    places = [np.zeros(3)]
    for joint, parent in zip(rig.joints, rig.parents[1:], strict=True):
        places.append(places[parent] + np.array(joint.offset))
    return float(np.sqrt((np.array(places) ** 2).sum(axis=1)).max())

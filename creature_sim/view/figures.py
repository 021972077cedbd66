"""Creatures as lists of solids: one row of numbers per body, bone, joint, eye and foot."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.maths import Floats
from creature_sim.poses import Pose

Rows = NDArray[np.float32]
"""(K, 16): three rows of a 3x4 matrix, then colour and taper."""

HIP, TIP = 0.042, 0.016
"""Radius of a leg at its hip and at its tip, as shares of its reach."""
FLATNESS = 0.45
"""Height of a foot's pad over its width."""
WHITE, BLACK = (0.95, 0.95, 0.92), (0.05, 0.05, 0.07)


@dataclass(frozen=True)
class Solids:
    """What to draw of each kind."""

    boxes: Rows
    spheres: Rows
    limbs: Rows


class Figures:
    """All creatures of a world, grouped by plan so that each plan is a few array operations."""

    def __init__(self, world: WorldDef) -> None:
        """Read colours and sizes."""
        names = [placement.creature for placement in world.creatures]
        self._groups = [
            _Group(world.plans[name], [i for i, other in enumerate(names) if other == name])
            for name in dict.fromkeys(names)
        ]

    def solids(self, pose: Pose) -> Solids:
        """What a pose looks like."""
        found = [group.solids(pose) for group in self._groups]
        return Solids(
            np.concatenate([solids.boxes for solids in found]),
            np.concatenate([solids.spheres for solids in found]),
            np.concatenate([solids.limbs for solids in found]),
        )


class _Group:
    """Creatures of one plan."""

    def __init__(self, plan: CreatureDef, members: list[int]) -> None:
        legs = plan.all_legs
        self.members = members
        self.half = 0.5 * np.array(plan.body.size)
        joint_count = 1 + max(len(leg.bones) for leg in legs)
        self.radii = np.zeros((len(legs), joint_count))  # at each joint [m]
        self.is_bone = np.zeros((len(legs), joint_count - 1), dtype=bool)
        for index, leg in enumerate(legs):
            way = np.cumsum([0.0, *leg.bones]) / leg.reach
            count = len(leg.bones)
            self.radii[index, : count + 1] = leg.reach * (HIP + (TIP - HIP) * way)
            self.is_bone[index, :count] = True
        self.is_tip = np.zeros((len(legs), joint_count), dtype=bool)
        self.is_tip[:, 1:] = np.logical_not(self.is_bone) | _is_last(self.is_bone)
        self.pads = np.array([0.045 * leg.reach for leg in legs])
        self.body, self.leg, self.foot = (
            rgb(colour) for colour in (plan.colours.body, plan.colours.legs, plan.colours.feet)
        )
        self.joint = tuple(0.65 * part + 0.35 * 0.75 for part in self.leg)

    def solids(self, pose: Pose) -> Solids:
        creatures = [pose.creatures[member] for member in self.members]
        position = np.array([creature.position for creature in creatures])
        turn = matrices(np.array([creature.orientation for creature in creatures]))
        joints = np.array([creature.joints for creature in creatures])
        normals = np.array([creature.normals for creature in creatures])
        # A leg ends in the middle of its pad, whose underside is where the tip is.
        pads = self.is_tip[..., None] * (FLATNESS * self.pads[:, None] * normals)[:, :, None]
        joints = joints + pads
        return Solids(
            rows(turn * self.half, position, self.body),
            np.concatenate((self._eyes(position, turn), self._feet_and_joints(joints, normals))),
            self._limbs(joints),
        )

    def _eyes(self, position: Floats, turn: Floats) -> Rows:
        """Two white eyes with pupils at the upper front corners: they say where the front is."""
        length, width, height = self.half
        radius = 0.42 * min(width, height * 1.3)
        found = []
        for side in (1.0, -1.0):
            eye = np.array([0.86 * length, side * 0.48 * width, 0.72 * height])
            look = np.array([0.80, side * 0.25, 0.28])
            pupil = eye + 0.55 * radius * look / np.sqrt((look**2).sum())
            for place, size, colour in ((eye, radius, WHITE), (pupil, 0.56 * radius, BLACK)):
                found.append(rows(turn * size, position + turn @ place, colour))
        return np.concatenate(found)

    def _feet_and_joints(self, joints: Floats, normals: Floats) -> Rows:
        inner = joints[:, :, :-1][:, self.is_bone]
        size = 1.2 * self.radii[:, :-1][self.is_bone]
        balls = np.eye(3) * size[:, None, None]
        knees = rows(np.broadcast_to(balls, (len(joints), *balls.shape)), inner, self.joint)
        first, second = perpendicular(normals)
        pad = self.pads[:, None]
        base = np.stack((first * pad, second * pad, normals * pad * FLATNESS), axis=-1)
        feet = rows(base, joints[:, :, -1], self.foot)
        return np.concatenate((knees, feet))

    def _limbs(self, joints: Floats) -> Rows:
        start = joints[:, :, :-1][:, self.is_bone]
        end = joints[:, :, 1:][:, self.is_bone]
        return bars(
            start,
            end,
            np.broadcast_to(self.radii[:, :-1][self.is_bone], start.shape[:-1]),
            np.broadcast_to(self.radii[:, 1:][self.is_bone], start.shape[:-1]),
            self.leg,
        )


def _is_last(is_bone: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which (L, B) are the last bone of their leg."""
    following = np.zeros_like(is_bone)
    following[:, :-1] = is_bone[:, 1:]
    return is_bone & ~following


def rgb(colour: str) -> tuple[float, ...]:
    """Parts from 0 to 1 of "#rrggbb"."""
    return tuple(int(colour[i : i + 2], 16) / 255.0 for i in (1, 3, 5))


def matrices(quaternions: Floats) -> Floats:
    """Rotation matrices (..., 3, 3) of unit quaternions (..., 4), xyzw."""
    x, y, z, w = np.moveaxis(quaternions, -1, 0)
    found = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=-1) for row in found], axis=-2)


def perpendicular(axes: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors (..., 3) across unit vectors (..., 3): a right-handed frame with them."""
    is_steep = np.abs(axes[..., 2:]) > 0.9
    helper = np.where(is_steep, np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]))
    first = np.cross(helper, axes)
    first /= np.sqrt((first**2).sum(axis=-1, keepdims=True))
    return first, np.cross(axes, first)


def rows(bases: Floats, positions: Floats, colour: tuple[float, ...], taper: object = 1.0) -> Rows:
    """Rows for the shader, (K, 16).

    Args:
        bases: (..., 3, 3) columns are the solid's axes [m, world].
        positions: (..., 3) of its origin [m, world].
        colour: parts from 0 to 1.
        taper: (...) radius of a limb at its end over that at its start.
    """
    found = np.empty((*positions.shape[:-1], 16), dtype=np.float32)
    block = found[..., :12].reshape(*positions.shape[:-1], 3, 4)
    block[..., :3] = bases
    block[..., 3] = positions
    found[..., :12] = block.reshape(*positions.shape[:-1], 12)
    found[..., 12:15] = colour
    found[..., 15] = taper
    return found.reshape(-1, 16)


def bars(
    start: Floats, end: Floats, first: Floats, second: Floats, colour: tuple[float, ...]
) -> Rows:
    """Rows of limbs from `start` to `end`, (..., 3), with a radius (...) at each."""
    way = end - start
    length = np.sqrt((way**2).sum(axis=-1, keepdims=True))
    axis = np.where(length > 1e-9, way / np.maximum(length, 1e-9), np.array([1.0, 0.0, 0.0]))
    side, other = perpendicular(axis)
    radius = first[..., None]
    bases = np.stack((way, side * radius, other * radius), axis=-1)
    return rows(bases, start, colour, second / first)

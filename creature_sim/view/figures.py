"""Creatures as lists of solids: one row of numbers per body, bone, joint, eye and foot."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef, WorldDef
from creature_sim.maths import Floats
from creature_sim.poses import Pose
from creature_sim.view.rigs import RigFigure
from creature_sim.view.solids import Rows, Solids, bars, matrices, perpendicular, rgb, rows

HIP, TIP = 0.042, 0.016
"""Radius of a leg at its hip and at its tip, as shares of its reach."""
FLATNESS = 0.45
"""Height of a foot's pad over its width."""
WHITE, BLACK = (0.95, 0.95, 0.92), (0.05, 0.05, 0.07)


class Figures:
    """All creatures of a world, a plan at a time in a few array operations, and all its rigs."""

    def __init__(self, world: WorldDef) -> None:
        """Read colours and sizes."""
        names = [placement.creature for placement in world.creatures]
        self._groups = [
            _Group(world.plans[name], [i for i, other in enumerate(names) if other == name])
            for name in dict.fromkeys(names)
        ]
        self._rigs = [RigFigure(rig) for rig in world.rigs]

    def solids(self, pose: Pose) -> Solids:
        """What a pose looks like."""
        found = [group.solids(pose) for group in self._groups]
        found += [
            figure.solids(chain) for figure, chain in zip(self._rigs, pose.chains, strict=True)
        ]
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
        self.halves = 0.5 * np.array([segment.size for segment in plan.trunk])
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
        positions = np.array([creature.positions for creature in creatures]).reshape(-1, 3)
        turns = matrices(np.array([c.orientations for c in creatures]).reshape(-1, 4))
        count = len(self.halves)
        halves = np.tile(self.halves, (len(creatures), 1))
        joints = np.array([creature.joints for creature in creatures])
        normals = np.array([creature.normals for creature in creatures])
        # A leg ends in the middle of its pad, whose underside is where the tip is.
        pads = self.is_tip[..., None] * (FLATNESS * self.pads[:, None] * normals)[:, :, None]
        joints = joints + pads
        return Solids(
            rows(turns * halves[:, None], positions, self.body),
            np.concatenate(
                (
                    self._eyes(positions[::count], turns[::count]),
                    self._feet_and_joints(joints, normals),
                )
            ),
            self._limbs(joints),
        )

    def _eyes(self, position: Floats, turn: Floats) -> Rows:
        """Two white eyes with pupils at the upper front corners: they say where the front is."""
        length, width, height = self.halves[0]
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

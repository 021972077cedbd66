"""Chains and trees as lists of solids: tapered bones, joints, marks where the targets are."""

import numpy as np

from creature_sim.definitions import ChainDef, RigDef
from creature_sim.definitions.model import ChainModelDef
from creature_sim.figures.ground import Ground
from creature_sim.figures.sizes import rig_size, scale_of
from creature_sim.figures.skins import RigSkin
from creature_sim.figures.solids import NO_ROWS, Rows, Solids, bars, rgb, rows
from creature_sim.maths import Floats
from creature_sim.models.binding import binding_of
from creature_sim.models.rigs import parents_of
from creature_sim.snapshots.poses import ChainPose, Pose

ROOT, TIP = 0.042, 0.016
"""Radius of a chain at its root and tip over its reach, where none is given."""
BULGE = 1.15
"""Radius of a joint over that of the bones there."""
STUBBY = 3.5
"""Bones shorter than this many radii have no joints between them: a tentacle is smooth."""
TOUCH, CONTACT = 0.20, 0.40
"""A joint up to this far above the ground [m] takes up to this fraction of the ground's light."""
MARK = 0.55
"""Radius of a target's mark over that of the thickest bone."""
STAND_COLOUR = (0.42, 0.42, 0.44)
DEPTH = 25.0
"""A stand reaches down this far, into whatever ground there is [m]."""


class RigFigure:
    """One chain or tree.

    Attributes:
        scale: how many times larger than usual it is.
        skin: its model; None: it has none.
    """

    def __init__(self, rig: RigDef, *, has_models: bool = True) -> None:
        """Read colours and sizes.

        Args:
            rig: a chain or a tree.
            has_models: whether a rig that has a model looks like it.
        """
        self._rig = rig
        binding = binding_of(rig) if has_models else None
        self.skin = RigSkin(rig, binding) if binding else None
        self.scale = scale_of(rig_size(rig))
        self._parents = np.array(bone_parents(rig))
        self._radii = joint_radii(rig)
        self._is_smooth = is_smooth(rig)
        self._bones, self._joints, self._target = (
            rgb(colour) for colour in (rig.colours.bones, rig.colours.joints, rig.colours.target)
        )
        self._mark = mark_radius(rig)

    def solids(self, pose: ChainPose) -> Solids:
        """The shapes of a pose."""
        marks = np.broadcast_to(np.eye(3) * self._mark, (len(pose.targets), 3, 3))
        spheres = [rows(marks, pose.targets, self._target)]
        if self.skin:
            return Solids(NO_ROWS, spheres[0], NO_ROWS)
        start, end = pose.joints[self._parents], pose.joints[1:]
        limbs = [bars(start, end, self._radii[self._parents], self._radii[1:], self._bones)]
        if not self._is_smooth:
            balls = np.eye(3) * (BULGE * self._radii)[:, None, None]
            spheres.append(rows(balls, pose.joints, self._joints))
        if self._rig.stand:
            limbs.append(self._stand(pose.joints[:1]))
        return Solids(NO_ROWS, np.concatenate(spheres), np.concatenate(limbs))

    def bones(self, pose: Pose, chain: ChainPose) -> Floats:
        """Matrices (1, B, 3, 4) of the bones of its model, in a pose of the world."""
        assert self.skin is not None
        return self.skin.matrices(chain.joints, carrier_turn(self._rig, pose))

    def contacts(self, pose: ChainPose, ground: Ground) -> Rows:
        """Soft shade under joints near the ground; rows have strength and softness as colour."""
        above = pose.joints[:, 2] - self._radii - ground.heights(pose.joints[:, :2])
        near = np.flatnonzero(above < TOUCH)
        bases = np.eye(3) * (2.2 * self._radii[near])[:, None, None]
        found = rows(bases, pose.joints[near], (0.0, 0.0, 0.0))
        found[:, 12] = CONTACT * np.minimum(1.0, 1.0 - above[near] / TOUCH)
        return found

    def _stand(self, root: Floats) -> Rows:
        radius = np.array([0.7 * self._radii[0]])
        return bars(root, root - np.array([0.0, 0.0, DEPTH]), radius, radius, STAND_COLOUR)


def carrier_turn(rig: RigDef, pose: Pose) -> Floats:
    """Orientation (4,) of the creature that carries a chain or a tree."""
    if rig.creature is None:
        return np.array([0.0, 0.0, 0.0, 1.0])
    return pose.creature(rig.creature).orientation


def bone_parents(rig: RigDef) -> list[int]:
    """The joint at which each bone begins; bone k ends in joint k + 1."""
    return list(parents_of(rig)[1:])


def joint_radii(rig: RigDef) -> Floats:
    """Radius at each joint, the root first [m]; where a tree gives none, its smallest."""
    if isinstance(rig, ChainDef):
        first, last = rig.radius or (ROOT * rig.reach, TIP * rig.reach)
        radii: Floats = first + (last - first) * (np.cumsum([0.0, *rig.bones]) / rig.reach)
        return radii
    given = [rig.radius, *(joint.radius for joint in rig.joints)]
    usual = min((radius for radius in given if radius is not None), default=0.03)
    return np.array([usual if radius is None else radius for radius in given])


def mark_radius(rig: RigDef) -> float:
    """Radius of the marks of a rig's targets [m]; the tail of a creature's model has none: 0."""
    if isinstance(rig.model, ChainModelDef) and rig.model.only:
        return 0.0
    scale = scale_of(rig_size(rig))
    return float(np.clip(MARK * joint_radii(rig).max(), 0.012 * scale, 0.03 * scale))


def is_smooth(rig: RigDef) -> bool:
    """Whether it has no joints between its bones, which are short: a tentacle."""
    lengths = (
        list(rig.bones)
        if isinstance(rig, ChainDef)
        else [float(np.sqrt((np.array(joint.offset) ** 2).sum())) for joint in rig.joints]
    )
    return float(np.mean(lengths)) < STUBBY * float(joint_radii(rig).mean())

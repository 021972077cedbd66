"""Chains and trees as lists of solids: tapered bones, joints, marks where the targets are."""

import numpy as np

from creature_sim.definitions import ChainDef, RigDef
from creature_sim.maths import Floats
from creature_sim.poses import ChainPose
from creature_sim.view.solids import Rows, Solids, bars, rgb, rows

ROOT, TIP = 0.042, 0.016
"""Radius of a chain at its root and tip, as shares of its reach, where none is given."""
BULGE = 1.15
"""Radius of a joint over that of the bones there."""
MARK = 0.55
"""Radius of a target's mark over that of the thickest bone."""
STAND_COLOUR = (0.42, 0.42, 0.44)
DEPTH = 25.0
"""A stand goes down this far, into whatever ground there is [m]."""


class RigFigure:
    """One chain or tree."""

    def __init__(self, rig: RigDef) -> None:
        """Read colours and sizes."""
        self._rig = rig
        if isinstance(rig, ChainDef):
            count = len(rig.bones)
            self._parents = np.arange(count)
            way = np.cumsum([0.0, *rig.bones]) / rig.reach
            first, last = rig.radius or (ROOT * rig.reach, TIP * rig.reach)
            self._radii = first + (last - first) * way
        else:
            self._parents = np.array(rig.parents[1:])
            self._radii = _tree_radii(rig.radius, [joint.radius for joint in rig.joints])
        self._bones, self._joints, self._target = (
            rgb(colour) for colour in (rig.colours.bones, rig.colours.joints, rig.colours.target)
        )
        self._mark = float(np.clip(MARK * self._radii.max(), 0.012, 0.03))

    def solids(self, pose: ChainPose) -> Solids:
        """What a pose looks like."""
        start, end = pose.joints[self._parents], pose.joints[1:]
        limbs = [bars(start, end, self._radii[self._parents], self._radii[1:], self._bones)]
        balls = np.eye(3) * (BULGE * self._radii)[:, None, None]
        marks = np.broadcast_to(np.eye(3) * self._mark, (len(pose.targets), 3, 3))
        spheres = [
            rows(balls, pose.joints, self._joints),
            rows(marks, pose.targets, self._target),
        ]
        boxes = np.empty((0, 16), np.float32)
        if self._rig.stand:
            limbs.append(self._stand(pose.joints[:1]))
        return Solids(boxes, np.concatenate(spheres), np.concatenate(limbs))

    def _stand(self, root: Floats) -> Rows:
        radius = np.array([0.7 * self._radii[0]])
        return bars(root, root - np.array([0.0, 0.0, DEPTH]), radius, radius, STAND_COLOUR)


def _tree_radii(root: float | None, given: list[float | None]) -> Floats:
    """Radius at each joint, the root first; where none is given, a middling one [m]."""
    known = [radius for radius in (root, *given) if radius is not None]
    usual = min(known) if known else 0.03
    return np.array([usual if radius is None else radius for radius in (root, *given)])

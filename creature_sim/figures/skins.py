"""Models of creatures, chains and trees in a pose: matrices of all bones."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef, RigDef
from creature_sim.maths import Floats
from creature_sim.models.binding import Binding
from creature_sim.models.boxes import turn_boxes
from creature_sim.models.posing import pose_bones, rest_bones
from creature_sim.models.rigs import limbs_of
from creature_sim.snapshots.poses import HerdPose


class SkinFigure:
    """The bones of a creature with a model; `binding` is what it looks like."""

    def __init__(self, plan: CreatureDef, binding: Binding) -> None:
        """Measure the bones at rest."""
        legs = plan.all_legs
        self.plan, self.binding = plan, binding
        self._rest = rest_bones(
            binding,
            np.array([leg.segment for leg in legs]),
            np.array([int(leg.foot is not None) for leg in legs]),
        )
        self.bone_count = len(binding.boxes) + int(binding.counts.sum()) + len(binding.swings.names)

    def matrices(self, herd: HerdPose, chosen: NDArray[np.int64]) -> Floats:
        """Of some members of a herd, by their rows, (N, B, 3, 4).

        They take the vertices of the binding to the world [m].
        """
        return self.of_arrays(
            herd.positions[chosen],
            herd.orientations[chosen],
            herd.joints[chosen],
            herd.normals[chosen],
            herd.headings[chosen],
        )

    def swung(self, matrices: Floats) -> Floats:
        """Where the nodes are that swing with legs, (N, K, 3) [m, world], of all matrices."""
        places = self.binding.swings.places
        mine = matrices[:, self.bone_count - len(places) :]
        found: Floats = (mine[..., :3] * places[:, None]).sum(axis=-1) + mine[..., 3]
        return found

    def of_arrays(
        self,
        positions: Floats,
        orientations: Floats,
        joints: Floats,
        normals: Floats,
        headings: Floats,
    ) -> Floats:
        """The same of arrays as a `HerdPose` has them."""
        found = np.empty((len(positions), self.bone_count, 3, 4))
        pose_bones(self._rest, positions, orientations, joints, normals, headings, found)
        return found


class RigSkin:
    """The bones of a chain or a tree with a model; `binding` is what it looks like."""

    def __init__(self, rig: RigDef, binding: Binding) -> None:
        """Measure the bones at rest."""
        self.binding, self.limbs = binding, limbs_of(rig)
        carriers = np.array(self.limbs.carriers, np.int64)
        self._rest = rest_bones(binding, carriers, np.zeros(len(carriers), np.int64))
        self._boxes = np.array(self.limbs.boxes)
        self._above = np.array(self.limbs.above)
        self._none = np.zeros((1, len(carriers), 3))
        self.joints = self._joints_at_rest()

    def _joints_at_rest(self) -> Floats:
        """All joints at rest, (J, 3) [m]."""
        found = np.empty((len(self.limbs.joint_bones), 3))
        found[self._boxes] = self.binding.boxes
        for row, places in zip(self.limbs.rows, self.binding.joints, strict=True):
            found[list(row)] = places[: len(row)]
        return found

    def matrices(self, joints: Floats, carrier: Floats) -> Floats:
        """Of the bones, (1, B, 3, 4); those of the boxes are the first.

        Args:
            joints: (J, 3) [m, world].
            carrier: (4,) turn of what carries the root.
        """
        limbs = self.limbs
        turns = np.empty((len(self._boxes), 4))
        turn_boxes(self.joints, joints, self._boxes, self._above, limbs.arms, carrier, turns)
        found = np.empty((1, len(limbs.bone_joints), 3, 4))
        pose_bones(
            self._rest,
            joints[None, self._boxes],
            turns[None],
            limbs.spread(joints)[None],
            self._none,
            self._none,
            found,
        )
        return found

"""Models of creatures and chains in a pose: matrices of all bones."""

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef
from creature_sim.maths import Floats
from creature_sim.models.binding import Binding
from creature_sim.models.posing import pose_bones, rest_bones
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


class ChainSkin:
    """The bones of a chain with a model; `binding` is what it looks like."""

    def __init__(self, binding: Binding) -> None:
        """Measure the bones at rest."""
        self.binding = binding
        none = np.zeros(1, np.int64)
        self._rest = rest_bones(binding, none, none)

    def matrices(self, joints: Floats, turn: Floats) -> Floats:
        """Of the bones, (1, B, 3, 4); the first is that of the base.

        Args:
            joints: (J, 3) [m, world].
            turn: (4,) of what carries the chain.
        """
        count = 1 + int(self._rest.counts[0])
        found = np.empty((1, count, 3, 4))
        none = np.zeros((1, 1, 3))
        boxes = joints[None, :1]
        pose_bones(self._rest, boxes, turn[None, None], joints[None, None], none, none, found)
        return found

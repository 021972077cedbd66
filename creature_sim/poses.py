"""What drawing needs of a state: from a snapshot while it runs, from a replay afterwards."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats
from creature_sim.snapshot import Snapshot


@dataclass(frozen=True)
class CreaturePose:
    """One creature, for the eye.

    Attributes:
        position: (3,) centre of the body [m, world].
        orientation: (4,) of the body, xyzw.
        joints: (L, J, 3) hip to tip; short legs repeat their tip [m, world].
        normals: (L, 3) of the ground under each foot [world].
        goals: (L, 3) where each foot stands or is going [m, world].
        footholds: (L, 3) where each foot would step now [m, world].
        is_swinging: (L,) whether each foot is in the air.
    """

    position: Floats
    orientation: Floats
    joints: Floats
    normals: Floats
    goals: Floats
    footholds: Floats
    is_swinging: NDArray[np.bool_]


@dataclass(frozen=True)
class ChainPose:
    """One chain or tree, for the eye.

    Attributes:
        joints: (J, 3) the root first [m, world].
        targets: (E, 3) where the pulled joints shall be [m, world].
    """

    joints: Floats
    targets: Floats


@dataclass(frozen=True)
class Pose:
    """All creatures and chains at a moment, in the world's order.

    Attributes:
        tick: may lie between two ticks.
        creatures: all of them.
        chains: all chains, the trees after them.
    """

    tick: float
    creatures: tuple[CreaturePose, ...]
    chains: tuple[ChainPose, ...] = ()


def pose_of(snapshot: Snapshot) -> Pose:
    """What drawing needs of a snapshot."""
    return Pose(
        snapshot.tick,
        tuple(
            CreaturePose(
                creature.position,
                creature.orientation,
                creature.joints,
                creature.feet["sole"],
                creature.feet["goal"],
                creature.feet["foothold"],
                creature.feet["is_swinging"] == 1,
            )
            for creature in snapshot.creatures
        ),
        tuple(ChainPose(chain.joints, chain.targets) for chain in snapshot.chains),
    )


def blend(a: Pose, b: Pose, share: float) -> Pose:
    """The pose at `share` of the way from a to b: positions and orientations interpolated."""
    return Pose(
        a.tick + (b.tick - a.tick) * share,
        tuple(_blend(x, y, share) for x, y in zip(a.creatures, b.creatures, strict=True)),
        tuple(
            ChainPose(
                x.joints + (y.joints - x.joints) * share,
                x.targets + (y.targets - x.targets) * share,
            )
            for x, y in zip(a.chains, b.chains, strict=True)
        ),
    )


def _blend(a: CreaturePose, b: CreaturePose, share: float) -> CreaturePose:
    turned = b.orientation if float(a.orientation @ b.orientation) >= 0.0 else -b.orientation
    orientation = a.orientation + (turned - a.orientation) * share
    later = b if share >= 0.5 else a
    return CreaturePose(
        a.position + (b.position - a.position) * share,
        orientation / np.sqrt(orientation @ orientation),
        a.joints + (b.joints - a.joints) * share,
        later.normals,
        later.goals,
        later.footholds,
        later.is_swinging,
    )

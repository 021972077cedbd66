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
        positions: (S, 3) centres of the trunk's segments, the head first [m, world].
        orientations: (S, 4) of the segments, xyzw.
        joints: (L, J, 3) hip to tip; short legs repeat their tip [m, world].
        normals: (L, 3) of the ground under each foot [world].
        goals: (L, 3) where each foot stands or is going [m, world].
        footholds: (L, 3) where each foot would step now [m, world].
        is_swinging: (L,) whether each foot is in the air.
    """

    positions: Floats
    orientations: Floats
    joints: Floats
    normals: Floats
    goals: Floats
    footholds: Floats
    is_swinging: NDArray[np.bool_]

    @property
    def position(self) -> Floats:
        """Centre of the body, (3,) [m, world]."""
        position: Floats = self.positions[0]
        return position

    @property
    def orientation(self) -> Floats:
        """Orientation of the body, (4,) xyzw."""
        orientation: Floats = self.orientations[0]
        return orientation


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
class PropsPose:
    """All props of a world, for the eye.

    Attributes:
        positions: (P, 3) of their middles [m, world].
        orientations: (P, 4) xyzw.
    """

    positions: Floats
    orientations: Floats


NO_PROPS = PropsPose(np.empty((0, 3)), np.empty((0, 4)))


@dataclass(frozen=True)
class Pose:
    """All creatures, chains and props at a moment, in the world's order.

    Attributes:
        tick: may lie between two ticks.
        creatures: all of them.
        chains: all chains, the trees after them.
        props: all props.
    """

    tick: float
    creatures: tuple[CreaturePose, ...]
    chains: tuple[ChainPose, ...] = ()
    props: PropsPose = NO_PROPS


@dataclass(frozen=True)
class Step:
    """A foot that lifted.

    Attributes:
        tick: after which it was in the air.
        creature: its place in the world's list.
        leg: its place among the creature's.
        reason: one of `components.REASONS`.
        score: of the foothold it left for, 0 to 1.
    """

    tick: int
    creature: int
    leg: int
    reason: str
    score: float


def pose_of(snapshot: Snapshot) -> Pose:
    """What drawing needs of a snapshot."""
    return Pose(
        snapshot.tick,
        tuple(
            CreaturePose(
                creature.segments["position"],
                creature.segments["orientation"],
                creature.joints,
                creature.feet["sole"],
                creature.feet["goal"],
                creature.feet["foothold"],
                creature.feet["is_swinging"] == 1,
            )
            for creature in snapshot.creatures
        ),
        tuple(ChainPose(chain.joints, chain.targets) for chain in snapshot.chains),
        _props_of(snapshot),
    )


def _props_of(snapshot: Snapshot) -> PropsPose:
    if snapshot.props is None:
        return NO_PROPS
    records = snapshot.props.records
    return PropsPose(records["position"], records["orientation"])


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
        PropsPose(
            a.props.positions + (b.props.positions - a.props.positions) * share,
            _turned(a.props.orientations, b.props.orientations, share),
        ),
    )


def _turned(a: Floats, b: Floats, share: float) -> Floats:
    """Orientations (K, 4) at `share` of the way from a to b."""
    cosines = (a * b).sum(axis=1, keepdims=True)
    orientations = a + (np.where(cosines >= 0.0, b, -b) - a) * share
    found: Floats = orientations / np.sqrt((orientations * orientations).sum(axis=1, keepdims=True))
    return found


def _blend(a: CreaturePose, b: CreaturePose, share: float) -> CreaturePose:
    later = b if share >= 0.5 else a
    return CreaturePose(
        a.positions + (b.positions - a.positions) * share,
        _turned(a.orientations, b.orientations, share),
        a.joints + (b.joints - a.joints) * share,
        later.normals,
        later.goals,
        later.footholds,
        later.is_swinging,
    )

"""What drawing needs of a state: from a snapshot while it runs, from a replay afterwards."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from creature_sim.components import STANDING
from creature_sim.maths import Floats
from creature_sim.maths.geometry import blend_rotations, rotation_matrices
from creature_sim.snapshots.snapshot import HerdState, PropsState, Snapshot


@dataclass(frozen=True)
class HerdPose:
    """Creatures of one plan, for the eye.

    Attributes:
        members: (N,) number of each creature.
        positions: (N, S, 3) centres of the trunk's segments from front to back, and of the head if
            there is one, as `CreatureDef.boxes` counts them [m, world].
        orientations: (N, S, 4) of them, xyzw.
        joints: (N, L, J, 3) hip to tip; short legs repeat their tip [m, world].
        normals: (N, L, 3) of each foot, of the ground under it if it stands [world].
        headings: (N, L, 3) where the toes of each foot point, along the ground [world].
        goals: (N, L, 3) where each foot stands or is going [m, world].
        footholds: (N, L, 3) where each foot would step now [m, world].
        is_swinging: (N, L) whether each foot is in the air.
        is_there: (N,) whether the creature is: before it comes, and after it has gone, a replay
            shows it far below where it starts.
    """

    members: NDArray[np.int64]
    positions: Floats
    orientations: Floats
    joints: Floats
    normals: Floats
    headings: Floats
    goals: Floats
    footholds: Floats
    is_swinging: NDArray[np.bool_]
    is_there: NDArray[np.bool_]


@dataclass(frozen=True)
class CreaturePose:
    """One creature of a herd: `HerdPose` describes its arrays, which lack their first axis here."""

    herd: HerdPose
    row: int

    @property
    def positions(self) -> Floats:
        """Centres of the segments, (S, 3) [m, world]."""
        positions: Floats = self.herd.positions[self.row]
        return positions

    @property
    def orientations(self) -> Floats:
        """Orientations of the segments, (S, 4) xyzw."""
        orientations: Floats = self.herd.orientations[self.row]
        return orientations

    @property
    def joints(self) -> Floats:
        """Joints of the legs, (L, J, 3) [m, world]."""
        joints: Floats = self.herd.joints[self.row]
        return joints

    @property
    def normals(self) -> Floats:
        """Of the ground under each foot, (L, 3) [world]."""
        normals: Floats = self.herd.normals[self.row]
        return normals

    @property
    def headings(self) -> Floats:
        """Where the toes of each foot point, (L, 3) [world]."""
        headings: Floats = self.herd.headings[self.row]
        return headings

    @property
    def goals(self) -> Floats:
        """Where each foot stands or is going, (L, 3) [m, world]."""
        goals: Floats = self.herd.goals[self.row]
        return goals

    @property
    def footholds(self) -> Floats:
        """Where each foot would step now, (L, 3) [m, world]."""
        footholds: Floats = self.herd.footholds[self.row]
        return footholds

    @property
    def is_swinging(self) -> NDArray[np.bool_]:
        """Whether each foot is in the air, (L,)."""
        swinging: NDArray[np.bool_] = self.herd.is_swinging[self.row]
        return swinging

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
    """All creatures, chains and props at a moment.

    Attributes:
        tick: may lie between two ticks.
        herds: in the order of `WorldDef.herds`.
        chains: all chains in the world's order, the trees after them.
        props: all props.
        creature_count: numbers given to creatures, those of removed ones too.
    """

    tick: float
    herds: tuple[HerdPose, ...]
    chains: tuple[ChainPose, ...] = ()
    props: PropsPose = NO_PROPS
    creature_count: int = 0

    @cached_property
    def positions(self) -> Floats:
        """Centres of bodies by number, (N, 3) [m, world]; NaN where a creature is gone."""
        found = np.full((self.creature_count, 3), np.nan)
        for herd in self.herds:
            there = herd.is_there
            found[herd.members[there]] = herd.positions[there, 0]
        return found

    def creature(self, index: int) -> CreaturePose:
        """The creature of a number, in a replay one that is gone, too; IndexError where none is."""
        for herd in self.herds:
            rows = np.flatnonzero(herd.members == index)
            if len(rows):
                return CreaturePose(herd, int(rows[0]))
        raise IndexError(f"expected the number of a creature that is there, found {index}")

    @cached_property
    def creatures(self) -> tuple[CreaturePose, ...]:
        """All creatures of its herds, by number: in a replay those that are gone, too."""
        found = {
            member: CreaturePose(herd, row)
            for herd in self.herds
            for row, member in enumerate(herd.members.tolist())
        }
        return tuple(found[member] for member in sorted(found))


@dataclass(frozen=True)
class Step:
    """A foot that lifted.

    Attributes:
        tick: after which it was in the air.
        creature: its number.
        leg: its index among the creature's.
        reason: one of `components.REASONS`.
        score: of the foothold it left for, 0 to 1.
    """

    tick: int
    creature: int
    leg: int
    reason: str
    score: float


@dataclass(frozen=True)
class Fall:
    """A creature that forces move, and that fell.

    Attributes:
        tick: in which it did.
        creature: its number.
        reason: how, one of `components.FALLS_OF_TWINS`.
    """

    tick: int
    creature: int
    reason: str


@dataclass(frozen=True)
class Refusal:
    """A motion that a creature was asked for and does not do.

    Attributes:
        tick: in which that was judged.
        creature: its number.
        motion: what was asked, as its event is called.
        reason: why not, one of `components.REFUSALS`; of a run one of `motions.refusals`.
    """

    tick: int
    creature: int
    motion: str
    reason: str


Happening: TypeAlias = Step | Refusal | Fall
"""What the events of a replay tell."""


def pose_of(snapshot: Snapshot) -> Pose:
    """What drawing needs of a snapshot."""
    return Pose(
        snapshot.tick,
        tuple(_herd_pose(herd) for herd in snapshot.herds),
        tuple(ChainPose(chain.joints, chain.targets) for chain in snapshot.chains),
        props_of(snapshot.props),
        snapshot.creature_count,
    )


def props_of(props: PropsState | None) -> PropsPose:
    """Where the props are."""
    if props is None:
        return NO_PROPS
    records = props.records
    return PropsPose(records["position"], records["orientation"])


def _herd_pose(herd: HerdState) -> HerdPose:
    feet = herd.parts["foot_target"]["records"]
    positions, orientations = _boxes(herd)
    turns = rotation_matrices(herd.parts["leg_chain"]["foot_rotation"])
    return HerdPose(
        herd.members,
        positions,
        orientations,
        herd.parts["leg_chain"]["joints"],
        turns[..., 2],
        turns[..., 0],
        feet["goal"],
        herd.parts["foothold"]["records"]["position"],
        feet["phase"] != STANDING,
        np.ones(len(feet), np.bool_),
    )


def _boxes(herd: HerdState) -> tuple[Floats, Floats]:
    """Positions and orientations of a herd's boxes, as `HerdPose` has them."""
    trunk = herd.parts["body"]["records"]
    positions, orientations = trunk["position"], trunk["orientation"]
    plan = herd.definition.head
    if plan is None:
        return positions, orientations
    heads = herd.parts["head"]["records"]
    half_yaw, half_pitch = 0.5 * heads["yaw"], 0.5 * heads["pitch"]
    a, b = np.sin(half_yaw), np.cos(half_yaw)
    c, d = np.sin(half_pitch), np.cos(half_pitch)
    turned = np.stack((-a * c, b * c, a * d, b * d), axis=-1)  # about Z, then about its Y
    x, y, z, w = np.moveaxis(orientations[:, 0], -1, 0)
    i, j, k, r = np.moveaxis(turned, -1, 0)
    world = np.stack(
        (
            w * i + x * r + y * k - z * j,
            w * j - x * k + y * r + z * i,
            w * k + x * j - y * i + z * r,
            w * r - x * i - y * j - z * k,
        ),
        axis=-1,
    )
    turns = rotation_matrices(orientations[:, 0])
    neck = sum(turns[..., axis] * plan.mount[axis] for axis in range(3))
    middle = rotation_matrices(world)[..., 0] * (0.5 * plan.size[0])
    centres = positions[:, 0] + neck + middle
    return (
        np.concatenate((positions, centres[:, None]), axis=1),
        np.concatenate((orientations, world[:, None]), axis=1),
    )


def blend(a: Pose, b: Pose, fraction: float) -> Pose:
    """The pose at a fraction from a to b: positions and orientations interpolated.

    Where creatures came or went between them, it is the nearer of the two.
    """
    if _who(a) != _who(b):
        return b if fraction >= 0.5 else a
    return Pose(
        a.tick + (b.tick - a.tick) * fraction,
        tuple(_blend(x, y, fraction) for x, y in zip(a.herds, b.herds, strict=True)),
        tuple(
            ChainPose(
                x.joints + (y.joints - x.joints) * fraction,
                x.targets + (y.targets - x.targets) * fraction,
            )
            for x, y in zip(a.chains, b.chains, strict=True)
        ),
        PropsPose(
            a.props.positions + (b.props.positions - a.props.positions) * fraction,
            blend_rotations(a.props.orientations, b.props.orientations, fraction),
        ),
        a.creature_count,
    )


def _who(pose: Pose) -> list[list[int]]:
    """Numbers of the creatures of every herd that are there."""
    return [herd.members[herd.is_there].tolist() for herd in pose.herds]


def _blend(a: HerdPose, b: HerdPose, fraction: float) -> HerdPose:
    return replace(
        b if fraction >= 0.5 else a,
        positions=a.positions + (b.positions - a.positions) * fraction,
        orientations=blend_rotations(a.orientations, b.orientations, fraction),
        joints=a.joints + (b.joints - a.joints) * fraction,
    )

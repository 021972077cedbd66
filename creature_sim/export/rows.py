"""The rows of a table of joints: one for each joint, body segment, target and prop, at each tick.

Columns, in this order; lengths are in metres, in the frame of the world:

    time    [s] since the start
    tick    ticks since the start
    kind    creature, chain (or tree) or prop
    number  of the creature, of the chain or of the prop, from 0
    name    of the creature or chain; shape of the prop
    part    of a creature: body, segment_1, ... or a leg, as L1; of a chain: bones or targets; body
    joint   index of the joint in its leg or chain, 0 is its root; of the target; else 0
    joint_name  hip, joint_1, ..., tip; as a tree names it; target; centre of a segment or prop
    x, y, z     its position
    qx, qy, qz, qw  orientation of a segment or prop, a unit quaternion; empty for joints
    bend    angle of the bone behind a joint against the one before it; empty if there are not two
    source  simulated (exact) or pose (as recorded for display, rounded to 0.1 mm)
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import WorldDef
from creature_sim.export import names
from creature_sim.export.frames import has_joint
from creature_sim.figures.rigs import bone_parents
from creature_sim.maths import Floats
from creature_sim.maths.geometry import angles_between
from creature_sim.snapshots.poses import Pose

COLUMNS = {
    "time": "s",
    "tick": "",
    "kind": "",
    "number": "",
    "name": "",
    "part": "",
    "joint": "",
    "joint_name": "",
    "x": "m",
    "y": "m",
    "z": "m",
    "qx": "",
    "qy": "",
    "qz": "",
    "qw": "",
    "bend": "rad",
    "source": "",
}
"""Unit of each column."""


class Label(NamedTuple):
    """What a row is about."""

    kind: str
    number: int
    name: str
    part: str
    joint: int
    joint_name: str


class Rows:
    """The rows of every tick, as long as no creature comes or goes.

    Attributes:
        labels: of the rows of a tick, (R,): creatures by number, chains, props.
    """

    def __init__(self, world: WorldDef, pose: Pose) -> None:
        """Label the rows of a pose."""
        self._parents = [bone_parents(rig) for rig in world.rigs]
        self._is_joint = [has_joint(world, herd) for herd in pose.herds]
        labels = [
            label
            for herd in pose.herds
            for number in herd.members[herd.is_there].tolist()
            for label in _creature_labels(world, number)
        ]
        numbers = np.array([label.number for label in labels], np.int64)
        order = np.argsort(numbers, kind="stable")
        rest = [*_rig_labels(world), *_prop_labels(world)]
        self.labels = [labels[row] for row in order] + rest
        self._order = np.concatenate((order, len(labels) + np.arange(len(rest))))

    def of(self, pose: Pose) -> Floats:
        """Position, orientation and bend of every row, (R, 8); NaN for what it has not."""
        return np.concatenate(list(self._blocks(pose)))[self._order]

    def _blocks(self, pose: Pose) -> Iterator[Floats]:
        for herd, is_joint in zip(pose.herds, self._is_joint, strict=True):
            there = herd.is_there
            bodies = np.concatenate((herd.positions[there], herd.orientations[there]), axis=-1)
            joints = herd.joints[there]
            bends = _leg_bends(joints, is_joint)[:, is_joint]
            rows = (_unbent(bodies), _unturned(joints[:, is_joint], bends))
            yield np.concatenate(rows, axis=1).reshape(-1, 8)
        for chain, parents in zip(pose.chains, self._parents, strict=True):
            bends = _chain_bends(chain.joints, parents)
            yield _unturned(chain.joints, bends)
            yield _unturned(chain.targets, np.full(len(chain.targets), np.nan))
        yield _unbent(np.hstack((pose.props.positions, pose.props.orientations)))


def is_same_company(a: Pose, b: Pose) -> bool:
    """Whether the same creatures are there in two poses, in the same order."""
    return [herd.members[herd.is_there].tolist() for herd in a.herds] == [
        herd.members[herd.is_there].tolist() for herd in b.herds
    ]


def _unturned(points: Floats, bends: Floats) -> Floats:
    """Points (..., 3) without orientation, and bends (...), (..., 8)."""
    turns = np.full((*points.shape[:-1], 4), np.nan)
    return np.concatenate((points, turns, bends[..., None]), axis=-1)


def _unbent(frames: Floats) -> Floats:
    """Positions and orientations (..., 7) without bend, (..., 8)."""
    return np.concatenate((frames, np.full((*frames.shape[:-1], 1), np.nan)), axis=-1)


def _leg_bends(joints: Floats, is_joint: NDArray[np.bool_]) -> Floats:
    """Bends (N, L, J) at joints (N, L, J, 3) of legs that have so many (L, J); NaN at the ends."""
    found = np.full(joints.shape[:-1], np.nan)
    bones = np.diff(joints, axis=2)
    bends = angles_between(bones[:, :, :-1], bones[:, :, 1:])
    found[:, :, 1:-1] = np.where(is_joint[:, 2:], bends, np.nan)
    return found


def _chain_bends(joints: Floats, parents: Sequence[int]) -> Floats:
    """Bends (J,) at joints (J, 3) with one bone behind them; NaN at ends and where it branches."""
    found = np.full(len(joints), np.nan)
    for joint in range(1, len(joints)):
        children = [child for child, parent in enumerate(parents, 1) if parent == joint]
        if len(children) == 1:
            before = joints[joint] - joints[parents[joint - 1]]
            found[joint] = angles_between(before, joints[children[0]] - joints[joint])
    return found


def _creature_labels(world: WorldDef, number: int) -> Iterator[Label]:
    plan = world.species_of(world.creatures[number])
    for segment in names.segment_names(plan):
        yield Label("creature", number, plan.name, segment, 0, "centre")
    for part, leg in zip(names.leg_names(plan), plan.all_legs, strict=True):
        for index, joint in enumerate(names.leg_joint_names(leg)):
            yield Label("creature", number, plan.name, part, index, joint)


def _rig_labels(world: WorldDef) -> Iterator[Label]:
    for number, rig in enumerate(world.rigs):
        for index, joint in enumerate(names.rig_joint_names(rig)):
            yield Label("chain", number, rig.name, "bones", index, joint)
        for index in range(names.target_count(rig)):
            yield Label("chain", number, rig.name, "targets", index, "target")


def _prop_labels(world: WorldDef) -> Iterator[Label]:
    for number, prop in enumerate(world.props):
        yield Label("prop", number, prop.shape, "body", 0, "centre")

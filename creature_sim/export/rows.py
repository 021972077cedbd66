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
    source  simulated (exact) or pose (as recorded for display, rounded to 0.01 mm)
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import WorldDef
from creature_sim.export import names
from creature_sim.maths import Floats
from creature_sim.snapshots.poses import HerdPose, Pose

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
        self._has_joint = [_has_joint(world, herd) for herd in pose.herds]
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
        """Position and orientation of every row, (R, 7); NaN for what has no orientation."""
        return np.concatenate(list(self._blocks(pose)))[self._order]

    def _blocks(self, pose: Pose) -> Iterator[Floats]:
        for herd, has_joint in zip(pose.herds, self._has_joint, strict=True):
            there = herd.is_there
            bodies = np.concatenate((herd.positions[there], herd.orientations[there]), axis=-1)
            joints = _unturned(herd.joints[there][:, has_joint])
            yield np.concatenate((bodies, joints), axis=1).reshape(-1, 7)
        for chain in pose.chains:
            yield _unturned(np.concatenate((chain.joints, chain.targets)))
        yield np.hstack((pose.props.positions, pose.props.orientations))


def is_same_company(a: Pose, b: Pose) -> bool:
    """Whether the same creatures are there in two poses, in the same order."""
    return [herd.members[herd.is_there].tolist() for herd in a.herds] == [
        herd.members[herd.is_there].tolist() for herd in b.herds
    ]


def _unturned(points: Floats) -> Floats:
    """Points (..., 3) without orientation, (..., 7)."""
    return np.concatenate((points, np.full((*points.shape[:-1], 4), np.nan)), axis=-1)


def _has_joint(world: WorldDef, herd: HerdPose) -> NDArray[np.bool_]:
    """Which (L, J) of a herd's legs have a joint."""
    longest = herd.joints.shape[2]
    if not len(herd.members):
        return np.zeros((herd.joints.shape[1], longest), np.bool_)
    plan = world.species_of(world.creatures[int(herd.members[0])])
    counts = np.array([len(leg.bones) + 1 for leg in plan.all_legs])
    found: NDArray[np.bool_] = np.arange(longest) < counts[:, None]
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

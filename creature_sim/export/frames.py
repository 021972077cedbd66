"""Coordinate frames of everything that moves: segments, bones, feet, targets and props.

All are relative to the world. The frame of a segment or prop is its own: its middle, X ahead. The
frame of a bone lies in the joint where it begins, with X along the bone; how it is turned about
the bone says nothing. The frame of a foot lies in its tip, with X to its toes
and Z along the normal of the ground.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import WorldDef
from creature_sim.export import names
from creature_sim.figures.rigs import bone_parents
from creature_sim.figures.soles import turns_of
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths
from creature_sim.snapshots.poses import ChainPose, HerdPose, Pose

X, Z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])


class Frames:
    """The frames of those who are there at a moment; as long as nobody comes or goes.

    Attributes:
        names: of all frames, (F).
    """

    def __init__(self, world: WorldDef, pose: Pose) -> None:
        """Name the frames of a pose."""
        self._is_bone = [has_joint(world, herd)[:, 1:] for herd in pose.herds]
        self._parents = [bone_parents(rig) for rig in world.rigs]
        self.names = [
            *(
                name
                for herd in pose.herds
                for number in herd.members[herd.is_there].tolist()
                for name in creature_frames(world, number)
            ),
            *(name for index in range(len(world.rigs)) for name in rig_frames(world, index)),
            *(names.prop_path(world, index) for index in range(len(world.props))),
        ]

    def at(self, pose: Pose) -> Floats:
        """Position [m, world] and orientation xyzw of every frame, (F, 7)."""
        return np.concatenate(list(self._blocks(pose)))

    def _blocks(self, pose: Pose) -> Iterator[Floats]:
        for herd, is_bone in zip(pose.herds, self._is_bone, strict=True):
            yield _of_herd(herd, is_bone)
        for chain, parents in zip(pose.chains, self._parents, strict=True):
            yield _of_chain(chain, parents)
        yield np.hstack((pose.props.positions, pose.props.orientations))


def creature_frames(world: WorldDef, number: int) -> list[str]:
    """Names of a creature's frames: its segments, the bones of each leg, the feet."""
    plan, path = world.species_of(world.creatures[number]), names.creature_path(world, number)
    legs = list(zip(names.leg_names(plan), plan.all_legs, strict=True))
    return [
        *(f"{path}/{name}" for name in names.segment_names(plan)),
        *(f"{path}/{name}/bone_{k}" for name, leg in legs for k in range(1, len(leg.bones) + 1)),
        *(f"{path}/{name}/foot" for name, _ in legs),
    ]


def rig_frames(world: WorldDef, index: int) -> list[str]:
    """Names of a chain's frames: its root, its bones, its targets."""
    rig, path = world.rigs[index], names.rig_path(world, index)
    return [
        f"{path}/root",
        *(f"{path}/bone_{k}" for k in range(1, len(bone_parents(rig)) + 1)),
        *(f"{path}/target_{k}" for k in range(1, names.target_count(rig) + 1)),
    ]


def has_joint(world: WorldDef, herd: HerdPose) -> NDArray[np.bool_]:
    """Which (L, J) of a herd's legs have a joint; behind each but the first there is a bone."""
    longest = herd.joints.shape[2]
    if not len(herd.members):
        return np.zeros((herd.joints.shape[1], longest), np.bool_)
    plan = world.species_of(world.creatures[int(herd.members[0])])
    counts = np.array([len(leg.bones) + 1 for leg in plan.all_legs])
    found: NDArray[np.bool_] = np.arange(longest) < counts[:, None]
    return found


def _of_herd(herd: HerdPose, is_bone: NDArray[np.bool_]) -> Floats:
    there = herd.is_there
    joints = herd.joints[there]
    starts, ends = joints[:, :, :-1][:, is_bone], joints[:, :, 1:][:, is_bone]
    frames = (
        np.concatenate((herd.positions[there], herd.orientations[there]), axis=-1),
        np.concatenate((starts, turns_onto(X, ends - starts)), axis=-1),
        np.concatenate(
            (joints[:, :, -1], turns_of(herd.headings[there], herd.normals[there])), axis=-1
        ),
    )
    return np.concatenate(frames, axis=1).reshape(-1, 7)


def _of_chain(chain: ChainPose, parents: list[int]) -> Floats:
    joints, targets = chain.joints, chain.targets
    bones = joints[1:] - joints[parents]
    none = np.array([0.0, 0.0, 0.0, 1.0])
    return np.concatenate(
        (
            np.concatenate((joints[0], none))[None],
            np.hstack((joints[parents], turns_onto(X, bones))),
            np.hstack((targets, np.broadcast_to(none, (len(targets), 4)))),
        )
    )


def turns_onto(axis: Floats, directions: Floats) -> Floats:
    """The shortest turns (..., 4) xyzw that take a unit axis (3,) to directions (..., 3).

    Half a turn about any axis across it where a direction is its opposite; none where it is zero.
    """
    unit = directions / np.maximum(lengths(directions), 1e-12)[..., None]
    turns = np.concatenate((np.cross(axis, unit), 1.0 + (unit @ axis)[..., None]), axis=-1)
    turns[turns[..., 3] < 1e-9] = (*np.roll(axis, 1), 0.0)
    found: Floats = turns / lengths(turns)[..., None]
    return found

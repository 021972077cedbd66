"""What hangs on a trunk, on both sides of it, and what of that it could stand on."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from creature_sim.anatomy.names import mirrored, parts_of
from creature_sim.anatomy.skeleton import Skeleton
from creature_sim.maths import Floats

MIDDLE = 0.02
"""Bones that begin nearer to the middle plane are of the trunk, over the skeleton's extent."""
ALIKE = 0.12
"""Ends of limbs that are nearer to each other's mirror images are a pair, over the extent."""
LOW = 0.12
"""A limb stands if its end is this near to the ground, over its length."""
LOW_NAMED = 0.3
"""The same, of one whose name speaks of a leg."""
DROP = 0.12
"""Its root is this far above its end, over its length."""
BEYOND = 0.25
"""The skin of a last bone reaches this far from its root, over the bone before."""
FARTHEST = 0.9
"""A bone ends at the mean of its skin that is farther along it than this, over the farthest."""


@dataclass(frozen=True)
class Limb:
    """A limb.

    Attributes:
        bones: from its root to the last.
        all: bones of it and of all that hangs on it.
        end: where the last bone ends [m].
        tip: the bone that begins there, if there is one.
        length: along its bones [m].
        is_leg: whether it could stand.
    """

    bones: tuple[int, ...]
    all: tuple[int, ...]
    end: Floats
    tip: int | None
    length: float
    is_leg: bool = False

    @property
    def root(self) -> int:
        """Its first bone."""
        return self.bones[0]


Pair = tuple[Limb, Limb]
"""A left and a right limb."""


def limbs_of(skeleton: Skeleton) -> tuple[list[Limb], float]:
    """Limbs beside the trunk, and the height of the ground below them [m]."""
    aside = np.abs(skeleton.heads[:, 1] - skeleton.middle) > MIDDLE * skeleton.extent
    roots = [
        index
        for index, parent in enumerate(skeleton.parents)
        if aside[index] and (parent < 0 or not aside[parent])
    ]
    found = [_limb(skeleton, root) for root in roots]
    ground = min((_lowest(skeleton, limb) for limb in found), default=0.0)
    return [_judged(skeleton, limb, ground) for limb in found], ground


def _lowest(skeleton: Skeleton, limb: Limb) -> float:
    """The height of the lowest point of a limb [m]."""
    skins = [skeleton.skins[bone] for bone in limb.all]
    points = np.concatenate([limb.end[None], skeleton.heads[list(limb.all)], *skins])
    return float(points[:, 2].min())


def _limb(skeleton: Skeleton, root: int) -> Limb:
    """The limb that begins with a bone: the path to the lowest of its ends, or to the farthest."""
    below = tuple(skeleton.below(root))
    ways = [_way(skeleton, root, bone, below) for bone in below if not skeleton.children(bone)]
    lowest = min(way.end[2] for way in ways)
    near = [way for way in ways if way.end[2] - lowest < LOW * max(way.length, 1e-9)]
    return max(near, key=lambda way: way.length)


def _way(skeleton: Skeleton, root: int, leaf: int, below: tuple[int, ...]) -> Limb:
    """The bones to one end of a limb."""
    path = skeleton.path(leaf, root)
    heads = skeleton.heads[path]
    before = float(np.linalg.norm(heads[-1] - heads[-2])) if len(path) > 1 else 0.0
    end, tip = end_of(skeleton, leaf), None
    is_bone = len(skeleton.skins[leaf]) and parts_of(skeleton.names[leaf]) & {"leg", "arm"}
    if len(path) > 1 and not is_bone and np.linalg.norm(end - heads[-1]) < BEYOND * before:
        end, tip, path, heads = heads[-1], leaf, path[:-1], heads[:-1]
    joints = np.concatenate([heads, end[None]])
    length = float(np.linalg.norm(joints[1:] - joints[:-1], axis=1).sum())
    return Limb(tuple(path), below, end, tip, length)


def end_of(skeleton: Skeleton, bone: int) -> Floats:
    """Where a bone ends that none hangs on: the far end of its skin; where it begins if none."""
    head: Floats = skeleton.heads[bone]
    skin = skeleton.skins[bone]
    if len(skin) < 3:
        return head
    out = skin.mean(axis=0) - head
    far = np.einsum("ij,j->i", skin - head, out)
    if far.max() <= 0.0:
        return head
    found: Floats = skin[far >= FARTHEST * far.max()].mean(axis=0)
    return found


def _judged(skeleton: Skeleton, limb: Limb, ground: float) -> Limb:
    """A limb, told whether it could stand: two bones or more that go down to the ground."""
    return replace(limb, is_leg=len(limb.bones) > 1 and goes_down(skeleton, limb, ground))


def goes_down(skeleton: Skeleton, limb: Limb, ground: float) -> bool:
    """Whether a limb goes down to the ground, and is none that does not stand, such as a wing."""
    names = set().union(*(parts_of(skeleton.names[bone]) for bone in limb.bones))
    near = LOW_NAMED if "leg" in names and not names & {"arm", "wing"} else LOW
    last = np.concatenate([limb.end[None], skeleton.skins[limb.bones[-1]]])
    height = float(last[:, 2].min()) - ground
    drop = float(skeleton.heads[limb.root][2]) - ground
    return (
        limb.length > 0.0
        and height < near * limb.length
        and drop > DROP * limb.length
        and not names & {"feeler", "face", "wing"}
    )


def pairs_of(skeleton: Skeleton, limbs: Sequence[Limb]) -> tuple[list[Pair], list[Limb]]:
    """Limbs in pairs, left before right, from front to back; and those that have no other."""
    middle, most = skeleton.middle, ALIKE * skeleton.extent
    left = [limb for limb in limbs if skeleton.heads[limb.root][1] > middle]
    right = [limb for limb in limbs if limb not in left]
    gaps = sorted(
        (_gap(skeleton, one, other, middle), i, j)
        for i, one in enumerate(left)
        for j, other in enumerate(right)
        if one.is_leg == other.is_leg
    )
    lefts: set[int] = set()
    rights: set[int] = set()
    found: list[Pair] = []
    for gap, i, j in gaps:
        if i not in lefts and j not in rights and gap < most:
            lefts.add(i)
            rights.add(j)
            found.append((left[i], right[j]))
    alone = [limb for i, limb in enumerate(left) if i not in lefts]
    alone += [limb for j, limb in enumerate(right) if j not in rights]
    return sorted(found, key=lambda pair: -_ahead(skeleton, pair)), alone


def _ahead(skeleton: Skeleton, pair: Pair) -> float:
    """How far ahead a pair is, by its roots, then by its ends [m]."""
    left, _ = pair
    return float(skeleton.heads[left.root][0] + 1e-3 * left.end[0])


def _gap(skeleton: Skeleton, left: Limb, right: Limb, middle: float) -> float:
    """How far two limbs are from mirror images [m]; less if their names are alike."""
    image = np.array([1.0, -1.0, 1.0])
    moved = np.array([0.0, 2.0 * middle, 0.0])
    roots = skeleton.heads[left.root] * image + moved - skeleton.heads[right.root]
    ends = left.end * image + moved - right.end
    found = max(float(np.abs(roots).max()), 0.5 * float(np.abs(ends).max()))
    names = [mirrored(skeleton.names[limb.root]) for limb in (left, right)]
    return 0.3 * found if names[0] == names[1] else found

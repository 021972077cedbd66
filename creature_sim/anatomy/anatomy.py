"""What a model is: its frame, its trunk, its legs and the rest of its limbs."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

import numpy as np

from creature_sim.anatomy.frame import Frame, frame_of
from creature_sim.anatomy.legs import Leg, leg_of
from creature_sim.anatomy.limbs import Limb, Pair, goes_down, limbs_of, pairs_of
from creature_sim.anatomy.names import parts_of
from creature_sim.anatomy.skeleton import Skeleton, skeleton_of
from creature_sim.errors import DefinitionError
from creature_sim.models import Model, open_model

MAX_PAIRS = 20
STIFF = 0.2
"""A limb of one bone that goes down is a leg, not a finger, if it is longer, over the extent."""


@dataclass(frozen=True)
class AsRobot:
    """What a robot says beyond its shape.

    Attributes:
        mass: of all links [kg].
        joint_count: of those that move.
        frame: of its file, which is not that of the model that is made of it.
        faults: what a simulation with forces would refuse.
    """

    mass: float
    joint_count: int
    frame: Frame
    faults: tuple[str, ...]


@dataclass(frozen=True)
class Anatomy:
    """A model as an animal.

    Attributes:
        file: of the model.
        frame: of the creature in the file.
        skeleton: X forward, Y left, Z up, about the file's origin [m].
        ground: height that it stands on [m].
        legs: left and right, from front to back.
        trunk: bones in the middle that all else hangs on, the first one first.
        head: a bone, or None.
        tails: bones of each, in the middle and behind.
        arms: other limbs, left or right or alone.
        notes: what is left out.
        robot: that it is, or None.
    """

    file: str
    frame: Frame
    skeleton: Skeleton
    ground: float
    legs: tuple[tuple[Leg, Leg], ...]
    trunk: tuple[int, ...]
    head: int | None
    tails: tuple[tuple[int, ...], ...]
    arms: tuple[Limb, ...]
    notes: tuple[str, ...]
    robot: AsRobot | None = None

    @property
    def body(self) -> int:
        """The bone of the trunk that all legs hang on, or on bones below it."""
        above = [self._above(leg.bones[0]) for pair in self.legs for leg in pair]
        common = set(above[0]).intersection(*above[1:])
        return max(common) if common else 0

    def bearer(self, pair: int) -> int:
        """The bone of the trunk that a pair of legs hangs on, through girdles if there are any."""
        left, right = (self._above(leg.bones[0]) for leg in self.legs[pair])
        common = set(left) & set(right)
        found = [bone for bone in left if bone in common]
        return found[0] if found else 0

    def _above(self, bone: int) -> list[int]:
        found = []
        while bone >= 0:
            bone = self.skeleton.parents[bone]
            found.append(bone)
        return [one for one in found if one >= 0] or [0]


def anatomy_of(path: str | Path) -> Anatomy:
    """The anatomy of the model in a file.

    Raises:
        DefinitionError: it is no model, or has no skeleton or no legs.
    """
    return found_in(open_model(path), str(path))


def found_in(model: Model, file: str) -> Anatomy:
    """The anatomy of a model; errors name its file."""
    written = skeleton_of(model, file)
    frame = frame_of(written)
    skeleton = frame.moved(written)
    limbs, ground = limbs_of(skeleton)
    pairs, alone = pairs_of(skeleton, limbs)
    standing = [pair for pair in pairs if pair[0].is_leg]
    notes = list(model.notes)
    notes += [
        f"{skeleton.names[limb.root]!r} stands, and has no other on the far side"
        for limb in alone
        if limb.is_leg
    ]
    if not standing or len(standing) > MAX_PAIRS:
        long = STIFF * skeleton.extent
        stiff = [limb for limb in limbs if limb.length > long and goes_down(skeleton, limb, ground)]
        raise DefinitionError(_refusal(file, skeleton, limbs, len(standing), stiff))
    legs = tuple(
        (
            leg_of(skeleton, left, ground, len(standing) == 1),
            leg_of(skeleton, right, ground, len(standing) == 1),
        )
        for left, right in standing
    )
    return assembled(file, frame, skeleton, ground, legs, standing, limbs, notes)


def assembled(
    file: str,
    frame: Frame,
    skeleton: Skeleton,
    ground: float,
    legs: tuple[tuple[Leg, Leg], ...],
    standing: Sequence[Pair],
    limbs: Sequence[Limb],
    notes: Sequence[str],
) -> Anatomy:
    """The anatomy of a skeleton whose legs are known, and which of its limbs they are."""
    used = {bone for pair in standing for limb in pair for bone in limb.all}
    arms = tuple(limb for limb in limbs if limb.root not in used)
    middle = _middle(skeleton, limbs)
    head = _head(skeleton, middle)
    heads = set() if head is None else set(skeleton.below(head))
    tails = _tails(skeleton, middle, heads)
    others = heads | {bone for tail in tails for bone in tail}
    for bone in middle:
        if "neck" in parts_of(skeleton.names[bone]):
            others.update(skeleton.below(bone))
    trunk = tuple(bone for bone in middle if bone not in others)
    return Anatomy(file, frame, skeleton, ground, legs, trunk, head, tails, arms, tuple(notes))


def _middle(skeleton: Skeleton, limbs: Sequence[Limb]) -> list[int]:
    """Bones that are of no limb."""
    beside = {bone for limb in limbs for bone in limb.all}
    return [bone for bone in range(len(skeleton.names)) if bone not in beside]


def _head(skeleton: Skeleton, middle: Sequence[int]) -> int | None:
    """The first bone whose name says that it is a head."""
    found = [bone for bone in middle if "head" in parts_of(skeleton.names[bone])]
    return found[0] if found and skeleton.parents[found[0]] >= 0 else None


def _tails(
    skeleton: Skeleton, middle: Sequence[int], heads: set[int]
) -> tuple[tuple[int, ...], ...]:
    """Chains in the middle that lead behind all legs, or whose names say so."""
    found: list[tuple[int, ...]] = []
    behind = float(np.percentile(skeleton.points[:, 0], 25))
    for bone in middle:
        if bone in heads or any(bone in tail for tail in found) or skeleton.parents[bone] < 0:
            continue
        is_named = "tail" in parts_of(skeleton.names[bone])
        chain = [one for one in skeleton.below(bone) if one in middle]
        is_behind = float(skeleton.heads[chain[-1]][0]) < behind and _is_chain(skeleton, chain)
        if is_named or (is_behind and len(chain) > 2):
            found.append(tuple(chain))
    return tuple(found)


def _is_chain(skeleton: Skeleton, bones: Sequence[int]) -> bool:
    """Whether each bone has one other at most, and all lead backwards."""
    backwards = all(
        skeleton.heads[one][0] >= skeleton.heads[other][0] - 1e-9 for one, other in pairwise(bones)
    )
    return backwards and all(len(skeleton.children(bone)) <= 1 for bone in bones)


def _refusal(
    file: str, skeleton: Skeleton, limbs: Sequence[Limb], pair_count: int, stiff: Sequence[Limb]
) -> str:
    """What is said of a model that cannot walk; `stiff` limbs go down to the ground."""
    if pair_count:
        return f"{file}: expected 1 to {MAX_PAIRS} pairs of legs, found {pair_count}"
    if len(stiff) > 1:
        legs = ", ".join(repr(skeleton.names[limb.root]) for limb in stiff[:6])
        return (
            f"{file}: expected legs of two bones or more, which bend at a knee, found legs of one "
            f"bone: {legs}; cut each in two at its knee, and weight the skin below to the second"
        )
    shown = ", ".join(repr(skeleton.names[limb.root]) for limb in limbs[:6])
    held = f"limbs that do not stand: {shown}" if limbs else "no limbs beside a trunk"
    lefts = sum(skeleton.heads[limb.root][1] > skeleton.middle for limb in limbs)
    return (
        f"{file}: expected legs (pairs of two bones or more that end near the lowest points), "
        f"found {len(skeleton.names)} bones, {lefts} limbs on the left and {len(limbs) - lefts} "
        f"on the right, {held}; pose it standing, or write a creature by hand: creature-sim new "
        "creature NAME; an arm or a tentacle is a chain of a world: creature-sim new world NAME "
        f"--from {file}"
    )

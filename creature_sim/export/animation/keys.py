"""Which ticks become keys: as few as keep every bone near where it was, and feet where they stand.

Between two keys a player turns bones along arcs and moves them along lines. Keys are taken from the
frames of the animation, as few as keep all bones within a bound at every frame, and from the ticks
at which a foot touches down or lifts off. Other ticks are added where the tip of a leg that
stands would drift. At its own keys a group of bones is exact.
"""

from dataclasses import dataclass
from math import radians
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.export.animation.actors import Actor
from creature_sim.export.animation.skeletons import Skeleton
from creature_sim.export.animation.turns import multiplied, slerped, turned
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths, rotation_angles

Indices = NDArray[np.intp]
Mask = NDArray[np.bool_]

TRUNK = 0.1, 0.01
"""Legs hang on the trunk: it may be off by these fractions of distance and angle of the others."""
PLANTED = 4e-4
"""How far from its place the tip of a leg that stands may be, over the reach of the leg."""
SMALL = 2e-4
"""Joints of creatures may be off by at most this part of the reach of their longest leg."""
ARC = radians(20.0)
"""No bone turns farther from key to key, where there are frames between them: some players, as
Blender, move the parts of a quaternion along lines, which over a wide arc turns a bone unevenly."""
STILL = 1e-7
"""What moves by less is one value [m, or parts of a quaternion]."""


@dataclass(frozen=True)
class Fineness:
    """How far keys may be off.

    Attributes:
        distance: of where every bone begins [m].
        angle: of every bone [rad].
    """

    distance: float = 5e-5
    angle: float = radians(0.02)


FINE = Fineness()


class Track(NamedTuple):
    """The keys of a group of bones.

    Attributes:
        bones: indices of them, (G,).
        ticks: index of the tick of each key, (K,); one where nothing moves.
        frames: (K, G, 7) of the bones against their parents.
    """

    bones: tuple[int, ...]
    ticks: Indices
    frames: Floats


def tracks_of(actor: Actor, shown: Mask, jumps: Mask, fineness: Fineness) -> list[Track]:
    """The keys of all groups of an actor.

    Args:
        actor: who.
        shown: (T,) which ticks are frames of the animation.
        jumps: (T - 1,) where something is put elsewhere by the next tick.
        fineness: of the keys.
    """
    skeleton, frames = actor.skeleton, actor.skeleton.locals_of(actor.frames)
    trunk, *rest = (_Group(skeleton, bones, frames) for bones in skeleton.groups)
    ends = np.zeros(len(frames), np.bool_)
    ends[[0, -1]] = True
    ends[1:] |= jumps
    ends[:-1] |= jumps
    if not skeleton.feet:
        return [group.track(group.keys(shown, ends, fineness)) for group in (trunk, *rest)]
    stands = actor.is_planted.T
    musts = [ends.copy() for _ in rest]
    for must, standing in zip(musts, stands, strict=True):  # its first and last ticks on the ground
        must[1:] |= standing[1:] & ~standing[:-1]
        must[:-1] |= standing[:-1] & ~standing[1:]
    distance = min(fineness.distance, SMALL * max(skeleton.reaches))
    fineness = Fineness(distance, fineness.angle)
    fine = Fineness(TRUNK[0] * distance, TRUNK[1] * fineness.angle)
    found = [group.keys(shown, must, fineness) for group, must in zip(rest, musts, strict=True)]
    while True:
        first = trunk.keys(shown, np.logical_or.reduce(musts), fine)
        carriers = trunk.at(first)
        is_done = True
        for leg, (group, keys, must) in enumerate(zip(rest, found, musts, strict=True)):
            carrier = carriers[:, trunk.bones.index(group.mount)]
            tips = group.at(keys, carrier)[:, -1, :3]
            drift = lengths(tips - actor.frames[:, skeleton.feet[leg], :3])
            excess = np.where(stands[leg], drift / (PLANTED * skeleton.reaches[leg]), 0.0)
            excess[must & np.isin(np.arange(len(must)), first)] = 0.0
            worst = _worst(excess, keys)
            if len(worst):
                must[worst] = True
                found[leg] = group.keys(shown, must, fineness)
                is_done = False
        if is_done:
            return [
                group.track(keys)
                for group, keys in zip((trunk, *rest), (first, *found), strict=True)
            ]


def _worst(excess: Floats, keys: Indices) -> Indices:
    """The tick between each key and the next where the excess (T,) is largest, if it is above 1."""
    spans = np.searchsorted(keys, np.arange(len(excess)), side="right")
    order = np.lexsort((excess, spans))
    worst = order[np.append(np.flatnonzero(np.diff(spans[order])), len(order) - 1)]
    found: Indices = worst[excess[worst] > 1.0]
    return found


class _Group:
    """Bones whose keys lie at the same times.

    Attributes:
        bones: indices of them, (G,).
        mount: index of the bone that they hang on; -1 for none.
    """

    def __init__(self, skeleton: Skeleton, bones: tuple[int, ...], frames: Floats) -> None:
        """Take them from all frames (T, B, 7) against the parents."""
        self.bones = bones
        self.mount = skeleton.parents[bones[0]]
        parents = (skeleton.parents[bone] for bone in bones)
        self._parents = [bones.index(parent) if parent in bones else -1 for parent in parents]
        self._frames = frames[:, bones]
        self._truth = self._composed(self._frames)

    def track(self, keys: Indices) -> Track:
        """The keys with their frames."""
        return Track(self.bones, keys, self._frames[keys])

    def keys(self, shown: Mask, must: Mask, fineness: Fineness) -> Indices:
        """Indices of the ticks that become keys: those that must (T,), and some of those shown."""
        if np.ptp(self._frames, axis=0).max(initial=0.0) < STILL:
            return np.zeros(1, np.intp)
        is_key = must.copy()
        while True:
            keys = np.flatnonzero(is_key)
            excess = self._excess(self.at(keys), fineness)
            excess[~shown | is_key] = 0.0
            worst = np.append(_worst(excess, keys), self._halves(keys, shown))
            if not len(worst):
                return keys
            is_key[worst] = True

    def _halves(self, keys: Indices, shown: Mask) -> Indices:
        """The middle one of the frames between two keys, where a bone turns farther than ARC."""
        first, second = self._frames[keys[:-1], :, 3:], self._frames[keys[1:], :, 3:]
        (wide,) = np.nonzero((rotation_angles(first, second) > ARC).any(axis=1))
        between = [np.flatnonzero(shown[keys[k] + 1 : keys[k + 1]]) + keys[k] + 1 for k in wide]
        return np.array([ticks[len(ticks) // 2] for ticks in between if len(ticks)], np.intp)

    def _excess(self, found: Floats, fineness: Fineness) -> Floats:
        """How far every tick is off, (T,), where 1 is as far as it may be."""
        off = lengths(found[..., :3] - self._truth[..., :3]) / fineness.distance
        by = rotation_angles(found[..., 3:], self._truth[..., 3:]) / fineness.angle
        excess: Floats = np.maximum(off, by).max(axis=1)
        return excess

    def at(self, keys: Indices, carrier: Floats | None = None) -> Floats:
        """Frames (T, G, 7) between keys; in the world where those of `mount` (T, 7) are given."""
        count = len(self._frames)
        if len(keys) == 1:
            return self._composed(np.broadcast_to(self._frames[keys], self._frames.shape), carrier)
        after = np.searchsorted(keys, np.arange(count), side="left").clip(1, len(keys) - 1)
        a, b = keys[after - 1], keys[after]
        fraction = ((np.arange(count) - a) / (b - a))[:, None]
        first, second = self._frames[a], self._frames[b]
        moved = first[..., :3] + (second[..., :3] - first[..., :3]) * fraction[..., None]
        turns = slerped(first[..., 3:], second[..., 3:], fraction)
        return self._composed(np.concatenate((moved, turns), axis=-1), carrier)

    def _composed(self, frames: Floats, carrier: Floats | None = None) -> Floats:
        """Frames (T, G, 7) against the bone that the group hangs on, or in the world."""
        found = frames.copy()
        for index, parent in enumerate(self._parents):
            base = found[:, parent] if parent >= 0 else carrier
            if base is not None:
                found[:, index, :3] = base[:, :3] + turned(base[:, 3:], frames[:, index, :3])
                found[:, index, 3:] = multiplied(base[:, 3:], frames[:, index, 3:])
        return found

"""Models of creatures in a pose: for every bone, the matrix that takes it there from its rest.

A box of the trunk, or the head, is where it is in the pose. A bone of a leg lies on its joint, and
turns from its place at rest by the shortest way after the bone before it, so that no skin on it
twists; the first one turns about itself as well, such that the plane that the leg bends in is the
one at rest. The last bone of a leg with a sole turns with the sole. Parts keep their size.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from creature_sim.definitions import CreatureDef
from creature_sim.maths import Floats
from creature_sim.maths.geometry import lengths, rotation_matrices
from creature_sim.models.binding import Binding
from creature_sim.snapshots.poses import HerdPose

FLAT, BENT = 0.05, 0.30
"""Sines: a leg that bends by less than the first has no plane that it bends in; with the second it
has one wholly."""
ALONG = 0.4
"""A bone nearer to the axis that its leg bends about, as a sine, does not turn with it."""


@dataclass(frozen=True)
class Moved:
    """Creatures that are posed: the arrays of a `HerdPose`."""

    positions: Floats
    orientations: Floats
    joints: Floats
    normals: Floats
    headings: Floats

    @staticmethod
    def of(herd: HerdPose, chosen: NDArray[np.int64]) -> "Moved":
        """Some members of a herd, by their rows."""
        return Moved(
            herd.positions[chosen],
            herd.orientations[chosen],
            herd.joints[chosen],
            herd.normals[chosen],
            herd.headings[chosen],
        )


class SkinFigure:
    """The bones of a creature with a model."""

    def __init__(self, plan: CreatureDef, binding: Binding) -> None:
        """Measure the bones at rest."""
        legs = plan.all_legs
        self.plan, self.binding = plan, binding
        self._carriers = [leg.segment for leg in legs]
        self._joints = binding.joints
        self._is_bone = np.zeros(self._joints.shape[:2], np.bool_)[:, 1:]
        self._has_sole = np.array([leg.foot is not None for leg in legs])
        self._last = np.array([len(leg.bones) - 1 for leg in legs])
        for index, leg in enumerate(legs):
            self._is_bone[index, : len(leg.bones)] = True
        self._bones = _units(np.diff(self._joints, axis=1), self._is_bone)
        self._set_planes()
        self.bone_count = len(binding.boxes) + int(self._is_bone.sum())

    def _set_planes(self) -> None:
        """Find the axis that each leg bends about at rest, and to which side each joint does."""
        bends = np.cross(self._bones[:, :-1], self._bones[:, 1:])
        most = np.take_along_axis(bends, lengths(bends).argmax(axis=1)[:, None, None], axis=1)
        self._sides = np.sign((bends * most).sum(axis=-1))
        axes = (bends * self._sides[..., None]).sum(axis=1)
        sizes = lengths(axes)
        self._axes = axes / np.maximum(sizes, 1e-9)[:, None]
        across = _across(self._axes, self._bones[:, 0])
        self._trust = _eased(sizes, FLAT, BENT) * (lengths(across) > ALONG)

    def matrices(self, pose: Moved) -> Floats:
        """Of N creatures, (N, B, 3, 4): they take vertices at rest to the world [m]."""
        boxes = rotation_matrices(pose.orientations)
        turns = np.concatenate((boxes, self._leg_turns(pose, boxes)), axis=1)
        here = np.concatenate((pose.positions, pose.joints[:, :, :-1][:, self._is_bone]), axis=1)
        rest = np.concatenate((self.binding.boxes, self._joints[:, :-1][self._is_bone]))
        found = np.empty((*turns.shape[:2], 3, 4))
        found[..., :3] = turns
        found[..., 3] = here - _turned(turns, rest)
        return found

    def _leg_turns(self, pose: Moved, boxes: Floats) -> Floats:
        """How all bones of the legs are turned from their rest, (N, K, 3, 3), leg by leg."""
        bones = _units(np.diff(pose.joints, axis=2), self._is_bone)
        turn = boxes[:, self._carriers]
        found = np.empty((*bones.shape, 3))
        for number in range(bones.shape[2]):
            before = _turned(turn, self._bones[:, number])
            now = np.where(self._is_bone[:, number, None], bones[:, :, number], before)
            turn = _shortest(before, now) @ turn
            if number == 0 and self._trust.any():
                turn = self._rolled(turn, bones)
            is_sole = self._has_sole & (self._last == number)
            if is_sole.any():
                ahead, up = pose.headings[:, is_sole], pose.normals[:, is_sole]
                turn[:, is_sole] = np.stack((ahead, np.cross(up, ahead), up), axis=-1)
            found[:, :, number] = turn
        return found[:, self._is_bone]

    def _rolled(self, turn: Floats, bones: Floats) -> Floats:
        """The first bones turned about themselves, so that their legs bend in the planes at rest.

        Args:
            turn: (N, L, 3, 3) of them before.
            bones: (N, L, B, 3) directions of all bones.
        """
        along = bones[:, :, 0]
        bends = (np.cross(bones[:, :, :-1], bones[:, :, 1:]) * self._sides[..., None]).sum(axis=2)
        now, wanted = _across(_turned(turn, self._axes), along), _across(bends, along)
        size, bend = lengths(now), lengths(wanted)
        trust = self._trust * _eased(bend, FLAT, BENT)
        is_sure = (trust > 0.0) & (size > 1e-6)
        now = now / np.maximum(size, 1e-6)[..., None]
        wanted = wanted / np.maximum(bend, 1e-6)[..., None]
        mixed = now + trust[..., None] * (wanted - now)
        length = lengths(mixed)
        is_sure &= length > 1e-3
        mixed = np.where(is_sure[..., None], mixed / np.maximum(length, 1e-3)[..., None], now)
        found: Floats = np.where(is_sure[..., None, None], _shortest(now, mixed) @ turn, turn)
        return found


def _units(bones: Floats, is_bone: NDArray[np.bool_]) -> Floats:
    """Directions of bones (..., L, B, 3); zero where there is none."""
    sizes = lengths(bones)
    scale = np.where(is_bone & (sizes > 1e-9), 1.0 / np.maximum(sizes, 1e-9), 0.0)
    found: Floats = bones * scale[..., None]
    return found


def _across(vectors: Floats, along: Floats) -> Floats:
    """The parts of vectors (..., 3) across unit vectors (..., 3)."""
    found: Floats = vectors - along * (vectors * along).sum(axis=-1, keepdims=True)
    return found


def _turned(turns: Floats, vectors: Floats) -> Floats:
    """Vectors (..., 3) after turns (..., 3, 3)."""
    found: Floats = (turns * vectors[..., None, :]).sum(axis=-1)
    return found


def _eased(values: Floats, low: float, high: float) -> Floats:
    """From 0 at `low` to 1 at `high`."""
    part = ((values - low) / (high - low)).clip(0.0, 1.0)
    found: Floats = part * part * (3.0 - 2.0 * part)
    return found


def _shortest(a: Floats, b: Floats) -> Floats:
    """Matrices (..., 3, 3) of the shortest turns from unit vectors a (..., 3) to b (..., 3)."""
    cosine = (a * b).sum(axis=-1)
    is_back = cosine < -1.0 + 1e-7
    axis = np.cross(a, b)
    found = axis[..., :, None] * axis[..., None, :]
    found /= np.where(is_back, 1.0, 1.0 + cosine)[..., None, None]
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        found[..., i, i] += cosine
        found[..., j, i] += axis[..., k]
        found[..., i, j] -= axis[..., k]
    if is_back.any():  # half a turn about anything across
        least = np.eye(3)[np.abs(a[is_back]).argmin(axis=-1)]
        pole = np.cross(a[is_back], least)
        pole /= lengths(pole)[:, None]
        found[is_back] = 2.0 * pole[:, :, None] * pole[:, None, :] - np.eye(3)
    return found

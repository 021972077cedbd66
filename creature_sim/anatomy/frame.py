"""Which way is up, left and ahead in a file, and how many metres its unit is.

Geometry judges: a creature is its own mirror image and stands on legs. Where that leaves two
answers, names of sides, heads and tails decide, then the customs of glTF: Y up, Z ahead, metres.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from creature_sim.anatomy.limbs import limbs_of, pairs_of
from creature_sim.anatomy.names import parts_of, side_of
from creature_sim.anatomy.skeleton import Skeleton
from creature_sim.maths import Floats

AXES = {
    f"{sign}{letter}": tuple((1.0 if sign == "+" else -1.0) * (letter == other) for other in "XYZ")
    for letter in "YZX"
    for sign in "+-"
}
"""Axes of a file by name; those that are up more often first."""
STANDARD = 1.5
"""How much better another axis must stand than +Y, which is up by the standard."""
SIZES = (0.12, 12.0)
"""Extents that are taken for metres [m]; others are scaled by a power of ten to the second."""
TYPICAL = (0.3, 3.0)


@dataclass(frozen=True)
class Frame:
    """The frame of a creature in a file.

    Attributes:
        up: axis of the file, as +Y.
        forward: axis of the file.
        scale: metres for one unit of the file.
        doubts: what is not sure, by what it is about: `up`, `forward`, `scale`.
    """

    up: str
    forward: str
    scale: float
    doubts: dict[str, str]

    @property
    def turn(self) -> Floats:
        """What takes directions of the file to ours, (3, 3): X forward, Y left, Z up."""
        ahead, up = np.array(AXES[self.forward]), np.array(AXES[self.up])
        return np.array([ahead, np.cross(up, ahead), up])

    def in_file(self, point: Floats) -> Floats:
        """A point (3,) of ours [m] as the file has it."""
        found: Floats = np.einsum("ji,j->i", self.turn, point) / self.scale
        return found

    def moved(self, skeleton: Skeleton) -> Skeleton:
        """A skeleton of the file in our frame, about the file's origin [m]."""
        return skeleton.moved(self.turn, self.scale, np.zeros(3))


def frame_of(skeleton: Skeleton, standard: str = "+Y") -> Frame:
    """The frame of a skeleton.

    Args:
        skeleton: as in the file.
        standard: axis that is up in files of its kind.
    """
    scale, doubts = _scale(skeleton.extent)
    best = max(_frames(scale), key=lambda frame: _standing(skeleton, frame, standard))
    if best.up != standard:
        of = "glTF" if standard == "+Y" else "a robot"
        doubts["up"] = f"legs stand along {best.up} of the file; {of} says {standard}"
    forward, why = _ahead(skeleton, best)
    if why:
        doubts["forward"] = why
    return Frame(best.up, forward, scale, doubts)


def upright_frame(skeleton: Skeleton, up: str) -> Frame:
    """The frame of a skeleton that need not stand, with an axis of the file up."""
    frames = [frame for frame in _frames(1.0) if frame.up == up]
    best = max(frames, key=lambda frame: _mirrored(frame.moved(skeleton)))
    forward, why = _ahead(skeleton, best)
    return Frame(up, forward, 1.0, {"forward": why} if why else {})


def _mirrored(moved: Skeleton) -> int:
    return moved.mirrored(moved.middle, 0.02)


def _frames(scale: float) -> Iterator[Frame]:
    """All frames that differ in what is up and in what is beside."""
    for up in AXES:
        for forward in ("+Z", "+X", "+Y"):
            if forward[1] != up[1]:
                yield Frame(up, forward, scale, {})


def _standing(skeleton: Skeleton, frame: Frame, standard: str) -> float:
    """How well a skeleton stands in a frame: how far its pairs of legs go down to one ground."""
    moved = frame.moved(skeleton)
    limbs, ground = limbs_of(moved)
    pairs, _ = pairs_of(moved, [limb for limb in limbs if limb.is_leg])
    found = 0.0
    for left, _ in pairs:
        drop = float(moved.heads[left.root][2] - ground) - abs(float(left.end[2]) - ground)
        found += max(0.0, drop) / moved.extent
    found *= _mirrored(moved) / len(moved.names)  # it is its own mirror image
    return found * (STANDARD if frame.up == standard else 1.0)


def _ahead(skeleton: Skeleton, frame: Frame) -> tuple[str, str]:
    """The axis that points ahead, and what is not sure of it."""
    moved = frame.moved(skeleton)
    opposite = {"+": "-", "-": "+"}[frame.forward[0]] + frame.forward[1]
    votes = {
        "names of sides": _by_sides(moved),
        "the head": _by_part(moved, "head") or _by_part(moved, "face"),
        "the tail": -_by_part(moved, "tail"),
        "the feet": _by_feet(moved),
    }
    for why in ("names of sides", "the head", "the tail", "the feet"):
        if votes[why]:
            found = frame.forward if votes[why] > 0.0 else opposite
            against = [other for other, vote in votes.items() if vote * votes[why] < 0.0]
            text = f"{why} say so, {' and '.join(against)} the opposite" if against else ""
            return found, text
    standard = "+Z" if frame.forward[1] == "Z" else frame.forward
    return standard, "nothing tells front from back; the opposite turns it round"


def _by_sides(moved: Skeleton) -> float:
    """Above 0 where bones whose names say left are on the left."""
    middle = moved.middle
    sides = [side_of(name) for name in moved.names]
    return float(sum(side * (y - middle) for side, y in zip(sides, moved.heads[:, 1], strict=True)))


def _by_part(moved: Skeleton, part: str) -> float:
    """How far ahead of the hips bones of a part are [m]; of the middle of all where none stand."""
    places = [
        np.concatenate([moved.heads[index][None], moved.skins[index]]).mean(axis=0)[0]
        for index, name in enumerate(moved.names)
        if part in parts_of(name)
    ]
    limbs, _ = limbs_of(moved)
    hips = [float(moved.heads[limb.root][0]) for limb in limbs if limb.is_leg]
    ends = [float(moved.points[:, 0].min()), float(moved.points[:, 0].max())]
    found = float(np.mean(places) - np.mean(hips or ends)) if places else 0.0
    return found if abs(found) > 0.03 * moved.extent else 0.0


def _by_feet(moved: Skeleton) -> float:
    """How far ahead of its last joint the ends of legs are, over all of them [m]."""
    limbs, _ = limbs_of(moved)
    found = [float((limb.end - moved.heads[limb.bones[-1]])[0]) for limb in limbs if limb.is_leg]
    mean = float(np.mean(found)) if found else 0.0
    return mean if abs(mean) > 0.02 * moved.extent else 0.0


def _scale(extent: float) -> tuple[float, dict[str, str]]:
    """Metres for a unit of the file, and what is not sure of it."""
    if extent == 0.0 or SIZES[0] <= extent <= SIZES[1]:  # a point has no size to go by
        return 1.0, {}
    scale = 1.0
    while extent * scale > TYPICAL[1]:
        scale /= 10.0
    while extent * scale < TYPICAL[0]:
        scale *= 10.0
    scale = float(f"{scale:.0e}")
    return scale, {"scale": f"the model is {extent:.3g} units large; 1.0 if those are metres"}

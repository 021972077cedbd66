"""A leg of a skeleton: its bones, its foot, which way its knees point and how they may turn."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from creature_sim.anatomy.limbs import Limb
from creature_sim.anatomy.names import parts_of
from creature_sim.anatomy.robots.limits import Limits
from creature_sim.anatomy.skeleton import Skeleton
from creature_sim.maths import Floats, atan2

SHORT = 0.045
"""A bone shorter than this goes with its neighbour, over the leg."""
STRAIGHT = 0.12
"""A joint that bends less may be one of a twist bone [rad]."""
MAX_BONES = 5
FLAT = 1.5
"""A foot lies: it is longer than this times as high as its root."""
FLAT_NAMED = 1.0
"""The same, of one of two legs whose name says that it is a foot: of people on high heels."""
LOW_FOOT = 0.3
"""Its root is lower than this, over the hip."""
THIN = 0.01
"""The last joint of a foot is this far above its sole, at least, over the leg."""
LONG_FOOT = 0.07
"""It is longer than this, over the leg; shorter ones are part of the bone before."""
PLANTIGRADE = 0.25
"""A sole of one of many legs is this long, over the leg; shorter ones are toes."""
BENT = 0.03
"""A leg's joints are this far off the line from hip to foot, over the leg, or it is straight."""
STEEP = 0.9
"""A leg whose line from hip to foot goes down by more of itself stands below the body; if it is
straight, its knee points ahead."""
ASIDE = 0.6
"""A bone that leads aside by more of itself, to a leg below the body, is of a girdle."""
UP = 0.75
"""Cosine of the angle to the vertical within which a pole is one that points up."""
KNEE = 0.3
"""A knee is bent more than this at rest [rad]."""
THICK = (0.1, 0.04)
"""Diameter of a leg at its hip and near its tip, at most, over its length."""
LEVEL = 0.35
"""A coxa slopes less than this [rad] and is shorter than this, over the leg."""


@dataclass(frozen=True)
class Leg:
    """A leg.

    Attributes:
        bones: indices of the bones that joints are at, hip first.
        joints: (B + 1, 3) of them, and the foot [m].
        sole: how far it reaches behind and ahead of the last joint [m]; None if it has none.
        pole: which way the knees point.
        is_straight: whether its rest does not tell that.
        angles: at which each joint but the first is bent at rest, away from the pole [rad].
        has_coxa: whether its first bone is level.
        thickness: diameter of each bone's skin [m]; empty where one has none.
        limits: of a robot's joints; None of an animal's, which are guessed.
    """

    bones: tuple[int, ...]
    joints: Floats
    sole: tuple[float, float] | None
    pole: tuple[float, float, float]
    is_straight: bool
    angles: tuple[float, ...]
    has_coxa: bool
    thickness: tuple[float, ...] = ()
    limits: Limits | None = None

    @property
    def lengths(self) -> Floats:
        """Of its bones [m]."""
        found: Floats = np.linalg.norm(self.joints[1:] - self.joints[:-1], axis=1)
        return found

    @property
    def reach(self) -> float:
        """Of all of them [m]."""
        return float(self.lengths.sum())

    @property
    def span(self) -> float:
        """From the hip to the foot, as it stands [m]."""
        return float(np.linalg.norm(self.joints[-1] - self.joints[0]))


def leg_of(skeleton: Skeleton, limb: Limb, ground: float, is_biped: bool) -> Leg:
    """The leg that a limb is.

    Args:
        skeleton: X forward, Y left, Z up [m].
        limb: of it.
        ground: height of the ground [m].
        is_biped: whether it is one of two.
    """
    bones = list(limb.bones)
    points = [*skeleton.heads[bones], limb.end]
    points[-1] = np.array([*points[-1][:2], min(points[-1][2], ground + 0.1 * limb.length)])
    sole = None
    first = _foot_begins(points, ground, limb.length, _flat(skeleton, bones, is_biped))
    if first is not None:
        ankle = points[first]
        size = float(np.linalg.norm((points[-1] - ankle)[:2]))
        if is_biped or size >= PLANTIGRADE * limb.length:
            sole = _sole(skeleton, bones[first:], limb, ankle)
            bones, points = bones[: first + 1], points[: first + 1]
        else:
            bones, points = bones[:first], points[:first]
        least_low = float(ankle[2]) - THIN * limb.length
        points.append(np.array([ankle[0], ankle[1], min(ground, least_low)]))
    least = 3 if sole else 2
    while len(bones) > least and _is_girdle(skeleton.names[bones[0]], np.array(points)):
        bones, points = bones[1:], points[1:]
    knees = [bone for bone in bones if "shin" in parts_of(skeleton.names[bone])]
    bones, points = _merged(bones, points, sole is not None, knees[:1])
    bones, points = _folding(bones, points, sole, is_biped, knees[:1])
    leg = posed(tuple(bones), np.array(points), sole)
    return replace(leg, thickness=thickness_of(skeleton, leg))


def _is_girdle(name: str, joints: Floats) -> bool:
    """Whether the first bone of a leg is of a girdle: the joints (J, 3) are those from it on.

    Its name says so, or it leads aside to a leg that stands below the body.
    """
    if parts_of(name) & {"girdle"}:
        return True
    first, line = joints[1] - joints[0], joints[-1] - joints[1]
    length = float(np.linalg.norm(first))
    is_steep = -float(line[2]) > STEEP * float(np.linalg.norm(line))
    return is_steep and abs(float(first[1])) > ASIDE * length


def _flat(skeleton: Skeleton, bones: Sequence[int], is_biped: bool) -> list[float]:
    """How much longer than high each bone of a leg must be if it is to be a foot."""
    named = [is_biped and "foot" in parts_of(skeleton.names[bone]) for bone in bones]
    return [FLAT_NAMED if is_named else FLAT for is_named in named]


def _foot_begins(
    points: Sequence[Floats], ground: float, length: float, flat: Sequence[float]
) -> int | None:
    """Which bone is the first that lies on the ground; None if none does."""
    hip = points[0][2] - ground
    for index in range(2, len(points) - 1):
        height = points[index][2] - ground
        along = float(np.linalg.norm((points[-1] - points[index])[:2]))
        if height < LOW_FOOT * hip and along > max(flat[index] * height, LONG_FOOT * length):
            return index
    return None


def _sole(
    skeleton: Skeleton, feet: Sequence[int], limb: Limb, ankle: Floats
) -> tuple[float, float]:
    """How far a foot reaches behind and ahead of its ankle [m]."""
    below = [bone for bone in limb.all if bone in skeleton.below(feet[0])]
    points = np.concatenate([limb.end[None], *(skeleton.skins[bone] for bone in below)])
    low = points[points[:, 2] <= ankle[2] + 1e-9]
    along = (low if len(low) else points)[:, 0] - ankle[0]
    toe = max(0.01, float(along.max()))
    return min(max(0.2 * toe, -float(along.min())), 0.6 * toe), toe


def thickness_of(skeleton: Skeleton, leg: Leg) -> tuple[float, ...]:
    """The diameter of the skin about each bone [m], at most what a leg has that says nothing."""
    found = []
    count = len(leg.lengths)
    for index in range(count):
        bone, start, length = leg.bones[index], leg.joints[index], float(leg.lengths[index])
        skin = skeleton.skins[bone]
        if len(skin) < 4 or length <= 0.0:
            return ()
        way = (leg.joints[index + 1] - start) / length
        along = (skin - start) @ way
        radius = float(np.median(np.linalg.norm(skin - start - np.outer(along, way), axis=1)))
        most = (THICK[0] + (THICK[1] - THICK[0]) * index / (count - 1)) * leg.reach
        found.append(min(2.0 * radius, most, 0.9 * length))
    return tuple(found)


def _merged(
    bones: list[int], points: list[Floats], has_sole: bool, knees: Sequence[int]
) -> tuple[list[int], list[Floats]]:
    """Bones without those that are short, or that go straight on as twist bones do.

    Args:
        bones: of a leg.
        points: where they begin, and the foot (3,) [m].
        has_sole: whether it has one.
        knees: bones that begin at a knee, as their names say: they stay.
    """
    last = len(points) - (3 if has_sole else 2)
    while len(bones) > (3 if has_sole else 2):
        joints = np.array(points)
        lengths = np.linalg.norm(joints[1:] - joints[:-1], axis=1)
        ways = (joints[1:] - joints[:-1]) / np.maximum(lengths, 1e-12)[:, None]
        bends = np.arccos(np.clip((ways[1:] * ways[:-1]).sum(axis=1), -1.0, 1.0))
        total = lengths.sum()
        inner = [k for k in range(1, min(last, len(bones) - 1) + 1) if bones[k] not in knees]
        if not inner:
            break
        short = [k for k in inner if min(lengths[k - 1], lengths[k]) < SHORT * total]
        has_knee = len(bones) > 3 or float(bends.max()) > KNEE
        twists = [k for k in inner if bends[k - 1] < STRAIGHT and has_knee]
        if short:
            index = min(short, key=lambda k: min(lengths[k - 1], lengths[k]))
        elif twists or len(bones) > MAX_BONES:
            index = min(inner, key=lambda k: bends[k - 1])
        else:
            break
        del bones[index], points[index]
        last -= 1
    return bones, points


def _folding(
    bones: list[int],
    points: list[Floats],
    sole: tuple[float, float] | None,
    is_biped: bool,
    knees: Sequence[int],
) -> tuple[list[int], list[Floats]]:
    """A leg that stands below the body has a knee, and behind it a hock that bends against it.

    All else is stiff, and of birds and people the hock, too: such legs fold with their knee alone.
    """
    while len(bones) > (3 if sole else 2):
        leg = posed(tuple(bones), np.array(points), sole)
        if abs(leg.pole[2]) > UP:
            break
        named = [bones.index(bone) - 1 for bone in knees if is_biped and bone in bones]
        knee = named[0] if named else knee_of(leg.angles)
        bends = [abs(angle) for angle in leg.angles]
        hocks = [
            index
            for index in range(knee + 1, len(bends))
            if leg.angles[index] * leg.angles[knee] < 0.0 and bends[index] > KNEE
        ]
        along = np.cumsum(leg.lengths)
        levers = np.minimum(along, along[-1] - along)  # toes bend far, and move the foot little
        hock = knee
        if hocks and not is_biped:
            hock = max(hocks, key=lambda index: bends[index] * levers[index])
        stiff = [index for index in range(len(bends)) if index not in (knee, hock)]
        if not stiff:
            break
        index = 1 + min(stiff, key=lambda index: bends[index])
        del bones[index], points[index]
    return bones, points


def posed(bones: tuple[int, ...], joints: Floats, sole: tuple[float, float] | None) -> Leg:
    """A leg with its pole and its angles."""
    reach = float(np.linalg.norm(joints[1:] - joints[:-1], axis=1).sum())
    plane = joints[:-1] if sole else joints  # the sole's bone is not in the plane
    line = plane[-1] - plane[0]
    line = line / max(float(np.linalg.norm(line)), 1e-12)
    off = plane - plane[0]
    off = off - np.outer(off @ line, line)
    sizes = np.linalg.norm(off, axis=1)
    bent = [index for index in range(1, len(plane) - 1) if sizes[index] > BENT * reach]
    is_straight = not bent
    coxa = plane[1] - plane[0]
    slope = abs(atan2(float(coxa[2]), float(np.hypot(coxa[0], coxa[1]))))
    has_coxa = len(plane) > 3 and slope < LEVEL and float(np.linalg.norm(coxa)) < LEVEL * reach
    pole = np.array([0.0, 0.0, 1.0] if line[2] > -STEEP else [1.0, 0.0, 0.0])
    if bent:
        knee = max(bent, key=lambda index: sizes[index]) if has_coxa else bent[0]
        pole = off[knee] / sizes[knee]
    if abs(pole[2]) > UP and line[2] > -STEEP:
        pole = np.array([0.0, 0.0, 1.0 if pole[2] > 0.0 else -1.0])
    else:
        has_coxa = False
        pole = pole * [1.0, 1.0, 0.0]
        pole = pole / max(float(np.linalg.norm(pole)), 1e-12)
        if abs(pole[0]) > 0.8:
            pole = np.array([1.0 if pole[0] > 0.0 else -1.0, 0.0, 0.0])
    angles = _angles(plane, line, pole)
    if pole[2] == 0.0 and angles and angles[knee_of(angles)] < -KNEE:  # a hock stands out farther
        pole, angles = 0.0 - pole, tuple(-angle for angle in angles)
    x, y, z = (round(float(part), 2) for part in pole)
    return Leg(bones, joints, sole, (x, y, z), is_straight, angles, has_coxa)


def _angles(plane: Floats, line: Floats, pole: Floats) -> tuple[float, ...]:
    """How far each bone is turned from the one before, away from the pole [rad]."""
    out = line - (line @ pole) * pole
    about = np.cross(pole, out / max(float(np.linalg.norm(out)), 1e-12))
    ways = plane[1:] - plane[:-1]
    ways = ways - np.outer(ways @ about, about)
    found = []
    for before, after in pairwise(ways):
        found.append(atan2(float(np.cross(before, after) @ about), float(before @ after)))
    return tuple(found)


def knee_of(angles: Sequence[float]) -> int:
    """Which joint behind the hip is the knee: the first that is well bent, or the most bent."""
    bent = [index for index, angle in enumerate(angles) if abs(angle) > KNEE]
    return bent[0] if bent else max(range(len(angles)), key=lambda index: abs(angles[index]))

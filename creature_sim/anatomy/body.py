"""The body of an anatomy as boxes: one, or one for each bone of the trunk that legs hang on."""

from dataclasses import dataclass

import numpy as np

from creature_sim.anatomy.anatomy import Anatomy
from creature_sim.maths import Floats

SLIM = 0.05
"""Radius of a leg at its hip over its reach: bodies are narrower, so that legs pass them."""
BELLY, BACK = 0.65, 0.3
"""A body above its legs hangs down to this part of their height at most, and rises by this part."""
FEWEST, LONG = 3, 2.0
"""Bones that bear legs, from so many on, are segments of their own, if their hips are spread along
the body this many times as far as across it."""


@dataclass(frozen=True)
class Body:
    """Boxes, from the front on.

    Attributes:
        middles: (S, 3) of their centres [m, skeleton].
        sizes: (S, 3) length, width and height [m].
        bones: the bone that follows each of them.
        carriers: the box that each pair of legs hangs on.
    """

    middles: Floats
    sizes: Floats
    bones: tuple[int, ...]
    carriers: tuple[int, ...]

    @property
    def is_biped(self) -> bool:
        """Whether it has one pair of legs."""
        return len(self.carriers) == 1

    def of_pair(self, pair: int) -> Floats:
        """Centre (3,) of the box that a pair hangs on."""
        found: Floats = self.middles[self.carriers[pair]]
        return found


def body_of(anatomy: Anatomy) -> Body:
    """The body of an anatomy."""
    middle, size = _box(anatomy)
    bearers = [anatomy.bearer(pair) for pair in range(len(anatomy.legs))]
    bones = list(dict.fromkeys(bearers))
    hips = np.array([left.joints[0] for left, _ in anatomy.legs])
    across = 2.0 * float(np.abs(hips[:, 1] - middle[1]).mean())
    if len(bones) < FEWEST or float(np.ptp(hips[:, 0])) < LONG * across:
        return Body(middle[None], size[None], (anatomy.body,), (0,) * len(bearers))
    carriers = tuple(bones.index(bone) for bone in bearers)
    return _segmented(anatomy, middle, size, bones, carriers)


def _segmented(
    anatomy: Anatomy, middle: Floats, size: Floats, bones: list[int], carriers: tuple[int, ...]
) -> Body:
    """Boxes end to end, with their borders halfway between the hips of one and of the next."""
    hips = np.array([left.joints[0][0] for left, _ in anatomy.legs])
    along = np.array([hips[np.array(carriers) == box].mean() for box in range(len(bones))])
    between = 0.5 * (along[:-1] + along[1:])
    front, rear = 2.0 * along[0] - between[0], 2.0 * along[-1] - between[-1]
    borders = np.array([max(front, hips.max()), *between, min(rear, hips.min())])
    middles = np.tile(middle, (len(bones), 1))
    middles[:, 0] = 0.5 * (borders[:-1] + borders[1:])
    sizes = np.tile(size, (len(bones), 1))
    sizes[:, 0] = borders[:-1] - borders[1:]
    return Body(middles, sizes, _followers(anatomy, bones), carriers)


def _followers(anatomy: Anatomy, bones: list[int]) -> tuple[int, ...]:
    """Bones that follow boxes: those that bear legs, but the root of all where it bears none."""
    root = 0
    above = [anatomy.skeleton.path(bone, root)[:-1] for bone in bones]
    first = min(range(len(bones)), key=lambda box: len(above[box]))
    found = list(bones)
    if bones[first] != root and not set(above[first]) & set(bones):
        found[first] = root
    return tuple(found)


def _box(anatomy: Anatomy) -> tuple[Floats, Floats]:
    """The middle of the whole body [m, skeleton] and its length, width and height [m]."""
    hips = np.array([leg.joints[0] for pair in anatomy.legs for leg in pair])
    feet = np.array([leg.joints[-1] for pair in anatomy.legs for leg in pair])
    reach = max(left.reach for left, _ in anatomy.legs)
    skins = [anatomy.skeleton.skins[bone] for bone in anatomy.trunk]
    skin = np.concatenate([*skins, hips])
    margin = 0.04 * reach  # legs ahead and behind turn about their hips
    low = max(float(skin[:, 0].min()), float(hips[:, 0].min()) - margin)
    high = min(float(skin[:, 0].max()), float(hips[:, 0].max()) + margin)
    near = skin[(skin[:, 0] >= low - 1e-9) & (skin[:, 0] <= high + 1e-9)]
    x = float(feet[:, 0].mean())
    x = min(max(x, low), high)
    y = 0.5 * float(hips[:, 1].max() + hips[:, 1].min())
    bottom, top = float(near[:, 2].min()), float(near[:, 2].max())
    bottom = max(bottom, anatomy.ground + 0.3 * (float(hips[:, 2].min()) - anatomy.ground))
    half = float(np.abs(hips[:, 1] - y).min())
    if abs(anatomy.legs[0][0].pole[2]) < 0.5:  # legs below the body
        rise = float(hips[:, 2].min()) - anatomy.ground
        bottom = max(bottom, anatomy.ground + BELLY * rise)
        if len(anatomy.legs) > 1:  # else it stands upright, its neck above its hips
            top = min(top, float(hips[:, 2].max()) + BACK * rise)
        half = min(half, float(np.abs(feet[:, 1] - y).min()))
        half = max(half - 1.1 * SLIM * reach, 0.3 * half)
    width = 2.0 * min(half, max(float(np.abs(near[:, 1] - y).max()), 0.5 * half))
    size = [2.0 * max(high - x, x - low, 0.1 * reach), width, max(top - bottom, 0.08 * reach)]
    return np.array([x, y, 0.5 * (bottom + top)]), np.array(size)

"""Bad walkers whose fault is in how legs move, and where their bones are."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from creature_sim.score import Track

OFTEN = slice(100, None, 50)
"""One tick of fifty."""


def with_tips(track: Track, tips: np.ndarray) -> Track:
    """The track with its last joints elsewhere, and wanted there."""
    joints = track.joints.copy()
    joints[:, :, -1] = tips
    return replace(track, joints=joints, foot=tips)


def tangling(track: Track) -> Track:
    """The knees of the two front legs of the left side are at one place, now and then."""
    joints = track.joints.copy()
    middle = 0.5 * (joints[OFTEN, 0, 1:-1] + joints[OFTEN, 2, 1:-1])
    joints[OFTEN, 0, 1:-1] = joints[OFTEN, 2, 1:-1] = middle
    return replace(track, joints=joints)


def hugging(track: Track) -> Track:
    """A leg passes through the body to its foot, now and then."""
    joints = track.joints.copy()
    joints[OFTEN, 0, 1:-1] = track.position[OFTEN, None]
    return replace(track, joints=joints)


def whipping(track: Track) -> Track:
    """Feet are thrown up in mid-swing."""
    tips = track.tips.copy()
    for leg, first, last in track.swings():
        rise = np.sin(np.linspace(0.0, np.pi, last - first)) ** 4
        up = track.ups_at(tips[first:last, leg])
        tips[first:last, leg] += 0.4 * track.reach[leg] * rise[:, None] * up
    return with_tips(track, tips)


def stamping(track: Track) -> Track:
    """Feet come down from 1 % of their reach in the last tick of a swing."""
    tips = track.tips.copy()
    for leg, _, last in track.swings():
        tips[last - 1, leg] += 0.01 * track.reach[leg] * track.ups_at(tips[last - 1, leg])
    return with_tips(track, tips)


def grazing(track: Track) -> Track:
    """The last bone of a leg lies on the ground: its centre line over it, its underside not."""
    joints = track.joints.copy()
    aside = np.cross(track.ups_at(track.position), track.ahead)
    ankle = joints[:, 0, -1] - 0.4 * track.reach[0] * aside
    joints[:, 0, -2] = ankle + 0.01 * track.reach[0] * track.ups_at(ankle)
    return replace(track, joints=joints)


def popping(track: Track) -> Track:
    """A knee rises by a tenth of the reach within a tick, and sinks again."""
    joints = track.joints.copy()
    joints[OFTEN, 0, 2] += 0.1 * track.reach[0] * track.ups_at(joints[OFTEN, 0, 2])
    return replace(track, joints=joints)


def wobbling(track: Track) -> Track:
    """A knee is a tenth of a millimetre beside the plane that its hinges leave it."""
    joints = track.joints.copy()
    joints[300, 0, 2] += 1e-4 * track.ahead[300]
    return replace(track, joints=joints)


LEG_FAULTS: dict[Callable[[Track], Track], set[str]] = {
    tangling: {"M22"},
    hugging: {"M22"},
    whipping: {"M24"},
    stamping: {"M25"},
    popping: {"M26"},
    wobbling: {"M26"},
    grazing: {"M27"},
}
"""What each of them fails."""

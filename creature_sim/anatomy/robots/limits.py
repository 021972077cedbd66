"""What the joints of a robot's leg allow, as the joints of a creature's leg."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import atan2, cos, pi, sin
from typing import Any

import numpy as np

from creature_sim.anatomy.robots.swings import Swings
from creature_sim.definitions.hinging import CONE
from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats, unit, vec

SWING = 1.4
"""A thigh is swung no farther than this from straight across its hip's axis [rad]..."""
FOLDS = 1.8
"""...but this far where no sole is below it: the knee of a leg that folds comes above its hip."""
SIDEWAYS = 0.5
"""What is added where a hip has no joint that swings its leg sideways, either way [rad]."""
YAW = 1.05
"""A hip about an upright axis turns no farther than this, either way [rad]."""
LEVEL = (-2.2, 1.6)
"""Of a joint behind it that is added: from more than upright to upright [rad]."""
KNEE = (0.05, 2.75)
"""A knee stays on its side [rad]."""
STRAIGHT = 1e-6
"""A knee that bends less than this has the side that its limits let it bend to [rad]."""
BEND = 2.9
TURN = 2.0 * pi - 1e-6
"""A hinge of a ball that turns so far has no end: it comes round to where it began. Such a ball has
the cone of one of which nothing is written [rad]."""
ANKLE = ((-1.9, 1.6), (-0.7, 0.7))
UP = 0.75
ALONG = 0.97
"""Cosine of the angle to a thigh up to which a hip's joint twists it, and swings it nowhere."""
IMAGE = np.array([1.0, -1.0, 1.0])


@dataclass(frozen=True)
class Turn:
    """A joint as its leg stands: its axis, and how far it may turn from there [rad]."""

    name: str
    axis: Floats
    low: float
    high: float

    @property
    def mirrored(self) -> "Turn":
        """The same of a leg on the other side."""
        return replace(self, axis=-self.axis * IMAGE)


@dataclass(frozen=True)
class Limits:
    """Of a leg.

    Attributes:
        hips: joints that turn its plane.
        bends: joints that bend it in its plane, hip first; None for a ball.
        ankle: joints of a foot that lies: in its plane, and out of it.
        points: (J, 3) of all bends and the foot, or of what stands on a sole [m].
        pole: which way knees point.
        is_insect: whether an upright hip turns it.
        has_coxa: whether that is a bone of its own.
        is_ball: whether the hip's joints are behind the first that bends the leg: they turn with
            the thigh, as the hinges do that are written for a ball.
    """

    hips: tuple[Turn, ...]
    bends: tuple[Turn | None, ...]
    ankle: tuple[Turn | None, Turn | None] | None
    points: Floats
    pole: Floats
    is_insect: bool
    has_coxa: bool
    is_ball: bool = False

    @property
    def mirrored(self) -> "Limits":
        """The same of a leg on the other side."""
        pitch, roll = self.ankle or (None, None)
        return replace(
            self,
            hips=tuple(hip.mirrored for hip in self.hips),
            bends=tuple(bend and bend.mirrored for bend in self.bends),
            ankle=self.ankle and (pitch and pitch.mirrored, roll and roll.mirrored),
            points=self.points * IMAGE,
            pole=self.pole * IMAGE,
        )

    @property
    def added(self) -> str:
        """What a creature's leg has beyond the robot's; empty: nothing."""
        if self.is_lifted:
            return "a joint that lifts it at its hip"
        if not self.is_insect and self._sideways() is None and self.bends[0] is not None:
            return "a joint that swings it sideways at its hip"
        return ""

    @property
    def is_lifted(self) -> bool:
        """Whether a joint is added at an upright hip, for there is one knee alone behind it."""
        return self.is_insect and self.has_coxa and len(self.bends) < 2

    @property
    def names(self) -> str:
        """Of the joints, hip first."""
        bends = [bend.name for bend in self.bends if bend]
        ankles = [turn.name for turn in self.ankle or () if turn]
        return ", ".join([*(hip.name for hip in self.hips), *bends, *ankles])

    @property
    def longest(self) -> float:
        """How far the foot gets from the hip [m]."""
        at, heading = np.zeros(2), 0.0
        lengths = np.linalg.norm(self.points[1:] - self.points[:-1], axis=1)
        for index, length in enumerate(lengths.tolist()):
            if index and not (self.has_coxa and index == 1 and not self.is_lifted):
                low, high = self._bend(index, self._angles()[index - 1])
                heading += min(max(0.0, low), high)
            at += length * np.array([cos(heading), sin(heading)])
        return float(np.hypot(*at))

    def joints(self, ahead: Floats) -> list[dict[str, Any]]:
        """The tables of a creature's file.

        Args:
            ahead: level direction from the hip to where the foot rests.

        Raises:
            DefinitionError: it bends about an upright axis.
        """
        bones = self.points[1:] - self.points[:-1]
        angles = self._angles()
        hip = self._insect if self.is_insect else self._ball
        found = hip(ahead, bones[0])
        for index, angle in enumerate(angles, 1):
            if not (self.has_coxa and index == 1) or self.is_lifted:
                found.append(_hinge(*self._bend(index, angle)))
        if self.ankle is not None:
            found.append(self._ankle(bones))
        return found

    def _about(self) -> Floats:
        """What bends turn about so that they bend away from the pole."""
        line = self.points[-1] - self.points[0]
        line = line / max(float(np.linalg.norm(line)), 1e-12)
        out = line - float(line @ self.pole) * self.pole
        found = np.cross(self.pole, out)
        return np.asarray(found / max(float(np.linalg.norm(found)), 1e-12))

    def _angles(self) -> list[float]:
        """How far each bone but the first is bent from that before, away from the pole [rad]."""
        normal = self._about()
        ways = self.points[1:] - self.points[:-1]
        ways = ways - np.outer(ways @ normal, normal)
        found = []
        for before, after in pairwise(ways):
            found.append(atan2(float(np.cross(before, after) @ normal), float(before @ after)))
        return found

    def _bend(self, index: int, angle: float) -> tuple[float, float]:
        """Limits of a joint behind the first."""
        low, high = _range(self.bends[index - self._offset], self._about())
        low, high = max(angle + low, -BEND), min(angle + high, BEND)
        if index == 1 + (self.has_coxa and not self.is_lifted):  # the knee
            side = angle if abs(angle) > STRAIGHT else low + high
            low, high = (
                (max(low, KNEE[0]), min(high, KNEE[1]))
                if side > 0.0
                else (
                    max(low, -KNEE[1]),
                    min(high, -KNEE[0]),
                )
            )
        return low, high

    @property
    def _offset(self) -> int:
        """Bones before the first that bends."""
        return 1 if self.has_coxa else 0

    def _insect(self, ahead: Floats, bone: Floats) -> list[dict[str, Any]]:
        """The joints of an upright hip, and of the bone that it carries."""
        hip = self.hips[0]
        up = np.array([0.0, 0.0, 1.0])
        level = self.points[-1] - self.points[0] if not self.has_coxa else bone
        yaw = atan2(float(np.cross(ahead, level) @ up), float(ahead @ level))
        low, high = _range(hip, up)
        low, high = max(yaw + low, -YAW), min(yaw + high, YAW)
        if self.has_coxa and not self.is_lifted:
            down, rise = _range(self.bends[0], self._about())
            angle = self._angles()[0]
            second = _hinge(max(angle + down, -BEND), min(angle + rise, BEND))
            return [_hinge(low, high, (0.0, 0.0, 1.0)), second]
        out = bone * [1.0, 1.0, 0.0]
        sign = 1.0 if self.pole[2] >= 0.0 else -1.0
        slope = atan2(-float(bone[2]) * sign, float(np.linalg.norm(out)))
        down, rise = LEVEL[0] - slope, LEVEL[1] - slope
        if not self.is_lifted:
            down, rise = _range(self.bends[0], self._about())
        return [
            {
                "kind": "universal",
                "axis": [0.0, 0.0, 1.0],
                "lo": [_digits(low), _digits(max(slope + down, -2.8))],
                "hi": [_digits(high), _digits(min(slope + rise, 2.8))],
            }
        ]

    def _sideways(self) -> Turn | None:
        """The hip that swings a leg sideways: most level, and most across its knees.

        Of a ball it is the one across the thigh in the plane of the leg, however steep that is.
        """
        thigh = unit(vec(self.points[1] - self.points[0]), (0.0, 0.0, -1.0))
        across = np.cross(self._about(), thigh if self.is_ball else [0.0, 0.0, 1.0])
        across = across / max(float(np.linalg.norm(across)), 1e-12)
        found = [
            hip
            for hip in self.hips
            if abs(float(hip.axis @ across)) > UP and abs(float(hip.axis @ thigh)) < ALONG
        ]
        return found[0] if found else None

    def _ball(self, ahead: Floats, bone: Floats) -> list[dict[str, Any]]:
        """The joint of a hip that swings its leg fore and aft, and sideways."""
        hip, first = self._sideways(), self.bends[0]
        normal = self._about()
        sideways = hip.axis if hip else np.cross(normal, [0.0, 0.0, 1.0])
        sideways = sideways - float(sideways @ normal) * normal
        thigh = bone - float(bone @ normal) * normal
        size = float(np.linalg.norm(sideways))
        if min(size, float(np.linalg.norm(thigh))) < 1e-6:
            raise DefinitionError(
                f"expected a leg that bends about a level axis, found another: {self.names}"
            )
        sideways = sideways / size
        none = (-SIDEWAYS, SIDEWAYS)
        aside = (hip.low, hip.high) if hip else none
        if first is None:
            aside = (-0.8, 0.8)
        is_round = self.is_ball and first is not None and first.high - first.low >= TURN
        most_aside = CONE if is_round else SWING
        aside = max(aside[0], -most_aside), min(aside[1], most_aside)
        across = np.cross(sideways, normal)
        now = atan2(float(np.cross(across, thigh) @ normal), float(across @ thigh))
        side = 0.0 if abs(now) <= 0.5 * pi else pi  # which way is straight across the hip
        off = (now - side + pi) % (2.0 * pi) - pi
        swing = CONE if is_round else FOLDS if self._is_plain else SWING
        least, most = (-pi, pi) if is_round else _range(first, normal)
        low, high = max(least, -swing - off), min(most, swing - off)
        low, high = min(low, 0.0), max(high, 0.0)
        swings = Swings(sideways, normal, thigh, (low, high), aside, bool(hip and self.is_ball))
        rest = swings.direction(0.5 * (aside[0] + aside[1]), 0.5 * (low + high))
        y = np.cross([0.0, 0.0, 1.0], ahead)
        rests = [_digits(float(part)) for part in (rest @ ahead, rest @ y, rest[2])]
        if not self._is_plain:
            cone = [_down(part) for part in swings.cone(rest, self.pole)]
            return [{"kind": "ball", "cone": cone, "rest": rests}]
        *cone, twist = [_down(part) for part in swings.ball(rest, self.pole)]
        found = {"kind": "ball", "cone": cone, "twist": [-twist, twist], "rest": rests}
        if first is not None and (least < low or most > high):
            middle = 0.5 * (low + high)
            found["swing"] = [_up(least - middle), _down(most - middle)]
        return [found]

    @property
    def _is_plain(self) -> bool:
        """Whether no joint of its hip or foot twists its leg."""
        return self.ankle is None and self.bends[0] is not None and len(self.hips) < 2

    def _ankle(self, bones: Floats) -> dict[str, Any]:
        """The joint of a foot: its bone points down."""
        assert self.ankle is not None
        normal = self._about()
        shin = bones[-1] - float(bones[-1] @ normal) * normal
        down = np.array([0.0, 0.0, -1.0])
        down = down - float(down @ normal) * normal
        angle = atan2(float(np.cross(shin, down) @ normal), float(shin @ down))
        pitch, roll = self.ankle
        low, high = _range(pitch, normal) if pitch else (-1.3, 1.3)
        low, high = max(angle + low, -BEND), min(angle + high, BEND)
        if roll is None:
            return _hinge(low, high) if pitch else _universal((low, high), ANKLE[1])
        left, right = _range(roll, np.cross(shin, normal))
        return _universal((low, high), (max(left, -1.2), min(right, 1.2)))


def both(left: Sequence[dict[str, Any]], right: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The joints that two legs of a pair have in common, the right one seen in a mirror.

    Raises:
        DefinitionError: they are joints of other kinds.
    """
    kinds = [[(one["kind"], one.get("axis")) for one in leg] for leg in (left, right)]
    if kinds[0] != kinds[1]:
        raise DefinitionError("expected a right leg that mirrors the left one, found other joints")
    found = []
    for one, other in zip(left, right, strict=True):
        joint = dict(one)
        if "cone" in joint:
            joint["cone"] = [min(a, b) for a, b in zip(one["cone"], other["cone"], strict=True)]
            if "twist" in joint:
                joint["twist"] = max(one["twist"], other["twist"])
            if "swing" in one and "swing" in other:
                (a, b), (c, d) = one["swing"], other["swing"]
                joint["swing"] = [max(a, c), min(b, d)]
            else:
                joint.pop("swing", None)
        elif isinstance(joint["lo"], list):
            joint["lo"] = [max(a, b) for a, b in zip(one["lo"], other["lo"], strict=True)]
            joint["hi"] = [min(a, b) for a, b in zip(one["hi"], other["hi"], strict=True)]
        else:
            joint["lo"], joint["hi"] = max(one["lo"], other["lo"]), min(one["hi"], other["hi"])
        found.append(joint)
    return found


def _range(turn: Turn | None, axis: Floats) -> tuple[float, float]:
    """How far a joint may turn about an axis that is its own or the opposite [rad]."""
    if turn is None:
        return -pi, pi
    low, high = max(turn.low, -pi), min(turn.high, pi)
    return (low, high) if float(turn.axis @ axis) > 0.0 else (-high, -low)


def _hinge(
    low: float, high: float, axis: tuple[float, float, float] = (0.0, 1.0, 0.0)
) -> dict[str, Any]:
    return {"kind": "hinge", "axis": list(axis), "lo": _digits(low), "hi": _digits(high)}


def _universal(pitch: tuple[float, float], roll: tuple[float, float]) -> dict[str, Any]:
    return {
        "kind": "universal",
        "axis": [0.0, 1.0, 0.0],
        "lo": [_digits(pitch[0]), _digits(roll[0])],
        "hi": [_digits(pitch[1]), _digits(roll[1])],
    }


def _digits(angle: float) -> float:
    return round(angle, 4) + 0.0


def _down(angle: float) -> float:
    return max(0.0, float(np.floor(angle * 1e4 + STRAIGHT) / 1e4))  # 1.4 is no 1.3999


def _up(angle: float) -> float:
    return -_down(-angle)

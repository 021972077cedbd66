"""How a robot's leg stands: bent as far as its limits let it, its foot below it or beside it."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import atan2, hypot, pi

import numpy as np

from creature_sim.anatomy.robots.chains import Chain, is_insect
from creature_sim.anatomy.robots.machine import Machine, Pose
from creature_sim.maths import Floats
from creature_sim.robots.robot import BALL

BELOW, UPRIGHT = 0.74, 0.82
"""A leg below the body is stretched so far, over its reach; one on a sole stands straighter."""
BESIDE, DOWN = 0.62, 0.42
"""The foot of a leg beside the body is so far out and down, over its reach."""
SAMPLES = (1, 241, 49, 17, 9)
"""Angles of each joint that are tried, by how many joints there are behind the first."""
EVEN = 1e-3
"""Of poses that stand as well, that which bends less is taken; and of two legs of one, that whose
knee points back."""
BACK = 0.02
LIFTED = 0.5
"""A leg that its hip does not lift is bent by this part of its range."""
ROOM = 0.2
"""Hips stand so far from their limits, or in their middle [rad]."""


@dataclass(frozen=True)
class Plane:
    """A leg in its plane, X out or ahead, Y down.

    Attributes:
        joints: index of the group of each joint that bends it, hip first.
        segments: (B, 2) from each joint to the next and to the foot, as joints are now [m].
        signs: of each joint's turn from X to Y.
        now: its angle [rad].
        low: least.
        high: greatest.
        is_insect: whether it stands beside the body.
        is_upright: whether it stands on a sole.
    """

    joints: tuple[int, ...]
    segments: Floats
    signs: tuple[float, ...]
    now: tuple[float, ...]
    low: tuple[float, ...]
    high: tuple[float, ...]
    is_insect: bool
    is_upright: bool


def plane_of(
    machine: Machine,
    chain: Chain,
    bends: Sequence[int],
    end: Floats,
    pose: Pose,
    angles: Sequence[float],
    is_upright: bool,
) -> Plane:
    """A leg in its plane.

    Args:
        machine: the robot.
        chain: the leg.
        bends: those of its joints that bend it above its foot.
        end: of the last of them: the foot, or an ankle [m].
        pose: of the robot, Z up.
        angles: in that pose.
        is_upright: whether it stands on a sole.
    """
    up = np.array([0.0, 0.0, 1.0])
    beside = is_insect(machine, chain, pose, up)
    knee = bends[-1]
    normal = pose.turns[knee] @ machine.axis(knee)
    down = -up + float(up @ normal) * normal
    down = down / np.linalg.norm(down)
    out = np.cross(down, normal)
    points = np.array([*(pose.places[group] for group in bends), end])
    middle = pose.places[0] if not beside else points[0] * [0.0, 0.0, 1.0]
    way = points[0] - middle if beside else np.array([1.0, 0.0, 0.0])
    if float(out @ way) < 0.0:
        out = -out
    about = np.cross(out, down)
    signs, low, high = [], [], []
    for group in bends:
        joint = machine.joint(group)
        is_ball = joint.kind == BALL
        if is_ball:
            machine.balls[group] = pose.turns[group].T @ about
        axis = about if is_ball else pose.turns[group] @ machine.axis(group)
        signs.append(1.0 if float(axis @ about) > 0.0 else -1.0)
        bound = pi if is_ball else max(-pi, joint.lo), pi if is_ball else min(pi, joint.hi)
        low.append(-pi if is_ball else bound[0])
        high.append(bound[1])
        if low[-1] > high[-1]:  # a range beyond half a turn
            low[-1], high[-1] = joint.lo, joint.hi
    ways = points[1:] - points[:-1]
    segments = np.stack((ways @ out, ways @ down), axis=1)
    now = tuple(angles[group] for group in bends)
    return Plane(
        tuple(bends), segments, tuple(signs), now, tuple(low), tuple(high), beside, is_upright
    )


def longest(plane: Plane) -> float:
    """How far its foot gets from its hip within its limits [m]."""
    return max(hypot(*foot) for _, foot, _ in _bent(plane))


def standing(plane: Plane, reach: float, depth: float | None) -> tuple[float, ...]:
    """Angles of its joints, hip first [rad].

    Args:
        plane: the leg.
        reach: of it, see `longest` [m].
        depth: of the ground below the hip [m]; None: as it likes.
    """
    want_x = BESIDE * reach if plane.is_insect else 0.0
    part = DOWN if plane.is_insect else UPRIGHT if plane.is_upright else BELOW
    want_y = part * reach if depth is None else depth
    if plane.is_insect and len(plane.joints) == 1:  # the hip does not lift it: bent half-way
        low, high = sorted((plane.low[0], plane.high[0]), key=abs)
        return (low + (high - low) * LIFTED,)
    best: tuple[float, tuple[float, ...]] = (np.inf, plane.now)
    for behind, foot, knee in _bent(plane):
        turn = atan2(want_y, want_x) - atan2(foot[1], foot[0])
        first = _nearest(plane, plane.now[0] + plane.signs[0] * turn)
        turn = plane.signs[0] * (first - plane.now[0])
        x, y = _turned(foot, turn)
        cost = ((y - want_y) ** 2 + (x - want_x) ** 2 * (0.3 if plane.is_insect else 1.0)) / (
            reach * reach
        )
        at = _turned(knee, turn)
        off = (at[0] * y - at[1] * x) / (reach * reach)  # above 0: outside or ahead of the line
        cost += BACK * (off < 0.0 if plane.is_insect else off > 0.0)
        cost += EVEN * sum(abs(angle) for angle in behind) / pi
        if cost < best[0]:
            best = (float(cost), (first, *behind))
    return best[1]


def hips_at_rest(machine: Machine, chain: Chain) -> dict[int, float]:
    """Angles of its hips as near to 0 as they come with some room to either side."""
    found = {}
    for group in chain.hips:
        joint = machine.joint(group)
        room = min(ROOM, 0.5 * (joint.hi - joint.lo))
        found[group] = min(max(0.0, joint.lo + room), joint.hi - room)
    return found


Bent = tuple[tuple[float, ...], tuple[float, float], tuple[float, float]]


def _bent(plane: Plane) -> list[Bent]:
    """Angles of joints behind the first, and where the foot and the knee are then [m, plane]."""
    count = len(plane.joints) - 1
    samples = SAMPLES[min(count, len(SAMPLES) - 1)]
    grids = [
        np.linspace(plane.low[index], plane.high[index], samples).tolist()
        for index in range(1, count + 1)
    ]
    found: list[Bent] = []
    first = plane.segments[0]
    for behind in product(*grids):
        heading, x, y = 0.0, float(first[0]), float(first[1])
        for index, angle in enumerate(behind, 1):
            heading += plane.signs[index] * (angle - plane.now[index])
            dx, dy = _turned(plane.segments[index], heading)
            x, y = x + dx, y + dy
        found.append((behind, (x, y), (float(first[0]), float(first[1]))))
    return found


def _turned(vector: Sequence[float] | Floats, angle: float) -> tuple[float, float]:
    c, s = float(np.cos(angle)), float(np.sin(angle))
    return float(vector[0] * c - vector[1] * s), float(vector[0] * s + vector[1] * c)


def _nearest(plane: Plane, angle: float) -> float:
    """The angle of the first joint that is nearest to one within its limits, whole turns aside."""
    turns = [angle + 2.0 * pi * k for k in (0, -1, 1)]
    inside = [one for one in turns if plane.low[0] <= one <= plane.high[0]]
    if inside:
        return min(inside, key=abs)
    clamped = [min(max(one, plane.low[0]), plane.high[0]) for one in turns]
    return min(clamped, key=lambda one: min(abs(one - turn) for turn in turns))

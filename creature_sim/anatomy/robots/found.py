"""A robot as an animal: which of its limbs are legs, how it stands, what its joints allow."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import atan2, inf

import numpy as np

from creature_sim.anatomy.anatomy import MAX_PAIRS, Anatomy, AsRobot, assembled
from creature_sim.anatomy.frame import Frame
from creature_sim.anatomy.legs import Leg, posed, thickness_of
from creature_sim.anatomy.limbs import Limb, Pair, limbs_of, pairs_of
from creature_sim.anatomy.robots.chains import Chain, chain_of
from creature_sim.anatomy.robots.feet import foot_of, sole_of
from creature_sim.anatomy.robots.frames import frames_of, refuse_held, skeleton_of
from creature_sim.anatomy.robots.limits import Limits, Turn
from creature_sim.anatomy.robots.loops import loop_in
from creature_sim.anatomy.robots.machine import Machine, Pose, within
from creature_sim.anatomy.robots.standing import (
    Plane,
    hips_at_rest,
    longest,
    plane_of,
    standing,
)
from creature_sim.anatomy.robots.surfaces import Surfaces
from creature_sim.anatomy.skeleton import Skeleton
from creature_sim.errors import DefinitionError
from creature_sim.maths import Floats
from creature_sim.robots.reading import Reading
from creature_sim.robots.robot import BALL

UP = np.array([0.0, 0.0, 1.0])
NEAR = 0.25
"""Legs are those limbs whose feet come so near to the lowest ground, over their reach."""
COXA = 0.03
"""An upright hip is a bone of its own if it is so far from the next joint, over the reach."""
DROP = 0.12
"""Hips are so far above the ground, over the reach."""
STICKS_OUT = 0.1
"""A leg that is farther from upright may have a foot that lies only as it comes down [rad]."""
FILE = Frame("+Y", "+Z", 1.0, {})
"""Of the model that is written: that of glTF."""


@dataclass(frozen=True)
class Found:
    """What was found in a robot.

    Attributes:
        anatomy: of it.
        machine: its groups of links.
        surfaces: what is drawn of them.
        pose: as it stands, in our frame.
    """

    anatomy: Anatomy
    machine: Machine
    surfaces: Surfaces
    pose: Pose


@dataclass
class _Limb:
    """A limb that may stand."""

    limb: Limb
    chain: Chain
    plane: Plane
    reach: float
    has_sole: bool
    foot: Floats  # [m, last group of its bends, or of its ankles]
    tilt: float = 0.0  # by which its hip turns it from angles of 0 until its sole lies [rad]


def found_in_robot(reading: Reading) -> Found:
    """The anatomy of a robot.

    Raises:
        DefinitionError: it is held to the world, or has no legs that it could stand on.
    """
    machine = Machine(reading.robot)
    refuse_held(machine, reading.file)
    surfaces = Surfaces(machine)
    finders = [_Finder(reading, machine, surfaces, frame) for frame in frames_of(machine, surfaces)]
    return max(finders, key=lambda finder: len(finder.legs)).found()


class _Finder:
    def __init__(
        self, reading: Reading, machine: Machine, surfaces: Surfaces, frame: Frame
    ) -> None:
        self._file = reading.file
        self._reading = reading
        self._machine = machine
        self._surfaces = surfaces
        self._frame = frame
        self._angles = [0.0] * len(machine.links)
        self._reasons: list[str] = []

        machine.balls.clear()
        self._limbs, _ = limbs_of(self._skeleton())
        alike = [replace(one, is_leg=False) for one in self._limbs]
        pairs, self._alone = pairs_of(self._skeleton(), alike)
        self._pose_at_zero()
        stood = [self._pair(pair) for pair in pairs]
        self.legs = self._standing([legs for legs in stood if legs is not None])
        self._balls = dict(machine.balls)

    def found(self) -> Found:
        """What was found.

        Raises:
            DefinitionError: it has no legs, or too many, or some of closed loops.
        """
        machine, legs, limbs = self._machine, self.legs, self._limbs
        machine.balls.update(self._balls)
        if not legs or len(legs) > MAX_PAIRS:
            raise self._refused(limbs, self._alone, len(legs))
        loop = loop_in(limbs, self._skeleton())
        if loop and not all(left.chain.hips for left, _ in legs):
            raise DefinitionError(f"{self._file}: {loop}")
        skeleton = self._skeleton()
        ground = min(float(self._foot(leg)[2]) for pair in legs for leg in pair)
        chosen: list[Pair] = [(left.limb, right.limb) for left, right in legs]
        made = tuple(
            (self._leg(left, skeleton, ground), self._leg(right, skeleton, ground))
            for left, right in legs
        )
        notes = [*self._reading.notes, *self._surfaces.notes, *self._notes(made, chosen)]
        found = assembled(
            self._file, FILE, skeleton, ground, made, chosen, limbs, list(dict.fromkeys(notes))
        )
        joints = sum(link.joint is not None for link in map(machine.link, range(len(self._angles))))
        about = AsRobot(machine.robot.mass, joints, self._frame, self._reading.faults)
        return Found(replace(found, robot=about), machine, self._surfaces, self._pose())

    def _pose(self) -> Pose:
        return self._machine.posed(self._angles, self._frame.turn)

    def _skeleton(self) -> Skeleton:
        return skeleton_of(self._machine, self._surfaces, self._pose())

    def _pose_at_zero(self) -> None:
        """All joints as near to 0 as their limits let them be."""
        for group in range(1, len(self._angles)):
            self._angles[group] = within(self._machine.joint(group), 0.0)

    def _pair(self, pair: Pair) -> tuple[_Limb, _Limb] | None:
        """A pair of limbs, bent as they would stand; None if they could not."""
        try:
            return self._limb(pair[0]), self._limb(pair[1])
        except DefinitionError as error:
            name = self._machine.names[pair[0].root]
            self._reasons.append(f"limb {name!r}: {error}")
            return None

    def _limb(self, limb: Limb) -> _Limb:
        machine = self._machine
        groups = (*limb.bones, *(() if limb.tip is None else (limb.tip,)))
        chain = chain_of(machine, groups, self._pose(), UP)
        self._angles = list(self._angles)
        for group, angle in hips_at_rest(machine, chain).items():
            self._angles[group] = angle
        pose = self._pose()
        last = chain.groups[-1]
        has_sole = False
        foot = foot_of(machine, self._surfaces, last)
        bends = chain.bends
        tilt = self._tilt(chain, pose)
        lying = self._turned(chain, tilt) if tilt else pose
        sole = sole_of(machine, self._surfaces, chain, lying)
        if sole:
            has_sole = True
            ankle = chain.ankles[0] if sole == "ankle" else chain.bends[-1]
            bends = bends if sole == "ankle" else bends[:-1]
            end = pose.places[ankle]
        else:
            end = pose.turns[last] @ foot + pose.places[last]
        plane = plane_of(machine, chain, bends, end, pose, self._angles, has_sole)
        if len(plane.joints) < 2 and not plane.is_insect:
            raise DefinitionError("expected a knee, found none")
        sign = plane.signs[0]
        return _Limb(limb, chain, plane, longest(plane), has_sole, foot, sign * tilt)

    def _tilt(self, chain: Chain, pose: Pose) -> float:
        """By which a hip turns its leg until its last group is flat [rad].

        0 where that is flatter with all joints at 0 than with the leg straight down: in a file of
        which a leg sticks out at 0, its foot does not lie then.
        """
        hip, last = chain.bends[0], chain.groups[-1]
        joint = self._machine.joint(hip)
        if joint.kind == BALL or len(chain.bends) < 2 or not self._surfaces.groups[last]:
            return 0.0
        axis = pose.turns[hip] @ self._machine.axis(hip)
        line = pose.places[chain.bends[-1]] - pose.places[hip]
        turn = atan2(float(np.cross(line, -UP) @ axis), float(-line @ UP))
        if abs(turn) < STICKS_OUT:
            return 0.0
        turned = self._turned(chain, turn)
        return turn if self._height(last, turned) < self._height(last, pose) else 0.0

    def _turned(self, chain: Chain, turn: float) -> Pose:
        """The pose with a leg turned at its hip [rad], whatever its limits say."""
        angles = list(self._angles)
        angles[chain.bends[0]] += turn
        return self._machine.posed(angles, self._frame.turn)

    def _height(self, group: int, pose: Pose) -> float:
        """Of what is drawn of a group [m]."""
        return float(
            np.ptp(
                np.concatenate(
                    [one.points @ pose.turns[group][2] for one in self._surfaces.groups[group]]
                )
            )
        )

    def _bend(self, leg: _Limb, depth: float | None) -> None:
        angles = standing(leg.plane, leg.reach, depth)
        for group, angle in zip(leg.plane.joints, angles, strict=True):
            self._angles[group] = angle
        if leg.has_sole:
            self._level_sole(leg)

    def _level_sole(self, leg: _Limb) -> None:
        """Turn the joints below an ankle so that the foot lies as it does at its `tilt`."""
        total = sum(
            sign * (self._angles[group] - now)
            for group, sign, now in zip(
                leg.plane.joints, leg.plane.signs, leg.plane.now, strict=True
            )
        )
        machine, pose = self._machine, self._pose()
        knee, foot = leg.plane.joints[-1], self._feet(leg)[0]
        other = pose.turns[knee] @ machine.axis(knee)
        if machine.joint(foot).kind == BALL:
            machine.balls[foot] = pose.turns[foot].T @ other
        axis = pose.turns[foot] @ machine.axis(foot)
        sign = leg.plane.signs[-1] * (1.0 if float(axis @ other) > 0.0 else -1.0)
        self._angles[foot] = within(machine.joint(foot), -sign * (total - leg.tilt))

    def _feet(self, leg: _Limb) -> list[int]:
        """Groups behind the last that bends a leg above its foot."""
        return [group for group in leg.chain.groups if group > leg.plane.joints[-1]]

    def _foot(self, leg: _Limb, pose: Pose | None = None) -> Floats:
        """Where a leg touches the ground, or below its ankle if it has a sole [m]."""
        pose, last = pose or self._pose(), leg.chain.groups[-1]
        if leg.has_sole:
            skin = self._surfaces.groups[last]
            low = min(
                float((one.points @ pose.turns[last].T + pose.places[last])[:, 2].min())
                for one in skin
            )
            ankle = self._ankle(leg, pose)
            return np.array([ankle[0], ankle[1], low])
        return np.asarray(pose.turns[last] @ leg.foot + pose.places[last])

    def _ankle(self, leg: _Limb, pose: Pose) -> Floats:
        found: Floats = pose.places[self._feet(leg)[0]]
        return found

    def _standing(self, pairs: list[tuple[_Limb, _Limb]]) -> list[tuple[_Limb, _Limb]]:
        """Those that stand, bent so that all feet are on one ground."""
        zero = list(self._angles)
        for pair in pairs:
            for leg in pair:
                self._bend(leg, None)
        heights = [max(float(self._foot(leg)[2]) for leg in pair) for pair in pairs]
        hips = [
            min(float(self._pose().places[leg.plane.joints[0]][2]) for leg in pair)
            for pair in pairs
        ]
        lowest = min(heights, default=inf)
        chosen = [
            pair
            for pair, height, hip in zip(pairs, heights, hips, strict=True)
            if height - lowest < NEAR * pair[0].reach and hip - height > DROP * pair[0].reach
        ]
        ground = max((self._foot(leg)[2] for pair in chosen for leg in pair), default=0.0)
        self._angles = zero
        for pair in chosen:
            for leg in pair:
                hip = self._pose().places[leg.plane.joints[0]]
                self._bend(leg, float(hip[2] - ground) - self._below(leg))
        return chosen

    def _below(self, leg: _Limb) -> float:
        """How far the ground is below an ankle whose sole lies [m]."""
        if not leg.has_sole:
            return 0.0
        pose = self._turned(leg.chain, leg.plane.signs[0] * leg.tilt)
        return float(self._ankle(leg, pose)[2] - self._foot(leg, pose)[2])

    def _leg(self, leg: _Limb, skeleton: Skeleton, ground: float) -> Leg:
        machine, pose = self._machine, self._pose()
        bones = list(leg.plane.joints)
        has_coxa = False
        if leg.plane.is_insect:
            hip = leg.chain.hips[0]
            has_coxa = (
                float(np.linalg.norm(pose.places[hip] - pose.places[bones[0]])) > COXA * leg.reach
            )
            bones = [hip, *bones] if has_coxa else bones
        points = [*pose.places[bones]]
        sole = None
        if leg.has_sole:
            ankle = self._ankle(leg, pose)
            bones.append(self._feet(leg)[0])
            points.append(ankle)
            sole = self._sole(leg, ankle)
        points.append(self._foot(leg))
        if len(bones) < 2:
            raise DefinitionError(
                f"{self._file}: expected a knee of leg {machine.names[bones[0]]!r}, found none"
            )
        joints = np.array(points)
        found = posed(tuple(bones), joints, sole)
        plane = joints[:-1] if sole else joints
        limits = Limits(
            tuple(self._turn(group, pose) for group in leg.chain.hips),
            tuple(
                None if machine.joint(group).kind == BALL else self._turn(group, pose)
                for group in leg.plane.joints
            ),
            self._ankle_turns(leg, pose) if sole else None,
            plane,
            np.array(found.pole),
            leg.plane.is_insect,
            has_coxa,
            len(leg.chain.hips) > 1 and leg.chain.hips[0] > leg.plane.joints[0],
        )
        del ground
        return replace(found, thickness=thickness_of(skeleton, found), limits=limits)

    def _sole(self, leg: _Limb, ankle: Floats) -> tuple[float, float]:
        """How far a sole reaches behind and ahead of its ankle [m]."""
        pose, last = self._pose(), leg.chain.groups[-1]
        skin = [
            one.points @ pose.turns[last].T + pose.places[last]
            for one in self._surfaces.groups[last]
        ]
        points = np.concatenate(skin)[:, 0] - ankle[0]
        toe = max(0.01, float(points.max()))
        return max(0.2 * toe, -float(points.min())), toe

    def _turn(self, group: int, pose: Pose) -> Turn:
        joint = self._machine.joint(group)
        axis = pose.turns[group] @ self._machine.axis(group)
        angle = self._angles[group]
        return Turn(joint.name, axis, joint.lo - angle, joint.hi - angle)

    def _ankle_turns(self, leg: _Limb, pose: Pose) -> tuple[Turn | None, Turn | None]:
        rest = [group for group in leg.chain.bends if group not in leg.plane.joints]
        pitch = self._turn(rest[0], pose) if rest else None
        rolls = [g for g in leg.chain.ankles if self._machine.joint(g).kind != BALL]
        return pitch, self._turn(rolls[0], pose) if rolls else None

    def _notes(self, legs: Sequence[tuple[Leg, Leg]], chosen: Sequence[Pair]) -> list[str]:
        machine = self._machine
        found = [
            f"leg {machine.names[left.bones[0]]!r} of the robot has no such thing, and the "
            f"creature's has: {left.limits.added}"
            for left, _ in legs
            if left.limits is not None and left.limits.added
        ]
        used = {group for pair in chosen for limb in pair for group in limb.all}
        still = [machine.joint(g).name for g in range(1, len(self._angles)) if g not in used]
        if still:
            more = f" and {len(still) - 6} more" if len(still) > 6 else ""
            found.append(f"joints that keep their angle: {', '.join(still[:6])}{more}")
        faults = self._reading.faults
        if faults:
            more = f"; and {len(faults) - 1} more" if len(faults) > 1 else ""
            found.append(f"forces would need what this walk does not: {faults[0]}{more}")
        return found

    def _refused(self, limbs: Sequence[Limb], alone: Sequence[Limb], count: int) -> DefinitionError:
        names = self._machine.names
        if count:
            return DefinitionError(
                f"{self._file}: expected 1 to {MAX_PAIRS} pairs of legs, found {count}"
            )
        why = f"; {self._reasons[0]}" if self._reasons else ""
        if not why and alone:
            why = f"; {names[alone[0].root]!r} has no other on the far side"
        return DefinitionError(
            f"{self._file}: expected legs (pairs of limbs beside the middle, with a hip and a "
            f"knee, that reach the ground), found {len(names) - 1} joints and {len(limbs)} limbs "
            f"beside the middle{why}"
        )

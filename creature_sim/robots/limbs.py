"""Legs of robots: bones with hinges between them, and a foot at the end.

A bone's frame is at the joint at its root, X along it, Y the axis about which knees bend; with all
angles 0 a leg is stretched out, level, towards where its foot stands. A foot's frame is at the tip,
turned as the last bone.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from creature_sim.definitions import LegDef
from creature_sim.definitions.hinging import HINGE, Joint
from creature_sim.definitions.legs import FLATNESS
from creature_sim.maths import Quat, Vec, Z, reject, sub, unit
from creature_sim.robots.inertia import box, capsule, disc
from creature_sim.robots.parts import Hinge, Part, bar, fastened, hung
from creature_sim.robots.robot import Link, Shape
from creature_sim.robots.turns import FLIPPED, UNTURNED, Turn, hip_turns, inner_turns


@dataclass(frozen=True)
class Limb:
    """A leg as parts of a robot.

    Attributes:
        name: of it.
        leg: its definition.
        joints: of its bones.
        radii: at its joints, hip to tip [m].
        force: that its foot is pressed on the ground with at most [N].
        bone_colour: #rrggbb.
        foot_colour: #rrggbb.
    """

    name: str
    leg: LegDef
    joints: Sequence[Joint]
    radii: Sequence[float]
    force: float
    bone_colour: str
    foot_colour: str

    def links(self, parent: int, index: int, position: Vec) -> list[Link]:
        """Of all bones, and the foot the last.

        Args:
            parent: index of the segment that it hangs on.
            index: that the first of the links gets.
            position: of the hip [m, parent].
        """
        found: list[Link] = []
        for bone, length in enumerate(self.leg.bones):
            hinge = Hinge(f"{self.name}_{self._joint_name(bone)}", self._effort(bone))
            turns = self._turns(bone)
            found += hung(self._bone(bone), parent, index + len(found), position, hinge, turns)
            parent, position = index + len(found) - 1, (length, 0.0, 0.0)
        return [*found, fastened(self._foot(), parent, position)]

    def _joint_name(self, bone: int) -> str:
        if bone == 0:
            return "hip"
        return "ankle" if self._is_ankle(bone) else f"joint_{bone}"

    def _is_ankle(self, bone: int) -> bool:
        return self.leg.foot is not None and bone == len(self.leg.bones) - 1

    def _turns(self, bone: int) -> list[Turn]:
        leg, joint = self.leg, self.joints[bone]
        flip: Quat = FLIPPED if leg.pole[2] < 0.0 else UNTURNED
        if bone == 0:
            side = 1.0 if leg.side == "left" else -1.0
            out = sub((*leg.home, 0.0), leg.mount)
            return hip_turns(joint, unit(reject(out, Z), (0.0, side, 0.0)), flip)
        is_level = bone == 1 and self.joints[0].kind == HINGE
        return inner_turns(joint, flip if is_level else UNTURNED)

    def _effort(self, bone: int) -> float:
        """Torque of a joint that carries its share with the leg stretched out, level [N m]."""
        arm = fsum(self.leg.bones[bone:])
        if self._is_ankle(bone) and self.leg.foot:
            arm = max(arm, self.leg.foot.heel, self.leg.foot.toe)
        return self.force * arm

    def _bone(self, bone: int) -> Part:
        length, radius = self.leg.bones[bone], 0.5 * (self.radii[bone] + self.radii[bone + 1])
        lump, end = capsule(radius, length), length
        if bone == len(self.leg.bones) - 1:  # the foot touches the ground, not the bone
            radius = min(radius, self._foot_height)
            end = length - 2.0 * self._foot_height
        shape = bar(0.0, end, radius, self.bone_colour)
        return Part(f"{self.name}_bone_{bone + 1}", lump, (shape,), radius)

    @property
    def _foot_height(self) -> float:
        """Half of the height of a pad, or the height of a sole [m]; less than that of its bone."""
        height = 2.0 * self.leg.sole[0][2] if self.leg.foot else FLATNESS * self.leg.pad
        return min(height, 0.25 * self.leg.bones[-1])

    def _foot(self) -> Part:
        """A pad, drawn flat and touching as a ball; or a sole across the last bone."""
        name, height, pad = f"{self.name}_foot", self._foot_height, self.leg.pad
        if self.leg.foot is None:
            middle = (-height, 0.0, 0.0)
            shape = Shape("sphere", (height,), middle, colour=self.foot_colour)
            return Part(name, disc(height, pad, middle), (shape,), height)
        half, ahead = self.leg.sole
        long = max(half[0], 0.5 * height)
        toes = self.leg.toes_side
        centre = (-0.5 * height, 0.0, toes * ahead)
        size = (height, 2.0 * half[1], 2.0 * long)
        shape = Shape("box", size, centre, colour=self.foot_colour)
        return Part(name, box(size, centre), (shape,), height)

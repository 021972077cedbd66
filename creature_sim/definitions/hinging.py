"""The joints of a leg as numbers: as its file writes them, or derived from how it stands."""

from collections.abc import Sequence
from math import fsum
from typing import TYPE_CHECKING, NamedTuple

from creature_sim.definitions.bending import bend_to
from creature_sim.definitions.joints import (
    BallJointDef,
    HingeJointDef,
    JointDef,
    UniversalJointDef,
)
from creature_sim.maths import (
    PI,
    Quat,
    Vec,
    Z,
    asin,
    atan2,
    clamp,
    cross,
    dot,
    norm,
    quat_from_axes,
    reject,
    scale,
    sin_cos,
    sub,
    unit,
)

if TYPE_CHECKING:
    from creature_sim.definitions.legs import LegPairDef

HINGE, BALL, UNIVERSAL = 0, 1, 2  # joint.kind

POLE_UP = 0.9
"""Cosine of the angle to the body's up or down within which a pole asks for a hinge at the hip."""
YAW = PI / 3.0
"""A derived first hinge turns this far to either side of home [rad]."""
WIDER = 1.15
"""Where strides need more, it turns this many times as far as they do."""
WIDEST = 1.4
"""A leg whose strides need more than this has its foot almost below its hip: a ball [rad]."""
LEVEL = (-2.2, 1.6)
"""Derived limits of the bone behind a level first one: from more than upright to upright [rad]."""
KNEE = (0.0, 2.75)
"""Derived limits of the bones behind it: they bend away from the pole only [rad]."""
CONE = PI / 2.0
"""Half-angle of a derived ball [rad]."""
ANKLE = (1.3, 0.6)
"""A derived ankle turns this far in the plane of its leg and out of it, either way [rad]..."""
SPARE = 0.6
"""...and this much farther than a stride on level ground needs: feet rise, and bodies tilt."""
ALONG = 0.34
"""Sine of the angle up to which a pole is along its leg: 20 degrees."""
SIDEWAYS = 1.2
"""One that turns out of the plane by more than this turns freely in it, and to both sides of it:
there that hardly bends it, and limits would make the sole jump from one to the other [rad]."""


class Joint(NamedTuple):
    """A joint as the kernels know it.

    Attributes:
        kind: `HINGE`, `BALL` or `UNIVERSAL`.
        lo: least angle: of a first joint's turn about the hip's Z, from home; of all others' about
            the Y of the bone before, in the plane of the leg, which bends away from the pole. Of
            the first of a universal joint's two angles [rad].
        hi: greatest.
        second_lo: least second angle of a universal joint: of a first joint about Y, in the plane
            of the leg from the horizontal; of an ankle about Z, out of the plane [rad].
        second_hi: greatest.
        cone: half-angles of a ball about the Y and about the Z of its rest [rad].
        swing: least and greatest angle about the Y of a ball's rest that its motor reaches, beyond
            the cone that walks stay in [rad].
        twist_lo: least turn of a ball about the bone [rad].
        twist_hi: greatest.
        turns: whether the sole of an ankle turns about the last bone.
        turn_lo: least such turn, from rest [rad].
        turn_hi: greatest.
        turn_rest: angle at rest from where the sole points in the plane of its leg [rad].
        frees_knees: whether knees follow the pole, wherever such a sole points.
        rest: first angle at rest [rad].
        second_rest: second angle at rest [rad].
        rotation: of the bone of a ball at rest [segment].
    """

    kind: int
    lo: float = 0.0
    hi: float = 0.0
    second_lo: float = 0.0
    second_hi: float = 0.0
    cone: tuple[float, float] = (0.0, 0.0)
    swing: tuple[float, float] = (0.0, 0.0)
    twist_lo: float = 0.0
    twist_hi: float = 0.0
    turns: bool = False
    turn_lo: float = 0.0
    turn_hi: float = 0.0
    turn_rest: float = 0.0
    frees_knees: bool = False
    rest: float = 0.0
    second_rest: float = 0.0
    rotation: Quat = (0.0, 0.0, 0.0, 1.0)


class Hip:
    """Where a leg begins, and how it stands: X level from the hip to home, Z up.

    Attributes:
        foot: what the bones that bend in the plane reach to at home: the foot, or the ankle above
            it [m, segment, from the hip].
        lengths: of those bones [m].
    """

    def __init__(self, leg: "LegPairDef", ride_height: float) -> None:
        """Take a leg of a body whose centre is at a height [m]."""
        self.leg = leg
        self.foot = self.reached((*leg.home, -ride_height))
        self.lengths = leg.bones[:-1] if leg.foot else leg.bones
        side = -1.0 if getattr(leg, "side", "left") == "right" else 1.0
        self.ahead = unit(reject(self.foot, Z), (0.0, side, 0.0))
        self.pole = unit(leg.pole, Z)
        self.sign = 1.0 if self.pole[2] >= 0.0 else -1.0

    def reached(self, foot: Vec) -> Vec:
        """From the hip to what the bones reach to where the tip is at `foot` [m, segment]."""
        ankle = self.leg.bones[-1] if self.leg.foot else 0.0
        return sub((foot[0], foot[1], foot[2] + ankle), self.leg.mount)

    def yaw_to(self, out: Vec) -> float:
        """Angle about Z from home to a direction [rad]."""
        return atan2(dot(cross(self.ahead, out), Z), dot(self.ahead, out))

    def derived(self, sway: float) -> tuple[JointDef, ...]:
        """Joints for a leg whose file says nothing of them.

        Args:
            sway: its foot goes this far from its home in a stride [m].
        """
        need = max(
            abs(self.yaw_to((self.foot[0] + sway * x, self.foot[1] + sway * y, 0.0)))
            for x, y in ((1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, -1.0))
        )
        knees = [KNEE] * (len(self.lengths) - 1)
        yaw = max(YAW, WIDER * need)
        if abs(self.pole[2]) <= POLE_UP or need > WIDEST:
            first: JointDef = BallJointDef(kind="ball", cone=(CONE, CONE))
        elif len(self.lengths) > 2 and self._is_able_with(knees):
            first = _yaw_hinge(yaw)
            knees[0] = LEVEL
        else:
            first = UniversalJointDef(
                kind="universal", axis=Z, lo=(-yaw, LEVEL[0]), hi=(yaw, LEVEL[1])
            )
        angles = self.pose((first, *(hinge(*knee) for knee in knees)))
        if isinstance(first, UniversalJointDef):
            low, high = _with(LEVEL, angles[0])
            first = first.model_copy(update={"lo": (-yaw, low), "hi": (yaw, high)})
        inner = [hinge(*_with(knee, angle)) for knee, angle in zip(knees, angles[1:], strict=True)]
        if not self.leg.foot:
            return first, *inner
        pitches, rolls = (-ANKLE[0], ANKLE[0]), (-ANKLE[1], ANKLE[1])
        for way in (0.0, sway, -sway):
            out = (self.foot[0] + way, self.foot[1], self.foot[2])
            pitch, roll = self.ankle(self.bent((first, *inner), out)[0], first, out)
            for off in (-SPARE, SPARE):
                pitches = _with(pitches, clamp(pitch + off, -PI, PI))
                rolls = _with(rolls, clamp(roll + off, -0.5 * PI, 0.5 * PI))
        if max(-rolls[0], rolls[1]) > SIDEWAYS:
            pitches, rolls = (-PI, PI), (-0.5 * PI, 0.5 * PI)
        ankle = UniversalJointDef(
            kind="universal",
            axis=(0.0, 1.0, 0.0),
            lo=(pitches[0], rolls[0]),
            hi=(pitches[1], rolls[1]),
            turn=(-PI, PI),
        )
        return first, *inner, ankle

    def _is_able_with(self, knees: Sequence[tuple[float, float]]) -> bool:
        """Whether the leg stands at home with its first bone level."""
        limits = ((-2.0 * PI, 2.0 * PI), *knees[1:])
        x, z = self._in_plane(self.foot, is_level=True)
        return bend_to(self.lengths[1:], limits, x, z).is_there

    def _in_plane(self, out: Vec, *, is_level: bool) -> tuple[float, float]:
        """A point in the plane of the leg, from its hip or from the end of a level bone [m]."""
        coxa = self.lengths[0] if is_level else 0.0
        return norm(reject(out, Z)) - coxa, self.sign * out[2]

    def pose(self, joints: Sequence[JointDef]) -> tuple[float, ...]:
        """Angles of the bones in the plane of the leg at home, the first from X [rad]."""
        return self.bent(joints, self.foot)[0]

    def bent(self, joints: Sequence[JointDef], out: Vec) -> tuple[tuple[float, ...], bool]:
        """Angles in the plane with the foot at a point from the hip, and whether it gets there."""
        hinges = [span(joint) for joint in joints[1 : len(self.lengths)]]
        first = joints[0]
        if isinstance(first, HingeJointDef):
            bend = bend_to(self.lengths[1:], hinges, *self._in_plane(out, is_level=True))
            return (0.0, *bend.angles), bend.is_there
        if isinstance(first, UniversalJointDef):
            limits = [(first.lo[1], first.hi[1]), *hinges]
            bend = bend_to(self.lengths, limits, *self._in_plane(out, is_level=False))
            return bend.angles, bend.is_there
        bend = bend_to(self.lengths, [(-PI, PI), *hinges], norm(out), 0.0)
        return bend.angles, bend.is_there

    def frame(self, out: Vec, angle: float, first: JointDef) -> tuple[Vec, Vec, Vec]:
        """Axes of a bone at an angle in the plane that holds a point from the hip [segment]."""
        if isinstance(first, BallJointDef):
            x = unit(out, (0.0, 0.0, -1.0))
            z = unit(reject(self.pole, x), self.ahead)
        else:
            x, z = unit(reject(out, Z), self.ahead), (0.0, 0.0, self.sign)
        y = cross(z, x)
        sine, cosine = sin_cos(angle)
        bone = _sum(scale(x, cosine), scale(z, -sine))
        return bone, y, cross(bone, y)

    def ankle(
        self, angles: Sequence[float], first: JointDef, out: Vec | None = None
    ) -> tuple[float, float]:
        """Angles of a foot bone that stands upright on level ground, in the plane and out [rad].

        Args:
            angles: of the bones in the plane of the leg [rad].
            first: joint at the hip.
            out: the ankle; none: at home [m, segment, from the hip].
        """
        heading = 0.0
        for angle in angles:
            heading += angle
        bone, y, z = self.frame(out or self.foot, heading, first)
        down = (0.0, 0.0, -1.0)
        return atan2(-dot(down, z), dot(down, bone)), asin(clamp(dot(down, y), -1.0, 1.0))

    @property
    def rules_knees(self) -> bool:
        """Whether the pole says where knees are: one along the leg says nothing."""
        line = unit(self.foot, (0.0, 0.0, -1.0))
        return norm(reject(self.pole, line)) > ALONG

    def toes(self, first: JointDef) -> Vec:
        """Where a sole that turns about the last bone points at home, level [segment].

        Ahead; outward where a hinge turns the leg about the hip.
        """
        return (1.0, 0.0, 0.0) if isinstance(first, BallJointDef) else self.ahead

    def toes_turn(self, angles: Sequence[float], first: JointDef) -> float:
        """Angle about the last bone from where a sole points in its leg's plane to `toes` [rad].

        Args:
            angles: of the bones in the plane of the leg, and of the ankle [rad].
            first: joint at the hip.
        """
        _, _, z = self.frame(self.foot, fsum(angles), first)
        z = scale(z, 1.0 if self.pole[0] >= 0.0 else -1.0)
        toes = self.toes(first)
        return atan2(dot(cross(toes, z), Z), dot(z, toes))

    def joints(self, sway: float) -> tuple[Joint, ...]:
        """One joint for each bone, as numbers; see `derived` for `sway`."""
        written = self.leg.joints or self.derived(sway)
        angles = self.pose(written)
        first = written[0]
        found = [self.first(first, angles[0])]
        for joint, angle in zip(written[1 : len(self.lengths)], angles[1:], strict=True):
            low, high = span(joint)
            rest = _rest(joint)
            found.append(Joint(HINGE, low, high, rest=angle if rest is None else rest))
        if self.leg.foot:
            pitch, roll = self.ankle(angles, first)
            turn = self.toes_turn((*angles, pitch), first)
            ankle = _ankle_joint(written[-1], pitch, roll, turn)
            found.append(ankle._replace(frees_knees=ankle.turns and self.rules_knees))
        return tuple(found)

    def first(self, joint: JointDef, angle: float) -> Joint:
        """The joint at the hip."""
        if isinstance(joint, BallJointDef):
            x, y, z = self.frame(self.foot, angle, joint)
            if joint.rest is not None:
                x = self._turned(unit(joint.rest, Z))
                z = unit(reject(self.pole, x), z)
                y = cross(z, x)
            turn = quat_from_axes(x, y, z)
            return Joint(
                BALL,
                cone=joint.cone,
                swing=joint.swing or (0.0, 0.0),
                twist_lo=joint.twist[0],
                twist_hi=joint.twist[1],
                rotation=turn,
            )
        if isinstance(joint, HingeJointDef):
            low, high = signed(joint.axis[2], joint.lo, joint.hi)
            rest = 0.0 if joint.rest is None else signed(joint.axis[2], joint.rest, joint.rest)[0]
            return Joint(HINGE, low, high, rest=rest)
        low, high = signed(joint.axis[2], joint.lo[0], joint.hi[0])
        rests = joint.rest or (0.0, angle)
        rest = signed(joint.axis[2], rests[0], rests[0])[0]
        return Joint(
            UNIVERSAL, low, high, joint.lo[1], joint.hi[1], rest=rest, second_rest=rests[1]
        )

    def _turned(self, direction: Vec) -> Vec:
        """A direction of the hip's frame [segment]."""
        x, y, z = self.ahead, cross(Z, self.ahead), Z
        return _sum(_sum(scale(x, direction[0]), scale(y, direction[1])), scale(z, direction[2]))


def span(joint: JointDef) -> tuple[float, float]:
    """Limits of a hinge in the plane of its leg, about [0, 1, 0] [rad]."""
    if isinstance(joint, HingeJointDef):
        return signed(joint.axis[1], joint.lo, joint.hi)
    if isinstance(joint, UniversalJointDef):
        return signed(joint.axis[1], joint.lo[0], joint.hi[0])
    return -PI, PI


def _rest(joint: JointDef) -> float | None:
    """Written angle at rest of a hinge in the plane of its leg, about [0, 1, 0] [rad]."""
    if not isinstance(joint, HingeJointDef) or joint.rest is None:
        return None
    return signed(joint.axis[1], joint.rest, joint.rest)[0]


def _ankle_joint(joint: JointDef, pitch: float, roll: float, turn: float) -> Joint:
    """The joint of a foot bone."""
    low, high = span(joint)
    if isinstance(joint, UniversalJointDef):
        if joint.rest is not None:
            pitch, roll = signed(joint.axis[1], joint.rest[0], joint.rest[0])[0], joint.rest[1]
        found = Joint(UNIVERSAL, low, high, joint.lo[1], joint.hi[1], rest=pitch, second_rest=roll)
        if joint.turn is None:
            return found
        lo, hi = joint.turn
        return found._replace(turns=True, turn_lo=lo, turn_hi=hi, turn_rest=turn)
    rest = _rest(joint)
    return Joint(HINGE, low, high, rest=pitch if rest is None else rest)


def signed(sign: float, low: float, high: float) -> tuple[float, float]:
    """Limits about an axis as those about the opposite one, if it points back."""
    return (low, high) if sign > 0.0 else (-high, -low)


def _with(limits: tuple[float, float], angle: float) -> tuple[float, float]:
    return min(limits[0], angle), max(limits[1], angle)


def _yaw_hinge(yaw: float) -> HingeJointDef:
    return HingeJointDef(kind="hinge", axis=Z, lo=-min(yaw, PI), hi=min(yaw, PI))


def hinge(low: float, high: float) -> HingeJointDef:
    """A hinge that bends a leg in its plane, away from the pole; any limits [rad]."""
    return HingeJointDef.model_construct(
        kind="hinge", axis=(0.0, 1.0, 0.0), lo=low, hi=high, rest=None
    )


def _sum(a: Vec, b: Vec) -> Vec:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]

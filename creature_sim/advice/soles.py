"""Poles of legs with soles, below hips that are balls: whether knees follow them.

A leg bends in the plane of its hip, its ankle and its pole. A sole that cannot turn about the last
bone points along that plane: so where the sole points rules the knees, and the pole only to which
side of it they are. One that can turn leaves the plane to the pole.
"""

from collections.abc import Iterator
from math import acos, degrees, radians

from creature_sim.advice.advice import Advice, rounded
from creature_sim.advice.shape import Shape
from creature_sim.definitions.hinging import Hip
from creature_sim.definitions.joints import BallJointDef, UniversalJointDef
from creature_sim.definitions.legs import LegPairDef
from creature_sim.maths import Vec, cross, dot, norm, unit

OFF = radians(30.0)
"""Knees may be so far from where the pole asks for them..."""
LEVEL = radians(70.0)
"""...and the plane of a leg so far from upright: beyond that small steps turn its sole far."""
ALONG = radians(15.0)
"""Knees whose pole comes nearer to the line from hip to ankle jump from one side to the other."""
RISES = (0.0, 0.2, 0.5, 1.0, 2.0)
"""Poles turned up by so much are tried in turn."""


def unruled(shape: Shape) -> Iterator[Advice]:
    """Poles that rule nothing, and soles that small steps turn far: their ankles cannot."""
    for key, leg in _legs(shape):
        if not leg.joints or _turns(leg):
            continue
        last = len(leg.joints) - 1
        text = ""
        for line in _lines(shape, leg, rises=False):
            toes = (leg.toes_side, 0.0, 0.0)
            plane = cross(line, toes)
            if norm(plane) < 1e-6 * norm(line):
                continue
            off = _angle(plane, cross(line, leg.pole))
            tilt = acos(min(1.0, abs(unit(plane, toes)[2])))
            if tilt < radians(90.0) - LEVEL:
                text = (
                    f"the plane of the leg lies within {degrees(tilt):.0f} degrees of level in a "
                    "stride, where its sole, which points along it, turns far in small steps"
                )
            elif off > OFF and not text:
                text = (
                    f"knees point {degrees(off):.0f} degrees beside {key}.pole, for the sole "
                    "points ahead, along the plane of the leg"
                )
        if text:
            yield Advice(
                f"{key}.joints[{last}].turn",
                None,
                [-1.5, 1.5],
                f"{text}; expected a sole that turns about the last bone",
            )


def knocked(shape: Shape) -> Iterator[Advice]:
    """Poles along the leg, where knees jump from one side to the other."""
    for key, leg in _legs(shape):
        if leg.joints and not _turns(leg):
            continue
        nearest = _nearest(shape, leg, leg.pole)
        if nearest >= ALONG or not Hip(leg, shape.definition.body.ride_height).rules_knees:
            continue
        x, y, z = unit(leg.pole, (0.0, 0.0, 1.0))
        better = None
        for rise in RISES:
            for pole in ((x, 0.5 * y, z + rise), (x, 0.0, z + rise), (0.0, y, z + rise)):
                if better is None and norm(pole) > 0.1 and _nearest(shape, leg, pole) > 2.0 * ALONG:
                    better = [rounded(part) for part in pole]
        text = (
            f"expected a direction across the leg, found one {degrees(nearest):.0f} degrees from "
            "the line from hip to ankle in a step: knees jump from one side of it to the other"
        )
        yield Advice(f"{key}.pole", list(leg.pole), better, text)


def _legs(shape: Shape) -> Iterator[tuple[str, LegPairDef]]:
    """Legs with soles whose hips are balls."""
    for key, leg in shape.legs:
        joints = leg.joints or Hip(leg, shape.definition.body.ride_height).derived(shape.need)
        if leg.foot and isinstance(joints[0], BallJointDef):
            yield key, leg


def _turns(leg: LegPairDef) -> bool:
    ankle = leg.joints[-1]
    return isinstance(ankle, UniversalJointDef) and ankle.turn is not None


def _nearest(shape: Shape, leg: LegPairDef, pole: Vec) -> float:
    """Least angle between a pole and the line from hip to ankle in a step [rad]."""
    return min(_angle(line, pole) for line in _lines(shape, leg, rises=True))


def _angle(a: Vec, b: Vec) -> float:
    """Between two lines [rad]."""
    size = norm(a) * norm(b)
    return acos(min(1.0, abs(dot(a, b)) / size)) if size > 0.0 else 0.0


def _lines(shape: Shape, leg: LegPairDef, *, rises: bool) -> Iterator[Vec]:
    """From the hip to the ankle, at home and at both ends of a stride, standing and lifted [m]."""
    x, y, _ = (float(part) for part in shape.plan.body[0].ahead)
    height, lift = shape.definition.body.ride_height, shape.definition.gait.step_height
    hip = Hip(leg, height)
    for up in (0.0, lift) if rises else (0.0,):
        for way in (0.0, shape.need, -shape.need):
            yield hip.reached((leg.home[0] + way * x, leg.home[1] + way * y, up - height))

"""Joints that keep a leg from what its gait and its body ask of it."""

from collections.abc import Iterator

from creature_sim.advice.advice import Advice
from creature_sim.advice.shape import ROOM, Shape
from creature_sim.advice.strides import shorter_strides
from creature_sim.definitions.forbidding import Forbidden, forbidding
from creature_sim.definitions.hinging import Hip
from creature_sim.definitions.legs import LegPairDef

SHORTER = 0.95
"""Strides are shortened by this factor until the joints allow them."""


def limited(shape: Shape) -> Iterator[Advice]:
    """Strides, crouches and rises that the written limits of a joint forbid."""
    body = shape.plan.body[0]
    height = shape.definition.body.ride_height
    heights = {
        f"a crouch to a height of {body.min_ride_height:.2g} m": float(body.min_ride_height),
        f"a rise to a height of {body.max_ride_height:.2g} m": float(body.max_ride_height),
    }
    for key, leg in shape.legs:
        if not leg.joints:
            continue
        forbidden = _stride(shape, leg, shape.need)
        if forbidden:
            yield Advice(
                f"{key}.joints[{forbidden.joint}]",
                None,
                None,
                f"a stride takes the foot {shape.need:.2g} m from home, for which this joint "
                f"needs {forbidden.text}",
                f"widen its limits{_shorter(shape, leg)}",
            )
            continue
        for what, wanted in heights.items():
            forbidden = forbidding(Hip(leg, height), leg.joints, (*leg.home, -wanted))
            if forbidden:
                yield Advice(
                    f"{key}.joints[{forbidden.joint}]",
                    None,
                    None,
                    f"for {what} this joint needs {forbidden.text}",
                    f"widen its limits, or move {key}.home",
                )
                break


def _stride(shape: Shape, leg: LegPairDef, need: float) -> Forbidden | None:
    """The joint that forbids a foot to go so far before and behind its home [m]."""
    height = shape.definition.body.ride_height
    x, y, _ = (float(part) for part in shape.plan.body[0].ahead)
    hip = Hip(leg, height)
    for way in (need, -need):
        place = (leg.home[0] + way * x, leg.home[1] + way * y, -height)
        forbidden = forbidding(hip, leg.joints, place)
        if forbidden:
            return forbidden
    return None


def _shorter(shape: Shape, leg: LegPairDef) -> str:
    """Another way out: strides that the joints allow, and room enough for them."""
    part = 1.0
    while part > 0.1 and _stride(shape, leg, part * shape.need):
        part *= SHORTER
    if part <= 0.1:
        return ""
    room = shape.room(shape.definition.body.ride_height)
    found = shorter_strides(shape, min(SHORTER * part, room / (ROOM * shape.need)))
    return f", or lower {' and '.join(f'{one.key} to {one.better:g}' for one in found)}"

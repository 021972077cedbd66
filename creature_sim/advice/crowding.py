"""Legs that are in each other's way where they rest: none of their feet ever finds a foothold."""

from collections.abc import Iterator

from creature_sim.advice.advice import Advice, rounded
from creature_sim.advice.shape import Shape
from creature_sim.locomotion.clearance import LAND_GAP
from creature_sim.locomotion.outlines import strip_of
from creature_sim.locomotion.strips import Strip, gap_between
from creature_sim.locomotion.strokes import STROKE_GAP
from creature_sim.maths import vec

THINNER = 0.95
THINNEST = 0.3
"""Thinner than this fraction of what they are no leg has to become: hips move apart instead."""


def crowding(shape: Shape) -> Iterator[Advice]:
    """Legs so thick for hips so near that each takes the footholds of the next one."""
    legs, definition = shape.plan.legs, shape.definition
    named = definition.named_legs()
    strips = [strip_of(leg, vec(leg.home)) for leg in legs]
    near: dict[str, tuple[float, float]] = {}
    for i, own in enumerate(strips):
        for j, other in enumerate(strips[:i]):
            reach = float(max(legs[i].reach, legs[j].reach))
            if legs[i].segment != legs[j].segment or _gap(own, other) >= LAND_GAP * reach:
                continue
            share = 1.0
            while share > THINNEST and _gap(own, other, share) < STROKE_GAP * reach:
                share *= THINNER
            for key in (named[i][0], named[j][0]):
                near[key] = min(near.get(key, (9.9, 9.9)), (share, _gap(own, other)))
    written = dict(shape.legs)
    for key in filter(near.__contains__, written):
        (share, gap), leg = near[key], written[key]
        radii = leg.radii(definition.trunk[leg.segment if leg.segment != "all" else 0].size[2])
        widths = [2.0 * radius for radius in radii[:-1]]
        text = (
            f"at rest the leg, up to {max(widths):.2g} m thick, is {max(0.0, gap):.2g} m from the "
            "next one, so that no foothold is free"
        )
        thinner = ", ".join(f"{rounded(share * width):g}" for width in widths)
        remedy = "move hips (mount) or feet (home) apart"
        if share > THINNEST:
            remedy = f"set {key}.thickness to [{thinner}], or {remedy}"
        yield Advice(f"{key}.thickness", list(leg.thickness) or None, None, text, remedy)


def _gap(a: Strip, b: Strip, share: float = 1.0) -> float:
    """How far two legs are apart from above, which are so much as thick [m]."""
    first, second = (
        strip._replace(hip=share * strip.hip, foot=share * strip.foot) for strip in (a, b)
    )
    return float(gap_between(first, second).size)

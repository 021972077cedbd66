"""Single legs that are written as if they were mirrored, as those of pairs are."""

from collections.abc import Iterator

from creature_sim.advice.advice import Advice
from creature_sim.advice.shape import Shape
from creature_sim.definitions.legs import LegDef


def misplaced(shape: Shape) -> Iterator[Advice]:
    """Legs of one side whose hip and foot are on the other one."""
    for key, leg in shape.legs:
        if not isinstance(leg, LegDef):
            continue
        sign = 1.0 if leg.side == "left" else -1.0
        if sign * leg.mount[1] >= 0.0 or sign * leg.home[1] >= 0.0:
            continue
        x, y, z = leg.mount
        other = "right" if leg.side == "left" else "left"
        text = (
            f"it is a {leg.side} leg, and its hip and its foot are on the {other}: Y is to the "
            "left, and what [[legs]] say is not mirrored"
        )
        yield Advice(f"{key}.mount", [x, y, z], [x, -y, z], text)
        yield Advice(f"{key}.home", list(leg.home), [leg.home[0], -leg.home[1]], text)

"""How the joints of a leg may turn, and how far they let its foot get."""

from typing import Any

import numpy as np

from creature_sim.anatomy.legs import UP, Leg, knee_of
from creature_sim.maths import cos, sin

GIVES = (0.2, 0.4, 0.8)
"""Joints beside the knee of a leg that stands below the body give by the first of these that lets
the foot stand [rad]: a hock and a fetlock are held by tendons (the reciprocal apparatus of horses
and dogs)."""


def joints_of(leg: Leg, give: float) -> list[dict[str, Any]]:
    """The joints of a leg, as the tables of a creature's file; see `GIVES`.

    A first joint is a hinge where a coxa is level, a ball where knees point ahead or back, and
    otherwise turns about two axes. Joints bend to the side that they are bent to at rest.
    """
    up = abs(leg.pole[2]) > UP
    found: list[dict[str, Any]]
    if leg.has_coxa:
        found = [_hinge((0.0, 0.0, 1.0), -1.05, 1.05)]
    elif up:
        found = [
            {"kind": "universal", "axis": [0.0, 0.0, 1.0], "lo": [-1.05, -2.2], "hi": [1.05, 1.6]}
        ]
    else:
        found = [{"kind": "ball", "cone": [1.4, 0.8]}]
    knee = knee_of(leg.angles)
    for index, angle in enumerate(leg.angles):
        if leg.has_coxa and index == 0:
            found.append(_hinge((0.0, 1.0, 0.0), -2.1, 1.5))
        elif index == knee or up:
            low, high = (0.05, 2.75) if angle >= -0.1 else (-2.2, -0.05)
            found.append(_hinge((0.0, 1.0, 0.0), low, high))
        else:
            low, high = round(angle - give, 2), round(angle + give, 2)
            found.append(_hinge((0.0, 1.0, 0.0), low, high))
    if leg.sole:
        found.append(
            {"kind": "universal", "axis": [0.0, 1.0, 0.0], "lo": [-1.9, -0.7], "hi": [1.6, 0.7]}
        )
    return found


def longest(leg: Leg, give: float) -> float:
    """How far a foot gets from its hip [m]: joints beside a knee give a little only."""
    if leg.limits is not None:
        return leg.limits.longest
    knee, up = knee_of(leg.angles), abs(leg.pole[2]) > UP
    at, heading = np.zeros(2), 0.0
    for index, length in enumerate(leg.lengths):
        bend = leg.angles[index - 1] if 0 < index <= len(leg.angles) else 0.0
        is_free = up or index - 1 == knee
        heading += 0.0 if is_free else max(0.0, abs(bend) - give) * (1.0 if bend > 0.0 else -1.0)
        at += length * np.array([cos(heading), sin(heading)])
    return float(np.hypot(*at))


def _hinge(axis: tuple[float, float, float], low: float, high: float) -> dict[str, Any]:
    return {"kind": "hinge", "axis": list(axis), "lo": low, "hi": high}

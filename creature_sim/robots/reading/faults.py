"""What a simulation with forces would refuse of a robot, and a walk without forces need not."""

from collections.abc import Iterator

import numpy as np

from creature_sim.robots.reading.elements import Element
from creature_sim.robots.reading.solids import matrix_of
from creature_sim.robots.robot import FIXED, Link

MARGIN = 1e-3
"""Moments may break the triangle inequality by this part: digits in files are few."""


def faults_of(link: Link, element: Element) -> Iterator[str]:
    """What is wrong with a link's mass and inertia, and with the effort of its joint.

    Args:
        link: of a robot.
        element: that it was read from.
    """
    where = f"{element.file}: line {element.line}: {element.shown}"
    moves = link.joint is not None and link.joint.kind != FIXED
    if link.mass <= 0.0:
        if moves:
            yield f"{where} mass: expected more than 0, for it moves, found {link.mass:g}"
        return
    moments = np.linalg.eigvalsh(matrix_of(link.inertia))
    if moments[0] <= 0.0:
        if moves or moments[2] != 0.0:
            yield f"{where} inertia: expected one above 0 about all axes, found {_shown(moments)}"
    elif moments[2] > (moments[0] + moments[1]) * (1.0 + MARGIN):
        yield (
            f"{where} inertia: expected moments of which none is larger than the other two "
            f"together, found {_shown(moments)}"
        )


def _shown(moments: object) -> str:
    return ", ".join(f"{part:.3g}" for part in np.asarray(moments).tolist())

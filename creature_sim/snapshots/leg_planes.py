"""Joints as their leg sees them: from its hip, in the plane in which it goes out from its body.

Most legs bend in one plane, so one of three numbers hardly changes there, and a recording is a
tenth smaller.
"""

import numpy as np

from creature_sim.maths import Floats
from creature_sim.maths.jit import kernel


@kernel
def turned_back(orientation: Floats, a: float, b: float, c: float) -> tuple[float, float, float]:
    """A vector (a, b, c) of the world as a body of this orientation sees it."""
    x, y, z, w = orientation
    # v - 2 w (q x v) + 2 q x (q x v): turned back by the unit quaternion
    e, f, g = y * c - z * b, z * a - x * c, x * b - y * a
    return (
        a - 2.0 * (w * e - (y * g - z * f)),
        b - 2.0 * (w * f - (z * e - x * g)),
        c - 2.0 * (w * g - (x * f - y * e)),
    )


@kernel
def leg_plane(
    body: Floats, tip: tuple[float, float, float], hip: tuple[float, float, float]
) -> tuple[float, float]:
    """Cosine and sine of where a leg goes from its hip, along its body's floor.

    Writer and reader ask with the same rounded numbers, and so find the same to the bit.

    Args:
        body: (7,) position [grains, world] and orientation.
        tip: of the leg [grains, world].
        hip: as the body sees it [grains].
    """
    x, y, _ = turned_back(body[3:], tip[0] - body[0], tip[1] - body[1], tip[2] - body[2])
    x, y = x - hip[0], y - hip[1]
    far = np.sqrt(x * x + y * y)
    return (x / far, y / far) if far > 0.0 else (1.0, 0.0)


@kernel
def place_joints(
    found: Floats,
    bodies: Floats,
    tips: Floats,
) -> None:
    """Turn joints that were written in the planes of their legs to how their body sees them.

    Args:
        found: (L, J - 1, 3) hips, and what is seen from them [grains]; changed.
        bodies: (7,) position [grains] and orientation of the body, as written.
        tips: (L, 3) of the legs [grains, world].
    """
    for leg in range(len(found)):
        hip = found[leg, 0, 0], found[leg, 0, 1], found[leg, 0, 2]
        cosine, sine = leg_plane(bodies, (tips[leg, 0], tips[leg, 1], tips[leg, 2]), hip)
        for joint in range(1, found.shape[1]):
            x, y = found[leg, joint, 0], found[leg, joint, 1]
            found[leg, joint, 0] = hip[0] + cosine * x - sine * y
            found[leg, joint, 1] = hip[1] + sine * x + cosine * y
            found[leg, joint, 2] += hip[2]

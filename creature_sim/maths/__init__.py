"""Vectors, quaternions, reproducible elementary functions and counter-based random numbers.

Conventions, stated here once for the whole package:

- SI units, radians, float64. Right-handed frames: X forward, Y left, Z up (ROS REP-103).
- A quaternion is (x, y, z, w), of unit length, active: it turns body coordinates into world ones.
- The tick is fixed; `dt` is its length in seconds.

Kernels take and return plain tuples (`Vec`, `Quat`); `vec`, `quat` and `put` move them out of and
into arrays. Only + - * / and sqrt are used, whose results IEEE 754 fixes to the last bit; libm's
sin, exp and the like differ between machines.
"""

from creature_sim.maths.curves import (
    angle_between,
    approach,
    catmull_rom,
    inverse_smoothstep,
    slerp,
    smoothstep,
    spline_point,
    spring,
)
from creature_sim.maths.elementary import acos, asin, atan2, cos, exp, sin, sin_cos
from creature_sim.maths.quaternions import (
    nlerp,
    put_quat,
    quat,
    quat_about,
    quat_between,
    quat_conjugate,
    quat_from_axes,
    quat_multiply,
    quat_turned,
    quat_unit,
    rotate,
    turn_between,
    unrotate,
)
from creature_sim.maths.randomness import GOLDEN, random_bits, random_unit
from creature_sim.maths.vectors import (
    PI,
    TAU,
    Floats,
    Quat,
    Vec,
    X,
    Y,
    Z,
    add,
    along,
    any_normal,
    clamp,
    cross,
    distance,
    dot,
    mix,
    norm,
    put,
    reject,
    scale,
    sub,
    unit,
    vec,
)

__all__ = [
    "GOLDEN",
    "PI",
    "TAU",
    "Floats",
    "Quat",
    "Vec",
    "X",
    "Y",
    "Z",
    "acos",
    "add",
    "along",
    "angle_between",
    "any_normal",
    "approach",
    "asin",
    "atan2",
    "catmull_rom",
    "clamp",
    "cos",
    "cross",
    "distance",
    "dot",
    "exp",
    "inverse_smoothstep",
    "mix",
    "nlerp",
    "norm",
    "put",
    "put_quat",
    "quat",
    "quat_about",
    "quat_between",
    "quat_conjugate",
    "quat_from_axes",
    "quat_multiply",
    "quat_turned",
    "quat_unit",
    "random_bits",
    "random_unit",
    "reject",
    "rotate",
    "scale",
    "sin",
    "sin_cos",
    "slerp",
    "smoothstep",
    "spline_point",
    "spring",
    "sub",
    "turn_between",
    "unit",
    "unrotate",
    "vec",
]

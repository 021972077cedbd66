"""Vectors, quaternions, reproducible elementary functions and counter-based random numbers.

Conventions, stated here once for the whole package:

- SI units, radians, float64. Right-handed frames: X forward, Y left, Z up (ROS REP-103).
- A quaternion is (x, y, z, w), of unit length, active: it turns body coordinates into world ones.
- The tick is fixed; `dt` is its length in seconds.

Kernels take and return plain tuples (`Vec`, `Quat`); `vec`, `quat` and `put` move them out of and
into arrays. Only + - * / and sqrt are used, whose results IEEE 754 fixes to the last bit; libm's
sin, exp and the like differ between machines. The polynomials are those of fdlibm (Sun
Microsystems, 1993), good to about 1 ulp.
"""

from math import sqrt
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from creature_sim.jit import kernel

Vec: TypeAlias = tuple[float, float, float]
Quat: TypeAlias = tuple[float, float, float, float]
Floats: TypeAlias = NDArray[np.float64]

X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
"""Axes of any frame."""
PI = 3.141592653589793
TAU = 6.283185307179586
GOLDEN = 0.6180339887498949
"""Part of a whole whose multiples, taken modulo it, leave no gap for long."""


# --- vectors ---------------------------------------------------------------------------------


@kernel
def vec(array: Floats) -> Vec:
    """The vector in an array of shape (3,)."""
    return (array[0], array[1], array[2])


@kernel
def quat(array: Floats) -> Quat:
    """The quaternion in an array of shape (4,)."""
    return (array[0], array[1], array[2], array[3])


@kernel
def put(array: Floats, value: Vec) -> None:
    """Write a vector into an array of shape (3,)."""
    array[0] = value[0]
    array[1] = value[1]
    array[2] = value[2]


@kernel
def put_quat(array: Floats, value: Quat) -> None:
    """Write a quaternion into an array of shape (4,)."""
    array[0] = value[0]
    array[1] = value[1]
    array[2] = value[2]
    array[3] = value[3]


@kernel
def add(a: Vec, b: Vec) -> Vec:
    """Sum a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def sub(a: Vec, b: Vec) -> Vec:
    """Difference a - b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def scale(a: Vec, factor: float) -> Vec:
    """Product of a vector and a number."""
    return (a[0] * factor, a[1] * factor, a[2] * factor)


@kernel
def along(a: Vec, direction: Vec, distance: float) -> Vec:
    """Point a + direction * distance."""
    return (
        a[0] + direction[0] * distance,
        a[1] + direction[1] * distance,
        a[2] + direction[2] * distance,
    )


@kernel
def mix(a: Vec, b: Vec, share: float) -> Vec:
    """Point at `share` of the way from a (0) to b (1)."""
    return (
        a[0] + (b[0] - a[0]) * share,
        a[1] + (b[1] - a[1]) * share,
        a[2] + (b[2] - a[2]) * share,
    )


@kernel
def dot(a: Vec, b: Vec) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vec, b: Vec) -> Vec:
    """Vector product."""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@kernel
def norm(a: Vec) -> float:
    """Length of a vector."""
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@kernel
def distance(a: Vec, b: Vec) -> float:
    """Distance of two points."""
    return norm(sub(a, b))


@kernel
def unit(a: Vec, otherwise: Vec) -> Vec:
    """Direction of a vector; `otherwise` where it is too short (1e-12) to have one."""
    length = norm(a)
    if length < 1e-12:
        return otherwise
    return (a[0] / length, a[1] / length, a[2] / length)


@kernel
def reject(a: Vec, axis: Vec) -> Vec:
    """Part of `a` at right angles to the unit vector `axis`."""
    return along(a, axis, -dot(a, axis))


@kernel
def any_normal(a: Vec) -> Vec:
    """Some unit vector at right angles to the unit vector `a`, the same one every time."""
    if a[0] * a[0] <= a[1] * a[1] and a[0] * a[0] <= a[2] * a[2]:
        return unit(cross(a, (1.0, 0.0, 0.0)), (0.0, 1.0, 0.0))
    if a[1] * a[1] <= a[2] * a[2]:
        return unit(cross(a, (0.0, 1.0, 0.0)), (0.0, 0.0, 1.0))
    return unit(cross(a, (0.0, 0.0, 1.0)), (1.0, 0.0, 0.0))


@kernel
def clamp(value: float, low: float, high: float) -> float:
    """Nearest number to `value` in [low, high]."""
    if value < low:
        return low
    if value > high:
        return high
    return value


@kernel
def smoothstep(share: float) -> float:
    """Ease 3s^2 - 2s^3 from 0 to 1 with zero slope at both ends."""
    return share * share * (3.0 - 2.0 * share)


# --- splines -----------------------------------------------------------------------------------


@kernel
def catmull_rom(a: Vec, b: Vec, c: Vec, d: Vec, share: float) -> Vec:
    """Point at `share` of the way from b to c on the curve through a, b, c, d.

    Uniform, with the slope (c - a) / 2 at b (Catmull and Rom 1974).
    """
    slope_b = scale(sub(c, a), 0.5)
    slope_c = scale(sub(d, b), 0.5)
    way = sub(c, b)
    t = share
    point = along(b, slope_b, t * (1.0 - t) * (1.0 - t))
    point = along(point, way, t * t * (3.0 - 2.0 * t))
    return along(point, slope_c, t * t * (t - 1.0))


@kernel
def spline_point(keys: Floats, is_closed: bool, way: float) -> Vec:
    """Point of the Catmull-Rom spline through `keys` (K, 3), after `way` of its segments.

    A closed spline has K segments and `way` wraps; an open one has K - 1 and goes straight in at
    its ends (their neighbours beyond are mirrored).
    """
    count = keys.shape[0]
    last = count if is_closed else count - 1
    first = min(int(way), last - 1)
    share = way - first
    b = vec(keys[first])
    c = vec(keys[(first + 1) % count])
    if is_closed:
        return catmull_rom(vec(keys[first - 1]), b, c, vec(keys[(first + 2) % count]), share)
    a = vec(keys[first - 1]) if first > 0 else along(b, sub(b, c), 1.0)
    d = vec(keys[first + 2]) if first + 2 < count else along(c, sub(c, b), 1.0)
    return catmull_rom(a, b, c, d, share)


# --- reproducible elementary functions ---------------------------------------------------------


@kernel
def _sin_near_zero(x: float) -> float:
    """Sine for |x| <= pi/4."""
    z = x * x
    r = 8.33333333332248946124e-03 + z * (
        -1.98412698298579493134e-04
        + z
        * (
            2.75573137070700676789e-06
            + z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)
        )
    )
    return x + z * x * (-1.66666666666666324348e-01 + z * r)


@kernel
def _cos_near_zero(x: float) -> float:
    """Cosine for |x| <= pi/4."""
    z = x * x
    r = z * (
        4.16666666666666019037e-02
        + z
        * (
            -1.38888888888741095749e-03
            + z
            * (
                2.48015872894767294178e-05
                + z
                * (
                    -2.75573143513906633035e-07
                    + z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)
                )
            )
        )
    )
    half = 0.5 * z
    w = 1.0 - half
    return w + (((1.0 - w) - half) + z * r)


@kernel
def sin_cos(angle: float) -> tuple[float, float]:
    """Sine and cosine of an angle [rad], |angle| <= 1e6 (Cody and Waite's reduction by pi/2)."""
    turns = angle * 0.6366197723675814
    quarter = int(turns + 0.5) if turns >= 0.0 else int(turns - 0.5)
    # pi/2 in three parts; the first two have 33 bits, so their products with `quarter` are exact.
    r = angle - quarter * 1.57079632673412561417e00
    r = r - quarter * 6.07710050630396597660e-11
    r = r - quarter * 2.02226624879595063154e-21
    s = _sin_near_zero(r)
    c = _cos_near_zero(r)
    quadrant = quarter & 3
    if quadrant == 0:
        return (s, c)
    if quadrant == 1:
        return (c, -s)
    if quadrant == 2:
        return (-s, -c)
    return (-c, s)


@kernel
def sin(angle: float) -> float:
    """Sine of an angle [rad]."""
    return sin_cos(angle)[0]


@kernel
def cos(angle: float) -> float:
    """Cosine of an angle [rad]."""
    return sin_cos(angle)[1]


@kernel
def _atan_positive(x: float) -> float:
    """Arc tangent [rad] for x >= 0."""
    if x < 0.4375:
        base, rest = 0.0, 0.0
    elif x < 0.6875:
        base, rest = 4.63647609000806093515e-01, 2.26987774529616870924e-17
        x = (2.0 * x - 1.0) / (2.0 + x)
    elif x < 1.1875:
        base, rest = 7.85398163397448278999e-01, 3.06161699786838301793e-17
        x = (x - 1.0) / (x + 1.0)
    elif x < 2.4375:
        base, rest = 9.82793723247329054082e-01, 1.39033110312309984516e-17
        x = (x - 1.5) / (1.0 + 1.5 * x)
    else:
        base, rest = 1.57079632679489655800e00, 6.12323399573676603587e-17
        x = -1.0 / x
    z = x * x
    w = z * z
    odd = z * (
        3.33333333333329318027e-01
        + w
        * (
            1.42857142725034663711e-01
            + w
            * (
                9.09088713343650656196e-02
                + w
                * (
                    6.66107313738753120669e-02
                    + w * (4.97687799461593236017e-02 + w * 1.62858201153657823623e-02)
                )
            )
        )
    )
    even = w * (
        -1.99999999998764832476e-01
        + w
        * (
            -1.11111104054623557880e-01
            + w
            * (
                -7.69187620504482999495e-02
                + w * (-5.83357013379057348645e-02 + w * -3.65315727442169155270e-02)
            )
        )
    )
    return base - ((x * (odd + even) - rest) - x)


@kernel
def atan2(y: float, x: float) -> float:
    """Angle [rad, -pi to pi] of the vector (x, y); 0 for the zero vector."""
    if x == 0.0 and y == 0.0:
        return 0.0
    height = abs(y)
    width = abs(x)
    angle = _atan_positive(height / width) if width > 0.0 else 0.5 * PI
    if x < 0.0:
        angle = PI - angle
    return -angle if y < 0.0 else angle


@kernel
def acos(x: float) -> float:
    """Arc cosine [rad, 0 to pi]; x beyond [-1, 1] by rounding counts as its end."""
    x = clamp(x, -1.0, 1.0)
    return atan2(sqrt((1.0 - x) * (1.0 + x)), x)


@kernel
def asin(x: float) -> float:
    """Arc sine [rad, -pi/2 to pi/2]; x beyond [-1, 1] by rounding counts as its end."""
    x = clamp(x, -1.0, 1.0)
    return atan2(x, sqrt((1.0 - x) * (1.0 + x)))


@kernel
def inverse_smoothstep(value: float) -> float:
    """The share in [0, 1] whose `smoothstep` is `value`: 1/2 - sin(asin(1 - 2v) / 3)."""
    return 0.5 - sin(asin(1.0 - 2.0 * value) / 3.0)


@kernel
def slerp(a: Vec, b: Vec, share: float) -> Vec:
    """Unit vector at `share` of the turn from a to b, evenly by angle (Shoemake 1985)."""
    angle = 2.0 * asin(0.5 * distance(a, b))
    if angle < 1e-6:
        return b
    return unit(add(scale(a, sin((1.0 - share) * angle)), scale(b, sin(share * angle))), b)


@kernel
def exp(x: float) -> float:
    """Return e to the power x; 0 below x = -700, e^700 above 700."""
    if x < -700.0:
        return 0.0
    x = min(x, 700.0)
    shift = x * 1.44269504088896338700
    power = int(shift + 0.5) if shift >= 0.0 else int(shift - 0.5)
    high = x - power * 6.93147180369123816490e-01
    low = power * 1.90821492927058770002e-10
    r = high - low
    z = r * r
    c = r - z * (
        1.66666666666666019037e-01
        + z
        * (
            -2.77777777770155933842e-03
            + z
            * (
                6.61375632143793436117e-05
                + z * (-1.65339022054652515390e-06 + z * 4.13813679705723846039e-08)
            )
        )
    )
    result = 1.0 - ((low - (r * c) / (2.0 - c)) - high)
    factor = 2.0 if power > 0 else 0.5
    for _ in range(abs(power)):  # a power of two: exact
        result *= factor
    return result


@kernel
def approach(dt: float, time_constant: float) -> float:
    """Share of a gap that exponential smoothing closes in `dt`, the same at every tick rate."""
    return 1.0 - exp(-dt / time_constant)


@kernel
def spring(offset: float, rate: float, dt: float, stiffness: float) -> tuple[float, float]:
    """A critically damped spring after `dt`: offset from its rest, and rate; at any tick rate.

    The closed form x = (x0 + (v0 + w x0) t) exp(-w t), with w the stiffness [1/s].
    """
    drift = rate + stiffness * offset
    fading = exp(-stiffness * dt)
    return ((offset + drift * dt) * fading, (rate - stiffness * drift * dt) * fading)


# --- quaternions -------------------------------------------------------------------------------


@kernel
def quat_multiply(a: Quat, b: Quat) -> Quat:
    """Rotation b, then rotation a."""
    return (
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    )


@kernel
def quat_conjugate(q: Quat) -> Quat:
    """Inverse of a unit quaternion."""
    return (-q[0], -q[1], -q[2], q[3])


@kernel
def quat_unit(q: Quat) -> Quat:
    """The quaternion scaled to length 1; the identity where it has no direction."""
    length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if length < 1e-12:
        return (0.0, 0.0, 0.0, 1.0)
    return (q[0] / length, q[1] / length, q[2] / length, q[3] / length)


@kernel
def rotate(q: Quat, v: Vec) -> Vec:
    """Vector v turned by the unit quaternion q: v + 2w(u x v) + 2u x (u x v)."""
    u = (q[0], q[1], q[2])
    t = scale(cross(u, v), 2.0)
    return add(along(v, t, q[3]), cross(u, t))


@kernel
def unrotate(q: Quat, v: Vec) -> Vec:
    """Vector v turned by the inverse of the unit quaternion q."""
    return rotate(quat_conjugate(q), v)


@kernel
def quat_about(axis: Vec, angle: float) -> Quat:
    """Rotation by `angle` [rad] about a unit axis."""
    s, c = sin_cos(0.5 * angle)
    return (axis[0] * s, axis[1] * s, axis[2] * s, c)


@kernel
def quat_turned(turn: Vec) -> Quat:
    """Rotation by a rotation vector: about its direction, by its length [rad]."""
    angle = norm(turn)
    if angle < 1e-12:
        return (0.0, 0.0, 0.0, 1.0)
    return quat_about(scale(turn, 1.0 / angle), angle)


@kernel
def quat_between(a: Vec, b: Vec) -> Quat:
    """Shortest rotation of unit vector a onto unit vector b (half-way construction, no trig)."""
    w = 1.0 + dot(a, b)
    if w < 1e-9:  # opposite: half a turn about any axis at right angles
        n = any_normal(a)
        return (n[0], n[1], n[2], 0.0)
    c = cross(a, b)
    return quat_unit((c[0], c[1], c[2], w))


@kernel
def quat_from_axes(x: Vec, y: Vec, z: Vec) -> Quat:
    """Rotation whose images of X, Y, Z are the orthonormal x, y, z (Shepperd 1978)."""
    trace = x[0] + y[1] + z[2]
    if trace > 0.0:
        s = 2.0 * sqrt(trace + 1.0)
        q = ((y[2] - z[1]) / s, (z[0] - x[2]) / s, (x[1] - y[0]) / s, 0.25 * s)
    elif x[0] >= y[1] and x[0] >= z[2]:
        s = 2.0 * sqrt(1.0 + x[0] - y[1] - z[2])
        q = (0.25 * s, (y[0] + x[1]) / s, (z[0] + x[2]) / s, (y[2] - z[1]) / s)
    elif y[1] >= z[2]:
        s = 2.0 * sqrt(1.0 + y[1] - x[0] - z[2])
        q = ((y[0] + x[1]) / s, 0.25 * s, (z[1] + y[2]) / s, (z[0] - x[2]) / s)
    else:
        s = 2.0 * sqrt(1.0 + z[2] - x[0] - y[1])
        q = ((z[0] + x[2]) / s, (z[1] + y[2]) / s, 0.25 * s, (x[1] - y[0]) / s)
    return quat_unit(q)


@kernel
def nlerp(a: Quat, b: Quat, share: float) -> Quat:
    """Rotation at `share` from a to b on the shorter way, normalised linear interpolation."""
    sign = 1.0 if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] >= 0.0 else -1.0
    return quat_unit(
        (
            a[0] + (b[0] * sign - a[0]) * share,
            a[1] + (b[1] * sign - a[1]) * share,
            a[2] + (b[2] * sign - a[2]) * share,
            a[3] + (b[3] * sign - a[3]) * share,
        )
    )


# --- random numbers without state ----------------------------------------------------------------


@kernel
def _scramble(x: np.uint64) -> np.uint64:
    """Finaliser of splitmix64 (Steele, Lea and Flood 2014, figure 17)."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def random_bits(seed: int, stream: int, counter: int) -> np.uint64:
    """64 random bits that depend on the three numbers alone."""
    golden = np.uint64(0x9E3779B97F4A7C15)
    x = _scramble(np.uint64(seed) + golden)
    x = _scramble((x ^ np.uint64(stream)) + golden)
    return _scramble((x ^ np.uint64(counter)) + golden)


@kernel
def random_unit(seed: int, stream: int, counter: int) -> float:
    """Random number in [0, 1) that depends on the three numbers alone."""
    return float(random_bits(seed, stream, counter) >> np.uint64(11)) * 1.1102230246251565e-16

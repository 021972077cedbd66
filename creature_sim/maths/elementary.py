"""Elementary functions whose bits are the same on every machine.

The polynomials are those of fdlibm (Sun Microsystems, 1993), good to about 1 ulp.
"""

from math import sqrt

from creature_sim.maths.jit import kernel
from creature_sim.maths.vectors import PI, clamp


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
    r, quadrant = angle, 0
    if abs(turns) > 0.49:  # else it is near zero as it is, as most angles are
        quarter = int(turns + 0.5) if turns >= 0.0 else int(turns - 0.5)
        # pi/2 in three parts; of the first two, of 33 bits, products with `quarter` are exact.
        r = r - quarter * 1.57079632673412561417e00
        r = r - quarter * 6.07710050630396597660e-11
        r = r - quarter * 2.02226624879595063154e-21
        quadrant = quarter & 3
    s = _sin_near_zero(r)
    c = _cos_near_zero(r)
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

"""Curves in space and in time: easing, splines, springs."""

from creature_sim.maths.elementary import asin, exp, sin
from creature_sim.maths.jit import kernel
from creature_sim.maths.vectors import Floats, Vec, add, along, distance, scale, sub, unit, vec


@kernel
def smoothstep(fraction: float) -> float:
    """Ease 3s^2 - 2s^3 from 0 to 1 with zero slope at both ends, for s from 0 to 1."""
    return fraction * fraction * (3.0 - 2.0 * fraction)


@kernel
def catmull_rom(a: Vec, b: Vec, c: Vec, d: Vec, fraction: float) -> Vec:
    """Point at `fraction` of the segment from b (0) to c (1) on the curve through a, b, c, d.

    Uniform, with the slope (c - a) / 2 at b (Catmull and Rom 1974).
    """
    slope_b = scale(sub(c, a), 0.5)
    slope_c = scale(sub(d, b), 0.5)
    chord = sub(c, b)
    t = fraction
    point = along(b, slope_b, t * (1.0 - t) * (1.0 - t))
    point = along(point, chord, t * t * (3.0 - 2.0 * t))
    return along(point, slope_c, t * t * (t - 1.0))


@kernel
def spline_point(keys: Floats, is_closed: bool, parameter: float) -> Vec:
    """Point of the Catmull-Rom spline through `keys` (K, 3).

    Args:
        keys: (K, 3) points that it goes through.
        is_closed: Whether a segment leads from the last key back to the first. An open spline has
            no curvature at its ends: the keys beyond them are mirrored.
        parameter: Segments from the first key on, from 0 to K on a closed spline, to K - 1 on an
            open one.
    """
    count = keys.shape[0]
    last = count if is_closed else count - 1
    first = min(int(parameter), last - 1)
    fraction = parameter - first
    b = vec(keys[first])
    c = vec(keys[(first + 1) % count])
    if is_closed:
        return catmull_rom(vec(keys[first - 1]), b, c, vec(keys[(first + 2) % count]), fraction)
    a = vec(keys[first - 1]) if first > 0 else along(b, sub(b, c), 1.0)
    d = vec(keys[first + 2]) if first + 2 < count else along(c, sub(c, b), 1.0)
    return catmull_rom(a, b, c, d, fraction)


@kernel
def inverse_smoothstep(value: float) -> float:
    """The fraction in [0, 1] whose `smoothstep` is `value`: 1/2 - sin(asin(1 - 2v) / 3)."""
    return 0.5 - sin(asin(1.0 - 2.0 * value) / 3.0)


@kernel
def angle_between(a: Vec, b: Vec) -> float:
    """Angle between two unit vectors [rad]."""
    return 2.0 * asin(0.5 * distance(a, b))


@kernel
def slerp(a: Vec, b: Vec, fraction: float) -> Vec:
    """Unit vector at `fraction` of the turn from a (0) to b (1), even in angle (Shoemake 1985)."""
    angle = angle_between(a, b)
    if angle < 1e-6:
        return b
    return unit(add(scale(a, sin((1.0 - fraction) * angle)), scale(b, sin(fraction * angle))), b)


@kernel
def approach(dt: float, time_constant: float) -> float:
    """Fraction of a gap that exponential smoothing closes in `dt` [s], at any tick rate.

    The time constant [s] is the time in which all but 1/e of the gap closes.
    """
    return 1.0 - exp(-dt / time_constant)


@kernel
def spring(offset: float, rate: float, dt: float, stiffness: float) -> tuple[float, float]:
    """Offset from rest, and rate, of a critically damped spring after `dt` [s], at any tick rate.

    The closed form x = (x0 + (v0 + w x0) t) exp(-w t), with w the stiffness [1/s].
    """
    drift = rate + stiffness * offset
    fading = exp(-stiffness * dt)
    return ((offset + drift * dt) * fading, (rate - stiffness * drift * dt) * fading)

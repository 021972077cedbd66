"""Curves in space and in time: easing, splines, springs."""

from creature_sim.maths.elementary import asin, exp, sin
from creature_sim.maths.jit import kernel
from creature_sim.maths.vectors import Floats, Vec, add, along, distance, scale, sub, unit, vec


@kernel
def smoothstep(share: float) -> float:
    """Ease 3s^2 - 2s^3 from 0 to 1 with zero slope at both ends."""
    return share * share * (3.0 - 2.0 * share)


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

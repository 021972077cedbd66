"""Free flight of a body's centre under gravity."""

from math import sqrt

from creature_sim.components import GravityRecord
from creature_sim.locomotion.gravity import down_at
from creature_sim.maths import Vec, add, along, norm, scale, sub
from creature_sim.maths.jit import kernel

SHOTS = 6
"""A throw in a field that turns along the way is corrected so many times."""


@kernel
def fly_on(gravity: GravityRecord, position: Vec, velocity: Vec, dt: float) -> tuple[Vec, Vec]:
    """Position [m] and velocity [m/s] in free flight after a time [s]: x + v t + g t^2 / 2.

    In a uniform field exactly; towards a centre gravity is that of half the way.
    """
    g = scale(down_at(gravity, along(position, velocity, 0.5 * dt)), gravity.acceleration)
    moved = add(position, scale(add(velocity, scale(g, 0.5 * dt)), dt))
    return moved, add(velocity, scale(g, dt))


@kernel
def flown(
    gravity: GravityRecord, position: Vec, velocity: Vec, ticks: int, dt: float
) -> tuple[Vec, Vec]:
    """Position [m] and velocity [m/s] in free flight after so many ticks of `dt` [s]."""
    for _ in range(ticks):
        position, velocity = fly_on(gravity, position, velocity, dt)
    return position, velocity


@kernel
def least_time(acceleration: float, way: Vec) -> float:
    """Time in which a body gets as far as `way` [m] at the least speed of all [s].

    The throw of least speed halves the angle between the vertical and the line to the goal
    (Halley 1695): v^2 = g (h + r), with h the height and r the distance of the goal. It takes
    sqrt(2 r / g).
    """
    return sqrt(2.0 * norm(way) / acceleration)


@kernel
def throw(gravity: GravityRecord, begin: Vec, end: Vec, ticks: int, dt: float) -> Vec:
    """Velocity with which a body gets from one point to another in so many ticks [m/s, world]."""
    seconds = ticks * dt
    half = 0.5 * gravity.acceleration * seconds
    velocity = along(scale(sub(end, begin), 1.0 / seconds), down_at(gravity, begin), -half)
    for _ in range(SHOTS):
        missed = sub(end, flown(gravity, begin, velocity, ticks, dt)[0])
        velocity = along(velocity, missed, 1.0 / seconds)
    return velocity

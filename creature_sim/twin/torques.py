"""Torques that make a twin go as its walk wants: what it bears, and springs."""

import numpy as np

from creature_sim.maths import (
    Floats,
    Vec,
    add,
    along,
    clamp,
    cross,
    dot,
    put,
    quat,
    rotate,
    scale,
    sub,
    turn_between,
    unrotate,
    vec,
)
from creature_sim.maths.jit import kernel
from creature_sim.twin.forces import share_out
from creature_sim.twin.links import Feet, Gains, Hinges, Links
from creature_sim.twin.motion import Motion, point_of, whole_of
from creature_sim.twin.sliding import held_back

CARRY = 12.0
"""Frequency with which feet draw a body to where it should be, critically damped [rad/s]."""
TURN = 14.0
"""The same of its turning."""


@kernel
def press_feet(
    links: Links, gains: Gains, motion: Motion, wanted: Motion, down: Vec, feet: Feet
) -> None:
    """Find the forces that feet shall have, to bring a body to where it should be.

    Args:
        links: of the twin.
        gains: of it.
        motion: where it is.
        wanted: where it should be.
        down: gravity [m/s^2, world].
        feet: of it; their forces are written.
    """
    here, there = whole_of(motion, links), whole_of(wanted, links)
    pull = sub(scale(sub(there.centre, here.centre), CARRY * CARRY), down)
    pull = along(pull, sub(there.velocity, here.velocity), 2.0 * CARRY)
    turn, goal = quat(motion.orientation[0]), quat(wanted.orientation[0])
    spin = scale(turn_between(turn, goal), TURN * TURN)
    spin = along(spin, sub(vec(wanted.spin[0]), vec(motion.spin[0])), 2.0 * TURN)
    x, y, z = unrotate(turn, spin)
    torque = rotate(turn, (x * gains.inertia[0], y * gains.inertia[1], z * gains.inertia[2]))
    points = np.empty_like(feet.forces)
    for p in range(points.shape[0]):
        put(points[p], point_of(motion, links, p))
    force = scale(pull, gains.mass)
    whole = force, torque, here.centre, gains.reach
    share_out(*whole, points, links.owner, feet, gains.friction)


@kernel
def find_torques(
    links: Links,
    gains: Gains,
    motion: Motion,
    down: Vec,
    feet: Feet,
    hinges: Hinges,
    between: Floats,
    goal_rates: Floats,
) -> float:
    """Find the torques of all hinges.

    A hinge bears all forces on the links behind it: those of the ground on feet, and their weights.
    Feet that slide are held back. A spring draws it to its goal. No motor gives more than it has.

    Args:
        links: of the twin.
        gains: of it.
        motion: where it is.
        down: gravity [m/s^2, world].
        feet: of it, with the forces of the ground on them.
        hinges: of it; their torques are written.
        between: (A,) where they should be now [rad].
        goal_rates: (A,) how fast that changes [rad/s].

    Returns:
        Largest torque asked for, over what its motor has.
    """
    strain = 0.0
    count = links.parent.shape[0]
    pushes, moments = np.zeros((count, 3)), np.zeros((count, 3))  # moments about the origin
    for p in range(feet.forces.shape[0]):
        k = links.foot[links.owner[p]]
        push = sub(vec(feet.forces[p]), held_back(links, gains, motion, feet, p))
        put(pushes[k], add(vec(pushes[k]), push))
        put(moments[k], add(vec(moments[k]), cross(point_of(motion, links, p), push)))
    for k in range(count - 1, 0, -1):
        weight = scale(down, links.mass[k])
        push = add(vec(pushes[k]), weight)
        moment = add(vec(moments[k]), cross(vec(motion.centre[k]), weight))
        here = sub(moment, cross(vec(motion.position[k]), push))
        j = k - 1
        torque = -dot(vec(motion.axis[k]), here)
        torque += gains.stiffness[j] * (between[j] - hinges.angles[j])
        torque += gains.inertia_free[j] * hinges.pulls[j]
        torque += gains.damping[j] * (goal_rates[j] - hinges.rates[j])
        strain = max(strain, abs(torque) / gains.effort[j])
        hinges.torques[j] = _given(torque, hinges.rates[j], gains.effort[j], gains.velocity[j])
        parent = links.parent[k]
        put(pushes[parent], add(vec(pushes[parent]), push))
        put(moments[parent], add(vec(moments[parent]), moment))
    return strain


@kernel
def _given(torque: float, rate: float, effort: float, velocity: float) -> float:
    """The torque that a motor has: from half its velocity on the less, the faster it is driven."""
    most = effort * clamp(2.0 - 2.0 * rate / velocity, 0.0, 1.0)
    least = effort * clamp(2.0 + 2.0 * rate / velocity, 0.0, 1.0)
    return clamp(torque, -least, most)

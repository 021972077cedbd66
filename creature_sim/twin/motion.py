"""Where the links of a twin are, and how they go."""

from typing import NamedTuple

import numpy as np

from creature_sim.components import Records, TwinRecord
from creature_sim.locomotion.frames import into_world
from creature_sim.maths import (
    Floats,
    Quat,
    Vec,
    add,
    along,
    cross,
    put,
    put_quat,
    quat,
    quat_about,
    quat_conjugate,
    quat_multiply,
    rotate,
    scale,
    sub,
    vec,
)
from creature_sim.maths.jit import kernel
from creature_sim.twin.links import Hinges, Links

BASE = 13
"""Numbers of the state of a base: position, orientation, velocity and spin."""


class Motion(NamedTuple):
    """K links at a moment.

    Attributes:
        position: (K, 3) of their hinges; of the base, of its frame [m, world].
        orientation: (K, 4) link to world, xyzw.
        axis: (K, 3) of their hinges [world].
        centre: (K, 3) of mass [m, world].
        velocity: (K, 3) of their frames [m/s, world].
        spin: (K, 3) [rad/s, world].
    """

    position: Floats
    orientation: Floats
    axis: Floats
    centre: Floats
    velocity: Floats
    spin: Floats


class Whole(NamedTuple):
    """All links as one body.

    Attributes:
        centre: of mass [m, world].
        velocity: of that [m/s, world].
    """

    centre: Vec
    velocity: Vec


def motion_for(count: int) -> Motion:
    """Room for so many links."""
    rows = count, 3
    return Motion(np.zeros(rows), np.zeros((count, 4)), *(np.zeros(rows) for _ in range(4)))


@kernel
def move_base(
    motion: Motion, links: Links, position: Vec, orientation: Quat, velocity: Vec, spin: Vec
) -> None:
    """Put the base somewhere; all else follows with `move_links`."""
    put(motion.position[0], position)
    put_quat(motion.orientation[0], orientation)
    put(motion.velocity[0], velocity)
    put(motion.spin[0], spin)
    put(motion.centre[0], add(position, rotate(orientation, vec(links.centre[0]))))


@kernel
def move_links(motion: Motion, links: Links, angles: Floats, rates: Floats) -> None:
    """Put all links where their hinges have them, from the base on.

    Args:
        motion: whose base is where it shall be; written.
        links: of which.
        angles: (K - 1,) of the hinges [rad].
        rates: (K - 1,) of those [rad/s].
    """
    for k in range(1, links.parent.shape[0]):
        parent = links.parent[k]
        turn = quat(motion.orientation[parent])
        arm = rotate(turn, vec(links.position[k]))
        position = add(vec(motion.position[parent]), arm)
        own = quat_multiply(turn, quat(links.turn[k]))
        axis = rotate(own, vec(links.axis[k]))
        orientation = quat_multiply(own, quat_about(vec(links.axis[k]), angles[k - 1]))
        before = vec(motion.spin[parent])
        put(motion.position[k], position)
        put_quat(motion.orientation[k], orientation)
        put(motion.axis[k], axis)
        put(motion.velocity[k], add(vec(motion.velocity[parent]), cross(before, arm)))
        put(motion.spin[k], along(before, axis, rates[k - 1]))
        put(motion.centre[k], add(position, rotate(orientation, vec(links.centre[k]))))


@kernel
def move_twin(
    motion: Motion, links: Links, base: TwinRecord, angles: Floats, rates: Floats
) -> None:
    """Put all links where a twin is.

    Args:
        motion: written.
        links: of the twin.
        base: of it.
        angles: (K - 1,) of its hinges [rad].
        rates: (K - 1,) of those [rad/s].
    """
    place, turn = vec(base.position), quat(base.orientation)
    move_base(motion, links, place, turn, vec(base.velocity), vec(base.spin))
    move_links(motion, links, angles, rates)


@kernel
def whole_of(motion: Motion, links: Links) -> Whole:
    """Centre of mass of all links, and its velocity."""
    centre = velocity = (0.0, 0.0, 0.0)
    mass = 0.0
    for k in range(links.parent.shape[0]):
        mine = vec(motion.centre[k])
        arm = sub(mine, vec(motion.position[k]))
        goes = velocity_at(motion, k, arm)
        centre = along(centre, mine, links.mass[k])
        velocity = along(velocity, goes, links.mass[k])
        mass += links.mass[k]
    return Whole(scale(centre, 1.0 / mass), scale(velocity, 1.0 / mass))


@kernel
def note_centre(motion: Motion, links: Links, base: TwinRecord) -> None:
    """Write where the centre of mass of a twin is, and how it goes."""
    whole = whole_of(motion, links)
    put(base.centre, whole.centre)
    put(base.drift, whole.velocity)


@kernel
def velocity_at(motion: Motion, k: int, arm: Vec) -> Vec:
    """How fast a point of a link goes [m/s, world], so far from where the link is [m, world]."""
    return add(vec(motion.velocity[k]), cross(vec(motion.spin[k]), arm))


@kernel
def tip_of(motion: Motion, links: Links, leg: int) -> Vec:
    """Where a leg ends [m, world]."""
    return point_on(motion, links.foot[leg], vec(links.tip[leg]))


@kernel
def point_of(motion: Motion, links: Links, index: int) -> Vec:
    """Where a point is that a foot presses with [m, world]."""
    return point_on(motion, links.foot[links.owner[index]], vec(links.point[index]))


@kernel
def middle_of(motion: Motion, links: Links, s: int) -> Vec:
    """Where the middle of a segment is [m, world]."""
    return point_on(motion, links.segment[s], vec(links.middle[s]))


@kernel
def point_on(motion: Motion, k: int, point: Vec) -> Vec:
    """Where a point of a link [m, link] is [m, world]."""
    return into_world(vec(motion.position[k]), quat(motion.orientation[k]), point)


@kernel
def write_states(
    bases: Records[TwinRecord], hinges: Hinges, centre: Vec, axes: Quat, states: Floats
) -> None:
    """Write where twins are, as pybullet has it: their bases' centres of mass and principal axes.

    Args:
        bases: (N,) of them.
        hinges: of them; arrays are (N, A).
        centre: of mass of each base [m, base].
        axes: turn of its principal axes, xyzw [base].
        states: (N, BASE + 2 A) position [m, world], orientation, velocity [m/s, world], spin
            [rad/s, world], angles [rad] and rates [rad/s]; written.
    """
    last = BASE + hinges.angles.shape[1]
    for n in range(bases.shape[0]):
        turn, spin = quat(bases[n].orientation), vec(bases[n].spin)
        arm = rotate(turn, centre)
        put(states[n, :3], add(vec(bases[n].position), arm))
        put_quat(states[n, 3:7], quat_multiply(turn, axes))
        put(states[n, 7:10], add(vec(bases[n].velocity), cross(spin, arm)))
        put(states[n, 10:BASE], spin)
        states[n, BASE:last] = hinges.angles[n]
        states[n, last:] = hinges.rates[n]


@kernel
def take_states(
    bases: Records[TwinRecord], hinges: Hinges, centre: Vec, axes: Quat, states: Floats
) -> None:
    """Write bases and hinges from what `write_states` writes; arguments are as there."""
    last = BASE + hinges.angles.shape[1]
    for n in range(bases.shape[0]):
        turn = quat_multiply(quat(states[n, 3:7]), quat_conjugate(axes))
        arm, spin = rotate(turn, centre), vec(states[n, 10:BASE])
        put(bases[n].position, sub(vec(states[n, :3]), arm))
        put_quat(bases[n].orientation, turn)
        put(bases[n].velocity, sub(vec(states[n, 7:10]), cross(spin, arm)))
        put(bases[n].spin, spin)
        hinges.angles[n] = states[n, BASE:last]
        hinges.rates[n] = states[n, last:]

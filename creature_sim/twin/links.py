"""The links of a twin as arrays, for kernels."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from creature_sim.maths import Floats


class Links(NamedTuple):
    """K links, parents before children; link 0 is the base, link k turns on hinge k - 1.

    Attributes:
        parent: (K,) index of the link that each hangs on; of the base -1.
        position: (K, 3) of each hinge [m, parent].
        turn: (K, 4) from link to parent with the hinge at 0, xyzw.
        axis: (K, 3) of each hinge, unit [link].
        lo: (K - 1,) lower limits of the hinges [rad].
        hi: (K - 1,) upper ones [rad].
        mass: (K,) [kg].
        centre: (K, 3) of mass [m, link].
        inertia: (K, 3, 3) about the centre [kg m^2, link].
        first: (K,) link of the first hinge of the joint that ends in each link.
        head: link that is the head; 0: there is none.
        carrier: (L,) segment that each leg hangs on.
        segment: (S,) link that is each segment of the trunk.
        middle: (S, 3) of its box [m, link].
        bone: (L, J - 1) link that is each bone, hip to tip; beyond a leg's own count -1.
        foot: (L,) link that ends in each leg's foot.
        tip: (L, 3) where it ends [m, link].
        owner: (P,) leg of each point that feet press with: its tip, or the corners of its sole.
        point: (P, 3) where they are [m, link of the foot].
    """

    parent: NDArray[np.int64]
    position: Floats
    turn: Floats
    axis: Floats
    lo: Floats
    hi: Floats
    mass: Floats
    centre: Floats
    inertia: Floats
    first: NDArray[np.int64]
    head: int
    carrier: NDArray[np.int64]
    segment: NDArray[np.int64]
    middle: Floats
    bone: NDArray[np.int64]
    foot: NDArray[np.int64]
    tip: Floats
    owner: NDArray[np.int64]
    point: Floats


class Gains(NamedTuple):
    """How hard a twin is held.

    Attributes:
        stiffness: (K - 1,) of its hinges [N m/rad].
        damping: (K - 1,) [N m s/rad].
        inertia_free: (K - 1,) of each hinge, nothing else held [kg m^2].
        effort: (K - 1,) largest torques [N m].
        velocity: (K - 1,) at which motors drive no more [rad/s].
        inertia: (3,) of all of it about its centre, standing [kg m^2, base].
        mass: of all of it [kg].
        reach: of its legs [m].
        friction: of its feet on the ground.
    """

    stiffness: Floats
    damping: Floats
    inertia_free: Floats
    effort: Floats
    velocity: Floats
    inertia: Floats
    mass: float
    reach: float
    friction: float


class Hinges(NamedTuple):
    """The A = K - 1 hinges of one twin.

    Attributes:
        angles: (A,) [rad].
        rates: (A,) [rad/s].
        old_goals: (A,) angles that its walk wanted at the end of the last tick [rad].
        goals: (A,) that it wants at the end of this one.
        pulls: (A,) by how much these goals go faster than in the last tick [rad/s^2].
        torques: (A,) [N m]; written.
    """

    angles: Floats
    rates: Floats
    old_goals: Floats
    goals: Floats
    pulls: Floats
    torques: Floats


class Feet(NamedTuple):
    """The P points that the feet of one twin press with.

    Attributes:
        normals: (P, 3) of the ground below them [world].
        drifts: (P, 3) how fast what they stand on goes [m/s, world].
        loads: (P,) how much each carries, 0 to 1: where one of two that stand alike carries half as
            much as the other, so does its force.
        forces: (P, 3) of the ground on them [N, world]; written.
    """

    normals: Floats
    drifts: Floats
    loads: Floats
    forces: Floats

"""Legs bend so that their tips are where the feet are wanted."""

import esper

from creature_sim.components import Body, Feet, LegChain, Plan, Records
from creature_sim.ik.fabrik import solve_leg
from creature_sim.jit import kernel
from creature_sim.maths import (
    Floats,
    cross,
    put_quat,
    quat,
    quat_from_axes,
    reject,
    rotate,
    sub,
    unit,
    vec,
)
from creature_sim.systems.reach_guard import hip_of

X = (1.0, 0.0, 0.0)
Y = (0.0, 1.0, 0.0)

TOLERANCE = 1e-5
"""Largest distance of tip and foot, as a share of the reach."""
MAX_ITERATIONS = 64


class SolveLegs(esper.Processor):
    """Inverse kinematics of every leg."""

    def process(self, dt: float) -> None:
        """Solve all legs of all herds."""
        del dt  # poses depend on where things are, not on time
        for _, (plan, body, feet, chain) in esper.get_components(Plan, Body, Feet, LegChain):
            solve_legs(
                plan.legs,
                plan.lengths,
                plan.rest,
                body.records,
                feet.records,
                chain.joints,
                chain.rotations,
                chain.foot_rotation,
            )


@kernel
def solve_legs(
    legs: Records,
    lengths: Floats,
    rest: Floats,
    bodies: Records,
    feet: Records,
    joints: Floats,
    rotations: Floats,
    foot_rotation: Floats,
) -> None:
    """Write joints (N, L, J, 3), bone rotations (N, L, J - 1, 4) and foot rotations (N, L, 4)."""
    for n in range(bodies.shape[0]):
        position, orientation = vec(bodies[n].position), quat(bodies[n].orientation)
        ahead = rotate(orientation, X)
        for i in range(legs.shape[0]):
            leg = legs[i]
            chain = joints[n, i]
            pole = rotate(orientation, vec(leg.pole))
            solve_leg(
                chain,
                lengths[i],
                leg.bone_count,
                rest[i],
                hip_of(position, orientation, leg),
                vec(feet[n, i].position),
                pole,
                TOLERANCE * leg.reach,
                MAX_ITERATIONS,
            )
            for b in range(rotations.shape[2]):
                bone = min(b, leg.bone_count - 1)
                x = unit(sub(vec(chain[bone + 1]), vec(chain[bone])), ahead)
                z = unit(reject(pole, x), rotate(orientation, Y))
                put_quat(rotations[n, i, b], quat_from_axes(x, cross(z, x), z))
            z = vec(feet[n, i].normal)
            x = unit(reject(ahead, z), ahead)
            put_quat(foot_rotation[n, i], quat_from_axes(x, cross(z, x), z))

"""Twins that are told to go straight on keep their heading, though pushes turn them."""

from creature_sim.components import (
    BY_WALK,
    UPRIGHT,
    CommandRecord,
    GravityRecord,
    PlanRecord,
    Records,
    TwinRecord,
)
from creature_sim.inputs import FULL
from creature_sim.locomotion.gravity import up_at
from creature_sim.maths import X, atan2, clamp, cross, dot, put, quat, reject, rotate, vec
from creature_sim.maths.jit import kernel

SETTLES = 0.4
"""A heading is kept once a twin has gone straight on for so long [s]: by then a turn has ended."""
COMES_BACK = 2.0
"""It comes back to it at this rate [1/s]..."""
GENTLY = 0.5
"""...and turns by no more than this fraction of a full command for that."""


@kernel
def keep_heading(
    plan: PlanRecord,
    commands: Records[CommandRecord],
    bases: Records[TwinRecord],
    gravity: GravityRecord,
    dt: float,
) -> None:
    """Turn N twins that are told to go straight on back to the heading in which they did.

    Without forces that is how a walk goes; plans follow their twins, and would forget it.

    Args:
        plan: of the herd.
        commands: (N,) that they get; turns are written.
        bases: (N,) of the twins; what they keep is written.
        gravity: the field.
        dt: length of a tick [s].
    """
    for n in range(commands.shape[0]):
        command, base = commands[n], bases[n]
        walks = base.stage == UPRIGHT and base.led == BY_WALK
        goes = command.forward != 0 or command.strafe != 0
        if command.turn != 0 or not (walks and goes):
            base.straight = 0.0
            continue
        up = up_at(gravity, vec(base.position))
        ahead = reject(rotate(quat(base.goal_orientation), X), up)
        base.straight += dt
        if base.straight <= SETTLES:
            put(base.heading, ahead)
            continue
        kept = vec(base.heading)
        angle = atan2(dot(cross(ahead, kept), up), dot(ahead, kept))
        command.turn = int(clamp(COMES_BACK * angle / plan.turn_rate, -GENTLY, GENTLY) * FULL)
